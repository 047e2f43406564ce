"""The words of each command, and what it calls.

Each command imports what it needs when it runs: the referee starts fast and the daemon stays small. Commands
of other distributions are entry points of the group `boardumpire.commands`; those of `boardumpire make` and
`boardumpire lab` are in groups of their own (`boardumpire.commands.make`). Each is a callable that is handed
the subparsers and a table factory, adds its parser, and sets `run` on it, a callable of the parsed arguments.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boardumpire.commands import journal, makers, run, tags_parser
from boardumpire.commands.command_parser import (
    AddCommand,
    CommandParser,
    Subparsers,
    TopParser,
    parse_file_path,
)
from boardumpire.errors import BoardumpireError
from boardware.errors import install_hint

EXIT_BAD_INPUT = 2
EXIT_MISSING_PARTS = 1
"""What was asked about is right, and something that it needs is missing on this machine."""

COMMAND_GROUP = "boardumpire.commands"
"""The entry points of commands; those of a group of commands have its name behind a point."""
RunCommand = Callable[[argparse.Namespace], int | None]


def parser_for(words: Sequence[str], *, all_commands: bool = False) -> CommandParser:
    """The parser of the command that is meant; of `all_commands` one where none is, as for `--help`.

    To make all of them takes twenty times as long, and a board that starts needs one.
    """
    parser = TopParser(
        _SECTIONS, prog="boardumpire", description="The umpire for board games played with real pieces.",
        usage="boardumpire COMMAND ...", example="page",
    )  # fmt: skip
    parser.add_argument("--version", action=_VersionAction, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, prog="boardumpire", parser_class=CommandParser
    )
    meant = _COMMANDS.get(words[0]) if words else None
    for add in dict.fromkeys(_COMMANDS.values()) if meant is None or all_commands else (meant,):
        add(commands)
    if meant is None or all_commands:
        _add_external_commands(commands, words)
    return parser


class _VersionAction(argparse.Action):
    """Asks for the version only when somebody wants it."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> None:
        from importlib.metadata import version

        print(f"boardumpire {version('boardumpire')}")
        parser.exit()


def _add_external_commands(commands: Subparsers, words: Sequence[str]) -> None:
    """Add the commands of other distributions: the one that is meant, all where none is."""
    if words and words[0] in _GROUPS:
        if not _add_group(commands, words[0], words[1:]):
            name = words[0]
            raise BoardumpireError(f"{name}: it is not installed: {install_hint(name)}")
    elif not _add_entry_points(commands, COMMAND_GROUP, words):
        for name in _GROUPS:
            _add_group(commands, name, ())


def _add_group(commands: Subparsers, name: str, words: Sequence[str]) -> bool:
    """Add a group of commands, with the one of it that is meant, or all where none is; whether what has them
    is installed."""
    from boardrules import registry

    group = f"{COMMAND_GROUP}.{name}"
    if not registry.installed_entry_points(group):
        return False
    parser = commands.add_parser(name, help=_GROUPS[name])
    parser.set_defaults(listed=True)
    _add_entry_points(parser.add_subparsers(metavar="COMMAND", required=True), group, words)
    return True


def _add_entry_points(commands: Subparsers, group: str, words: Sequence[str]) -> bool:
    """Add what entry points of a group name: the one that is meant, all where none is; whether one was."""
    from boardrules import registry
    from boardumpire.commands.table_factory import TableFactory

    found = sorted(registry.installed_entry_points(group), key=lambda point: point.name)
    meant = [point for point in found if words and point.name == words[0]]
    for point in meant or found:
        try:
            add = point.load()
        except ImportError as error:
            if meant:
                raise BoardumpireError(f"{point.name}: {error}: {install_hint('lab', 'sim')}") from None
            continue
        except (Exception, SystemExit) as error:  # whatever somebody's module does as it is imported
            why = f"{point.name}: {point.value}: {registry.error_line(error)}"
            if meant:
                raise BoardumpireError(why) from None
            registry.warn_once(f"command {why}")
            continue
        add(commands, TableFactory())
    return bool(meant)


def _add_run(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "run", example="run --config my-board.toml", help="run the umpire for the configured board"
    )
    _add_config(parser)
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    return run.run(given.config)


def _add_setup(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "setup", example="setup", help="set up a new board: board file, firmware, page"
    )
    parser.add_argument(
        "--port",
        metavar="PATH",
        default="",
        help="serial port of the only Pico, if USB doesn't show which it is",
    )
    _add_config(parser)
    parser.set_defaults(run=_setup)


