"""One board of a table: its drivers, who follows the hands there, what it shows and asks.

A table has one board or several, all alike. Each has seats *at home*, whose hands act there; what others do
comes to it as corrections. It is put together here, and turned by `Table`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from boardrules.core import Seat
from boardumpire.lamps.display import LightDisplay
from boardumpire.lamps.legend import Legend
from boardumpire.lamps.orientation import BoardOrientation
from boardumpire.messages import disclosure
from boardumpire.messages.outbox import BoardOutbox, MessageOutbox
from boardumpire.table.answering import EarlyAnswers
from boardumpire.table.errands import AssistedMoves
from boardumpire.table.game import ResumedBoard, TableGame
from boardumpire.table.match import Match
from boardumpire.table.open_proposals import OpenProposals
from boardumpire.table.presence import BoardPresence, SeatPresence
from boardumpire.table.seat_commands import SeatCommands
from boardumpire.table.seat_views import SeatViews
from boardumpire.table.shared_game import SharedGame
from boardumpire.table.table_view import TableView
from boardumpire.table.tag_watch import TagWatch
from boardumpire.table.timekeeper import Timekeeper
from boardumpire.tags.tag_roster import TagRoster
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.sensor_health import ReedHealth
from boardumpire.tracking.tracker import Tracker
from boardware.parts import BoardDescription
from boardware.ports import ConsoleEvent, Micros, Ports, SensorChanged, SlotId


class FurtherBoard(NamedTuple):
    """A board of a table beside its first one."""

    name: str
    """By which the journal and the configuration know it."""
    description: BoardDescription
    ports: Ports
    home_seats: frozenset[Seat]
    """The seats whose hands act there, and not at the first one."""


class TableBoard:
    """A board with what hangs on it. What all boards of a table share is handed in."""

    def __init__(
        self,
        board: BoardDescription,
        ports: Ports,
        name: str,
        home: frozenset[Seat],
        game: TableGame,
        shared: SharedGame,
        outbox: MessageOutbox,
        roster: TagRoster,
        *,
        alone: bool,
    ) -> None:
        """`alone`: whether the table has no other board."""
        resumed = game.resumed_game.boards.get(name, ResumedBoard())
        self.description = board
        self.ports = ports
        self.name = name
        self.home = home
        surface = BoardOrientation(board, turned=resumed.turned)
        self._outbox = BoardOutbox(outbox, ports.console, name, sorted(home), alone=alone)
        self.display = LightDisplay(ports.lamps, surface, Legend(shared.state.game_id))
        self.match = Match(
            shared,
            resumed,
            Tracker(game.timing),
            surface,
            ports.sensors,
            self.display,
            self._outbox,
            home,
            name,
        )
        self.health = ReedHealth()
        """How each reed has behaved so far: public, for makers."""
        self.tags: TagWatch | None = None
        if ports.tags is not None and len(roster):
            out = self.display, self._outbox
            begun = game.resumed_game.has_begun
            self.tags = TagWatch(ports.tags, roster, board, self.match, *out, resumed, begun=begun)
        self.errands = AssistedMoves(self.match)
        """What hands here shall do for seats that the machine plays."""
        self._begun = False

    def connect_parts(
        self,
        presence: SeatPresence,
        proposals: OpenProposals,
        answering: EarlyAnswers,
        time: Timekeeper | None,
    ) -> None:
        """Add what hears the seats at home here, and what shows."""
        match, lamps = self.match, self.description.lamps
        here = BoardPresence(presence, match.state.seats, self.home)
        self.commands = SeatCommands(match, self._outbox, here, proposals, answering, tuple(lamps))
        told = self.display, self._outbox, lamps
        self.view = TableView(match, self.commands, self.errands, *told, self.tags, time)
        self.views = SeatViews(match, self.commands, lamps)

    # What comes in

    def step_sensors(self, now: Micros) -> bool:
        """Take what sensors noticed; whether hands have done anything."""
        match, surface, sensors = self.match, self.match.orientation, self.ports.sensors
        events = sensors.step(now)
        if events:
            self.display.apply_precomputed_hints(events, now)
        if not self._begun:
            self._begun = True
            stands = match.state.layout().keys()
            match.start(now, turned=surface.fits_only_turned(sensors.present(), stands))
        touched = False
        for event in events:
            if isinstance(event, SensorChanged):
                touched = True
                match.note_sensor_change(event.present, event.at)
                self._handle_sensor_event(event)
                self._check_sensor(event.slot, event.at)
            else:
                self._outbox.add(now, disclosure.trouble_message(now, event.code, event.where, event.detail))
                match.note_change()
                if event.code == "bank-silent":
                    match.note_bank_silent(event.where)
                elif event.code == "bank-back":
                    match.note_bank_back(event.where, now)
        return touched

    def _handle_sensor_event(self, event: SensorChanged) -> None:
        match, surface, tracker = self.match, self.match.orientation, self.match.tracker
        space = surface.space_of_slot(event.slot)
        count = surface.occupied_slot_count(space, self.ports.sensors.present())
        felt, position = tracker.piece_tracker.felt_places, tracker.position
        for place, present in shared_spaces.place_changes(
            space, count, felt, position, tracker.spaces_to_correct
        ):
            match.tracker.note_sensor_change(place, present, event.at)
        if self.tags is not None:
            self.tags.note_sensed(space, count > 0, event.at)

    def _check_sensor(self, slot: SlotId, at: Micros) -> None:
        """Tell once of a reed that behaves unlike the others."""
        suspect = self.health.note_change(slot, at)
        if suspect is not None:
            self._outbox.add(
                at, disclosure.trouble_message(at, "reed-flutters", suspect.slot, suspect.describe())
            )

    def handle_buttons(self, pressed: Collection[ConsoleEvent], now: Micros) -> None:
        """Take what its buttons noticed."""
        for event in pressed:
            self.commands.buttons.press(event, now)

    # What goes out

    def show_lights(self, now: Micros) -> None:
        """Tell and show what has changed, and note what would be in doubt after a power cut."""
        self.commands.matters.note_screen_changes()
        self.view.step(now)
        lamps = self.ports.lamps
        lamps.step(now)
        for trouble in lamps.take_troubles():
            self._outbox.add(
                now, disclosure.trouble_message(now, trouble.code, trouble.where, trouble.detail)
            )
        self.match.note_doubts(now)

    def due(self) -> Micros | None:
        """When it has something to do next, the scan grids of polled ports aside."""
        times = (
            self.ports.lamps.due(),
            self.match.tracker.next_due() if self.match.is_judging else None,
            self.display.due(),
            self.tags.due() if self.tags is not None else None,
        )
        return min((time for time in times if time is not None), default=None)
