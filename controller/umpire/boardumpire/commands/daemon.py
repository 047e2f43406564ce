"""The one composition root: builds everything a board needs, runs it, takes it down.

Three phases. *Start*: nothing is served before all is open. *Run*: until a signal or a failure. *Stop*: what
was opened is closed in reverse order, also when the start broke off half-way, and signals are as they were.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from boardrules import registry
from boardrules.core import Seat
from boardumpire.commands.check_config import sound
from boardumpire.commands.desk import ServiceView
from boardumpire.commands.platform import MACHINE, Platform
from boardumpire.commands.requests import TableServices
from boardumpire.commands.start_files import set_aside_unreadable
from boardumpire.commands.table_factory import timing
from boardumpire.commands.waiting import Readiness
from boardumpire.errors import BoardumpireError, DriverError, JournalError
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_or_make_key
from boardumpire.journal.writer import JournalWriter
from boardumpire.messages import announce, secrecy
from boardumpire.messages.secrecy import SeatMessage
from boardumpire.ruling.dice import dice_of
from boardumpire.service.clock import monotonic
from boardumpire.service.config import Config
from boardumpire.service.log_lines import ABOUT
from boardumpire.service.metrics import Metrics
from boardumpire.service.notify import Notifier
from boardumpire.service.process import WatchdogHeartbeat
from boardumpire.service.renewal import FirmwareUpdater
from boardumpire.service.runner import Steppable, TableRunner
from boardumpire.service.successor import UpgradeHandover
from boardumpire.supervision import keep_running
from boardumpire.table.opening import NewGameSettings, configured, last_game, open_table, wanted_again
from boardumpire.table.table import Table
from boardumpire.tags import tag_roster
from boardumpire.tags.tag_roster import TagRoster
from boardware.files import take_set_aside
from boardware.ports import SECOND, Micros, Ports

if TYPE_CHECKING:
    from boardumpire.commands.machines import ComputerPlayers
    from boardumpire.makers.workshop import Workshop
    from boardumpire.service.voice import Voice
    from boardumpire.tags.replayed_reads import RememberedTags
    from boardumpire.web.mqtt import MqttPublisher
    from boardumpire.web.served import ServedPage, VirtualBoard
    from boardumpire.web.waiting_page import WaitingPage

log = logging.getLogger("boardumpire")

Opening = Callable[..., Table]


def serve(config: Config, environ: Mapping[str, str], opening: Opening = open_table) -> None:
    """Run a board until SIGTERM or SIGINT; `opening` opens each table, given what `open_table` is given.

    Raises `BoardumpireError` for what the owner can mend.
    """

    async def phases() -> None:
        notifier, found = Notifier(environ), config
        if not config.board.name:
            from boardumpire.commands.setting_up import until_set_up

            chosen = await until_set_up(config, environ, notifier)
            if chosen is None:
                notifier.stopping()
                return
            found = chosen
        daemon = Daemon(found, notifier, opening=opening, patient=True, environ=environ)
        try:
            await daemon.start()
            await daemon.run()
        finally:
            daemon.stop()
            await daemon.ended()

    asyncio.run(phases())


class Daemon(ServiceView):
    """A board in service."""

    def __init__(
        self,
        config: Config,
        notifier: Notifier,
        virtual: VirtualBoard | None = None,
        opening: Opening = open_table,
        *,
        patient: bool = False,
        listening: socket.socket | None = None,
        environ: Mapping[str, str] = MappingProxyType({}),
        platform: Platform = MACHINE,
        begin: bool = False,
    ) -> None:
        """`virtual`: a simulated board whose hands are on the page; `opening`: as `serve`; `patient`: whether
        it waits for what is missing, or raises; `listening`: where its page is served, if that is bound
        already; `platform`: the machine under it; `begin`: whether somebody has asked for a new game, where
        the last one is over."""
        super().__init__(config.game.id)
        self._config, self._listening = config, listening
        self._patient = patient
        self._platform = platform
        self._environ = environ
        self._opening = opening
        self._notifier = notifier
        self._virtual = virtual
        self._wanted = NewGameSettings(
            config.game.id, config.game.options, config.clock.terms(), config.game.players
        )
        self._begin = begin
        self.house = TableServices(config.machine, self)
        self._metrics = Metrics(monotonic)
        self._muted = config.journal.path.parent / "muted"
        """A file that is there while the buzzer is silenced: that outlives the power."""
        self._sounds = not self._muted.exists()
        self._opened = contextlib.ExitStack()
        self._power = contextlib.ExitStack()
        """What hangs on the power: the journal, the drivers, the table."""
        self._traces = contextlib.ExitStack()
        """The traces that are being written."""
        self._pen: JournalWriter | None = None
        self._read: RememberedTags | None = None
        self.page: ServedPage | None = None
        self._publisher: MqttPublisher | None = None
        self._voice: Voice | None = None
        self._machines = self._opponents()

    async def start(self) -> None:
        """Open everything; tell systemd when it is done. Raises `BoardumpireError`."""
        config, opened = self._config, self._opened
        self._runner = TableRunner()
        self._waiting = Readiness(self._runner, patient=self._patient)
        life = self._life = WatchdogHeartbeat(self._notifier, self._runner.turning)
        opened.callback(life.stop)
        opened.enter_context(self._platform.signals(self._runner.end))
        set_aside_unreadable(config)
        board = self._board = sound(config, listens=self._platform.open_server is None)
        opened.callback(self._switch_off)
        self._open_store()
        self._control = self._platform.open_control(config.control.socket, self, config.game.machines)
        await self._control.start()
        opened.callback(self._control.stop)
        opened.callback(self._waiting.stop)
        successor = UpgradeHandover(self._environ, self._between_games, self._runner.fail)
        successor.start()
        opened.callback(successor.stop)
        if self._patient:
            folder = config.journal.path.parent
            renewal = FirmwareUpdater(board, self._sensors, self._between_games, folder)
            renewal.start()
            opened.callback(renewal.stop)
            if not await self._all_there(self._waiting_page):
                return
        else:
            self._open_ports()
        life.gets_on()
        table = self._open_table()
        life.gets_on()
        if config.page.listen:
            from boardumpire.web.served import ServedPage  # the page's libraries, only where one is wanted

            life.gets_on()
            self.page = ServedPage(
                config.page,
                self,
                self._virtual,
                self._workshop(),
                self._listening,
                config.game.machines,
                open_server=self._platform.open_server,
            )
            opened.callback(self.page.stop)
            await self._waiting.listen(self.page)
            if config.mqtt.broker:
                from boardumpire.web.mqtt import MqttPublisher

                self._publisher = MqttPublisher(config.mqtt, self.page.room)
                opened.callback(self._publisher.stop)
                self._publishing = keep_running(self._publisher.run, "[mqtt]", failed=self._publisher.failed)
        if config.voice.program:
            from boardumpire.service import voice

            tunes = config.voice.battles == "tunes"
            self._voice = voice.Voice(voice.check(config), config.voice.language, tunes)
            opened.callback(self._voice.close)
        self._runner.start(table, self._tell)
        if self._machines is not None:
            opened.callback(self._machines.stop)
            self._machines.stirred()
        life.in_service("")
        aside = [path.name for path in take_set_aside()]
        if aside:
            self._tell([secrecy.trouble(monotonic(), "set-aside", "", ", ".join(aside))])
        about = {"event": "open", "board": board.id, "game": self.game, "journal": config.journal.path}
        log.info("the board is open", extra={ABOUT: about})

    def _opponents(self) -> ComputerPlayers | None:
        """Those who play for the machine, if it plays at all. Raises `ConfigError`."""
        game = self._config.game
        if not game.machines:
            return None
        from boardumpire.commands import machines  # a table where people play needs none

        seats = machines.checked(game.id, game.options, game.machines)
        return machines.ComputerPlayers(self, seats, self._virtual, self._platform.start_player)

    def _workshop(self) -> Workshop:
        """What the makers' screen asks for."""
        from boardumpire.makers.workshop import Workshop
        from boardware.description import board_path

        config = self._config
        folder = config.journal.path.parent / "makers"
        return Workshop(self, self._board, board_path(config.board.name), config.lamps, folder)

    async def run(self) -> None:
        """Serve until a signal comes; raises what made a turn fail."""
        await self._runner.ended

    def stop(self) -> None:
        """Close what was opened, last first; what was said before is written. Stopping twice is allowed."""
        self._notifier.stopping()
        self._opened.close()
        self._traces.close()

    async def ended(self) -> None:
        """After `stop`: until whoever was connected has heard of it, at most a second."""
        if self.page is not None:
            await self.page.ended()
        if self._publisher is not None:
            await self._publisher.ended()
        if self._machines is not None:
            await self._machines.ended()

    def _switch_on(self) -> Table:
        """Open the journal, the drivers and the table; what fails leaves nothing open."""
        try:
            self._open_store()
            self._open_ports()
            return self._open_table()
        except BaseException:
            self._switch_off()
            raise

    def _open_store(self) -> None:
        config = self._config
        store = self._store = Store.open(config.journal.path, load_or_make_key(config.journal.key))
        self._power.callback(store.close)
        self._pieces = self._roster()

    def _open_ports(self) -> None:
        """Open the drivers, and wait until each has what it drives, or raise."""
        tags = len(self._pieces) > 0
        self._ports = self._platform.open_ports(self._board, self._config, tags=tags)
        self._power.callback(self._ports.close)

    async def _all_there(self, page: Callable[[], WaitingPage | None] = lambda: None) -> bool:
        """Open the drivers as `Readiness.all_there`; whether it was not told to stop."""
        ports = await self._waiting.all_there(
            self._board,
            self._config,
            tags=len(self._pieces) > 0,
            opened=self._power,
            serve=self._life.in_service,
            page=page,
        )
        if ports is not None:
            self._ports = ports
        return ports is not None

    def _waiting_page(self) -> WaitingPage | None:
        """What is served while the board is not complete, where a page is wanted."""
        if not self._config.page.listen:
            return None
        from boardumpire.web.waiting_page import WaitingPage

        page = WaitingPage(self._config.page, lambda: self._waiting.missing, self)
        self._opened.callback(page.stop)
        return page

    def _open_table(self) -> Table:
        """Open the table over the drivers that are open."""
        if self._ports.tags is not None:
            from boardumpire.tags.replayed_reads import remembered

            self._read = remembered(self._ports.tags, self._board)
            self._ports = self._ports._replace(tags=self._read)
        self._parts = tuple(self._ports)
        self._ports = self._metrics.over(self._ports)
        self._power.callback(self._rest)
        self._table = self._opened_table(begin=self._begin)
        self._begin = False  # a power cut between two games asks for none
        return self._table

    def _switch_off(self) -> None:
        self._power.close()

    def _roster(self) -> TagRoster:
        """Which tag is in which piece; nothing where none are read."""
        config = self._config
        if not config.drivers.tags:
            return TagRoster()
        roster = tag_roster.load(config.pieces.tags, tag_roster.armies(self._board.games))
        if not len(roster):
            log.warning("tags are not read, as no piece is enrolled; try: boardumpire tags enrol")
        return roster

    def _opened_table(self, *, begin: bool) -> Table:
        config = self._config
        header = last_game(self._store, self._board, self._wanted, begin=begin)
        self._resumed = None if header is None else header.number
        if header is not None:
            self._wanted = wanted_again(self._store, header.number, self._wanted)
        self._told = self._told_before()
        table = self._opening(
            board=self._board,
            wanted=self._wanted,
            ports=self._ports,
            store=self._store,
            now=monotonic(),
            wall_ms=self._platform.wall_ms(),
            timing=timing(config.tracker),
            pen=self._new_pen,
            roster=self._pieces,
            dice=dice_of(config.game.dice),
            begin=begin,
        )
        self._keep(table)
        self._wanted = self._wanted._replace(players=table.players)  # who plays again is called the same
        for doubt in table.doubts():
            log.warning("%s", doubt)
        table.sounds = self._sounds
        table.watch_screens(lambda seat: self.page is not None and self.page.room.watched(seat))
        table.watch_partner(lambda: () if self.page is None else self.page.page.partner_seats())
        return table

    def _told_before(self) -> list[SeatMessage]:
        """What screens that come later shall hear, too: nothing where there is no page."""
        if self._resumed is None or not self._config.page.listen:
            return []
        from boardumpire.history import replays  # only a page shows what was

        return replays.told(self._store, self._resumed)

    def cut_power(self, back_s: float) -> None:
        """Drop the table in the middle of whatever it does, as a power cut would; `back_s` later it is back.

        For a virtual board: no lamp is put out, nobody is told, and screens lose their line.
        """
        if self._table is None:
            return
        self._drop_table()
        self._power.pop_all()  # forgotten, not closed
        self._store.close()  # the kernel would: its lock goes with the process
        if self.page is not None:
            self.page.room.end("the umpire has lost its power")
        asyncio.get_running_loop().call_later(back_s, self._come_back)

    def lend(self, make: Callable[[Ports, Micros], Steppable], *, named: bool = False) -> None:
        """Put the table away, and turn what `make` makes over the bare board, or the `named` one, instead.

        Raises `BoardumpireError` where there is no table, or the drivers don't open: then the table is back.
        """
        from boardumpire.makers.bare import bare

        self.table  # noqa: B018 - raises where there is none
        self._put_away("the board is examined; the game goes on afterwards")
        try:
            board = self._board if named else bare(self._board)
            ports = self._platform.open_ports(board, self._config, tags=False)
            self._power.callback(ports.close)
            self._runner.start(make(ports, monotonic()), lambda messages: None)
        except BaseException:
            self.take_back()
            raise

    def take_back(self) -> None:
        """End what was lent, and open the table again."""
        self._runner.stop()
        self._power.close()
        self._come_back()

    def later(self, do: Callable[[], None]) -> None:
        """Do something once this turn is over."""
        asyncio.get_running_loop().call_soon(do)

    def reopen(self, trace: Path | None) -> None:
        """Open the table anew, and write a trace of its games, beginning there; `None` writes none."""
        from boardumpire.makers.traces.recording import TraceFiles, traced_opening

        self._put_away("a trace begins or ends; the game goes on at once")
        self._traces.close()
        self._opening = open_table
        if trace is not None:
            files = self._traces.enter_context(contextlib.closing(TraceFiles(trace)))
            self._opening = traced_opening(files, self._config.drivers.sensors)
        self._come_back()

    def _put_away(self, why: str) -> None:
        """Close the table, its drivers and its journal in good order; screens come back by themselves."""
        self._drop_table()
        self._power.close()
        if self.page is not None:
            self.page.room.end(why)

    def _drop_table(self) -> None:
        """Turn the table no more; nobody plays at it."""
        self._rest()
        self._table = None
        if self._machines is not None:
            self._machines.stirred()

    def _come_back(self) -> None:
        """Open the table again; where a part of the board has gone meanwhile, once it is back."""
        try:
            table = self._switch_on()
        except DriverError as error:
            if not self._waiting.patient:
                raise
            self._waiting.gone(error)
            self._waiting.beside(self._come_back_later())
            return
        self._back(table)

    async def _come_back_later(self) -> None:
        self._open_store()
        if await self._all_there():
            self._back(self._open_table())
            self._notifier.status("")

    def _back(self, table: Table) -> None:
        if self.page is not None:
            self.page.room.begin()
        self._runner.start(table, self._tell)
        if self._machines is not None:
            self._machines.stirred()

    # What the control socket and the page may ask

    def links(self, renew: Seat | None) -> dict[str, str]:
        """The seats' links, once `renew` got a new one. Raises `BoardumpireError` without a page."""
        if self.page is None:
            raise BoardumpireError("there is no page: [page] listen in the configuration turns it on")
        return self.page.links(renew) | {"pin": self.page.pin}

    def begin(self) -> None:
        """Refused: there is a board."""
        raise BoardumpireError(f"the board {self._board.id} is in service already")

    @property
    def alone(self) -> bool:
        """Whether those links open on this machine itself and nowhere else."""
        return self.page is not None and self.page.alone

    def say(self, seat: Seat, text: str) -> None:
        """A seat says something; the table is turned at once."""
        self.table.say(seat, text, monotonic())
        self._runner.wake()

    def report_player(self, seat: Seat, answers: bool) -> None:
        """Show whether the player that the machine runs at a seat answers."""
        silent = self._silent - {seat} if answers else self._silent | {seat}
        if silent != self._silent:
            self._silent = silent
            if self.page is not None and self.alive:
                self.page.room.look()

    def turn(self) -> None:
        """Turn the table at once."""
        self._runner.wake()

    def condition(self) -> dict[str, Any]:
        """The status, and what is waited for: a part of the board, an address of the page, a broker, the
        voice."""
        beside = [each.trouble for each in (self._publisher, self._voice) if each is not None]
        waits = [*self._lacking(), *(each for each in (self._waiting.unheard, *beside) if each)]
        if self._waiting.missing and not self.alive:
            return {"waits_for": waits}
        return {**self.status(), "waits_for": waits}

    def _lacking(self) -> Sequence[str]:
        """The parts of the board that are waited for."""
        return self._waiting.lacking(self._parts if self.alive else ())

    def ailing(self) -> str:
        """What is the matter, as everybody may know it; empty if all is well."""
        if lacking := self._lacking():
            return f"waits for {', '.join(lacking)}"
        if not self._runner.turning():
            return "the board is not turned"
        if self._table is None:
            return ""
        return self._table.waits or " ".join(self.status()["silent"])

    def metrics(self) -> str:
        """What was counted (`Metrics.text`)."""
        return self._metrics.text(missing=len(self._lacking()), turning=self._runner.turning())

    def new(self, wanted: Mapping[str, Any] | None = None) -> None:
        """Begin another game on the same board, the same as before but for what is wanted (`changed`).

        Raises `BoardumpireError` while one is being played, or for a game that there is not.
        """
        if not self.table.over:
            raise BoardumpireError(announce.say("answer not-over"))
        if wanted:
            from boardumpire.service.next_game import changed

            found = changed(self._wanted, wanted, self._board)
            self._wanted = found._replace(instead=configured(self._wanted))
        self._rest()
        if self._read is not None:
            self._read.again()
        if self._virtual is not None:  # its hands clear the board before anything is judged by it
            box = registry.package(self._wanted.game).box(
                registry.new(self._wanted.game, self._wanted.options)
            )
            self._virtual.new_game(box.named, box.each)
        try:
            table = self._table = self._opened_table(begin=True)
        except JournalError:  # no room on the disk, say: the old table stays, and may be asked again
            self._runner.start(self.table, self._tell)
            raise
        if self.page is not None:
            self.page.room.begin()
        self._runner.start(table, self._tell)
        if self._machines is not None:
            self._machines.stirred()

    def next_game(self) -> dict[str, Any]:
        """What may be wanted of the next game, and what it is at this moment."""
        from boardumpire.service.next_game import inforce

        wanted, terms = self._wanted, self._wanted.terms
        games = [self._board.games[0]] if self._virtual else list(self._board.games)
        return {
            "games": games,
            "game": wanted.game,
            "options": {game: inforce(wanted, game) for game in games},
            "players": dict(self.players),
            "clock": {"kind": terms.kind, "base_s": terms.base // SECOND, "extra_s": terms.extra // SECOND},
        }

    def ask_for(self, by: Seat, thing: str, *, all_of_them: bool = False) -> bool:
        """Propose what is for the house to do and turn at once. `False` while something is proposed."""
        asked = self.table.ask_for(by, thing, monotonic(), all_of_them=all_of_them)
        self._runner.wake()
        return asked

    @property
    def able(self) -> tuple[str, ...]:
        """What the machine can be told to do."""
        return self.house.able

    async def shut_down(self) -> None:
        """Have the machine shut down, then stop."""
        await self.house.shut_down()

    async def update(self) -> None:
        """Have the program brought up to date."""
        await self.house.update()

    @property
    def sounds(self) -> bool:
        """Whether the board's buzzer sounds."""
        return self._sounds

    def sound(self, on: bool) -> None:
        """Let the board's buzzer sound or not, in the games to come as well, and after the power was off."""
        self._sounds = self.table.sounds = on
        try:
            if on:
                self._muted.unlink(missing_ok=True)
            else:
                self._muted.touch()
        except OSError as error:
            log.warning("the setting of the buzzer can't be saved: %s", error)

    def end(self) -> None:
        """Stop, as by a signal."""
        self._runner.end()

    def told_trouble(self, text: str) -> None:
        """Tell everybody what could not be done."""
        self._tell([secrecy.trouble(monotonic(), "house", "", text)])

    def _rest(self) -> None:
        """Turn no more, and have everything written."""
        self._runner.stop()
        if self._table is not None:
            self._table.rest(monotonic())
        if self._pen is not None:
            self._pen.close()

    def _new_pen(self, store: Store) -> JournalWriter:
        self._pen = self._platform.open_pen(store, self._runner.wake, self._metrics.took_to_write)
        return self._pen

    def _tell(self, messages: Sequence[SeatMessage]) -> None:
        if self._table is not None:
            self.house.grant(self._table.take_wish())
        self._metrics.told(messages)
        for message in messages:
            if message.seat is None and message.kind == "fault":
                about = {"event": "fault", "code": message.data["code"]}
                log.warning("%s", message.data["text"], extra={ABOUT: about})
        self._control.tell(messages)
        if self._voice is not None:
            self._voice.tell(messages)
        if self.page is not None:
            self.page.room.tell(messages)
        if messages and self._machines is not None:
            self._machines.stirred()

    def _sensors(self) -> object:
        """The driver of the sensors that is open, if one is."""
        if self._waiting.arrival is not None:
            return self._waiting.arrival.ports.sensors
        return self._parts[0] if self._parts and self.alive else None

    def _between_games(self) -> bool:
        """Whether nobody plays: the game is over, or nothing was done in it yet."""
        if not (self.alive or self._waiting.missing):
            return False  # the board is examined
        header = self._store.unfinished()
        return header is None or self._store.has_no_actions(header.number)
