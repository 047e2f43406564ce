"""`boardumpire report`: one text file about a board that misbehaves, to be sent to those who can help.

Everything in it is on an allow-list: names of distributions, keys of the configuration and their values,
words of log lines, lines of a trace. What is not on a list stays out, so that no PIN, password, link, rank or
hand of cards can be in it. It holds nothing of the journal.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import distributions
from itertools import groupby
from pathlib import Path
from typing import Any

import boardrules
from boardrules.registry import installed_entry_points
from boardumpire.commands import check_config
from boardumpire.commands.file_access import access_problems
from boardumpire.errors import BoardumpireError
from boardumpire.makers.machine import Machine
from boardumpire.makers.machine_checks import MachineFinding, examine_machine_parts
from boardumpire.messages import announce
from boardumpire.messages.languages import LANGUAGES
from boardumpire.ruling import clocks
from boardumpire.service import config, control, drivers
from boardumpire.service.config import Config
from boardumpire.tracking.events import FaultCode
from boardware.description import board_names
from boardware.errors import BoardwareError

REPORT_HEADER = "boardumpire-report 1"
OWN_DISTRIBUTIONS = (
    "boardrules",
    "boardwire",
    "boardware",
    "boardumpire",
    "boardmake",
    "boardsim",
    "boardlab",
    "boardadapters",
)
LIBRARIES = (
    "adafruit-blinka", "adafruit-circuitpython-neopixel", "adafruit-circuitpython-neopixel-spi",
    "adafruit-circuitpython-pn532", "aiomqtt", "gpiod", "gpiozero", "h11", "lgpio", "pynacl", "pyserial",
    "rpi-ws281x", "segno", "starlette", "uvicorn", "wsproto", "zeroconf",
)  # fmt: skip
"""The libraries whose versions a report names."""
SHOWN_SETTINGS: Mapping[str, tuple[str, ...]] = {
    "drivers": ("sensors", "lamps", "console", "tags"),
    "game": ("id", "dice"),
    "clock": ("kind", "base_s", "extra_s", "turn_s"),
    "tracker": (
        "settle_ms", "lifted_ms", "slide_ms", "touch_ms", "straight_ms", "tap_ms", "capture_ms", "attack",
        "hold_ms", "away_s", "ask_s", "ask_where_s", "adjourn_s", "remind_s", "touch_move", "slides",
    ),
    "page": ("confirm", "https", "spectator_delay"),
    "mqtt": ("secure",),
    "voice": ("program", "language", "battles"),
}  # fmt: skip
"""The keys whose values a report shows."""
SETTINGS_SHOWN_AS_SET: Mapping[str, tuple[str, ...]] = {
    "page": ("listen", "certificate", "proxy", "metrics", "mdns"),
    "mqtt": ("broker",),
    "machine": ("power_off", "update"),
}
"""The keys of which a report says whether they are set. It is silent about all others."""
LOG_EVENTS = frozenset(("fault", "firmware", "open", "set-up", "update", "waits"))
"""The events that lines of the service's log are about."""
TRACE_WORDS = frozenset(
    ("board", "game", "check", "timing", "sensors", "moments", "turn", "present", "lifted", "placed",
     "pressed", "held", "marks")
)  # fmt: skip
"""The lines of a trace that a report holds: what sensors noticed and lights showed. What seats said and were
told, tags, dice and earlier moves stay out."""
LOG_LINES_MAX = 2000
"""How many lines of the log are looked through, from its end."""
_DRIVER_TROUBLE_CODES = ("bank-refused", "no-contact")
"""Codes of drivers' troubles that have no sentence of their own."""
_JOURNALCTL_TIMEOUT_S = 20.0
_EVENT_PATTERN = re.compile(r" event=([a-z-]+)(?: code=([a-z-]+))?(?= [a-z_]+=|$)")
_ERROR_NAME_PATTERN = re.compile(r"\b\w+(?:Error|Exception|Interrupt)\b")
_CODE_LINE_PATTERN = re.compile(r'(?:File "[^"]*?\b(\w+\.py)", line (\d+))|(?: at (\w+\.py):(\d+)\b)')
_TRACE_LINE_PATTERN = re.compile(r'[\w =."-]*')
_FIRMWARE_VERSION_PATTERN = re.compile(r" firmware ([0-9.]+)")


