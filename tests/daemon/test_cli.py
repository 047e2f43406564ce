"""The command line: each command does what it says; what is wrong is one line and exit code 2."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules import record
from boardrules.core import Outcome
from boardumpire import cli
from boardumpire.commands import check_config
from boardumpire.commands.command_parser import CommandParser, subcommands_of
from boardumpire.commands.parsers import parser_for
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_key, new_key
from boardumpire.privileges import act_as_user
from boardumpire.service import control
from boardware.description import board_path
from boardwire.station import VERSION

COMMAND = Path(sys.executable).with_name("boardumpire")
GAME = "stratego-quick-duel"


@pytest.fixture(autouse=True)
def directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))


def said(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of one command."""
    try:
        code = cli.main([str(word) for word in words])
    except SystemExit as left:
        code = int(str(left.code))
    out, err = capsys.readouterr()
    return code, out, err


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--version") == (0, f"boardumpire {VERSION}\n", "")


def test_help_names_every_command_also_those_that_live_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "--help")
    assert code == 0
    for command in ("run", "referee", "check-config", "board", "key", "record", "sim"):
        assert re.search(rf"^  {command}\s", out, re.MULTILINE), command


def parsers() -> dict[str, CommandParser]:
    """Every parser of the program by the words before it: its own, groups and what stands in them."""

    def below(parser: CommandParser, before: str) -> Iterator[tuple[str, CommandParser]]:
        yield before.strip(), parser
        verbs = subcommands_of(parser)
        for name, inner in {} if verbs is None else verbs.choices.items():
            yield from below(inner, f"{before} {name}")

    return dict(below(parser_for([]), ""))


def commands() -> dict[str, CommandParser]:
    """Every command that does something, by what is typed for it."""
    return {name: parser for name, parser in parsers().items() if subcommands_of(parser) is None}


def test_help_has_headings_and_owners_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "--help")
    assert code == 0
    headings = re.findall(r"^(\w.*):$", out, re.MULTILINE)
    assert headings[0] == "a board"
    assert "others" not in headings
    lines = [line[2:].partition("  ")[0] for line in out.splitlines() if re.match(r"  \w", line)]
    assert lines[:6] == ["run", "setup", "status", "links", "flash", "doctor"]
    assert {"make paper", "make circuits", "make bases", "make map-board"} <= set(lines)
    assert {"lab soak", "lab match", "lab balance"} <= set(lines)
    assert len(lines) == len(set(lines))
    for name in commands():
        assert any(name == line or name.startswith(f"{line} ") for line in lines), name


def test_every_help_ends_with_an_example_that_its_parser_takes(capsys: pytest.CaptureFixture[str]) -> None:
    found = parsers()
    assert len(found) > 45
    for name in found:
        code, out, err = said(capsys, *name.split(), "--help")
        assert (code, err) == (0, "")
        example = re.fullmatch(r"example: boardumpire (.+)", out.splitlines()[-1])
        assert example is not None, name
        typed = re.split(" [<>] ", example[1])[0].split()
        assert typed[: len(name.split())] == name.split(), example[1]
        assert callable(found[""].parse_args(typed).run)
        assert callable(parser_for(typed).parse_args(typed).run)


def test_the_help_of_each_command_says_what_it_does() -> None:
    for name, parser in commands().items():
        assert re.match(r"\S.*\.", parser.description or ""), name


