"""Clocks: what a turn costs and gives, when they stand still, and that they tell no secret."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.errors import JournalError
from boardumpire.journal import verification
from boardumpire.journal.journal import Store
from boardumpire.journal.records import list_game_lines
from boardumpire.journal.sealing import load_key
from boardumpire.makers.traces.replaying import replay
from boardumpire.makers.traces.trace import parse
from boardumpire.ruling import clocks
from boardumpire.ruling.clocks import ClockTerms, GameClocks
from boardumpire.table.opening import open_table
from boardware.ports import MS, SECOND
from table.twins import Witness, begun, setups, shared_play

SETUPS = {
    "red": "setup a1=F b1=B a2=B c3=S d3=3 e2=3 a3=2 g3=2 e3=10 h3=9",
    "blue": "setup a8=F b8=B a7=B c6=S d6=3 e7=3 b6=2 h6=2 e6=10 g6=9",
}
MINUTE = {"kind": "fischer", "base_s": 60, "extra_s": 10}


def after(terms: ClockTerms, *spans: int) -> GameClocks:
    """Red and Blue in turn, each taking so many seconds."""
    found = clocks.begin_clocks(terms, ("red", "blue")).after_turn("red")
    for number, span in enumerate(spans):
        found = found.after_running(span * SECOND).after_turn(("blue", "red")[number % 2])
    return found


def seconds(found: GameClocks) -> tuple[int, int]:
    return found.time_left_for("red") // SECOND, found.time_left_for("blue") // SECOND


def test_fischer_gives_the_same_after_every_turn() -> None:
    assert seconds(after(ClockTerms("fischer", 60 * SECOND, 10 * SECOND), 4, 25, 12)) == (64, 45)


def test_bronstein_gives_back_what_a_turn_took_and_no_more_than_the_delay() -> None:
    assert seconds(after(ClockTerms("bronstein", 60 * SECOND, 10 * SECOND), 4, 25, 12)) == (58, 45)


def test_a_turn_has_its_own_limit_whatever_the_last_one_took() -> None:
    found = after(ClockTerms("turn", 20 * SECOND), 19, 3)
    assert seconds(found)[0] == 20
    assert seconds(found.after_running(7 * SECOND))[0] == 13


@pytest.mark.parametrize("kind", clocks.KINDS[1:])
def test_who_is_asked_in_anothers_turn_uses_its_own_time_and_spends_nothing_of_that_turn(kind: str) -> None:
    found = after(ClockTerms(kind, 60 * SECOND, 10 * SECOND), 4, 59)  # Red is to move
    spent, red = found.turn_time_spent, seconds(found)[0]
    asked = found.with_answer_limit("blue").after_running(20 * SECOND, "blue")
    assert asked.turn_time_spent == spent
    assert seconds(asked)[0] == red
    before = seconds(found)[1] if kind != "turn" else 60  # an answer has the limit of a turn
    assert seconds(asked)[1] == max(0, before - 20)
    assert seconds(found.with_answer_limit("red").after_running(5 * SECOND, "red")) == seconds(
        found.after_running(5 * SECOND)
    )


@given(
    st.sampled_from(clocks.KINDS[1:]),
    st.lists(st.integers(0, 40_000_000), max_size=12),
    st.integers(0, 40_000_000),
)
def test_a_turn_that_is_taken_back_leaves_everybody_what_they_had_when_it_began(
    kind: str, spans: list[int], last: int
) -> None:
    terms = ClockTerms(kind, 60 * SECOND, 10 * SECOND)
    found = after(terms)
    for number, span in enumerate(spans):
        found = found.after_running(span).after_turn(("blue", "red")[number % 2])
    assert found.seat_on_turn is not None
    other = "blue" if found.seat_on_turn == "red" else "red"
    assert (
        found.after_running(last).after_turn(other).after_running(last).after_take_back(found.seat_on_turn)
        == found
    )


@given(
    st.lists(st.integers(0, 10**12), min_size=2, max_size=2),
    st.integers(0, 10**9),
    st.sampled_from(clocks.KINDS[1:]),
)
def test_what_is_noted_down_reads_back(left: list[int], spent: int, kind: str) -> None:
    terms = ClockTerms(kind, 10**9, 5)
    found = clocks.begin_clocks(terms, ("red", "blue")).with_noted_times(
        {"red": left[0], "blue": left[1]}, spent
    )
    assert clocks.from_note(clocks.begin_clocks(terms, ("red", "blue")), clocks.to_note(found)) == found
    assert clocks.parse_terms(str(terms)) == terms


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "found nothing, expected red, blue, spent"),
        ("red=5 blue=6", "found red, blue, expected red, blue, spent"),
        ("red=5 blue=6 green=7 spent=0", "found red, blue, green, spent, expected red, blue, spent"),
        ("red=-5 blue=6 spent=0", "found 'red=-5', expected a seat or spent, =, and a span"),
        ("red=5 blue=6=7 spent=0", "found 'blue=6=7', expected"),
        ("red=5 blue=\u0665 spent=0", "found 'blue=\u0665', expected"),
        ("red=5 blue=" + "9" * 5000 + " spent=0", "found 'blue=9999"),
    ],
)
def test_a_note_that_no_clock_wrote_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(said)):
        clocks.from_note(clocks.begin_clocks(ClockTerms("turn", 10**9), ("red", "blue")), text)


@pytest.mark.parametrize(
    "text",
    ["", "turn 5", "sand 5 5", "none 0 0", "turn 0 0", "turn -5 5", "turn \u0665 5", "turn 5 " + "9" * 5000],
)
def test_terms_that_nobody_wrote_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected one of fischer, bronstein, turn and two spans"):
        clocks.parse_terms(text)


@pytest.mark.few(1)
@pytest.mark.parametrize("note", ["left red=-5", "clock sand 5 5"])
def test_a_journal_whose_note_of_the_clocks_is_damaged_is_told_by_its_entry(
    timed: Callable[..., Timed], tmp_path: Path, note: str
) -> None:
    path = tmp_path / "journal.sqlite"
    game = timed(MINUTE, journal=path)
    game.bench.wait(12 * SECOND)
    game.bench.kill()
    with contextlib.closing(Store.open(path, load_key(tmp_path / "key" / "board.key"))) as journal:
        seq = journal.append_entry(1, kind="note", seat="", text=note, secret=False, events=(), at_ms=0).seq
    with pytest.raises(JournalError, match=f"^entry {seq}: {note.partition(' ')[0]}: found "):
        game.bench.start()


class Timed:
    """A game on a bench in which Red is to move, with the clock of `clock`."""

    def __init__(
        self, clock: dict[str, Any], journal: Path | None = None, factory: Any = None, settle_ms: int = 350
    ) -> None:
        self.told: list[dict[str, Any]] = []
        table = {"clock": clock, "settle_ms": settle_ms}
        setting = BenchSettings(lamp_driver="neopixel-pwm-sim", journal=journal, bounce=False, table=table)
        self.bench = Bench(
            setting, factory or TableFactory(), told=lambda message: self.told.append(message.json())
        )
        self.bench.start()
        for seat, text in SETUPS.items():
            self.bench.set_up(seat, text)
        self.bench.wait(MS)

    @property
    def table(self) -> Any:
        assert self.bench.table is not None
        return self.bench.table

    def left(self, seat: str) -> float:
        found: int = self.table.clocks(self.bench.now)["left_ms"][seat]
        return found / 1000

    @property
    def runs(self) -> str | None:
        seat: str | None = self.table.clocks()["runs"]
        return seat

    def move(self, origin: str, target: str, settle: int = 400 * MS) -> None:
        self.bench.run_until(self.bench.hands.lift(origin, self.bench.now))
        self.bench.run_until(self.bench.hands.place(target, self.bench.now))
        self.bench.wait(settle)

    def over(self) -> list[dict[str, Any]]:
        return [message for message in self.told if message["kind"] == "over"]


@pytest.fixture
def timed() -> Iterator[Callable[..., Timed]]:
    made: list[Timed] = []

    def make(clock: dict[str, Any], **how: Any) -> Timed:
        made.append(Timed(clock, **how))
        return made[-1]

    yield make
    for each in made:
        each.bench.close()


def test_without_terms_there_is_no_clock() -> None:
    game = Timed({})
    assert game.table.clocks() is None
    game.bench.close()


def test_a_turn_counts_up_to_what_was_felt_not_to_its_ruling(timed: Callable[..., Timed]) -> None:
    game = timed({"kind": "bronstein", "base_s": 60, "extra_s": 0})
    assert game.runs == "red"
    game.bench.wait(20 * SECOND)
    assert game.left("red") == pytest.approx(40, abs=0.3)
    game.bench.run_until(game.bench.hands.lift("h3", game.bench.now))
    game.bench.run_until(game.bench.hands.place("h4", game.bench.now))
    placed = game.left("red")
    game.bench.wait(SECOND)
    assert game.runs == "blue"
    assert abs(placed - game.left("red")) < 0.1, "the settle time of 350 ms is nobody's"


def test_who_lets_time_run_out_has_lost(timed: Callable[..., Timed]) -> None:
    game = timed(MINUTE)
    game.bench.wait(59 * SECOND)
    assert game.over() == []
    game.bench.wait(2 * SECOND)
    (over,) = game.over()
    assert (over["winner"], over["reason"]) == ("blue", "time")
    assert game.left("red") == 0
    assert "clock time red" in " ".join(game.table.export_record().split())


def test_what_was_felt_in_time_is_in_time_though_it_is_ruled_on_afterwards(
    timed: Callable[..., Timed],
) -> None:
    game = timed(MINUTE)
    hands = game.bench.hands
    game.bench.wait(58 * SECOND)
    game.bench.run_until(hands.lift("h3", game.bench.now))
    game.bench.wait(round(game.left("red") * SECOND) - 600 * MS)
    game.bench.run_until(hands.place("h4", game.bench.now))
    left = game.left("red")
    assert 0 < left < 0.35, "less than the settle time is left when the piece stands"
    game.bench.wait(SECOND)
    assert game.over() == []
    assert game.runs == "blue"
    assert game.left("red") == pytest.approx(left + 10, abs=0.1)


def test_what_is_felt_in_time_but_goes_on_afterwards_is_too_late(timed: Callable[..., Timed]) -> None:
    game = timed(MINUTE, settle_ms=2000)
    hands = game.bench.hands
    game.bench.wait(58 * SECOND)
    game.bench.run_until(hands.lift("h3", game.bench.now))
    game.bench.wait(round(game.left("red") * SECOND) - 500 * MS)
    game.bench.run_until(hands.place("h4", game.bench.now))
    assert game.left("red") > 0
    game.bench.run_until(hands.lift("h4", game.bench.now))
    game.bench.wait(200 * MS)
    assert game.left("red") == 0
    assert [over["reason"] for over in game.over()] == ["time"]


def test_clocks_stand_while_the_chores_of_a_battle_are_done(timed: Callable[..., Timed]) -> None:
    game = timed(MINUTE)
    hands = game.bench.hands
    game.bench.run_until(hands.lift("g3", game.bench.now))
    game.bench.run_until(hands.lift("g6", game.bench.now))
    game.bench.run_until(hands.tap_own_square("g3", game.bench.now))
    game.bench.wait(SECOND)
    assert game.table.guidance.corrections, "the Scout has fallen, the General stands again"
    assert game.runs is None
    before = game.left("red"), game.left("blue")
    game.bench.wait(30 * SECOND)
    assert (game.left("red"), game.left("blue")) == before
    game.bench.run_until(hands.place("g6", game.bench.now, "g6"))
    game.bench.wait(SECOND)
    assert game.runs == "blue"


def test_a_clock_runs_on_while_its_own_side_puts_back_what_was_refused(timed: Callable[..., Timed]) -> None:
    game = timed(MINUTE)
    game.move("d3", "d5")  # a Miner goes one step
    assert game.table.guidance.corrections
    assert game.runs == "red"
    game.bench.wait(10 * SECOND)
    assert game.left("red") < 50


def test_a_clock_stands_while_the_other_side_puts_back_what_it_moved_out_of_turn(
    timed: Callable[..., Timed],
) -> None:
    game = timed(MINUTE)
    game.move("g6", "g5")
    assert game.table.guidance.corrections
    assert game.runs is None


@pytest.mark.parametrize("wish", ["adjourn", "by-hand h3"])
def test_what_the_seat_to_move_proposes_itself_stops_no_clock(timed: Callable[..., Timed], wish: str) -> None:
    """Else a wish would be a way to think for nothing; hands may move while others make up their minds."""
    game = timed(MINUTE)
    game.bench.say("red", wish)
    game.bench.wait(10 * SECOND)
    assert game.table.newest_proposal.seats_asked == {"blue"}
    assert game.runs == "red"
    assert game.left("red") < 51
    game.move("h3", "h4")
    assert game.runs == "blue", "who alone is asked, and is to move, is the only one waited for"


def test_no_proposal_stops_a_clock_whoever_makes_it(timed: Callable[..., Timed]) -> None:
    game = timed(MINUTE)
    game.table.propose_request("blue", "move-seat blue", game.bench.now, all_of_them=True)
    game.bench.wait(SECOND)
    assert game.table.newest_proposal.seats_asked == {"red", "blue"}
    assert game.runs == "red"
    game.bench.say("blue", "no move-seat blue")
    game.bench.say("blue", "adjourn")
    game.bench.wait(SECOND)
    assert game.runs == "red", "an answer kept back buys no time"
    game.bench.say("red", "no adjourn")
    hands = game.bench.hands
    for button in ("cancel", "turn"):
        game.bench.run_until(hands.hold(button, 2500 * MS, game.bench.now))
    assert game.table.newest_proposal.request == "shut-down"
    game.bench.wait(SECOND)
    assert game.runs == "red"


def test_who_keeps_back_the_answer_to_a_take_back_uses_up_time(
    timed: Callable[..., Timed],
) -> None:
    game = timed(MINUTE)
    game.move("h3", "h4")
    game.bench.say("red", "ask-take-back")
    game.bench.wait(10 * SECOND)
    assert game.runs == "blue"
    assert game.left("blue") < 51


def fiddle(game: Timed, *homes: str) -> None:
    """Lift these pieces together and set them down where they were."""
    hands, bench = game.bench.hands, game.bench
    for home in homes:
        bench.run_until(hands.lift(home, bench.now))
    bench.wait(400 * MS)
    for home in homes:
        bench.run_until(hands.place(home, bench.now, home))
    bench.wait(SECOND)
    assert game.table.guidance.question.code == "same-places"


@pytest.mark.parametrize(
    "clock",
    [
        MINUTE,
        {"kind": "bronstein", "base_s": 60, "extra_s": 5},
        {"kind": "turn", "turn_s": 60},
    ],
    ids=["fischer", "bronstein", "turn"],
)
def test_the_other_side_freezes_no_game_by_a_question_that_it_leaves_open(
    timed: Callable[..., Timed], clock: dict[str, Any]
) -> None:
    """Its own clock runs; what the question doesn't touch is judged; at last it loses by time."""
    game = timed(clock)
    red = game.left("red")
    fiddle(game, "d6", "e6")
    assert game.runs == "blue", "who is asked is waited for"
    game.bench.wait(20 * SECOND)
    assert game.left("blue") < 41
    assert game.left("red") > red - 5
    game.move("h3", "h4")
    assert game.runs == "blue"
    game.bench.wait(SECOND)
    fiddled = game.table.guidance.question
    assert fiddled.seat == "blue", "it is asked again"
    game.bench.wait(90 * SECOND)
    assert [over["winner"] for over in game.over()] == ["red"]


