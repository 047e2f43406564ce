"""Chess engines as players: Stockfish where it is installed, and a script of a few lines that speaks UCI."""

from __future__ import annotations

import asyncio
import importlib
import os
import random
import select
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.polyglot
import pytest

import boardrules
from boardrules import baseline_players, record, registry
from boardrules.core import Seat, State
from boardrules.game import Game
from boardrules.players import SearchBudget
from boardumpire.commands.computer_players import ComputerPlayers, playable_levels
from boardumpire.messages import disclosure
from evenings import virtual_loop
from evenings.lamp_follower import LampFollower
from evenings.service import Service, configured
from evenings.test_lamps_alone import obeyed

pytestmark = pytest.mark.usefixtures("games")
SCRIPT = Path(__file__).with_name("uci_script.py")
VARIABLE = "BOARDUMPIRE_CHESS_ENGINE"
STOCKFISH = shutil.which("stockfish") or shutil.which("/usr/games/stockfish") or ""
PROMOTES = "8/P6k/8/8/8/8/7p/K7 w - - 0 1"
EVERYTHING = "4k3/1P3ppp/8/3pP3/8/8/PP3PPP/R3K2R w KQ d6 0 1"
"""White takes in passing, castles and promotes within its first three moves."""


def engine(folder: Path, monkeypatch: pytest.MonkeyPatch, wrong: str = "") -> Path:
    """The script is the engine; what it will have been told."""
    told, program = folder / "told", folder / "engine"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {SCRIPT} {told} {wrong}\n")
    program.chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(program))
    return told


def chosen(state: State, level: str, playouts: int = 1000) -> str:
    """What a player of that level does; then its engine has ended."""
    seat = state.seats_to_act()[0]
    player = baseline_players.player_for(boardrules.package("chess"), seat, level).player
    try:
        view = state.view(seat).for_player()
        legal = tuple(state.legal_actions(seat))
        return str(player.choose(view, legal, random.Random(1), SearchBudget(playouts)))
    finally:
        player.close()


def test_without_an_engine_there_are_three_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    assert playable_levels("chess") == ("1", "2", "3")
    monkeypatch.setenv(VARIABLE, "/nowhere/engine")
    assert playable_levels("chess") == ("1", "2", "3")


