"""`boardumpire page`: the page over a simulated board, with links for everybody, on this machine alone."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any

import boardrules
from boardrules import given as given_options
from boardrules.core import OptionError
from boardumpire.commands.daemon import Daemon
from boardumpire.errors import BoardumpireError, ConfigError
from boardumpire.service.config import (
    LATEST,
    BoardSection,
    Config,
    ControlSection,
    DriversSection,
    GameSection,
    JournalSection,
    MachineSection,
    PageSection,
    listens,
)
from boardumpire.service.notify import Notifier
from boardumpire.web.served import VirtualBoard
from boardware.description import board_names, load_board

GROUP = "boardumpire.virtual"
PICO_DRIVERS = DriversSection("pico-sim", "pico-lamps-sim", "pico-console-sim")
HEADER_DRIVERS = DriversSection("gpio-sim", "neopixel-spi-sim", "console-sim")


def run(given: argparse.Namespace) -> None:
    """Serve until interrupted. Raises `BoardumpireError`."""
    with _directory(given.state) as state:
        config = configured(given, state)
        asyncio.run(_serve(config, given.seed))


def configured(given: argparse.Namespace, state: Path) -> Config:
    """The configuration of a board that is simulated."""
    if listens(given.listen) is None:
        raise ConfigError(f"--listen {given.listen!r}: expected ADDRESS:PORT")
    if not 0 <= given.spectator_delay <= LATEST:
        raise ConfigError(f"--spectator-delay {given.spectator_delay}: expected 0 to {LATEST} actions")
    board, drivers = _wired(given.board, given.driver)
    return Config(
        board=BoardSection(board),
        drivers=drivers,
        game=GameSection(given.game, options=MappingProxyType(_options(given.option))),
        journal=JournalSection(state / "journal.sqlite", state / "key" / "board.key"),
        control=ControlSection(state / "control.sock"),
        page=PageSection(
            listen=given.listen, links=state / "key" / "links.json", spectator_delay=given.spectator_delay
        ),
        machine=MachineSection(power_off=""),  # under a simulated board it is somebody's own computer
    )


def _options(words: Sequence[str]) -> dict[str, Any]:
    """The options that were given as words like `name=value`. Raises `ConfigError`."""
    try:
        return given_options.options(words)
    except OptionError as error:
        raise ConfigError(str(error)) from None


def _wired(name: str, driver: str) -> tuple[str, DriversSection]:
    """The board as it is wired for this driver, with a Pico under it if there is such a one; its drivers."""
    if driver == PICO_DRIVERS.sensors and f"{name}-pico" in board_names():
        name = f"{name}-pico"
    picos = driver == PICO_DRIVERS.sensors and load_board(name).picos
    return name, PICO_DRIVERS if picos else HEADER_DRIVERS


def virtual_board(config: Config, seed: int) -> tuple[Config, VirtualBoard]:
    """A simulated board with a box of pieces, and the configuration of the drivers over it."""
    found = entry_points(group=GROUP)
    if not found:
        raise BoardumpireError("there is no virtual board here: pip install 'boardumpire[sim]'")
    try:
        state = boardrules.new(config.game.id, config.game.options)
    except (OptionError, boardrules.UnknownGame) as error:
        raise ConfigError(f"[game] {error}") from None
    box = boardrules.package(config.game.id).box(state)
    board: VirtualBoard = next(iter(found)).load()(
        load_board(config.board.name),
        state.seats,
        seed=seed,
        crew=box.each,
        named=box.named,
        keep=config.journal.path.with_name("pieces.json"),
    )
    over = board.settings
    return replace(config, sensors=over, lamps=over, console=over), board


async def _serve(config: Config, seed: int) -> None:
    config, board = virtual_board(config, seed)
    daemon = Daemon(config, Notifier({}), board)
    try:
        await daemon.start()
        _print_links(daemon)
        await daemon.run()
    finally:
        daemon.stop()
        board.stop()


def _print_links(daemon: Daemon) -> None:
    assert daemon.page is not None
    print("Boardumpire on a simulated board. Ctrl+C ends it.\n", flush=True)
    print(f"  PIN    {daemon.page.pin} (a new game, settings)\n", flush=True)
    for name, link in daemon.page.links().items():
        print(f"  {name:<6} {link}", flush=True)
    print(
        "\nOpen each in a browser window of its own; a seat stays with the device that sits down first.",
        flush=True,
    )


@contextlib.contextmanager
def _directory(wanted: Path | None) -> Iterator[Path]:
    if wanted is not None:
        try:
            wanted.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"--state {wanted}: {error.strerror}, expected a directory that can be made or written"
            ) from None
        yield wanted
        return
    with tempfile.TemporaryDirectory(prefix="boardumpire-") as made:
        yield Path(made)