@pytest.mark.parametrize("lifted", [("d6", "e6"), ("d3", "e3")], ids=["in-the-other-s-turn", "in-his-own"])
def test_who_keeps_pieces_off_the_board_uses_his_own_time(
    timed: Callable[..., Timed], lifted: tuple[str, str]
) -> None:
    """Nothing is judged meanwhile: the clocks stood for ever."""
    game = timed(MINUTE)
    for home in lifted:
        game.bench.run_until(game.bench.hands.lift(home, game.bench.now))
    game.bench.wait(25 * SECOND)
    assert {chore.space for chore in game.table.guidance.corrections} == {*lifted}
    who, other = ("blue", "red") if "d6" in lifted else ("red", "blue")
    assert game.runs == who
    game.bench.wait(90 * SECOND)
    assert [over["winner"] for over in game.over()] == [other]


def test_pieces_of_both_sides_that_fell_over_take_nobodys_time(timed: Callable[..., Timed]) -> None:
    """Until those of one side are back: the other one's clock runs then."""
    game = timed(MINUTE)
    hands, bench = game.bench.hands, game.bench
    for home in ("d3", "d6", "e6"):
        bench.run_until(hands.lift(home, bench.now))
    bench.wait(25 * SECOND)
    assert game.table.guidance.corrections
    assert game.runs is None
    bench.run_until(hands.place("d3", bench.now, "d3"))
    bench.wait(2 * SECOND)
    assert game.runs == "blue"
    for home in ("d6", "e6"):
        bench.run_until(hands.place(home, bench.now, home))
    bench.wait(2 * SECOND)
    assert game.table.guidance.corrections == ()