@pytest.mark.parametrize(
    "words",
    [["page", "--gam", "x"], ["sim", "run", "x", "--lamp"], ["lab", "soak", "--gam", "x"], ["--vers"],
     ["board", "new", "x", "--gri", "8x8", "--game", "x"], ["make", "paper", "x", "--int", "y"]],
)  # fmt: skip
def test_an_option_that_is_cut_short_is_refused(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert re.match(r"boardumpire.*: (.*: not known; try |no command; |.*: missing; )", err)


@pytest.mark.parametrize(
    ("words", "told"),
    [(["page", "--gam", "x"], "page: --gam x: not known; try --game"),
     (["page", "--gmae=x"], "page: --gmae=x: not known; try --game"),
     (["check-config", "x"], "check-config: x: not known; try boardumpire check-config --help"),
     (["page", "--\x1b[31m"], r"page: --\x1b[31m: not known; try boardumpire page --help"),
     (["sim", "run", "x", "--lamp"], "sim run: --lamp: not known; try --lamps")],
)  # fmt: skip
def test_a_word_that_a_command_does_not_know_is_answered_with_an_option_and_an_example(
    capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    line, example = err.splitlines()
    assert line == f"boardumpire {told}"
    assert example.startswith(f"example: boardumpire {told.partition(':')[0]}")


def test_no_parser_takes_options_that_are_cut_short() -> None:
    waiting: list[CommandParser] = [parser_for([])]
    while waiting:
        parser = waiting.pop()
        assert not parser.allow_abbrev, parser.prog
        verbs = subcommands_of(parser)
        waiting += [] if verbs is None else verbs.choices.values()


@pytest.mark.parametrize("words", [[], ["sing"], ["board"], ["board", "check"], ["record", "export", "x"]])
def test_wrong_words_are_refused(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    line, example = err.splitlines()
    assert re.match(r"boardumpire[a-z ]*: ", line)
    assert example.startswith("example: boardumpire ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["record", "export", "x"], "argument number: 'x': not a whole number; try one such as 3"),
        (
            ["board", "new", "a", "--pitch", "wide"],
            "argument --pitch: 'wide': not a number; try one such as 2.5",
        ),
        (["make", "paper", "a", "--language", "xx"], "argument --language: 'xx': not known; try one of "),
        (["sing"], "argument COMMAND: 'sing': not known; try one of "),
    ],
)
def test_a_wrong_value_says_what_to_try(
    capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert told in said(capsys, *words)[2]


def test_a_group_alone_is_answered_with_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "record")[2].splitlines()[0] == (
        "boardumpire record: no verb; try one of list, export, convert"
    )


def test_without_a_running_board_a_person_hears_what_to_try(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    config = tmp_path / "board.toml"
    config.write_text(
        f'format = "boardumpire-config"\nversion = 1\n[control]\nsocket = "{tmp_path}/control.sock"\n'
    )
    for command in ("status", "links"):
        code, out, err = said(capsys, command, "--config", str(config))
        assert (code, out) == (2, "")
        assert err == (
            f"boardumpire: {tmp_path}/control.sock: no board is running here (No such file or directory);"
            " try: systemctl status boardumpire\n"
        )


def test_a_board_file_is_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = said(capsys, "board", "check", "quick-battle-8x8")
    assert code == 0
    assert out.startswith("quick-battle-8x8: 64 spaces, 64 sensors, 66 lamps")
    assert (
        "\nbanks.reeds: a full row is 8 pieces; 470 Ohm a row, 1N4148, pull-downs of 33 to 73 kOhm carry"
        in out
    )
    assert "refused" not in out
    weak = tmp_path / "weak.toml"
    text = board_path("quick-battle-8x8").read_text()
    weak.write_text(text.replace("row_ohm = 470", "pull_down_ohm = 10_000\nrow_ohm = 1000"))
    code, out, err = said(capsys, "board", "check", weak)
    assert (code, err) == (2, "")
    assert ": banks.reeds: refused: a full row is 8 pieces; 1000 Ohm a row" in out
    wrong = tmp_path / "board.toml"
    wrong.write_text('format = "cookbook"\n')
    code, out, err = said(capsys, "board", "check", wrong)
    assert (code, out) == (2, "")
    assert err.startswith(f"boardumpire: {wrong}:1: ")
    assert err.count("\n") == 1
    code, out, err = said(capsys, "board", "check", tmp_path)
    assert (code, out, err) == (2, "", f"boardumpire: {tmp_path}: a folder; try a board file\n")


def test_a_configuration_is_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shipped = Path(__file__).parents[2] / "systemd" / "boardumpire.toml"
    code, out, _ = said(capsys, "check-config", "--no-machine", "--config", shipped)
    assert (code, out) == (0, f"{shipped}: right, but no board is chosen yet: sudo boardumpire setup\n")
    example = tmp_path / "chosen.toml"
    example.write_text(shipped.read_text().replace('name = ""', 'name = "quick-battle-8x8"', 1))
    code, out, _ = said(capsys, "check-config", "--no-machine", "--config", example)
    assert code == 0
    assert f"{example}: right: {GAME} on quick-battle-8x8" in out
    for wrong, expected in (
        ("[trakcer]\n", "3: trakcer: unknown section"),
        ('[game]\nid = "checkers"\n', "4: [game] id: unknown game 'checkers'"),
        ('[game]\nid = "stratego-classic"\n', "4: [game] id: board quick-battle-8x8 carries"),
        (
            "[game.options]\nannounce = 3\n",
            "4: [game.options] announce: stratego-quick-duel: option announce is 3; try one of ranks",
        ),
        ("[game]\noptions = {shuttle = 9}\n", "4: [game.options] shuttle: "),
        ("[game.options]\nshuffle = 9\n", "4: [game.options] shuffle: stratego-quick-duel: unknown option"),
        ('[board]\nname = "ouija"\n', "4: [board] name: no board 'ouija'"),
        ('[board]\nname = "a/\\u0000"\n', "4: [board] name: "),
        ('[drivers]\nlamps = "candles"\n', "4: [drivers] lamps: no driver 'candles'"),
        ('[drivers]\nsensors = "pico"\n', "4: [drivers] sensors: pico: board quick-battle-8x8 has no"),
        (
            "[sensors]\n\nscan_sm = 3\n",
            "5: [sensors] scan_sm: gpio: unknown setting 'scan_sm'; try one of",
        ),
        ("[lamps]\nbrightness = 101\n", "4: [lamps] brightness: neopixel: brightness is 101; try"),
        ('[console]\npin_factory = "x"\n', "4: [console] pin_factory: console-gpio: unknown setting"),
        (
            '[sensors]\npins = "needles"\n',
            "4: [sensors] pins: gpio: pins is 'needles'; try one of gpiod",
        ),
        (
            '[drivers]\nsensors = "gpio-sim"\n',
            "[sensors] world: gpio-sim: world is missing; try the path",
        ),
        (
            '[drivers]\nsensors = "gpio-sim"\n[sensors]\nworld = "/none/here"\n',
            "6: [sensors] world: gpio-sim: world '/none/here' can't be opened: ",
        ),
    ):
        path = tmp_path / "wrong.toml"
        path.write_text('format = "boardumpire-config"\nversion = 1\n' + wrong)
        code, out, err = said(capsys, "check-config", "--config", path)
        assert (code, out) == (2, ""), wrong
        assert f"{path}:" in err
        assert expected in err
        assert err.count("\n") == 1
        assert said(capsys, "run", "--config", path) == (2, "", err), (
            "run refuses the same, in the same words"
        )


def test_a_key_is_made_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "state" / "key" / "board.key"
    code, out, _ = said(capsys, "key", "new")
    assert code == 0
    assert str(path) in out
    load_key(path)
    assert path.read_text().split()[2] not in out
    assert said(capsys, "key", "new")[0] == 2
    assert said(capsys, "key", "new", tmp_path / "safe" / "board.key")[0] == 0


@pytest.mark.parametrize("path", ["/", ".", ".."])
def test_a_key_needs_the_name_of_a_file(capsys: pytest.CaptureFixture[str], path: str) -> None:
    code, out, err = said(capsys, "key", "new", path)
    assert (code, out) == (2, "")
    assert err.endswith(": names no file; try board.key in a directory of its own\n")


def played(path: Path) -> tuple[Store, record.Record]:
    """A journal with one game under way: both set-ups and one move."""
    store = Store.open(path, new_key(path.parent / "key" / "board.key"))
    state = boardrules.new(GAME)
    number = store.begin_game(GAME, state.options, "quick-battle-8x8", 1_769_817_600_000)
    actions = []
    for seat in ("red", "blue", "red"):
        action = next(iter(state.legal_actions(seat)))
        store.append_entry(
            number, kind="action", seat=seat, text=str(action), secret=action.secret, events=[], at_ms=1
        )
        store.append_entry(number, kind="note", seat=seat, text="thinks", secret=False, events=[], at_ms=1)
        state, _ = state.apply(action)
        actions.append((seat, str(action)))
    resigns = state.parse("resign", "blue")
    store.append_entry(number, kind="action", seat="blue", text="resign", secret=False, events=[], at_ms=2)
    state, _ = state.apply(resigns)
    actions.append(("blue", "resign"))
    written = record.record_of(state, tuple(actions), board="quick-battle-8x8", date="2026-01-31")
    return store, written


def test_a_game_under_way_is_exported_with_its_seals(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "journal.sqlite"
    store, game = played(path)
    code, out, _ = said(capsys, "record", "export", "1", "--journal", path)
    assert code == 0
    assert record.parse(out).actions == game.actions[2:], "all but the set-ups"
    for made in store.commitments(1):
        assert f"commitment {made.seq} {made.seat} sha256 {made.digest} sealed\n" in out
    assert said(capsys, "record", "list", "--journal", path)[1] == (
        "1  2026-01-31 00:00  stratego-quick-duel on quick-battle-8x8: goes on\n"
    )
    store.close()


def test_a_finished_game_is_exported_whole_and_can_be_replayed_and_verified(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "state" / "journal.sqlite"
    store, game = played(path)
    store.finish_game(1, Outcome("red", "resignation"), 3)
    store.close()
    code, out, _ = said(capsys, "record", "export", "1")
    assert code == 0
    assert record.parse(out)._replace(commitments=()) == game
    assert record.final_state(record.parse(out)).outcome == Outcome("red", "resignation")
    assert [made.salt is None for made in record.parse(out).commitments] == [False, False]
    assert "red won (resignation)" in said(capsys, "record", "list")[1]
    for number in ("2", "0", "-1", "9" * 20):
        assert said(capsys, "record", "export", number)[2] == (
            f"boardumpire: {path}: no game {number}; try one that `boardumpire record list` shows\n"
        )


def test_a_missing_journal_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = said(capsys, "record", "list", "--journal", tmp_path / "none.sqlite")
    assert (code, out, err) == (2, "", f"boardumpire: {tmp_path / 'none.sqlite'}: no such journal\n")


def test_the_referee_is_a_command() -> None:
    lines = [{"do": "new", "game": GAME, "options": {}}, {"do": "view", "seat": None}]
    asked = "".join(json.dumps(line) + "\n" for line in lines)
    told = subprocess.run([COMMAND, "referee"], input=asked, capture_output=True, text=True, check=True)
    assert [json.loads(line)["ok"] for line in told.stdout.splitlines()] == [True, True]


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    store, _ = played(tmp_path / "journal.sqlite")
    store.close()
    command = f"{COMMAND} record list --journal {tmp_path}/journal.sqlite | true; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.slow
def test_closed_streams_and_a_full_disk_are_no_traceback() -> None:
    check = f"{COMMAND} board check quick-battle-8x8"
    for closed in ("<&-", ">&-", "<&- >&-"):
        ended = subprocess.run(["bash", "-c", f"{check} {closed}"], capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (0, "")
    ended = subprocess.run(["bash", "-c", f"{check} >/dev/full"], capture_output=True, text=True)
    told = "boardumpire: can't write: No space left on device; try it again with more room\n"
    assert (ended.returncode, ended.stderr) == (75, told)


def loaded(program: str) -> set[str]:
    """The modules that a fresh interpreter holds after `program`."""
    code = f"import sys\n{program}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, input="")
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("program", "never"),
    [
        (
            "from boardumpire import cli; cli.main(['referee'])",
            {"asyncio", "sqlite3", "nacl", "gpiozero", "boardsim"},
        ),
        (
            "import boardumpire.commands.daemon",
            {"boardsim", "board", "neopixel", "serial", "http"},
        ),
    ],
)
def test_a_command_loads_no_more_than_it_needs(program: str, never: set[str]) -> None:
    found: Any = loaded(program)
    assert not found & never


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_socket_that_this_user_may_not_open_is_no_stopped_board() -> None:
    """`check-config` took the board's own port for another program's, and nobody said `sudo`."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listening:
        Path(folder).chmod(0o711)
        path = Path(folder) / "control.sock"
        listening.bind(str(path))
        listening.listen()
        path.chmod(0o600)
        with act_as_user(65534, 65534):
            with pytest.raises(control.NotAllowedError, match="try the same command with sudo"):
                control.send_request(path, {"do": "status"})
            assert check_config.is_board_running(path)
        path.unlink()
        assert not check_config.is_board_running(path)


@pytest.mark.parametrize(
    ("words", "beginning"),
    [
        (["trace", "replay", "nosuch"], "nosuch: No such file or directory; try the file of a trace"),
        (["trace", "judge", "BYTES"], "BYTES: not a text; try the file of a trace"),
        (["report", "--trace", "BYTES"], "BYTES: not a text; try the file of a trace"),
        (
            ["calibrate", "--bench", "BYTES", "--board", "quick-battle-8x8"],
            "BYTES: not a text; try a file of readings",
        ),
        (["hall", ""], "BROKER '': not HOST or HOST:PORT; try broker.local"),
        (["page", "--board", ""], "no board ''; try "),
        (["page", "--board", "EMPTY"], 'EMPTY:1: an empty file; try format = "boardumpire-board" first'),
        (["make", "bases", "NAME"], "NAME: no such file; try a file that describes feet"),
        (["record", "list", "--journal", "."], ".: a folder; try the file journal.sqlite in it"),
        (["journal", "check", "--journal", "."], ".: a folder; try the file journal.sqlite in it"),
        (
            ["record", "list", "--journal", "BYTES"],
            "BYTES: not a whole boardumpire-journal (file is not a database); try another file, or a backup",
        ),
        (
            ["record", "list", "--journal", "EMPTY"],
            "EMPTY: an SQLite file of another program; try a boardumpire-journal",
        ),
        (["tags", "import", "EMPTY"], "EMPTY:1: nothing; try `boardumpire-tags 1` first"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_can_not_be_used_is_named_with_what_to_try(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    beginning: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "BYTES").write_bytes(bytes(range(255, 0, -1)) * 9)
    (tmp_path / "EMPTY").touch()
    code, out, err = said(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"boardumpire: {beginning}")
    assert "; try " in err


def test_a_library_that_is_missing_is_one_line() -> None:
    without = "import sys; sys.modules['serial'] = None"
    program = f"{without}; from boardumpire import cli; sys.exit(cli.main(['check-config']))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == cli.EXIT_BAD_INPUT
    assert ran.stderr == "boardumpire: the library serial is missing; install Boardumpire again\n"
