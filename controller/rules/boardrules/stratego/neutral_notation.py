"""The neutral JSON of game collections: an object a game, one a line or several in an array.

`variant` names the game, `red_setup` and `blue_setup` are rows of signs from the row with the lower number,
on absolute squares (`.` is empty, `M` the Marshal), `moves` are like `a4-a5`. What else an object may hold is
in docs/program/records.md; keys that mean nothing here become tags of the record and are written again.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from boardrules import jsonfile
from boardrules.core import BadText, Seat, Space
from boardrules.jsonfile import JsonError, value_excerpt
from boardrules.notations import ExportedGame, ImportedGame, Notation, NotationError, UnreadableGame
from boardrules.record_types import (
    DRAW_WINNER,
    HEADER_POSITION,
    UNKNOWN_WINNER,
    Record,
    RecordComment,
    ReplayStep,
    StatedResult,
    comments_from_text,
    to_stated_result,
)
from boardrules.stratego import ends
from boardrules.stratego.actions import AGREE_TAKE_BACK, SEATS, StrategoSetup


class NeutralVariant(NamedTuple):
    """A game as the neutral format has it."""

    game: str
    size: int
    """Squares of a side of its board."""
    rows: int
    """Rows of a set-up."""

    def first_row(self, seat: Seat) -> int:
        """The number of a set-up's first row."""
        return 1 if seat == SEATS[0] else self.size - self.rows + 1


VARIANTS: Final = {
    "classic": NeutralVariant("stratego-classic", 10, 4),
    "barrage": NeutralVariant("stratego-barrage", 10, 4),
    "duel": NeutralVariant("stratego-duel", 10, 4),
    "quick-barrage": NeutralVariant("stratego-quick-barrage", 8, 3),
    "quick-duel": NeutralVariant("stratego-quick-duel", 8, 3),
}
"""By neutral name. `barrage` and `duel` without more are those on 10x10."""

REASONS_BY_PHRASE: Final = {
    **{reason: reason for reason in (ends.FLAG, ends.NO_MOVE_LEFT, ends.QUIET_LIMIT)},
    "flag captured": ends.FLAG,
    "Captured the flag": ends.FLAG,
    "unable to move": ends.NO_MOVE_LEFT,
    "both unable to move": ends.NO_MOVE_LEFT,
    "Destroyed all mobile enemy pieces": ends.NO_MOVE_LEFT,
}
"""What sources call the ends that moves make. All else, such as `forfeit`, ends a game from outside."""

_RANK_SIGNS: Final = ".FBS23456789M"
_BEGINNING_PATTERN: Final = re.compile(
    r"\{|\[(?![A-Za-z])", re.ASCII
)  # a letter would begin a tag, as in PGN
_MOVE_PATTERN: Final = re.compile(r"[a-j][0-9]{1,2}-[a-j][0-9]{1,2}", re.ASCII)
_TEXT_KEYS: Final = ("source", "event", "place", "date", "board")
_LOGGED_RESULTS: Final = {"attacker": "win", "defender": "lose", "both": "tie"}
"""By the result of a battle how collections log it: from the attacker's side."""


def setup_from_rows(seat: Seat, rows: object, variant: NeutralVariant = VARIANTS["classic"]) -> StrategoSetup:
    """The set-up that neutral rows tell. Raises `NotationError`."""
    key, size = f"{seat}_setup", variant.size
    if (
        not isinstance(rows, (list, tuple))
        or len(rows) != variant.rows
        or not all(isinstance(row, str) and len(row) == size for row in rows)
    ):
        raise NotationError(f"{key} is {value_excerpt(rows)}; try {variant.rows} rows of {size} signs")
    pieces = []
    for number, row in enumerate(rows, variant.first_row(seat)):
        for file, sign in zip("abcdefghij", row, strict=False):
            if sign not in _RANK_SIGNS:
                raise NotationError(f"{key} has {sign!a} on {file}{number}; try one of {_RANK_SIGNS}")
            if sign != ".":
                pieces.append((f"{file}{number}", "10" if sign == "M" else sign))
    return StrategoSetup(seat, pieces)


def rows_from_setup(setup: StrategoSetup, variant: NeutralVariant = VARIANTS["classic"]) -> list[str]:
    """The neutral rows of a set-up."""
    ranks = {square: "M" if rank == "10" else rank for square, rank in setup.pieces}
    first = variant.first_row(setup.seat)
    return [
        "".join(ranks.get(Space(f"{file}{number}"), ".") for file in "abcdefghij"[: variant.size])
        for number in range(first, first + variant.rows)
    ]


