"""One game of a soak: its bench, its people, and what came of it.

The seed and the number of a game decide it.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from boardrules import record as records
from boardrules import registry
from boardsim.bench.bench import BARE, PICO, BenchSettings
from boardsim.bench.table import BenchTableFactory
from boardsim.judging.judge import LOST, WRONG, Discrepancy
from boardsim.people.escapers import ColditzPeople
from boardsim.people.hunters import FuhrerPeople
from boardsim.people.people import StrategoPeople
from boardsim.people.rates import ACTIONS_MAX, ERROR_KINDS, PROFILES, TAGS_PROFILE, TurnError
from boardsim.pico.faults import FINE, CableFaults
from boardsim.readers.board import NoReaders, tag_reading_board
from boardsim.readers.tags import QUIET, RadioNoise
from boardsim.world.kits import KITS, NARROW_SPACING_KITS, WIDE_SPACING_KITS
from boardware.description import load_board, readable_boards
from boardware.ports import SECOND

CABLE_FAULTS_BY_NAME = {
    "fine": FINE,
    "noisy": CableFaults(flip=0.0005, lose=0.0002, double=0.0002, cut=0.0001, late_chunk_rate=0.001),
}
"""Cables of Picos: a noisy one spoils a byte in a thousand."""
TAGS_PROFILE_NOISE = RadioNoise(miss_rate=0.05, flip=0.005)
"""Between tags and readers, with the profile `tags`."""
WIDE_PITCH_MIN_MM = 40.0
"""Spaces so far apart take the wide kits."""
COUNT_NAMES = (
    *("actions", "rulings", "wrong", "lost", "missed"),
    *("asked", "forced", "unfelt", "alike", "mended", "closed"),
)


AnyPeople = StrategoPeople | FuhrerPeople | ColditzPeople


class SoakError(ValueError):
    """What can't be soaked: why, and what was expected."""


class ClusterError(SoakError):
    """No cluster to play on: why, and what is needed."""


class SoakPlan(NamedTuple):
    """What is soaked. It can be pickled."""

    game: str = "stratego-quick-duel"
    driver: str = "gpio-sim"
    profile: str = "clumsy"
    seed: int = 0
    board: str | None = None
    """`None`: the first that carries the game."""
    lamp_driver: str = "neopixel-pwm-sim"
    wire: str = "fine"
    kit: str | None = None
    """Of sensors and magnets. `None`: drawn from those that suit the board."""
    longest: int = ACTIONS_MAX
    """After so many actions whoever is to move resigns."""
    circuit: str | None = None
    """A folder with the circuit boards of the board, with the driver `pico-sim`: they are played on."""
    out: str | None = None
    """A folder for the script and the trace of anything wrong."""


class SoakedGame(NamedTuple):
    """What came of one game."""

    number: int
    counts: Mapping[str, int]
    findings: tuple[Discrepancy, ...]
    injected: Mapping[str, int]
    made_errors: tuple[TurnError, ...]
    seconds: float
    """Of virtual time."""
    script_path: str | None = None
    """The script of what went wrong."""


def check_playable(game: str) -> None:
    """Whether people know how to play a game with pieces. Raises `SoakError`, `UnknownGame`."""
    state = registry.new(game, {})
    if people_class_of(game) is not StrategoPeople:
        return
    if not all(state.zone(seat) for seat in state.seats):
        raise SoakError(f"nobody here plays {game} with hands; try a game of two armies that are set up")


def first_board_of(game: str) -> str:
    """The first board that carries a game, on a header if there is one. Raises `SoakError`."""
    carry = {name: board for name, board in readable_boards().items() if game in board.games}
    for name in sorted(carry, key=lambda name: bool(carry[name].picos)):
        return name
    raise SoakError(f"no shipped board carries {game}: name one with --board")


def game_bench_settings(plan: SoakPlan, number: int) -> BenchSettings:
    """The bench of one game: its magnets and reeds are drawn too."""
    seed = plan.seed * 1_000_003 + number
    board, tags = plan.board or first_board_of(plan.game), plan.profile == TAGS_PROFILE
    driver, printed = plan.driver, load_board(board)
    if printed.picos and driver != PICO:  # too large for a header: bare contacts then
        driver = BARE
    if plan.circuit and driver != PICO:
        raise SoakError(f"circuit boards with --driver {driver}: they carry a Pico; try --driver {PICO}")
    kits = WIDE_SPACING_KITS if printed.pitch_mm >= WIDE_PITCH_MIN_MM else NARROW_SPACING_KITS
    kit = plan.kit or random.Random(f"kit {seed}").choice(kits)
    if tags:
        try:
            board = tag_reading_board(board, on_picos=plan.driver == PICO)
        except NoReaders as error:
            raise SoakError(str(error)) from None
    return BenchSettings(
        board=board,
        tags=tags,
        radio_noise=TAGS_PROFILE_NOISE if tags else QUIET,
        game=plan.game,
        options=people_class_of(plan.game).game_options(number),
        driver=driver,
        lamp_driver=plan.lamp_driver,
        seed=seed,
        kit=KITS[kit],
        cable_faults=CABLE_FAULTS_BY_NAME[plan.wire] if driver == PICO else FINE,
        circuit=Path(plan.circuit) if plan.circuit else None,
    )


def play(
    plan: SoakPlan,
    number: int,
    factory: BenchTableFactory,
    without: Collection[TurnError] = (),
) -> tuple[SoakedGame, AnyPeople]:
    """Play one game to its end, or to the first thing that the umpire does wrong."""
    given = game_bench_settings(plan, number)
    kind = people_of_bench(given)
    people = kind(
        given,
        factory,
        f"{plan.seed} {number}",
        PROFILES[plan.profile],
        without=without,
        longest=plan.longest,
    )
    try:
        people.play()
        _compare_record(people)
    finally:
        people.scene.close()
    judge = people.judge
    counts = Counter({name: judge.count[name] for name in COUNT_NAMES})
    counts["actions"] = len(judge.actions)
    counts.update(Counter(finding.kind for finding in judge.findings))
    injected = {kind: judge.count[f"injected {kind}"] for kind in ERROR_KINDS}
    seconds = people.scene.now / SECOND
    return SoakedGame(number, counts, tuple(judge.findings), injected, tuple(people.erred), seconds), people


def people_of_bench(given: BenchSettings) -> type[AnyPeople]:
    """Who plays a game, as its package names them."""
    return people_class_of(given.game)


@functools.cache
def people_class_of(game: str) -> type[AnyPeople]:
    """The people of a game, from the entry points `boardumpire.people`. Raises `SoakError`, `UnknownGame`."""
    name = registry.package(game).simulated_people_kind()
    known = {entry.name: entry for entry in registry.installed_entry_points("boardumpire.people")}
    if name not in known:
        raise SoakError(f"{game} has no player {name!r}; try one of {', '.join(sorted(known))}")
    found: type[AnyPeople] = known[name].load()
    return found


def _compare_record(people: AnyPeople) -> None:
    """The record has to tell what was truly done."""
    judge, table = people.judge, people.scene.bench.table
    if judge.findings or table is None or people.state.outcome is None:
        return
    told = [tuple(action) for action in records.parse(table.export_record()).actions]
    if told != judge.actions:
        kind = LOST if len(told) < len(judge.actions) else WRONG
        judge.find(kind, f"the record has {len(told)} actions, truth {len(judge.actions)}, and they differ")
