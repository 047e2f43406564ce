"""Says whether a configuration or a board file is right, before anybody plays with it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import boardrules
from boardrules.core import OptionError, Seat, State
from boardumpire.errors import BoardumpireError, ConfigError, public_error_text
from boardumpire.messages import players
from boardumpire.service import config, control, drivers
from boardumpire.service.config import Config
from boardumpire.table.board_match import find_board_difference
from boardumpire.tags import tag_roster
from boardumpire.typed_commands import root_command
from boardware.description import load_board
from boardware.errors import BoardFileError, install_hint
from boardware.parts import BoardDescription
from boardware.physics.verdict import Grade, ModelVerdict

BOARD_JUDGES_GROUP = "boardumpire.board_judges"
"""The group of entry points that judge a board before it is built: each is a callable of a `BoardDescription`
that yields `ModelVerdict`s. A board in service does without them."""
_MQTT_STRING_MAX_BYTES = 65_535
"""As many as MQTT 5 has room for in a user or a password (its sections 1.5.4 and 1.5.6)."""


def check_configuration(path: Path | None, environ: Mapping[str, str]) -> str:
    """One line that says it is right, as far as one can tell with drivers closed, and one for each doubt:
    the game's, and those of the model of the board. Raises `ConfigError`."""
    found = config.load(path, environ)
    if found.satellite.host:
        used = load_checked_board(found).id if found.board.name else "Picos"
        return f"{found.origin.path}: right: {used} for the table at {found.satellite.host}"
    if not found.board.name:
        return f"{found.origin.path}: right, but no board is chosen yet: {root_command('setup')}"
    board_ = load_checked_board(found)
    on = "".join(f" and {each.board.id}" for each in further_boards(found))
    used = ", ".join((found.drivers.sensors, found.drivers.lamps, found.drivers.console))
    where = found.origin.path or "the defaults"
    right = f"{where}: right: {found.game.id} on {board_.id}{on} through {used}"
    state = boardrules.new(found.game.id, found.game.options)
    told = list(boardrules.package(found.game.id).board_limitations(state, board_.lamps))
    told += [f"{board_.id}: {each}" for each in _model_verdicts(board_) if each.grade is not Grade.FINE]
    return "\n".join([right, *(f"{where}: but {doubt}" for doubt in told)])


def _model_verdicts(board_: BoardDescription) -> Iterator[ModelVerdict]:
    """What all that judges boards says of this one."""
    from boardrules import registry

    for judge in registry.installed_entry_points(BOARD_JUDGES_GROUP):
        yield from judge.load()(board_)


def _check_mqtt(found: Config) -> None:
    """Refuse a broker that nothing could be told. Raises `ConfigError`."""
    if not found.mqtt.broker:
        return
    place = found.origin.locate("mqtt", "broker")
    if not found.page.listen:
        raise ConfigError(f"{place}: it is told what the page shows spectators; set [page] listen, too")
    for key, said in (("user", found.mqtt.user), ("password", found.mqtt.password)):
        if (
            len(said.encode()) > _MQTT_STRING_MAX_BYTES
        ):  # what is too long is not shown: it may be the password
            raise ConfigError(
                f"{found.origin.locate('mqtt', key)}: too long; use at most {_MQTT_STRING_MAX_BYTES} bytes"
            )
    try:
        import aiomqtt  # noqa: F401
    except ImportError as error:
        raise ConfigError(f"{place}: {error}: {install_hint('mqtt')}") from None