def test_who_keeps_back_who_is_attacked_loses_by_time(timed: Callable[..., Timed]) -> None:
    game = timed(MINUTE)
    hands, bench = game.bench.hands, game.bench
    fiddle(game, "d6", "e6")
    bench.run_until(hands.lift("e3", bench.now))
    assert game.runs == "red"
    bench.run_until(hands.lift("e6", bench.now))
    bench.wait(400 * MS)
    bench.run_until(hands.tap_own_square("e3", bench.now))
    bench.wait(SECOND)
    assert game.table.guidance.question.code == "same-places"
    assert game.runs == "blue"
    bench.wait(90 * SECOND)
    assert [over["winner"] for over in game.over()] == ["red"]


def test_a_mover_who_is_asked_about_its_own_pieces_uses_its_own_time(timed: Callable[..., Timed]) -> None:
    game = timed(MINUTE)
    fiddle(game, "d3", "e3")
    game.bench.wait(90 * SECOND)
    assert [over["winner"] for over in game.over()] == ["blue"]


def test_a_piece_that_is_held_up_until_it_is_asked_about_stops_no_clock(timed: Callable[..., Timed]) -> None:
    game = timed(MINUTE)
    game.move("e3", "e4")
    game.move("e6", "e5")
    game.bench.run_until(game.bench.hands.lift("e4", game.bench.now))
    game.bench.wait(25 * SECOND)
    assert game.table.guidance.question.code == "attack-here"
    assert game.runs == "red"


