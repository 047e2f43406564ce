"""A picture of a game for the documents: played without a screen, in virtual time, drawn as SVG."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable
from pathlib import Path

from boardsim.play.app import PlayApp
from boardsim.play.session import Session
from boardware.ports import MS, SECOND, Micros

SIZE = (108, 31)
RULINGS = 24
"""How far into the game the picture is taken."""
PATIENCE: Micros = 600 * SECOND


def take(begin: Callable[[], Session], path: Path) -> None:
    """Play some turns, have a piece in hand with its squares lit, and write the picture to `path`."""
    path.write_text(asyncio.run(_draw(begin)), encoding="utf-8")


async def _draw(begin: Callable[[], Session]) -> str:
    app = PlayApp(begin)
    async with app.run_test(size=SIZE) as pilot:
        session = app.session
        me = app.me
        assert me is not None, "somebody has to hold the piece"
        session.hand_over(me)
        while not (session.rulings >= RULINGS and me in session.to_act and not session.chores):
            if session.now > PATIENCE:
                break
            session.run(session.now + 20 * MS)
        session.take_over(me)
        session.run(session.now + 2 * SECOND)
        app.cursor = _choice(session, me)
        app.action_touch()
        app.turn(session.now + 1500 * MS)
        await pilot.pause()
        svg = app.export_screenshot(title="boardumpire play")
    # The picture brings no font from anywhere: whoever shows it has a monospaced one.
    svg = re.sub(r"@font-face\s*{[^}]*}\s*", "", svg)
    return re.sub(r'(<text [^>]*x=")([0-9.]+)(" [^>]*textLength=")([0-9.]+)("[^>]*>)([^<]*)', _trimmed, svg)


def _trimmed(text: re.Match[str]) -> str:
    """A run of text without the blanks at its ends, which not every viewer keeps."""
    before, x, between, length, after, words = text.groups()
    blank = "&#160;"
    count = len(html.unescape(words))
    one = float(length) / count if count else 0.0
    bare = words
    while bare.startswith(blank):
        bare, x = bare.removeprefix(blank), f"{float(x) + one:.1f}"
    while bare.endswith(blank):
        bare = bare.removesuffix(blank)
    return f"{before}{x}{between}{one * len(html.unescape(bare)):.1f}{after}{bare}"


def _choice(session: Session, me: str) -> str:
    """The piece with the most squares to go to, enemies counting twice."""
    worth: dict[str, int] = {}
    mine = {slot for slot, pieces in session.world.standing().items() if pieces[-1].owner == me}
    for action in session.state.legal_actions(me):
        origin, _, target = str(action).partition("-")
        if origin in mine:
            worth[origin] = worth.get(origin, 0) + (3 if target in session.world.standing() else 1)
    return max(sorted(worth), key=lambda space: worth[space])
