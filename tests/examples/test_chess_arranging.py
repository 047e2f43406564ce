"""A position that is set up with the pieces: on a simulated board, from the start page, in PGN."""

from __future__ import annotations

import asyncio
from pathlib import Path

import chess
import pytest

import boardrules
from boardrules import record, registry
from boardrules.core import IllegalAction, Seat, State
from boardrules.game import Game
from boardumpire.commands.computer_players import ComputerPlayers
from boardumpire.web import start_page
from evenings import virtual_loop
from evenings.service import Service, configured
from evenings.test_lamps_alone import obeyed
from examples.evening import Evening
from examples.test_chess_engine import Reader

pytestmark = pytest.mark.usefixtures("games")
WHITE, BLACK = Seat("white"), Seat("black")
FEW = "4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1"
MATE_IN_ONE = "4k3/R7/4K3/8/8/8/8/8 w - - 0 1"


def arranged(fen: str = FEW, *texts: str) -> State:
    """A set-up that begins with a position, after these actions, each of the seat that may."""
    state = boardrules.new("chess", {"fen": fen, "arrange": True})
    for text in texts:
        seat = next(seat for seat in (WHITE, BLACK) if state.refusal(state.parse(text, seat)) is None)
        state, _ = state.apply(state.parse(text, seat))
    return state


def test_pieces_move_leave_and_come_until_somebody_begins() -> None:
    state = arranged(FEW, "e1-e6", "a2-wpawn", "a1-a7", "white-begins")
    assert state.view(None).json()["fen"] == MATE_IN_ONE
    state, _ = state.apply(state.parse("a7-a8", WHITE))
    assert state.outcome == ("white", "checkmate")
    queen = arranged(FEW, "wqueen-d4", "wqueen-d5", "black-begins")
    assert queen.view(None).json()["fen"] == "4k3/8/8/3Q4/3Q4/8/P7/R3K3 b Q - 0 1"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a1-a2", "chess/not-there"),
        ("a1-wpawn", "chess/not-there"),
        ("wking-d4", "chess/no-piece"),
        ("wqueen-wqueen", "chess/not-there"),
        ("c4-c5", "chess/no-piece"),
        ("e8-e7", "chess/no-piece"),
    ],
)
def test_what_can_not_be_carried_is_refused(text: str, code: str) -> None:
    state = arranged()
    refusal = state.refusal(state.parse(text, WHITE))
    assert refusal is not None
    assert refusal.code == code
    with pytest.raises(IllegalAction):
        state.apply(state.parse(text, WHITE))


@pytest.mark.parametrize(
    "texts", [("e1-wking",), ("a2-a8", "a8-h8", "h8-e7", "e7-e6", "e6-d7"), ("a2-b8",)], ids=str
)
def test_no_game_begins_with_what_is_no_position(texts: tuple[str, ...]) -> None:
    state = arranged(FEW, *texts)
    refusal = state.refusal(state.parse("white-begins", WHITE))
    assert refusal is not None
    assert refusal.code == "chess/no-position"


def test_castling_is_open_where_kings_and_rooks_stand_at_home() -> None:
    assert arranged(FEW, "a1-a5", "a5-a1", "white-begins").view(None).json()["fen"] == FEW
    moved = arranged(FEW, "a1-a5", "white-begins").view(None).json()["fen"]
    assert moved.split()[2] == "-"


def test_legal_actions_are_exactly_those_that_are_not_refused() -> None:
    state = arranged(FEW, "wqueen-d4")
    places = [*chess.SQUARE_NAMES, *state.trays()]
    for seat in (WHITE, BLACK):
        may = {
            f"{one}-{to}"
            for one in places
            for to in places
            if one != to and state.refusal(state.parse(f"{one}-{to}", seat)) is None
        }
        assert may == {str(action) for action in state.legal_actions(seat) if "begins" not in str(action)}


def test_pgn_begins_with_the_position() -> None:
    game = Game("chess", fen=FEW, arrange=True)
    for text, seat in (("e1-e6", WHITE), ("a2-wpawn", WHITE), ("a1-a7", WHITE), ("white-begins", BLACK)):
        game.push(text, seat)
    game.push("a7-a8")
    (pgn,) = registry.package("chess").notations()
    written = pgn.write(record.parse(game.record()))
    assert f'[FEN "{MATE_IN_ONE}"]' in written.text
    assert "Ra8#" in written.text
    assert written.omissions == ("how the position was set up",)
    (read,) = pgn.read(written.text, {})
    assert record.final_state(read.record).outcome == ("white", "checkmate")


@pytest.fixture
def evening() -> Evening:
    found = Evening("chess", "chess-8x8", 1, options={"fen": FEW, "arrange": True})
    found.begin()
    return found


def test_hands_set_a_position_up_and_lamps_follow(evening: Evening) -> None:
    try:
        evening.lift("e1")
        evening.place("e6", "e1")
        evening.wait(1500)
        evening.lift("a2")
        evening.aside()
        evening.wait(3500)
        assert evening.of("question")[-1]["spaces"] == ["a2", "wpawn"]
        evening.press("confirm")
        evening.lift("a1")
        evening.place("a7", "a1")
        evening.wait(1500)
        told = [ruling["action"] for ruling in evening.rulings()]
        assert told == ["e1-e6", "a2-wpawn", "a1-a7"]
        evening.press("choose")
        assert evening.lit()["turn-white"] != evening.lit()["turn-black"], "it asks at White's lamp"
        evening.press("confirm")
        assert evening.rulings()[-1]["action"] == "white-begins"
        evening.lift("a7")
        evening.wait(500)
        evening.place("a8", "a7")
        evening.wait(1500)
        assert evening.of("over")[-1]["reason"] == "checkmate"
        assert not evening.of("fault")
    finally:
        evening.bench.close()


def test_the_start_page_takes_a_position() -> None:
    form = start_page._game_form("chess", {"text-fen": '<"8/8>'}, "en", ())
    assert 'name="text-fen" id="text-fen" value="&lt;&quot;8/8&gt;" maxlength="100"' in form
    said = {"text-fen": f" {FEW} ", "option-arrange": "true", "option-chess960": "false"}
    chosen = start_page._parse_choice("chess", said)
    state = boardrules.new("chess", {"fen": chosen.options["fen"]})
    assert chosen.options["arrange"] is True
    assert state.view(None).json()["fen"] == FEW


async def arranged_against_the_machine(folder: Path) -> list[str]:
    """What Black, which is the machine, does while a position is set up, and afterwards."""
    config = configured(folder, "chess", {"black": "1"}, board="chess-8x8", fen=MATE_IN_ONE, arrange=True)
    service, acted = Service(config, 1), list[str]()
    daemon = service.daemon
    daemon._computer_players = ComputerPlayers(daemon, {BLACK: "1"}, None, service.players.start)
    service.listeners.append(
        lambda told: acted.extend(
            each.data["action"] for each in told if each.kind == "ruling" and each.data["seat"] == BLACK
        )
    )
    async with service.running(), obeyed(service, Reader):
        await asyncio.sleep(20)
        assert acted == []
        assert daemon.table.assisted_moves.requested_move(BLACK) is None
        daemon.submit_command(BLACK, "black-begins")
        for _ in range(200):
            await asyncio.sleep(0.5)
            if len(acted) > 1:
                return acted
    raise AssertionError(service.shown())


@pytest.mark.slow
def test_the_machine_waits_while_people_arrange_pieces(tmp_path: Path) -> None:
    assert virtual_loop.run(arranged_against_the_machine(tmp_path), 1, virtual_loop.busy)[0] == "black-begins"
