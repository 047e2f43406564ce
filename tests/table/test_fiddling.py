"""Whatever fingers the other side has on its own pieces, nothing is ruled on for the one who thinks."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from boardumpire.tracking.events import HandIntent, SuspectSpace
from boardumpire.tracking.model import PublicPosition
from boardumpire.tracking.tracker import Tracker
from boardware.ports import MS

RED = ("a1", "b1", "c1")
BLUE = ("a3", "b3", "c3")
STEPS = {
    "a1": {"a2": False, "b2": False},
    "b1": {"b2": False, "b3": True, "a2": False},
    "c1": {"c2": False, "c3": True, "b3": True},
}
FREE = ("a2", "b2", "c2", "d1", "d2")
POSITION = PublicPosition(
    dict.fromkeys(RED, "red") | dict.fromkeys(BLUE, "blue"), frozenset(), frozenset({"red"}), STEPS
)

spans = st.sampled_from([5, 60, 150, 220, 400, 600, 1_200, 3_000, 9_000])
fiddles = st.lists(
    st.tuples(st.sampled_from(("lift", "place", "home", "bump")), st.integers(0, 9), spans), max_size=14
)


class Fiddled:
    """A tracker over which one side holds a piece, or none, and the other plays with its own."""

    def __init__(self, held: str | None) -> None:
        self.now = 0
        self.tracker = Tracker()
        self.felt = {*RED, *BLUE}
        self.hand: list[str] = []
        """The pieces that the other side has up, by their homes."""
        self.strange: list[str] = []
        self.intents: list[HandIntent] = []
        self.told = 0
        self.tracker.begin_layout(POSITION, self.felt, 0)
        if held is not None:
            self.feel(held, False)
            self.wait(300)

    def feel(self, space: str, present: bool) -> None:
        (self.felt.add if present else self.felt.discard)(space)
        self.tracker.note_sensor_change(space, present, self.now)

    def wait(self, ms: int) -> None:
        until = self.now + ms * MS
        while not self.intents:
            due = self.tracker.next_due()
            at = until if due is None or due > until else max(self.now, due)
            self.now = at
            told = self.tracker.advance(at)
            self.told += len(told)
            assert self.told < 300, f"told without end: {told}"
            self.intents += [each for each in told if isinstance(each, HandIntent)]
            assert not [each for each in told if isinstance(each, SuspectSpace)]
            if at == until:
                break
        self.now = until

    def fiddle(self, what: str, which: int, ms: int) -> None:
        """One thing that blue's fingers do with blue's pieces, which they put anywhere."""
        stand = [space for space in (*BLUE, *self.strange) if space in self.felt]
        if what in ("lift", "bump") and stand:
            space = stand[which % len(stand)]
            self.feel(space, False)
            if what == "bump":
                self.wait(40 + 15 * which)
                self.feel(space, True)
            else:
                self.hand.append(space)
                if space in self.strange:
                    self.strange.remove(space)
        elif what == "home" and self.hand:
            homes = [space for space in BLUE if space not in self.felt]
            if homes:
                self.hand.pop()
                self.feel(homes[which % len(homes)], True)
        elif what == "place" and self.hand:
            free = [space for space in FREE if space not in self.felt]
            space = free[which % len(free)]
            self.hand.pop()
            self.strange.append(space)
            self.feel(space, True)
        self.wait(ms)


@settings(max_examples=4 * settings.default.max_examples, deadline=None)
@given(st.sampled_from(RED), fiddles)
def test_while_a_piece_is_held_to_think_nothing_is_ruled_on(
    held: str, done: list[tuple[str, int, int]]
) -> None:
    board = Fiddled(held)
    for each in done:
        board.fiddle(*each)
    board.wait(30_000)
    assert board.intents == []


@settings(max_examples=2 * settings.default.max_examples, deadline=None)
@given(fiddles)
def test_while_nothing_is_held_either(done: list[tuple[str, int, int]]) -> None:
    board = Fiddled(None)
    for each in done:
        board.fiddle(*each)
    board.wait(30_000)
    assert board.intents == []


@settings(max_examples=3 * settings.default.max_examples, deadline=None)
@given(st.sampled_from(RED), fiddles, fiddles, spans)
def test_nor_when_the_piece_goes_home_and_up_again(
    held: str, before: list[tuple[str, int, int]], after: list[tuple[str, int, int]], rest: int
) -> None:
    """A piece that rests at home for longer than a tap has given no sign."""
    board = Fiddled(held)
    for each in before:
        board.fiddle(*each)
    board.feel(held, True)
    board.wait(max(rest, 600))
    board.feel(held, False)
    for each in after:
        board.fiddle(*each)
    board.wait(30_000)
    assert board.intents == []
