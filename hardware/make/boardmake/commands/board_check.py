"""`boardumpire board check`: whether a board can be made, and what it can do once it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from boardmake.making import layout
from boardmake.physics.electrics import count_with_noun
from boardmake.physics.judging import verdicts
from boardrules import registry
from boardrules.core import State
from boardumpire.table.board_match import BoardDifference, find_board_difference
from boardware.description import board_path, load_board
from boardware.parts import BoardDescription
from boardware.physics.verdict import Grade, ModelVerdict
from boardware.tomlfile import TomlFile

SPACE_SHARE_MIN = 0.9
"""Of a board's spaces: a game that needs so many of them is one for that board. Lakes are the rest."""


def check_board(name_or_path: str) -> tuple[str, bool]:
    """One line that says what the board has, then one for each verdict, and whether it can work.

    What is refused begins with file and line. Raises `BoardFileError`.
    """
    found = load_board(name_or_path)
    felt = sum(slot.sensor is not None for place in found.spaces.values() for slot in place.slots)
    counts = ", ".join(
        count_with_noun(number, what)
        for number, what in (
            (len(found.spaces), "space"), (felt, "sensor"), (len(found.lamps), "lamp"),
            (len(found.buttons), "button"),
        )
    )  # fmt: skip
    told = [*layout.verdicts(found), *_game_verdicts(found), *verdicts(found)]
    place = board_path(name_or_path)
    lines = [
        f"{found.id}: {counts}; for {', '.join(found.games) or 'no game'}",
        *(_with_file_line(place, each) if each.grade is Grade.REFUSED else str(each) for each in told),
    ]
    return "\n".join(lines), all(each.grade is not Grade.REFUSED for each in told)


def _with_file_line(path: Path, refused: ModelVerdict) -> str:
    """A refusal with the line that it is about."""
    return f"{path}:{TomlFile(path).line_of_key(tuple(refused.table_key.split('.')))}: {refused}"


def _game_verdicts(found: BoardDescription) -> Iterator[ModelVerdict]:
    """Whether the games that a board names are known and fit its spaces, and which others fit, too."""
    known = registry.ask_each_game(lambda package: package.new({}))
    for game in found.games:
        if game not in known:
            grade = Grade.DOUBT if game in registry.ids() else Grade.REFUSED
            yield ModelVerdict(grade, "games", _unknown_game_text(game, known))
        elif (other := _mismatch(found, known[game])) and not other.option:
            yield ModelVerdict(Grade.REFUSED, "games", f"{game} can't be played: {other.description}")
        elif lacking := _missing_for_game(found, known[game]):
            yield ModelVerdict(Grade.DOUBT, "games", f"{game} as it usually is can't be played: {lacking}")
    others = [
        game
        for game in sorted(known)
        if game not in found.games
        and _is_made_for(found, known[game])
        and not _missing_for_game(found, known[game])
    ]
    if others:
        yield ModelVerdict(Grade.FINE, "games", f"its spaces carry {', '.join(others)} as well")


def _unknown_game_text(game: str, known: Iterable[str]) -> str:
    if game in registry.ids():
        return (
            f"{game} is installed, but can't begin; see the warning, or try one of {', '.join(sorted(known))}"
        )
    return f"{game} isn't installed; install its package, or try one of {', '.join(sorted(known))}"


def _is_made_for(found: BoardDescription, state: State) -> bool:
    needed = state.unchecked_spaces()
    return len(needed) >= SPACE_SHARE_MIN * len(found.spaces)


def _missing_for_game(found: BoardDescription, state: State) -> str:
    """What keeps a game that begins so from a board; nothing if it can be played there."""
    missing = sorted(state.unchecked_spaces() - found.spaces.keys())
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        return f"there is no space {missing[0]}{more}; try all {len(state.unchecked_spaces())} of its spaces"
    other = _mismatch(found, state)
    return other.description if other else ""


def _mismatch(found: BoardDescription, state: State) -> BoardDifference | None:
    return find_board_difference(found, state.game_id, state.options)
