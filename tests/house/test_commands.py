"""Every command that README and docs show runs here, or in a test that is named here, or says `# on a Pi`.

Commands run as they are typed, one page in one folder with the files that it speaks of, in a network of their
own: nothing of them needs the internet. What serves a page is ended once it has told its links.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from boardlab.soak.one_game import SoakPlan, game_bench_settings, people_of_bench
from boardsim.people.rates import PROFILES
from boardumpire.commands.table_factory import TableFactory
from boardumpire.messages.languages import LANGUAGES
from house import reached

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"# (?:on a Pi|with the Pico)\b")
SERVED = re.compile(r"boardumpire page|make play$")
LIVE = re.compile(r"boardumpire (status|links|backup)|curl ")
"""What asks a board in service."""

ELSEWHERE = {
    "make catalogues": "tests/languages/test_catalogues.py::test_make_catalogues_brings_all_up_to_date",
    "make deb": "tests/package/test_deb.py::test_it_holds_what_a_board_needs",
    "sudo make install": "tests/package/test_install.py"
    "::test_make_install_lays_what_the_package_does_and_needs_no_root",
    "make library": "tests/library/test_wheel.py::test_it_brings_nothing_else_and_is_small",
    "python3 -m pip install build/library": "tests/library/test_wheel.py::test_it_is_all_that_is_installed",
    "pip install --no-deps --no-build-isolation examples/breakthrough": "tests/examples/test_add_a_game.py",
    "boardumpire board check breakthrough-8x8": "tests/examples/test_add_a_game.py",
    "boardumpire lab contract breakthrough": "tests/examples/test_add_a_game.py",
    "boardumpire lab soak --game breakthrough": "tests/examples/test_add_a_game.py",
    **dict.fromkeys(
        (
            "pip install --no-deps --no-build-isolation examples/echo",
            "boardumpire page --board first-evening",
            "boardumpire board check first-evening",
            "boardumpire doctor matrix lamps --config evening.toml",
            "boardumpire doctor squares --config evening.toml",
            "export STATE_DIRECTORY",
            "boardumpire run --config evening.toml",
            "boardumpire links --config evening.toml",
        ),
        "tests/examples/test_first_evening.py",
    ),
    "boardumpire referee --host": "tests/players/test_frame.py"
    "::test_two_processes_play_a_game_at_a_hosts_table",
    "boardumpire bot": "tests/players/test_frame.py::test_two_processes_play_a_game_at_a_hosts_table",
    "boardumpire lab match": "tests/players/test_match.py::test_a_match_goes_on_where_it_was_ended",
    "boardumpire lab panel": "tests/players/test_panel.py::test_the_command_prints_a_line_for_each_member",
    "boardumpire rehearse": "tests/satellite/test_rehearsal.py",
    "boardumpire hall": "tests/web/test_hall.py"
    "::test_the_hall_shows_a_real_board_and_thirty_others_in_a_browser",
    "boardumpire record convert games.jsonl": "tests/house/test_records_page.py",
    "boardumpire verify evening.record": "tests/house/test_records_page.py",
    "boardumpire trace record": "tests/makers/test_trace.py"
    "::test_a_daemon_records_what_another_process_replays",
    "boardumpire trace replay": "tests/makers/test_trace.py"
    "::test_a_daemon_records_what_another_process_replays",
    "boardumpire trace show": "tests/makers/test_trace.py::test_a_trace_is_drawn_over_time",
    "boardumpire tags": "tests/tags/test_enrol.py::test_lists_are_exported_imported_and_counted",
    "boardumpire sim play GAME.record --driver pico-emulated": "tests/pico/test_emulated_games.py"
    "::test_the_first_moves_of_a_game_come_out_as_they_went_in",
}
"""By how a command begins, the test that runs it: with other files, or because it takes a while."""
NOT_RUN = ("make test", "make check", "make bench", "make evenings", "make tab", "git clone", "cd ")
"""What tests, checks or measures the whole project, needs npm, or gets the project: no page runs it."""
FROM_THE_PAGE = {
    "tests/examples/test_add_a_game.py": "add-a-game.md",
    "tests/examples/test_first_evening.py": "first-evening.md",
    "tests/house/test_records_page.py": "records.md",
    "tests/satellite/test_rehearsal.py": "two-boards.md",
}
"""Tests that take the commands from their page and run each."""


class Command(NamedTuple):
    """A line that a page shows."""

    typed: str
    comment: str
    given: str
    """What is typed into it."""


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def shown(page: Path) -> Iterator[Command]:
    """Its commands, in their order."""
    for block in re.findall(r"^```(?:console|sh)\n(.*?)^```", page.read_text(), re.M | re.S):
        lines = block.replace("\\\n", "").splitlines()
        prompted = any(line.startswith("$ ") for line in lines)
        for number, line in enumerate(lines):
            if prompted and not line.startswith("$ "):
                continue
            typed, _, comment = line.removeprefix("$ ").partition(" #")
            given = []
            for each in lines[number + 1 :]:
                if not each.startswith("{"):
                    break
                given.append(each + "\n")
            yield Command(typed.strip(), comment and f"#{comment}", "".join(given))


def elsewhere(command: Command, page: Path) -> str:
    """The test that runs it; empty where none does."""
    known = [start for start in ELSEWHERE if command.typed.startswith(start)]
    if "add-a-game" in page.name and command.typed == "boardumpire referee":
        return "tests/examples/test_add_a_game.py"
    if page.name == "command-line.md" and "--into" in command.typed:
        return ""
    return ELSEWHERE[max(known, key=len)] if known else ""


def ways(start: str) -> list[set[str]]:
    """What a test of such a command has to say: its words but for files, or of `make` those of its rule."""
    program, *words = start.removeprefix("sudo ").split()
    if program != "make":
        return [_telling(words)]
    rule = re.search(rf"^{words[0]}:.*\n\t@(.*)", (ROOT / "Makefile").read_text(), re.M)
    assert rule is not None, start
    return [{program, *words}, _telling(rule[1].split())]


def _telling(words: list[str]) -> set[str]:
    scripts = {Path(word).name for word in words if word.endswith(".py")}
    return scripts | {word for word in words if not re.search(r"[A-Z$/=]|\.record$|\.jsonl$", word)}


def runs(test: str) -> bool:
    """Whether a test says the words of each command that it is named for, or takes them from their page."""
    path, _, name = test.partition("::")
    said = reached.words(ROOT / path, name)
    if path in FROM_THE_PAGE:
        return {FROM_THE_PAGE[path], "console"} <= said
    starts = [start for start, named in ELSEWHERE.items() if named == test]
    return all(any(way <= said for way in ways(start)) for start in starts)


def here(page: Path) -> list[Command]:
    """What this file runs."""
    return [
        each
        for each in shown(page)
        if not MARK.search(each.comment) and not elsewhere(each, page) and not each.typed.startswith(NOT_RUN)
    ]


LONG = "measuring.md"
"""Its commands measure for half a minute: they run nightly."""
PAGES = [
    pytest.param(page, marks=pytest.mark.nightly) if page.name == LONG else page
    for page in pages()
    if here(page)
]


def test_every_command_runs_somewhere_or_is_for_a_pi() -> None:
    """What is neither named above nor marked runs below; here: what is named is there, and is needed."""
    used = set()
    for page in pages():
        for command in shown(page):
            if MARK.search(command.comment):
                continue
            test = elsewhere(command, page)
            if test:
                used.add(test)
                path = test.partition("::")[0]
                if path.startswith("tests/examples") and not (ROOT / "examples").is_dir():
                    continue
                assert runs(test), f"{test} does not run {command.typed}"
            elif not command.typed.startswith(NOT_RUN):
                words = shlex.split(command.typed)
                program = words[1] if words[0] == "sudo" else words[0]
                assert program in ("boardumpire", "make", "python", "openssl", "curl", "cat"), (page, command)
    assert used == set(ELSEWHERE.values())


def test_a_test_that_only_has_a_likely_name_runs_nothing() -> None:
    inside = (
        "tests/players/test_match.py::test_sides_are_swapped_and_games_repeat"  # calls what the command calls
    )
    typed = "tests/players/test_match.py::test_a_match_goes_on_where_it_was_ended"
    said = [
        reached.words(ROOT / path, name) for path, _, name in (t.partition("::") for t in (inside, typed))
    ]
    assert [{"match", "--games"} <= words for words in said] == [False, True]


def test_no_command_hides_in_a_block_of_another_kind() -> None:
    plain = r"^```(?!console|sh\b)\w*\n(.*?)^```"
    hidden = [
        (page.relative_to(ROOT).as_posix(), line)
        for page in pages()
        for block in re.findall(
            plain, re.sub(r"^```(console|sh)\n.*?^```", "", page.read_text(), flags=re.M | re.S), re.M | re.S
        )
        for line in block.splitlines()
        if re.match(r"(\$ )?(sudo |make |boardumpire |pip |mpremote |python3? -m )", line)
    ]
    assert hidden == []


def played(folder: Path, game: str, *, journal: Path | None = None, longest: int = 4) -> str:
    """A short game by simulated people; its record."""
    plan = SoakPlan(seed=7, game=game, profile="careful")
    given = game_bench_settings(plan, 0)._replace(journal=journal)
    people = people_of_bench(given)(
        given, TableFactory(), "7 0", PROFILES["careful"], without=(), longest=longest
    )
    try:
        people.play()
        table = people.scene.bench.table
        assert table is not None
        return table.export_record()
    finally:
        people.scene.close()


def furnished(folder: Path, page: Path) -> None:
    """The files that the pages speak of."""
    records = (ROOT / "docs/program/records.md").read_text()
    blocks = dict(re.findall(r"^```(text|json)\n(.*?)^```", records, re.M | re.S))
    (folder / "game.record").write_text(blocks["text"])
    (folder / "games.jsonl").write_text(blocks["json"].splitlines()[0] + "\n")
    shutil.copy(ROOT / "tests/hands/move.hands", folder / "hands.txt")
    shutil.copy(ROOT / "hardware/drivers/boardware/boards/quick-battle-8x8.toml", folder / "my-board.toml")
    shutil.copy(ROOT / "controller/rules/boardrules/fuhrer/original.map", folder / "mine.map")
    circles = "".join(
        f'<circle id="p{n}" cx="{30 + 40 * (n % 3)}" cy="{30 + 40 * (n // 3)}" r="15"/>' for n in range(9)
    )
    size = 'width="140mm" height="140mm" viewBox="0 0 140 140"'
    (folder / "drawing.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{circles}</svg>')
    for name, copy in (("castle", "castle"), ("cards", "cards")):
        (found,) = (ROOT / "controller/rules/boardrules/colditz").rglob(f"{name}.toml")
        shutil.copy(found, folder / f"{copy}.toml")
    tags = re.findall(r"^\$ cat army.hands\n(.*?)^\$", (ROOT / "docs/build/tags.md").read_text(), re.M | re.S)
    (folder / "army.hands").write_text(tags[0])
    shutil.copy(ROOT / "tests/traces/attack.trace", folder / "evening.trace")
    shutil.copy(ROOT / "tests/traces/measure.trace", folder / "measure.trace")
    measured = re.findall(
        r"^```\n(# square.*?)^```", (ROOT / "docs/build/measure.md").read_text(), re.M | re.S
    )
    (folder / "bench.txt").write_text(measured[0])
    (folder / "tests").symlink_to(ROOT / "tests")
    (folder / "stick").mkdir()
    if page.name == "command-line.md":
        (folder / "escape.record").write_text(played(folder, "escape-from-colditz"))
        (folder / "state").mkdir()
        for _ in range(3):
            played(folder, "stratego-quick-duel", journal=folder / "state/journal.sqlite")


HEAD = r"""
set -eu
serve() {
    : >served.log  # what was served before says no more that something is
    setsid bash -c "exec $1" >served.log 2>&1 &
    served=$!
    for _ in $(seq 600); do
        if grep -qE '^  table +http|Choose a game: http' served.log; then return; fi
        kill -0 "$served" 2>/dev/null || break
        sleep 0.1
    done
    cat served.log >&2
    exit 1
}
end() { kill -TERM -- "-$served"; wait "$served" || [ "${1:-}" = killed ]; }
ip link set lo up 2>/dev/null || true
"""


def script(page: Path, folder: Path) -> str:
    """What a reader of the page does, in bash."""
    lines, live = [HEAD], False
    for command in here(page):
        typed = command.typed.removeprefix("sudo ").replace("/media/stick", "stick")
        typed = re.sub(r"stick/boardumpire-\d+T\d+\.tar", "stick/boardumpire-*.tar", typed)
        if LIVE.match(typed) and not live:
            lines.append(
                'serve "boardumpire page --game stratego-quick-duel --listen 127.0.0.1:8080 --state state"'
            )
        elif not LIVE.match(typed) and live:
            lines.append("end")
        live = bool(LIVE.match(typed))
        lines.append(f"echo {shlex.quote('$ ' + typed)} >&2")
        if typed.startswith("make"):
            typed = typed.replace("make", f"make --directory={ROOT} --old-file=.venv/.play", 1)
            lines += [f"serve {shlex.quote(typed)}", "end killed"]  # make does not wait for what it runs
        elif SERVED.match(typed):
            lines += [f"serve {shlex.quote(typed)}", "end"]
        elif command.given:
            lines.append(f"{typed} <<'GIVEN'\n{command.given}GIVEN")
        elif " --rehearse " in typed:
            lines.append(f"{typed} || test $? = 1")  # it has found what was built in
        else:
            lines.append(typed)
    return "\n".join([*lines, "end" if live else ""]) + "\n"


def apart() -> list[str]:
    """A network of its own, where one may be made: then no port is taken, and nothing is fetched."""
    words = ["unshare", "--map-root-user", "--net"]
    made = shutil.which("unshare") and subprocess.run([*words, "true"], capture_output=True).returncode == 0
    return words if made else []


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_of_a_page_run_as_they_are_typed(page: Path, tmp_path: Path) -> None:
    if page.parent.name in LANGUAGES and page.parent.name != "en":
        english = ROOT / "docs/play/en" / page.name
        assert [each.typed for each in here(page)] == [each.typed for each in here(english)]
        return  # they run once
    if any(each.typed.startswith("openssl") for each in here(page)) and not shutil.which("openssl"):
        pytest.skip("openssl is not on this machine")
    furnished(tmp_path, page)
    environ = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "STATE_DIRECTORY": str(tmp_path / "state"),
        "RUNTIME_DIRECTORY": str(tmp_path / "state"),
    }
    words = [*apart(), "bash", "-c", script(page, tmp_path)]
    ran = subprocess.run(words, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr
