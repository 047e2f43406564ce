"""The options of Stratego: their values, and how what somebody gave is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from boardrules.core import OptionError
from boardrules.ranges import OptionRange, value_text
from boardrules.stratego.board import StrategoBoard


class StrategoOption(NamedTuple):
    """One option: what it takes, and how a given value is brought into its one form."""

    range: OptionRange
    normalise: Callable[[Any, StrategoBoard], Any]
    """Returns the value in its one form; raises `ValueError` for a value that the option does not take."""


def one_of(*values: str | int | bool) -> StrategoOption:
    """An option whose values can be listed."""
    known = OptionRange(values)

    def read(given: Any, board: StrategoBoard) -> Any:
        if known.contains_value(given):
            return given
        raise ValueError

    return StrategoOption(known, read)


def _read_mask(given: Any, board: StrategoBoard) -> Any:
    if given == "whole":
        return given
    if not isinstance(given, (list, tuple, set, frozenset)):
        raise ValueError
    zone = set(board.spaces_of_mask(board.zones[0]))
    if not all(isinstance(square, str) and square in zone for square in given):
        raise ValueError
    return tuple(sorted(set(given)))


MAX_QUIET_LIMIT: Final = 200
"""The most turns without a battle: with more, a limit would end no game."""

OPTIONS: Final[Mapping[str, StrategoOption]] = {
    "players": one_of(2),  # Q01
    "shuttle": one_of(3, 5, 6, "off"),
    "shuttle_attack": one_of("counts", "exempt"),
    "shuttle_scout": one_of("border", "same_endpoints"),
    "shuttle_responder": one_of("counts", "free"),
    "chase": one_of("board_repeat", "pair_repeat", "off"),
    "chase_undo_exception": one_of(True, False),
    "no_move": one_of("side_to_move_loses", "mutual_draw", "either_side"),
    "spy_vs_spy": one_of("tie", "attacker_wins"),
    "reveal_after_battle": one_of("hide_again", "stay_open"),
    "announce": one_of("ranks", "silent"),
    "setup_mask": StrategoOption(
        OptionRange(text="whole, or a list of squares of Red's zone, at least as many as pieces"), _read_mask
    ),
    "quiet_limit": one_of("off", *range(1, MAX_QUIET_LIMIT + 1)),
}

DEFAULTS: Final[Mapping[str, Any]] = {
    "players": 2,
    "shuttle": 3,
    "shuttle_attack": "counts",
    "shuttle_scout": "border",
    "shuttle_responder": "counts",
    "chase": "board_repeat",
    "chase_undo_exception": True,
    "no_move": "side_to_move_loses",
    "spy_vs_spy": "tie",
    "reveal_after_battle": "hide_again",
    "announce": "ranks",
    "setup_mask": "whole",
    "quiet_limit": "off",
}
"""What holds in Quick Battle; the games on 10x10 say what differs."""


def read_options(
    game_id: str, given: Mapping[str, Any], defaults: Mapping[str, Any], board: StrategoBoard, pieces: int
) -> dict[str, Any]:
    """Every option with the value in force, in a fixed order. Raises `OptionError`."""
    if not isinstance(given, Mapping):
        raise OptionError(f"{game_id}: options are {value_text(given)}; try names with values")
    for name in given:
        if name not in OPTIONS:
            expected = ", ".join(OPTIONS)
            raise OptionError(f"{game_id}: unknown option {name!r}; try one of {expected}", name)
    options: dict[str, Any] = {**DEFAULTS, **defaults}
    for name, option in OPTIONS.items():
        if name in given:
            try:
                options[name] = option.normalise(given[name], board)
            except ValueError:
                raise _option_error(game_id, name, given[name]) from None
    if options["setup_mask"] != "whole" and len(options["setup_mask"]) < pieces:
        raise _option_error(game_id, "setup_mask", given["setup_mask"])
    return options


def _option_error(game_id: str, name: str, given: Any) -> OptionError:
    return OptionError(
        f"{game_id}: option {name} is {value_text(given)}; try {OPTIONS[name].range.expected_text()}", name
    )
