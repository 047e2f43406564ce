"""PGN, the notation of chess games: read and written by python-chess, with the seven tags that it asks for.

A move of a pawn to its last rank is two actions of a record, the move and what the pawn becomes. Offers of a
draw have no words in PGN; how the game ended stands in `Result` and `Termination`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any, Final

import chess.pgn

from boardrules.notations import BadGame, Found, Notation, NotationError, Written
from boardrules.recorded import DRAW, HEADER, UNKNOWN, Comment, Record, Stated, comments_of, stated_as
from boardumpire_chess.play import KINDS, SEATS

GAME: Final = "chess"
REASONS: Final = {
    "checkmate": "checkmate", "stalemate": "stalemate", "resigns": "resignation", "resigned": "resignation",
    "normal": "", "time forfeit": "time",
}  # fmt: skip
"""What `Termination` calls an end that we have a word for, in small letters."""
_RESULTS: Final = {"1-0": SEATS[0], "0-1": SEATS[1], "1/2-1/2": DRAW}
_OWN: Final = (
    "Event", "Site", "Date", "White", "Black", "Result", "FEN", "SetUp", "Termination", "Source",
)  # fmt: skip
"""Tags that are parts of a record."""
_UNKNOWN: Final = {"?", "", "????.??.??"}
_PIECES: Final = {piece: kind for kind, piece in KINDS.items()}


def record_of(game: chess.pgn.Game, options: Mapping[str, Any]) -> Record:
    """A game of PGN as a record. Raises `NotationError`, with the move that can't be read."""
    if game.errors:
        raise NotationError(f"{game.errors[0]}; expected a move")
    if game.headers.get("Variant", "Standard").lower() not in ("standard", "normal"):
        raise NotationError(f"Variant is {game.headers['Variant']!r}; expected the usual game")
    actions: list[tuple[str, str]] = []
    comments: list[Comment] = [*comments_of(0, game.comment)] if game.comment else []
    for node in game.mainline():
        seat = SEATS[0] if node.parent.turn() else SEATS[1]
        squares = chess.square_name(node.move.from_square), chess.square_name(node.move.to_square)
        actions.append((seat, "-".join(squares)))
        if node.move.promotion is not None:
            actions.append((seat, _PIECES[node.move.promotion]))
        comments += comments_of(len(actions), node.comment) if node.comment else ()
    tags = game.headers
    fen = {"fen": tags["FEN"]} if "FEN" in tags else {}

    def text(name: str) -> str | None:
        return None if tags.get(name, "?") in _UNKNOWN else tags[name]

    players = {seat: name for seat, tag in zip(SEATS, ("White", "Black"), strict=True) if (name := text(tag))}
    return Record(
        GAME,
        {**fen, **options},
        tuple(actions),
        players=players,
        event=text("Event"),
        place=text("Site"),
        source=text("Source"),
        date=None if text("Date") is None or "?" in tags["Date"] else tags["Date"].replace(".", "-"),
        stated=_stated(tags),
        comments=tuple(comments),
        tags={name: value for name, value in tags.items() if name not in _OWN and value not in _UNKNOWN},
    )


def _stated(tags: chess.pgn.Headers) -> Stated | None:
    result, told = tags.get("Result", "*"), tags.get("Termination", "")
    if result not in _RESULTS:
        return Stated(UNKNOWN, told) if told else None
    return Stated(_RESULTS[result], told)


def game_of(record: Record) -> tuple[chess.pgn.Game, tuple[str, ...]]:
    """A record as a game of PGN, and what it has no words for. Raises `NotationError`."""
    if record.game != GAME:
        raise NotationError(f"{record.game}; expected {GAME}")
    game = chess.pgn.Game()
    start = record.options.get("fen", chess.STARTING_FEN)
    if start != chess.STARTING_FEN:
        game.setup(start)
    _head(game, record)
    node: chess.pgn.GameNode = game
    comments = [_comment(record, count) for count in range(len(record.actions) + 1)]
    game.comment = f"{_comment(record, HEADER)} {comments[0]}".strip()
    left: dict[str, int] = {}
    reached: chess.Move | None = None
    for count, (seat, text) in enumerate(record.actions, 1):
        origin, _, target = text.partition("-")
        if text in KINDS and reached is not None:
            move, reached = chess.Move(reached.from_square, reached.to_square, KINDS[text]), None
        elif {origin, target} <= set(chess.SQUARE_NAMES):
            move = chess.Move.from_uci(origin + target)
            piece = node.board().piece_at(move.from_square)
            if piece is not None and piece.piece_type == chess.PAWN and target[1] in "18":
                reached = move
                continue
        else:
            left[f"{seat} {text}"] = left.get(f"{seat} {text}", 0) + 1
            continue
        if move not in node.board().legal_moves:
            raise NotationError(f"action {count}, {seat} {text}: no move of the game")
        node = node.add_variation(move, comment=comments[count])
    if reached is not None:
        left["a pawn that has not become anything yet"] = 1
    if record.commitments:
        left[f"{len(record.commitments)} commitments"] = 1
    return game, tuple(word if count == 1 else f"{word} ({count} times)" for word, count in left.items())


def _comment(record: Record, after: int) -> str:
    return " ".join(each.text for each in record.comments if each.after == after)


def _head(game: chess.pgn.Game, record: Record) -> None:
    told = {
        "Event": record.event, "Site": record.place, "Date": (record.date or "").replace("-", "."),
        "White": record.players.get(SEATS[0]), "Black": record.players.get(SEATS[1]), "Source": record.source,
        **{name: str(value) for name, value in record.tags.items()},
    }  # fmt: skip
    game.headers.update({name: value for name, value in told.items() if value})
    stated = record.stated or (None if record.result is None else stated_as(record.result))
    if stated is not None:
        results = {winner: result for result, winner in _RESULTS.items()}
        game.headers["Result"] = results.get(stated.winner, "*")
        if stated.reason:
            game.headers["Termination"] = stated.reason


def _read(text: str, options: Mapping[str, Any]) -> Iterator[Found | BadGame]:
    file = io.StringIO(text)
    while True:
        line = text.count("\n", 0, file.tell()) + 1
        game = chess.pgn.read_game(file)
        if game is None:
            return
        try:
            found = record_of(game, options)
        except (NotationError, ValueError) as error:
            yield BadGame(line, str(error))
            continue
        lines = dict.fromkeys(("game", *map(str, range(len(found.actions)))), line)
        yield Found(line, found._replace(lines=lines))


def _write(record: Record) -> Written:
    game, left = game_of(record)
    return Written(f"{game.accept(chess.pgn.StringExporter())}\n\n", left)


PGN: Final = Notation(
    name="pgn",
    ending="pgn",
    begins="a tag such as [Event ...]",
    games=frozenset({GAME}),
    fits=lambda line: line.startswith("["),
    read=_read,
    write=_write,
    reasons={word: reason for word, reason in REASONS.items() if reason},
)
