"""The board as a DGT board: the protocol by its description, whole games, and a real pseudo-terminal."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import io
import os
import select
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from boardrules import record, registry
from boardrules.game import Game
from boardumpire.errors import BoardumpireError
from daemon.service import Service as RealService
from evenings import virtual_loop
from evenings.test_lamps_alone import obeyed
from examples import dgt_reader as reader
from examples import test_chess_engine as engines
from examples.test_chess_daemon import CONFIG, ChessPlayers

pytestmark = pytest.mark.usefixtures("games")


def new_board() -> Any:
    return importlib.import_module("boardumpire_chess.dgt_protocol").DgtBoard()


def asked(board: Any, command: bytes, now: float = 0.0) -> list[tuple[int, bytes]]:
    board.receive(command, now)
    return list(reader.messages(board.take_output()))


def start_pieces() -> dict[int, chess.Piece]:
    return chess.Board().piece_map()


# The protocol


def test_a_dump_reads_from_a8() -> None:
    board = new_board()
    board.set_pieces(start_pieces())
    ((number, content),) = asked(board, reader.DUMP)
    assert number == 0x06
    assert content[:3] == bytes([8, 9, 10]), "a8, b8, c8: a black rook, knight and bishop"
    assert content[59:61] == bytes([6, 5]), "d1 and e1: White's queen and king"
    assert len(content) == 64


def test_who_and_what_the_board_is() -> None:
    board = new_board()
    assert asked(board, reader.VERSION) == [(0x13, bytes([1, 2]))]
    assert asked(board, reader.SERIAL) == [(0x11, b"00000")]
    assert asked(board, reader.LONG_SERIAL) == [(0x22, b"0000000000")]
    assert asked(board, reader.ADDRESS) == [(0x10, bytes(2))]
    assert asked(board, reader.BATTERY)[0][1][0] == 100
    ((number, text),) = asked(board, reader.TRADEMARK)
    assert number == 0x12
    assert b"registered" not in text, "DGT's trade mark is not ours to send"


def test_changes_are_told_in_update_modes_alone() -> None:
    board, pieces = new_board(), start_pieces()
    board.set_pieces(pieces)
    assert board.take_output() == b""
    assert asked(board, reader.UPDATE_BOARD) == []
    lifted = pieces.pop(chess.E2)
    board.set_pieces(pieces)
    assert list(reader.messages(board.take_output())) == [(0x0E, bytes([52, 0]))]
    board.set_pieces(pieces | {chess.E4: lifted})
    assert list(reader.messages(board.take_output())) == [(0x0E, bytes([36, 1]))]
    asked(board, reader.RESET)
    board.set_pieces(pieces)
    assert board.take_output() == b""


def test_what_is_lifted_is_told_first() -> None:
    board, pieces = new_board(), start_pieces()
    board.set_pieces(pieces)
    asked(board, reader.UPDATE_BOARD)
    pawn = pieces.pop(chess.A2)
    board.set_pieces(pieces | {chess.A8: pieces[chess.H1], chess.A3: pawn})
    assert [content[0] for _, content in reader.messages(board.take_output())] == [48, 0, 40]


def test_times_are_told_each_second_or_as_they_change() -> None:
    dgt = importlib.import_module("boardumpire_chess.dgt_protocol")
    board = new_board()
    board.set_clock(dgt.ClockTimes(3723.9, 600.0, "left"))
    assert asked(board, reader.CLOCK) == [(0x0D, bytes([0, 0x10, 0, 1, 0x02, 0x03, 0x11]))]
    asked(board, reader.UPDATE_NICE)
    told = []
    for now in (0.0, 0.5, 1.0, 1.5):
        board.set_clock(dgt.ClockTimes(3723.9 - now, 600.0, "left"))
        board.advance(now)
        told += [content[5] for _, content in reader.messages(board.take_output())]
    assert told == [3, 2], "seconds of the left clock"
    asked(board, reader.UPDATE)
    for now in (2.0, 2.5, 3.0):
        board.advance(now)
    assert len(board.take_output()) == 20
    board.set_clock(dgt.ClockTimes(0, 99 * 3600, "right"))
    assert asked(board, reader.CLOCK) == [(0x0D, bytes([9, 0x59, 0x59, 0, 0, 0, 0x0B]))]


def test_a_program_sets_the_clock_where_the_game_has_none() -> None:
    dgt = importlib.import_module("boardumpire_chess.dgt_protocol")
    board = new_board()
    asked(board, reader.UPDATE_NICE)
    run = reader.clock_command(0x0A, 0, 5, 0, 1, 0, 7, 0x01)
    ((number, content),) = asked(board, run, 10.0)
    assert (number, reader.acknowledged(content)) == (0x0D, (0x10, 0x0A, 0, 0))
    assert asked(board, reader.CLOCK, 12.0) == [(0x0D, bytes([1, 0, 7, 0, 0x04, 0x58, 0x11]))]
    assert asked(board, reader.CLOCK, 1000.0)[0][1][3:6] == bytes(3)
    board.set_clock(dgt.ClockTimes(60, 60))
    assert reader.acknowledged(asked(board, run)[0][1])[:2] == (0x40, 0x0A)
    assert asked(board, reader.CLOCK)[0][1][1] == 1, "the game's own clock stays"


def test_texts_and_versions_of_the_clock() -> None:
    board = new_board()
    text = reader.clock_command(0x0C, *b" Nf3 ok ", 0)
    assert asked(board, text) == [], "no answer while no program listens"
    assert board.shown_text == "Nf3 ok"
    asked(board, reader.UPDATE)
    board.take_output()
    (version,) = asked(board, reader.clock_command(0x09))
    assert reader.acknowledged(version[1])[1:3] == (0x09, 0x22)
    segments = reader.clock_command(0x01, 0x79, 0x5B, 0x79 & 0x7F, 0x00, 0x66, 0x7B, 0, 1)
    assert reader.acknowledged(asked(board, segments)[0][1])[:2] == (0x10, 0x01)
    assert board.shown_text == "e2ee4"
    assert reader.acknowledged(asked(board, reader.clock_command(0x03))[0][1])[1] == 0x03
    assert board.shown_text == ""


def test_the_store_remembers_changes() -> None:
    board, pieces = new_board(), start_pieces()
    board.set_pieces(pieces)
    pawn = pieces.pop(chess.E2)
    board.set_pieces(pieces)
    board.set_pieces(pieces | {chess.E4: pawn})
    ((number, stored),) = asked(board, reader.STORE)
    assert number == 0x0F
    assert stored[:4] == b"\x7f\x7f\x7f\x6a"
    assert stored[68:] == b"\x6f" + bytes([0x40, 52, 0x41, 36]) + b"\x6b"
    for _ in range(5000):
        board.set_pieces(pieces)
        board.set_pieces(pieces | {chess.E4: pawn})
    assert len(asked(board, reader.STORE)[0][1]) <= 0x1F01


def test_what_is_no_command_is_skipped() -> None:
    board = new_board()
    assert asked(board, bytes([0x81, 0x42, 0x4D, 0x10])) == [], "a command of bus mode"
    assert asked(board, bytes([0x60, 4, 1, 0x42, 0x4D, 0])) == [], "lamps of another board"
    assert asked(board, b"\x00\x01\x7f") == []
    assert asked(board, reader.clock_command(0x0C)[:4]) == []
    assert asked(board, b"\x00" + reader.VERSION) == [(0x13, bytes([1, 2]))]
    assert asked(board, bytes([0x2B, 0]) + bytes([0x2B, 2, 9, 9]) + reader.VERSION) == [(0x13, bytes([1, 2]))]


# What stands


def test_an_unknown_piece_is_what_was_there() -> None:
    dgt = importlib.import_module("boardumpire_chess.dgt")
    pawn, knight = {"seat": "black", "name": "pawn"}, {"seat": "white", "name": "knight"}
    known = dgt.name_pieces({"d5": [pawn], "g1": [knight]}, {})
    assert {chess.square_name(at): str(piece) for at, piece in known.items()} == {"d5": "p", "g1": "N"}
    assert dgt.name_pieces({"d5": [None], "h4": [None]}, known) == {chess.D5: known[chess.D5]}


def test_another_game_is_no_chessboard() -> None:
    dgt = importlib.import_module("boardumpire_chess.dgt")
    bridge = dgt.DgtBridge(lambda: {"game": "hunt", "standing": {"a1": [None]}, "clocks": None})
    assert bridge.exchange(reader.DUMP, 0.0)[3:] == bytes(64)
    assert bridge.trouble == "the board plays hunt; begin a game of chess"


def test_a_daemon_that_is_away_is_named() -> None:
    dgt = importlib.import_module("boardumpire_chess.dgt")

    def ask() -> Any:
        raise BoardumpireError("no board is running here")

    bridge = dgt.DgtBridge(ask)
    assert bridge.exchange(reader.VERSION, 0.0)
    assert bridge.trouble == "no board is running here"


# Whole games


async def followed(folder: Path) -> tuple[reader.Program, list[tuple[str, str]]]:
    """A game by hands that a program follows; the game as the daemon has it."""
    dgt = importlib.import_module("boardumpire_chess.dgt")
    service, white = await engines.evening(folder, "5")
    actions: list[tuple[str, str]] = []
    service.listeners.append(
        lambda told: actions.extend(
            (each.data["seat"], each.data["action"])
            for each in told
            if each.kind == "ruling" and each.seat is None and each.data["ok"]
        )
    )
    bridge = dgt.DgtBridge(service.daemon.standing_pieces)

    def send(command: bytes) -> bytes:
        said: bytes = bridge.exchange(command, asyncio.get_running_loop().time())
        return said

    async def follow() -> None:
        while True:
            await asyncio.sleep(bridge.period_s)
            program.take(send(b""))

    async with service.running(), obeyed(service, engines.Reader):
        await white.turn()
        program = reader.Program(engines.EVERYTHING, send)
        following = asyncio.create_task(follow())
        for text in ("e5-d6", "e1-g1"):
            await white.turn()
            await white.move(text)
        await white.turn()
        await white.move("b7-b8")
        await white.say("rook")
        await white.turn()
        await white.say("ask-take-back")
        await white.turn()
        await white.move("b7-b8")
        await white.say("queen")
        while white.state.outcome is None and len(actions) < 200:
            await white.turn()
            if white.state.outcome is None:
                await white.move(engines.by_search(white.state))
                if white.state.seats_to_act() == ("white",) and white.state.view(None).json()["reached"]:
                    await white.say("queen")
        await asyncio.sleep(5)
        program.look()
        following.cancel()
    return program, actions


@pytest.mark.slow
def test_a_program_follows_a_whole_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In passing, castled, promoted, taken back: the program has the game as PGN of the record has it."""
    engines.engine(tmp_path, monkeypatch)
    program, actions = virtual_loop.run(followed(tmp_path), 1, virtual_loop.busy)
    game = Game("chess", fen=engines.EVERYTHING)
    for seat, text in actions:
        game.push(text, registry.package("chess").new({}).seats[seat == "black"])
    (pgn,) = registry.package("chess").notations()
    written = pgn.write(record.parse(game.record())).text
    read = chess.pgn.read_game(io.StringIO(written))
    assert read is not None
    assert list(read.mainline_moves()) == program.game.move_stack
    assert {"e5d6", "e1g1", "b7b8q"} <= {move.uci() for move in program.game.move_stack}
    assert program.game.is_checkmate()


