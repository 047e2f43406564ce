"""The makers' commands: `boardumpire trace`, `boardumpire doctor`, `boardumpire calibrate`."""

from __future__ import annotations

import argparse
import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardumpire.commands.command_parser import parse_file_path

if TYPE_CHECKING:  # each command imports what it needs
    from boardumpire.makers.guide import Check
    from boardumpire.makers.observations import Observations
    from boardumpire.service.config import Config
    from boardware.parts import BoardDescription
    from boardware.ports import Ports

EXIT_FAILED = 1

Subparsers = Any


def add_trace(commands: Subparsers) -> None:
    """`boardumpire trace record|replay|show|judge`."""
    verbs = commands.add_parser(
        "trace", help="record, replay, draw and judge what sensors reported"
    ).add_subparsers(metavar="VERB", required=True)
    record = verbs.add_parser(
        "record",
        example="trace record evening.trace",
        help="run the umpire as `run` does, and write a trace of each game",
    )
    record.add_argument(
        "file",
        metavar="FILE",
        type=parse_file_path,
        help="the trace to write; further games go to FILE-2, FILE-3 ...",
    )
    record.add_argument(
        "--open",
        action="store_true",
        help="write hidden actions at once, not when the game is over; for tests only",
    )
    record.add_argument(
        "--config",
        metavar="FILE",
        type=parse_file_path,
        help="the configuration [/etc/boardumpire/boardumpire.toml]",
    )
    record.set_defaults(run=_run_trace_record)
    replay = verbs.add_parser(
        "replay",
        example="trace replay evening.trace",
        help="check that the umpire still rules the same",
    )
    replay.add_argument(
        "file", metavar="FILE", type=parse_file_path, help="a trace that `trace record` wrote"
    )
    replay.add_argument(
        "--write",
        metavar="NEW",
        type=parse_file_path,
        help="write a new trace with the rulings that the umpire makes now",
    )
    show = verbs.add_parser(
        "show",
        example="trace show evening.trace > evening.svg",
        help="draw a trace over time, as SVG on standard output",
    )
    show.add_argument("file", metavar="FILE", type=parse_file_path, help="a trace that `trace record` wrote")
    show.add_argument(
        "--from", dest="start", metavar="S", type=_parse_seconds, default=0.0, help="first second to draw [0]"
    )
    show.add_argument(
        "--to", dest="end", metavar="S", type=_parse_seconds, help="last second to draw [the end]"
    )
    show.add_argument(
        "--slots", metavar="A1,B2", default="", help="draw only these spaces [those that change]"
    )
    judge = verbs.add_parser(
        "judge",
        example="trace judge evening.trace",
        help="show where a real board differs from the model",
    )
    judge.add_argument("file", metavar="FILE", type=parse_file_path, help="a trace that `trace record` wrote")
    for parser, run in ((replay, _run_trace_replay), (show, _run_trace_show), (judge, _run_trace_judge)):
        parser.add_argument("--board", metavar="BOARD", help="a shipped board or a board file [the trace's]")
        parser.set_defaults(run=run)


def _parse_seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found < 1e9:
        raise argparse.ArgumentTypeError(
            f"{text!r}: not a time; try seconds from the beginning of the trace, such as 60"
        )
    return found


def _run_trace_record(given: argparse.Namespace) -> None:
    import logging

    from boardumpire.commands import daemon
    from boardumpire.makers.traces.recording import TraceFiles, traced_table_opener
    from boardumpire.service import config

    wanted = config.load(given.config, os.environ)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    files = TraceFiles(given.file)
    try:
        daemon.serve(wanted, os.environ, traced_table_opener(files, wanted.drivers.sensors, open_=given.open))
    finally:
        files.close()


def _run_trace_replay(given: argparse.Namespace) -> int:
    from boardumpire.makers.traces import replaying
    from boardumpire.makers.traces.trace import TraceError, read
    from boardware.description import load_board

    trace = read(given.file)
    again = replaying.replay(trace, load_board(given.board) if given.board else None)
    differs = replaying.first_difference(given.file.read_text(encoding="utf-8"), again)
    if given.write:  # it may be the same file, to be written anew
        try:
            given.write.write_text(again, encoding="utf-8")
        except OSError as error:
            raise TraceError(f"{given.write}: {error.strerror}; try another file") from None
    if differs:
        print(f"boardumpire: {given.file}: {differs}", file=sys.stderr)
        return EXIT_FAILED
    print(f"{given.file}: {len(trace.moments)} moments, the same rulings")
    return 0


