"""Hands that do anything at all: the tracker goes on, and believes in no piece that there is not."""

from __future__ import annotations

import random

import pytest

from boardumpire.tracking.events import HandIntent, MovePutBack, TrackerEvent
from boardumpire.tracking.model import PublicPosition
from boardumpire.tracking.tracker import Tracker
from boardware.ports import MS
from tracking.test_tracker import Bench

PLACES = {
    f"{file}{row}": (50.0 * column, 50.0 * row) for column, file in enumerate("abcd") for row in range(1, 5)
}
SPACES = sorted(PLACES)
WAITS_MS = (0, 20, 90, 150, 300, 400, 1000, 3000, 6000, 25000)


class SenselessGame:
    """A game on a small board. Rulings follow what the tracker reports; hands follow nothing."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"senseless {seed}")
        self.owners = {space: self.chance.choice(("red", "blue")) for space in self.chance.sample(SPACES, 8)}
        self.movers, self.others = "red", "blue"
        self.alike = self.chance.random() < 0.3
        self.blind = frozenset(self.chance.sample(SPACES, self.chance.choice((0, 0, 1))))
        self.felt, self.now, self.tracker = set(self.owners), 0, Tracker()
        self.begin()

    def begin(self, hands: tuple[str, ...] = (), exchange: str | None = None) -> None:
        steps = {
            origin: {
                target: target in self.owners
                for target, (x, y) in PLACES.items()
                if abs(x - PLACES[origin][0]) + abs(y - PLACES[origin][1]) == 50
                and self.owners.get(target) != seat
            }
            for origin, seat in self.owners.items()
            if seat == self.movers
        }
        position = PublicPosition(
            dict(self.owners), frozenset(), frozenset({self.movers}), steps,
            place_coordinates_mm=PLACES, has_alike_pieces=self.alike, hand_played_places=self.blind,
        )  # fmt: skip
        self.tracker.begin_layout(position, self.felt, self.now, hands=hands, exchange=exchange)

    def play(self, things: int) -> None:
        for _ in range(things):
            self.does_something()
            until = self.now + self.chance.choice(WAITS_MS) * MS
            while (due := self.tracker.next_due()) is not None and due <= until:
                self.now = max(self.now, due)
                for told in self.tracker.advance(self.now):
                    self.rule(told)
                self.believes_in_pieces_that_there_are()
            self.now = until
            self.believes_in_pieces_that_there_are()

    def does_something(self) -> None:
        drawn, space = self.chance.random(), self.chance.choice(SPACES)
        if drawn < 0.85:
            self.felt ^= {space}
            self.tracker.note_sensor_change(space, space in self.felt, self.now)
        elif drawn < 0.95 and self.tracker.guidance().question is not None:
            self.tracker.answer_question(self.chance.random() < 0.5, self.now)
        elif drawn > 0.95:
            self.blind ^= {space}
            self.begin()

    def rule(self, told: TrackerEvent) -> None:
        match told:
            case HandIntent(origin, target) if origin in self.owners and self.chance.random() < 0.75:
                exchange = target if target in self.owners and self.chance.random() < 0.5 else None
                self.owners[target] = self.owners.pop(origin)
                self.movers, self.others = self.others, self.movers
                self.begin((origin, target), exchange)
            case HandIntent() | MovePutBack():
                self.tracker.require_corrections(self.now)

    def believes_in_pieces_that_there_are(self) -> None:
        pieces = self.tracker.piece_tracker
        for space in SPACES:
            could = pieces.stray_candidates.get(space, frozenset()) | pieces.initial_candidates.get(
                space, frozenset()
            )
            assert could <= self.owners.keys(), (space, could)
        self.tracker.guidance()


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 400, 100))
def test_the_tracker_believes_in_no_piece_that_there_is_not(first: int) -> None:
    for seed in range(first, first + 100):
        SenselessGame(seed).play(60)


def test_a_stranger_that_leaves_is_not_taken_for_a_piece_that_was_pushed_on() -> None:
    """It stood beside, and left as a piece that is to be put back came down there."""
    bench = Bench()
    position = bench.position._replace(place_coordinates_mm=PLACES)
    bench.tracker.begin_layout(position, bench.felt, 0)
    bench.place("b2").wait(400).lift("a1").wait(400)
    bench.tracker.require_corrections(bench.now)
    bench.place("c2").wait(20).lift("b2").wait(20)
    assert bench.tracker.piece_tracker.stray_candidates == {"c2": {"a1"}}
    bench.lift("b1").wait(20).lift("c1").wait(60_000)
    assert {"a1", "c2"} <= {space for _, space in bench.chores()}
