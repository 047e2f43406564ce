"""A further board that somebody brings to a table in service: *Play with another board* on the page.

The page shows a code. Once another machine has paired by it, the further board is written into the
configuration, and the service begins with it between two games. Until then nothing has changed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from boardrules import registry
from boardrules.core import Seat
from boardumpire.commands.check_config import load_checked_board
from boardumpire.errors import BoardumpireError
from boardumpire.messages import announce
from boardumpire.service import config
from boardumpire.service.addresses import reachable_addresses, url_host
from boardumpire.service.clock import loop_time_s
from boardumpire.service.config import Config, parse_listen_address
from boardumpire.table.board_match import find_board_difference
from boardware.description import load_board, readable_boards
from boardware.header_pico import fits_satellite, header_as_pico

if TYPE_CHECKING:
    from boardumpire.satellite.host import SatelliteHost

NAME = "other"
"""What the further board is called, and its satellite."""
LISTEN = "0.0.0.0:8474"
"""Where satellites connect, if the configuration names no address."""
BEGIN_DELAY_S = 1.0
"""How long who asked may take to hear the answer: the other machine, or a page."""
LOOK_INTERVAL_S = 5.0
"""How often it is looked whether a game is over."""

log = logging.getLogger("boardumpire")


class ConfigurationChanged(Exception):  # noqa: N818 - no error
    """The service is to begin again with what the configuration says now."""


class InvitingService(NamedTuple):
    """What the daemon lends."""

    seats: Callable[[], tuple[Seat, ...]]
    is_between_games: Callable[[], bool]
    accept_satellites: Callable[[], SatelliteHost]
    """Listen for satellites, if that isn't done yet."""
    end: Callable[[BaseException], object]
    announce_problem: Callable[[str], None]


class BoardInvitation:
    """Lets another machine's board come to the table."""

    def __init__(self, found: Config, environ: Mapping[str, str], service: InvitingService) -> None:
        self._config, self._environ, self._service = found, environ, service
        self._path = found.origin.path
        self._text = ""
        self._fitting: dict[str, str] = {}

    def choices(self) -> dict[str, Any] | None:
        """What there is to choose, as the page shows it; `None` where no board can come. May run in a thread.

        `boards`: by name the title of each that carries the game, `seats`: who may sit at it; both empty
        where the configuration has such a board already. `removable`: whether `remove` takes it away.
        """
        if self._path is None:
            return None
        if self._config.satellite_names:
            return {"boards": {}, "seats": [], "removable": bool(self._without_further_board())}
        boards = self._fitting_boards()
        return {"boards": boards, "seats": list(self._free_seats()), "removable": False} if boards else None

    def invite(self, board: str, seat: str) -> dict[str, Any]:
        """A `code` for the other machine, for how long it holds (`lasts_s`), and the `address` to type there.

        Raises `BoardumpireError`.
        """
        names = self._config.satellite_names
        if not names:
            self._draft(board, seat)
        host = self._service.accept_satellites()
        if not names:
            host.add(NAME, self._begin_soon)
        states = host.states()
        opened = host.open_pairing(min(names or {NAME}, key=lambda name: (states[name] != "unpaired", name)))
        address, port = parse_listen_address(self._config.satellites.listen or LISTEN) or ("", 0)
        here = reachable_addresses(address)
        return {
            "code": opened.code,
            "lasts_s": round(opened.until - loop_time_s()),
            "address": f"{url_host(here[0]) if here else 'localhost'}:{port}",
        }

    def remove(self) -> None:
        """Begin again with this table's own board alone. Raises `BoardumpireError`."""
        text = self._without_further_board()
        if not text:
            raise BoardumpireError("another board: none was brought by a code; edit the configuration")
        if not self._service.is_between_games():
            raise BoardumpireError(announce.sentence_by_id("answer not-over"))
        self._text = text
        self._begin_soon()

    def _without_further_board(self) -> str:
        """The text of the configuration without the board that came by a code; empty where none did."""
        if self._path is None:
            return ""
        import tomlkit

        document = tomlkit.parse(_text_of(self._path))
        boards = document.get("boards", {})
        if NAME not in boards:
            return ""
        del boards[NAME]
        if not boards:
            del document["boards"]
        return tomlkit.dumps(document)

    def _fitting_boards(self) -> dict[str, str]:
        """Read once: that takes some tenths of a second."""
        if self._fitting:
            return self._fitting
        game = self._config.game
        options = registry.new(game.id, game.options).options
        found: dict[str, str] = {}
        boards, own = readable_boards(), self._config.board.name
        for name in sorted(boards, key=lambda name: (name != own, name)):
            board = boards[name]
            fits = game.id in board.games and fits_satellite(board)
            if fits and find_board_difference(board, game.id, options) is None:
                found[name] = board.name
        self._fitting = found
        return found

    def _free_seats(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self._service.seats() if seat not in self._config.game.machines)

    def _draft(self, board: str, seat: str) -> None:
        """Have ready what the configuration would say. Raises `BoardumpireError`."""
        import tomlkit

        from boardumpire.makers.setup import configuration_changes

        path = self._path
        if path is None:
            raise BoardumpireError("a table without a configuration has one board")
        if not self._service.is_between_games():
            raise BoardumpireError(announce.sentence_by_id("answer not-over"))
        if board not in self._fitting_boards() or seat not in self._free_seats():
            raise BoardumpireError("another board: that is none of what is offered")
        document = tomlkit.parse(_text_of(path))
        document.setdefault("satellites", tomlkit.table())
        if not self._config.satellites.listen:
            document["satellites"]["listen"] = LISTEN
        driven = configuration_changes.drivers_for_board(header_as_pico(load_board(board)))
        boards = document.setdefault("boards", tomlkit.table(is_super_table=True))
        boards[NAME] = {
            "name": board,
            "seats": seat,
            "drivers": {kind: driven[kind] for kind in ("sensors", "lamps", "console")},
            "sensors": {"satellite": NAME},
        }
        text = tomlkit.dumps(document)
        load_checked_board(config.load_text(text, path, self._environ))
        self._text = text

    def _begin_soon(self) -> None:
        """The other machine is paired, or its board is no longer wanted."""
        asyncio.get_running_loop().call_later(BEGIN_DELAY_S, self._begin)

    def _begin(self) -> None:
        if not self._service.is_between_games():
            asyncio.get_running_loop().call_later(LOOK_INTERVAL_S, self._begin)
            return
        from boardumpire.makers.setup import configuration_changes

        assert self._path is not None, "it was drafted"
        try:
            configuration_changes.write_configuration(self._path, self._text)
        except BoardumpireError as error:
            self._service.announce_problem(str(error))
            return
        log.info("begins again with the boards of the configuration")
        self._service.end(ConfigurationChanged(NAME))


def _text_of(path: Path) -> str:
    text = config.read_text(path) if path.exists() else ""
    return text or f'format = "{config.FORMAT}"\nversion = {config.VERSION}\n'
