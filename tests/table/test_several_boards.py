"""One game on several boards: hands act at home alone, and other boards follow by corrections."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardumpire.errors import JournalError
from boardware.ports import HardwareTrouble
from table.several import NORTH, STILL, Tables
from table.twins import begun, setups, shared_play, unsealed

FIRST, SECOND = setups(3)


@pytest.fixture
def tables() -> Iterator[Tables]:
    """Both armies are set up, each at its own board, and tokens stand for the other one."""
    made = Tables()
    made.set_up(FIRST)
    made.told.clear()
    yield made
    made.bench.close()


def step(tables: Tables, *, attack: bool = False) -> tuple[str, str, str]:
    """A legal move of the seat to move: (seat, origin, target)."""
    (seat,) = tables.state.seats_to_act()
    layout = tables.state.layout()
    for action in sorted(map(str, tables.state.legal_actions(seat))):
        origin, _, target = action.partition("-")
        if target and (target in layout) == attack:
            return seat, origin, target
    raise AssertionError("no such move")


def moved(tables: Tables, seat: str) -> None:
    """That seat makes a quiet move, and everybody obeys."""
    mover, origin, target = step(tables)
    assert mover == seat
    tables.move(mover, origin, target)
    tables.tidy()


def test_what_hands_do_at_one_board_is_asked_for_at_the_other(tables: Tables) -> None:
    seat, origin, target = step(tables)
    tables.move(seat, origin, target)
    assert tables.board().match.guidance.corrections == ()
    assert {(str(chore.kind), chore.space) for chore in tables.board("north").match.guidance.corrections} == {
        ("take", origin),
        ("put", target),
    }
    marks = tables.board("north").display.marks
    assert (marks[origin], marks[target]) == ("take", "put")
    assert all(text.startswith("['Board of Blue:") for text in tables.texts("chores"))
    tables.tidy()
    assert tables.wrong() == {}
    assert tables.state.seats_to_act() == ("blue",)


def test_armies_stand_at_their_own_boards_and_then_tokens_at_the_others() -> None:
    tables = Tables()
    dark = dict(tables.board("north").display.marks)
    tables.hands().set_up("red", FIRST["red"])
    assert tables.board("north").match.guidance.corrections == ()
    shown = tables.board("north").display.marks
    assert {at: mark for at, mark in shown.items() if not at.startswith("turn-")} == {
        at: mark for at, mark in dark.items() if not at.startswith("turn-")
    }, "where Red's pieces stand is seen by nobody else"
    tables.hands("north").set_up("blue", FIRST["blue"])
    for name, other in (("north", "red"), ("", "blue")):
        chores = tables.board(name).match.guidance.corrections
        squares = {piece.partition("=")[0] for piece in FIRST[other].split()[1:]}
        assert {(str(chore.kind), chore.space, chore.seat) for chore in chores} == {
            ("put", square, other) for square in squares
        }
        assert {chore.printed_name for chore in chores} == {""}, "a token has no face"
    tables.tidy()
    assert tables.wrong() == {}
    assert tables.state.seats_to_act() == ("red",)
    tables.bench.close()


def test_the_game_goes_on_when_every_board_is_in_order(tables: Tables) -> None:
    """A reply before the other's piece has been carried is kept, and judged then."""
    tables.move(*step(tables))
    _, origin, target = step(tables)
    before = tables.state
    tables.move("blue", origin, target)
    assert tables.state is before
    assert not {"turn-red", "turn-blue"} & tables.board().display.marks.keys(), "nobody's turn yet"
    tables.tidy("north")
    assert tables.state is not before
    assert tables.state.seats_to_act() == ("red",)
    tables.tidy()
    assert tables.wrong() == {}
    assert "turn-red" in tables.board().display.marks


def test_the_mover_wafor_the_board_that_shows_his_last_move_wrong(tables: Tables) -> None:
    """A child takes a token off Blue's board while Red thinks: that is asked for first."""
    bench = tables.hands("north")
    red = sorted(at for at, there in tables.state.layout().items() if there[0].seat == "red")
    bench.run_until(bench.hands.lift(red[0], bench.now))
    bench.run_until(bench.hands.place("d4", bench.now))
    bench.wait(STILL)
    assert tables.texts("fault") == [
        f"Board of Blue: The piece from {red[0]} is moved at another board: put it back."
    ]
    before = tables.state
    seat, origin, target = step(tables)
    tables.move(seat, origin, target)
    assert tables.state is before
    bench.run_until(bench.hands.lift("d4", bench.now))
    bench.run_until(bench.hands.place(red[0], bench.now))
    tables.wait()
    assert tables.state is not before


