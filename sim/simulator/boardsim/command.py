"""The commands `boardumpire sim run` and `boardumpire sim play`.

Each is handed the subparsers of the command line and a table factory, adds its parser and sets `run` on it, a
callable of the parsed arguments that returns the exit code.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from boardsim.bench.table import BenchTableFactory

FAILED, BAD_INPUT = 1, 2


class CommandError(ValueError):
    """Words of the command line that are wrong."""


def add_sim(subparsers: Any, table_factory: BenchTableFactory) -> None:
    """`boardumpire sim run FILE` and `boardumpire sim play RECORD`."""
    from boardsim.script import script

    verbs = subparsers.add_parser(
        "sim", help="run hand scripts and records on a simulated board"
    ).add_subparsers(metavar="VERB", required=True)
    run = verbs.add_parser(
        "run",
        example="sim run evening.hands --lamps",
        help="run a hand script, and print the umpire's messages as JSON lines",
        description=script.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument("file", metavar="FILE", type=Path, help="the hand script, or - for standard input")
    run.add_argument("--lamps", action="store_true", help="print every change of the lamps, too")
    run.add_argument(
        "--secret", metavar="SEAT", action="append", default=[], help="print private messages to SEAT, too"
    )
    run.add_argument(
        "--chance",
        metavar="SEED",
        help="seed of dice and cards, as the script of a soak names it [random]",
    )
    run.add_argument("--game", metavar="ID", default="stratego-quick-duel", help="the game [%(default)s]")
    _add_bench(run)
    run.set_defaults(run=lambda given: _run_reporting_errors(given, table_factory, _run))

    play = verbs.add_parser(
        "play",
        example="sim play game.record --hands fast",
        help="play a record with simulated hands, and print the umpire's record",
    )
    play.add_argument("file", metavar="RECORD", type=Path, help="the record, or - for standard input")
    _add_bench(play)
    play.set_defaults(run=lambda given: _run_reporting_errors(given, table_factory, _play))


def _add_bench(parser: argparse.ArgumentParser) -> None:
    from boardsim.bench.bench import BARE, EMULATED, LAMP_DRIVERS, PIN_LIBRARIES
    from boardsim.hands.hands import PACES
    from boardsim.world.kits import KITS

    def add(name: str, default: object, text: str, **more: Any) -> None:
        parser.add_argument(name, default=default, help=f"{text} [%(default)s]", **more)

    add("--board", "quick-battle-8x8", "a shipped board or a board file", metavar="BOARD")
    way = "the simulated driver [gpio-sim; pico-sim for boards on Picos]"
    parser.add_argument("--driver", choices=[*PIN_LIBRARIES, EMULATED, BARE], help=way)
    image = "with pico-emulated: MicroPython's image for a Pico (micropython.org)"
    parser.add_argument("--uf2", metavar="FILE", type=Path, help=image)
    add("--lamp-driver", "neopixel-spi-sim", "the simulated driver of the lamps", choices=list(LAMP_DRIVERS))
    add("--seed", 0, "seed of contact bounce and hands", type=int, metavar="N")
    kit = "sensors and magnets for the verb `path` [those of the board file]"
    parser.add_argument("--kit", choices=list(KITS), help=kit)
    add("--hands", "human", "speed of the hands", choices=list(PACES))
    parser.add_argument(
        "--tags", action="store_true", help="put a tag into each piece, for boards with pads or readers"
    )
    parser.add_argument("--no-bounce", action="store_true", help="no contact bounce")
    parser.add_argument("--journal", metavar="PATH", type=Path, help="keep the journal in this file")
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option of the game; VALUE is JSON, text, or @FILE for the text of a file",
    )
    parser.add_argument(
        "--announce",
        metavar="WHAT",
        help="what a battle announces, such as ranks or silent (an option of the game)",
    )


def _setting(given: argparse.Namespace, game: str, options: dict[str, Any]) -> Any:
    from boardsim.bench.bench import PICO, BenchSettings
    from boardsim.hands.hands import PACES
    from boardsim.world.kits import KITS
    from boardware.description import load_board

    return BenchSettings(
        board=given.board,
        game=game,
        options=options,
        driver=given.driver or (PICO if load_board(given.board).picos else "gpio-sim"),
        lamp_driver=given.lamp_driver,
        journal=given.journal,
        seed=given.seed,
        bounce=not given.no_bounce,
        pace=PACES[given.hands],
        kit=KITS[given.kit] if given.kit else None,
        tags=given.tags,
        micropython_image=_image(given),
    )


def _image(given: argparse.Namespace) -> Path | None:
    """The image of MicroPython, where one is wanted. Raises `DriverError`."""
    from boardsim.bench.bench import EMULATED
    from boardware.errors import DriverError

    if given.driver != EMULATED:
        return None
    if given.uf2 is None or not given.uf2.is_file():
        found = "nothing" if given.uf2 is None else str(given.uf2)
        raise DriverError(
            f"--uf2: found {found}; try the file of MicroPython for a Pico (micropython.org has it)"
        )
    return Path(given.uf2)


def _options(given: argparse.Namespace) -> dict[str, Any]:
    """The options of the command line (`boardrules.option_words`)."""
    from boardrules import option_words as options_given

    announce = {} if given.announce is None else {"announce": given.announce}
    return {**announce, **options_given.parse_options(given.option)}


def _run_reporting_errors(given: argparse.Namespace, factory: BenchTableFactory, run_command: Any) -> int:
    """Run `run_command`; input that is wrong is one line on standard error."""
    from boardrules.core import OptionError
    from boardrules.registry import UnknownGame
    from boardsim.script.script import ScriptError

    try:
        return int(run_command(given, factory))
    except (CommandError, ScriptError, OptionError, UnknownGame) as error:
        print(f"boardumpire: {error}", file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        if error.filename is None:
            raise
        print(f"boardumpire: {error.filename}: {error.strerror}; try another file", file=sys.stderr)
        return BAD_INPUT


def _read_text_file(path: Path, expected: str) -> str:
    """What a file, or standard input, holds. Raises `CommandError` naming a byte that is no text."""
    data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        byte = error.object[error.start]
        raise CommandError(f"{path}:{line}: byte 0x{byte:02x}, which is not UTF-8; try {expected}") from None


def _run(given: argparse.Namespace, factory: BenchTableFactory) -> int:
    from boardrules import registry
    from boardsim.people.sitting import seeded_dice
    from boardsim.script.script import ScriptOutput, read_script, run_script
    from boardware.description import load_board

    options = _options(given)
    seats = registry.new(given.game, options).seats
    for seat in given.secret:
        if seat not in seats:
            raise CommandError(f"--secret {seat!r}: no such seat; try one of {', '.join(seats)}")
    board = load_board(given.board)
    if given.tags and not (board.pads or board.reader_banks):
        raise CommandError(
            f"--tags: {board.id} has nothing that reads them; try a board with pads or readers"
        )
    commands = read_script(
        _read_text_file(given.file, "a hand script"), str(given.file), board, seats, tags=given.tags
    )
    if given.chance is not None:
        factory = factory.with_dice(seeded_dice(given.chance))
    telling = ScriptOutput(lamps=given.lamps, private_seats=tuple(given.secret))
    fine = run_script(commands, _setting(given, given.game, options), factory, print, telling)
    return 0 if fine else FAILED


def _play(given: argparse.Namespace, factory: BenchTableFactory) -> int:
    from boardrules.record import RecordError, parse
    from boardsim.people.play_record import difference, play_record, read_record
    from boardsim.people.retold import PlaybackStuck

    try:
        record = read_record(_read_text_file(given.file, "a record"))
    except RecordError as error:
        raise CommandError(f"{given.file}: {error}") from None
    record = record._replace(options={**record.options, **_options(given)})
    try:
        came = play_record(record, _setting(given, record.game, {}), factory)
    except PlaybackStuck as error:
        print(f"boardumpire: {given.file}: {error}", file=sys.stderr)
        return FAILED
    sys.stdout.write(came)
    differs = difference(record, parse(came))
    if differs:
        print(f"boardumpire: {given.file}: {differs}", file=sys.stderr)
    return FAILED if differs else 0