def add_report(commands: Any) -> None:
    """Add the command's parser."""
    from boardumpire.commands.command_parser import parse_file_path

    parser = commands.add_parser(
        "report",
        example="report --into my-board.txt",
        help="write versions, settings and faults into one file for a bug report, without secrets",
    )
    for option, text in (
        ("--into", "the file to write [boardumpire-report.txt, with the next free number if it exists]"),
        ("--trace", "add sensors and lights of this trace"),
        ("--log", "use this log of the service [the journal of systemd]"),
        ("--config", "the configuration [/etc/boardumpire/boardumpire.toml]"),
    ):
        parser.add_argument(option, metavar="FILE", type=parse_file_path, help=text)
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> None:
    log = service_log() if given.log is None else _read_text(given.log)
    trace = None if given.trace is None else _trace_of(given.trace)
    path = write_new_file(given.into, report_text(given.config, os.environ, log, trace, Machine(Path("/"))))
    print(f"{path}: written. It holds no secrets; read it before you send it.")
    if not log:
        print("boardumpire: no log was found; try it again with sudo, or with --log FILE", file=sys.stderr)


def write_new_file(path: Path | None, text: str) -> Path:
    """Write a file that did not exist, readable by its owner alone.

    Without a path it is the first free name in the current folder.
    Returns its path. Raises `BoardumpireError`.
    """
    number = 1
    while True:
        file = path or Path(f"boardumpire-report{f'-{number}' if number > 1 else ''}.txt")
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            if path is not None:
                raise BoardumpireError(f"{path}: it exists already; try another name") from None
            number += 1
            continue
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise BoardumpireError(f"{file}: can't write: {why}; try --into with another folder") from None
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        return file


def report_text(
    path: Path | None, environ: Mapping[str, str], log: str, trace: str | None, machine: Machine
) -> str:
    """The report of the board that the configuration at `path` describes.

    `log` is the log of its service, `trace` the text of a trace. Raises `BoardumpireError` if that is none.
    """
    sections = {
        "versions": version_lines(),
        "machine": machine_facts(machine),
        "configuration": _configuration_lines(path, environ, machine),
        "faults in the log, the last one at the end": fault_lines(log),
    }
    if trace is not None:
        sections["trace: sensors and lights"] = trace_lines(trace)
    parts = [
        f"== {title}\n" + "".join(f"{line}\n" for line in lines or ["none found"])
        for title, lines in ((title, list(lines)) for title, lines in sections.items())
    ]
    return "\n".join([f"{REPORT_HEADER}\n", *parts])


def version_lines() -> Iterator[str]:
    """Python and the distributions of `OWN_DISTRIBUTIONS` and `LIBRARIES` that are installed."""
    yield f"Python {platform.python_version()}"
    found = {
        re.sub(r"[-_.]+", "-", each.metadata["Name"] or "").lower(): each.version for each in distributions()
    }
    for name in (*OWN_DISTRIBUTIONS, *LIBRARIES):
        if name in found:
            yield f"{name} {found[name]}"


def machine_facts(machine: Machine) -> Iterator[str]:
    """The kernel, the system and the model of the Pi, if it is one."""
    yield f"kernel {platform.release()} {platform.machine()}"
    name = re.search(r'^PRETTY_NAME="?([^"\n]*)', machine.read_text("etc/os-release"), re.MULTILINE)
    yield f"system {name[1] if name else 'unknown'}"
    yield f"model {machine.model}" if machine.is_pi else "model: not a Raspberry Pi"