def test_an_attack_is_signed_where_attacker_is_at_home(tables: Tables) -> None:
    dice = random.Random(4)
    while True:
        try:
            seat, origin, target = step(tables, attack=True)
            break
        except AssertionError:
            tables.play(dice)
    other = "north" if seat == "red" else ""
    before = tables.state
    away = tables.hands(other)
    away.run_until(away.hands.lift(origin, away.now))  # as if the attack were carried out there
    away.run_until(away.hands.lift(target, away.now))
    away.run_until(away.hands.tap_own_square(origin, away.now))
    away.wait(STILL)
    assert tables.state is before
    away.run_until(away.hands.place(origin, away.now, origin))
    away.run_until(away.hands.place(target, away.now, target))
    tables.tidy()
    tables.move(seat, origin, target)
    assert tables.state is not before
    tables.tidy()
    assert tables.wrong() == {}


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(2))
def test_two_pairs_of_hands_play_twenty_moves(seed: int) -> None:
    tables = Tables(seed=seed)
    tables.set_up(setups(seed)[0])
    dice = random.Random(seed)
    for _ in range(20):
        if tables.state.outcome is None:
            assert tables.wrong() == {}
            tables.play(dice)
    tables.bench.close()


@pytest.mark.nightly
@pytest.mark.parametrize(("driver", "games"), [("bare-sim", 5), ("gpio-sim", 5), ("pico-sim", 1)])
def test_two_pairs_of_hands_play_to_the_end(driver: str, games: int) -> None:
    for seed in range(games):
        tables = Tables(seed=seed, driver=driver)
        tables.set_up(setups(seed)[0])
        dice = random.Random(seed)
        while tables.state.outcome is None:
            assert tables.wrong() == {}
            tables.play(dice)
        assert tables.table.is_over
        tables.bench.close()


# Only hands at home, and only buttons there


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(2))
def test_a_board_that_lies_makes_no_move_for_a_seat_of_another(tables: Tables, seed: int) -> None:
    """It claims that Red's pieces move and attack, and presses its buttons, while Red is to move."""
    dice, before = random.Random(f"lies {seed}"), tables.state
    bench = tables.hands("north")
    red = [at for at, there in before.layout().items() if there[0].seat == "red"]
    steps = [(step.origin, step.target) for step in before.steps()]
    for _ in range(12):
        origin, target = dice.choice(steps)
        occupied = target in bench.world.standing()
        left = [at for at in red if at in bench.world.standing()]
        if origin not in left:
            origin = dice.choice(left)
        if occupied:
            bench.run_until(bench.hands.lift(origin, bench.now))
            bench.run_until(bench.hands.lift(target, bench.now))
            bench.run_until(bench.hands.tap_own_square(origin, bench.now))
            bench.run_until(bench.hands.place(target, bench.now))
        else:
            bench.run_until(bench.hands.lift(origin, bench.now))
            bench.run_until(bench.hands.place(target, bench.now))
        bench.wait(dice.choice((50_000, 400_000, 3_000_000)))
        tables.press("north", dice.choice(sorted(bench.board.buttons)), dice.choice((120, 2500)))
        for held in list(bench.hands.held):
            free = held.origin not in bench.world.standing()
            here = held.origin if free and dice.random() < 0.8 else None
            put = bench.hands.place if here else bench.hands.put_beside_board
            bench.run_until(put(here, bench.now, held.origin) if here else put(bench.now, held.origin))
        assert tables.state.layout() == before.layout()
        assert tables.state.seats_to_act() == ("red",) or tables.state.outcome is not None
    rulings = [each.data for each in tables.told if each.kind == "ruling"]
    assert [each for each in rulings if each["ok"] and each["seat"] == "red"] == []


def test_buttons_of_a_board_never_answer_for_a_seat_of_another(tables: Tables) -> None:
    moved(tables, "red")
    tables.press("north", "confirm", 2500)  # Blue, who is to move, offers a draw
    assert "agree-draw" in {str(action) for action in tables.state.table_actions("red")}
    tables.wait(1_500_000)
    tables.press("north", "confirm")
    assert tables.state.outcome is None
    assert "That seat plays at another board." in str(tables.texts("reminder"))
    tables.press("", "confirm")
    assert tables.state.outcome is not None