def _setup(given: argparse.Namespace) -> None:
    from boardumpire.commands import setup

    setup.run(given)


def _add_referee(commands: Subparsers) -> None:
    from boardumpire.commands.referee import command

    parser = commands.add_parser(
        "referee",
        example="referee < lines.jsonl",
        help="judge games for another program: JSON lines on standard input and output",
    )
    command.add_arguments(parser)
    parser.set_defaults(run=command.run)


def _add_bot(commands: Subparsers) -> None:
    from boardumpire.commands import bot

    parser = commands.add_parser(
        "bot",
        example="bot stratego-quick-duel --seat blue --level 2",
        help="run a computer player at one seat of a referee's game",
    )
    bot.add_arguments(parser)
    parser.set_defaults(run=bot.run)


def _add_check_config(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "check-config",
        example="check-config --config my-board.toml",
        help="check a configuration, and whether this machine has what it needs",
    )
    parser.add_argument(
        "--no-machine", action="store_true", help="check the configuration only, not the machine"
    )
    _add_config(parser)
    parser.set_defaults(run=_check_config)


def _check_config(given: argparse.Namespace) -> int:
    from boardumpire.commands import check_config
    from boardumpire.errors import escape_unprintable

    print(escape_unprintable(check_config.check_configuration(given.config, os.environ)), flush=True)
    if given.no_machine:
        return 0
    told, has_all = check_config.check_machine(given.config, os.environ)
    if told:
        print(escape_unprintable(told))
    return 0 if has_all else EXIT_MISSING_PARTS


def _add_key(commands: Subparsers) -> None:
    verbs = commands.add_parser("key", help="make the board's key").add_subparsers(
        metavar="VERB", required=True
    )
    parser = verbs.add_parser(
        "new", example="key new my.key", help="make the key that encrypts hidden moves in the journal"
    )
    parser.add_argument(
        "path",
        metavar="FILE",
        type=parse_file_path,
        nargs="?",
        help="where to write the key [the configured file]",
    )
    _add_config(parser)
    parser.set_defaults(run=_new_key)


def _new_key(given: argparse.Namespace) -> None:
    from boardumpire.journal.sealing import new_key
    from boardumpire.service import config

    path = given.path or config.load(given.config, os.environ).journal.key
    new_key(path)
    print(f"{path}: made; keep a copy where only you can read it")


def _add_record(commands: Subparsers) -> None:
    verbs = commands.add_parser("record", help="list, export and convert games").add_subparsers(
        metavar="VERB", required=True
    )
    listing = verbs.add_parser("list", example="record list", help="list the games of a journal")
    listing.set_defaults(run=_list_records)
    export = verbs.add_parser(
        "export",
        example="record export 3 > third.record",
        help="write one game as a record; encrypted moves stay encrypted",
    )
    export.add_argument("number", type=int, help="the number of the game")
    export.set_defaults(run=_export_record)
    convert = verbs.add_parser(
        "convert",
        example="record convert games.jsonl --into records",
        help="convert games of other programs to records, or records to their notation",
    )
    convert.add_argument(
        "file",
        metavar="FILE",
        help="records, or games in another notation (docs/program/records.md); - is standard input",
    )
    convert.add_argument(
        "--to",
        metavar="WAY",
        default="record",
        help="what to write: record, or the name of a notation [%(default)s]",
    )
    convert.add_argument(
        "--into", metavar="DIR", type=parse_file_path, help="write a file for each game into this folder"
    )
    convert.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option that the games were played with",
    )
    convert.add_argument("--skip", action="store_true", help="skip games that can't be read or played")
    convert.set_defaults(run=_convert_records)
    for parser in (listing, export):
        parser.add_argument(
            "--journal", metavar="FILE", type=parse_file_path, help="the journal [the configured one]"
        )
        _add_config(parser)


def _list_records(given: argparse.Namespace) -> None:
    from boardumpire.journal import records

    with contextlib.closing(_open_journal(given)) as store:
        for line in records.list_game_lines(store):
            print(line)


def _export_record(given: argparse.Namespace) -> None:
    from boardumpire.journal import records

    with contextlib.closing(_open_journal(given)) as store:
        sys.stdout.write(records.export(store, given.number))


def _convert_records(given: argparse.Namespace) -> int:
    from boardumpire.commands import record_conversion

    return record_conversion.run(given.file, given.to, given.into, given.option, skip=given.skip)


