"""`boardumpire flash`: this package's firmware onto the Picos of the configured board, never in mid-game."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from boardumpire.errors import BoardumpireError, ConfigError
from boardumpire.journal.journal import Store
from boardumpire.service.config import Config
from boardumpire.typed_commands import root_command
from boardware.description import load_board
from boardware.errors import BoardFileError, SettingError
from boardware.opening import is_serial_path
from boardware.parts import BoardDescription
from boardware.pico import configured_ports
from boardware.pico_flash import PicoFlasher
from boardware.pico_plan import plans_by_pico
from boardware.pico_port import usb_paths
from boardware.tomlfile import quote_value


def flash(
    config: Config,
    *,
    pico: str | None = None,
    port: str | None = None,
    restore_previous: bool = False,
    allow_older: bool = False,
    show_crash: bool = False,
    say: Callable[[str], object] = print,
) -> None:
    """Flash all Picos of the board, or the one named `pico`; `restore_previous` puts the version before back,
    `show_crash` tells why the firmware crashed last and flashes nothing.

    Raises `BoardumpireError` while a game is being played, `FlashError` for what a Pico does.
    """
    _check_no_game_running(config)
    if not config.board.name:
        raise ConfigError(f"[board] name: no board is chosen yet: {root_command('setup')}")
    try:
        board = load_board(config.board.name)
    except BoardFileError as error:
        raise ConfigError(f"[board] name: {error}") from None
    wanted = plans_by_pico(board)
    if not wanted:
        raise BoardumpireError(f"board {board.id} has no Pico; try [board] name of one that has")
    if pico is not None and pico not in wanted:
        raise BoardumpireError(f"board {board.id} has no Pico {pico!r}; try one of {_joined_names(wanted)}")
    chosen = [plan for plan in wanted.values() if pico in (None, plan.pico)]
    if port is not None and len(chosen) > 1:
        raise BoardumpireError(f"--port is one Pico's; try --pico, too ({_joined_names(wanted)})")
    if port is not None and not is_serial_path(port):
        raise BoardumpireError(
            f"--port is {quote_value(port)}; try the path of a serial port, such as /dev/ttyACM0"
        )
    for plan in chosen:
        flasher = PicoFlasher(plan, port or _serial_port_of(config, board, plan.pico), say)
        if show_crash:
            why = flasher.read_crash_report()
            say(f"{plan.pico}: " + ("has never crashed" if why is None else f"crashed\n{why.strip()}"))
        elif restore_previous:
            flasher.restore_previous()
        else:
            flasher.flash(older=allow_older)


def flash_picos(config: Config, board: BoardDescription, say: Callable[[str], object]) -> None:
    """Flash all Picos of a board that differs a little from the configured one. Raises as `flash`."""
    _check_no_game_running(config)
    for plan in plans_by_pico(board).values():
        PicoFlasher(plan, _serial_port_of(config, board, plan.pico), say).flash()


def _joined_names(names: Mapping[str, object]) -> str:
    return ", ".join(names)


def _check_no_game_running(config: Config) -> None:
    if not config.journal.path.exists():
        return
    store = Store.open_read_only(config.journal.path)
    try:
        game = store.unfinished_game()
    finally:
        store.close()
    if game is not None:
        raise BoardumpireError(f"game {game.number} is being played: flash when it is over")


def _serial_port_of(config: Config, board: BoardDescription, pico: str) -> str:
    """Where a Pico is: as configured, else the only one that USB shows."""
    try:
        configured = configured_ports(
            board, {key: config.sensors[key] for key in ("port", "ports") if key in config.sensors}
        )
    except SettingError as error:
        raise ConfigError(f"[sensors] {error}") from None
    if pico in configured:
        return configured[pico]
    found = usb_paths(board.picos[pico].usb_serial_number)
    if len(found) != 1:
        what = f"{len(found)} Picos on USB ({', '.join(found)})" if found else "no Pico on USB"
        raise BoardumpireError(f"{pico}: {what}; try --port with the path of one")
    return found[0]