def load_checked_board(found: Config, *, listens: bool = True) -> BoardDescription:
    """The board of a configuration whose parts all fit together. `listens`: whether a page is served at a
    socket, which needs libraries of its own.

    Raises `ConfigError`, `DriverError`.
    """
    place = found.origin.locate
    if not found.board.name:
        raise ConfigError(f"{place('board', 'name')}: no board is chosen yet: {root_command('setup')}")
    if found.satellite.host:
        from boardumpire.satellite import header

        return header.check_board(found)
    try:
        board_ = load_board(found.board.name)
        state = boardrules.new(found.game.id, found.game.options)
    except BoardFileError as error:
        raise ConfigError(f"{place('board', 'name')}: {error}") from None
    except boardrules.UnknownGame as error:
        raise ConfigError(f"{place('game', 'id')}: {error}") from None
    except OptionError as error:
        key = _file_key_of_option(found, error.option)
        if key:
            raise ConfigError(f"{place('game', key)}: {found.game.files[key]}: {error}") from None
        where = ("options",) if error.option is None else ("options", error.option)
        raise ConfigError(f"{place('game', *where)}: {error}") from None
    if found.game.id not in board_.games:
        carried = ", ".join(board_.games)
        game = f"{found.game.id}; try another board"
        raise ConfigError(f"{place('game', 'id')}: board {board_.id} carries {carried}: not {game}")
    missing = sorted(state.unchecked_spaces() - board_.spaces.keys())
    if missing:
        at = place("game", next(iter(_options_by_file_key(found)), "id"))
        raise ConfigError(
            f"{at}: board {board_.id} has no {', '.join(missing[:5])}{' ...' if missing[5:] else ''};"
            " use a board that has them all (`boardumpire make map-board` makes one of a map)"
        )
    other = find_board_difference(board_, found.game.id, state.options)
    if other is not None:
        at = place("game", _file_key_of_option(found, other.option) or "id")
        raise ConfigError(f"{at}: {other.description}")
    _check_further(found, state)
    try:
        players.clean_names(found.game.players, state.seats, found.game.id)
    except BoardumpireError as error:
        raise ConfigError(f"{place('game', 'players')}: {public_error_text(error)}") from None
    if found.game.machines:
        from boardumpire.commands import computer_players

        computer_players.check_machine_seats(found.game.id, found.game.options, found.game.machines, place)
    if len(os.fsencode(found.control.socket)) > control.SOCKET_PATH_MAX_BYTES:
        at, said = (
            place("control", "socket"),
            f"use a path of at most {control.SOCKET_PATH_MAX_BYTES} bytes",
        )
        raise ConfigError(f"{at}: found {found.control.socket}, {said}")
    drivers.check_drivers(board_, found)
    _check_satellites(found)
    if found.voice.program:
        from boardumpire.service import voice

        voice.check_voice_programs(found)
    if listens:
        _check_page_libraries(found)
    _check_certificate(found)
    _check_mqtt(found)
    if found.drivers.tags:
        tag_roster.load(found.pieces.tags, tag_roster.hand_set_armies(board_.games))
    return board_


class FurtherDescription(NamedTuple):
    """A further board of a configuration."""

    name: str
    board: BoardDescription
    config: Config
    """With this board in place of the first one."""
    home: frozenset[Seat]


def further_boards(found: Config) -> tuple[FurtherDescription, ...]:
    """The further boards of a configuration that is `load_checked_board`."""
    return tuple(
        FurtherDescription(
            name,
            replace(load_board(section.name), place=name),
            found.of_board(name),
            frozenset(map(Seat, section.seats.split())),
        )
        for name, section in found.boards.items()
    )


def _check_further(found: Config, state: State) -> None:
    """Refuse further boards that a table can't have. Raises `ConfigError`, `DriverError`."""
    place, taken = found.origin.locate, dict[str, str]()
    if found.boards:
        _check_alone(found)
        _check_ports(found)
    for name, section in found.boards.items():
        at = found.of_board(name)
        _check_alone(at)
        try:
            board_ = load_board(section.name)
        except BoardFileError as error:
            raise ConfigError(f"{place('boards', name, 'name')}: {error}") from None
        other = find_board_difference(board_, found.game.id, state.options)
        if other is not None:
            raise ConfigError(f"{place('boards', name, 'name')}: {other.description}")
        if found.game.id not in board_.games:
            carried = ", ".join(board_.games)
            raise ConfigError(
                f"{place('boards', name, 'name')}: board {board_.id} carries {carried}:"
                f" not {found.game.id}; try another board"
            )
        for seat in section.seats.split():
            if seat not in state.seats:
                raise ConfigError(
                    f"{place('boards', name, 'seats')}: no seat {seat!r}; try one of {', '.join(state.seats)}"
                )
            if seat in found.game.machines:
                raise ConfigError(
                    f"{place('boards', name, 'seats')}: the machine plays {seat}; its pieces are moved at"
                    " the first board"
                )
            if seat in taken:
                raise ConfigError(
                    f"{place('boards', name, 'seats')}: {seat} sits at {taken[seat]}, too; keep one"
                )
            taken[seat] = name
        drivers.check_drivers(board_, at)


def _check_alone(each: Config) -> None:
    """Refuse drivers that a board has at a table of one board alone. Raises `ConfigError`."""
    if each.drivers.tags:
        where = each.origin.locate("drivers", "tags")
        raise ConfigError(f"{where}: tags are read at a table of one board alone; leave it empty")


def _check_ports(found: Config) -> None:
    """Refuse Picos of several boards here that can't be told apart. Raises `ConfigError`."""
    here = [
        each
        for each in (found, *map(found.of_board, found.boards))
        if each.drivers.sensors == "pico" and not each.sensors.get("satellite")
    ]
    for each in here if len(here) > 1 else ():
        if not {"port", "ports"} & each.sensors.keys():
            where = each.origin.locate("sensors", "port")
            raise ConfigError(f"{where}: found nothing; name it: by USB alone no Pico tells its board")