def test_a_button_held_down_speaks_for_who_sthere(tables: Tables) -> None:
    assert tables.state.seats_to_act() == ("red",)
    tables.press("north", "cancel", 2500)
    (proposal,) = tables.table.proposals
    assert (proposal.by, proposal.request) == ("blue", "resign")
    tables.wait(1_500_000)
    tables.press("", "confirm")
    assert tables.state.outcome is None, "Red's board doesn't resign for Blue"
    tables.press("north", "confirm")
    assert tables.state.outcome is not None
    assert tables.state.winners() == ("red",)


def test_a_board_is_shut_down_once_the_other_one_agrees(tables: Tables) -> None:
    tables.bench.say("red", "resign")
    tables.wait(1_500_000)
    tables.press("", "confirm")
    assert tables.state.outcome is not None
    tables.wait(1_500_000)
    tables.press("north", "turn", 2500)
    tables.wait(1_500_000)
    tables.press("north", "confirm")
    assert tables.table.take_agreed_request() is None
    tables.wait(1_500_000)
    tables.press("", "confirm")
    agreed = tables.table.take_agreed_request()
    assert agreed is not None
    assert agreed.request == "shut-down"


def test_a_space_is_played_by_hand_at_one_board_alone(tables: Tables) -> None:
    tables.bench.say("blue", "by-hand d4")
    tables.wait(1_500_000)
    tables.bench.say("red", "yes")
    tables.wait()
    assert tables.board("north").match.hand_played_spaces == {"d4"}
    assert tables.board().match.hand_played_spaces == frozenset()


def test_a_phone_answers_what_the_board_of_seat_asks(tables: Tables) -> None:
    """Pieces of Blue have been up together: Blue is asked, and not Red."""
    blue = sorted(at for at, there in tables.state.layout().items() if there[0].seat == "blue")[:2]
    bench = tables.hands("north")
    for at in blue:
        bench.run_until(bench.hands.lift(at, bench.now))
    for at in blue:
        bench.run_until(bench.hands.place(at, bench.now, at))
    bench.wait(STILL)
    asked = tables.board("north").match.guidance.question
    assert asked is not None
    assert asked.code == "same-places"
    with pytest.raises(ValueError, match="Nobody has asked you"):
        tables.bench.say("red", "yes")
    tables.wait(1_500_000)
    tables.bench.say("blue", "yes")
    tables.wait()
    assert tables.board("north").match.guidance.question is None


def test_what_is_asked_about_tokens_is_answered_where_they_stand(tables: Tables) -> None:
    """Tokens of Red have been up together at Blue's board: Red can't know which is which there."""
    red = sorted(at for at, there in tables.state.layout().items() if there[0].seat == "red")[:2]
    bench = tables.hands("north")
    for at in red:
        bench.run_until(bench.hands.lift(at, bench.now))
    for at in red:
        bench.run_until(bench.hands.place(at, bench.now, at))
    bench.wait(STILL)
    asked = tables.board("north").match.guidance.question
    assert asked is not None
    assert (asked.code, asked.seat) == ("same-places", None)
    with pytest.raises(ValueError, match="Nobody has asked you"):
        tables.bench.say("red", "yes")
    tables.wait(1_500_000)
    tables.bench.say("blue", "yes")
    tables.wait()
    assert tables.board("north").match.guidance.question is None


# Lines that break, and power cuts


