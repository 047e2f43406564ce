"""What the next game shall be, as a person at the table says it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from boardrules import registry
from boardrules.core import CLOCK, OptionError, Seat
from boardrules.rule_sets import RULEBOOK_SET, RULES_OPTION, merge_options
from boardumpire.errors import BoardumpireError
from boardumpire.messages import announce, players
from boardumpire.service.config import parse_clock_section
from boardumpire.table.board_match import find_board_difference
from boardumpire.table.opening import NewGameSettings
from boardware.parts import BoardDescription

_SETTING_NAMES = ("game", "options", "clock", "players")


def apply_game_changes(
    before: NewGameSettings, given: Mapping[str, Any], board: BoardDescription
) -> NewGameSettings:
    """The game wanted next: `given` may name another `game`, its `options`, a `clock`, and who
    plays.

    What is not given stays as it was. Raises `BoardumpireError`: what was found, what was expected; where
    options don't go together, a sentence for any language.
    """
    for name in given.keys() - set(_SETTING_NAMES):
        raise BoardumpireError(f"new game: unknown {name!r}; try {', '.join(_SETTING_NAMES)}")
    game, options = given.get("game", before.game), given.get("options", {})
    if game not in board.games:
        raise BoardumpireError(f"new game: found {game!r}; try one of {', '.join(board.games)}")
    terms = before.clock_terms
    if "clock" in given:
        if not isinstance(given["clock"], Mapping):
            raise BoardumpireError("new game: expected a clock as an object")
        terms = parse_clock_section(given["clock"]).to_terms()
    if not isinstance(options, Mapping):
        raise BoardumpireError("new game: expected options as an object")
    if game == before.game:
        options = merge_options(registry.package(game), before.options, options)
    else:
        options = {RULES_OPTION: RULEBOOK_SET, **options}
    try:
        state = registry.new(game, options)
    except registry.UnknownGame as error:
        raise BoardumpireError(f"new game: {error}") from None
    except OptionError as error:
        told = (
            f"new game: {error}"
            if error.conflict_name is None
            else _describe_clash(error.conflict_name, game)
        )
        raise BoardumpireError(told) from None
    other = find_board_difference(board, game, state.options)
    if other is not None:
        raise BoardumpireError(f"new game: {other}")
    if terms.has_limit and not state.table_actions(CLOCK):
        raise BoardumpireError(f"new game: {game} knows no clock")
    seats = registry.new(before.game, before.options).seats
    if state.seats != seats:
        raise BoardumpireError(
            f"new game: found {', '.join(state.seats)}; try the same seats as now: {', '.join(seats)}"
        )
    return NewGameSettings(game, dict(options), terms, _next_players(before, given, game, state.seats))


def _next_players(
    before: NewGameSettings, given: Mapping[str, Any], game: str, seats: Collection[Seat]
) -> Mapping[Seat, str]:
    if "players" not in given:
        return before.players
    if not isinstance(given["players"], Mapping):
        raise BoardumpireError("new game: expected players as an object")
    return players.clean_names(given["players"], seats, game)


def _describe_clash(clash: str, game: str) -> announce.Sentence:
    return announce.to_sentence(announce.Message(f"clash {clash}", {}, game))


def options_in_force(wanted: NewGameSettings, game: str) -> Mapping[str, Any]:
    """Every option of a game as it would begin now."""
    return registry.new(game, wanted.options if game == wanted.game else {RULES_OPTION: RULEBOOK_SET}).options