# The pseudo-terminal


@contextlib.contextmanager
def started(command: Sequence[str | Path], environ: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A program, until the test is over, however it ends."""
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE) as program:
        try:
            yield program
        finally:
            program.kill()


@pytest.fixture
def service(tmp_path: Path, games: None) -> Iterator[RealService]:
    service = RealService(tmp_path, board="chess-8x8", config=CONFIG)
    yield service
    service.close()


@pytest.mark.slow
def test_a_program_on_a_pseudo_terminal(service: RealService, installed: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "PYTHONPATH": str(installed), "RUNTIME_DIRECTORY": str(tmp_path / "run")}
    link = tmp_path / "dgt"
    command = [Path(sys.executable).with_name("boardumpire"), "dgt", "--config", service.config]

    def refused(*more: str | Path) -> str:
        ended = subprocess.run([*command, *more], env=environ, capture_output=True, text=True, timeout=60)
        assert ended.returncode == 2
        return ended.stderr

    assert "no board is running here" in refused()
    players = ChessPlayers(service, 1, "chess")
    service.start(PYTHONPATH=str(installed))
    players.stand_armies()
    service.until(lambda: bool(service.ask("standing")["standing"]))
    (tmp_path / "file").touch()
    assert "there is a file" in refused("--link", tmp_path / "file")
    with started([*command, "--link", link], environ) as board:
        assert board.stdout is not None
        assert board.stdout.readline() == f"a DGT board at {link}\n".encode()
        line = os.open(link, os.O_RDWR | os.O_NOCTTY)
        assert not termios.tcgetattr(line)[3] & termios.ECHO

        def send(command: bytes) -> bytes:
            os.write(line, command)
            found, whole = b"", bytes([0x93, 0, 5, 1, 2])
            os.write(line, reader.VERSION)  # what comes after the answers
            while not found.endswith(whole):
                assert select.select([line], [], [], 30)[0]
                found += os.read(line, 4096)
            return found.removesuffix(whole)

        program = reader.Program(chess.STARTING_FEN, send)
        assert program.placement() == chess.Board().board_fen()

        def moved(origin: str, target: str) -> None:
            service.do(service.hands.lift, origin)
            service.do(service.hands.place, target)

            def seen() -> bool:
                program.take(send(b""))
                return bool(program.game.move_stack) and program.game.peek() == chess.Move.from_uci(
                    origin + target
                )

            service.until(seen)
            service.until(lambda: not service.status()["chores"] and players_ready(origin, target))

        def players_ready(origin: str, target: str) -> bool:
            board = service.ask("view", seat=None)["view"]["board"]
            return target in board and origin not in board

        for origin, target in (("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")):
            moved(origin, target)
        assert program.game.is_checkmate()
        os.write(line, reader.clock_command(0x0C, *b"mate    ", 0))
        assert board.stdout.readline() == b"clock: mate\n"
        os.close(line)
        board.terminate()
        assert board.wait(60) == 0
    assert not link.is_symlink()
