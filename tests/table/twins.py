"""Twin games: two games that differ only in what the table can't know, played by the same hands."""

from __future__ import annotations

import gc
import json
import random
import re
from collections import Counter
from types import FunctionType, ModuleType
from typing import Any

from boardrules import registry
from boardrules.core import Action, State, visible
from boardrules.stratego.board import ScoutRay
from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory

ARMY = ["F", "B", "B", "10", "9", "3", "3", "2", "2", "S"]
ZONES = {"red": "123", "blue": "678"}
SALTED = ("#", "commitment ")
"""Lines of a record that differ in any two games: comments with the time, and digests with a random salt."""


def setups(seed: int) -> tuple[dict[str, str], dict[str, str]]:
    """Two set-ups of both seats on the same squares: red's ranks are equal, blue's are dealt anew."""
    dice = random.Random(seed)
    first, second = {}, {}
    for seat, ranks in ZONES.items():
        squares = sorted(dice.sample([f + r for f in "abcdefgh" for r in ranks], len(ARMY)))
        dealt = [dice.sample(ARMY, len(ARMY)) for _ in range(2)]
        again = dealt[0] if seat == "red" else dealt[1]
        first[seat] = _written(squares, dealt[0])
        second[seat] = _written(squares, again)
    return first, second


def _written(squares: list[str], ranks: list[str]) -> str:
    return "setup " + " ".join(f"{square}={rank}" for square, rank in zip(squares, ranks, strict=True))


def begun(setup: dict[str, str], options: dict[str, Any] | None = None) -> State:
    """The state after both set-ups."""
    state = registry.new("stratego-quick-duel", options or {})
    for seat, text in setup.items():
        state, _ = state.apply(state.parse(text, seat))
    return state


def public_outcome(state: State, action: Action) -> object:
    """What everybody would see of an action: its public events, or how it is refused in public."""
    refusal = state.refusal(action)
    if refusal is not None:
        return refusal if refusal.public_code is None else refusal.public_code
    after, events = state.apply(action)
    return visible(events, None), after.layout(), after.outcome, after.steps()


def shared_play(first: State, second: State, seed: int, turns: int) -> list[tuple[str, str, str]]:
    """Moves (seat, origin, target), some of them illegal, that look alike to everybody in both games."""
    dice = random.Random(seed)
    played = []
    squares = [f + r for f in "abcdefgh" for r in "12345678"]
    for _ in range(turns):
        if first.outcome is not None:
            break
        (seat,) = first.seats_to_act()
        own = [space for space, pieces in first.layout().items() if pieces[0].seat == seat]
        wild = [first.hand_action(seat, dice.choice(own), dice.choice(squares)) for _ in range(3)]
        tries = dice.sample(sorted(first.legal_actions(seat), key=str), k=len(first.legal_actions(seat)))
        kind = dice.random()
        if kind < 0.2:
            tries = wild + tries
        elif kind < 0.5:
            tries = _refused_in_secret(first, second, seat) + tries
        elif kind < 0.8:
            tries.sort(key=lambda action: str(action).partition("-")[2] not in first.layout())
        for action in tries:
            if public_outcome(first, action) != public_outcome(second, action):
                continue
            origin, _, target = str(action).partition("-")
            if target in first.layout() and first.refusal(action) is not None:
                continue  # hands can't set a piece down upon another
            if origin == target:
                continue
            played.append((seat, origin, target))
            if first.refusal(action) is None:
                first, second = first.apply(action)[0], second.apply(action)[0]
            break
    return played


def _refused_in_secret(first: State, second: State, seat: str) -> list[Action]:
    """Steps that look possible to everybody and are refused in both games, if possible for other reasons."""
    found = []
    for step in first.steps():
        action = first.hand_action(seat, step.origin, step.target)
        one, two = first.refusal(action), second.refusal(action)
        if one is not None and two is not None and not step.attack:
            found.append((one.code == two.code, str(action), action))
    return [action for _, _, action in sorted(found)[:1]]


def reprs(root: object, but: tuple[type, ...] = ()) -> Counter[str]:
    """The `repr` of every object of the rules and the umpire that `root` leads to, not by way of `but`."""
    seen: dict[int, object] = {}
    found: Counter[str] = Counter()
    waiting = [root]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, (type, ModuleType, FunctionType, *but)):
            continue
        seen[id(each)] = each
        waiting += gc.get_referents(each)
        if type(each).__module__.partition(".")[0] in ("boardrules", "boardumpire"):
            found[_repr(each)] += 1
    return found


def _repr(each: object) -> str:
    """Its `repr`, wherever it lies. Rays are long, many, and the same as long as the process lives."""
    if not isinstance(each, ScoutRay):
        return re.sub(r"0x[0-9a-f]+", "0x", repr(each))
    if id(each) not in _RAYS:
        _RAYS[id(each)] = each, repr(each)
    return _RAYS[id(each)][1]


