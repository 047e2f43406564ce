"""The step loop: one game on one board, or on several.

`Table.step(now)` is called by a runner: asyncio in the daemon, virtual time in scripts and tests. Inside
there is no clock, thread or coroutine. A table has three parts, and each knows only those before it:

    game       `SharedGame`: the state, the journal; and for each board a `Match`, which follows hands there
    commands   `SeatCommands` and its parts: what people say, by phone or button, and what is open
    view       `TableView` (lights, messages of guidance) and `SeatViews` (data for screens and programs)

One step takes the same way each time: what sensors noticed goes to the trackers; buttons, what has become
durable, tags and held words are heard; what a tracker concludes is ruled on; time goes by for clocks and
limits; the views show what is new. An accepted action is written, and told once it is durable; hints never
wait. Most steps come of hands alone: then what only words and time can change is left alone (`_is_resting`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from boardrules.core import Action, Seat, Space, State, View
from boardumpire.errors import SeatError, public_error_text
from boardumpire.messages import announce, disclosure, space_names
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.messages.outbox import MessageOutbox
from boardumpire.ruling.proposals import SeatProposal
from boardumpire.table.answering import EarlyAnswers
from boardumpire.table.errands import AssistedMoves
from boardumpire.table.game import TableGame
from boardumpire.table.open_proposals import OpenProposals
from boardumpire.table.presence import SeatPresence
from boardumpire.table.seat_views import PublicPieces
from boardumpire.table.shared_game import SharedGame
from boardumpire.table.table_board import FurtherBoard, TableBoard
from boardumpire.table.timekeeper import Timekeeper
from boardumpire.table.windows import AnswerDeadlines
from boardumpire.tags.tag_roster import TagRoster
from boardumpire.tracking.events import BoardGuidance
from boardumpire.tracking.sensor_health import ReedHealth
from boardware.parts import BoardDescription
from boardware.ports import ConsoleEvent, LampId, Light, Micros, Ports


class _RestCondition(NamedTuple):
    """What has to change before anything but hands is looked at again."""

    state: State
    judging: bool
    commands_count: int
    until: Micros | None
    """When the first limit is over, or the first answer is said that was kept."""


class Table:
    """One game on one board, or on several."""

    def __init__(
        self,
        board: BoardDescription,
        ports: Ports,
        game: TableGame,
        roster: TagRoster,
        further: Sequence[FurtherBoard] = (),
    ) -> None:
        """`board`, `ports`: the first board, where all seats are at home that are at none of the `further`
        ones; `roster`: which tag is in which piece."""
        resumed, state = game.resumed_game, game.history.state
        self.board = board
        self.ports = ports
        self.export_record = game.export_record
        """Writes down the game so far as everybody may read it."""
        self.game_id = state.game_id
        """The id of the game."""
        self.space_names = space_names.space_names(board, state)
        """What people call the spaces that they don't call by their ids."""
        self.players = resumed.players
        """By seat the name of who sits there: those that gave one."""
        self.all_ports = (ports, *(each.ports for each in further))
        """The drivers of every board."""
        consoles = [each.console for each in self.all_ports]
        self._outbox = MessageOutbox(consoles, self.space_names, self.game_id, self.players)
        self._shared = SharedGame(game, self._outbox)
        elsewhere = frozenset[Seat]().union(*(each.home_seats for each in further))
        first = FurtherBoard("", board, ports, frozenset(state.seats) - elsewhere)
        given = game, self._shared, self._outbox, roster
        self.boards = tuple(
            TableBoard(each.description, each.ports, each.name, each.home_seats, *given, alone=not further)
            for each in (first, *further)
        )
        """Each board, the first one first."""
        matches = [each.match for each in self.boards]
        self._match = matches[0]
        self._presence = SeatPresence()
        self._proposals = OpenProposals(self._shared, matches, self._outbox)
        self._answering = EarlyAnswers(self._shared)
        self.answer_deadlines = AnswerDeadlines(self._shared, matches)
        """What is asked for a limited time."""
        self._time: Timekeeper | None = None
        if resumed.clocks is not None:
            self._time = Timekeeper(
                self._shared, matches, self._outbox, resumed.clocks, waits=resumed.has_actions
            )
        for each in self.boards:
            each.connect_parts(self._presence, self._proposals, self._answering, self._time)
        self._begun = False
        self._rest: _RestCondition | None = None
        """What all but hands waits for; `None`: it is to be looked at."""

    # For the runner

    def step(self, now: Micros) -> Micros | None:
        """Turn once. Returns when to turn next, the scan grids of the polled ports aside.

        `now` never goes back. The runner also turns whenever a receipt of the writer is done.
        """
        self._process_sensors(now)
        pressed = [(board, board.ports.console.step(now)) for board in self.boards]
        rests = not any(events for _, events in pressed) and self._is_resting(now)
        if not rests:
            self._handle_input(pressed, now)
        judged = [board.match.judge_hands(now) for board in self.boards]
        if any(judged) or not rests:
            self._apply_consequences(now)
        for board in self.boards:
            board.show_lights(now)
        return self._next_due()

    def _process_sensors(self, now: Micros) -> None:
        touched = [board.step_sensors(now) for board in self.boards]
        if not self._begun:
            self._begun = True
            self._shared.start(now)
        if any(touched):
            self._note_presence()

    @property
    def _judging(self) -> bool:
        return all(board.match.is_judging for board in self.boards)

    @property
    def _heard(self) -> int:
        return sum(board.commands.commands_count for board in self.boards)

    def _is_resting(self, now: Micros) -> bool:
        """Whether only hands can have changed anything since the last turn: most turns are so."""
        rest = self._rest
        if rest is None or (rest.until is not None and now >= rest.until):
            return False
        said = rest.commands_count != self._heard
        unchanged = rest.state is self._state and rest.judging == self._judging
        return not said and unchanged and self._shared.pending_writes.is_idle

    def _handle_input(
        self, pressed: Sequence[tuple[TableBoard, Sequence[ConsoleEvent]]], now: Micros
    ) -> None:
        """Buttons, what has become durable, tags, and what was said meanwhile."""
        for board, events in pressed:
            if events:
                self._note_presence()
            board.handle_buttons(events, now)
        self._shared.settle_writes(now)
        for board in self.boards:
            if board.tags is not None:
                board.tags.step(now)
        for board in self.boards:
            board.commands.execute_held_commands(now)

    def _apply_consequences(self, now: Micros) -> None:
        """What follows from the rulings of this turn, or from time gone by."""
        self._proposals.propose_suspected_space(now)
        for board in self.boards:
            board.commands.cursor.drop_expired(now)
        self._proposals.step(now)
        self._answering.step(now)
        self._shared.act_for_chance(now)
        before = self._state
        if self._time is not None:
            self._time.step(now)
        self.answer_deadlines.step(now)
        if self._state is not before:  # what the clock has ended may leave the next word to chance
            self._shared.act_for_chance(now)
        tagged = any(board.tags is not None for board in self.boards)
        watched = tagged or self._time is not None  # these heed hands, too
        until = min((time for time in self._deadlines() if time is not None), default=None)
        self._rest = None if watched else _RestCondition(self._state, self._judging, self._heard, until)

    def take_messages(self) -> list[SeatMessage]:
        """All that was told since the last call, oldest first."""
        return self._outbox.take_all()

    def prepare_close(self, now: Micros) -> None:
        """The table is about to be put away: note down what each seat has left."""
        if self._time is not None:
            self._time.note_time_left(now)

    def close(self) -> None:
        """Dark lamps, free pins. The journal stays open: it is the caller's."""
        for ports in self.all_ports:
            ports.close()

    # For seats

    @property
    def _state(self) -> State:
        return self._shared.state

    def _board_of(self, seat: Seat | None) -> TableBoard:
        """The board where a seat is at home; for everybody the first one."""
        return next((board for board in self.boards if seat in board.home), self.boards[0])

    @property
    def marks(self) -> Mapping[LampId, str]:
        """What the lamps of the first board show, by its names: public."""
        return self.boards[0].display.marks

    @property
    def lights(self) -> Mapping[LampId, Light]:
        """The same with how it looks."""
        return self.boards[0].display.lights

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players' seats."""
        return self._state.seats

    @property
    def is_over(self) -> bool:
        """Whether the game has ended and its end is durable."""
        return self._state.outcome is not None and not self._shared.pending_writes.is_writing_end

    @property
    def waiting_sentence(self) -> str | None:
        """The sentence that says why the game waits for its journal, if it does: public."""
        trouble = self._shared.pending_writes.trouble
        return (
            None
            if trouble is None
            else disclosure.trouble_message(0, trouble[0], "", trouble[1]).data["text"]
        )

    @property
    def guidance(self) -> BoardGuidance:
        """What hands should do at the first board: public."""
        return self._match.guidance

    @property
    def proposals(self) -> tuple[SeatProposal, ...]:
        """What is proposed and not answered yet, oldest first."""
        return self._proposals.open_proposals

    @property
    def newest_proposal(self) -> SeatProposal | None:
        """The newest of them."""
        return next(reversed(self._proposals.open_proposals), None)

    @property
    def reed_health(self) -> ReedHealth:
        """How each reed of the first board has behaved so far: public, for makers."""
        return self.boards[0].health

    @property
    def assisted_moves(self) -> AssistedMoves:
        """What hands at the first board shall do for seats that the machine plays."""
        return self.boards[0].errands

    def allow_slides(self) -> None:
        """From now on pieces may be pushed over the board, too: `TrackerTiming.slides`."""
        for board in self.boards:
            board.match.tracker.allow_slides()

    def set_screen_check(self, is_open: Callable[[Seat], bool]) -> None:
        """From now on it is known of which seats a screen is open: the board's buttons say no yes for
        them."""
        self._presence.set_screen_check(is_open)

    def set_partner_source(self, plays: Callable[[], Collection[Seat]]) -> None:
        """From now on it is known which seats the partner of a lesson plays: no button at the board speaks
        for them, either."""
        self._presence.set_partner_source(plays)

    def assign_machine(self, seat: Seat) -> None:
        """From now on the machine plays that seat: hands carry for it, and no button at the board speaks for
        it."""
        self._presence.add_machine(seat)
        self._board_of(seat).errands.enable()

    def clocks(self, now: Micros | None = None) -> dict[str, Any] | None:
        """What each seat has left (`Timekeeper.json`); `None` where nobody's time is limited. Public."""
        return None if self._time is None else self._time.json(now)

    def propose_request(self, by: Seat, thing: str, now: Micros, *, all_of_them: bool = False) -> bool:
        """Propose what is for the service to do (`SERVICE_REQUESTS`); `False` where that has to wait, for
        another one of its kind or for an attack."""
        return self._board_of(by).commands.propose_request(by, thing, now, all_of_them=all_of_them)

    @property
    def is_buzzer_on(self) -> bool:
        """Whether the board's buzzer sounds."""
        return self._outbox.is_buzzer_on

    @is_buzzer_on.setter
    def is_buzzer_on(self, on: bool) -> None:
        self._outbox.is_buzzer_on = on

    def take_agreed_request(self) -> SeatProposal | None:
        """What was agreed on and is for the service to do: once."""
        return self._proposals.take_agreed_request()

    def take_hint_request(self) -> Seat | None:
        """Who has asked for a good move, and is to be given one (`give_hint`): once."""
        asked = (board.commands.hints.take() for board in self.boards)
        return next((seat for seat in asked if seat is not None), None)

    def give_hint(self, seat: Seat, state: State, text: str, now: Micros) -> None:
        """Tell and light a good move for a seat, if the game still stands so; no `text`: none was found."""
        board = self._board_of(seat)
        board.commands.hints.finish()
        if state is not self._state or not text:
            return
        way = board.errands.origin_and_target(seat, text)
        if way is not None:
            board.errands.show_hint(way)
        self._outbox.add(now, disclosure.hint_message(now, seat, text, way))

    @property
    def options(self) -> Mapping[str, Any]:
        """By which options the game is played."""
        return self._state.options

    def scenery(self) -> dict[str, Any]:
        """What the game has printed on its board and cards (`State.printed_facts`)."""
        return self._state.printed_facts()

    def unshown_facts(self) -> tuple[str, ...]:
        """What the boards can't show of the game."""
        return tuple(dict.fromkeys(doubt for board in self.boards for doubt in board.views.unshown_facts()))

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What `seat` (`None`: everybody) may know, as JSON. Raises `SeatError` for a seat that is none."""
        if seat is not None:
            self._check_seat(seat)
        return self._board_of(seat).views.view(seat)

    def standing_pieces(self) -> dict[str, Any]:
        """By space of the first board what is felt to stand there (`Match.standing_pieces`), as JSON.
        Public."""
        return {
            space: [None if piece is None else {"seat": piece.seat, "name": piece.name} for piece in pieces]
            for space, pieces in self._match.standing_pieces().items()
        }

    def pieces(self) -> PublicPieces:
        """Whose piece stands where, for hands that tidy up. Of pieces with names nothing but these counts;
        those that are all alike need nothing."""
        return self.boards[0].views.pieces()

    @property
    def full_state(self) -> State:
        """The game as it stands: for who holds the table, never for a seat."""
        return self._state

    @property
    def is_calm(self) -> bool:
        """Whether every board is in order, nothing is being written, and hands are judged."""
        ledger = self._shared.pending_writes
        return (
            self._judging
            and self._shared.is_ready
            and not (ledger.is_writing_ruling or ledger.is_writing_end)
        )

    def player_observation(self, seat: Seat) -> tuple[View, tuple[Action, ...], tuple[Action, ...]]:
        """What a seat may know, and its actions in the game and about it: for the program that plays it."""
        self._check_seat(seat)
        return self._board_of(seat).views.player_observation(seat)

    def choices(self, seat: Seat) -> dict[str, Any]:
        """What `seat` may do now, for its own screen alone (`disclosure.choices_of`). Raises `SeatError`."""
        self._check_seat(seat)
        found = self._board_of(seat).views.choices(seat)
        if "labels" not in found:
            return found
        named = announce.with_space_names(found["labels"], self.space_names, self.game_id, self.players)
        return {**found, "labels": named}

    def check(self, seat: Seat, text: str) -> None:
        """Ask what the umpire would say to it, without doing it. Raises `SeatError`, for that seat alone."""
        self._check_seat(seat)
        with self._naming_spaces():
            self._board_of(seat).commands.check(seat, text)

    def suggest_set_up(self, seat: Seat, preset: str, text: str) -> Mapping[Space, str]:
        """A set-up for `seat` alone: by space each piece's print (`SeatCommands.suggest_set_up`). Raises
        `SeatError`."""
        self._check_seat(seat)
        with self._naming_spaces():
            return self._board_of(seat).commands.suggest_set_up(seat, preset, text)

    def say(self, seat: Seat, text: str, now: Micros) -> None:
        """What a seat says in private: an action of the game or about it, `yes`, `no`, or a proposal.

        While a ruling is being written it waits its turn, and what is then wrong with it comes back as a
        private message. Raises `SeatError`, whose text is for that seat alone.
        """
        self._check_seat(seat)
        self._note_presence()
        with self._naming_spaces():
            self._board_of(seat).commands.say(seat, text, now)

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

    # When to turn

    def _deadlines(self) -> tuple[Micros | None, ...]:
        """When limits are over, what is open lapses, and what was kept is said."""
        cursors = (board.commands.cursor.due() for board in self.boards)
        return self.answer_deadlines.due(), self._proposals.due(), self._answering.due(), *cursors

    def _next_due(self) -> Micros | None:
        times = (
            *(board.due() for board in self.boards),
            self._time.due() if self._time is not None else None,
            *((self._rest.until,) if self._rest is not None else self._deadlines()),
            self._shared.pending_writes.retry_due,
        )
        return min((time for time in times if time is not None), default=None)
