"""A program that uses a DGT board, from DGT's description of its protocol alone: nothing of ours is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import chess

RESET, CLOCK, DUMP, UPDATE, UPDATE_BOARD, SERIAL, ADDRESS, TRADEMARK = (
    b"\x40", b"\x41", b"\x42", b"\x43", b"\x44", b"\x45", b"\x46", b"\x47",
)  # fmt: skip
STORE, UPDATE_NICE, BATTERY, VERSION, LONG_SERIAL = b"\x49", b"\x4b", b"\x4c", b"\x4d", b"\x55"
PIECES = ".PRNBKQprnbkq"


def clock_command(*content: int) -> bytes:
    return bytes([0x2B, len(content) + 2, 0x03, *content, 0x00])


def messages(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each message by its number without the bit, and its data. Fails where a message is not whole."""
    while data:
        assert data[0] & 0x80, data
        length = data[1] << 7 | data[2]
        assert length <= len(data), "a message is cut off"
        assert all(each < 0x80 for each in data[1:length])
        yield data[0] & 0x7F, data[3:length]
        data = data[length:]


def acknowledged(data: bytes) -> tuple[int, int, int, int]:
    """What a clock has answered."""
    assert data[0] & 0x0F == 0x0A or data[3] & 0x0F == 0x0A
    return (
        data[1] & 0x7F | data[3] << 3 & 0x80,
        data[2] & 0x7F | data[3] << 2 & 0x80,
        data[4] & 0x7F | data[0] << 3 & 0x80,
        data[5] & 0x7F | data[0] << 2 & 0x80,
    )


class Program:
    """Follows a game by the pieces: a position that a legal move leads to is that move; one that was there
    before, or that another move led to from there, is a take-back. All else is hands at work."""

    def __init__(self, fen: str, send: Callable[[bytes], bytes]) -> None:
        """`send` sends a command and returns what the board has said since."""
        self.game = chess.Board(fen)
        self.fields = [0] * 64
        self.seen: list[str] = []
        """By field update the board as it was then."""
        self._send = send
        self.take(send(UPDATE_BOARD + DUMP))

    def take(self, data: bytes) -> None:
        """What the board says."""
        for number, content in messages(data):
            if number == 0x06:
                self.fields = list(content)
            elif number == 0x0E:
                self.fields[content[0]] = content[1]
                self.seen.append(self.placement())
            self._understand()

    def look(self) -> None:
        """Ask for the whole board: it is as the updates have told."""
        told = self.placement()
        self.take(self._send(DUMP))
        assert self.placement() == told or self.seen[-1] == self.placement()

    def placement(self) -> str:
        """The board as FEN has it."""
        board = chess.Board(None)
        for number, code in enumerate(self.fields):
            if code:
                board.set_piece_at(
                    chess.square(number % 8, 7 - number // 8), chess.Piece.from_symbol(PIECES[code])
                )
        return board.board_fen()

    def _understand(self) -> None:
        """The latest position from which nothing, or one legal move, leads to what is seen."""
        found, before = self.placement(), self.game.copy()
        while True:
            if before.board_fen() == found:
                self.game = before
                return
            for move in before.legal_moves:
                before.push(move)
                if before.board_fen() == found:
                    self.game = before
                    return
                before.pop()
            if not before.move_stack:
                return
            before.pop()