def record_from_neutral(game: object, options: Mapping[str, Any] | None = None) -> Record:
    """A neutral game as a record; what it says of its end is `stated`. Raises `NotationError`.

    `options` go before the game's own.
    """
    if not isinstance(game, dict):
        raise NotationError(f"{value_excerpt(game)} is no game; try an object")
    name = game.get("variant")
    variant = VARIANTS.get(name) if isinstance(name, str) else None
    if variant is None:
        raise NotationError(f"variant is {value_excerpt(name)}; try one of {', '.join(VARIANTS)}")
    setups = [setup_from_rows(seat, game.get(f"{seat}_setup"), variant) for seat in SEATS]
    moves = _list(game, "moves", str, "moves like a4-a5")
    actions = (
        *((setup.seat, str(setup)) for setup in setups),
        *((SEATS[count % 2], move) for count, move in enumerate(moves)),
    )
    players = {Seat(seat): name for seat, name in _object(game, "players").items()}
    for seat, player in players.items():
        if not isinstance(player, str) or seat not in SEATS:
            raise NotationError(f"players.{seat[:40]} is {value_excerpt(player)}; try a name for red or blue")
    return Record(
        variant.game,
        {**_object(game, "options"), **(options or {})},
        actions,
        seed=_seed(game),
        players=players,
        stated=_read_stated_result(game),
        comments=tuple(_comments(game)),
        tags={key: each for key, each in game.items() if key not in _KNOWN_KEYS},
        source=_text(game, "source"),
        event=_text(game, "event"),
        place=_text(game, "place"),
        date=_text(game, "date"),
        board=_text(game, "board"),
    )


def _list(game: Mapping[str, Any], key: str, kind: type, expected: str) -> list[Any]:
    found = game.get(key)
    if found is None:
        return []
    if not isinstance(found, list):
        raise NotationError(f"{key} is {value_excerpt(found)}; try a list of {expected}")
    for count, each in enumerate(found):
        if not isinstance(each, kind):
            raise NotationError(f"{key}[{count}] is {value_excerpt(each)}; try {expected}")
    return found


