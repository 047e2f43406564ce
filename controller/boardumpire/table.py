"""The crank: drivers, tracker, umpire, lights and journal as one step machine.

`Table.step(now)` is turned by a runner: asyncio in the daemon, virtual time in scripts and tests. Inside
there is no clock, thread or coroutine. What the drivers felt goes to the tracker; what the tracker makes of
it goes to the umpire; an accepted action is written, and told once it is durable; hints never wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from boardrules.core import Action, BadText, Seat, Space, State
from boardrules.fold import Fold
from boardumpire import announce, consent, lights, secrecy
from boardumpire.consent import Proposal
from boardumpire.errors import JournalError, SeatError
from boardumpire.hands import Fault, Guidance, InOrder, Intent, PutBack, Question, Reminder, Told
from boardumpire.pen import Pen, Ticket
from boardumpire.secrecy import Message
from boardumpire.surface import Surface
from boardumpire.tracker import Tracker
from boardumpire.umpire import Ruling, answerer, carried, judge, position
from boardware.parts import Board
from boardware.ports import MS, Felt, LampId, Micros, Ports, Pressed, SensorEvent, Slot

ASK_TAKE_BACK = "ask-take-back"

IN_ORDER = "in order"
"""The note that the chores of the last battle are done."""


TURNED = "turned"
"""The note that the board is played the other way round from now on."""
DOUBT = "doubt"
"""The note that begins with this names all pairs of pieces that may be swapped from now on: `doubt a1=b1`."""


class Resumed(NamedTuple):
    """What the journal says of a game beside its state."""

    blind: frozenset[Space] = frozenset()
    """Spaces that the seats agreed to play by hand."""
    exchange: Space | None = None
    """Where the last battle left a winner to be set down, and nothing says yet that he was."""
    last: tuple[Space, Space] | None = None
    """The quiet move made last (origin, target): who puts it back asks to take it back."""
    turned: bool = False
    """Whether the board is played turned half round."""
    doubt: frozenset[frozenset[Space]] = frozenset()
    """Pairs of pieces that may have been swapped, and nobody has said yet."""


class _Pending(NamedTuple):
    """A ruling that is being written."""

    ruling: Ruling
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
        resumed: Resumed = Resumed(),  # noqa: B008 - immutable
    ) -> None:
        self.board = board
        self.ports = ports
        self.record = record
        self.marks: Mapping[LampId, str] = {}
        self._fold = fold
        self._pen = pen
        self._game = game
        self._tracker = tracker
        self._epoch_ms = epoch_ms
        self._surface = Surface(board, turned=resumed.turned)
        self._blind = resumed.blind
        self._exchange = resumed.exchange
        self._last = resumed.last
        self._doubt = resumed.doubt
        """As the journal has it."""
        self._proposal: Proposal | None = None
        self._adjourned = False
        self._asks: Question | None = None
        """What the table itself asks, before hands are judged."""
        self._messages: deque[Message] = deque()
        self._said: deque[tuple[Seat, str]] = deque()
        self._shows: list[lights.Show] = []
        self._hints: tuple[object, Mapping[Slot, lights.Marks]] = None, {}
        """What was foreseen last: of what, and by the board's names."""
        self._ahead: Mapping[Slot, lights.Marks] = {}
        """What the lamps show at once, on top of their marks, when the next piece is lifted."""
        self._pending: _Pending | None = None
        self._ending: Ticket | None = None
        """The end of the game, being written: until it is durable no record is whole."""
        self._told_chores: tuple[object, ...] = ()
        self._told_turn: State | None = None
        self._begun = False
        self._stale = True
        self._broken = False
        self._silent: set[str] = set()
        """The banks that don't answer: what is felt meanwhile is not to be judged by."""

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
        self._note_doubt(now)
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
        return self._state.outcome is not None and self._ending is None

    @property
    def guidance(self) -> Guidance:
        """What hands should do: public."""
        if self._asks is not None:
            return Guidance((), (), {}, self._asks)
        return self._tracker.guidance()

    @property
    def proposal(self) -> Proposal | None:
        """What a seat has proposed and the others have not answered yet."""
        return self._proposal

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
        try:
            refusal = self._state.refusal(self._state.parse(text, seat))
        except BadText as error:
            raise SeatError(str(error)) from None
        if refusal is not None:
            raise SeatError(secrecy.refusal_text(refusal))

    def say(self, seat: Seat, text: str, now: Micros) -> None:
        """What a seat says in private: an action of the game or about it, `yes`, `no`, or a proposal.

        While a ruling is being written it waits its turn, and what is then wrong with it comes back as a
        private message. Raises `SeatError`, whose text is for that seat alone.
        """
        self._seat(seat)
        if self._broken:
            raise SeatError("the journal can't be written: the game stands still")
        if self._pending is not None:
            self._said.append((seat, text))
            return
        word, _, about = text.strip().partition(" ")
        if word in ("yes", "no"):
            self._answer(seat, word == "yes", now)
        elif word in ("by-hand", "by-reed", "adjourn"):
            self._propose(seat, word, about, now)
        else:
            self._act(seat, text, now)

    def _seat(self, seat: Seat) -> None:
        if seat not in self._state.seats:
            raise SeatError(f"no seat {seat!r}: expected one of {', '.join(self._state.seats)}")

    def _act(self, seat: Seat, text: str, now: Micros) -> None:
        try:
            action = self._state.parse(text, seat)
        except BadText as error:
            raise SeatError(str(error)) from None
        refusal = self._state.refusal(action)
        if refusal is not None:
            raise SeatError(secrecy.refusal_text(refusal))
        hands = carried(self._state, seat, str(action)) or ()
        if hands and not self._may_declare(hands):
            raise SeatError("that is done with the pieces on the board")
        self._rule(action, hands, now)

    def _may_declare(self, hands: tuple[Space, ...]) -> bool:
        """Whether a phone may say what hands do: where the board asks, or a space is played by hand."""
        asked = self.guidance.question
        answers = asked is not None and asked.code == "attack-where" and asked.spaces[0] == hands[0]
        return answers or bool(self._blind & set(hands))

    def _hear(self, seat: Seat, text: str, now: Micros) -> None:
        try:
            self.say(seat, text, now)
        except SeatError as error:
            self._tell(now, *secrecy.answers(now, seat, str(error), self._state.seats))

    # Consent

    def _propose(self, seat: Seat, word: str, about: str, now: Micros) -> None:
        thing = f"{word} {about}".strip()
        if word in ("by-hand", "by-reed") and about not in self.board.spaces:
            raise SeatError(f"{word!r} needs a space of the board: found {about!r}")
        if self._proposal is not None:
            raise SeatError("another proposal waits for its answer")
        self._stale = True
        self._proposal = consent.propose(seat, thing, self._state.seats)
        self._tell(now, secrecy.proposal(now, self._proposal))

    def _answer(self, seat: Seat | None, yes: bool, now: Micros) -> None:
        """Yes or no, from a phone or (`None`) by a button: to a proposal, a question, or an offer."""
        self._stale = True
        proposal, question = self._proposal, self.guidance.question
        if self._asks is not None:
            self._asks = None
            if yes:
                self._surface.turn()
                self._note("", TURNED, now)
                self._begin(now, None)
        elif proposal is not None and (seat is None or seat in proposal.asked):
            self._decide(proposal, seat, yes, now)
        elif question is not None and question.seat not in (None, seat) and seat is not None:
            raise SeatError(f"that is for {question.seat} to answer")
        elif question is not None:
            self._answer_tracker(yes, now)
        elif not self._answer_offer(seat, yes, now):
            if seat is not None and seat not in self._state.seats_to_act():
                raise SeatError("nothing was asked of you")
            self._answer_tracker(yes, now)

    def _answer_tracker(self, yes: bool, now: Micros) -> None:
        asked = self.guidance.question
        told = self._tracker.answer(yes, now)
        if asked is not None and asked.code == "adjourn" and yes:
            self._adjourn(now)
        elif told is not None:
            self._told(told, now)

    def _answer_offer(self, seat: Seat | None, yes: bool, now: Micros) -> bool:
        for thing in ("take-back", "draw"):
            word = f"{'agree' if yes else 'decline'}-{thing}"
            who = answerer(self._state, word)
            if who is not None and seat in (None, who):
                self._rule(self._state.parse(word, who), (), now)
                return True
        return False

    def _decide(self, proposal: Proposal, seat: Seat | None, yes: bool, now: Micros) -> None:
        left = consent.agreed(proposal, seat)
        self._proposal = left if yes and left.asked else None
        if not yes:
            self._tell(now, secrecy.proposal(now, proposal, "declined"))
        elif not left.asked:
            self._tell(now, secrecy.proposal(now, left, "agreed"))
            self._carry_out(left, now)

    def _carry_out(self, proposal: Proposal, now: Micros) -> None:
        match proposal.word():
            case "by-hand":
                self._blind |= {proposal.about()}
            case "by-reed":
                self._blind -= {proposal.about()}
            case "adjourn":
                self._adjourn(now)
                return
            case "resign":
                self._rule(self._state.parse("resign", proposal.by), (), now)
                return
        self._note(proposal.by, f"agreed {proposal.thing}", now)
        self._begin(now, None)

    def _adjourn(self, now: Micros) -> None:
        self._adjourned = True
        self._tracker.undo(now)  # what is off the board comes back by chores, and nothing is asked meanwhile
        self._tell(now, secrecy.adjourned(now))
        self._note("", "adjourned", now)

    # What comes in

    def _feel(self, now: Micros) -> None:
        events = self.ports.sensors.step(now)
        if events:
            self._answer_lift(events, now)
        if not self._begun:
            self._begun = True
            self._begin(now, None, self._doubt)
            if self._surface.fits_turned(self.ports.sensors.present(), self._state.layout().keys()):
                self._asks = Question("turned", (), None)
                self._tell(now, secrecy.question(now, self._asks))
        for event in events:
            self._stale = True
            if isinstance(event, Felt):
                self._adjourned = False
                space = self._surface.space(event.slot)
                present = self._surface.occupied(space, self.ports.sensors.present())
                self._tracker.felt(space, present, event.at)
            else:
                self._tell(now, secrecy.trouble(now, event.code, event.where, event.detail))
                if event.code == "bank-silent":
                    self._silent.add(event.where)
                elif event.code == "bank-back":
                    self._silent.discard(event.where)
                    self._tracker.snapshot(self._felt_spaces(), now)

    def _answer_lift(self, events: Sequence[SensorEvent], now: Micros) -> None:
        """Light what was foreseen for a first lift before anything else is made of it."""
        event = events[0]
        if len(events) == 1 and isinstance(event, Felt) and not event.present and event.slot in self._ahead:
            self.marks = {**self.marks, **self._ahead[event.slot]}
            self.ports.lamps.show(self.marks, now)
            self.ports.lamps.step(now)

    def _felt_spaces(self) -> set[Space]:
        return self._surface.spaces(self.ports.sensors.present())

    def _press(self, now: Micros) -> None:
        for event in self.ports.console.step(now):
            if self._pending is not None or self._broken:
                continue
            if isinstance(event, Pressed):
                if event.button in ("confirm", "cancel"):
                    self._answer(None, event.button == "confirm", now)
            else:
                self._gesture(event.button, now)

    def _gesture(self, button: str, now: Micros) -> None:
        """A button held down, for those who play without a phone; docs/tracker.md lists them."""
        mover = self._mover()
        if self._proposal is not None or not mover:
            return
        if button == "cancel":
            self._propose(mover, "resign", "", now)
        elif button == "confirm":
            self._try(mover, "offer-draw", now)
        elif button == "turn":
            others = [seat for seat in self._state.seats if seat != mover]
            self._try(others[0], ASK_TAKE_BACK, now)

    def _try(self, seat: Seat, word: str, now: Micros) -> None:
        """Say a word of the game by the board alone; if it can't be said now everybody hears why."""
        try:
            self._rule(self._state.parse(word, seat), (), now)
        except BadText:
            return

    # Judging

    def _judge(self, now: Micros) -> None:
        if not self._judging():
            return
        for told in self._tracker.tick(now):
            self._stale = True
            self._told(told, now)

    def _judging(self) -> bool:
        held = self._pending is not None or self._asks is not None
        return not (held or self._broken or self._adjourned or self._silent)

    def _told(self, told: Told, now: Micros) -> None:
        match told:
            case Intent(origin, target):
                self._intend(origin, target, now)
            case PutBack(_, target):
                mover = self._tracker.position.owners[target]
                self._rule(self._state.parse(ASK_TAKE_BACK, mover), (), now)
            case Fault():
                self._tell(now, secrecy.fault(now, told))
                self._note(self._mover(), f"fault {told.code} {' '.join(told.spaces)}", now)
                if told.code != "between-spaces":
                    self._shows.append(lights.of_fault(told.spaces[-1:], now))
            case Question():
                self._tell(now, secrecy.question(now, told))
            case Reminder():
                self._tell(now, secrecy.reminder(now, told))
            case InOrder():
                self._put_in_order(now)

    def _put_in_order(self, now: Micros) -> None:
        if self._exchange is not None:
            self._exchange = None
            self._note("", IN_ORDER, now)

    def _mover(self) -> Seat:
        return next(iter(self._state.seats_to_act()), "")

    def _intend(self, origin: Space, target: Space, now: Micros) -> None:
        if self._pending is None:
            seat = self._tracker.position.owners[origin]
            self._rule(self._state.hand_action(seat, origin, target), (origin, target), now)

    def _rule(self, action: Action, hands: tuple[Space, ...], now: Micros) -> None:
        ruling = judge(self._state, action, (hands[0], hands[1]) if hands else None)
        self._stale = True
        if ruling.refusal is not None:
            self._refuse(ruling, now)
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
        self._pending = _Pending(ruling, ticket)
        self._settle_ticket(now)

    def _refuse(self, ruling: Ruling, now: Micros) -> None:
        self._tell(now, *secrecy.refused(now, ruling, self._state.seats))
        show = lights.of_ruling(ruling, now)
        if show:
            self._shows.append(show)
        tried = "a secret action" if ruling.action.secret else str(ruling.action)
        self._note(ruling.action.seat, f"refused {tried}", now)
        self._tracker.undo(now)

    def _settle_ticket(self, now: Micros) -> None:
        """Once the entry is durable the ruling holds and is told."""
        pending = self._pending
        if pending is not None and pending.ticket.done():
            self._pending = None
            self._stale = True
            if self._durable(pending.ticket, now):
                self._conclude(pending.ruling, now)
        if self._ending is not None and self._ending.done() and self._durable(self._ending, now):
            self._ending = None
            self._stale = True

    def _durable(self, ticket: Ticket, now: Micros) -> bool:
        """Whether what was written is safe; if not the game stands still and says so, once."""
        try:
            ticket.result()
        except JournalError as error:
            if not self._broken:
                self._broken = True
                self._tell(now, secrecy.trouble(now, "journal", "", str(error)))
            return False
        return True

    def _conclude(self, ruling: Ruling, now: Micros) -> None:
        self._fold.push(ruling.action)
        outcome = self._state.outcome
        if outcome is not None:
            self._ending = self._pen.finish(self._game, outcome, self._wall(now))
        self._tell(now, *secrecy.accepted(now, ruling, self._state.seats))
        show = lights.of_ruling(ruling, now)
        if show:
            self._shows.append(show)
        self._last = None
        if ruling.hands:
            self._exchange = ruling.exchange
            if not any(event.kind == "battle" for event in ruling.events):
                self._last = (ruling.hands[0], ruling.hands[1])
        # What was put back to ask for a take-back is not in anybody's hands any more: it is led back.
        declined = str(ruling.action) == "decline-take-back"
        self._begin(now, None if declined else ruling.hands)

    def _begin(
        self,
        now: Micros,
        hands: tuple[Space, ...] | None,
        doubt: frozenset[frozenset[Space]] = frozenset(),
    ) -> None:
        public = position(self._state, self._surface.all, self._last, self._blind)
        self._tracker.begin(
            public, self._felt_spaces(), now, hands=hands, exchange=self._exchange, doubt=doubt
        )
        if self._tracker.in_order:
            self._put_in_order(now)

    def _note(self, seat: Seat, text: str, now: Micros) -> None:
        """Note in the journal what is no action; it changes no state, so nothing waits for it."""
        if self._state.outcome is not None:
            return  # the journal of a game that has ended takes no more
        self._pen.write(
            self._game, kind="note", seat=seat, text=text, secret=False, events=(), at_ms=self._wall(now)
        )

    def _note_doubt(self, now: Micros) -> None:
        """Who may be swapped with whom outlives a power cut."""
        doubt = self._tracker.doubt
        if doubt != self._doubt and self._pending is None:
            self._doubt = doubt
            pairs = sorted("=".join(sorted(pair)) for pair in doubt)
            self._note("", " ".join([DOUBT, *pairs]), now)

    def _wall(self, now: Micros) -> int:
        return self._epoch_ms + now // MS

    # What goes out

    def _tell(self, now: Micros, *messages: Message) -> None:
        """Every message goes through here; what everybody hears of it is heard from the board too."""
        self._messages += messages
        for message in messages:
            sound = announce.sound(message.kind, message.data) if message.seat is None else None
            if sound is not None:
                self.ports.console.sound(sound, now)

    def _guide(self, now: Micros) -> None:
        if not self._stale or self._adjourned:
            return
        chores = self.guidance.chores
        if chores != self._told_chores:
            self._told_chores = chores
            self._tell(now, secrecy.chores(now, chores))
        written = self._pending is None and self._ending is None
        if self._tracker.in_order and self._told_turn is not self._state and written:
            self._told_turn = self._state
            self._tell(now, secrecy.turn(now, self._state))

    def _light(self, now: Micros) -> None:
        kept = [show for show in self._shows if now < show.until]
        if self._stale or len(kept) != len(self._shows):
            self._shows = kept
            self._stale = False
            marks = {}
            if not self._adjourned:
                marks = lights.frame(self.guidance, self._state.seats_to_act(), kept, now)
            marks = self._surface.lamps(marks)
            if marks != self.marks:
                self.marks = marks
                self.ports.lamps.show(marks, now)
            self._ahead = self._foreseen()
            self.ports.lamps.foresee(self._ahead, now)
        self.ports.lamps.step(now)
        for trouble in self.ports.lamps.take_troubles():
            self._tell(now, secrecy.trouble(now, trouble.code, trouble.where, trouble.detail))

    def _foreseen(self) -> Mapping[Slot, Mapping[LampId, str]]:
        """What lamps may show at once when a piece is lifted, ahead of the next turn of the crank."""
        if self._shows or not self._judging():
            return {}
        hints = lights.foreseen(self._tracker.position, self.guidance)
        if (hints, self._surface.turned) == self._hints[0]:
            return self._hints[1]
        named = {
            slot: self._surface.lamps(marks)
            for space, marks in hints.items()
            if (slot := self._surface.only_slot(space)) is not None
        }
        self._hints = (hints, self._surface.turned), named
        return named

    def _due(self) -> Micros | None:
        times: Iterable[Micros | None] = (
            self.ports.lamps.due(),
            self._tracker.due() if self._judging() else None,
            min((show.until for show in self._shows), default=None),
        )
        return min((time for time in times if time is not None), default=None)
