"""Whole evenings at several boards: clumsy and hostile people, lies, power cuts, a bad network."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from boardware.description import load_board
from evenings import virtual_loop
from satellite import evening
from satellite.evening import BREAKS, CASTLE, DUEL, HUNT
from satellite.homes import Homes
from satellite.network import Faults
from satellite.people import Doings

SAMPLE = (
    (DUEL, 2, "clumsy", 3, 24),
    (DUEL, 2, "hostile", 1, 24),
    (HUNT, 3, "clumsy", 1, 14),
    (CASTLE, 2, "clumsy", 1, 14),
)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "boards", "profile", "seed", "actions"), SAMPLE)
def test_nothing_is_wrong_lost_or_missed(
    game: str, boards: int, profile: str, seed: int, actions: int, tmp_path: Path
) -> None:
    done = evening.run(tmp_path, evening.drawn(game, boards, profile, seed, actions), seed)
    assert done["carried"]


MANY = (
    (DUEL, 2, "clumsy", 500),
    (DUEL, 2, "hostile", 200),
    (HUNT, 2, "clumsy", 50),
    (HUNT, 3, "clumsy", 50),
    (CASTLE, 2, "clumsy", 50),
    (CASTLE, 3, "clumsy", 50),
)


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "boards", "profile", "count"), MANY)
def test_nothing_is_wrong_lost_or_missed_in_many_evenings(
    game: str,
    boards: int,
    profile: str,
    count: int,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    done = Counter[str]()
    for seed in range(count):
        folder = tmp_path / str(seed)
        folder.mkdir()
        done += evening.run(folder, evening.drawn(game, boards, profile, seed), seed)
    for name, number in done.items():
        record_property(name, number)
    assert {f"break {kind}" for kind in BREAKS} <= done.keys()


# The oracles find what they are for


def test_a_ruling_on_what_nobody_did_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Doings, "has", lambda self, seat, text: False)
    with pytest.raises(AssertionError, match="nobody at home has done it"):
        evening.run(tmp_path, evening.drawn(DUEL, 2, "clumsy", 3, 24), 3)


def test_a_journal_that_forgets_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    power_host = Homes.power_host

    async def forgetful(self: Homes) -> None:
        self.config.journal.path.unlink(missing_ok=True)
        for path in self.config.journal.path.parent.glob("journal*"):
            path.unlink()
        await power_host(self)

    monkeypatch.setattr(Homes, "power_host", forgetful)
    plan = evening.drawn(DUEL, 2, "clumsy", 3, 24)._replace(pause_s=5.0)
    with pytest.raises(AssertionError, match="lost: "):
        evening.run(tmp_path, plan, 3)


PICOS = len(load_board("escape-from-colditz").picos)


@pytest.mark.parametrize("broken", ["part", "pico"])
def test_a_board_with_several_picos_that_comes_back_is_told_once(broken: str, tmp_path: Path) -> None:
    """Each of its Picos is looked for first where it was: none is taken for another."""
    told: list[tuple[str, str]] = []

    async def happens() -> None:
        plan = evening.drawn(CASTLE, 2, "clumsy", 1)
        homes = Homes(tmp_path, CASTLE, plan.options, plan.seats, Faults(), 1)
        async with homes.running():
            homes.listeners.append(
                lambda messages: told.extend(
                    (str(each.data["code"]), str(each.data["text"]))
                    for each in messages
                    if each.kind == "fault" and each.seat is None
                )
            )
            if broken == "part":
                homes.away["north"].network.part(8)
            else:
                homes.unplug("north")
            await asyncio.sleep(10)
            if broken == "pico":
                homes.plug("north")
            await asyncio.sleep(30)

    virtual_loop.run(happens(), 1, virtual_loop.busy)
    assert Counter(code for code, _ in told) == {"bank-silent": PICOS, "bank-back": PICOS}, told