def _check_satellites(found: Config) -> None:
    """Refuse boards on satellites that could not connect. Raises `ConfigError`."""
    page, listens = (
        config.parse_listen_address(text) if text else None
        for text in (found.page.listen, found.satellites.listen)
    )
    if page is not None and listens is not None and listens[1] and page[1] == listens[1]:
        where = found.origin.locate("satellites", "listen")
        raise ConfigError(f"{where}: port {listens[1]} is the page's; take another one")
    taken = set[object]()
    for each in (found, *map(found.of_board, found.boards)):
        name = each.sensors.get("satellite")
        if not name:
            continue
        place = each.origin.locate("sensors", "satellite")
        if not found.satellites.listen:
            raise ConfigError(f"{place}: found {name!r}; set [satellites] listen, too")
        if name in taken:
            raise ConfigError(f"{place}: another board hangs on {name!r}; keep one board a satellite")
        taken.add(name)


def _file_key_of_option(found: Config, option: str | None) -> str:
    """The key of the section `game` that names the file of this option, if one does."""
    return next((key for key, of in _options_by_file_key(found).items() if of == option), "")


def _options_by_file_key(found: Config) -> dict[str, str]:
    """By each key of the section `game` that names a file its option, in the order of its game."""
    declared = boardrules.package(found.game.id).config_files()
    return {file.key: file.option for file in declared if file.key in found.game.files}


def _check_page_libraries(found: Config) -> None:
    """Whether what serves a page, or satellites, is installed where one is wanted. Raises `ConfigError`."""
    section = "page" if found.page.listen else "satellites" if found.satellites.listen else ""
    if not section:
        return
    from importlib.util import find_spec

    missing = [
        name for name in ("h11", "segno", "starlette", "uvicorn", "wsproto") if find_spec(name) is None
    ]
    if missing:
        raise ConfigError(
            f"{found.origin.locate(section, 'listen')}: libraries of the page are missing"
            f" ({', '.join(missing)}): {install_hint('web')}"
        )


def check_machine(path: Path | None, environ: Mapping[str, str]) -> tuple[str, bool]:
    """Whether this machine has what a configuration wants, a line for each part; and whether it has all.

    Raises `BoardumpireError`.
    """
    from boardumpire.commands.file_access import access_problems, hidden_files, state_folders, unit_settings
    from boardumpire.commands.hotspot import run_nmcli, wifi_findings
    from boardumpire.commands.service_checks import (
        account_problems,
        broker_findings,
        certificate_problems,
        ignored_files,
        unit_problems,
    )
    from boardumpire.makers.machine import Machine
    from boardumpire.makers.machine_checks import examine_machine

    found = config.load(path, environ)
    if not found.board.name:
        return f"to do  no board is chosen yet: {root_command('setup')}", False
    looked_at, running = Machine(Path("/")), is_board_running(found.control.socket)
    seen = examine_machine(looked_at, found, load_checked_board(found), running=running)
    seen += hidden_files(found, looked_at.root)
    # Without its user nobody can look with its eyes.
    unit = unit_settings(looked_at.root)
    starts = unit.get("ExecStart", "").split()[:1]
    seen += account_problems(looked_at.root) or access_problems(
        found,
        looked_at.user,
        running=running,
        program=Path(starts[0]) if starts else None,
        made_at_start=state_folders(unit),
    )
    seen += [*certificate_problems(found), *broker_findings(found)]
    if path is None:
        seen += [*unit_problems(looked_at.root), *ignored_files(found)]
    if found.page.listen:
        seen += wifi_findings(run_nmcli)
    return "\n".join(each.as_line() for each in seen), not any(each.remedy_command for each in seen)


def is_board_running(path: Path) -> bool:
    """Whether a board answers at that control socket."""
    try:
        control.send_request(path, {"do": "status"})
    except control.NotRunningError:
        return False
    except BoardumpireError:
        return True
    return True


def _check_certificate(found: Config) -> None:
    """Whether the page's certificate and its key are there and fit. Raises `ConfigError`."""
    certificate, key = found.page.certificate, found.page.key
    if not certificate:
        if key:
            place = found.origin.locate("page", "certificate")
            raise ConfigError(
                f"{place}: found nothing; name the certificate that belongs to [page] key {key}"
            )
        if found.page.https and shutil.which("openssl") is None:
            place = found.origin.locate("page", "https")
            raise ConfigError(
                f"{place}: there is no openssl to make a certificate with: sudo apt install openssl"
            )
        return
    import ssl  # 5 MB that a daemon without a certificate does not need

    where = f"{found.origin.locate('page', 'certificate')}: {certificate}" + (f", {key}" if key else "")
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key or None)
    except PermissionError:
        pass  # The daemon's own user may read them: it says so itself if not.
    except (OSError, ValueError) as error:
        raise ConfigError(f"{where}: {error}; name a certificate and its key, both as PEM") from None
