"""How an evening begins at the start page: somebody chooses a game there, as a browser's form does."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from boardrules.core import Seat
from boardumpire.commands import page
from boardumpire.commands.parsers import parser_for
from boardumpire.messages.players import clean_name as shown_name
from boardumpire.service.config import Config
from evenings.phones import Phone

FORM = "application/x-www-form-urlencoded"
NAMES = "Zoë", "Jean-Luc", "Ann", "Łukasz", "王小明", "نور"
"""What people are called."""


class Begun(NamedTuple):
    """What has come of it."""

    config: Config
    device: Phone
    """On which it was chosen: the table's screen opens there."""
    link: str
    """The path that this device was sent to."""
    form: bytes
    """What it sends there once more."""
    players: Mapping[Seat, str]
    """By seat the name of who sits there, as it is shown."""


class Wanted(NamedTuple):
    """What somebody chooses."""

    game: str
    options: Mapping[str, Any]
    machines: Mapping[Seat, str]
    people: Sequence[Seat]


def fields(form: str) -> dict[str, str]:
    """What a browser sends of the form of a game as it comes."""
    found = {}
    for select in re.findall(r"<select.*?</select>", form):
        name, values = (
            re.search(r'name="(.*?)"', select),
            re.findall(r'<option value="(.*?)"( selected)?', select),
        )
        assert name is not None
        found[name[1]] = next((value for value, chosen in values if chosen), values[0][0])
    for field in re.findall(r"<input[^>]*>", form):
        if 'type="checkbox"' in field and " checked" not in field:
            continue
        name, value = re.search(r'name="(.*?)"', field), re.search(r'value="(.*?)"', field)
        assert name is not None
        assert value is not None
        found[name[1]] = value[1]
    return {name: unescape(value) for name, value in found.items()}


async def choose(folder: Path, wanted: Wanted, chance: random.Random) -> Begun:
    """Choose a game on the page of `boardumpire page`."""
    words = ["page", "--listen", "127.0.0.1:0", "--driver", "gpio-sim", "--state", str(folder)]
    found: list[Config] = []
    start = page.start_page(
        parser_for(words).parse_args(words), folder, lambda config, _: found.append(config)
    )
    device = Phone(start.app, "", None, "10.0.0.1", chance)
    status, _, shown = await device.get("/")
    assert status == 200
    assert f'href="/?game={wanted.game}"' in shown.decode()
    path = f"/?game={wanted.game}"
    status, _, shown = await device.get(path)
    form = fields(shown.decode())
    players = {seat: chance.choice(NAMES) for seat in wanted.people if chance.random() < 0.5}
    said = {
        **({"rules": "own"} if "rules" in form else {}),
        **{f"option-{name}": json.dumps(value) for name, value in wanted.options.items()},
        **{f"seat-{seat}": level for seat, level in wanted.machines.items()},
        **{f"name-{seat}": name for seat, name in players.items()},
    }
    assert said.keys() <= form.keys(), "the form asks for it"
    if chance.random() < 0.3:
        status, _, shown = await device.post(path, urlencode({**form, **said, "kind": "sand"}).encode(), FORM)
        assert (status, found) == (409, [])
        kept = fields(shown.decode())
        typed = {name: value for name, value in said.items() if not name.startswith("option-")}
        assert typed.items() <= kept.items(), "what was typed stays"
    sent = urlencode({**form, **said}).encode()
    status, headers, shown = await device.post(path, sent, FORM)
    assert status == 307, shown
    link = headers["location"]
    if chance.random() < 0.3:  # who comes second is led to the game of the first
        other = Phone(start.app, "", None, "10.0.0.99", chance)
        status, headers, _ = await other.post("/?game=stratego-quick-barrage", sent, FORM)
        assert (status, headers["location"]) == (307, link)
    assert start.choice_made.is_set()
    await start.stop()
    (config,) = found
    return Begun(config, device, link, sent, {seat: shown_name(name) for seat, name in players.items()})