def _run_trace_judge(given: argparse.Namespace) -> int:
    from boardumpire.makers.traces.judge import judge_measurement
    from boardumpire.makers.traces.judge_game import judge_game
    from boardumpire.makers.traces.replaying import board_of_trace
    from boardumpire.makers.traces.trace import read
    from boardware.description import load_board

    trace = read(given.file)
    board = load_board(given.board) if given.board else board_of_trace(trace)
    found = (judge_measurement if trace.check_name else judge_game)(trace, board)
    for difference in found.differences:
        print(f"differs: {difference}")
    for line in found.agreements:
        print(line)
    count = len({difference.where for difference in found.differences})
    print(f"{given.file}: " + (f"{count} places differ from the model" if count else "as the model says"))
    return EXIT_FAILED if found.differences else 0


def _run_trace_show(given: argparse.Namespace) -> None:
    from boardumpire.makers.traces import timeline
    from boardumpire.makers.traces.trace import TraceError, read

    trace = read(given.file)
    start = round(given.start * 1000)
    last = timeline.length_ms(trace)
    end = last if given.end is None else round(given.end * 1000)
    if not start < min(end, last):
        upto = f" --to {given.end:g}" if given.end is not None else ""
        raise TraceError(
            f"--from {given.start:g}{upto}: nothing is there; try times within its {last / 1000:g} s"
        )
    slots = [slot for slot in given.slots.split(",") if slot]
    if unknown := [slot for slot in slots if slot not in _known_slots(trace, given.board)]:
        raise TraceError(f"--slots: no {', '.join(unknown)} in {given.file}; try slots of its board")
    print(timeline.draw_timeline(timeline.timeline_of_trace(trace, start, end, slots)), end="")


def _known_slots(trace: Any, board: str | None) -> set[str]:
    """The slots that a trace may be asked for: those of its board, if that is at hand, or those it names."""
    from boardumpire.makers.traces import timeline
    from boardware.description import load_board
    from boardware.errors import BoardwareError

    try:
        return set(load_board(board or trace.board).slots)
    except BoardwareError:
        if board is not None:
            raise
        return timeline.named_slots(trace)


def _parse_stage(text: str) -> str:
    from boardumpire.makers.doctor import STAGES

    if text not in STAGES:
        raise argparse.ArgumentTypeError(f"{text[:20]!r}: no stage; try one of {', '.join(STAGES)}")
    return text


def add_doctor(commands: Subparsers) -> None:
    """`boardumpire doctor`."""
    parser = commands.add_parser(
        "doctor",
        example="doctor --no-hands",
        help="find the faulty reed, diode, wire, lamp or button, step by step",
    )
    parser.add_argument(
        "stages",
        metavar="STAGE",
        nargs="*",
        type=_parse_stage,
        help="go through this alone: matrix, power, buttons, lamps, squares, rows, pieces, tags, play"
        " [the first six]",
    )
    parser.add_argument("--no-hands", action="store_true", help="only watch the empty board for a moment")
    parser.add_argument("--json", action="store_true", help="print the findings as one JSON object")
    parser.add_argument(
        "--rehearse",
        metavar="MISTAKE",
        help="examine a simulated board with this mistake, such as chain-cut, instead of a real one",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=parse_file_path,
        help="the configuration [/etc/boardumpire/boardumpire.toml]",
    )
    parser.set_defaults(run=_run_doctor)


def _run_doctor(given: argparse.Namespace) -> int:
    from boardumpire.commands import check_config
    from boardumpire.makers import power, report, settling
    from boardumpire.makers.bare_board import bare_board
    from boardumpire.makers.doctor import USUAL_STAGES, Doctor
    from boardumpire.makers.terminal import run_check_at_terminal
    from boardumpire.service import config

    if given.rehearse is not None:
        return _rehearse(given)
    wanted = config.load(given.config, os.environ)
    board = check_config.load_checked_board(wanted)
    stages = given.stages or USUAL_STAGES
    ports, unopened = _open_for_doctor(bare_board(board), wanted, tags="tags" in stages)
    check_up = Doctor(
        board,
        hands=not given.no_hands,
        stages=stages,
        sagged=power.under_voltage,
        unopened_readers=unopened,
    )
    try:
        seen, guide = run_check_at_terminal(ports, check_up.run_steps(), sys.stderr)
        slower = settling.slower_board(board, seen)
        if slower is not None and not _agrees(ports, settling.ask_consent(slower)):
            slower = None
    finally:
        ports.close()
    if slower is not None:
        try_slower(slower, wanted, seen)
    found = report.make_report(board, seen, guide.troubles, wanted.lamps)
    print(report.as_json(found) if given.json else report.as_text(found))
    return EXIT_FAILED if found.findings else 0


