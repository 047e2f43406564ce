"""Wild hands: whatever they do, lamps and messages lead out of it, and nothing is believed that nobody did.

Hands lift, set down, slide, tap, nudge, knock over, press, speak and cut the power as they like. Two things
they don't do, as no reed could tell: pass a piece from beside the board off for one that is in the air or
slides, and set a piece down on the square of a lifted piece of the other colour. A piece that was knocked
over is as good as up.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from boardsim.bench.bench import Bench, BenchSettings
from boardsim.hands.hands import PACES, HandsError
from boardsim.world.world import Piece, World
from boardumpire.commands.table_factory import TableFactory
from boardware.ports import MS, SECOND
from table.people import People
from table.twins import setups

SQUARES = [file + rank for rank in "12345678" for file in "abcdefgh"]
SQUARE = st.sampled_from(SQUARES)
NUMBER = st.integers(0, 63)
WORDS = ["yes", "no", "offer-draw", "agree-draw", "ask-take-back", "agree-take-back", "a3-a4", "setup a1=F"]


BELIEVED: Counter[str] = Counter()
"""The moves and attacks of all runs that were accepted, and so compared with what hands did."""


class Motions:
    """What hands did to pieces in the world, in its order; a spy on the world, which goes on as it did."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._left: dict[Piece, int] = {}
        self._stirred: dict[Piece, int] = {}
        self._count = 0
        self._leave, self._magnet = world.remove_resting_piece, world.change_magnets
        self._fall = world.fall
        world.remove_resting_piece, world.change_magnets, world.fall = self.leave, self.magnet, self.fall  # type: ignore[method-assign]

    def leave(self, piece: Piece, slot: str) -> None:
        """A piece begins to move."""
        self._count += 1
        self._left[piece] = self._stirred[piece] = self._count
        self._leave(piece, slot)

    def fall(self, piece: Piece, slot: str, at: int) -> None:
        """A piece falls over."""
        self._fall(piece, slot, at)
        self._count += 1
        self._left[piece] = self._count

    def magnet(self, slot: str, change: int, at: int) -> None:
        """A magnet comes or goes: of a piece that stands there and goes on standing, in a dip."""
        if change < 0:
            self._count += 1
            self._stirred.update(dict.fromkeys(self._world.standing().get(slot, ()), self._count))
        self._magnet(slot, change, at)

    def stirred_since_left(self, piece: Piece, other: Piece) -> bool:
        """Whether `piece` was stirred after `other` was last taken up."""
        return self._stirred.get(piece, 0) > self._left.get(other, self._count)


def distance(one: str, other: str) -> int:
    """How many squares apart."""
    return abs(ord(one[0]) - ord(other[0])) + abs(ord(one[1]) - ord(other[1]))