def _open_journal(given: argparse.Namespace) -> Any:
    """The journal, without its key: no command tells what is sealed."""
    from boardumpire.journal.journal import Store
    from boardumpire.service import config

    return Store.open_read_only(given.journal or config.load(given.config, os.environ).journal.path)


def _add_backup(commands: Subparsers) -> None:
    parsers = []
    for name, text, example in (
        ("backup", "copy all games, the key and the links into one file", "backup --keep 10"),
        ("restore", "restore a backup; the service must be stopped", "restore evening.tar"),
    ):
        parser = commands.add_parser(name, help=text, example=example)
        _add_config(parser)
        parsers.append(parser)
    backup, restore = parsers
    backup.add_argument(
        "--into",
        metavar="DIR",
        type=parse_file_path,
        help="the folder to write to [`backups` in the state directory]",
    )
    backup.add_argument(
        "--keep",
        metavar="N",
        type=_parse_backup_count,
        help="keep the newest N backups there, delete the others",
    )
    backup.add_argument(
        "--without-key",
        action="store_true",
        help="leave out the key, tags and links, to show the backup to others",
    )
    backup.set_defaults(run=_backup)
    restore.add_argument("file", metavar="FILE", type=parse_file_path, help="a backup")
    restore.add_argument(
        "--replace",
        action="store_true",
        help="replace the games that are there; they are kept under other names",
    )
    restore.set_defaults(run=_restore)


def _parse_backup_count(word: str) -> int:
    if not word.isdecimal() or not 0 < len(word) < 6 or int(word) == 0:
        raise argparse.ArgumentTypeError(f"{word!r}: not a number of backups; try 1 or more")
    return int(word)


def _backup(given: argparse.Namespace) -> None:
    from boardumpire.commands import backup
    from boardumpire.service import config

    found, state = config.load(given.config, os.environ), config.state_directory(os.environ)
    folder = given.into or found.journal.path.parent / "backups"
    made = backup.backup(found, folder, state, with_key=not given.without_key)
    print(f"{made}: made")
    for old in backup.delete_outdated(folder, given.keep) if given.keep else ():
        print(f"{old}: deleted")


def _restore(given: argparse.Namespace) -> None:
    from boardumpire.commands import backup
    from boardumpire.service import config

    found, state = config.load(given.config, os.environ), config.state_directory(os.environ)
    for line in backup.restore(found, given.file, state, replace=given.replace):
        print(line)


def _add_page(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "page",
        example="page --game stratego-quick-duel --listen 127.0.0.1:9000",
        help="play on a simulated board in a browser",
    )
    for name, metavar, text in (
        ("--listen", "ADDRESS:PORT", "address to listen on [127.0.0.1, the first free port from 8017 on]"),
        ("--game", "ID", "the game [asked on the page]"),
        ("--board", "BOARD", "a shipped board or a board file [the usual one for the game]"),
    ):
        parser.add_argument(name, metavar=metavar, help=text)
    parser.add_argument(
        "--driver",
        choices=("pico-sim", "gpio-sim"),
        default="pico-sim",
        help="the simulated driver, if the board allows both [%(default)s]",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the contact bounce [0]")
    parser.add_argument(
        "--state", metavar="DIR", type=parse_file_path, help="keep journal, key and links in this folder"
    )
    parser.add_argument(
        "--https",
        action="store_true",
        help="serve the page by https, with a certificate that is made for it (needs openssl)",
    )
    parser.add_argument(
        "--spectator-delay",
        type=int,
        default=0,
        metavar="N",
        help="show spectators the game N actions late [0]",
    )
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option of the game; VALUE is JSON, text, or @FILE for the text of a file",
    )
    parser.add_argument(
        "--machine",
        metavar="SEAT=LEVEL",
        action="append",
        default=[],
        help="let the machine play a seat, such as blue=2",
    )
    parser.add_argument(
        "--mistake",
        metavar="KIND",
        default="",
        help="build this mistake into the board, such as chain-cut: /makers finds what is wrong",
    )
    parser.set_defaults(run=_page, listen="")


def _page(given: argparse.Namespace) -> None:
    try:
        from boardumpire.commands import page
    except ImportError as error:
        raise BoardumpireError(f"page: {error}: {install_hint('web', 'sim')}") from None
    page.run(given)


