"""The composition root of the service: builds everything that a board needs, runs it and closes it.

Three phases. *Start*: nothing is served before all is open. *Run*: until a signal or a failure. *Stop*: what
was opened is closed in reverse order, also when the start broke off half-way, and signals are as they were.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from boardrules import baseline_players, registry
from boardrules.core import Seat
from boardumpire.commands import another_board
from boardumpire.commands.another_board import BoardInvitation, ConfigurationChanged, InvitingService
from boardumpire.commands.check_config import further_boards, load_checked_board
from boardumpire.commands.platform import REAL_PLATFORM, Platform
from boardumpire.commands.readiness import Readiness
from boardumpire.commands.service_view import ServiceView
from boardumpire.commands.table_factory import tracker_timing
from boardumpire.commands.table_services import TableServices
from boardumpire.commands.unreadable_files import set_aside_unreadable
from boardumpire.errors import BoardumpireError, DriverError, JournalError
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_or_make_key
from boardumpire.journal.writer import JournalWriter
from boardumpire.messages import announce, disclosure
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.ruling.dice import make_dice
from boardumpire.service.clock import loop_time_s, monotonic
from boardumpire.service.config import Config
from boardumpire.service.config import load as load_config
from boardumpire.service.firmware_updater import FirmwareUpdater
from boardumpire.service.log_lines import DETAILS_KEY
from boardumpire.service.metrics import Metrics
from boardumpire.service.notify import Notifier
from boardumpire.service.process import WatchdogHeartbeat, handle_loop_errors
from boardumpire.service.runner import Steppable, TableRunner
from boardumpire.service.upgrade_handover import UpgradeHandover
from boardumpire.supervision import keep_running
from boardumpire.table.opening import (
    NewGameSettings,
    configuration_line,
    game_to_continue,
    next_game_settings,
    open_table,
)
from boardumpire.table.table import Table
from boardumpire.table.table_board import FurtherBoard
from boardumpire.tags import tag_roster
from boardumpire.tags.tag_roster import TagRoster
from boardware.files import take_files_set_aside
from boardware.log_throttle import LogThrottle
from boardware.ports import SECOND, Micros, Ports

if TYPE_CHECKING:
    from boardumpire.commands.computer_players import ComputerPlayers
    from boardumpire.commands.hints import HintFinder
    from boardumpire.makers.workshop import Workshop
    from boardumpire.satellite.host import SatelliteHost
    from boardumpire.service.voice import Voice
    from boardumpire.tags.replayed_reads import ReplayingTagPort
    from boardumpire.web.mqtt import MqttPublisher
    from boardumpire.web.served_page import ServedPage, VirtualBoard
    from boardumpire.web.waiting_page import WaitingPage

log = logging.getLogger("boardumpire")

OpenTableFn = Callable[..., Table]
FAULT_LINES_PER_MINUTE = 10
"""Lines about one kind of fault in a minute."""


def serve(config: Config, environ: Mapping[str, str], open_table_fn: OpenTableFn = open_table) -> None:
    """Run a board until SIGTERM or SIGINT; `open_table_fn` opens each table, called as `open_table` is.

    Raises `BoardumpireError` for what the owner can mend.
    """

    async def phases() -> None:
        handle_loop_errors(asyncio.get_running_loop())
        notifier, found = Notifier(environ), config
        if not (config.board.name or config.satellite.host):
            from boardumpire.commands.setup_service import run_until_set_up

            chosen = await run_until_set_up(config, environ, notifier)
            if chosen is None:
                notifier.send_stopping()
                return
            found = chosen
        if found.satellite.host:
            from boardumpire.commands.satellite import run_as_satellite

            await run_as_satellite(found, notifier)
            return
        while True:
            daemon = Daemon(
                found, notifier, open_table_fn=open_table_fn, wait_for_hardware=True, environ=environ
            )
            try:
                await daemon.start()
                await daemon.run()
                return
            except ConfigurationChanged:
                found = load_config(found.origin.path, environ)
            finally:
                daemon.stop()
                await daemon.wait_closed()

    asyncio.run(phases())


class Daemon(ServiceView):
    """A board in service."""

    def __init__(
        self,
        config: Config,
        notifier: Notifier,
        virtual: VirtualBoard | None = None,
        open_table_fn: OpenTableFn = open_table,
        *,
        wait_for_hardware: bool = False,
        listening: socket.socket | None = None,
        environ: Mapping[str, str] = MappingProxyType({}),
        platform: Platform = REAL_PLATFORM,
        begin_new: bool = False,
    ) -> None:
        """`virtual`: a simulated board that people play on the page. `open_table_fn`: as in `serve`.
        `wait_for_hardware`: wait for missing parts instead of raising. `listening`: the page's socket, if it
        is bound already. `platform`: the machine. `begin_new`: begin a new game if the last one is over."""
        super().__init__(config.game.id)
        self._config, self._listening = config, listening
        self._wait_for_hardware = wait_for_hardware
        self._platform = platform
        self._environ = environ
        self._open_table_fn = open_table_fn
        self._notifier = notifier
        self._virtual = virtual
        self._slides = False
        """Whether a finger has pushed a piece over the simulated board."""
        if virtual is not None:
            virtual.on_slide = self._allow_slides
        self._next_settings = NewGameSettings(
            config.game.id, config.game.options, config.clock.to_terms(), config.game.players
        )
        self._next_settings = self._with_machines_options(self._next_settings)
        self._begin_new = begin_new
        self.services = TableServices(config.machine, self)
        self._metrics = Metrics(monotonic)
        self._fault_log = LogThrottle(log)
        self._muted_file = config.journal.path.parent / "muted"
        """This file exists while the buzzer is off, so that the setting outlives a power cut."""
        self._sound_on = not self._muted_file.exists()
        self._exit_stack = contextlib.ExitStack()
        self._powered_stack = contextlib.ExitStack()
        """Closes what a power cut takes away: the table, the drivers and the journal."""
        self._trace_stack = contextlib.ExitStack()
        """Closes the traces that are being written."""
        self._journal_writer: JournalWriter | None = None
        self._remembered_tags: ReplayingTagPort | None = None
        self._further_ports: list[Ports] = []
        self.page: ServedPage | None = None
        self._publisher: MqttPublisher | None = None
        self._satellites: SatelliteHost | None = None
        self._begins_again = False
        self._own_page_section = config.page
        """As the configuration has it: without the certificate that the service makes itself."""
        self._invitation = BoardInvitation(
            config,
            environ,
            InvitingService(
                lambda: self.seats,
                self._is_between_games,
                self._accept_satellites,
                self._end_for_configuration,
                self.announce_problem,
            ),
        )
        self._voice: Voice | None = None
        self._hints: HintFinder | None = None
        self._computer_players = self._make_computer_players()

    async def start(self) -> None:
        """Open everything; tell systemd when it is done. Raises `BoardumpireError`."""
        if self._config.page.https:
            from boardumpire.service.own_certificate import with_own_certificate

            self._config = replace(self._config, page=with_own_certificate(self._config.page))
        config, opened = self._config, self._exit_stack
        self._runner = TableRunner()
        self._readiness = Readiness(self._runner, wait_for_hardware=self._wait_for_hardware)
        life = self._heartbeat = WatchdogHeartbeat(self._notifier, self._runner.is_running)
        opened.callback(life.stop)
        opened.enter_context(self._platform.handle_signals(self._runner.request_stop))
        set_aside_unreadable(config)
        board = self._board = load_checked_board(config, listens=self._platform.open_server is None)
        self._further = further_boards(config)
        opened.callback(self._close_powered_parts)
        self._open_store()
        self._control = self._platform.open_control(config.control.socket, self, config.game.machines)
        await self._control.start()
        opened.callback(self._control.stop)
        opened.callback(self._readiness.stop)
        if config.satellites.listen:
            self._accept_satellites()
        successor = UpgradeHandover(self._environ, self._is_between_games, self._runner.fail)
        successor.start()
        opened.callback(successor.stop)
        if self._wait_for_hardware:
            folder = config.journal.path.parent
            renewal = FirmwareUpdater(board, self._sensor_driver, self._is_between_games, folder)
            renewal.start()
            opened.callback(renewal.stop)
            if not await self._wait_for_ports(self._waiting_page):
                return
        else:
            self._open_ports()
        life.report_progress()
        table = self._open_table()
        life.report_progress()
        if config.page.listen:
            from boardumpire.web.served_page import (
                ServedPage,  # the page's libraries, only where one is wanted
            )

            life.report_progress()
            self.page = ServedPage(
                config.page,
                self,
                self._virtual,
                self._make_workshop(),
                self._listening,
                config.game.machines,
                open_server=self._platform.open_server,
            )
            opened.callback(self.page.stop)
            await self._readiness.listen(self.page)
            if config.mqtt.broker:
                from boardumpire.web.mqtt import MqttPublisher

                self._publisher = MqttPublisher(config.mqtt, self.page.screen_hub)
                opened.callback(self._publisher.stop)
                self._publishing = keep_running(
                    self._publisher.run, "[mqtt]", on_failure=self._publisher.note_failure
                )
        if config.voice.program:
            from boardumpire.service import voice

            tunes = config.voice.battles == "tunes"
            self._voice = voice.Voice(voice.check_voice_programs(config), config.voice.language, tunes)
            opened.callback(self._voice.close)
        self._runner.start(table, self._dispatch_messages)
        if self._computer_players is not None:
            opened.callback(self._computer_players.stop)
            self._computer_players.notify()
        life.report_in_service("")
        aside = [path.name for path in take_files_set_aside()]
        if aside:
            self._dispatch_messages(
                [disclosure.trouble_message(monotonic(), "set-aside", "", ", ".join(aside))]
            )
        about = {"event": "open", "board": board.id, "game": self.game, "journal": config.journal.path}
        log.info("the board is open", extra={DETAILS_KEY: about})

    def _accept_satellites(self) -> SatelliteHost:
        """Listen for satellites from now on. Raises `KeyFileError`."""
        if self._satellites is not None:
            return self._satellites
        from boardumpire.satellite.host import SatelliteHost
        from boardumpire.satellite.listener import SatelliteListener

        config, opened = self._config, self._exit_stack
        self._satellites = host = SatelliteHost(config.satellite_names, config.satellites.keys)
        opened.callback(host.close)
        section = replace(config.satellites, listen=config.satellites.listen or another_board.LISTEN)
        listener = SatelliteListener(section, self._own_page_section, host)
        opened.callback(listener.stop)

        async def listen() -> None:
            await listener.start()
            log.info("listens for satellites at %s:%d", *listener.listen_address)

        opened.callback(keep_running(listen, "[satellites] listen").cancel)
        return host

    def further_board_choices(self) -> dict[str, Any] | None:
        """As `BoardInvitation.choices`; `None` for a simulated board."""
        return None if self._virtual is not None else self._invitation.choices()

    def invite_board(self, board: str, seat: str) -> dict[str, Any]:
        """As `BoardInvitation.invite`."""
        return self._invitation.invite(board, seat)

    def remove_further_board(self) -> None:
        """As `BoardInvitation.remove`."""
        self._invitation.remove()

    def _end_for_configuration(self, why: BaseException) -> None:
        self._begins_again = True
        self._runner.fail(why)

    def _make_computer_players(self) -> ComputerPlayers | None:
        """The computer players, if the configuration has any. Raises `ConfigError`."""
        game = self._config.game
        if not game.machines:
            return None
        from boardumpire.commands import computer_players  # a table where people play needs none

        seats = computer_players.check_machine_seats(game.id, game.options, game.machines)
        return computer_players.ComputerPlayers(
            self, seats, self._virtual, self._platform.start_player, may_resign=game.machines_resign
        )

    def _with_machines_options(self, settings: NewGameSettings) -> NewGameSettings:
        """The settings with the options that a game needs in which the machine plays, unless people chose
        others."""
        if not self._config.game.machines:
            return settings
        package = registry.package(settings.game)
        return settings._replace(options=baseline_players.options_with_machines(package, settings.options))

    def _make_workshop(self) -> Workshop:
        """The workshop behind the makers' screen."""
        from boardumpire.makers.workshop import Workshop
        from boardware.description import board_path

        config = self._config
        folder = config.journal.path.parent / "makers"
        return Workshop(self, self._board, board_path(config.board.name), config.lamps, folder)

    async def run(self) -> None:
        """Serve until a signal comes. Raises the error that stopped the table."""
        await self._runner.end_future

    def stop(self) -> None:
        """Close everything, last opened first; the journal is written before. Stopping twice is allowed."""
        if not self._begins_again:
            self._notifier.send_stopping()
        self._exit_stack.close()
        self._trace_stack.close()

    async def wait_closed(self) -> None:
        """After `stop`: wait until connections are closed, at most a second."""
        if self.page is not None:
            await self.page.wait_closed()
        if self._publisher is not None:
            await self._publisher.wait_closed()
        if self._computer_players is not None:
            await self._computer_players.wait_closed()

    def _open_powered_parts(self) -> Table:
        """Open the journal, the drivers and the table. An error closes them again."""
        try:
            self._open_store()
            self._open_ports()
            return self._open_table()
        except BaseException:
            self._close_powered_parts()
            raise

    def _open_store(self) -> None:
        config = self._config
        store = self._store = Store.open(config.journal.path, load_or_make_key(config.journal.key))
        self._powered_stack.callback(store.close)
        self._roster = self._load_roster()

    def _open_ports(self) -> None:
        """Open the drivers, and wait until each finds its hardware, or raise."""
        tags = len(self._roster) > 0
        self._ports = self._platform.open_ports(self._board, self._config, tags=tags)
        self._powered_stack.callback(self._ports.close)
        self._further_ports = []
        for each in self._further:
            ports = self._platform.open_ports(each.board, each.config, tags=False)
            self._powered_stack.callback(ports.close)
            self._further_ports.append(ports)

    async def _wait_for_ports(self, page: Callable[[], WaitingPage | None] = lambda: None) -> bool:
        """Open the drivers of each board as their hardware comes (`Readiness.open_drivers`); `False` if told
        to stop."""
        opened: list[Ports] = []
        first = self._board, self._config
        for board, config in (first, *((each.board, each.config) for each in self._further)):
            ports = await self._readiness.open_drivers(
                board,
                config,
                tags=len(self._roster) > 0,
                opened=self._powered_stack,
                serve=self._heartbeat.report_in_service,
                page=page,
            )
            if ports is None:
                return False
            opened.append(ports)
        self._ports, *self._further_ports = opened
        return True

    def _waiting_page(self) -> WaitingPage | None:
        """The page that is served until the board is complete; `None` without a page."""
        if not self._config.page.listen:
            return None
        from boardumpire.web.waiting_page import WaitingPage

        page = WaitingPage(self._config.page, lambda: self._readiness.missing, self)
        self._exit_stack.callback(page.stop)
        return page

    def _open_table(self) -> Table:
        """Open the table over the drivers that are open."""
        if self._ports.tags is not None:
            from boardumpire.tags.replayed_reads import make_replaying_port

            self._remembered_tags = make_replaying_port(self._ports.tags, self._board)
            self._ports = self._ports._replace(tags=self._remembered_tags)
        self._drivers = (*self._ports, *(port for ports in self._further_ports for port in ports))
        self._ports = self._metrics.wrap_ports(self._ports)
        self._powered_stack.callback(self._stop_and_flush)
        self._table = self._make_table(begin=self._begin_new)
        self._begin_new = False  # a power cut between two games asks for none
        return self._table

    def _close_powered_parts(self) -> None:
        self._powered_stack.close()

    def _load_roster(self) -> TagRoster:
        """The list of tags and their pieces; empty where no tags are read."""
        config = self._config
        if not config.drivers.tags:
            return TagRoster()
        roster = tag_roster.load(config.pieces.tags, tag_roster.hand_set_armies(self._board.games))
        if not len(roster):
            log.warning("tags are not read, as no piece is enrolled; try: boardumpire tags enrol")
        return roster

    def _make_table(self, *, begin: bool) -> Table:
        config = self._config
        header = game_to_continue(self._store, self._board, self._next_settings, begin=begin)
        self._resumed_number = None if header is None else header.number
        if header is not None:
            self._next_settings = next_game_settings(self._store, header.number, self._next_settings)
        self._earlier_messages = self._load_earlier_messages()
        timing = tracker_timing(config.tracker)
        table = self._open_table_fn(
            board=self._board,
            wanted=self._next_settings,
            ports=self._ports,
            store=self._store,
            now=monotonic(),
            wall_ms=self._platform.wall_ms(),
            timing=timing._replace(slides=timing.slides or self._slides),
            writer=self._open_journal_writer,
            roster=self._roster,
            dice=make_dice(config.game.dice),
            begin=begin,
            **self._given_further(),
        )
        self._remember_table(table)
        self._next_settings = self._next_settings._replace(
            players=table.players
        )  # who plays again is called the same
        for doubt in table.unshown_facts():
            log.warning("%s", doubt)
        table.is_buzzer_on = self._sound_on
        table.set_screen_check(lambda seat: self.page is not None and self.page.screen_hub.has_screen(seat))
        table.set_partner_source(lambda: () if self.page is None else self.page.page.partner_seats())
        return table

    def _allow_slides(self) -> None:
        self._slides = True
        if self._table is not None:
            self._table.allow_slides()

    def _given_further(self) -> dict[str, Any]:
        """The further boards as `open_table` takes them; nothing where there is one board alone."""
        if not self._further:
            return {}
        both = zip(self._further, self._further_ports, strict=True)
        return {"further": [FurtherBoard(each.name, each.board, ports, each.home) for each, ports in both]}

    def _load_earlier_messages(self) -> list[SeatMessage]:
        """The messages of a resumed game from the journal, for screens that connect later."""
        if self._resumed_number is None or not self._config.page.listen:
            return []
        from boardumpire.history import replays  # only a page shows what was

        return replays.announced_messages(self._store, self._resumed_number)

    def cut_power(self, back_s: float) -> None:
        """Drop the table at once, as a power cut would; after `back_s` seconds it is back.

        For a virtual board: no lamp is put out, nobody is told, and screens lose their line.
        """
        if self._table is None:
            return
        self._stop_table()
        self._powered_stack.pop_all()  # forgotten, not closed
        self._store.close()  # the kernel would: its lock goes with the process
        if self.page is not None:
            self.page.screen_hub.close_screens("the umpire has lost its power")
        asyncio.get_running_loop().call_later(back_s, self._restore_table)

    def lend_board(
        self, make_steppable: Callable[[Ports, Micros], Steppable], *, with_names: bool = False
    ) -> None:
        """Close the table and run another step loop over the board: bare, or `with_names`.

        Raises `BoardumpireError` where there is no table, or the drivers don't open: then the table is back.
        """
        from boardumpire.makers.bare_board import bare_board

        self.table  # noqa: B018 - raises where there is none
        self._close_table("the board is examined; the game goes on afterwards")
        try:
            board = self._board if with_names else bare_board(self._board)
            ports = self._platform.open_ports(board, self._config, tags=False)
            self._powered_stack.callback(ports.close)
            self._runner.start(make_steppable(ports, monotonic()), lambda messages: None)
        except BaseException:
            self.return_board()
            raise

    def return_board(self) -> None:
        """Stop the step loop of `lend_board` and open the table again."""
        self._runner.stop()
        self._powered_stack.close()
        self._restore_table()

    def call_after_step(self, do: Callable[[], None]) -> None:
        """Call `do` once the present step is over."""
        asyncio.get_running_loop().call_soon(do)

    def reopen_table(self, trace: Path | None) -> None:
        """Open the table again; from then on write a trace of its games (`None`: no trace)."""
        from boardumpire.makers.traces.recording import TraceFiles, traced_table_opener

        if trace is not None and self._further:
            raise BoardumpireError("a trace is of a table with one board")
        self._close_table("a trace begins or ends; the game goes on at once")
        self._trace_stack.close()
        self._open_table_fn = open_table
        if trace is not None:
            files = self._trace_stack.enter_context(contextlib.closing(TraceFiles(trace)))
            self._open_table_fn = traced_table_opener(files, self._config.drivers.sensors)
        self._restore_table()

    def _close_table(self, why: str) -> None:
        """Close the table, its drivers and its journal. Screens reconnect by themselves."""
        self._stop_table()
        self._powered_stack.close()
        if self.page is not None:
            self.page.screen_hub.close_screens(why)

    def _stop_table(self) -> None:
        """Stop the table and the computer players."""
        if self._hints is not None:
            self._hints.stop()
        self._stop_and_flush()
        self._table = None
        if self._computer_players is not None:
            self._computer_players.notify()

    def _restore_table(self) -> None:
        """Open the table again, or as soon as a missing part of the board is back."""
        try:
            table = self._open_powered_parts()
        except DriverError as error:
            if not self._readiness.wait_for_hardware:
                raise
            self._readiness.report_missing(error)
            self._readiness.run_in_background(self._restore_when_ready())
            return
        self._resume_table(table)

    async def _restore_when_ready(self) -> None:
        self._open_store()
        if await self._wait_for_ports():
            self._resume_table(self._open_table())
            self._notifier.send_status("")

    def _resume_table(self, table: Table) -> None:
        if self.page is not None:
            self.page.screen_hub.begin_table()
        self._runner.start(table, self._dispatch_messages)
        if self._computer_players is not None:
            self._computer_players.notify()

    # What the control socket and the page may ask

    def links(self, renew: Seat | None) -> dict[str, str]:
        """The links of the seats, after renewing that of seat `renew`. Raises `BoardumpireError`."""
        if self.page is None:
            if self._config.page.listen and self._readiness.missing:
                missing = ", ".join(self._readiness.missing)
                raise BoardumpireError(
                    f"there are links once all parts are there: the board waits for {missing}"
                )
            raise BoardumpireError("there is no page: [page] listen in the configuration turns it on")
        return self.page.links(renew) | {"pin": self.page.pin}

    def finish_setup(self) -> None:
        """Refused: there is a board."""
        raise BoardumpireError(f"the board {self._board.id} is in service already")

    def open_pairing(self, satellite: str) -> dict[str, Any]:
        """A code with which that satellite can pair. Raises `BoardumpireError`."""
        if self._satellites is None:
            raise BoardumpireError("no satellite can connect: set [satellites] listen in the configuration")
        opened = self._satellites.open_pairing(satellite)
        return {"code": opened.code, "lasts_s": round(opened.until - loop_time_s())}

    @property
    def is_local_only(self) -> bool:
        """Whether the links open on this machine only."""
        return self.page is not None and self.page.is_local_only

    def submit_command(self, seat: Seat, text: str) -> None:
        """Submit what a seat says; the table steps at once."""
        self.table.say(seat, text, monotonic())
        self._runner.wake()

    def ask_hands(self, seat: Seat, text: str) -> None:
        """Have lamps ask hands to carry an action of a seat that plays elsewhere. Asking twice is allowed.

        Raises `BoardumpireError` for what is refused, or needs no hands.
        """
        table = self.table
        table.check(seat, text)
        moves = table.assisted_moves
        way = moves.origin_and_target(seat, text)
        if way is None:
            raise BoardumpireError("carry: that needs no hands; try say")
        asked = moves.requested_move(seat)
        if asked is None or (*asked.spaces_to_lift, *asked.spaces_to_fill) != way:
            moves.request_move(seat, way[:1], way[1:])
            self._runner.wake()

    def set_player_responding(self, seat: Seat, answers: bool) -> None:
        """Show whether the player that the machine runs at a seat answers."""
        silent = self._silent_seats - {seat} if answers else self._silent_seats | {seat}
        if silent != self._silent_seats:
            self._silent_seats = silent
            if self.page is not None and self.has_table:
                self.page.screen_hub.broadcast_status()

    def wake_table(self) -> None:
        """Have the table step at once."""
        self._runner.wake()

    def full_status(self) -> dict[str, Any]:
        """The status, and `waits_for`: missing parts, an address of the page, a broker, the voice."""
        beside = [each.trouble for each in (self._publisher, self._voice) if each is not None]
        waits = [*self._missing_parts(), *(each for each in (self._readiness.page_problem, *beside) if each)]
        found: dict[str, Any] = {"waits_for": waits}
        if self._satellites is not None:
            found["satellites"] = self._satellite_states()
        if self._readiness.missing and not self.has_table:
            return found
        return {**self.status(), **found}

    def _satellite_states(self) -> Mapping[str, str]:
        """As `SatelliteHost.states`; none where none can connect."""
        return {} if self._satellites is None else self._satellites.states()

    def _missing_parts(self) -> Sequence[str]:
        """The parts of the board that are missing."""
        return self._readiness.missing_parts(self._drivers if self.has_table else ())

    def problem(self) -> str:
        """What is wrong, as everybody may know it; empty if all is well."""
        if lacking := self._missing_parts():
            return f"waits for {', '.join(lacking)}"
        if not self._runner.is_running():
            return "the board is not turned"
        if self._table is None:
            return ""
        return self._table.waiting_sentence or " ".join(self.status()["silent"])

    def metrics(self) -> str:
        """The metrics as text (`Metrics.format_text`)."""
        return self._metrics.format_text(
            missing=len(self._missing_parts()),
            turning=self._runner.is_running(),
            satellites={name: state == "connected" for name, state in self._satellite_states().items()},
        )

    def begin_game(self, changes: Mapping[str, Any] | None = None) -> None:
        """Begin another game on the same board, with the settings of the last one and these `changes`.

        Raises `BoardumpireError` while one is being played, or for a game that there is not.
        """
        if not self.table.is_over:
            raise BoardumpireError(announce.sentence_by_id("answer not-over"))
        if changes:
            from boardumpire.service.next_game import apply_game_changes

            found = self._with_machines_options(apply_game_changes(self._next_settings, changes, self._board))
            self._next_settings = found._replace(
                replaced_configuration=configuration_line(self._next_settings)
            )
        self._stop_and_flush()
        if self._remembered_tags is not None:
            self._remembered_tags.request_replay()
        if self._virtual is not None:  # its hands clear the board before anything is judged by it
            box = registry.package(self._next_settings.game).box(
                registry.new(self._next_settings.game, self._next_settings.options)
            )
            self._virtual.reset_pieces(box.named_pieces, box.piece_counts)
        try:
            table = self._table = self._make_table(begin=True)
        except JournalError:  # no room on the disk, say: the old table stays, and may be asked again
            self._runner.start(self.table, self._dispatch_messages)
            raise
        if self.page is not None:
            self.page.screen_hub.begin_table()
        self._runner.start(table, self._dispatch_messages)
        if self._computer_players is not None:
            self._computer_players.notify()

    def next_game_options(self) -> dict[str, Any]:
        """The choices for the next game, and its present settings."""
        from boardumpire.service.next_game import options_in_force

        wanted, terms = self._next_settings, self._next_settings.clock_terms
        games = [self._board.games[0]] if self._virtual else list(registry.usable_games(self._board.games))
        return {
            "games": games,
            "game": wanted.game,
            "options": {game: options_in_force(wanted, game) for game in games},
            "players": dict(self.players),
            "clock": {"kind": terms.kind, "base_s": terms.base // SECOND, "extra_s": terms.extra // SECOND},
        }

    def propose(self, by: Seat, thing: str, *, ask_everybody: bool = False) -> bool:
        """Propose something that the service does, such as a new game. `False` while a proposal is open."""
        asked = self.table.propose_request(by, thing, monotonic(), all_of_them=ask_everybody)
        self._runner.wake()
        return asked

    @property
    def machine_commands(self) -> tuple[str, ...]:
        """The machine commands that are configured: `shut-down`, `update`."""
        return self.services.machine_commands

    async def shut_down(self) -> None:
        """Shut the machine down, then stop."""
        await self.services.shut_down()

    async def update_program(self) -> None:
        """Update the program."""
        await self.services.update_program()

    @property
    def is_sound_on(self) -> bool:
        """Whether the buzzer is on."""
        return self._sound_on

    def set_sound(self, on: bool) -> None:
        """Switch the buzzer on or off, for later games and after a power cut, too."""
        self._sound_on = self.table.is_buzzer_on = on
        try:
            if on:
                self._muted_file.unlink(missing_ok=True)
            else:
                self._muted_file.touch()
        except OSError as error:
            log.warning("the setting of the buzzer can't be saved: %s", error)

    def request_stop(self) -> None:
        """Stop as on a signal."""
        self._runner.request_stop()

    def announce_problem(self, text: str) -> None:
        """Announce to everybody what could not be done."""
        self._dispatch_messages([disclosure.trouble_message(monotonic(), "house", "", text)])

    def _find_hint(self, table: Table, seat: Seat) -> None:
        """Work out the hint that a seat has asked for."""
        if self._hints is None:
            from boardumpire.commands.hints import HintFinder  # where nobody asks none is needed

            self._hints = HintFinder(self, self._platform.start_player)
            self._exit_stack.callback(self._hints.stop)
        self._hints.begin(table, seat)

    def _stop_and_flush(self) -> None:
        """Stop stepping the table, and wait until the journal is written."""
        self._runner.stop()
        if self._table is not None:
            self._table.prepare_close(monotonic())
        if self._journal_writer is not None:
            self._journal_writer.close()

    def _open_journal_writer(self, store: Store) -> JournalWriter:
        self._journal_writer = self._platform.open_journal_writer(
            store, self._runner.wake, self._metrics.observe_write
        )
        return self._journal_writer

    def _dispatch_messages(self, messages: Sequence[SeatMessage]) -> None:
        if self._table is not None:
            self.services.schedule_request(self._table.take_agreed_request())
            asked = self._table.take_hint_request()
            if asked is not None:
                self._find_hint(self._table, asked)
        self._metrics.count_messages(messages)
        for message in messages:
            if message.seat is None and message.kind == "fault":
                about = {"event": "fault", "code": message.data["code"]}
                kind, text = message.data["code"], message.data["text"]
                self._fault_log.write(
                    logging.WARNING,
                    kind,
                    monotonic(),
                    "%s",
                    text,
                    burst=FAULT_LINES_PER_MINUTE,
                    extra={DETAILS_KEY: about},
                )
        self._control.broadcast(messages)
        if self._voice is not None:
            self._voice.speak(messages)
        if self.page is not None:
            self.page.screen_hub.send_messages(messages)
        if messages and self._computer_players is not None:
            self._computer_players.notify()

    def _sensor_driver(self) -> object:
        """The open driver of the sensors, if any."""
        if self._readiness.missing_hardware is not None:
            return self._readiness.missing_hardware.ports.sensors
        return self._drivers[0] if self._drivers and self.has_table else None

    def _is_between_games(self) -> bool:
        """Whether no game is under way: the last one is over, or has no action yet."""
        if not (self.has_table or self._readiness.missing):
            return False  # the board is examined
        header = self._store.unfinished_game()
        return header is None or self._store.has_no_actions(header.number)
