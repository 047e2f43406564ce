"""Games of Lichess at the board: what is told to whom, and whole games against a server on this machine."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from boardumpire.errors import BoardumpireError
from boardumpire.tracking.questions import NAMED_ANSWER_CODES
from daemon.service import Service
from examples.lichess_server import TOKEN, LichessServer
from examples.test_chess_daemon import CONFIG, ChessPlayers
from examples.test_chess_dgt import started

pytestmark = pytest.mark.usefixtures("games")
ROOK_PAWN = "7k/P7/8/8/8/8/8/K7 w - - 0 1"


def module(name: str) -> Any:
    return importlib.import_module(f"boardumpire_chess.{name}")


def after(*moves: str, start: str = chess.STARTING_FEN) -> str:
    board = chess.Board(start)
    for move in moves:
        board.push_uci(move)
    return board.fen()


class Pair:
    """A table and Lichess, as a link between them sees both."""

    def __init__(self, own: str = "white", start: str = chess.STARTING_FEN) -> None:
        self.game = module("lichess_game")
        self.link, self.start = self.game.LichessLink(own), start

    def task(self, local: tuple[str, ...], remote: tuple[str, ...], **more: Any) -> tuple[str, str] | None:
        table = {"offer": more.get("offer"), "reason": more.get("reason", "")}
        shown = self.game.LocalGame(after(*local, start=self.start), more.get("promoting", False), **table)
        ended = {"is_over": more.get("over", False), "winner": more.get("winner", "")}
        offers = frozenset(more.get("offers", ()))
        state = self.game.RemoteGame(self.start, remote, offers=offers, **ended)
        self.link.see_offers(state)
        found = self.link.next_task(shown, state)
        return None if found is None else tuple(found)


def test_moves_go_both_ways_once() -> None:
    pair = Pair()
    assert pair.task((), ()) is None
    assert pair.task(("e2e4",), ()) == ("move", "e2e4")
    assert pair.task(("e2e4",), ()) is None, "Lichess has been told"
    assert pair.task(("e2e4",), ("e2e4",)) is None
    assert pair.task(("e2e4",), ("e2e4", "e7e5")) == ("black", "e7-e5")
    assert pair.task(("e2e4", "e7e5"), ("e2e4", "e7e5")) is None


def test_a_game_that_goes_on_is_caught_up_with() -> None:
    pair = Pair("black")
    assert pair.task((), ("e2e4", "e7e5")) == ("white", "e2-e4")
    assert pair.task(("e2e4",), ("e2e4", "e7e5")) == ("black", "e7-e5")


def test_what_a_pawn_becomes_goes_both_ways() -> None:
    pair = Pair("white", ROOK_PAWN)
    assert pair.task((), (), promoting=True) is None, "the person chooses"
    assert pair.task(("a7a8n",), ()) == ("move", "a7a8n")
    pair = Pair("black", ROOK_PAWN)
    assert pair.task((), ("a7a8r",)) == ("white", "a7-a8")
    assert pair.task((), ("a7a8r",), promoting=True) == ("white", "rook")


def test_a_move_for_the_other_side_is_taken_back() -> None:
    pair = Pair()
    moves = ("e2e4",)
    assert pair.task((*moves, "e7e5"), moves) == ("black", "ask-take-back")
    assert pair.task((*moves, "e7e5"), moves, offer=("black", "take-back")) == ("white", "agree-take-back")


def test_take_backs_go_both_ways() -> None:
    pair, moves = Pair(), ("e2e4", "e7e5")
    assert pair.task(moves, moves, offer=("white", "take-back")) == ("takeback", "yes")
    assert pair.task(moves, moves, offer=("white", "take-back")) is None
    assert pair.task(moves, (), offer=("white", "take-back")) == ("black", "agree-take-back")
    pair = Pair()
    theirs = {("black", "take-back")}
    assert pair.task(moves, moves, offers=theirs) == ("black", "ask-take-back")
    assert pair.task(moves, moves, offers=theirs, offer=("black", "take-back")) is None
    assert pair.task(moves[:1], moves, offers=theirs) == ("takeback", "yes")
    pair = Pair()
    pair.task(moves, moves, offers=theirs)
    assert pair.task(moves, moves, offers=theirs) == ("takeback", "no"), "the person has declined"
    pair = Pair()
    pair.task(moves, moves)
    assert pair.task(moves, ()) == ("white", "ask-take-back"), "done elsewhere"


def test_draws_go_both_ways() -> None:
    pair, mine = Pair(), ("white", "draw")
    assert pair.task((), (), offer=mine) == ("draw", "yes")
    assert pair.task((), (), offer=mine, offers={mine}) is None
    assert pair.task((), (), offer=mine) == ("black", "decline-draw")
    assert pair.task((), (), over=True, offer=mine) == ("black", "agree-draw")
    theirs = ("black", "draw")
    pair = Pair()
    assert pair.task((), (), offers={theirs}) == ("black", "offer-draw")
    assert pair.task((), (), offers={theirs}, offer=theirs) is None
    assert pair.task((), (), offers={theirs}) == ("draw", "no")
    pair = Pair()
    assert pair.task((), (), offers={theirs}, reason="agreed") == ("draw", "yes")


def test_an_offer_that_is_declined_at_once_is_seen() -> None:
    pair, mine = Pair(), ("white", "draw")
    assert pair.task((), (), offer=mine) == ("draw", "yes")
    pair.link.see_offers(pair.game.RemoteGame(pair.start, (), offers=frozenset({mine})))
    assert pair.task((), (), offer=mine) == ("black", "decline-draw")


def test_ends_go_both_ways() -> None:
    pair = Pair()
    assert pair.task((), (), reason="resignation") == ("resign", "")
    assert pair.task((), (), reason="resignation") is None
    assert Pair().task((), (), over=True, winner="white") == ("black", "resign")
    assert Pair().task((), (), over=True) == ("white", "offer-draw")
    assert Pair().task((), (), over=True, reason="resignation") is None
    mate = ("f2f3", "e7e5", "g2g4", "d8h4")
    assert Pair("black").task(mate, mate[:3], reason="checkmate") == ("move", "d8h4")
    assert Pair("black").task(mate, mate, over=True, winner="black", reason="checkmate") is None


def test_a_strange_position_is_refused() -> None:
    with pytest.raises(module("lichess_game").NotTheSameGame, match="never had"):
        Pair().task(("a2a3", "h7h5"), ("e2e4",))


def test_a_token_that_others_may_read_is_refused(tmp_path: Path) -> None:
    lichess, file = module("lichess"), tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o640)
    with pytest.raises(BoardumpireError, match=r"others may open it \(0640\); try chmod 600"):
        lichess.read_token(file)
    file.chmod(0o600)
    assert lichess.read_token(file) == TOKEN
    file.write_text("two words\n")
    with pytest.raises(BoardumpireError, match="expected a token alone"):
        lichess.read_token(file)


@pytest.fixture
def service(tmp_path: Path, games: None) -> Iterator[Service]:
    service = Service(tmp_path, board="chess-8x8", config=CONFIG)
    yield service
    service.close()


class Person:
    """At the board: carries the own pieces, and does for the other side what the table asks for."""

    def __init__(self, service: Service, server: LichessServer) -> None:
        self.service, self.players = service, ChessPlayers(service, 1, "chess")
        self.server = server
        self.carried = ""
        """The move whose piece was carried last."""

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.service.ask("view", seat=None)["view"]
        return found

    def say(self, text: str, seat: str = "white") -> None:
        assert self.service.ask("say", seat=seat, text=text)["ok"]

    def until(self, done: Callable[[], Any]) -> None:
        def seen() -> bool:
            assert self.server.strange == []
            self.answer()
            return bool(done())

        self.service.until(seen)

    def answer(self) -> None:
        """Say what was meant where the board asks: a busy machine looks late at quick hands."""
        asked = self.service.status()["question"]
        if asked is not None:
            key = " ".join((asked["code"], *asked["spaces"]))
            meant = self.carried if asked["code"] in NAMED_ANSWER_CODES else f"yes {key}"
            self.service.ask("say", seat=asked["seat"] or "white", text=meant)

    def until_offered(self, offer: tuple[str, str] | None) -> None:
        wanted = None if offer is None else {"seat": offer[0], "thing": offer[1]}
        self.until(lambda: self.view()["offer"] == wanted)

    def carry(self, origin: str, target: str) -> None:
        service, hands = self.service, self.service.hands
        self.carried = f"{origin}-{target}"
        if target in self.view()["board"]:
            service.do(hands.lift, target)
            service.do(hands.put_beside_board)
        service.do(hands.lift, origin)
        service.do(hands.place, target)

    def tidy(self, fen: str) -> None:
        """Until the table shows that position and the board agrees."""
        self.until(lambda: chess.Board(self.view()["fen"]).epd() == chess.Board(fen).epd())
        while True:
            self.answer()
            chores = self.service.status()["chores"]
            if not chores:
                break
            chore = min(chores, key=lambda each: each["do"] != "take")
            self.players.chore(chore)
            self.until(lambda chore=chore: chore not in self.service.status()["chores"])
        self.players.empty_hands()


@pytest.mark.slow
def test_whole_games_of_lichess_at_the_board(service: Service, installed: Path, tmp_path: Path) -> None:
    """In passing, promoted, castled, taken back and offered by both sides; then another one, resigned."""
    pytest.importorskip("berserk", reason="berserk is not installed: pip install berserk")
    token = tmp_path / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    environ = {**os.environ, "PYTHONPATH": str(installed), "RUNTIME_DIRECTORY": str(tmp_path / "run")}
    with LichessServer() as server:
        person = Person(service, server)
        person.players.stand_armies()
        service.start(PYTHONPATH=str(installed))
        game = server.begin("5IrD6Gzz", "white")
        command = [Path(sys.executable).with_name("boardumpire"), "lichess", "--config", service.config]
        command += ["--token", token, "--url", server.url, "--seek", "15+10"]

        def ours(uci: str) -> None:
            person.carry(uci[:2], uci[2:4])
            if uci[4:]:
                person.until(lambda: person.view()["reached"])
                person.say(chess.piece_name(chess.Move.from_uci(uci).promotion or chess.QUEEN))
            person.until(lambda: game.board.move_stack and game.board.peek().uci() == uci)
            person.tidy(game.board.fen())

        def theirs(uci: str) -> None:
            game.move(uci)
            person.until(lambda: service.status()["marks"].get(uci[:2]) == "take")
            person.carry(uci[:2], uci[2:4])
            person.tidy(game.board.fen())

        with started(command, environ) as program:
            assert program.stdout is not None
            assert program.stdout.readline() == b"Lichess: Someone\n"
            assert program.stdout.readline() == b"game 5IrD6Gzz: the board plays white\n"
            ours("e2e4")
            theirs("a7a6")
            person.say("ask-take-back")
            person.until(lambda: "wtakeback" in game.offers)
            game.accept_take_back()
            person.tidy(chess.STARTING_FEN)
            for own, other in (("e2e4", "a7a6"), ("e4e5", "d7d5"), ("e5d6", "a6a5"), ("d6c7", "a5a4")):
                ours(own)
                theirs(other)
            game.offer("takeback")
            person.until_offered(("black", "take-back"))
            person.say("agree-take-back")
            person.until(lambda: len(game.board.move_stack) == 7)
            person.tidy(game.board.fen())
            theirs("b7b6")
            ours("c7d8q")
            theirs("e8d8")
            game.offer("draw")
            person.until_offered(("black", "draw"))
            person.say("decline-draw")
            person.until(lambda: "draw no" in game.asked)
            person.say("offer-draw")
            person.until(lambda: "wdraw" in game.offers)
            game.decline("draw")
            person.until_offered(None)
            for own, other in (("g1f3", "b6b5"), ("f1b5", "g7g6"), ("e1g1", "f8g7")):
                ours(own)
                theirs(other)
            game.end("resign", "white")
            person.until(lambda: service.status()["over"])
            assert person.view()["outcome"] == {"winner": "white", "reason": "resignation"}
            assert server.seeks[0]["time"] == ["15"]
            second = server.begin("BEOucQJo", "black")
            assert program.stdout.readline() == b"game BEOucQJo: the board plays black\n"
            person.until(lambda: not service.status()["over"])
            person.say("resign", "black")
            person.until(lambda: second.status == "resign")
            assert second.winner == "white"
            program.terminate()
            assert program.wait(60) == 0
