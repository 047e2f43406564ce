"""One thinks with a piece in the hand; the other lifts, taps and moves pieces to learn what it is."""

from __future__ import annotations

import random
from typing import Any

from boardsim.hands.hands import space_of
from boardware.ports import MS
from table.twins import Witness

WAYS = ("lift near", "lift near", "dip", "hop", "lift far", "theirs", "step", "two near")
WORDS = {"same-places": "confirm", "who-stands": "confirm"}
"""What is true of pieces that all went home; to any other question the answer is no."""


class Prober(Witness):
    """Writes down all that leaves the table while somebody probes. What hands do hangs on public things."""

    def probe(self, seat: str, dice: random.Random) -> None:
        """The piece of `seat` is up, the other's hands do one to three things, and everything goes home."""
        bench, hands = self.bench, self.bench.hands
        held = dice.choice(self._of(seat))
        bench.run_until(hands.lift(held, bench.now))
        bench.wait(dice.randint(20, 3000) * MS)
        for _ in range(dice.randint(1, 3)):
            self._one(seat, held, dice)
            bench.wait(dice.choice([50, 300, 900, 2700]) * MS)
        if any(each.origin == held for each in hands.held):
            bench.run_until(hands.place(held, bench.now, held))
        self.go_home()

    def go_home(self) -> None:
        """Everything goes where it was, and what is asked about that is answered."""
        bench, hands = self.bench, self.bench.hands
        for _ in range(12):
            bench.wait(800 * MS)
            for each in list(hands.held):
                bench.run_until(hands.place(str(each.origin), bench.now, each.origin))
                bench.wait(800 * MS)
            asked = self._guidance().question
            if asked is not None:
                bench.run_until(hands.press(WORDS.get(asked.code, "cancel"), bench.now))
            elif self._guidance().corrections:
                self.tidy("")
            elif not self._guidance().lifted_places:
                return
        raise AssertionError(f"never in order: {self._guidance()}")

    def _guidance(self) -> Any:
        return self.bench.table.guidance  # type: ignore[union-attr]

    def _of(self, seat: str) -> list[str]:
        standing = self.bench.world.standing().items()
        return sorted(space_of(slot) for slot, pieces in standing if pieces[-1].owner == seat)

    def _one(self, seat: str, held: str, dice: random.Random) -> None:
        bench, hands = self.bench, self.bench.hands
        other = "blue" if seat == "red" else "red"
        way, theirs = dice.choice(WAYS), self._of(other)
        hints = self._guidance().hints
        near = [space for space in theirs if hints.get(space)]
        spaces = near or theirs
        if way == "theirs":
            spaces = self._of(seat)
        elif way in ("lift far", "step"):
            spaces = theirs
        if not spaces:
            return
        space = dice.choice(spaces)
        span = dice.choice([30, 150, 250, 600, 1500, 3000]) * MS
        if way == "dip":
            bench.run_until(hands.nudge(space, bench.now))
            return
        for each in [space, *near[:1]] if way == "two near" and space not in near[:1] else [space]:
            bench.run_until(hands.lift(each, bench.now))
        bench.wait(span)
        free = self._free_beside(space)
        if way == "step" and free:
            beside = dice.choice(free)
            bench.run_until(hands.place(beside, bench.now, space))
            bench.wait(span)
            bench.run_until(hands.lift(beside, bench.now))
            bench.run_until(hands.place(space, bench.now, beside))
            return
        for each in [one.origin for one in hands.held if one.origin != held]:
            if dice.random() < 0.8:
                bench.run_until(hands.place(str(each), bench.now, each))

    def _free_beside(self, space: str) -> list[str]:
        file, rank = space[0], int(space[1:])
        near = [f"{chr(ord(file) + dx)}{rank + dy}" for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        taken = {space_of(slot) for slot in self.bench.world.standing()}
        return [each for each in near if each in self.bench.board.spaces and each not in taken]