def _agrees(ports: Ports, question: Check) -> bool:
    from boardumpire.makers.terminal import UserQuitError, run_check_at_terminal

    try:
        return bool(run_check_at_terminal(ports, question, sys.stderr)[0])
    except UserQuitError:  # what was seen before is told all the same
        return False


def try_slower(slower: BoardDescription, wanted: Config, seen: Observations) -> None:
    """Read the board more slowly, and note what comes of it in `seen`. What fails is told, and no more."""
    from boardumpire.commands.flash import flash_picos
    from boardumpire.errors import BoardumpireError
    from boardumpire.makers import settling
    from boardumpire.makers.bare_board import bare_board
    from boardumpire.makers.terminal import run_check_at_terminal
    from boardumpire.service import drivers
    from boardware.errors import BoardwareError

    try:
        if slower.picos:
            flash_picos(wanted, slower, lambda text: print(text, file=sys.stderr))
        ports = drivers.open_ports(bare_board(slower), wanted, tags=False, wait=False)
        try:
            again, _ = run_check_at_terminal(ports, settling.second_walk(slower, seen), sys.stderr)
        finally:
            ports.close()
    except (BoardumpireError, BoardwareError) as error:
        print(f"not tried: {error}", file=sys.stderr)
    else:
        settling.note_second_walk(slower, seen, again)


def _open_for_doctor(board: Any, wanted: Any, *, tags: bool) -> tuple[Any, str]:
    """The open drivers; and why the readers of tags are not among them, though they were asked for."""
    from boardumpire.errors import ConfigError, DriverError
    from boardumpire.service import drivers

    if tags and not wanted.drivers.tags:
        place = wanted.origin.locate("drivers", "tags")
        raise ConfigError(f"{place}: no driver of tags to examine; try pn532 or pico-tags")
    try:
        return drivers.open_ports(board, wanted, tags=tags, wait=False), ""
    except DriverError as error:
        if not tags:
            raise
        return drivers.open_ports(board, wanted, tags=False, wait=False), str(error)


def _rehearse(given: argparse.Namespace) -> int:
    """The doctor on a simulated board that somebody built wrong; at the end what was wrong with it."""
    from boardrules import registry
    from boardumpire.errors import BoardumpireError
    from boardumpire.makers import report
    from boardware.errors import install_hint

    installed = list(registry.installed_entry_points("boardumpire.rehearsals"))
    if not installed:
        raise BoardumpireError(f"--rehearse: there is no simulated board here: {install_hint('lab')}")
    rehearse = installed[0].load()
    came = rehearse(given.rehearse, given.stages, lambda text: print(text, file=sys.stderr, flush=True))
    found = report.make_report(came.board, came.seen, came.troubles, {})
    print(report.as_json(found) if given.json else report.as_text(found))
    built = ", ".join(" ".join((mistake.kind, *mistake.where)) for mistake in came.mistakes)
    print(f"Built in: {built}", file=sys.stderr)
    return EXIT_FAILED if found.findings else 0


def add_calibrate(commands: Subparsers) -> None:
    """`boardumpire calibrate`."""
    parser = commands.add_parser(
        "calibrate",
        example="calibrate --into my-board.toml",
        help="learn which reed and lamp is where, and write a board file that fits",
    )
    parser.add_argument(
        "--into",
        metavar="FILE",
        type=parse_file_path,
        help="the board file to write; without it a measurement is only printed",
    )
    parser.add_argument(
        "--measure", action="store_true", help="measure magnets and sensors instead, with a ruler and spacers"
    )
    parser.add_argument(
        "--spacer", metavar="MM", type=_parse_spacer_mm, help="with --measure: thickness of one spacer [1.5]"
    )
    parser.add_argument("--trace", metavar="FILE", type=parse_file_path, help="with --measure: write a trace")
    parser.add_argument(
        "--bench",
        metavar="FILE",
        type=parse_file_path,
        help="use measurements made by hand instead of a board",
    )
    parser.add_argument(
        "--board",
        metavar="BOARD",
        help="with --bench: the board file or shipped board whose [sensing] to fit",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=parse_file_path,
        help="the configuration [/etc/boardumpire/boardumpire.toml]",
    )
    parser.set_defaults(run=_run_calibrate)