def test_an_engine_is_told_its_strength(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = engine(tmp_path, monkeypatch)
    assert playable_levels("chess") == (*"123456789", "10")
    assert chosen(boardrules.new("chess"), "6") == "a2-a3"
    words = told.read_text()
    assert "setoption name UCI_LimitStrength value true" in words
    assert "setoption name UCI_Elo value 1700" in words
    assert "go nodes 1000 movetime" in words or "nodes 1000" in words
    assert words.endswith("quit\n")
    told.unlink()
    chosen(boardrules.new("chess"), "4")
    assert "UCI_Elo value 1400" in told.read_text(), "as low as the engine goes"
    told.unlink()
    chosen(boardrules.new("chess"), "10")
    assert "UCI_Elo" not in told.read_text(), "as well as it can"


def test_a_pawn_becomes_what_the_engine_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = engine(tmp_path, monkeypatch)
    state, _ = boardrules.new("chess", {"fen": PROMOTES}).apply(
        boardrules.new("chess", {"fen": PROMOTES}).parse("a7-a8", Seat("white"))
    )
    assert chosen(state, "5") == "bishop", "the first by its text"
    assert "searchmoves a7a8" in told.read_text()


def book(folder: Path, monkeypatch: pytest.MonkeyPatch, *moves: tuple[str, int]) -> Path:
    """A book for the first position: moves by their weights."""
    entry, board = chess.polyglot.ENTRY_STRUCT, chess.Board()
    entries = []
    for uci, weight in moves:
        move = chess.Move.from_uci(uci)
        raw = move.from_square << 6 | move.to_square
        entries.append(entry.pack(chess.polyglot.zobrist_hash(board), raw, weight, 0))
    path = folder / "book.bin"
    path.write_bytes(b"".join(entries))
    monkeypatch.setenv("BOARDUMPIRE_CHESS_BOOK", str(path))
    return path


def test_an_engine_begins_by_its_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = engine(tmp_path, monkeypatch)
    book(tmp_path, monkeypatch, ("d2d4", 3), ("e2e4", 0), ("e2e5", 5))
    assert chosen(boardrules.new("chess"), "5") == "d2-d4", "what has weight and is legal"
    assert "go " not in told.read_text()
    later, _ = boardrules.new("chess").apply(boardrules.new("chess").parse("d2-d4", Seat("white")))
    assert chosen(later, "5") == "a7-a5", "the book has nothing"


@pytest.mark.parametrize("found", [b"", b"no book at all", None])
def test_what_is_no_book_is_named(
    found: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine(tmp_path, monkeypatch)
    path = book(tmp_path, monkeypatch)
    path.unlink() if found is None else path.write_bytes(found)
    engines = importlib.import_module("boardumpire_chess.engines")
    with pytest.raises(
        engines.EngineError, match=r"BOARDUMPIRE_CHESS_BOOK=.*book.bin: .*expected a Polyglot"
    ):
        chosen(boardrules.new("chess"), "5")


def test_a_score_is_written_as_players_write_it() -> None:
    scores = importlib.import_module("boardumpire_chess.scores")
    assert [scores.score_text(74), scores.score_text(-1200), scores.score_text(None)] == ["+0.7", "-12.0", ""]
    assert [scores.score_text(None, 3), scores.score_text(None, -1)] == ["#3", "#-1"]
    player = baseline_players.player_for(boardrules.package("chess"), Seat("white"), "3").player
    state = boardrules.new("chess", {"fen": "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"})
    view = state.view(Seat("white")).for_player()
    action = player.choose(view, state.legal_actions(Seat("white")), random.Random(1), SearchBudget(2000))
    assert (str(action), player.assessment()) == ("a1-a8", "#")


@pytest.mark.parametrize("wrong", ["dies", "ends"])
def test_an_engine_that_fails_is_named(wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine(tmp_path, monkeypatch, wrong)
    engines = importlib.import_module("boardumpire_chess.engines")
    with pytest.raises(engines.EngineError, match="engine: engine process died"):
        chosen(boardrules.new("chess"), "5")


def test_the_engine_of_a_killed_player_ends(
    tmp_path: Path, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = engine(tmp_path, monkeypatch)
    command = [
        Path(sys.executable).with_name("boardumpire"),
        "bot",
        "chess",
        "--seat",
        "white",
        "--level",
        "5",
    ]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(installed)},
    ) as player:
        assert player.stdout is not None
        player.stdout.readline()  # it asks for the game: its engine has begun
        ended = os.pidfd_open(int(told.read_text().split()[1]))
        try:
            player.kill()
            assert select.select([ended], [], [], 30)[0]
        finally:
            os.close(ended)


class Reader(LampFollower):
    """Does for Black what lamps say, and reads on the screen whose piece goes where."""

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._service = service

    def _do(self, take: tuple[str, ...], put: tuple[str, ...], white: set[str], asks: list[str]) -> None:
        chores = self._service.daemon.table.guidance.corrections
        if not chores:
            super()._do(take, put, white, asks)
            return
        listed = disclosure.corrections_message(0, chores).data["chores"]
        self._board.do_gesture({"do": "tidy", "chores": listed, "beside": True}, "people")
        self.mended += 1


class Player:
    """White: a person at the board, who carries the own pieces and does for Black what lamps say."""

    def __init__(self, service: Service) -> None:
        self._service, self.log = service, list[str]()

    @property
    def state(self) -> State:
        return self._service.daemon.table.full_state

    async def turn(self) -> None:
        """Until White is to move and the board is in order."""
        await self._until(
            lambda: self.state.outcome or ("white" in self.state.seats_to_act() and self._calm())
        )

    def _calm(self) -> bool:
        table = self._service.daemon.table
        if self.state.view(None).json()["offer"]:
            return False
        return table.is_calm and not table.guidance.corrections and not table.guidance.lifted_places

    async def move(self, text: str) -> None:
        """Carry a piece; what it takes is taken off first, and what else moves lamps ask for."""
        state, board = self.state, self._service.board
        origin, target = text.split("-")
        (step,) = [each for each in state.steps() if (each.origin, each.target) == (origin, target)]
        if target in step.takes:
            board.do_gesture({"do": "tidy", "chores": [{"do": "take", "space": target}]}, "people")
            await asyncio.sleep(2)
        slot = board.world.board.spaces[origin].slots[0].id
        (piece,) = [each for each in board.fingers.pieces() if each.get("slot") == slot]
        board.do_gesture({"do": "carry", "piece": piece["id"], "space": target}, "people")
        await self._until(lambda: self.state is not state)

    async def say(self, text: str) -> None:
        state = self.state
        self._service.daemon.submit_command(Seat("white"), text)
        await self._until(lambda: self.state is not state)

    async def _until(self, done: Any) -> None:
        for _ in range(600):
            if done():
                return
            await asyncio.sleep(0.2)
        raise AssertionError("\n".join((self._service.shown(), *self._service.last)))


async def evening(folder: Path, level: str) -> tuple[Service, Player]:
    service = Service(configured(folder, "chess", {"black": level}, board="chess-8x8", fen=EVERYTHING), 1)
    daemon = service.daemon
    daemon._computer_players = ComputerPlayers(daemon, {Seat("black"): level}, None, service.players.start)
    return service, Player(service)


async def played(folder: Path, level: str, best: Any) -> list[tuple[str, str]]:
    """A whole game; its actions."""
    service, white = await evening(folder, level)
    faults: list[Any] = []
    service.listeners.append(lambda told: faults.extend(each for each in told if each.kind == "fault"))
    actions: list[tuple[str, str]] = []
    service.listeners.append(
        lambda told: actions.extend(
            (each.data["seat"], each.data["action"])
            for each in told
            if each.kind == "ruling" and each.seat is None and each.data["ok"]
        )
    )
    async with service.running(), obeyed(service, Reader):
        for text in ("e5-d6", "e1-g1"):
            await white.turn()
            await white.move(text)
        await white.turn()
        await white.move("b7-b8")
        await white.say("rook")
        await white.turn()
        before = white.state.layout()
        await white.say("ask-take-back")  # two of White's actions and Black's reply
        await white.turn()
        assert "b8" not in white.state.layout()
        assert white.state.layout() != before
        await white.move("b7-b8")
        await white.say("queen")
        while white.state.outcome is None and len(actions) < 200:
            await white.turn()
            if white.state.outcome is None:
                await white.move(best(white.state))
                if white.state.seats_to_act() == ("white",) and white.state.view(None).json()["reached"]:
                    await white.say("queen")
        assert white.state.outcome is not None
    assert faults == []
    return actions


def check(actions: list[tuple[str, str]]) -> None:
    """The game follows the rules, and PGN tells it without what was taken back."""
    game = Game("chess", fen=EVERYTHING)
    for seat, text in actions:
        game.push(text, Seat(seat))
    told = record.parse(game.record())
    (pgn,) = registry.package("chess").notations()
    written = pgn.write(told)
    assert written.omissions == ("1 take-backs, with the moves that don't stand",)
    assert "exd6" in written.text
    assert "O-O" in written.text
    assert "b8=Q" in written.text
    assert "b8=R" not in written.text
    read = list(pgn.read(written.text, {}))
    assert record.final_state(read[0].record).view(None) == game.state.view(None)


def by_search(state: State) -> str:
    """A good move for White: quick mates end the game."""
    players = importlib.import_module("boardumpire_chess.players")
    board = chess.Board(state.view(None).json()["fen"])
    best = players.best_move(board, list(board.legal_moves), SearchBudget(1500))
    return f"{chess.square_name(best.from_square)}-{chess.square_name(best.to_square)}"


@pytest.mark.slow
def test_a_whole_game_against_a_script_by_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine(tmp_path, monkeypatch)
    check(virtual_loop.run(played(tmp_path, "5", by_search), 1, virtual_loop.busy))


@pytest.mark.slow
@pytest.mark.skipif(not STOCKFISH, reason="Stockfish is not installed: apt-get install stockfish")
def test_a_whole_game_against_stockfish_by_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, STOCKFISH)
    levels = importlib.import_module("boardumpire_chess.engine_levels")
    monkeypatch.setattr(levels, "NODE_LIMIT", 2000)
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH) as white:

        def by_engine(state: State) -> str:
            board = chess.Board(state.view(None).json()["fen"])
            best = white.play(board, chess.engine.Limit(depth=8)).move
            assert best is not None
            return f"{chess.square_name(best.from_square)}-{chess.square_name(best.to_square)}"

        check(virtual_loop.run(played(tmp_path, "10", by_engine), 1, virtual_loop.busy))