class WildHands(RuleBasedStateMachine):
    """Two players and a child at one board."""

    def __init__(self) -> None:
        super().__init__()
        self.trail: list[str] = []

    @initialize(
        seed=st.integers(0, 2**16),
        pace=st.sampled_from(sorted(PACES)),
        keeps=st.booleans(),
        turns=st.sampled_from([0, 8]),
    )
    def stand(self, seed: int, pace: str, keeps: bool, turns: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        setting = BenchSettings(
            seed=seed,
            pace=PACES[pace],
            lamp_driver="neopixel-pwm-sim",
            journal=Path(self.folder.name) / "journal.db" if keeps else None,
        )
        self.keeps = keeps
        self.bench = Bench(setting, TableFactory(), told=self.hear)
        self.people = People(self.bench)
        self.motions = Motions(self.bench.world)
        self.bench.start()
        first, _ = setups(seed)
        self.bench.hands.pace = PACES["fast"]
        for seat, text in first.items():
            self.bench.set_up(seat, text)
        for _ in range(turns):
            if not self.attacks():
                self.approach()
        self.bench.hands.pace = PACES[pace]

    def approach(self) -> None:
        """Make the quiet move that ends nearest to the other side."""
        state = self.bench.table._match.state  # type: ignore[union-attr]
        (seat,) = state.seats_to_act()
        foes = [space for space, piece in self.people.stands.items() if piece.owner != seat]
        moves = [str(action).split("-") for action in state.legal_actions(seat)]
        quiet = [(min(distance(b, foe) for foe in foes), a, b) for a, b in moves if b not in foes]
        _, origin, target = min(quiet)
        self.do("lift", origin)
        self.do("place", target)
        self.bench.wait(SECOND)

    # What is believed

    def hear(self, message: Any) -> None:
        if message.seat is not None:
            return
        if message.kind not in ("turn", "chores"):
            self.trail.append(f"{message.at // MS} told {message.kind} {message.data}"[:200])
        if message.kind != "ruling" or not message.data["ok"]:
            return
        for event in message.data["events"]:
            if event["kind"] in ("move", "battle"):
                self.believe(event)
        self.people.hear(message.data)

    def believe(self, event: Any) -> None:
        """An accepted action has to be what hands did in the world."""
        stands, standing = self.people.stands, self.people.standing()
        piece = stands[event["from"]]
        if event["kind"] == "move":
            BELIEVED["moves"] += 1
            assert standing.get(event["to"]) == piece, (
                f"nobody carried {piece} there: {event} {self.trail[-9:]}"
            )
            return
        up = standing.get(event["from"]) != piece or piece in self.bench.world.fallen()
        assert up, f"the attacker never left: {event} {self.trail[-9:]}"
        BELIEVED["attacks"] += 1
        attacked = stands[event["to"]]
        assert standing.get(event["to"]) != attacked or self.motions.stirred_since_left(attacked, piece), (
            f"nobody touched the piece that was attacked: {event} {self.trail[-9:]}"
        )

    # What hands do

    def do(self, verb: str, *words: Any) -> None:
        self.trail.append(f"{self.bench.now // MS} {verb} {words}")
        with contextlib.suppress(HandsError):
            end = getattr(self.bench.hands, verb)(*words, now=self.bench.now)
            self.bench.run_until(end)

    def occupied(self, number: int) -> str | None:
        slots = sorted(self.bench.world.standing())
        return slots[number % len(slots)] if slots else None

    @rule(number=NUMBER)
    def lift(self, number: int) -> None:
        if space := self.occupied(number):
            self.do("lift", space)

    def may_place(self, held: Any, space: str) -> bool:
        """Whether reeds and eyes together could tell."""
        world, stands = self.bench.world, self.people.stands
        up = {space for space, piece in stands.items() if piece not in self.upright()}
        ours = held.piece in stands.values()
        if not ours:
            return not up and space not in world.standing()
        if space in world.standing():
            return True
        home = stands.get(space)
        return home is None or home.owner == held.piece.owner

    def upright(self) -> set[Any]:
        """The pieces that reeds feel: what stands upon another is as good as up."""
        world = self.bench.world
        return {pieces[0] for pieces in world.standing().values()} - world.fallen()

    @precondition(lambda self: self.bench.hands.held)
    @rule(number=NUMBER, space=SQUARE)
    def place(self, number: int, space: str) -> None:
        hands = self.bench.hands
        held = hands.held[number % len(hands.held)]
        if self.may_place(held, space):
            hands.held.sort(key=lambda each: each.piece == held.piece)
            self.do("place", space)
            if space in self.people.stands and held.piece not in self.people.stands.values():
                # It fell in a battle that was ruled on while it came down: nobody leaves it there.
                self.do("lift", space)
                self.do("put_beside_board")

    @precondition(lambda self: self.bench.hands.held)
    @rule(number=NUMBER, side=st.integers(0, 3))
    def place_near(self, number: int, side: int) -> None:
        hands = self.bench.hands
        held = hands.held[number % len(hands.held)]
        if held.origin is not None:
            column, row = SQUARES.index(held.origin) % 8, SQUARES.index(held.origin) // 8
            x, y = column + (1, 0, -1, 0)[side], row + (0, 1, 0, -1)[side]
            if 0 <= x < 8 and 0 <= y < 8:
                self.place(number, SQUARES[8 * y + x])

    @precondition(lambda self: self.bench.hands.held)
    @rule(number=NUMBER)
    def place_home(self, number: int) -> None:
        hands = self.bench.hands
        held = hands.held[number % len(hands.held)]
        if held.origin is not None and self.may_place(held, held.origin):
            self.place(number, held.origin)

    @rule(number=NUMBER, space=SQUARE)
    def slide(self, number: int, space: str) -> None:
        origin = self.occupied(number)
        clear = not any(h.piece in self.people.stands.values() for h in self.bench.hands.held)
        if origin and clear:  # with full hands nobody slides
            self.do("slide", [origin, space])

    @rule(number=NUMBER, other=NUMBER)
    def tap(self, number: int, other: int) -> None:
        origin, target = self.occupied(number), self.occupied(other)
        if origin and target and origin != target:
            self.do("tap", origin, target)

    def attacks(self) -> list[list[str]]:
        """The attacks that the rules allow now."""
        state = self.bench.table._match.state  # type: ignore[union-attr]
        legal = [str(a).split("-") for seat in state.seats_to_act() for a in state.legal_actions(seat)]
        return sorted([a, b] for a, b in legal if b in self.people.stands)

    @rule(
        number=NUMBER,
        how=st.sampled_from(["lift", "lift first", "signed", "tap", "nudge", "set upon", "near"]),
        calm=st.sampled_from([True, True, False]),
        ms=st.sampled_from([0, 200, 600]),
    )
    def attack(self, number: int, how: str, calm: bool, ms: int) -> None:
        """What is, or looks like, an attack that the rules allow; `calm`: once the board is in order."""
        if self.over() or (calm and not self.people.make_peace()) or self.over() or self.bench.hands.held:
            return
        attacks = self.attacks()
        if not attacks:
            return
        origin, target = map(self.people.named, attacks[number % len(attacks)])
        if how == "lift first":
            self.do("lift", target)
        self.do("lift", origin)
        match how:
            case "lift":
                self.do("lift", target)
            case "signed":
                self.do("lift", target)
                self.do("tap_own_square", origin)
            case "tap":
                self.do("tap", origin, target)
            case "nudge":
                self.do("nudge", target)
            case "set upon":
                self.do("place", target)
        self.wait(ms)

    @rule(number=NUMBER)
    def nudge(self, number: int) -> None:
        if space := self.occupied(number):
            self.do("nudge", space)

    @rule(number=NUMBER)
    def knock(self, number: int) -> None:
        if space := self.occupied(number):
            self.do("knock", space)

    @precondition(lambda self: not self.bench.hands.held)
    @rule(space=SQUARE)
    def foreign(self, space: str) -> None:
        if space not in self.bench.world.standing() and self.upright() >= set(self.people.stands.values()):
            self.do("stand", "nobody", space)
            self.bench.wait(400 * MS)  # sooner, a neighbour that falls would look like a slide

    @precondition(lambda self: self.bench.hands.held)
    @rule()
    def aside(self) -> None:
        self.do("put_beside_board")

    @rule(button=st.sampled_from(["confirm", "cancel", "turn"]), long=st.booleans())
    def press(self, button: str, long: bool) -> None:
        if self.people.guidance.question is None:
            self.do("hold", button, 2500 * MS if long else 100 * MS)

    @rule()
    def answer(self) -> None:
        self.people.answer()

    @rule(seat=st.sampled_from(["red", "blue"]), text=st.sampled_from(WORDS))
    def say(self, seat: str, text: str) -> None:
        if self.people.guidance.question is None or text not in ("yes", "no"):
            self.trail.append(f"{self.bench.now // MS} say {seat} {text}")
            with contextlib.suppress(ValueError):
                self.bench.say(seat, text)

    @rule(ms=st.sampled_from([10, 100, 400, 1000, 6000, 21000]))
    def wait(self, ms: int) -> None:
        self.trail.append(f"{self.bench.now // MS} wait {ms}")
        self.bench.wait(ms * MS)

    @precondition(lambda self: self.keeps and not self.over())
    @rule(ms=st.sampled_from([0, 500]))
    def kill(self, ms: int) -> None:
        self.trail.append(f"{self.bench.now // MS} kill")
        before = self.bench.table._match.state.truth()
        self.bench.kill()
        self.bench.wait(ms * MS)
        self.bench.start()
        assert self.bench.table._match.state.truth() == before

    @rule()
    def lead_out(self) -> None:
        """Obey and answer: the board comes in order, and the next legal move is ruled on."""
        if self.over():
            return
        self.trail.append(f"{self.bench.now // MS} peace")
        assert self.people.make_peace(), (
            f"no way out of {self.people.guidance} {self.trail} {self.people.trail[-20:]}"
        )
        if self.over():
            return
        standing = self.people.standing()
        assert {s: standing.get(s) for s in self.people.stands} == self.people.stands, (
            self.trail,
            self.people.trail,
        )
        self.trail += self.people.trail[-20:]
        self.move()

    def move(self) -> None:
        state = self.bench.table._match.state  # type: ignore[union-attr]
        (seat,) = state.seats_to_act()
        legal = [str(action).split("-") for action in state.legal_actions(seat)]
        quiet = sorted(pair for pair in legal if pair[1] not in self.people.stands)
        attacks = self.attacks()
        tries = attacks if attacks and self.bench.now // MS % 2 else quiet
        if not tries:
            return
        origin, target = tries[self.bench.now // MS % len(tries)]
        self.do("lift", self.people.named(origin))
        self.do("lift" if tries is attacks else "place", self.people.named(target))
        if tries is attacks:
            self.do("tap_own_square", self.people.named(origin))
        self.bench.wait(SECOND)
        assert self.bench.table._match.state != state, (  # type: ignore[union-attr]
            f"{origin}-{target} was not ruled: {self.people.guidance} {self.trail[-20:]}"
        )

    def over(self) -> bool:
        return self.bench.table._match.state.outcome is not None

    def teardown(self) -> None:
        if hasattr(self, "bench"):
            try:
                self.lead_out()
            finally:
                self.bench.close()
                self.folder.cleanup()


def _wild(examples: int, steps: int, number: int) -> None:
    run_state_machine_as_test(
        seed(number)(WildHands),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            # What is found is shown as it was found: shrinking forty steps takes longer than finding them.
            phases=[Phase.generate],
            database=None,
            suppress_health_check=list(HealthCheck),
            print_blob=False,
        ),
    )


@pytest.mark.slow
def test_wild_hands_are_led_out_and_nothing_is_believed_that_nobody_did() -> None:
    BELIEVED.clear()
    _wild(20, 25, 1)
    assert BELIEVED["moves"] > 0
    assert BELIEVED["attacks"] > 0


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(2, 12))
def test_wild_hands_for_long(number: int, record_property: Any) -> None:
    """Random hands, knocks, kills, buttons and phones: always a way out, never an action that nobody made."""
    runs, steps = 150, 40
    BELIEVED.clear()
    _wild(runs, steps, number)
    record_property("seed", number)
    record_property("runs", runs)
    record_property("steps a run, at most", steps)
    record_property("accepted moves, compared with what hands did", BELIEVED["moves"])
    record_property("accepted attacks", BELIEVED["attacks"])