def _configuration_lines(path: Path | None, environ: Mapping[str, str], machine: Machine) -> Iterator[str]:
    """The settings, the verdict of `check-config`, and the state of the service."""
    try:
        found = config.load(path, environ)
    except BoardumpireError as error:
        yield config_error_line(error, path or config.DEFAULT_PATH)
        return
    yield from setting_lines(found)
    yield from _check_config_lines(found, path, environ, machine)
    yield from _service_lines(found)


def setting_lines(found: Config) -> Iterator[str]:
    """The settings on the allow-list, as `[section] key = value`."""
    name, known = found.board.name, _known_words()
    yield f"[board] name = {name if name in ('', *board_names()) else 'a board file'}"
    for section, keys in SHOWN_SETTINGS.items():
        for key in keys:
            value = getattr(getattr(found, section), key)
            shown = value if not isinstance(value, str) or value in known else "something else"
            yield f"[{section}] {key} = {shown}"
    for section, keys in SETTINGS_SHOWN_AS_SET.items():
        for key in keys:
            yield f"[{section}] {key}: {'set' if getattr(getattr(found, section), key) else 'not set'}"
    if found.game.id in boardrules.ids():
        for option in boardrules.package(found.game.id).ranges({}):
            yield f"[game.options] {option}: {'set' if option in found.game.options else 'not set'}"


def _known_words() -> frozenset[str]:
    """The words that a configuration may have as values and that a report shows."""
    names = (each.name for each in installed_entry_points(drivers.ENTRY_POINT_GROUP))
    words = ("", "umpire", "real", "sign", "hold", "espeak-ng", "piper", "words", "tunes")
    return frozenset((*names, *boardrules.ids(), *clocks.KINDS, *LANGUAGES, *words))


def config_error_line(error: Exception, path: Path) -> str:
    """Where a configuration is wrong. What was found there is left out: it may be a password."""
    text, where = str(error).removeprefix(str(path)), ""
    if line := re.match(r":(\d+): ", text) or re.search(r"\(at line (\d+), column \d+\); try [^()]*$", text):
        where += f" line {line[1]}"
    if key := re.match(r"(?:(?::\d+)?: )?\[([\w.]+)\] (\w+): ", text):
        where += _known_key_text([*key[1].split("."), key[2]])
    return f"check-config: refused{f':{where}' if where else ''}"


def _known_key_text(names: Sequence[str]) -> str:
    """` [section] key`, as far as a configuration has them: what else is written there may be anything."""
    section = getattr(Config(), names[0]) if names[0] in {part.name for part in fields(Config)} else None
    if section is None:
        return ""
    keys = {part.name for part in fields(section)} if is_dataclass(section) else set()
    return f" [{names[0]}] {names[1] if names[1] in keys else 'another key'}"


def _check_config_lines(
    found: Config, path: Path | None, environ: Mapping[str, str], machine: Machine
) -> Iterator[str]:
    """What `check-config` finds: right or not, and by part whether the machine has it."""
    if not found.board.name:
        yield "check-config: no board is chosen yet"
        return
    try:
        board = check_config.load_checked_board(found)
        doubts = len(check_config.check_configuration(path, environ).splitlines()) - 1
    except (BoardumpireError, BoardwareError) as error:
        yield config_error_line(error, found.origin.path or config.DEFAULT_PATH)
        return
    yield f"check-config: right{f', {doubts} doubts' if doubts else ''}"
    running = check_config.is_board_running(found.control.socket)
    seen = examine_machine_parts(machine, found, board, running=running)
    for part, findings in groupby(seen, key=lambda each: each[0]):
        yield _part_line(part, [finding for _, finding in findings])
    yield _part_line("files", access_problems(found, machine.user))


