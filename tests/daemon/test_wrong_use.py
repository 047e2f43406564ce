"""A command that is used wrongly says so in words, and makes nothing.

Commands, options and arguments are those of the program's own parser. Each command is run with one wrong
value after the other, in a process forked for it. It must end without a traceback, and where it fails it must
leave no file behind.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardumpire import cli
from boardumpire.commands import parsers

WRONG = ("", "nosuch", "-1", "99999999999999999999", "\udcff", "/proc/x/y", "{", "a=b=c")
"""Values that fit few options, if any. `FOLDER`, `TEXT`, `BYTES` and `GONE` are paths of the test."""
PATHS = ("FOLDER", "TEXT", "BYTES", "GONE", "GONE/deeper")
SECONDS = 0.5
"""A command that goes on for longer has taken the value; it is ended."""


def commands(
    parser: argparse.ArgumentParser, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Each command that does something, with its parser."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        yield words, parser
    for action in below:
        for name, one in action.choices.items():
            yield from commands(one, (*words, name))


def uses(words: tuple[str, ...], parser: argparse.ArgumentParser) -> Iterator[tuple[str, ...]]:
    """Uses of a command: bare, and with each wrong value for each option and argument."""
    yield words
    yield (*words, "--nosuch")
    required = [action for action in parser._actions if action.required or not action.option_strings]
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction) or action.nargs == 0:
            continue
        for value in (*WRONG, *PATHS):
            given: list[str] = []
            for other in required:
                if other is action:
                    continue
                if not other.option_strings and other.nargs in ("?", "*"):
                    continue
                said = str(next(iter(other.choices))) if other.choices else "TEXT"
                given += [other.option_strings[-1], said] if other.option_strings else [said]
            tried = [f"{action.option_strings[-1]}={value}"] if action.option_strings else ["--", value]
            if action.option_strings:
                yield (*words, *given, *tried)
            elif not given:
                yield (*words, *tried)
            else:
                yield (*words, *given, value)


ALL = sorted(commands(parsers.parser_for((), all_commands=True)), key=lambda found: found[0])


def run(words: tuple[str, ...], folder: Path) -> tuple[int, str]:
    """Run the command in a process of its own; its exit code (-9: it went on) and what it wrote."""
    told = folder.with_name("told")
    pid = os.fork()
    if pid == 0:
        code = 99
        try:
            os.setsid()
            os.chdir(folder)
            out = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            null = os.open(os.devnull, os.O_RDONLY)
            os.dup2(null, 0)
            os.dup2(out, 1)
            os.dup2(out, 2)
            sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), "utf-8", "surrogateescape")
            sys.stdout, sys.stderr = (
                io.TextIOWrapper(io.FileIO(number, "w", closefd=False), "utf-8", "backslashreplace")
                for number in (1, 2)
            )
            for name in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
                signal.signal(name, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            try:
                code = cli.main(words)
            except SystemExit as left:
                code = left.code if isinstance(left.code, int) else 1
            except BaseException:
                traceback.print_exc()
                code = 98
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status), told.read_text("utf-8", "replace")


@pytest.mark.slow
@pytest.mark.parametrize(("words", "parser"), ALL, ids=[" ".join(words) for words, _ in ALL])
def test_a_wrong_use_ends_in_words_and_makes_nothing(
    words: tuple[str, ...], parser: argparse.ArgumentParser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, state = tmp_path / "here", tmp_path / "state"
    folder.mkdir()
    wrong = []
    monkeypatch.setenv("PATH", str(folder))  # no program of this machine is changed by a test
    # Nor is a board that this machine has in service.
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "HOME", "STATE_DIRECTORY", "RUNTIME_DIRECTORY"):
        monkeypatch.setenv(name, str(state))
    (tmp_path / "FOLDER").mkdir()
    (tmp_path / "TEXT").write_text("nothing of use\n")
    (tmp_path / "BYTES").write_bytes(bytes(range(256)))
    before = sorted(tmp_path.rglob("*"))
    for use in uses(words, parser):
        said = tuple(
            word
            if word.startswith("/")
            else "=".join(
                str(tmp_path / part) if part.split("/")[0] in PATHS else part for part in word.split("=")
            )
            for word in use
        )
        code, told = run(said, folder)
        after = [path for path in sorted(tmp_path.rglob("*")) if path.name != "told"]
        # What the alarm ends was at work; processes that it started complain of an end that is not theirs.
        if ("Traceback" in told and code != -signal.SIGALRM) or code in (98, 99):
            wrong.append((use, code, told[-600:]))
        elif code not in (0, -signal.SIGALRM) and (made := set(after) - set(before)):
            wrong.append((use, code, f"made {made}"))
        before = after
    assert not wrong, "\n\n".join(f"{' '.join(map(repr, use))}: {code}\n{told}" for use, code, told in wrong)


def test_no_name_of_a_file_or_of_a_key_gives_a_terminal_commands(tmp_path: Path) -> None:
    """Such a name could clear the screen, or write a line that looks like an answer."""
    path = tmp_path / "own\x1b[2J.toml"
    path.write_text('format = "boardumpire-config"\nversion = 1\n["\\u001b[31m"]\n')
    told = subprocess.run(
        [Path(sys.executable).with_name("boardumpire"), "check-config", "--config", path],
        capture_output=True,
        text=True,
    )
    assert told.returncode == 2
    assert "own\\x1b[2J.toml" in told.stderr
    assert "\x1b" not in told.stderr + told.stdout
