"""`boardumpire lab soak`: what it counts, that it can be repeated, and what it leaves of anything wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardlab.soak import one_game, soak
from boardlab.soak.one_game import SoakPlan, play
from boardlab.soak.smallest import shrink_failing_list, write_smallest_case
from boardlab.soak.soak import SoakWorker, bounds
from boardsim.people.rates import ERROR_KINDS, PROFILES, ErrorRates
from boardsim.script.script import read_script, run_script
from boardumpire.cli import main
from boardumpire.commands.table_factory import TableFactory
from boardumpire.tracking.rules import set_down
from boardware.description import load_board
from boardware.ports import MS
from soak import broken

KEYS = {
    "games",
    "actions",
    "rulings",
    "wrong",
    "lost",
    "missed",
    "asked",
    "forced",
    "unfelt",
    "mended",
    "injected",
}
PLAN = SoakPlan(profile="wild", longest=25, seed=4)
PUSHES = ("push", "push_home", "second", "push_chore", "words")
COMMAND = "import sys; from boardumpire.cli import main; sys.exit(main())"
"""What the command `boardumpire` runs."""


@pytest.mark.slow
def test_the_command_writes_one_json_object_with_its_counts(capsys: Any, tmp_path: Path) -> None:
    words = [
        "lab",
        "soak",
        "--games",
        "3",
        "--seed",
        "2",
        "--longest",
        "20",
        "--jobs",
        "1",
        "--json",
        "--profile",
        "wild",
        "--out",
    ]
    assert main([*words, str(tmp_path / "out")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.keys() >= KEYS
    assert found["games"] == 3
    assert (found["wrong"], found["lost"], found["missed"]) == (0, 0, 0)
    assert found["injected"].keys() == set(ERROR_KINDS)
    assert sum(found["injected"].values()) > 0
    assert not (tmp_path / "out").exists(), "nothing was wrong, so nothing is written"


def test_the_command_says_in_words_what_it_found(capsys: Any, tmp_path: Path) -> None:
    words = ["lab", "soak", "--games", "1", "--longest", "6", "--jobs", "1", "--profile", "careful", "--out"]
    assert main([*words, str(tmp_path)]) == 0
    assert "1 games" in capsys.readouterr().out


def test_two_soaks_may_share_a_folder(tmp_path: Path) -> None:
    """The first to end takes the empty folder away."""
    out = str(tmp_path / "out")
    with soak._folder(out), soak._folder(out):
        pass
    assert not Path(out).exists()


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--game", "chess"], "chess"),
        (["--out", "/dev/null/findings"], "--out /dev/null/findings: Not a directory"),
        (["--out", "/dev/null"], "--out /dev/null: File exists; try another folder"),
        (["--board", "nowhere"], "no board 'nowhere'"),
        (["--dask", "tcp://127.0.0.1:1"], "--dask"),
    ],
)
def test_what_was_typed_wrong_is_one_line(words: list[str], complaint: str, capsys: Any) -> None:
    assert main(["lab", "soak", "--games", "1", *words]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("words", [["--games", "0"], ["--jobs", "0"], ["--seed", "x"], ["--longest", "-1"]])
def test_numbers_are_whole_and_there_is_something_to_do(words: list[str], capsys: Any) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["lab", "soak", *words])
    error, hint = capsys.readouterr().err.splitlines()
    assert f"argument {words[0]}: {words[1]!r}: " in error
    assert "; try " in error
    assert hint.startswith("example: boardumpire lab soak")


@pytest.mark.slow
def test_every_game_hangs_on_the_seed_and_its_number_alone() -> None:
    one, two = (soak.soak(PLAN, numbers, TableFactory()) for numbers in ((0, 1, 2), (2, 0, 1)))
    assert one.counts == two.counts
    assert one.injected == two.injected
    other = soak.soak(PLAN._replace(seed=5), (0, 1, 2), TableFactory())
    assert other.counts != one.counts


@pytest.mark.nightly
def test_processes_give_what_one_gives() -> None:
    alone = soak.soak(PLAN, range(3), TableFactory(), jobs=1)
    spread = soak.soak(PLAN, range(3), TableFactory(), jobs=2)
    assert (alone.counts, alone.injected) == (spread.counts, spread.injected)


@pytest.mark.slow
def test_nothing_is_wrong_lost_or_missed_among_clumsy_people() -> None:
    report = soak.soak(SoakPlan(seed=71, longest=40), range(6), TableFactory())
    assert report.findings == []
    assert 1000 * (report.counts["asked"] - report.counts["forced"]) <= report.counts["actions"]


@pytest.mark.slow
def test_nothing_is_wrong_lost_or_missed_among_hostile_people() -> None:
    """They fiddle, probe, push, withdraw, capture as in chess, talk, and children take pieces away."""
    report = soak.soak(SoakPlan(profile="hostile", seed=71, longest=40), range(6), TableFactory())
    assert report.findings == []
    assert 1000 * (report.counts["asked"] - report.counts["forced"]) <= report.counts["actions"]
    for kind in ("fiddle", "probe", "withdraw", "chess", "child", *PUSHES[:-1]):
        assert report.injected[kind] > 0, kind


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("kind", [*PUSHES, "push_early"])
def test_pieces_that_are_pushed_and_words_in_between_are_ruled_on_by_nobody(
    kind: str, monkeypatch: Any
) -> None:
    """Neither a ruling nor a question that reeds could have answered comes of a push, or of a word."""
    monkeypatch.setitem(PROFILES, "clumsy", ErrorRates(slide=0.2)._replace(**{kind: 1.0}))
    report = soak.soak(SoakPlan(seed=7, longest=50), range(4), TableFactory())
    assert report.findings == []
    assert report.counts["asked"] == report.counts["forced"]
    assert report.injected[kind] > 0


@pytest.mark.slow
def test_reeds_that_die_or_stick_in_mid_game_are_told_of_and_played_by_hand(monkeypatch: Any) -> None:
    monkeypatch.setitem(PROFILES, "clumsy", ErrorRates(slide=0.2, put_back=0.05, dead=0.1, stuck=0.1))
    report = soak.soak(SoakPlan(seed=72, longest=30), range(6), TableFactory())
    assert report.findings == []
    assert report.injected["dead"] > 0
    assert report.injected["stuck"] > 0


@pytest.mark.few(1)
@pytest.mark.parametrize("driver", ["rpigpio-sim", "pico-sim"])
def test_clumsy_people_at_other_drivers(driver: str) -> None:
    plan = PLAN._replace(driver=driver, wire="noisy", longest=8)
    report = soak.soak(plan, (1,), TableFactory())
    assert report.fine, report.findings
    assert report.counts["actions"] > 4


@pytest.mark.slow
def test_what_went_wrong_is_written_small_and_both_files_show_it_again(
    monkeypatch: Any, tmp_path: Path
) -> None:
    """A broken umpire: the script makes it accept the same again, the trace replays in another process."""
    broken.ignore(monkeypatch, set_down.detect_out_of_turn)
    monkeypatch.setitem(PROFILES, "wild", ErrorRates(out_of_turn=0.1, put_back=0.2, slide=0.3, early=0.1))
    plan = PLAN._replace(out=str(tmp_path), longest=40)
    played = next(done for n in range(9) if (done := play(plan, n, TableFactory())[0]).findings)
    assert played.findings[0].kind == "missed"
    played = write_smallest_case(plan, played, TableFactory())
    assert played.script_path is not None
    script = Path(played.script_path)
    needed = next(line for line in script.read_text().splitlines() if line.startswith("# needed:"))
    assert needed.split()[2:] == [word for word in needed.split()[2:] if word.startswith("out_of_turn@")]
    assert len(needed.split()) == 3, "one error is enough for it"

    given_ = one_game.game_bench_settings(plan, played.number)
    lines: list[str] = []
    commands = read_script(script.read_text(), script.name, load_board(given_.board), ("red", "blue"))
    run_script(commands, given_, TableFactory(), lines.append)
    assert not [line for line in lines if "not-your-turn" in line]
    trace = script.with_suffix(".trace")
    assert '"ruling"' in trace.read_text()
    replay = [sys.executable, "-c", COMMAND, "trace", "replay", str(trace)]
    monkeypatch.undo()
    done = subprocess.run(replay, capture_output=True, text=True, check=False)
    assert done.returncode == 1, "the umpire that isn't broken says something else"
    assert "=refused" in done.stderr


@pytest.mark.slow
def test_a_script_leads_the_same_pieces_along_the_same_ways(tmp_path: Path) -> None:
    """People's own game, and the script that they leave, get the same rulings at the same moments."""
    heard: list[tuple[int, str, Any]] = []
    _, people = play(PLAN, 5, TableFactory())
    given_ = people.scene.bench.setting

    from boardsim.people.people import StrategoPeople

    again = StrategoPeople(given_, TableFactory(), f"{PLAN.seed} 5", PROFILES["wild"], longest=PLAN.longest)
    again.scene.listeners.append(
        lambda told: heard.append((told.at // MS, told.kind, told.data)) if told.seat is None else None
    )
    again.play()
    again.scene.close()
    lines: list[str] = []
    script = again.scene.script()
    commands = read_script(script, "people", load_board(given_.board), ("red", "blue"))
    run_script(commands, given_, TableFactory(), lines.append)
    told = [json.loads(line) for line in lines]
    rulings = [(each["t"], each["action"]) for each in told if each["kind"] == "ruling"]
    assert rulings == [(at, data["action"]) for at, kind, data in heard if kind == "ruling"]
    assert len(rulings) > 5


def test_a_worker_can_be_sent_to_another_process() -> None:
    import pickle

    worker = pickle.loads(pickle.dumps(SoakWorker(PLAN._replace(longest=2), TableFactory())))
    assert worker(0).counts["rulings"] >= 2


@given(st.sets(st.integers(0, 40), min_size=1, max_size=5), st.integers(41, 60))
def test_minimising_leaves_exactly_what_is_needed(needed: set[int], size: int) -> None:
    assert set(shrink_failing_list(list(range(size)), lambda left: needed <= set(left))) == needed


def test_bounds_hold_the_rate_and_narrow_with_more() -> None:
    assert bounds(0, 100)[0] == 0.0
    assert 0.03 < bounds(0, 100)[1] < 0.04
    low, high = bounds(50, 100)
    assert low < 0.5 < high
    assert bounds(500, 1000)[0] > low
    assert bounds(0, 0) == [0.0, 1.0]


@pytest.mark.slow
@pytest.mark.parametrize("number", [379, 948, 1915, 2898])
def test_games_that_people_once_did_not_play_to_their_end(number: int) -> None:
    """A winner set upon the fallen, a piece put back unlooked at, a fallen one kept in the hand."""
    report = soak.soak(SoakPlan(profile="clumsy", seed=2026), [number], TableFactory())
    assert report.findings == []


@pytest.mark.nightly
@pytest.mark.skipif(find_spec("distributed") is None, reason="the extra `cluster` is not installed")
def test_a_dask_cluster_gives_what_one_process_gives() -> None:
    from distributed import LocalCluster

    plan = PLAN._replace(longest=6)
    # Dask changes the environment of its own process for those that it starts.
    with (
        patch.dict(os.environ),
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
    ):
        spread = soak.soak(plan, range(2), TableFactory(), dask=cluster.scheduler_address)
    assert spread.counts == soak.soak(plan, range(2), TableFactory()).counts


@pytest.mark.slow
def test_a_piece_between_two_cities_that_the_further_one_alone_feels_is_refused_as_one_there() -> None:
    """Its reed lies flat. The person meant the nearer city; nobody could have known, and it is done again."""
    plan = SoakPlan(game="fall-of-the-fuhrer", seed=2026)
    report = soak.soak(plan, (240,), TableFactory()).json()
    assert [report[name] for name in ("wrong", "lost", "missed", "alike")] == [0, 0, 0, 1]
