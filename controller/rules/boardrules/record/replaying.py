"""Playing records again by the rules, and holding what was stated against what the moves give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any

from boardrules.core import BadText, IllegalAction, OptionError, Outcome, State
from boardrules.history import GameHistory
from boardrules.record_types import DRAW_WINNER, UNKNOWN_WINNER, Record, RecordError, ReplayStep, StatedResult
from boardrules.registry import UnknownGame, new

StateFactory = Callable[[str, Mapping[str, Any]], State]
"""What begins a game: `boardrules.new`, or that of another set of games."""


def begin_history(record: Record, maker: StateFactory = new) -> GameHistory:
    """The game of a record before its first action.

    Raises `RecordError` for a game, an option or a seat that isn't.
    """
    lines, first = record.line_numbers, record.line_numbers.get("game", 1)
    try:
        game = GameHistory(maker(record.game, record.options))
    except UnknownGame as error:
        raise RecordError(first, str(error)) from None
    except OptionError as error:
        raise RecordError(lines.get(f"option {error.option}", first), str(error)) from None
    seats = game.state.seats
    for seat in record.players:
        if seat not in seats:
            line = lines.get(f"player {seat}", first)
            raise RecordError(line, f"player {seat[:60]!r}; try one of {', '.join(seats)}")
    if record.stated is not None and record.stated.winner not in (*seats, DRAW_WINNER, UNKNOWN_WINNER):
        line = lines.get("stated", first)
        expected = ", ".join((*seats, DRAW_WINNER, UNKNOWN_WINNER))
        raise RecordError(line, f"stated {record.stated.winner[:60]!r}; try one of {expected}")
    return game


def replay(record: Record, maker: StateFactory = new) -> Iterator[ReplayStep]:
    """Play a record action by action; at the end the result must be the one written.

    Raises `RecordError` with the line of the action that can't be played. What a set-up says is not repeated.
    """
    game = begin_history(record, maker)
    for count, (seat, text) in enumerate(record.actions):
        line = record.line_numbers.get(str(count), count + 1)
        try:
            events = game.push_text(seat, text)
        except BadText as error:
            raise RecordError(line, f"action {count + 1} of {seat[:60]}: {error}") from None
        except IllegalAction as error:
            raise RecordError(line, f"action {count + 1} of {seat} is not allowed: {error}") from None
        yield ReplayStep(seat, text, game.state, events)
    if record.result is not None and game.state.outcome != record.result:
        line = record.line_numbers.get("result", len(record.actions) + 1)
        found, written = _outcome_text(game.state.outcome), _outcome_text(record.result)
        raise RecordError(line, f"the result is {found}; the record says {written}")


def final_state(record: Record, maker: StateFactory = new) -> State:
    """The state at the end of a record. Raises `RecordError`."""
    state = begin_history(record, maker).state
    for step in replay(record, maker):
        state = step.state
    return state


def _outcome_text(outcome: Outcome | None) -> str:
    return "none" if outcome is None else f"{outcome.winner or DRAW_WINNER} {outcome.reason}"


class Agreement(Enum):
    """How what a source states of a game's end agrees with what its moves give."""

    AS_STATED = "as stated"
    NOT_STATED = "nothing stated"
    ENDS_OTHERWISE = "ends otherwise"
    """The moves leave the game open, and the source ends it by something else: a forfeit, an agreement."""
    NO_MOVES = "no moves"
    """The source has nothing but hidden set-ups, so there is nothing to hold its words against."""
    DIFFERS = "DIFFERS"


def compare_results(
    stated: StatedResult | None, outcome: Outcome | None, reasons: Mapping[str, str]
) -> Agreement:
    """How a stated end and an outcome agree; `reasons`: by the source's words the reason of the rules."""
    if stated is None:
        return Agreement.NOT_STATED
    reason = reasons.get(stated.reason)
    if outcome is None:
        return Agreement.ENDS_OTHERWISE if reason is None else Agreement.DIFFERS
    same_winner = stated.winner in (UNKNOWN_WINNER, outcome.winner or DRAW_WINNER)
    same_reason = reason is None or reason == outcome.reason
    return Agreement.AS_STATED if same_winner and same_reason else Agreement.DIFFERS