def _part_line(name: str, findings: Iterable[MachineFinding]) -> str:
    """Whether a part of the machine is right, and the firmware of Picos; nothing else of its sentences."""
    firmware = [version for each in findings for version in _FIRMWARE_VERSION_PATTERN.findall(each.text)]
    to_do = sum(bool(each.remedy_command) for each in findings)
    said = f"{to_do} to do" if to_do else "ok"
    return f"check-config: {name}: {said}{''.join(f', firmware {version}' for version in firmware)}"


def _service_lines(found: Config) -> Iterator[str]:
    """Whether the board is in service, and which of its sensors are in doubt."""
    try:
        status = control.send_request(found.control.socket, {"do": "status"})
    except control.NotAllowedError:
        yield "service: this user may not ask it"
        return
    except BoardumpireError:
        yield "service: no board in service answers"
        return
    if "set_up" in status:
        yield "service: not set up yet"
    elif "over" not in status:
        yield "service: no game, parts of the board are missing"
    else:
        yield f"service: {'the game is over' if status['over'] else 'a game is played'}"
        yield from (f"service: the sensor of {each['slot']} flutters" for each in status["reeds"])
    yield f"service: waits for {len(status['waits_for'])} parts"


def service_log() -> str:
    """The last lines of the service's log, as systemd has kept them; empty where there are none."""
    command = (
        "journalctl",
        "--unit=boardumpire",
        f"--lines={LOG_LINES_MAX}",
        "--output=cat",
        "--no-pager",
        "--quiet",
    )
    try:
        done = subprocess.run(command, capture_output=True, timeout=_JOURNALCTL_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")


def fault_lines(log: str) -> Iterator[str]:
    """The events, kinds of errors and lines of code that a log names, without its sentences.

    Equal ones behind each other are counted.
    """
    kinds = _error_names(BaseException)
    found = (_allowed_words(line, kinds) for line in log.splitlines()[-LOG_LINES_MAX:])
    for fact, equal in groupby(each for each in found if each):
        times = len(list(equal))
        yield f"{fact} ({times} times)" if times > 1 else fact


def _allowed_words(line: str, kinds: frozenset[str]) -> str:
    """What one line of a log says by words of the allow-list; empty where it says nothing."""
    said = []
    if (event := _EVENT_PATTERN.search(line)) and event[1] in LOG_EVENTS:
        said.append(event[1])
        if event[2]:
            said.append(event[2] if event[2] in _fault_codes() else "another code")
    elif " has failed: " in line:
        said.append("failed:")
    said += [word for word in _ERROR_NAME_PATTERN.findall(line) if word in kinds]
    said += [f"{a or c}:{b or d}" for a, b, c, d in _CODE_LINE_PATTERN.findall(line)]
    return " ".join(said)


@cache
def _fault_codes() -> frozenset[str]:
    """The codes of faults that a board tells everybody."""
    told = (each.removeprefix("trouble ") for each in announce.BOARD_SENTENCES if each.startswith("trouble "))
    return frozenset((*told, *FaultCode, *_DRIVER_TROUBLE_CODES))


def _error_names(kind: type[BaseException]) -> frozenset[str]:
    """The names of an error and of all its subclasses that are loaded."""
    names = {kind.__name__}
    return frozenset(names.union(*(_error_names(each) for each in type.__subclasses__(kind))))


def trace_lines(text: str) -> Iterator[str]:
    """The lines of a trace that `TRACE_WORDS` names. Raises `BoardumpireError` if it is no trace."""
    from boardumpire.makers.traces import trace

    trace.parse(text, "--trace")
    for _, line in trace.significant_lines(text):
        if line.split(maxsplit=1)[0] in TRACE_WORDS and _TRACE_LINE_PATTERN.fullmatch(line):
            yield line


def _trace_of(path: Path) -> str:
    from boardumpire.makers.traces import trace

    trace.read(path)
    return _read_text(path)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise BoardumpireError(f"{path}: can't read: {why}; try a file that exists") from None
