"""What seats, programs and hands that tidy up may know of a table, as data.

A state never changes, so what was worked out of it is kept until there is another one: screens are sent the
same again and again. What is not part of the state (help that a seat has asked for, real dice, answers ahead
of a turn) is added each time. `disclosure` alone says what of a state a seat may know.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, NamedTuple

from boardrules import registry
from boardrules.core import Action, Seat, Space, State, View
from boardumpire.messages import disclosure
from boardumpire.table.hints import HINT_COMMAND
from boardumpire.table.match import ASK_THROW_AGAIN, Match
from boardumpire.table.seat_commands import SeatCommands
from boardware.ports import LampId


class _StateCache:
    """What seats may know and do in the state that stands: all screens are sent it again and again."""

    def __init__(self) -> None:
        self._state: State | None = None
        self.views: dict[Seat | None, dict[str, Any]] = {}
        self.choices: dict[Seat, dict[str, Any]] = {}

    def for_state(self, state: State) -> _StateCache:
        """What is known of this state."""
        if state is not self._state:
            self._state, self.views, self.choices = state, {}, {}
        return self


class PublicPieces(NamedTuple):
    """What everybody sees of the pieces."""

    owners: Mapping[Space, Seat]
    """Of every space where one piece stands, its seat."""
    capture_steps: frozenset[tuple[Space, Space]]
    """From where to where a piece takes the one that stands there, without a battle."""
    names: Mapping[Space, tuple[str, ...]]
    """Of every space where pieces with names on them stand, those."""
    peaceful_joins: frozenset[tuple[Space, Space]] = frozenset()
    """From where to where a piece may go to stand beside one of another side, in peace."""


class SeatViews:
    """What may be known of one table."""

    def __init__(self, match: Match, commands: SeatCommands, lamps: Container[LampId]) -> None:
        """`lamps`: those that the board has."""
        self._match = match
        self._commands = commands
        self._lamps = lamps
        self._known = _StateCache()

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What `seat` (`None`: everybody) may know, as JSON."""
        helped = seat is not None and seat in self._commands.seats_with_help
        known = self._known.for_state(self._match.state)
        if seat not in known.views:
            known.views[seat] = disclosure.view_of(self._match.state, seat)
        return known.views[seat] | (disclosure.help_for(self._match.state) if helped else {})

    def pieces(self) -> PublicPieces:
        """Whose piece stands where, for hands that tidy up. Of pieces with names nothing but these counts;
        those that are all alike need nothing."""
        state = self._match.state
        if registry.package(self._match.state.game_id).box(state).named_pieces:
            names = {at: tuple(each.name for each in there) for at, there in state.layout().items()}
            return PublicPieces({}, frozenset(), names)
        if state.has_interchangeable_pieces:
            layout = state.layout()
            joins = ((step.origin, step.target) for step in state.steps() if not step.attack)
            return PublicPieces({}, frozenset(), {}, frozenset(each for each in joins if each[1] in layout))
        alone = {space: there[0] for space, there in state.layout().items() if len(there) == 1}
        owners = {space: piece.seat for space, piece in alone.items()}
        takes = ((step.origin, step.target) for step in state.steps() if step.target in step.takes)
        return PublicPieces(owners, frozenset(takes), {})

    def player_observation(self, seat: Seat) -> tuple[View, tuple[Action, ...], tuple[Action, ...]]:
        """What a seat may know, and its actions in the game and about it: for the program that plays it."""
        state = self._match.state
        return state.view(seat).for_player(), tuple(state.legal_actions(seat)), state.table_actions(seat)

    def choices(self, seat: Seat) -> dict[str, Any]:
        """What `seat` may do now, for its own screen alone (`disclosure.choices_of`)."""
        known = self._known.for_state(self._match.state)
        if seat not in known.choices:
            known.choices[seat] = disclosure.choices_of(self._match.state, seat)
        found = dict(known.choices[seat])
        if not self._match.has_real_dice:
            found["says"] = [word for word in found["says"] if word != ASK_THROW_AGAIN]
        answering = self._commands.early_answers
        found["says"] = [*found["says"], *answering.pass_commands(seat)]
        if self._commands.hints.may_ask(seat):
            found["says"].append(HINT_COMMAND)
        found["acts"] = found["acts"] or answering.possible_answers(seat)
        mine = seat in self._match.state.throwers()
        throws = [str(action) for action in self._match.possible_throws()] if mine else []
        return {**found, **({"throws": throws} if throws else {})}

    def unshown_facts(self) -> tuple[str, ...]:
        """What the board can't show of the game."""
        return registry.package(self._match.state.game_id).board_limitations(self._match.state, self._lamps)