def _parse_spacer_mm(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0.2 <= found <= 5:
        raise argparse.ArgumentTypeError(f"{text!r}: not the thickness of a spacer; try 0.2 to 5, in mm")
    return found


def _run_calibrate(given: argparse.Namespace) -> int:
    from boardumpire.makers.board_file_edit import BoardFileEditError

    if given.into is not None:
        _check_new_file(given.into)
    if given.trace is not None:
        _check_new_file(given.trace)
    for of, wanted in (("--bench", given.bench), ("--measure", given.measure or None)):
        options = {"--bench": ("board",), "--measure": ("spacer", "trace")}[of]
        wrong = [name for name in options if getattr(given, name) is not None]
        if wrong and wanted is None:
            raise BoardFileEditError(f"--{wrong[0]}: it needs {of}; try both")
    if given.bench is not None:
        return _fit_readings_file(given)
    if given.measure:
        return _run_measurement(given)
    if given.into is None:
        raise BoardFileEditError("--into is missing; try --into with the name of a new board file")
    return _run_calibration(given)


def _check_new_file(path: Path) -> None:
    from boardumpire.makers.board_file_edit import BoardFileEditError

    if path.exists():
        raise BoardFileEditError(f"{path}: it exists already; try another name")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise BoardFileEditError(f"{path}: no file can be made in {path.parent}; try another folder")


def _fit_readings_file(given: argparse.Namespace) -> int:
    """Fit what a file of readings says."""
    from boardumpire.makers import readings
    from boardumpire.makers.board_file_edit import BoardFileEditError
    from boardware.description import board_path, load_board

    if given.board is None:
        raise BoardFileEditError("--board is missing; try the board whose [sensing] was measured")
    if given.measure:
        raise BoardFileEditError("--bench and --measure exclude each other; try one of them")
    board = load_board(given.board)
    return _report_measurement(given, board, board_path(given.board), readings.read(given.bench), [])


def _run_measurement(given: argparse.Namespace) -> int:
    """Lead a maker through a measurement."""
    from boardumpire.commands import check_config
    from boardumpire.makers.guide import Guide
    from boardumpire.makers.measure import SPACER_MM, Measurement
    from boardumpire.makers.terminal import run_check_at_terminal
    from boardumpire.makers.traces.traced_guide import open_trace_writer, traced_guide_factory
    from boardumpire.service import config, drivers
    from boardware.description import board_path

    wanted = config.load(given.config, os.environ)
    board = check_config.load_checked_board(wanted)
    measure = Measurement(board, spacer_mm=given.spacer or SPACER_MM)
    make: Any = Guide
    if given.trace is not None:
        make = traced_guide_factory(measure, open_trace_writer(given.trace), wanted.drivers.sensors)
    ports = drivers.open_ports(board, wanted, tags=False)
    try:
        measured, _ = run_check_at_terminal(ports, measure.run_steps(), sys.stderr, make)
    finally:
        ports.close()
    return _report_measurement(
        given, board, board_path(wanted.board.name), measured.readings, measured.objections()
    )


def _report_measurement(
    given: argparse.Namespace, board: Any, source: Path, found: Any, objections: list[str]
) -> int:
    """Say what was measured, and write it if it may be."""
    from boardumpire.makers.measurement_result import fit_readings, result_sentences, write_sensing
    from boardware.physics.design import DEFAULT_DESIGN

    if not found:
        print("\n".join(["Nothing was measured.", *(f"- {each}" for each in objections)]))
        return EXIT_FAILED
    came = fit_readings(board.sensor_design or DEFAULT_DESIGN, found, objections)
    print("\n".join(result_sentences(came, board)))
    if came.objections:
        print("Not written, as the measurements don't fit each other or the model:")
        print("\n".join(f"- {each}" for each in came.objections))
        return EXIT_FAILED
    if given.into is not None:
        write_sensing(source, given.into, came.design)
        print(f"{given.into}: written")
    return 0


def _run_calibration(given: argparse.Namespace) -> int:
    from boardumpire.commands import check_config
    from boardumpire.makers.bare_board import bare_board
    from boardumpire.makers.board_file_edit import write_edited_board
    from boardumpire.makers.calibrate import Calibration
    from boardumpire.makers.terminal import run_check_at_terminal
    from boardumpire.service import config, drivers
    from boardware.description import board_path

    wanted = config.load(given.config, os.environ)
    board = check_config.load_checked_board(wanted)
    calibration = Calibration(board)
    ports = drivers.open_ports(bare_board(board), wanted, tags=False)
    try:
        learnt, _ = run_check_at_terminal(ports, calibration.run_steps(), sys.stderr)
    finally:
        ports.close()
    write_edited_board(board_path(wanted.board.name), given.into, board, learnt)
    changed = learnt.count_changes(board)
    print(f"{given.into}: {changed} of {len(board.slots) + len(board.named_lamps)} places changed")
    for line in learnt.unsettled_notes:
        print(f"- not settled: {line}")
    return EXIT_FAILED if learnt.unsettled_notes else 0