def test_a_take_back_gives_back_the_time_too(timed: Callable[..., Timed]) -> None:
    game = timed(MINUTE)
    before = game.left("red"), game.left("blue")
    game.bench.wait(15 * SECOND)
    game.move("h3", "h4")
    game.bench.wait(5 * SECOND)
    assert (game.left("red"), game.left("blue")) != before
    game.bench.say("red", "ask-take-back")
    game.bench.wait(MS)
    assert game.runs == "blue"
    game.bench.say("blue", "agree-take-back")
    game.bench.wait(MS)
    assert game.runs is None, "the piece has to go back first"
    game.move("h4", "h3")
    assert game.runs == "red"
    assert game.left("red") == pytest.approx(before[0], abs=0.5)
    assert game.left("blue") == pytest.approx(before[1], abs=0.1)


@pytest.mark.slow
def test_a_wall_clock_that_jumps_costs_nobody_time_and_the_journal_nothing(
    timed: Callable[..., Timed], tmp_path: Path
) -> None:
    """A Pi has no clock of its own: after a cut it may start in 1970, in the month before, or far ahead."""
    year = 365 * 24 * 3600 * 1000
    walls = iter([56 * year, 0, 55 * year, 130 * year, 56 * year])
    factory = TableFactory(lambda **given: open_table(**given | {"wall_ms": next(walls)}))
    path = tmp_path / "journal.sqlite"
    game = timed(MINUTE, journal=path, factory=factory)
    for here, there in (("h3", "h4"), ("g6", "g5"), ("h4", "h3"), ("g5", "g6")):
        game.move(here, there)
        game.bench.wait(3 * SECOND)
        left = game.left("red"), game.left("blue")
        game.bench.kill()
        game.bench.start()
        for before, now in zip(left, (game.left("red"), game.left("blue")), strict=True):
            assert before <= now <= before + 10.001, "noted every ten seconds"
    game.bench.kill()
    verdict = verification.verify_copies(path)
    assert verdict.is_intact, verdict
    with contextlib.closing(Store.open_read_only(path)) as journal:
        assert [line[:22] for line in list_game_lines(journal)] == ["1  2025-12-18 00:00  s"]
        times = [entry.at_ms for entry in journal.public_entries(1)]
        assert times != sorted(times), "the clock jumped, and what was told stands in its order all the same"


