"""The step loop: one game on one board.

`Table.step(now)` is called by a runner: asyncio in the daemon, virtual time in scripts and tests. Inside
there is no clock, thread or coroutine. A table has three parts, and each knows only those before it:

    game       `Match`: the state, the tracker that follows hands, the journal. It alone rules on actions.
    commands   `SeatCommands` and its parts: what people say, by phone or button, and what is open
    view       `TableView` (lights, messages of guidance) and `SeatViews` (data for screens and programs)

One step takes the same way each time: what sensors noticed goes to the tracker; buttons, what has become
durable, tags and held words are heard; what the tracker concludes is ruled on; time goes by for clocks and
limits; the view shows what is new. An accepted action is written, and told once it is durable; hints never
wait. Most steps come of hands alone: then what only words and time can change is left alone (`_is_resting`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from boardrules.core import Action, Seat, Space, State, View
from boardumpire.errors import SeatError, public_error_text
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


class _RestCondition(NamedTuple):
    """What has to change before anything but hands is looked at again."""

    state: State
    judging: bool
    commands_count: int
    until: Micros | None
    """When the first limit is over, or the first answer is said that was kept."""


class Table:
    """One game on one board."""

    def __init__(self, board: BoardDescription, ports: Ports, game: TableGame, roster: TagRoster) -> None:
        """`roster`: which tag is in which piece."""
        resumed = game.resumed_game
        self.board = board
        self.ports = ports
        self.export_record = game.export_record
        """Writes down the game so far as everybody may read it."""
        surface = BoardOrientation(board, turned=resumed.is_turned)
        self.game_id = game.history.state.game_id
        """The id of the game."""
        self.space_names = space_names.space_names(board, game.history.state)
        """What people call the spaces that they don't call by their ids."""
        self.players = resumed.players
        """By seat the name of who sits there: those that gave one."""
        self._outbox = MessageOutbox(ports.console, self.space_names, self.game_id, self.players)
        self._display = LightDisplay(ports.lamps, surface, Legend(self.game_id))
        self._match = Match(game, surface, ports.sensors, self._display, self._outbox)
        self._commands = SeatCommands(self._match, self._outbox, tuple(board.lamps))
        self.answer_deadlines = AnswerDeadlines(self._match)
        """What is asked for a limited time."""
        self._tags: TagWatch | None = None
        if ports.tags is not None and len(roster):
            out = self._display, self._outbox
            self._tags = TagWatch(ports.tags, roster, board, self._match, *out, resumed)
        self._time: Timekeeper | None = None
        if resumed.clocks is not None:
            self._time = Timekeeper(self._match, self._outbox, resumed.clocks, waits=resumed.has_actions)
        self.reed_health = ReedHealth()
        """How each reed has behaved so far: public, for makers."""
        self._begun = False
        self.assisted_moves = AssistedMoves(self._match)
        """What hands shall do for seats that the machine plays."""
        told = self._display, self._outbox, board.lamps
        self._view = TableView(
            self._match, self._commands, self.assisted_moves, *told, self._tags, self._time
        )
        self._views = SeatViews(self._match, self._commands, board.lamps)
        self._rest: _RestCondition | None = None
        """What all but hands waits for; `None`: it is to be looked at."""

    # For the runner

    def step(self, now: Micros) -> Micros | None:
        """Turn once. Returns when to turn next, the scan grids of the polled ports aside.

        `now` never goes back. The runner also turns whenever a receipt of the writer is done.
        """
        self._process_sensors(now)
        pressed = self.ports.console.step(now)
        rests = not pressed and self._is_resting(now)
        if not rests:
            self._handle_input(pressed, now)
        if self._match.judge_hands(now) or not rests:
            self._apply_consequences(now)
        self._commands.matters.note_screen_changes()
        self._view.step(now)
        self._send_lights(now)
        self._match.note_doubts(now)
        return self._next_due()

    def _is_resting(self, now: Micros) -> bool:
        """Whether only hands can have changed anything since the last turn: most turns are so."""
        rest, match = self._rest, self._match
        if rest is None or (rest.until is not None and now >= rest.until):
            return False
        said = rest.commands_count != self._commands.commands_count
        return (
            not said
            and rest.state is match.state
            and rest.judging == match.is_judging
            and match.pending_writes.is_idle
        )

    def _handle_input(self, pressed: Iterable[ConsoleEvent], now: Micros) -> None:
        """Buttons, what has become durable, tags, and what was said meanwhile."""
        for event in pressed:
            self._note_presence()
            self._commands.buttons.press(event, now)
        self._match.settle_writes(now)
        if self._tags is not None:
            self._tags.step(now)
        self._commands.execute_held_commands(now)

    def _apply_consequences(self, now: Micros) -> None:
        """What follows from the rulings of this turn, or from time gone by."""
        self._commands.step(now)
        self._match.throw_dice(now)
        before = self._state
        if self._time is not None:
            self._time.step(now)
        self.answer_deadlines.step(now)
        if self._state is not before:  # what the clock has ended may leave the next word to chance
            self._match.throw_dice(now)
        watched = self._tags is not None or self._time is not None  # these heed hands, too
        until = min((time for time in self._deadlines() if time is not None), default=None)
        self._rest = (
            None
            if watched
            else _RestCondition(self._state, self._match.is_judging, self._commands.commands_count, until)
        )

    def take_messages(self) -> list[SeatMessage]:
        """All that was told since the last call, oldest first."""
        return self._outbox.take_all()

    def prepare_close(self, now: Micros) -> None:
        """The table is about to be put away: note down what each seat has left."""
        if self._time is not None:
            self._time.note_time_left(now)

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
    def is_over(self) -> bool:
        """Whether the game has ended and its end is durable."""
        return self._state.outcome is not None and not self._match.pending_writes.is_writing_end

    @property
    def waiting_sentence(self) -> str | None:
        """The sentence that says why the game waits for its journal, if it does: public."""
        trouble = self._match.pending_writes.trouble
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
        return self._commands.proposals.open_proposals

    @property
    def newest_proposal(self) -> SeatProposal | None:
        """The newest of them."""
        return next(reversed(self._commands.proposals.open_proposals), None)

    def set_screen_check(self, is_open: Callable[[Seat], bool]) -> None:
        """From now on it is known of which seats a screen is open: the board's buttons say no yes for
        them."""
        self._commands.presence.set_screen_check(is_open)

    def set_partner_source(self, plays: Callable[[], Collection[Seat]]) -> None:
        """From now on it is known which seats the partner of a lesson plays: no button at the board speaks
        for them, either."""
        self._commands.presence.set_partner_source(plays)

    def assign_machine(self, seat: Seat) -> None:
        """From now on the machine plays that seat: hands carry for it, and no button at the board speaks for
        it."""
        self._commands.presence.add_machine(seat)
        self.assisted_moves.enable()

    def clocks(self, now: Micros | None = None) -> dict[str, Any] | None:
        """What each seat has left (`Timekeeper.json`); `None` where nobody's time is limited. Public."""
        return None if self._time is None else self._time.json(now)

    def propose_request(self, by: Seat, thing: str, now: Micros, *, all_of_them: bool = False) -> bool:
        """Propose what is for the service to do (`SERVICE_REQUESTS`); `False` where that has to wait, for
        another one of its kind or for an attack."""
        return self._commands.propose_request(by, thing, now, all_of_them=all_of_them)

    @property
    def is_buzzer_on(self) -> bool:
        """Whether the board's buzzer sounds."""
        return self._outbox.is_buzzer_on

    @is_buzzer_on.setter
    def is_buzzer_on(self, on: bool) -> None:
        self._outbox.is_buzzer_on = on

    def take_agreed_request(self) -> SeatProposal | None:
        """What was agreed on and is for the service to do: once."""
        return self._commands.proposals.take_agreed_request()

    @property
    def options(self) -> Mapping[str, Any]:
        """By which options the game is played."""
        return self._state.options

    def scenery(self) -> dict[str, Any]:
        """What the game has printed on its board and cards (`State.printed_facts`)."""
        return self._state.printed_facts()

    def unshown_facts(self) -> tuple[str, ...]:
        """What the board can't show of the game."""
        return self._views.unshown_facts()

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What `seat` (`None`: everybody) may know, as JSON. Raises `SeatError` for a seat that is none."""
        if seat is not None:
            self._check_seat(seat)
        return self._views.view(seat)

    def pieces(self) -> PublicPieces:
        """Whose piece stands where, for hands that tidy up. Of pieces with names nothing but these counts;
        those that are all alike need nothing."""
        return self._views.pieces()

    @property
    def full_state(self) -> State:
        """The game as it stands: for who holds the table, never for a seat."""
        return self._state

    @property
    def is_calm(self) -> bool:
        """Whether the board is in order, nothing is being written, and hands are judged."""
        match = self._match
        return (
            match.is_judging
            and match.tracker.is_in_order
            and not (match.pending_writes.is_writing_ruling or match.pending_writes.is_writing_end)
        )

    def player_observation(self, seat: Seat) -> tuple[View, tuple[Action, ...], tuple[Action, ...]]:
        """What a seat may know, and its actions in the game and about it: for the program that plays it."""
        self._check_seat(seat)
        return self._views.player_observation(seat)

    def choices(self, seat: Seat) -> dict[str, Any]:
        """What `seat` may do now, for its own screen alone (`disclosure.choices_of`). Raises `SeatError`."""
        self._check_seat(seat)
        return self._views.choices(seat)

    def check(self, seat: Seat, text: str) -> None:
        """Ask what the umpire would say to it, without doing it. Raises `SeatError`, for that seat alone."""
        self._check_seat(seat)
        with self._naming_spaces():
            self._commands.check(seat, text)

    def suggest_set_up(self, seat: Seat, preset: str, text: str) -> Mapping[Space, str]:
        """A set-up for `seat` alone: by space each piece's print (`SeatCommands.suggest_set_up`). Raises
        `SeatError`."""
        self._check_seat(seat)
        with self._naming_spaces():
            return self._commands.suggest_set_up(seat, preset, text)

    def say(self, seat: Seat, text: str, now: Micros) -> None:
        """What a seat says in private: an action of the game or about it, `yes`, `no`, or a proposal.

        While a ruling is being written it waits its turn, and what is then wrong with it comes back as a
        private message. Raises `SeatError`, whose text is for that seat alone.
        """
        self._check_seat(seat)
        self._note_presence()
        with self._naming_spaces():
            self._commands.say(seat, text, now)

    @contextlib.contextmanager
    def _naming_spaces(self) -> Iterator[None]:
        """What a seat is refused calls spaces as people do."""
        try:
            yield
        except SeatError as error:
            told = announce.with_space_names(
                public_error_text(error), self.space_names, self.game_id, self.players
            )
            raise SeatError(told, error.rule) from None

    def _note_presence(self) -> None:
        if self._time is not None:
            self._time.note_presence()

    def _check_seat(self, seat: Seat) -> None:
        if seat not in self._state.seats:
            raise SeatError(f"no seat {seat!r}; try one of {', '.join(self._state.seats)}")

    # What comes in

    def _process_sensors(self, now: Micros) -> None:
        match, surface, sensors = self._match, self._match.orientation, self.ports.sensors
        events = sensors.step(now)
        if events:
            self._display.apply_precomputed_hints(events, now)
        if not self._begun:
            self._begun = True
            match.start(now)
            match.ask_start_questions(
                now, turned=surface.fits_only_turned(sensors.present(), self._state.layout().keys())
            )
        for event in events:
            if isinstance(event, SensorChanged):
                self._note_presence()
                match.note_sensor_change(event.present, event.at)
                self._track_sensor_change(event)
                self._watch_reed_health(event.slot, event.at)
            else:
                self._outbox.add(now, disclosure.trouble_message(now, event.code, event.where, event.detail))
                match.note_change()
                if event.code == "bank-silent":
                    match.note_bank_silent(event.where)
                elif event.code == "bank-back":
                    match.note_bank_back(event.where, now)

    def _track_sensor_change(self, event: SensorChanged) -> None:
        match, surface, tracker = self._match, self._match.orientation, self._match.tracker
        space = surface.space_of_slot(event.slot)
        count = surface.occupied_slot_count(space, self.ports.sensors.present())
        felt, position = tracker.piece_tracker.felt_places, tracker.position
        for place, present in shared_spaces.place_changes(
            space, count, felt, position, tracker.spaces_to_correct
        ):
            match.tracker.note_sensor_change(place, present, event.at)
        if self._tags is not None:
            self._tags.note_sensed(space, count > 0, event.at)

    def _watch_reed_health(self, slot: SlotId, at: Micros) -> None:
        """Tell once of a reed that behaves unlike the others."""
        suspect = self.reed_health.note_change(slot, at)
        if suspect is not None:
            self._outbox.add(
                at, disclosure.trouble_message(at, "reed-flutters", suspect.slot, suspect.describe())
            )

    # What goes out

    def _send_lights(self, now: Micros) -> None:
        lamps = self.ports.lamps
        lamps.step(now)
        for trouble in lamps.take_troubles():
            self._outbox.add(
                now, disclosure.trouble_message(now, trouble.code, trouble.where, trouble.detail)
            )

    def _deadlines(self) -> tuple[Micros | None, ...]:
        """When limits are over, and what was kept is said."""
        return self.answer_deadlines.due(), self._commands.due()

    def _next_due(self) -> Micros | None:
        times = (
            self.ports.lamps.due(),
            self._match.tracker.next_due() if self._match.is_judging else None,
            self._display.due(),
            self._tags.due() if self._tags is not None else None,
            self._time.due() if self._time is not None else None,
            *((self._rest.until,) if self._rest is not None else self._deadlines()),
            self._match.pending_writes.retry_due,
        )
        return min((time for time in times if time is not None), default=None)