def _object(game: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = game.get(key)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise NotationError(f"{key} is {value_excerpt(found)}; try an object")
    return found


def _text(game: Mapping[str, Any], key: str) -> str | None:
    found = game.get(key)
    if not isinstance(found, (str, type(None))):
        raise NotationError(f"{key} is {value_excerpt(found)}; try a text")
    return found


def _seed(game: Mapping[str, Any]) -> int | None:
    found = game.get("seed")
    if not isinstance(found, (int, type(None))) or isinstance(found, bool):
        raise NotationError(f"seed is {value_excerpt(found)}; try a whole number")
    return found


def _read_stated_result(game: Mapping[str, Any]) -> StatedResult | None:
    found = _object(game, "result")
    if game.get("result") is None:
        return None
    winner, reason = found.get("winner"), _text(found, "reason")
    if winner not in (*SEATS, DRAW_WINNER, None) or set(found) - {"winner", "reason"}:
        expected = "a winner (red, blue, draw or null) and a reason"
        raise NotationError(f"result is {value_excerpt(found)}; try {expected}")
    return StatedResult(winner or UNKNOWN_WINNER, reason or "")


def _comments(game: Mapping[str, Any]) -> Iterator[RecordComment]:
    for count, pair in enumerate(_list(game, "comments", list, "pairs of a place and a text")):
        if len(pair) != 2 or type(pair[0]) is not int or not isinstance(pair[1], str):
            raise NotationError(f"comments[{count}] is {value_excerpt(pair)}; try a place and a text")
        place = min(max(pair[0], HEADER_POSITION), len(_list(game, "moves", str, "")) + len(SEATS))
        yield from comments_from_text(place, pair[1])


_KNOWN_KEYS: Final = frozenset(
    {
        "variant", "red_setup", "blue_setup", "moves", "result", "players", "options", "seed", "comments",
        *_TEXT_KEYS,
    }
)  # fmt: skip


def neutral_from_record(record: Record) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A record in the neutral format, its last set-ups and its moves, and what has no words there.

    Raises `NotationError` for a game that the format has no name for, one without both set-ups, or one with a
    take-back.
    """
    name = next((name for name, each in VARIANTS.items() if each.game == record.game), None)
    if name is None:
        raise NotationError(f"{record.game}; try one of {', '.join(each.game for each in VARIANTS.values())}")
    setups, moves, left_out, places = _split_record(record, VARIANTS[name])
    found: dict[str, Any] = {"variant": name}
    found |= {key: each for key in _TEXT_KEYS if (each := getattr(record, key)) is not None}
    found |= {key: dict(each) for key in ("players", "options") if (each := getattr(record, key))}
    if record.seed is not None:
        found["seed"] = record.seed
    found |= {f"{seat}_setup": setups[seat] for seat in SEATS}
    found["moves"] = moves
    if record.comments:
        found["comments"] = [[places(comment.action_count), comment.text] for comment in record.comments]
    stated = record.stated or (None if record.result is None else to_stated_result(record.result))
    found["result"] = (
        None
        if stated is None
        else {"winner": None if stated.winner == UNKNOWN_WINNER else stated.winner, "reason": stated.reason}
    )
    return {**found, **{key: each for key, each in record.tags.items() if key not in found}}, left_out


def _split_record(
    record: Record, variant: NeutralVariant
) -> tuple[dict[Seat, list[str]], list[str], tuple[str, ...], Callable[[int], int]]:
    """By seat the rows, the moves, what is left out, and where a comment's place is then."""
    rows: dict[Seat, list[str]] = {}
    moves: list[str] = []
    words: Counter[str] = Counter()
    kept = [0]  # by count of actions how many of them, both set-ups among them, are written
    for seat, text in record.actions:
        if text == AGREE_TAKE_BACK:
            raise NotationError("a take-back; the format has no word for it")
        if text.startswith("setup "):
            pieces = [word.partition("=") for word in text.split()[1:]]
            words["an earlier set-up"] += seat in rows
            rows[seat] = rows_from_setup(
                StrategoSetup(seat, ((square, rank) for square, _, rank in pieces)), variant
            )
        elif seat in SEATS and _MOVE_PATTERN.fullmatch(text):
            moves.append(text)
        else:
            words[f"{seat} {text}"] += 1
        kept.append(len(rows) + len(moves))
    for seat in SEATS:
        if seat not in rows:
            raise NotationError(f"no set-up of {seat}; try both")
    left_out = tuple(
        word if count == 1 else f"{word} ({count} times)" for word, count in words.items() if count
    )
    if record.commitments:
        count = len(record.commitments)
        left_out += (f"{count} commitment{'' if count == 1 else 's'}",)
    return rows, moves, left_out, lambda after: after if after == HEADER_POSITION else kept[after]


def _write_game(record: Record) -> ExportedGame:
    found, left_out = neutral_from_record(record)
    return ExportedGame(json.dumps(found) + "\n", left_out)


def _read_games(text: str, options: Mapping[str, Any]) -> Iterator[ImportedGame | UnreadableGame]:
    for line, game in jsonfile.parse_values(text):
        if isinstance(game, JsonError):
            yield UnreadableGame(game.line, str(game))
            continue
        try:
            found = record_from_neutral(game, options)
        except NotationError as error:
            yield UnreadableGame(line, str(error))
        else:
            lines = dict.fromkeys(map(str, range(len(found.actions))), line)
            others = [f"option {name}" for name in found.options]
            yield ImportedGame(
                line, found._replace(line_numbers={**lines, **dict.fromkeys(("game", *others), line)})
            )


def _find_discrepancies(record: Record, steps: Sequence[ReplayStep]) -> Iterator[str]:
    """The logged outcome and ranks of every move, and the move that the source says is refused at the end."""
    moves = [step for step in steps if step.events and step.events[0].kind in ("move", "battle")]
    for key, told in (("outcomes", _logged_outcome), ("ranks", _battle_ranks)):
        if key not in record.tags:
            continue
        logged = record.tags[key]
        if not isinstance(logged, list) or len(logged) != len(moves):
            yield f"{key} is {value_excerpt(logged)}; try one for each of {len(moves)} moves"
            continue
        for count, (each, step) in enumerate(zip(logged, moves, strict=True), 1):
            found = told(step)
            if found is not None and each not in (found, None):
                yield (
                    f"move {count}, {step.text}: {key} say {value_excerpt(each)}; the rules say"
                    f" {value_excerpt(found)}"
                )
    refused = record.tags.get("last_refused")
    if isinstance(refused, str) and steps and not _is_refused(refused, steps[-1]):
        yield f"last_refused is {value_excerpt(refused)}; the rules allow it"


def _logged_outcome(step: ReplayStep) -> str:
    event = step.events[0].json()
    return _LOGGED_RESULTS[event["result"]] if event["kind"] == "battle" else "move"


def _battle_ranks(step: ReplayStep) -> list[str] | None:
    event = step.events[0].json()
    if event.get("attacker") is None:  # a quiet move, or a battle of which nobody hears the ranks
        return None
    return ["M" if event[side] == "10" else event[side] for side in ("attacker", "defender")]


def _is_refused(text: str, last: ReplayStep) -> bool:
    seats = last.state.seats_to_act()
    try:
        return not seats or last.state.refusal(last.state.parse(text, seats[0])) is not None
    except BadText:
        return True


GAME_IDS: Final = frozenset(variant.game for variant in VARIANTS.values())

NEUTRAL: Final = Notation(
    name="neutral",
    file_extension="json",
    expected_beginning="a JSON object",
    games=GAME_IDS,
    recognises_line=lambda line: _BEGINNING_PATTERN.match(line) is not None,
    read=_read_games,
    write=_write_game,
    reasons_by_phrase=REASONS_BY_PHRASE,
    find_discrepancies=_find_discrepancies,
)
