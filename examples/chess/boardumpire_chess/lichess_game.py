"""A game on Lichess beside the same game at a table: what each has to be told so that both stay one.

Pure. The person at the board plays one side; what Lichess says of the other side goes to the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import chess

SEATS: Final = ("white", "black")
VERBS: Final = {"draw": "draw", "take-back": "takeback"}
"""By thing that is offered at a table what Lichess calls it."""
OFFERS: Final = {"draw": "offer-draw", "take-back": "ask-take-back"}


class Said(NamedTuple):
    """Something to say at the table."""

    seat: str
    text: str


class Carried(NamedTuple):
    """A move that hands at the table shall make for a seat, as its lights ask."""

    seat: str
    text: str


class Sent(NamedTuple):
    """Something to tell Lichess: `move` with the move as UCI, `draw` or `takeback` with `yes` or `no`,
    `resign`."""

    verb: str
    value: str = ""


class LocalGame(NamedTuple):
    """The game at the table."""

    fen: str
    is_promoting: bool
    """Whether it waits for what a pawn becomes; then `fen` is that before the pawn's move."""
    offer: tuple[str, str] | None
    """Who has offered what: `draw` or `take-back`."""
    reason: str = ""
    """How it ended; empty while it goes on."""
    winner: str = ""


class RemoteGame(NamedTuple):
    """The game on Lichess."""

    start_fen: str
    moves: tuple[str, ...]
    is_over: bool = False
    winner: str = ""
    offers: frozenset[tuple[str, str]] = frozenset()
    """Who offers what now, as `LocalGame.offer` says it."""


class NotTheSameGame(ValueError):  # noqa: N818 - what it is
    """The table shows a position that the game on Lichess never had."""


def local_game(view: Mapping[str, Any]) -> LocalGame:
    """The table's public view."""
    offer, outcome = view["offer"], view.get("outcome") or {}
    return LocalGame(
        view["fen"],
        view["reached"] is not None,
        None if offer is None else (offer["seat"], offer["thing"]),
        outcome.get("reason", ""),
        outcome.get("winner") or "",
    )


def remote_game(full: Mapping[str, Any], state: Mapping[str, Any]) -> RemoteGame:
    """`gameFull` and the latest `gameState`, as far as they are used here."""
    start = full["initialFen"]
    offers = {
        (seat, thing) for seat in SEATS for thing, verb in VERBS.items() if state.get(f"{seat[0]}{verb}")
    }
    return RemoteGame(
        chess.STARTING_FEN if start == "startpos" else start,
        tuple(state["moves"].split()),
        state["status"] not in ("created", "started"),
        state.get("winner", ""),
        frozenset(offers),
    )


