"""The crank: drivers, tracker, umpire, lights and journal as one step machine.

`Table.step(now)` is turned by a runner: asyncio in the daemon, virtual time in scripts and tests. Inside
there is no clock, thread or coroutine. What the drivers felt goes to the tracker; what the tracker makes of
it goes to the umpire; an accepted action is written, and told once it is durable; hints never wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from boardrules.core import Action, BadText, Layout, Seat, Space, State
from boardrules.fold import Fold
from boardumpire import lights, secrecy
from boardumpire.errors import JournalError, SeatError
from boardumpire.pen import Pen, Ticket
from boardumpire.secrecy import Message
from boardumpire.tracker import Fault, Guidance, InOrder, Intent, Question, Reminder, Told, Tracker
from boardumpire.umpire import Ruling, judge, position
from boardware.parts import Board
from boardware.ports import MS, Felt, LampId, Micros, Ports


class _Pending(NamedTuple):
    """A ruling that is being written."""

    ruling: Ruling
    hands: tuple[Space, ...]
    ticket: Ticket


class Table:
    """One game on one board.

    `epoch_ms` is the wall clock, in milliseconds since 1970, at the moment that the runner calls 0: the
    journal notes it, nothing else reads it. `record` writes down the game so far as everybody may read it.
    """

    def __init__(
        self,
        board: Board,
        fold: Fold,
        ports: Ports,
        pen: Pen,
        game: int,
        tracker: Tracker,
        epoch_ms: int,
        record: Callable[[], str],
    ) -> None:
        self.board = board
        self.ports = ports
        self.marks: Mapping[LampId, str] = {}
        self._fold = fold
        self._pen = pen
        self._game = game
        self._tracker = tracker
        self._epoch_ms = epoch_ms
        self.record = record
        self._spaces = frozenset(board.spaces)
        self._space_of = {slot.id: space for space, place in board.spaces.items() for slot in place.slots}
        self._slots = {space: tuple(s.id for s in place.slots) for space, place in board.spaces.items()}
        self._messages: deque[Message] = deque()
        self._said: deque[tuple[Seat, str]] = deque()
        self._shows: list[lights.Show] = []
        self._pending: _Pending | None = None
        self._told_chores: tuple[object, ...] = ()
        self._told_turn: State | None = None
        self._begun = False
        self._stale = True
        self._broken = False

    # For the runner

    def step(self, now: Micros) -> Micros | None:
        """Turn once. Returns when to turn next, the scan grids of the polled ports aside.

        `now` never goes back. The runner also turns whenever a ticket of the pen is done.
        """
        self._feel(now)
        self._press(now)
        self._settle_ticket(now)
        while self._said and self._pending is None:
            seat, text = self._said.popleft()
            self._hear(seat, text, now)
        self._judge(now)
        self._guide(now)
        self._light(now)
        return self._due()

    def take_messages(self) -> list[Message]:
        """All that was told since the last call, oldest first."""
        taken = list(self._messages)
        self._messages.clear()
        return taken

    def close(self) -> None:
        """Dark lamps, free pins. The journal stays open: it is the caller's."""
        self.ports.close()

    # For seats

    @property
    def _state(self) -> State:
        return self._fold.state

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players' seats."""
        return self._state.seats

    @property
    def over(self) -> bool:
        """Whether the game has ended and its end is durable."""
        return self._state.outcome is not None

    @property
    def guidance(self) -> Guidance:
        """What hands should do: public."""
        return self._tracker.guidance()

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What `seat` (`None`: everybody) may know, as JSON. Raises `SeatError` for a seat that is none."""
        if seat is not None:
            self._seat(seat)
        return secrecy.view(self._state, seat)

    def choices(self, seat: Seat) -> dict[str, Any]:
        """What `seat` may do now, for its own screen alone (`secrecy.choices`). Raises `SeatError`."""
        self._seat(seat)
        return secrecy.choices(self._state, seat)

    def check(self, seat: Seat, text: str) -> None:
        """Ask what the umpire would say to it, without doing it. Raises `SeatError`, for that seat alone."""
        self._seat(seat)
        refusal = self._state.refusal(self._parsed(seat, text))
        if refusal is not None:
            raise SeatError(secrecy.refusal_text(refusal))

    @property
    def layout(self) -> Layout:
        """What the board must hold: public."""
        return self._state.layout()

    def say(self, seat: Seat, text: str, now: Micros) -> None:
        """What a seat says in private: an action of the game, a table action, `yes` or `no`.

        While a ruling is being written it waits its turn, and what is then wrong with it comes back as a
        private message. Raises `SeatError`, whose text is for that seat alone.
        """
        self._seat(seat)
        if self._broken:
            raise SeatError("the journal can't be written: the game stands still")
        if self._pending is not None:
            self._said.append((seat, text))
            return
        if text.strip().lower() in ("yes", "no"):
            if seat not in self._state.seats_to_act():
                raise SeatError("nothing was asked of you")
            self._answer(text.strip().lower() == "yes", now)
        else:
            self._act(seat, self._parsed(seat, text), now)

    def _seat(self, seat: Seat) -> None:
        if seat not in self._state.seats:
            raise SeatError(f"no seat {seat!r}: expected one of {', '.join(self._state.seats)}")

    def _parsed(self, seat: Seat, text: str) -> Action:
        try:
            return self._state.parse(text, seat)
        except BadText as error:
            raise SeatError(str(error)) from None

    def _act(self, seat: Seat, action: Action, now: Micros) -> None:
        refusal = self._state.refusal(action)
        if refusal is not None:
            raise SeatError(secrecy.refusal_text(refusal))
        self._rule(action, (), now)

    def _hear(self, seat: Seat, text: str, now: Micros) -> None:
        try:
            self.say(seat, text, now)
        except SeatError as error:
            self._messages += secrecy.answers(now, seat, str(error), self._state.seats)

    # What comes in

    def _feel(self, now: Micros) -> None:
        events = self.ports.sensors.step(now)
        if not self._begun:
            self._begun = True
            self._begin(now, None, None)
        for event in events:
            if isinstance(event, Felt):
                self._stale = True
                space = self._space_of[event.slot]
                self._tracker.felt(space, self._is_felt(space), event.at)
            else:
                self._messages.append(secrecy.trouble(now, event.code, event.where, event.detail))

    def _is_felt(self, space: Space) -> bool:
        present = self.ports.sensors.present()
        return any(slot in present for slot in self._slots[space])

    def _felt_spaces(self) -> set[Space]:
        return {self._space_of[slot] for slot in self.ports.sensors.present()}

    def _press(self, now: Micros) -> None:
        for press in self.ports.console.step(now):
            if press.button in ("confirm", "cancel") and self._pending is None and not self._broken:
                self._answer(press.button == "confirm", now)

    def _answer(self, yes: bool, now: Micros) -> None:
        """Take an answer to what the tracker asks, or a confirmation of what hands show."""
        self._stale = True
        intent = self._tracker.answer(yes, now)
        if intent is not None:
            self._told(intent, now)

    # Judging

    def _judge(self, now: Micros) -> None:
        if self._pending is not None or self._broken:
            return
        for told in self._tracker.tick(now):
            self._stale = True
            self._told(told, now)

    def _told(self, told: Told, now: Micros) -> None:
        match told:
            case Intent(origin, target):
                self._intend(origin, target, now)
            case Fault():
                self._messages.append(secrecy.fault(now, told))
                self._note(self._mover(), f"fault {told.code} {' '.join(told.spaces)}", now)
                if told.code != "between-spaces":
                    self._shows.append(lights.of_fault(told.spaces[-1:], now))
            case Question():
                self._messages.append(secrecy.question(now, told))
            case Reminder():
                self._messages.append(secrecy.reminder(now, told))
            case InOrder():
                pass  # `_guide` tells that no chore is left

    def _mover(self) -> Seat:
        return next(iter(self._state.seats_to_act()), "")

    def _intend(self, origin: Space, target: Space, now: Micros) -> None:
        if self._pending is not None:
            return
        seat = self._tracker.position.owners[origin]
        self._rule(self._state.hand_action(seat, origin, target), (origin, target), now)

    def _rule(self, action: Action, hands: tuple[Space, ...], now: Micros) -> None:
        ruling = judge(self._state, action, (hands[0], hands[1]) if hands else None)
        self._stale = True
        if ruling.refusal is not None:
            self._refuse(ruling, hands, now)
            return
        public = [event.json() for event in ruling.events if event.audience is None]
        ticket = self._pen.write(
            self._game,
            kind="action",
            seat=action.seat,
            text=str(action),
            secret=action.secret,
            events=public,
            at_ms=self._wall(now),
        )
        self._pending = _Pending(ruling, hands, ticket)
        self._settle_ticket(now)

    def _refuse(self, ruling: Ruling, hands: tuple[Space, ...], now: Micros) -> None:
        self._messages += secrecy.refused(now, ruling, self._state.seats)
        show = lights.of_ruling(ruling, hands, now)
        if show:
            self._shows.append(show)
        self._note(ruling.action.seat, f"refused {ruling.action}", now)
        self._tracker.undo(now)

    def _settle_ticket(self, now: Micros) -> None:
        """Once the entry is durable the ruling holds and is told."""
        pending = self._pending
        if pending is None or not pending.ticket.done():
            return
        self._pending = None
        self._stale = True
        try:
            pending.ticket.result()
        except JournalError as error:
            self._broken = True
            self._messages.append(secrecy.trouble(now, "journal", "", str(error)))
            return
        ruling = pending.ruling
        self._fold.push(ruling.action)
        if self._state.outcome is not None:
            self._pen.finish(self._game, self._state.outcome, self._wall(now))
        self._messages += secrecy.accepted(now, ruling, self._state.seats)
        show = lights.of_ruling(ruling, pending.hands, now)
        if show:
            self._shows.append(show)
        self._begin(now, ruling.moved, ruling.exchange)

    def _begin(self, now: Micros, moved: frozenset[Space] | None, exchange: Space | None) -> None:
        public = position(self._state, self._spaces)
        self._tracker.begin(public, self._felt_spaces(), now, moved=moved, exchange=exchange)

    def _note(self, seat: Seat, text: str, now: Micros) -> None:
        """Note in the journal what is no action; it changes no state, so nothing waits for it."""
        self._pen.write(
            self._game, kind="note", seat=seat, text=text, secret=False, events=(), at_ms=self._wall(now)
        )

    def _wall(self, now: Micros) -> int:
        return self._epoch_ms + now // MS

    # What goes out

    def _guide(self, now: Micros) -> None:
        if not self._stale:
            return
        chores = self._tracker.guidance().chores
        if chores != self._told_chores:
            self._told_chores = chores
            self._messages.append(secrecy.chores(now, chores))
        if self._tracker.in_order and self._told_turn is not self._state and self._pending is None:
            self._told_turn = self._state
            self._messages.append(secrecy.turn(now, self._state))

    def _light(self, now: Micros) -> None:
        kept = [show for show in self._shows if now < show.until]
        if self._stale or len(kept) != len(self._shows):
            self._shows = kept
            self._stale = False
            marks = lights.frame(self._tracker.guidance(), self._state.seats_to_act(), kept, now)
            if marks != self.marks:
                self.marks = marks
                self.ports.lamps.show(marks, now)
        self.ports.lamps.step(now)

    def _due(self) -> Micros | None:
        times: Iterable[Micros | None] = (
            self.ports.lamps.due(),
            self._tracker.due() if self._pending is None and not self._broken else None,
            min((show.until for show in self._shows), default=None),
        )
        return min((time for time in times if time is not None), default=None)
