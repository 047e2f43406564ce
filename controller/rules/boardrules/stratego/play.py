"""A position of the game once both armies stand, as others ask it. What a turn does is in `turns`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardrules.core import (
    Action,
    Event,
    IllegalAction,
    Layout,
    NeedsHistory,
    Outcome,
    Refusal,
    Seat,
    Space,
    State,
    Step,
    expect_action,
    expect_seat,
    expect_viewer,
)
from boardrules.stratego import public_steps, table_actions
from boardrules.stratego.actions import AGREE_TAKE_BACK, SEATS, StrategoMove, StrategoSetup, TableAction
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import HiddenRanks, StrategoFacts
from boardrules.stratego.refusals import find_refusal, make_refusal
from boardrules.stratego.text import parse
from boardrules.stratego.turns import TurnResult, play_turn
from boardrules.stratego.views import StrategoView, full_json

_SEATS_BY_SIDE: Final = tuple((seat,) for seat in SEATS)


class StrategoState(State):
    """A position after the set-up: public facts, hidden ranks, and the moves they leave."""

    __slots__ = ("_legal", "facts", "hidden_ranks")

    def __init__(self, facts: StrategoFacts, deal: HiddenRanks, legal: tuple[StrategoMove, ...]) -> None:
        self.facts: Final = facts
        """What everybody at the table knows."""
        self.hidden_ranks: Final = deal
        """What is hidden."""
        self._legal = legal
        """E2 looks for a legal move after every turn, so they are worked out then, all at once."""

    # What stands

    @property
    def game_id(self) -> str:
        """As the registry knows the game."""
        return self.facts.rules.game_id

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Q01."""
        return SEATS

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with the value in force."""
        return self.facts.rules.options

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.facts.outcome

    def seats_to_act(self) -> tuple[Seat, ...]:
        """The side to move."""
        facts = self.facts
        return _SEATS_BY_SIDE[facts.side] if facts.outcome is None else ()

    def legal_actions(self, seat: Seat) -> tuple[StrategoMove, ...]:
        """The moves of the side to move; nothing for others."""
        if seat == SEATS[self.facts.side]:
            return self._legal
        expect_seat(seat, SEATS)
        return ()

    def table_actions(self, seat: Seat) -> tuple[TableAction, ...]:
        """What a seat may say now."""
        expect_seat(seat, SEATS)
        return table_actions.available_commands(self.facts, seat)

    def refusal(self, action: Action) -> Refusal | None:
        """Why an action is refused."""
        if isinstance(action, StrategoMove):
            return find_refusal(self.facts, self.hidden_ranks, action)
        if isinstance(action, TableAction):
            return table_actions.find_refusal(self.facts, action)
        if isinstance(action, StrategoSetup):
            return make_refusal("stratego/setup-done", seat=action.seat)  # G2
        expect_action(action)
        return make_refusal("stratego/unknown-action")

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        """One turn, or one thing said."""
        if isinstance(action, StrategoMove) and action in self._legal:
            return state_of_result(play_turn(self.facts, self.hidden_ranks, action))
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        assert isinstance(action, TableAction)
        facts, events = table_actions.apply_command(self.facts, action)
        if action.words == AGREE_TAKE_BACK:
            raise NeedsHistory(SEATS[1 - SEATS.index(action.seat)], events)
        return StrategoState(facts, self.hidden_ranks, self._legal if facts.outcome is None else ()), events

    def parse(self, text: str, seat: Seat) -> Action:
        """A move, a set-up or a table action as written."""
        return parse(text, seat, self.facts.rules.board)

    def view(self, seat: Seat | None) -> StrategoView:
        """Public facts and the ranks of the seat's own pieces."""
        expect_viewer(seat, SEATS)
        return StrategoView(seat, self.facts, self.hidden_ranks.ranks_by_seat[seat])

    def layout(self) -> Layout:
        """By square the piece on it, named by its seat and where it was set up."""
        facts = self.facts
        names = facts.rules.board.names
        standing = sorted(
            (square, piece) for piece, square in enumerate(facts.square_by_piece) if square != CAPTURED_SQUARE
        )
        return {names[square]: (facts.layout_piece(piece),) for square, piece in standing}

    def labels(self, seat: Seat) -> Mapping[Space, str]:
        """The ranks of the seat's own pieces."""
        board = self.view(seat).json()["board"]
        return {square: piece["rank"] for square, piece in board.items() if piece["seat"] == seat}

    def steps(self) -> tuple[Step, ...]:
        """By public knowledge alone (`public_steps`)."""
        return public_steps.possible_steps(self.facts) if self.facts.outcome is None else ()

    def hand_action(self, seat: Seat, origin: str, target: str) -> StrategoMove:
        """The move between the two squares, legal or not."""
        return self.facts.rules.board.named_move(seat, origin, target)

    def truth(self) -> dict[str, Any]:
        """Everything, secrets included."""
        return full_json(self.facts, self.hidden_ranks.ranks)

    # Values

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, StrategoState)
            and self.facts == other.facts
            and self.hidden_ranks == other.hidden_ranks
        )

    def __hash__(self) -> int:
        facts = self.facts
        return hash((facts.square_by_piece, facts.side, facts.ply, self.hidden_ranks))

    def __reduce__(self) -> tuple[Any, ...]:
        return StrategoState, (self.facts, self.hidden_ranks, self._legal)

    def __repr__(self) -> str:
        turn = f"turn {self.facts.ply + 1}, {SEATS[self.facts.side]} to move"
        return f"<{self.game_id}: {turn if self.outcome is None else self.outcome.reason}>"


def state_of_result(result: TurnResult) -> tuple[StrategoState, tuple[Event, ...]]:
    """The position after a turn, and what happened."""
    return StrategoState(result.facts, result.hidden_ranks, result.legal_moves), result.events
