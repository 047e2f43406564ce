"""The step loop: one game on one board.

`Table.step(now)` is called by a runner: asyncio in the daemon, virtual time in scripts and tests. Inside
there is no clock, thread or coroutine. A table has three parts, and each knows only those before it:

    game       `Match`: the state, the tracker that follows hands, the journal. It alone rules on actions.
    commands   `SeatCommands` and its parts: what people say, by phone or button, and what is open
    view       `TableView` (lights, messages of guidance) and `SeatViews` (data for screens and programs)

One step takes the same way each time: what sensors noticed goes to the tracker; buttons, what has become
durable, tags and held words are heard; what the tracker concludes is ruled on; time goes by for clocks and
limits; the view shows what is new. An accepted action is written, and told once it is durable; hints never
wait. Most steps come of hands alone: then what only words and time can change is left alone (`_rests`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from boardrules.core import Action, Seat, Space, State, View
from boardumpire.errors import SeatError, public_error
from boardumpire.lamps.display import LightDisplay
from boardumpire.lamps.legend import Legend
from boardumpire.lamps.orientation import BoardOrientation
from boardumpire.messages import announce, disclosure, space_names
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.messages.outbox import MessageOutbox
from boardumpire.ruling.proposals import SeatProposal
from boardumpire.table.errands import AssistedMoves
from boardumpire.table.game import TableGame
from boardumpire.table.match import Match
from boardumpire.table.seat_commands import SeatCommands
from boardumpire.table.seat_views import PublicPieces, SeatViews
from boardumpire.table.table_view import TableView
from boardumpire.table.tag_watch import TagWatch
from boardumpire.table.timekeeper import Timekeeper
from boardumpire.table.windows import AnswerDeadlines
from boardumpire.tags.tag_roster import TagRoster
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.events import BoardGuidance
from boardumpire.tracking.sensor_health import ReedHealth
from boardware.parts import BoardDescription
from boardware.ports import ConsoleEvent, LampId, Light, Micros, Ports, SensorChanged, SlotId


class _Rest(NamedTuple):
    """What has to change before anything but hands is looked at again."""

    state: State
    judging: bool
    heard: int
    until: Micros | None
    """When the first limit is over, or the first answer is said that was kept."""


class Table:
    """One game on one board."""

    def __init__(self, board: BoardDescription, ports: Ports, game: TableGame, roster: TagRoster) -> None:
        """`roster`: which tag is in which piece."""
        resumed = game.resumed
        self.board = board
        self.ports = ports
        self.record = game.record
        """Writes down the game so far as everybody may read it."""
        surface = BoardOrientation(board, turned=resumed.turned)
        self.game = game.fold.state.game_id
        """The id of the game."""
        self.names = space_names.space_names(board, game.fold.state)
        """What people call the spaces that they don't call by their ids."""
        self.players = resumed.players
        """By seat the name of who sits there: those that gave one."""
        self._outbox = MessageOutbox(ports.console, self.names, self.game, self.players)
        self._display = LightDisplay(ports.lamps, surface, Legend(self.game))
        self._match = Match(game, surface, ports.sensors, self._display, self._outbox)
        self._commands = SeatCommands(self._match, self._outbox, tuple(board.lamps))
        self.windows = AnswerDeadlines(self._match)
        """What is asked for a limited time."""
        self._tags: TagWatch | None = None
        if ports.tags is not None and len(roster):
            out = self._display, self._outbox
            self._tags = TagWatch(ports.tags, roster, board, self._match, *out, resumed)
        self._time: Timekeeper | None = None
        if resumed.clocks is not None:
            self._time = Timekeeper(self._match, self._outbox, resumed.clocks, waits=resumed.played)
        self.health = ReedHealth()
        """How each reed has behaved so far: public, for makers."""
        self._begun = False
        self.errands = AssistedMoves(self._match)
        """What hands shall do for seats that the machine plays."""
        told = self._display, self._outbox, board.lamps
        self._view = TableView(self._match, self._commands, self.errands, *told, self._tags, self._time)
        self._views = SeatViews(self._match, self._commands, board.lamps)
        self._rest: _Rest | None = None
        """What all but hands waits for; `None`: it is to be looked at."""

    # For the runner

    def step(self, now: Micros) -> Micros | None:
        """Turn once. Returns when to turn next, the scan grids of the polled ports aside.

        `now` never goes back. The runner also turns whenever a receipt of the writer is done.
        """
        self._feel(now)
        pressed = self.ports.console.step(now)
        rests = not pressed and self._rests(now)
        if not rests:
            self._hear(pressed, now)
        if self._match.judge(now) or not rests:
            self._go_on(now)
        self._commands.matters.heed_screens()
        self._view.step(now)
        self._send_lights(now)
        self._match.note_doubts(now)
        return self._due()

    def _rests(self, now: Micros) -> bool:
        """Whether only hands can have changed anything since the last turn: most turns are so."""
        rest, match = self._rest, self._match
        if rest is None or (rest.until is not None and now >= rest.until):
            return False
        said = rest.heard != self._commands.heard
        return not said and rest.state is match.state and rest.judging == match.judging and match.ledger.quiet

    def _hear(self, pressed: Iterable[ConsoleEvent], now: Micros) -> None:
        """Buttons, what has become durable, tags, and what was said meanwhile."""
        for event in pressed:
            self._sign()
            self._commands.buttons.press(event, now)
        self._match.settle(now)
        if self._tags is not None:
            self._tags.step(now)
        self._commands.hear_held(now)

    def _go_on(self, now: Micros) -> None:
        """What follows from the rulings of this turn, or from time gone by."""
        self._commands.step(now)
        self._match.throw(now)
        before = self._state
        if self._time is not None:
            self._time.step(now)
        self.windows.step(now)
        if self._state is not before:  # what the clock has ended may leave the next word to chance
            self._match.throw(now)
        watched = self._tags is not None or self._time is not None  # these heed hands, too
        until = min((time for time in self._waits() if time is not None), default=None)
        self._rest = None if watched else _Rest(self._state, self._match.judging, self._commands.heard, until)

    def take_messages(self) -> list[SeatMessage]:
        """All that was told since the last call, oldest first."""
        return self._outbox.take_all()

    def rest(self, now: Micros) -> None:
        """The table is about to be put away: note down what each seat has left."""
        if self._time is not None:
            self._time.note(now)

    def close(self) -> None:
        """Dark lamps, free pins. The journal stays open: it is the caller's."""
        self.ports.close()

    # For seats

    @property
    def _state(self) -> State:
        return self._match.state

    @property
    def marks(self) -> Mapping[LampId, str]:
        """What the lamps show, by the board's names: public."""
        return self._display.marks

    @property
    def lights(self) -> Mapping[LampId, Light]:
        """The same with how it looks."""
        return self._display.lights

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players' seats."""
        return self._state.seats

    @property
    def over(self) -> bool:
        """Whether the game has ended and its end is durable."""
        return self._state.outcome is not None and not self._match.ledger.ending

    @property
    def waits(self) -> str | None:
        """The sentence that says why the game waits for its journal, if it does: public."""
        trouble = self._match.ledger.trouble
        return (
            None
            if trouble is None
            else disclosure.trouble_message(0, trouble[0], "", trouble[1]).data["text"]
        )

    @property
    def guidance(self) -> BoardGuidance:
        """What hands should do: public."""
        return self._match.guidance

    @property
    def proposals(self) -> tuple[SeatProposal, ...]:
        """What is proposed and not answered yet, oldest first."""
        return self._commands.proposals.all

    @property
    def proposal(self) -> SeatProposal | None:
        """The newest of them."""
        return next(reversed(self._commands.proposals.all), None)

    def watch_screens(self, is_open: Callable[[Seat], bool]) -> None:
        """From now on it is known of which seats a screen is open: the board's buttons say no yes for
        them."""
        self._commands.presence.watch_screens(is_open)

    def watch_partner(self, plays: Callable[[], Collection[Seat]]) -> None:
        """From now on it is known which seats the partner of a lesson plays: no button at the board speaks
        for them, either."""
        self._commands.presence.watch_partner(plays)

    def seat_machine(self, seat: Seat) -> None:
        """From now on the machine plays that seat: hands carry for it, and no button at the board speaks for
        it."""
        self._commands.presence.add_machine(seat)
        self.errands.expect()

    def clocks(self, now: Micros | None = None) -> dict[str, Any] | None:
        """What each seat has left (`Timekeeper.json`); `None` where nobody's time is limited. Public."""
        return None if self._time is None else self._time.json(now)

    def ask_for(self, by: Seat, thing: str, now: Micros, *, all_of_them: bool = False) -> bool:
        """Propose what is for the service to do (`SERVICE_REQUESTS`); `False` where that has to wait, for
        another one of its kind or for an attack."""
        return self._commands.ask_for(by, thing, now, all_of_them=all_of_them)

    @property
    def sounds(self) -> bool:
        """Whether the board's buzzer sounds."""
        return self._outbox.sounds

    @sounds.setter
    def sounds(self, on: bool) -> None:
        self._outbox.sounds = on

    def take_agreed_request(self) -> SeatProposal | None:
        """What was agreed on and is for the service to do: once."""
        return self._commands.proposals.take_agreed_request()

    @property
    def options(self) -> Mapping[str, Any]:
        """By which options the game is played."""
        return self._state.options

    def scenery(self) -> dict[str, Any]:
        """What the game has printed on its board and cards (`State.scenery`)."""
        return self._state.scenery()

    def doubts(self) -> tuple[str, ...]:
        """What the board can't show of the game."""
        return self._views.doubts()

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What `seat` (`None`: everybody) may know, as JSON. Raises `SeatError` for a seat that is none."""
        if seat is not None:
            self._seat(seat)
        return self._views.view(seat)

    def pieces(self) -> PublicPieces:
        """Whose piece stands where, for hands that tidy up. Of pieces with names nothing but these counts;
        those that are all alike need nothing."""
        return self._views.pieces()

    @property
    def stands(self) -> State:
        """The game as it stands: for who holds the table, never for a seat."""
        return self._state

    @property
    def calm(self) -> bool:
        """Whether the board is in order, nothing is being written, and hands are judged."""
        match = self._match
        return match.judging and match.tracker.in_order and not (match.ledger.writing or match.ledger.ending)

    def sight(self, seat: Seat) -> tuple[View, tuple[Action, ...], tuple[Action, ...]]:
        """What a seat may know, and its actions in the game and about it: for the program that plays it."""
        self._seat(seat)
        return self._views.sight(seat)

    def choices(self, seat: Seat) -> dict[str, Any]:
        """What `seat` may do now, for its own screen alone (`disclosure.choices_of`). Raises `SeatError`."""
        self._seat(seat)
        return self._views.choices(seat)

    def check(self, seat: Seat, text: str) -> None:
        """Ask what the umpire would say to it, without doing it. Raises `SeatError`, for that seat alone."""
        self._seat(seat)
        with self._by_name():
            self._commands.check(seat, text)

    def suggest(self, seat: Seat, preset: str, text: str) -> Mapping[Space, str]:
        """A set-up for `seat` alone: by space each piece's print (`SeatCommands.suggest`). Raises
        `SeatError`."""
        self._seat(seat)
        with self._by_name():
            return self._commands.suggest(seat, preset, text)

    def say(self, seat: Seat, text: str, now: Micros) -> None:
        """What a seat says in private: an action of the game or about it, `yes`, `no`, or a proposal.

        While a ruling is being written it waits its turn, and what is then wrong with it comes back as a
        private message. Raises `SeatError`, whose text is for that seat alone.
        """
        self._seat(seat)
        self._sign()
        with self._by_name():
            self._commands.say(seat, text, now)

    @contextlib.contextmanager
    def _by_name(self) -> Iterator[None]:
        """What a seat is refused calls spaces as people do."""
        try:
            yield
        except SeatError as error:
            told = announce.with_space_names(public_error(error), self.names, self.game, self.players)
            raise SeatError(told, error.rule) from None

    def _sign(self) -> None:
        if self._time is not None:
            self._time.sign()

    def _seat(self, seat: Seat) -> None:
        if seat not in self._state.seats:
            raise SeatError(f"no seat {seat!r}; try one of {', '.join(self._state.seats)}")

    # What comes in

    def _feel(self, now: Micros) -> None:
        match, surface, sensors = self._match, self._match.surface, self.ports.sensors
        events = sensors.step(now)
        if events:
            self._display.apply_precomputed(events, now)
        if not self._begun:
            self._begun = True
            match.start(now)
            match.wonder(now, turned=surface.fits_turned(sensors.present(), self._state.layout().keys()))
        for event in events:
            if isinstance(event, SensorChanged):
                self._sign()
                match.sensor_changed(event.present, event.at)
                self._felt(event)
                self._look_after(event.slot, event.at)
            else:
                self._outbox.add(now, disclosure.trouble_message(now, event.code, event.where, event.detail))
                match.changed()
                if event.code == "bank-silent":
                    match.bank_silent(event.where)
                elif event.code == "bank-back":
                    match.bank_back(event.where, now)

    def _felt(self, event: SensorChanged) -> None:
        match, surface, tracker = self._match, self._match.surface, self._match.tracker
        space = surface.space(event.slot)
        count = surface.count(space, self.ports.sensors.present())
        felt, position = tracker.pieces.felt, tracker.position
        for place, present in shared_spaces.place_changes(
            space, count, felt, position, tracker.spaces_to_correct
        ):
            match.tracker.note_sensor(place, present, event.at)
        if self._tags is not None:
            self._tags.felt(space, count > 0, event.at)

    def _look_after(self, slot: SlotId, at: Micros) -> None:
        """Tell once of a reed that behaves unlike the others."""
        suspect = self.health.felt(slot, at)
        if suspect is not None:
            self._outbox.add(
                at, disclosure.trouble_message(at, "reed-flutters", suspect.slot, suspect.text())
            )

    # What goes out

    def _send_lights(self, now: Micros) -> None:
        lamps = self.ports.lamps
        lamps.step(now)
        for trouble in lamps.take_troubles():
            self._outbox.add(
                now, disclosure.trouble_message(now, trouble.code, trouble.where, trouble.detail)
            )

    def _waits(self) -> tuple[Micros | None, ...]:
        """When limits are over, and what was kept is said."""
        return self.windows.due(), self._commands.due()

    def _due(self) -> Micros | None:
        times = (
            self.ports.lamps.due(),
            self._match.tracker.next_due() if self._match.judging else None,
            self._display.due(),
            self._tags.due() if self._tags is not None else None,
            self._time.due() if self._time is not None else None,
            *((self._rest.until,) if self._rest is not None else self._waits()),
            self._match.ledger.due,
        )
        return min((time for time in times if time is not None), default=None)
