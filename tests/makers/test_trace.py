"""Traces: what came into a table makes it rule the same again, anywhere."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from boardsim.bench.bench import Bench, BenchSettings
from boardsim.people.play_record import play_record
from boardumpire.cli import main
from boardumpire.commands.table_factory import TableFactory
from boardumpire.makers.traces import replaying, timeline, trace
from boardumpire.makers.traces.recorder import TraceRecorder
from boardumpire.makers.traces.tracing import open_traced_table
from boardumpire.tags import tag_roster
from daemon.service import Service
from daemon.test_daemon import first_setup, stand_armies
from sim.games import random_record
from table.twins import setups
from tags.games import PADS, TagPlayer
from tags.games import setting as tag_setting

TRACES = Path(__file__).resolve().parent.parent / "traces"
BOARDUMPIRE = Path(sys.executable).with_name("boardumpire")


def played(driver: str, seed: int = 3, longest: int = 24) -> str:
    """The trace of a game that random hands played."""
    lines: list[str] = []
    record = random_record(seed, longest=longest)
    play_record(
        record, BenchSettings(driver=driver, seed=seed), TableFactory().traced(lambda: lines.append, driver)
    )
    return "".join(lines)


@pytest.fixture(scope="module")
def text() -> str:
    return played("gpio-sim")


@pytest.mark.parametrize("path", sorted(TRACES.glob("*.trace")), ids=lambda path: path.stem)
def test_a_trace_in_tests_traces_is_judged_as_it_says(path: Path) -> None:
    """Dropping a file into tests/traces is all it takes."""
    text = path.read_text()
    differs = replaying.first_difference(text, replaying.replay(trace.parse(text, str(path))))
    assert differs is None, f"{path}: {differs}"


@pytest.mark.slow
@pytest.mark.parametrize("driver", ["gpio-sim", "rpigpio-sim", "pico-sim"])
def test_a_trace_of_any_driver_replays_bit_for_bit_in_another_process(driver: str, tmp_path: Path) -> None:
    path, again = tmp_path / "game.trace", tmp_path / "again.trace"
    path.write_text(played(driver))
    done = subprocess.run(
        [BOARDUMPIRE, "trace", "replay", path, "--write", again], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert again.read_text() == path.read_text()
    assert "told" in path.read_text(), "there was something to compare"


@pytest.mark.nightly
@pytest.mark.parametrize("driver", ["gpio-sim", "rpigpio-sim", "pico-sim"])
def test_the_traces_of_twelve_games_replay_bit_for_bit(
    driver: str, tmp_path: Path, record_property: Any
) -> None:
    """Random games, each replayed by the command in another process: every line is the same again."""
    turns = rulings = 0
    for seed in range(12):
        path, again = tmp_path / f"{seed}.trace", tmp_path / f"{seed}.again"
        path.write_text(played(driver, 50 + seed, 60))
        subprocess.run(
            [BOARDUMPIRE, "trace", "replay", path, "--write", again], check=True, capture_output=True
        )
        assert again.read_text() == path.read_text()
        turns += path.read_text().count("\nturn ")
        rulings += path.read_text().count('told ["ruling"')
    record_property("seeds", "50 to 61")
    record_property("turns of the table", turns)
    record_property("rulings", rulings)


@pytest.mark.slow
def test_a_trace_of_a_board_that_reads_tags_replays_and_holds_no_id_of_a_tag() -> None:
    """Armies learnt from tags: what was read is secret, and tags are numbers of the trace alone."""
    lines: list[str] = []
    record = random_record(6, longest=6)
    factory = TableFactory().traced(lambda: lines.append, "gpio-sim")
    player = TagPlayer(tag_setting(PADS, game=record.game, options=record.options), factory, Bench)
    player.play(record.actions)
    games = player.bench.board.games
    listed = tag_roster.parse(
        player.bench.tags.box.enrolment_list(games), tag_roster.hand_set_armies(games), "tags"
    )
    player.bench.close()
    text = "".join(lines)
    assert text.count("\nread *") >= 20
    assert "roster *1" in text
    assert not any(tag.uid.hex() in text for tag, _ in listed)
    assert replaying.replay(trace.parse(text, "x")) == text


@pytest.mark.slow
def test_whatever_is_changed_in_what_was_told_is_found(text: str) -> None:
    """Every single line of what went out is compared, and every line of what came in is used."""
    lines = text.splitlines(keepends=True)
    outward = [n for n, line in enumerate(lines) if line.startswith(("told", "marks a", "marks b"))]
    for number in random.Random(1).sample(outward, 12):
        changed = [*lines[:number], *lines[number + 1 :]]
        assert (
            replaying.first_difference("".join(changed), replaying.replay(trace.parse(text, "x"))) is not None
        )
    first_lift = next(n for n, line in enumerate(lines) if line.startswith("lifted"))
    without = "".join([*lines[:first_lift], *lines[first_lift + 1 :]])
    assert replaying.first_difference(text, replaying.replay(trace.parse(without, "x"))) is not None


def test_turns_that_are_left_out_changed_nothing() -> None:
    """A driver turned at every scan gives the trace of one turned where something happens."""
    texts = []
    for jump in (True, False):
        lines: list[str] = []
        bench = Bench(
            BenchSettings(seed=5), TableFactory().traced(lambda into=lines: into.append, "x"), jump=jump
        )
        bench.start()
        for seat in ("red", "blue"):
            bench.set_up(seat, first_setup(seat))
        home = next(iter(bench.world.standing()))
        bench.run_until(bench.hands.lift(home, bench.now))
        bench.wait(1_000_000)
        bench.run_until(bench.hands.place(home, bench.now))
        bench.wait(3_000_000)
        bench.close()
        texts.append("".join(lines))
    assert texts[0] == texts[1]


def open_bench(lines: list[str], journal: Path | None = None) -> Bench:
    """A bench whose traces hide what seats hide."""

    def opening(**given: Any) -> Any:
        return open_traced_table(**given, recorder=TraceRecorder(lines.append), sensors="gpio-sim")

    bench = Bench(BenchSettings(journal=journal, bounce=False), TableFactory(opening))
    bench.start()
    return bench


def set_up(bench: Bench, texts: dict[str, str]) -> None:
    for seat, text in texts.items():
        with pytest.raises(ValueError, match=r"\w"):
            bench.say(seat, text.replace("=F", "=FF", 1))  # a slip of the fingers is as secret
        bench.set_up(seat, text)


def test_a_trace_tells_no_set_up_before_the_game_is_over_and_all_of_it_then() -> None:
    """Traces of twin games, which differ in what is hidden alone, are equal until the end."""
    twins: list[list[str]] = [[], []]
    ends = []
    for lines, texts in zip(twins, setups(4), strict=True):
        bench = open_bench(lines)
        set_up(bench, texts)
        assert not re.search(r"=(F|10|9|S|B)\b", "".join(lines))
        ends.append(len(lines))
        bench.say("red", "resign")
        bench.wait(1_000_000)
        bench.close()
        assert f"secret 2 {texts['red']}\n" in lines
        assert replaying.replay(trace.parse("".join(lines), "x")) == "".join(lines)
    assert twins[0][: ends[0]] == twins[1][: ends[1]]


def test_a_game_that_goes_on_from_a_journal_is_replayed_from_there(tmp_path: Path) -> None:
    lines: list[str] = []
    texts = setups(4)[0]
    bench = open_bench([], tmp_path / "journal.db")
    set_up(bench, texts)
    bench.kill()
    bench = _again(bench, lines)
    bench.say("red", "resign")
    bench.wait(1_000_000)
    bench.close()
    read = trace.parse("".join(lines), "x")
    assert [(entry["seat"], entry["text"]) for entry in read.earlier_entries] == [
        ("red", "*1"),
        ("blue", "*2"),
    ]
    assert replaying.replay(read) == "".join(lines)


def _again(bench: Bench, lines: list[str]) -> Bench:
    def opening(**given: Any) -> Any:
        return open_traced_table(**given, recorder=TraceRecorder(lines.append), sensors="gpio-sim")

    bench._factory._open = opening  # type: ignore[attr-defined]
    bench.start()
    return bench


def test_a_secret_that_was_never_told_is_named() -> None:
    lines: list[str] = []
    bench = open_bench(lines)
    set_up(bench, setups(4)[0])
    bench.close()
    with pytest.raises(trace.TraceError, match=r"x:\d+: a secret \(\*1\) that no line tells; try"):
        replaying.replay(trace.parse("".join(lines), "x"))


def test_a_daemon_records_what_another_process_replays(tmp_path: Path) -> None:
    """In real time, with the journal written by a thread: when it was done is part of the trace."""
    path = tmp_path / "made.trace"
    service = Service(tmp_path)
    try:
        service.start(["trace", "record", path])
        stand_armies(service)
        for seat in ("red", "blue"):
            assert service.ask("say", seat=seat, text=first_setup(seat)) == {"ok": True}
        service.until(lambda: any(told["kind"] == "turn" for told in service.messages))
        service.do(service.hands.lift, first_setup("red").split()[3].partition("=")[0])
        assert service.ask("say", seat="red", text="resign") == {"ok": True}
        service.until(lambda: any(told["kind"] == "over" for told in service.messages))
        assert service.end(signal.SIGTERM) == 0
    finally:
        service.close()
    assert path.stat().st_mode & 0o777 == 0o600
    assert "written" in path.read_text()
    assert main(["trace", "replay", str(path)]) == 0


def test_a_trace_is_written_over_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from boardumpire.makers.traces.recording import TraceFiles

    files = TraceFiles(tmp_path / "a.trace")
    files.open_next()("x\n")
    (tmp_path / "a-2.trace").write_text("mine")
    with pytest.raises(trace.TraceError, match=r"a-2\.trace: File exists; try another file"):
        files.open_next()
    files.close()
    assert (tmp_path / "a.trace").read_text() == "x\n"


def test_a_trace_that_cannot_be_written_any_more_ends_and_the_game_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    lines: list[str] = []

    def full(line: str) -> None:
        if len(lines) > 40:
            raise OSError(28, "No space left on device")
        lines.append(line)

    record = random_record(3, longest=3)
    play_record(record, BenchSettings(), TableFactory().traced(lambda: full, "gpio-sim"))
    assert "the trace ends here" in caplog.text
    assert len(lines) == 41


HEAD = "boardumpire-trace 1\nboard quick-battle-8x8\ngame stratego-quick-duel\nsensors x\nmoments\n"
WRONG = {
    "": "x:1: ''; try boardumpire-trace 1",
    "boardumpire-trace 2\n": "x:1: boardumpire-trace 2, which is newer; try at most boardumpire-trace 1",
    "boardumpire-trace 0\n": "x:1: boardumpire-trace 0, which never was; try boardumpire-trace 1",
    "boardumpire-trace 1\nmoments\n": "x:2: no line 'board'; try it before 'moments'",
    "boardumpire-trace 1\nhello\n": "x:2: 'hello'; try a line of the head, or 'moments'",
    "boardumpire-trace 1\noption a b\n": "x:2: option 'b'; try JSON",
    "boardumpire-trace 1\ntiming speed 3\n": "x:2: timing 'speed'; try one of settle,",
    HEAD + "lifted a3\n": "x:6: 'lifted'; try turn, said, secret",
    HEAD + "turn -1\n": "x:6: turn '-1'; try a whole number",
    HEAD + "turn 0\npresent\nlifted z9\n": "x:8: slot 'z9'; try one of board quick-battle-8x8",
    HEAD + "turn 0\npresent\nlifted a3 soon\n": "x:8: lifted 'soon'; try a whole number",
    HEAD + "turn 0\npresent\ntrouble [1]\n": "x:8: [1]; try [time, code, where, detail]",
    HEAD: "x:1: no moments; try at least the first turn",
}


@pytest.mark.parametrize(("text", "said"), WRONG.items(), ids=range(len(WRONG)))
def test_a_wrong_trace_is_refused_by_line(text: str, said: str) -> None:
    with pytest.raises(trace.TraceError) as caught:
        replaying.replay(trace.parse(text, "x"))
    assert str(caught.value).startswith(said)


def test_what_was_noticed_before_the_first_turn_is_read() -> None:
    (moment,) = trace.parse(HEAD + "turn 0\nplaced a3 -500\n", "x").moments
    assert [line.rest for line in moment.lines] == ["a3 -500"]


def test_the_command_says_where_a_trace_differs(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.trace"
    path.write_text(text.replace('"ok": true', '"ok": false', 1))
    assert main(["trace", "replay", str(path)]) == 1
    assert re.search(r"game\.trace: line \d+: the trace has 'told", capsys.readouterr().err)
    assert main(["trace", "replay", str(tmp_path / "none.trace")]) == 2


def test_a_trace_is_drawn_over_time(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each slot that changed has its reed and its lamp; what was told stands below."""
    path = tmp_path / "game.trace"
    path.write_text(text)
    assert main(["trace", "show", str(path), "--from", "9.5"]) == 0
    drawn = capsys.readouterr().out
    assert drawn.startswith("<svg ")
    lifted = set(re.findall(r"(?m)^lifted (\S+)$", text))
    assert all(f">reed {slot}</text>" in drawn for slot in lifted)
    assert "ruled: " in drawn
    assert main(["trace", "show", str(path), "--from", "9", "--to", "8"]) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--from", "9000"], "--from 9000: nothing is there; try times within its"),
        (["--slots", "a1,zz"], "--slots: no zz in"),
        (["--board", "nowhere", "--slots", "a1"], "no board 'nowhere'"),
        (["--to", "inf"], "argument --to: 'inf': not a time; try seconds"),
        (["--from", "nan"], "argument --from: 'nan': not a time; try seconds"),
    ],
)
def test_a_picture_of_nothing_is_refused(
    words: list[str], said: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.trace"
    path.write_text(text)
    try:
        code = main(["trace", "show", str(path), *words])
    except SystemExit as left:  # argparse's own way
        code = int(str(left.code))
    assert code == 2
    assert said in capsys.readouterr().err


def test_a_slot_of_a_board_that_is_not_at_hand_is_known_by_the_trace(tmp_path: Path) -> None:
    path = tmp_path / "own.trace"
    path.write_text(
        HEAD.replace("quick-battle-8x8", "my-own") + "turn 0\npresent x1\nturn 5000000\nlifted x1\n"
    )
    assert main(["trace", "show", str(path), "--slots", "x1"]) == 0
    assert main(["trace", "show", str(path), "--slots", "a1"]) == 2


def test_a_trace_written_anew_is_held_against_what_it_was(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.trace"
    path.write_text(text.replace('"ok": true', '"ok": false', 1))
    assert main(["trace", "replay", str(path), "--write", str(path)]) == 1
    assert path.read_text() == text
    assert main(["trace", "replay", str(path), "--write", str(tmp_path / "none" / "x.trace")]) == 2
    assert "; try another file" in capsys.readouterr().err


def test_what_stood_before_the_picture_begins_is_drawn_from_its_left_edge() -> None:
    read = trace.parse(HEAD + "turn 0\npresent a1\nturn 5000000\nlifted a1\nmarks a1=lifted\n", "x")
    found = timeline.timeline_of_trace(read, 1000, None)
    assert found.reed_changes == {"a1": [(0, False), (0, True), (4000, False)]}
    assert found.lamp_changes == {"a1": [(4000, "lifted")]}