class Silent:
    """Sensors of a board whose line breaks: nothing is told of it until it is back."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self._told: list[HardwareTrouble] = []
        self._broken = False
        self._known = frozenset[Any]()

    def break_line(self, at: int) -> None:
        self._broken, self._known = True, self._real.present()
        self._told.append(HardwareTrouble(at, "bank-silent", "north", "the line has broken"))

    def mend(self, at: int) -> None:
        self._broken = False
        self._told.append(HardwareTrouble(at, "bank-back", "north", ""))

    def step(self, now: int) -> list[Any]:
        events = list(self._real.step(now))
        told, self._told = self._told, []
        return told if self._broken or told else events

    def present(self) -> frozenset[Any]:
        return self._known if self._broken else self._real.present()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def test_while_a_line_is_broken_both_boards_wait_and_moves_at_home_are_judged_after() -> None:
    tables = Tables(table={"clock": {"kind": "fischer", "base_s": 600, "extra_s": 0}})
    tables.set_up(FIRST)
    moved(tables, "red")
    moved(tables, "blue")
    board = tables.board("north")
    line = Silent(board.ports.sensors)
    board.ports = board.ports._replace(sensors=line)  # type: ignore[arg-type]
    board.match._sensors = line  # type: ignore[assignment]
    assert "turn-red" in tables.board().display.marks
    line.break_line(tables.bench.now)
    tables.bench.runner._step_table(tables.bench.now)
    tables.wait()
    assert "turn-red" not in tables.board().display.marks
    left = tables.table.clocks(tables.bench.now)
    tables.wait(60_000_000)
    assert tables.table.clocks(tables.bench.now) == left, "clocks stand"
    before = tables.state
    seat, origin, target = step(tables)
    tables.move(seat, origin, target)
    assert tables.state is before
    line.mend(tables.bench.now)
    tables.bench.runner._step_table(tables.bench.now)
    tables.wait()
    assert tables.state is not before, "the move that was made meanwhile is judged"
    chores = {(str(chore.kind), chore.space) for chore in board.match.guidance.corrections}
    assert chores == {("take", origin), ("put", target)}
    tables.tidy()
    assert tables.wrong() == {}
    tables.bench.close()


def test_a_power_cut_while_the_other_board_is_out_of_order_loses_nothing(tmp_path: Path) -> None:
    tables = Tables(journal=tmp_path / "journal.sqlite")
    tables.set_up(FIRST)
    tables.bench.say("blue", "by-hand d4")
    tables.wait(1_500_000)
    tables.bench.say("red", "yes")
    tables.wait()
    tables.move(*step(tables))
    layout = tables.state.layout()
    chores = tables.board("north").match.guidance.corrections
    assert chores
    tables.bench.kill()
    tables.bench.start()
    tables.wait()
    assert tables.state.layout() == layout
    assert {chore.space for chore in tables.board("north").match.guidance.corrections} == {
        chore.space for chore in chores
    }
    assert tables.board().match.guidance.corrections == ()
    assert tables.board("north").match.hand_played_spaces == {"d4"}
    assert tables.board().match.hand_played_spaces == frozenset()
    tables.tidy()
    moved(tables, "blue")
    assert tables.wrong() == {}
    tables.bench.close()


def test_a_game_goes_on_with_the_boards_with_which_it_began(tmp_path: Path) -> None:
    tables = Tables(journal=tmp_path / "journal.sqlite")
    tables.set_up(FIRST)
    tables.bench.kill()
    with pytest.raises(JournalError, match=r"further boards north: found south"):
        Tables({"south": frozenset({"blue"})}, journal=tmp_path / "journal.sqlite")


# Twins


class BoardWitness:
    """All that leaves one board of a table and the messages to everybody, with their moments."""

    def __init__(self, setup: dict[str, str], moves: list[tuple[str, str, str]], at: str) -> None:
        self.seen: list[str] = []
        self.tables = Tables(driver="gpio-sim", lamp_driver="neopixel-pwm-sim")
        self.lit: object = None
        bench = self.tables.bench
        bench.runner._turned = lambda now: self._look(at, now)
        for seat, text in setup.items():
            bench.home(seat).set_up(seat, text)
        self.tables.tidy()
        for mover, origin, target in moves:
            self.tables.move(mover, origin, target)
            self.tables.tidy()
        self.public = [unsealed(json.dumps(each.json())) for each in self.tables.told if each.seat is None]
        self.heard = [str(heard) for heard in bench.at(at).world.buzzer_tones]
        bench.close()

    def _look(self, at: str, now: int) -> None:
        bench = self.tables.hands(at)
        lit = bench.world.copper.lamps()
        if lit != self.lit:
            self.lit = lit
            self.seen.append(f"{now} {sorted(lit.items())}")


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(2))
def test_a_board_shows_the_same_of_armies_that_look_alike(seed: int) -> None:
    """Blue's ranks alone differ: Red's board, its buzzer and all public messages are equal to the byte."""
    first, second = setups(seed)
    moves = shared_play(begun(first), begun(second), seed, 6)
    assert moves
    one, other = (BoardWitness(setup, moves, "") for setup in (first, second))
    assert one.seen == other.seen
    assert one.public == other.public
    assert one.heard == other.heard
    assert len(one.seen) > 20


def test_a_seat_of_no_further_board_is_at_home_at_the_first() -> None:
    tables = Tables()
    homes = {board.name: board.home for board in tables.table.boards}
    assert homes == {"": {"red"}, "north": NORTH["north"]}
    tables.bench.close()
