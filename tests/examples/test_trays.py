"""Pieces that leave the board, and pieces that come to it from beside: followed, lit, asked and soaked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from boardlab import contract
from boardlab.new_game import template
from boardlab.soak import one_game
from boardlab.soak.one_game import SoakPlan
from boardrules import registry
from boardrules.core import Seat, Space
from boardrules.package import GamePackage
from boardsim.judging.judge import WRONG
from boardsim.people.open_players import OpenPlayers
from boardsim.people.rates import PROFILES, ErrorRates
from boardumpire.commands.table_factory import TableFactory
from boardumpire.messages.disclosure import SeatMessage
from examples import drops
from examples.evening import Evening

GAMES: dict[str, GamePackage] = {"sample-game": template.GAME, "drops": drops.GAME}
PARTS = pytest.mark.parametrize("game", list(GAMES))


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """The file of a board that carries one of these games, which is known from then on."""

    def written(game: str) -> str:
        registry.register(GAMES[game])
        text = (files(template) / "boards" / "sample-game-8x8.toml").read_text()
        file = tmp_path / f"{game}.toml"
        file.write_text(text.replace('"sample-game"', f'"{game}"'))
        return str(file)

    yield written
    for game in GAMES:
        registry._registered_games.pop(game, None)
    registry.package.cache_clear()


@pytest.fixture
def empty(board: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The board of a game that begins with all pieces beside it."""
    begun = drops.DropState({}, dict.fromkeys(drops.TRAYS, 4))
    monkeypatch.setattr(drops.Drops, "new", lambda *_: begun)
    return board("drops")


def soak(game: str, board: str, numbers: range, longest: int = 400, profile: str = "clumsy") -> Counter[str]:
    counts: Counter[str] = Counter()
    for number in numbers:
        plan = SoakPlan(game=game, board=board, longest=longest, profile=profile)
        played, people = one_game.play(plan, number, TableFactory())
        assert not played.findings, f"game {number}: {played.findings}\n{people.scene.script()}"
        counts.update(played.counts)
    return counts


@pytest.mark.slow
@PARTS
def test_some_games_with_trays(game: str, board: Callable[[str], str]) -> None:
    counts = soak(game, board(game), range(3))
    assert counts["asked"] == counts["forced"] > 0


@pytest.mark.nightly
@PARTS
@pytest.mark.parametrize("part", range(6))
def test_50_games_with_trays(game: str, part: int, board: Callable[[str], str]) -> None:
    """300 games each, in six parts."""
    assert soak(game, board(game), range(50 * part, 50 * (part + 1)))["rulings"] > 2000


@pytest.mark.slow
def test_people_play_from_an_empty_board(empty: str) -> None:
    """Who has no piece on it yet spoils nothing there."""
    assert soak("drops", empty, range(12), longest=4)["rulings"] > 40