_RAYS: dict[int, tuple[ScoutRay, str]] = {}


def unsealed(line: str) -> str:
    """A line without commitments: each is made with a salt of its own."""
    return re.sub(r'("commitment": ?)"[0-9a-f]{64}"', r"\1null", line)


class Witness:
    """Plays on a bench and writes down all that leaves the table, with its times."""

    made: type[Bench] = Bench
    """The kind of bench."""

    def __init__(
        self,
        setup: dict[str, str],
        seed: int,
        options: dict[str, Any] | None = None,
        table: dict[str, Any] | None = None,
    ) -> None:
        self.public: list[str] = []
        self.private: list[tuple[int, str, int]] = []
        self.told: dict[str, list[str]] = {"red": [], "blue": []}
        self.left: list[str] = []
        self.asked = 0
        """How often lamps asked hands to put a piece somewhere."""
        self._lit: object = None
        setting = BenchSettings(
            seed=seed, options=options or {}, lamp_driver="neopixel-pwm-sim", table=table or {}
        )
        self.bench = self.made(setting, TableFactory(), told=self._told, turned=self._turned)
        self.bench.start()
        for seat, text in setup.items():
            self.bench.set_up(seat, text)

    def _told(self, message: Any) -> None:
        line = unsealed(json.dumps(message.json()))
        if message.seat is None:
            self.public.append(line)
        else:
            self.private.append((message.at, message.seat, len(line)))
            self.told[message.seat].append(line)

    def _turned(self, now: int) -> None:
        lit = self.bench.world.copper.lamps()
        if lit != self._lit:
            self._lit = lit
            self.public.append(f"{now} lamps {sorted(lit.items())}")
            table = self.bench.table
            if table is not None and not table.is_over:  # type: ignore[attr-defined]
                self.public.append(f"{now} standing {table.standing_pieces()}")  # type: ignore[attr-defined]

    def outward(self) -> list[str]:
        """What else leaves the table: sounds, everybody's view and red's, the record so far, every repr."""
        table = self.bench.table
        assert table is not None
        if table.is_over:  # type: ignore[attr-defined]
            return []  # everything may be told now
        views = [json.dumps(table.view(seat), sort_keys=True) for seat in (None, "red")]
        record = [line for line in table.export_record().splitlines() if not line.startswith(SALTED)]
        sounds = [str(heard) for heard in self.bench.world.buzzer_tones]
        return [*sounds, *views, *record, *sorted(reprs(table).elements())]

    def channels(self) -> dict[str, list[tuple[int, int]]]:
        """Moments and sizes of what each seat was told in private."""
        return {
            seat: [(at, size - len(seat)) for at, to, size in self.private if to == seat]
            for seat in self.told
        }

    def carry(self, origin: str, target: str) -> None:
        """Hands carry a piece to an empty square, or lift both pieces of an attack; then do the chores."""
        bench = self.bench
        assert bench.table is not None
        bench.run_until(bench.hands.lift(origin, bench.now))
        if target in {slot for slot, _ in bench.world.standing().items()}:
            bench.run_until(bench.hands.lift(target, bench.now))
            bench.run_until(bench.hands.tap_own_square(origin, bench.now))
        else:
            bench.run_until(bench.hands.place(target, bench.now))
        bench.wait(500_000)
        self.tidy(origin)

    def ask_hands(self, seat: str, lift: tuple[str, ...], put: tuple[str, ...]) -> None:
        """Lamps ask hands to do something for a seat that the machine plays."""
        assert self.bench.table is not None
        self.bench.table.assisted_moves.request_move(seat, lift, put)  # type: ignore[attr-defined]
        self.bench.wait(700_000)
        self.asked += self.bench.table.marks.get(put[0]) == "put"  # type: ignore[attr-defined]

    def tidy(self, origin: str) -> None:
        """Do the chores: take what is too much, put what is missing."""
        bench = self.bench
        for _ in range(6):
            assert bench.table is not None
            chores = bench.table.guidance.corrections  # type: ignore[attr-defined]
            if not chores:
                break
            takes = [chore for chore in chores if chore.kind == "take"]
            chore = (takes or list(chores))[0]
            if chore.kind == "take":
                bench.run_until(bench.hands.lift(chore.space, bench.now))
            else:
                bench.run_until(
                    bench.hands.place(chore.space, bench.now, self._fitting(chore.space, chore.seat))
                )
            bench.wait(100_000)
        while bench.hands.held:
            bench.run_until(bench.hands.put_beside_board(bench.now))

    def _fitting(self, space: str, seat: str | None) -> str | None:
        """The held piece that belongs on `space`: its own, or one of that seat."""
        held = self.bench.hands.held
        mine = [each.origin for each in held if each.piece.owner == seat]
        return space if space in mine else (mine[-1] if mine else None)