def test_time_survives_a_power_cut_and_waits_for_a_sign_afterwards(
    timed: Callable[..., Timed], tmp_path: Path
) -> None:
    game = timed(MINUTE, journal=tmp_path / "journal.sqlite")
    game.bench.wait(12 * SECOND)
    game.move("h3", "h4")
    game.bench.wait(25 * SECOND)
    red, blue = game.left("red"), game.left("blue")
    game.bench.kill()
    game.bench.wait(60 * SECOND)
    game.bench.start()
    assert game.runs is None, "nobody may be there"
    assert game.left("red") == pytest.approx(red, abs=0.001)
    assert blue <= game.left("blue") <= blue + 10.001, "noted every ten seconds"
    game.bench.wait(20 * SECOND)
    assert game.runs is None
    game.bench.run_until(game.bench.hands.lift("g6", game.bench.now))
    game.bench.wait(SECOND)
    assert game.runs == "blue"


def test_what_is_left_is_in_the_journal_before_the_action_that_ends_the_turn(
    timed: Callable[..., Timed], tmp_path: Path
) -> None:
    """Whenever the power goes after a ruling was told, no second of its turn is given back."""
    game = timed(MINUTE, journal=tmp_path / "journal.sqlite")
    game.bench.wait(17 * SECOND)  # seven seconds after the last note of a running clock
    game.move("h3", "h4")
    red = game.left("red")
    game.bench.kill()
    with contextlib.closing(Store.open_read_only(tmp_path / "journal.sqlite")) as store:
        texts = [entry.text for entry in store.public_entries(1)]
    noted = texts[texts.index("h3-h4") - 1]
    assert noted.startswith("left red=")
    left = int(noted.split()[1].partition("=")[2])
    assert left / SECOND + 10 == pytest.approx(red, abs=0.001), "but for what the turn adds"
    game.bench.start()