class LichessLink:
    """Remembers what has been told, so that each thing is told once."""

    def __init__(self, own: str) -> None:
        """`own`: the side that the person at the board plays."""
        self._own, self._other = own, SEATS[1 - SEATS.index(own)]
        self._sent: tuple[Sent, tuple[str, ...]] | None = None
        """What Lichess was told last, and after which moves."""
        self._longest: tuple[str, ...] = ()
        """The moves before Lichess took some back."""
        self._shown: set[str] = set()
        """What the other side offers and the table has been told."""
        self._offered: set[str] = set()
        """What Lichess has shown that the own side offers."""

    def see_offers(self, remote: RemoteGame) -> None:
        """Each state of Lichess, in order: an offer may be declined before `next_task` is asked again."""
        for thing in VERBS:
            if (self._other, thing) not in remote.offers:
                self._shown.discard(thing)
            if (self._own, thing) in remote.offers:
                self._offered.add(thing)

    def next_task(self, local: LocalGame, remote: RemoteGame) -> Said | Carried | Sent | None:
        """What is to be done first; `None`: nothing now. Raises `NotTheSameGame`."""
        positions, at = _positions(remote, remote.moves), _key(local.fen)
        if at == positions[-1] or remote.moves[: len(self._longest)] == self._longest:
            self._longest = remote.moves
        level = at == positions[-1]
        if local.is_promoting and not level and at in positions:
            return self._promotion(remote, _last_index(positions, at))
        if local.is_promoting:
            return None  # the person says what the pawn becomes
        if level:
            return self._when_level(local, remote)
        if local.reason and at in positions:
            return self._resign(local, remote)
        if at in positions:
            if (self._other, "take-back") in remote.offers and "take-back" in self._shown:
                return self._send(Sent("takeback", "yes"), remote)
            return self._follow(remote, _last_index(positions, at))
        made = _move_between(_board_at(remote, remote.moves), at)
        if made is not None and _mover(remote, len(remote.moves)) == self._own:
            return self._send(Sent("move", made.uci()), remote)
        if made is None and at not in _positions(remote, self._longest):
            raise NotTheSameGame("the table shows a position that the game on Lichess never had")
        return self._take_back(local, remote)

    def knows_position(self, fen: str, remote: RemoteGame) -> bool:
        """Whether that position is one of the game."""
        return _key(fen) in (*_positions(remote, remote.moves), *_positions(remote, self._longest))

    def _send(self, wanted: Sent, remote: RemoteGame) -> Sent | None:
        """Once at each position; nothing to a game that is over."""
        if remote.is_over or self._sent == (wanted, remote.moves):
            return None
        self._sent = wanted, remote.moves
        return wanted

    def _resign(self, local: LocalGame, remote: RemoteGame) -> Sent | None:
        return self._send(Sent("resign"), remote) if local.reason == "resignation" else None

    def _promotion(self, remote: RemoteGame, count: int) -> Said | None:
        kind = chess.Move.from_uci(remote.moves[count]).promotion
        return None if kind is None else Said(_mover(remote, count), chess.piece_name(kind))

    def _follow(self, remote: RemoteGame, count: int) -> Carried:
        move = _board_at(remote, remote.moves[:count]).parse_uci(remote.moves[count])
        origin, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
        return Carried(_mover(remote, count), f"{origin}-{target}")

    def _take_back(self, local: LocalGame, remote: RemoteGame) -> Said:
        """The table goes back to where Lichess is: one side asks, the other agrees."""
        if local.offer is not None and local.offer[1] == "take-back":
            return Said(self._other if local.offer[0] == self._own else self._own, "agree-take-back")
        return Said(_mover(remote, len(remote.moves)), OFFERS["take-back"])

    def _when_level(self, local: LocalGame, remote: RemoteGame) -> Said | Sent | None:
        if local.reason:
            if local.reason == "agreed":
                return self._send(Sent("draw", "yes"), remote)
            return self._resign(local, remote)
        if remote.is_over:
            if remote.winner:
                return Said(SEATS[1 - SEATS.index(remote.winner)], "resign")
            if local.offer is not None and local.offer[1] == "draw":
                return Said(SEATS[1 - SEATS.index(local.offer[0])], "agree-draw")
            return Said(self._own, OFFERS["draw"])
        for thing, verb in VERBS.items():
            theirs, ours = (self._other, thing) in remote.offers, (self._own, thing) in remote.offers
            if local.offer == (self._own, thing):
                if ours:
                    continue
                if thing in self._offered:  # no more: it was declined
                    self._offered.discard(thing)
                    return Said(self._other, f"decline-{thing}")
                return self._send(Sent(verb, "yes"), remote)
            if ours and local.offer is None:
                continue
            self._offered.discard(thing)
            if self._sent is not None and self._sent[0] == Sent(verb, "yes"):
                self._sent = None  # it may be offered once more
            if theirs and local.offer is None:
                if thing in self._shown:
                    return self._send(Sent(verb, "no"), remote)
                self._shown.add(thing)
                return Said(self._other, OFFERS[thing])
        return None


def _key(fen: str) -> str:
    """A position without its counts, and without an en passant that nobody can do."""
    return chess.Board(fen).epd(en_passant="legal")


def _board_at(remote: RemoteGame, moves: tuple[str, ...]) -> chess.Board:
    board = chess.Board(remote.start_fen)
    for move in moves:
        board.push(board.parse_uci(move))
    return board


def _positions(remote: RemoteGame, moves: tuple[str, ...]) -> list[str]:
    """Each position after these moves, the first one to the last."""
    board = chess.Board(remote.start_fen)
    found = [_key(board.fen())]
    for move in moves:
        board.push(board.parse_uci(move))
        found.append(_key(board.fen()))
    return found


def _last_index(positions: list[str], at: str) -> int:
    return len(positions) - 1 - positions[::-1].index(at)


def _mover(remote: RemoteGame, count: int) -> str:
    """Who makes the move after so many."""
    first = SEATS.index("white" if chess.Board(remote.start_fen).turn else "black")
    return SEATS[(first + count) % 2]


def _move_between(board: chess.Board, after: str) -> chess.Move | None:
    """The legal move that leads to that position."""
    for move in board.legal_moves:
        board.push(move)
        found = board.epd(en_passant="legal") == after
        board.pop()
        if found:
            return move
    return None
