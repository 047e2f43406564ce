"""What the buttons say for those who have no phone at hand: short words, and one of several by stepping.

`choose` goes from one thing to the next; its lamp asks. While something has to be put in order, or the board
asks for one of several spaces, `turn` does so too, as not every board has a button to choose with; then
neither of them means anything in the game. `confirm` says it, `cancel` lets it be. All of it is public: an
action of the game that names a space, a face of a real die, a move that no reed can feel, one of the spaces
that the board asks about, a space that shall be played without its reed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from boardrules.core import Action, Space, State
from boardumpire.table.match import Match
from boardumpire.tracking import stacks
from boardumpire.tracking.values import BY_NAME
from boardware.ports import LampId, Micros


class Pointed(NamedTuple):
    """One thing that may be said, and the lamp that stands for it."""

    lamp: LampId
    """Of an action about several spaces all of theirs, with a space between."""
    action: Action | None
    """`None`: that this space be played by hand, as its reed does not feel what was done."""
    hands: tuple[Space, ...] = ()
    """(origin, target) of a move that nothing feels."""


class Pointer:
    """Where `choose` has come to in one match. What it points at is forgotten when the game goes on."""

    def __init__(self, match: Match, by_hand: Callable[[Space, Micros], None]) -> None:
        """`by_hand` asks everybody whether to play a space without its reed."""
        self._match = match
        self._by_hand = by_hand
        self._at = 0
        self.of: State | None = None
        """In which state `choose` was pressed."""

    @property
    def pointed(self) -> Pointed | None:
        """What `confirm` would say now, if `choose` was pressed."""
        if self.of is not self._match.state:
            return None
        found = self._things()
        return found[self._at % len(found)] if found else None

    def steps(self, button: str) -> bool:
        """Whether a press of this button goes on to the next thing, and means nothing in the game."""
        state = self._match.state
        said = state.pressed().get(button)
        if said is not None and said.seat in state.asked():
            return False  # others wait for that answer
        if button not in ("choose", "turn"):
            return False
        return bool(self._asked_about() or self._unfelt()) or (button == "choose" and said is None)

    def press(self) -> None:
        """Go on to the next thing."""
        self._match.changed()
        self._at = 0 if self.of is not self._match.state else self._at + 1
        self.of = self._match.state

    def answer(self, yes: bool, now: Micros) -> bool:
        """Say what is pointed at, or let it be; whether there was anything."""
        pointed = self.pointed
        self.of = None
        if pointed is None:
            return False
        self._match.changed()
        if yes and pointed.action is None:
            self._by_hand(pointed.lamp, now)
        elif yes and pointed.action is not None:
            self._match.rule(pointed.action, pointed.hands, now)
        return True

    def _unfelt(self) -> list[Pointed]:
        """Where reeds may not feel that a chore was done, or where a piece has gone that should come back."""
        guidance, position = self._match.guidance, self._match.tracker.position
        spaces = [chore.space for chore in guidance.chores]
        spaces += guidance.late if len(guidance.late) == 1 else ()
        steps = position.steps
        for space in list(spaces):
            spaces += [target for target, attack in steps.get(space, {}).items() if not attack]
        felt = [space for space in spaces if space not in position.blind]
        return [Pointed(space, None) for space in dict.fromkeys(map(stacks.space_of, felt))]

    def _asked_about(self) -> list[Pointed]:
        """The spaces of which the board asks which one it is."""
        question, state = self._match.guidance.question, self._match.state
        if question is None or question.code not in BY_NAME or question.seat is None:
            return []
        origin, *targets = question.spaces
        ways = [(origin, target) for target in targets]
        return [Pointed(way[1], state.hand_action(question.seat, *way), way) for way in ways]

    def _things(self) -> list[Pointed]:
        match, state = self._match, self._match.state
        asked = self._asked_about()
        if asked:
            return asked
        found = self._unfelt()
        position = match.tracker.position
        for step in state.steps():
            hands = (step.origin, step.target)
            origin, target = stacks.of_hands(hands, position) or hands
            # Where the origin is sensed its piece has to be up before it can be anywhere.
            if target in position.unfelt(origin) and (
                origin in position.shared or origin in match.tracker.following.air
            ):
                mover = state.hand_action(position.owners[origin], *hands)
                found.append(Pointed(step.target, mover, hands))
        if match.throws():
            found += [Pointed(*pointed) for pointed in state.pointed() if pointed[1] in match.throws()]
        return found + [
            Pointed(*pointed) for pointed in state.pointed() if pointed[1].seat in state.seats_to_act()
            and pointed[1].seat in state.seats
        ]  # fmt: skip