def test_a_take_back_gives_back_the_time_also_after_a_power_cut(
    timed: Callable[..., Timed], tmp_path: Path
) -> None:
    game = timed(MINUTE, journal=tmp_path / "journal.sqlite")
    before = game.left("red")
    game.bench.wait(12 * SECOND)
    game.move("h3", "h4")
    game.bench.wait(3 * SECOND)
    game.bench.kill()
    game.bench.start()
    game.bench.say("red", "ask-take-back")
    game.bench.say("blue", "agree-take-back")
    game.bench.wait(MS)
    assert game.left("red") == pytest.approx(before, abs=0.01)
    assert game.left("blue") == 60


def test_lamps_and_a_word_say_that_time_is_short(timed: Callable[..., Timed]) -> None:
    game = timed({"kind": "turn", "turn_s": 20})
    assert game.table.marks["clock-red"] == "clock-runs"
    assert game.table.marks["turn-red"] == "turn-red"
    game.bench.wait(16 * SECOND)
    assert game.table.marks["clock-red"] == game.table.marks["turn-red"] == "time-short"
    (short,) = [message for message in game.told if message["kind"] == "clock"]
    assert (short["seat"], short["left_ms"]) == ("red", 5000)
    game.move("h3", "h4")
    game.bench.wait(SECOND)
    assert game.table.marks["clock-blue"] == "clock-runs"
    assert game.left("blue") > 18


def test_a_trace_of_a_timed_game_replays_to_the_same_rulings() -> None:
    lines: list[str] = []
    game = Timed(MINUTE, factory=TableFactory().traced(lambda: lines.append, "gpio-sim"))
    game.move("h3", "h4")
    game.bench.wait(70 * SECOND)
    assert [over["winner"] for over in game.over()] == ["red"]
    game.bench.close()
    text = "".join(lines)
    assert '"reason": "time"' in text
    assert replay(parse(text, "timed")).count("told") == text.count("told")


@pytest.mark.few(1)
@pytest.mark.parametrize("clock", [MINUTE, {"kind": "turn", "turn_s": 5}], ids=["fischer", "turn"])
@settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_clocks_of_twin_games_look_alike(clock: dict[str, Any], seed: int) -> None:
    """Games that differ in blue's hidden ranks alone: equal words, lamps, moments, and equal time left."""
    first, second = setups(seed)
    moves = shared_play(begun(first), begun(second), seed, turns=8)
    witnesses = []
    for setup in (first, second):
        witness = Witness(setup, seed, table={"clock": clock})
        table: Any = witness.bench.table
        for _, origin, target in moves:
            if not table.is_over:
                witness.carry(origin, target)
        witness.left = [json.dumps(table.clocks(witness.bench.now))]
        witness.bench.close()
        witnesses.append(witness)
    one, two = witnesses
    assert one.public == two.public
    assert one.private == two.private
    assert one.told["red"] == two.told["red"]
    assert one.left == two.left
