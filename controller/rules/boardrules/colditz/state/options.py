"""The options of Escape from Colditz: their values, and how what somebody gave is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from boardrules.colditz.castle.actions import NATIONS
from boardrules.colditz.castle.board_reader import CASTLE, board_by_key
from boardrules.colditz.castle.check import MEN_PER_OFFICER
from boardrules.colditz.castle.datafile import SHIPPED_FOLDER, DataError, read_text
from boardrules.colditz.deck.cards import card_set_by_key
from boardrules.core import OptionError
from boardrules.ranges import OptionRange, value_text

GAME: Final = "escape-from-colditz"


class ColditzOption(NamedTuple):
    """One option: its default, what it takes, and how a value gets its one form."""

    default: Any
    range: OptionRange
    normalise: Callable[[Any], Any]
    """Returns the value in its one form; raises `ValueError` for a value that the option does not take."""


def _one_of(*values: str | int | bool, default: Any = None) -> ColditzOption:
    known = OptionRange(values)

    def read(given: Any) -> Any:
        if known.contains_value(given):
            return given
        raise ValueError

    return ColditzOption(values[0] if default is None else default, known, read)


def _file_option(name: str, shipped: str, made: Callable[[str], object]) -> ColditzOption:
    """What comes with the game by its name, or an owner's own by its whole text: so a journal or a record has
    everything that its game needs."""

    def read(given: Any) -> Any:
        if not isinstance(given, str) or (given != CASTLE and "\n" not in given):
            raise ValueError
        text = given.replace("\r\n", "\n")
        if given == CASTLE or text == read_text(SHIPPED_FOLDER / shipped):
            return CASTLE
        try:
            made(text)
        except DataError as error:
            raise OptionError(f"{GAME}: {error}", name) from None
        return text

    return ColditzOption(CASTLE, OptionRange(text=f"{CASTLE}, or the whole text of a file"), read)


def _nations_option() -> ColditzOption:
    def read(given: Any) -> Any:
        if isinstance(given, str):  # as a command line has it
            given = [word.strip() for word in given.split(",")]
        if not isinstance(given, (list, tuple)) or len(set(map(str, given))) != len(given):
            raise ValueError
        if not all(nation in NATIONS for nation in given):
            raise ValueError
        return tuple(given)

    expected = (
        f"as many of {', '.join(NATIONS)} as there are Escape Officers, clockwise, as a list or with commas"
        " between"
    )
    return ColditzOption((), OptionRange(text=expected), read)


DEFAULT_ROUNDS: Final[Mapping[int, int]] = {2: 17, 3: 20, 4: 27, 5: 32, 6: 36}
"""R010: by the number of players how many rounds are played unless others are agreed on. With so many, strong
players win about as often on either side (docs/understand/opponents.md)."""


def _prisoner_count(players: int) -> int:
    """R003: how many prisoners there are."""
    return MEN_PER_OFFICER[players] * (players - 1)


MOST_ROUNDS: Final = 99
"""The longest game (R150): nobody plays twice as long as the rulebook suggests."""
MAX_ANSWER_S: Final = 600
"""The longest time that people get to answer, in seconds."""

OPTIONS: Final[Mapping[str, ColditzOption]] = {
    "players": _one_of(2, 3, 4, 5, 6, default=3),  # R001
    "nations": _nations_option(),  # R012
    "rounds": _one_of(*range(1, MOST_ROUNDS + 1), default=DEFAULT_ROUNDS[3]),
    "start_kits": _one_of(True, False),
    "common_target": _one_of("off", *range(1, max(map(_prisoner_count, MEN_PER_OFFICER)) + 1)),
    "draw_on": _one_of("any_throw", "first_throw", "final_total", "classic-3-7-11"),
    "safe_area": _one_of("no_entry", "pass_through"),
    "search": _one_of("circles", "guard_path"),
    "pawns_block": _one_of(False, True),
    "marker_passage": _one_of("free", "pay"),
    "tunnel_arrest": _one_of("any_circle", "entrance_only"),
    "doubling_back": _one_of("allowed", "forbidden"),
    "do_or_die": _one_of("off", "classic"),
    "answer_seconds": _one_of(*range(MAX_ANSWER_S + 1), default=30),
    "board": _file_option("board", "castle.toml", board_by_key),
    "cards": _file_option("cards", "cards.toml", card_set_by_key),
}
"""`answer_seconds` is for the table: after so long the clock ends an open window (0: never). The default of
`rounds` goes by the number of players."""


MEASURED_VALUES: Final[Mapping[str, tuple[Any, ...]]] = {
    "players": (2, 3, 4, 5, 6),
    "rounds": (40, 50),
    "start_kits": (True, False),
    "common_target": ("off", 2, 3),
    "draw_on": ("any_throw", "first_throw", "final_total", "classic-3-7-11"),
    "safe_area": ("no_entry", "pass_through"),
    "search": ("circles", "guard_path"),
    "pawns_block": (False, True),
    "marker_passage": ("free", "pay"),
    "tunnel_arrest": ("any_circle", "entrance_only"),
    "doubling_back": ("allowed", "forbidden"),
    "do_or_die": ("off", "classic"),
}
"""By option values to measure by; of the numbers some."""


def read_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with the value in force, in a fixed order. Raises `OptionError`."""
    if not isinstance(given, Mapping):
        raise OptionError(f"{GAME}: options are {value_text(given)}; try names with values")
    for name in given:
        if name not in OPTIONS:
            expected = ", ".join(OPTIONS)
            raise OptionError(f"{GAME}: unknown option {name!r}; try one of {expected}", name)
    options = {name: option.default for name, option in OPTIONS.items()}
    for name, option in OPTIONS.items():
        if name in given:
            try:
                options[name] = option.normalise(given[name])
            except OptionError:
                raise
            except ValueError:
                raise _option_error(name, given[name], options["players"]) from None
    if "rounds" not in given:
        options["rounds"] = DEFAULT_ROUNDS[options["players"]]
    officers = options["players"] - 1
    if "nations" not in given:
        options["nations"] = NATIONS[:officers]
    if len(options["nations"]) != officers:
        raise _option_error("nations", given["nations"], options["players"])
    if not option_ranges(options["players"])["common_target"].contains_value(options["common_target"]):
        raise _option_error("common_target", given["common_target"], options["players"])
    return options


def option_ranges(players: int) -> dict[str, OptionRange]:
    """By option what it may be in a game of so many players."""
    known = {name: option.range for name, option in OPTIONS.items()}
    known["common_target"] = OptionRange(("off", *range(1, _prisoner_count(players) + 1)))  # R152
    return known


def _option_error(name: str, given: Any, players: int) -> OptionError:
    shown = repr(given)
    shown = shown if len(shown) <= 80 else f"{shown[:80]} ..."
    expected = option_ranges(players)[name].expected_text()
    return OptionError(f"{GAME}: option {name} is {shown}; try {expected}", name)