@pytest.mark.slow
def test_a_piece_that_comes_to_a_dead_reed_is_said(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing feels it, and nothing was lifted before."""
    monkeypatch.setitem(PROFILES, "dead", ErrorRates(dead=0.4))
    assert soak("drops", empty, range(52, 57), longest=12, profile="dead")["rulings"] > 20


def neighbours(empty: str) -> OpenPlayers:
    """White's pawn on e4 and Black's on d5: the one may take the other."""
    setting = one_game.game_bench_settings(SoakPlan(game="drops", board=empty, kit="hall"), 1)
    people = OpenPlayers(setting, TableFactory(), "neighbours", ErrorRates())
    people.scene.bench.start()
    people.mending.settle()
    for seat, text in (("white", "wpawn-e4"), ("black", "bpawn-d5")):
        people._carry(people.state.parse(text, Seat(seat)), ())
        people.mending.settle()
    people.scene.hands.acting_person = "white"
    people.judge.ambiguous_errors.add("knock")
    return people


def test_a_fallen_piece_that_is_stood_up_first_seems_taken(empty: str) -> None:
    """Both fell, and that of the other side stands again: hands that take leave the same trace."""
    people = neighbours(empty)
    scene, judge = people.scene, people.judge
    pieces = {space: judge.expected_pieces[space] for space in ("d5", "e4")}
    scene.run_until(max(scene.hands.topple(piece, scene.now) for piece in pieces.values()))
    for space, piece in pieces.items():
        scene.wait(1500)
        scene.bring_to_space(piece, space)
    people.mending.settle()
    assert judge.findings == []
    assert judge.actions[-1] == ("white", "e4-d5")
    assert judge.count["alike"] == judge.count["taken over"] == 1
    assert judge.expected_pieces == {"d5": pieces["e4"]}
    assert scene.top_piece_on(Space("d5")) == pieces["e4"]
    scene.close()


def test_a_capture_of_a_piece_that_never_fell_is_wrong(empty: str) -> None:
    people = neighbours(empty)
    scene, judge = people.scene, people.judge
    scene.run_until(scene.hands.topple(judge.expected_pieces["e4"], scene.now))
    scene.wait(1000)
    taken = {"ok": True, "seat": "white", "action": "e4-d5", "events": []}
    judge.check_message(SeatMessage(scene.now, None, "ruling", taken))
    assert [each.kind for each in judge.findings] == [WRONG]
    scene.close()


@pytest.mark.slow
@PARTS
def test_games_with_trays_keep_the_contract(game: str, board: Callable[[str], str]) -> None:
    board(game)
    findings = [str(each) for each in contract.check(game, games=2).findings]
    assert [each for each in findings if "no installed board" not in each] == []


@pytest.fixture
def leaving(board: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    begun = template.SampleState((frozenset(map(Space, ("a8", "c3"))), frozenset({Space("h8")})))
    monkeypatch.setattr(template.SampleGame, "new", lambda *_: begun)
    evening = Evening("sample-game", board("sample-game"), 1)
    evening.begin()
    yield evening
    evening.bench.close()


def test_a_piece_that_may_leave_is_lit_and_asked_about(leaving: Evening) -> None:
    leaving.lift("a8")
    leaving.wait(500)
    assert leaving.lit()["a8"] == "may-leave"
    leaving.aside()
    leaving.wait(3000)
    (asked,) = leaving.of("question")
    assert (asked["code"], asked["spaces"]) == ("moved-here", ["a8", "off"])
    assert leaving.lit()["a8"] == "asks"
    leaving.press("confirm")
    leaving.ruled(leaving.state.parse("a8-off", Seat("white")), 0)


def test_a_piece_that_stays_on_the_board_does_not_leave_it(leaving: Evening) -> None:
    leaving.lift("a8")
    leaving.wait(3000)
    leaving.press("cancel")
    leaving.place("a8")
    leaving.wait(3000)
    assert leaving.rulings() == []
    assert "a8" not in leaving.lit()


def test_a_piece_that_is_said_to_leave_is_taken_off(leaving: Evening) -> None:
    leaving.bench.say(Seat("white"), "a8-off")
    leaving.wait(500)
    assert [(chore["do"], chore["space"]) for chore in leaving.chores()] == [("take", "a8")]
    leaving.lift("a8")
    leaving.aside()
    leaving.wait(500)
    assert leaving.chores() == []


def test_confirm_at_once_says_that_a_piece_leaves(leaving: Evening) -> None:
    leaving.lift("a8")
    leaving.press("confirm")
    leaving.press("confirm")
    leaving.ruled(leaving.state.parse("a8-off", Seat("white")), 0)


@pytest.fixture
def dropping(board: Callable[[str], str]) -> Iterator[Evening]:
    evening = Evening("drops", board("drops"), 1)
    evening.begin()
    yield evening
    evening.bench.close()


def stand(evening: Evening, space: str, kind: str) -> None:
    """A piece from the tray of the side to move."""
    seat = evening.state.seats_to_act()[0]
    evening.bench.run_until(evening.bench.hands.stand(seat, space, evening.bench.now, kind))


def test_a_dropped_piece_of_two_kinds_is_asked_about(dropping: Evening) -> None:
    stand(dropping, "d4", "pawn")
    dropping.wait(1000)
    (asked,) = dropping.of("question")
    assert asked["spaces"] == ["wguard", "d4"]
    assert dropping.lit()["d4"] == "asks"
    dropping.press("cancel")
    dropping.wait(1500)
    assert dropping.of("question")[-1]["spaces"] == ["wpawn", "d4"]
    dropping.press("confirm")
    dropping.ruled(dropping.state.parse("wpawn-d4", Seat("white")), 0)


def test_a_dropped_piece_of_the_only_kind_is_a_move(dropping: Evening) -> None:
    for text in ("wguard-a3", "bguard-a5", "wguard-c3", "bguard-c5"):
        stand(dropping, text[-2:], "guard")
        dropping.wait(2500)
        dropping.press("confirm")
        (seat,) = dropping.state.seats_to_act()
        dropping.ruled(dropping.state.parse(text, seat), len(dropping.rulings()) - 1)
    asked, number = len(dropping.of("question")), len(dropping.rulings())
    stand(dropping, "h4", "pawn")
    dropping.wait(2500)
    dropping.ruled(dropping.state.parse("wpawn-h4", Seat("white")), number)
    assert len(dropping.of("question")) == asked == 4


def test_a_drop_that_is_said_is_put_from_its_tray(dropping: Evening) -> None:
    assert dropping.bench.table is not None
    labels = dropping.bench.table.choices(Seat("white"))["labels"]
    assert labels["wpawn-d4"] == "Put a piece on d4, from wpawn"
    dropping.bench.say(Seat("white"), "wpawn-d4")
    dropping.wait(500)
    (chore,) = dropping.chores()
    assert (chore["do"], chore["space"]) == ("put", "d4")
    assert dropping.of("chores")[-1]["text"] == ["Put the piece from wpawn on d4."]
    stand(dropping, "d4", "pawn")
    dropping.wait(1000)
    assert dropping.chores() == []


def test_a_piece_where_none_may_be_dropped_is_too_many(dropping: Evening) -> None:
    stand(dropping, "d7", "pawn")
    dropping.wait(6000)
    assert [fault["code"] for fault in dropping.of("fault")] == ["extra-piece"]
    assert dropping.rulings() == []