def _add_rehearse(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "rehearse",
        example="rehearse home",
        help="set up a simulated board and serve it, as a real one: a service over serial ports",
    )
    parser.add_argument(
        "folder", metavar="DIR", type=parse_file_path, help="the folder of its configuration and games"
    )
    parser.add_argument(
        "--board",
        metavar="BOARD",
        default="quick-battle-8x8-pico",
        help="a shipped board with Picos, or a board file [%(default)s]",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the contact bounce [0]")
    parser.set_defaults(run=_rehearse)


def _rehearse(given: argparse.Namespace) -> int:
    try:
        from boardumpire.commands import rehearse
    except ImportError as error:
        raise BoardumpireError(f"rehearse: {error}: {install_hint('web', 'sim')}") from None
    return rehearse.run(given)


def _add_status(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "status", example="status --json", help="show the state of the running board, and what it waits for"
    )
    parser.add_argument("--json", action="store_true", help="print everything as one JSON object")
    parser.add_argument(
        "--faults", action="store_true", help="print what went wrong lately, also before the last power cut"
    )
    _add_config(parser)
    parser.set_defaults(run=_status)


def _status(given: argparse.Namespace) -> None:
    from boardumpire.commands import status
    from boardumpire.service import config, control

    loaded = config.load(given.config, os.environ)
    if given.faults:
        print("\n".join(status.recent_faults(loaded.journal.path.parent)) or "nothing went wrong lately")
        return
    found = control.send_request(loaded.control.socket, {"do": "status"})
    print(status.status_json(found) if given.json else status.status_text(found))


def _add_links(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "links", example="links --renew red", help="show the seats' links and the PIN of the running board"
    )
    parser.add_argument(
        "--renew", metavar="SEAT", help="make a new link for a seat; the device that has it loses the seat"
    )
    _add_config(parser)
    parser.set_defaults(run=_links)


def _links(given: argparse.Namespace) -> None:
    from boardumpire.service import config, control

    path = config.load(given.config, os.environ).control.socket
    found = control.send_request(path, {"do": "links", "renew": given.renew})
    for name, link in found["links"].items():
        print(f"{name:<8} {link}")
    if found["alone"]:
        print(
            "boardumpire: no phone opens these links: this machine is in no network now, or [page] listen is"
            " for itself alone",
            file=sys.stderr,
        )


def _add_satellite(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "satellite",
        example="satellite --to 192.168.1.10 --key satellite.json",
        help="give the board of this machine to a table on another one",
    )
    parser.add_argument(
        "--to", metavar="ADDRESS", required=True, help="the table's machine: HOST:PORT, or wss://HOST/PATH"
    )
    parser.add_argument(
        "--key",
        metavar="FILE",
        required=True,
        type=parse_file_path,
        help="the key from pairing; without that file it pairs first, and asks for the code",
    )
    parser.add_argument(
        "--port", metavar="PATH", action="append", default=[], help="serial port of a Pico [all in USB]"
    )
    parser.add_argument(
        "--board", metavar="BOARD", default="", help="the board on this machine's header [none: Picos alone]"
    )
    parser.set_defaults(run=_satellite)


def _satellite(given: argparse.Namespace) -> None:
    import logging

    from boardumpire.commands import satellite
    from boardumpire.service.log_lines import LogFormatter

    told = logging.StreamHandler()
    told.setFormatter(LogFormatter(os.environ))
    logging.basicConfig(level=logging.INFO, handlers=[told])
    satellite.serve(given.to, given.key, given.port, input, given.board)


def _add_pair(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "pair", example="pair north", help="show the code with which a satellite pairs with the running board"
    )
    parser.add_argument("satellite", metavar="NAME", help="the satellite, as the configuration calls it")
    _add_config(parser)
    parser.set_defaults(run=_pair)


def _pair(given: argparse.Namespace) -> None:
    from boardumpire.service import config, control

    path = config.load(given.config, os.environ).control.socket
    found = control.send_request(path, {"do": "pair", "satellite": given.satellite})
    code, minutes = found["code"], found["lasts_s"] // 60
    print(f"{code[:4]} {code[4:]}  (for {minutes} minutes, and one satellite)")


def _add_hall(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "hall",
        example="hall broker.local --listen 0.0.0.0:8090",
        help="serve a page that shows all boards of an MQTT broker",
    )
    parser.add_argument("broker", metavar="BROKER", help="the MQTT broker: HOST or HOST:PORT")
    for name, metavar, text in (
        ("--listen", "ADDRESS:PORT", "address to listen on [%(default)s]"),
        ("--names", "NAMES", "host names by which browsers reach this machine, separated by spaces"),
        ("--user", "NAME", "user name at the broker"),
        ("--name", "ID", "MQTT client id [boardumpire-hall-HOST]"),
    ):
        parser.add_argument(name, metavar=metavar, help=text, default="")
    parser.add_argument(
        "--password-file", metavar="FILE", type=parse_file_path, help="a file with the password"
    )
    parser.add_argument("--tls", action="store_true", help="encrypt the connection to the broker (TLS)")
    parser.set_defaults(run=_hall, listen="127.0.0.1:8090")


def _hall(given: argparse.Namespace) -> None:
    try:
        from boardumpire.commands import hall
    except ImportError as error:
        raise BoardumpireError(f"hall: {error}: {install_hint('web', 'mqtt')}") from None
    hall.run(given)


def _add_hotspot(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "hotspot",
        example="hotspot --ssid Games",
        help="make a Wi-Fi network for phones where there is none",
    )
    parser.add_argument(
        "--ssid", metavar="NAME", default="Boardumpire", help="name of the network [%(default)s]"
    )
    parser.add_argument(
        "--password-file",
        metavar="FILE",
        type=parse_file_path,
        help="a file with the password [a new password]",
    )
    parser.add_argument(
        "--now", action="store_true", help="start it at once, even if that ends another connection"
    )
    parser.add_argument("--off", action="store_true", help="remove it")
    parser.add_argument("--yes", action="store_true", help="don't ask for confirmation")
    parser.set_defaults(run=_hotspot)


def _hotspot(given: argparse.Namespace) -> None:
    from boardumpire.commands import hotspot

    hotspot.run(given)


def _add_flash(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "flash", example="flash --pico left", help="install this version's firmware on the board's Picos"
    )
    parser.add_argument("--pico", metavar="ID", help="flash only this Pico, by its id in the board file")
    parser.add_argument(
        "--port", metavar="PATH", help="serial port of the Pico, if USB doesn't show which it is"
    )
    parser.add_argument("--back", action="store_true", help="go back to the version before")
    parser.add_argument("--older", action="store_true", help="flash even if the Pico has a newer version")
    parser.add_argument("--crash", action="store_true", help="only print why the firmware crashed last")
    _add_config(parser)
    parser.set_defaults(run=_flash)


def _flash(given: argparse.Namespace) -> None:
    from boardumpire.commands import flash
    from boardumpire.service import config

    flash.flash(
        config.load(given.config, os.environ),
        pico=given.pico,
        port=given.port,
        restore_previous=given.back,
        allow_older=given.older,
        show_crash=given.crash,
    )


def _add_report(commands: Subparsers) -> None:
    from boardumpire.commands import report

    report.add_report(commands)


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=parse_file_path,
        help="the configuration [/etc/boardumpire/boardumpire.toml]",
    )


_COMMANDS: Mapping[str, AddCommand] = {
    "run": _add_run,
    "setup": _add_setup,
    "referee": _add_referee,
    "bot": _add_bot,
    "check-config": _add_check_config,
    "report": _add_report,
    "key": _add_key,
    "record": _add_record,
    "journal": journal.add_journal,
    "backup": _add_backup,
    "restore": _add_backup,
    "page": _add_page,
    "rehearse": _add_rehearse,
    "status": _add_status,
    "links": _add_links,
    "satellite": _add_satellite,
    "pair": _add_pair,
    "hall": _add_hall,
    "hotspot": _add_hotspot,
    "flash": _add_flash,
    "tags": tags_parser.add_tags,
    "trace": makers.add_trace,
    "doctor": makers.add_doctor,
    "calibrate": makers.add_calibrate,
}
"""What adds the parser of each command."""
_GROUPS: Mapping[str, str] = {
    "make": "write the files that a board is built from",
    "lab": "play many games, and print statistics",
}
"""Groups of commands that other distributions bring, each with its line of help."""
_SECTIONS: Mapping[str, Sequence[str]] = {
    "a board": (
        "run", "setup", "status", "links", "flash", "doctor", "calibrate", "check-config", "report",
        "backup", "restore", "key", "tags", "hotspot", "hall", "satellite", "pair",
    ),
    "games": ("record", "verify", "journal", "referee", "bot"),
    "a board to be built": ("board", "make", "trace"),
    "a simulated board": ("page", "rehearse", "sim"),
    "laboratory": ("lab",),
}  # fmt: skip
"""By heading of `--help` the commands below it, in their order."""
