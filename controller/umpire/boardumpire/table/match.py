"""A game under way on a board: what hands and seats do is ruled on, written, told once it is durable.

Each ruling changes the layout, and the tracker leads hands there. What the journal has to know besides is
noted: faults, refusals, squares played by hand, doubt about who is who.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

from boardrules.core import NO_SEAT, Action, BadText, Refusal, Seat, Space, State
from boardumpire.journal.journal import acceptance_note
from boardumpire.lamps import policy
from boardumpire.lamps.display import LightDisplay
from boardumpire.lamps.orientation import BoardOrientation
from boardumpire.lamps.policy import AwaitedAnswer
from boardumpire.messages import disclosure
from boardumpire.messages.outbox import MessageOutbox
from boardumpire.ruling.dice import RealDice
from boardumpire.ruling.umpire import (
    OFFERS,
    WALK_BACK,
    QuietMoves,
    Ruling,
    carried_way,
    changed_sides,
    judge,
    public_position,
    seat_that_answers,
)
from boardumpire.table.game import TableGame
from boardumpire.table.lost import JournalLossDialog
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.events import (
    BoardFault,
    BoardGuidance,
    BoardInOrder,
    FaultCode,
    HandIntent,
    LiftReminder,
    MovePutBack,
    OverdueCorrection,
    SuspectSpace,
    TakeBackWithdrawn,
    TrackerEvent,
    UnconfirmedCorrection,
)
from boardumpire.tracking.model import Place
from boardumpire.tracking.open_doubts import NO_DOUBTS
from boardumpire.tracking.questions import StartQuestion, TrackerQuestion
from boardware.ports import LampId, Micros, SensorPort

ASK_TAKE_BACK = "ask-take-back"
ASK_THROW_AGAIN = "ask-throw-again"
AGREE_TAKE_BACK = "agree-take-back"
DECLINE_TAKE_BACK = "decline-take-back"
WITHDRAW_TAKE_BACK = "withdraw-take-back"

IN_ORDER = "in order"
"""The note that the chores of the last battle are done."""
TURNED = "turned"
"""The note that the board is played the other way round from now on."""
DOUBT = "doubt"
"""The note that begins with this names all that is in doubt from now on: `doubt a1=b1`, as `OpenDoubts` has
it."""
SETTLED = "settled"
"""The note that begins with this names spaces to which a piece came, and of which people have said since who
stands there: nobody is asked again."""
BOUND = "bound"
"""The sealed note that begins with this says which tag is which piece of the game."""


_OWN_FAULTS = ("touch-move",)
"""Faults that only the seat to move can make."""


class MatchObserver(Protocol):
    """Who has to know of each action, such as the clocks."""

    def moved(self, at: Micros, now: Micros) -> None:
        """An action that was done `at` is about to be written."""

    def concluded(self, ruling: Ruling, now: Micros) -> None:
        """A ruling holds."""


class Match:
    """One game under way. It changes by what it is told (its methods) and by nothing else."""

    def __init__(
        self,
        game: TableGame,
        surface: BoardOrientation,
        sensors: SensorPort,
        display: LightDisplay,
        outbox: MessageOutbox,
    ) -> None:
        resumed = game.resumed
        self.tracker = game.tracker
        self.ledger = game.ledger
        self.surface = surface
        self.blind = resumed.blind
        """The spaces that are played by hand."""
        self.adjourned = False
        self.asks: TrackerQuestion | None = None
        """What the match itself asks, before hands are judged."""
        self.version = 1
        """How often something has changed that lights and messages show."""
        self._silent: set[str] = set()
        """The banks that don't answer: what is sensed meanwhile is not to be judged by."""
        self._fold = game.fold
        self._display = display
        self._outbox = outbox
        self._sensors = sensors
        self._dice = game.dice
        self.offer = AwaitedAnswer()
        """The offer that waits for its answer."""
        self._suspected: Space | None = None
        """The space whose reed must be stuck, until somebody has proposed to play it by hand."""
        self.own_doing = False
        """Whether the chores come of what the seat to move did against the rules."""
        self._actors: set[Seat] = set()
        """The seats whose actions have held since somebody asked."""
        self._witness: MatchObserver | None = None
        self._exchange = resumed.exchange
        self._changed_sides = resumed.changed_sides
        """Where a piece of another side belongs than before, since the board was in order last."""
        self._moves = resumed.moves or QuietMoves()
        self._rested: Micros = 0
        """When the piece came to rest whose carrying is ruled on."""
        self._carried: tuple[tuple[Space, ...], Micros] = (), 0
        """Where from and where to hands have carried the last action out, and when the piece came to rest."""
        self._doubts = resumed.doubts
        """As the journal has them."""
        self._battle = resumed.battle
        self._arrived = resumed.arrived
        self._mended = resumed.mended
        self._lost = JournalLossDialog(resumed.losses, self.state.seats)
        self.settling = self._lost.question is not None
        """Whether it is asked how to go on after a loss: nothing else can be done before."""
        self._turned = False
        """Whether it is to be asked how the board lies."""
        self._guidance: tuple[BoardGuidance | None, BoardGuidance] = None, BoardGuidance((), (), {}, None)
        """What the tracker guides to, by places and by spaces."""

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self._fold.state

    @property
    def guidance(self) -> BoardGuidance:
        """What hands should do: public."""
        if self.asks is not None:
            return BoardGuidance((), (), {}, self.asks)
        by_places = self.tracker.guidance()
        if by_places is not self._guidance[0]:
            self._guidance = by_places, shared_spaces.guidance_by_spaces(by_places)
        return self._guidance[1]

    @property
    def judging(self) -> bool:
        """Whether hands are judged now, rather than held until something else is settled."""
        return not (self.ledger.held or self.asks is not None or self.adjourned or self._silent)

    @property
    def silent(self) -> bool:
        """Whether a bank of the board doesn't answer."""
        return bool(self._silent)

    def witnessed(self, by: MatchObserver) -> None:
        """From now on `by` hears of each action before it is written, and of each ruling that holds."""
        self._witness = by

    def felt(self) -> set[Place]:
        """The places on which something is sensed now."""
        return self.surface.places(self._sensors.present())

    # What has changed

    def changed(self) -> None:
        """Something has changed that lights and messages show."""
        self.version += 1

    def sensor_changed(self, present: bool, now: Micros) -> None:
        """A piece was lifted or set down. A game that was put away goes on as soon as one comes back.

        It stays put away while people clear the board: otherwise machines would play on.
        """
        self.changed()
        if present and self.adjourned:
            self.adjourned = False
            off = {shared_spaces.space_of(place) for place in self.tracker.board.pieces.up}
            # One sensor may have felt several pieces. A single one may be the next move.
            if sum(len(self.state.layout().get(space, ())) for space in off) > 1:
                self.tracker.lead_back(now)

    def bank_silent(self, bank: str) -> None:
        """A bank of the board doesn't answer: hands aren't judged."""
        self.changed()
        self._silent.add(bank)

    def bank_back(self, bank: str, now: Micros) -> None:
        """It answers again: the board is taken as it is sensed now."""
        self.changed()
        self._silent.discard(bank)
        self.tracker.resync(self.felt(), now)

    def by_hand(self, blind: frozenset[Space], now: Micros, hands: tuple[Space, ...] | None = None) -> None:
        """From now on these spaces are played by hand; `hands` as in `begin`."""
        self.blind = blind
        self.begin(now, hands)

    def take_suspected(self) -> Space | None:
        """The space whose reed must be stuck, once."""
        space, self._suspected = self._suspected, None
        return space

    def take_actors(self) -> set[Seat]:
        """The seats whose actions have held since the last call."""
        actors, self._actors = self._actors, set()
        return actors

    def flash(self, lamps: Iterable[LampId], now: Micros) -> None:
        """Show at these lamps that something doesn't count."""
        self._display.show_for_a_while(policy.show_fault(lamps, now))
        self.changed()

    def mover(self) -> Seat:
        """The seat to act, the first of several; empty if it is nobody's turn."""
        return next(iter(self.state.seats_to_act()), NO_SEAT)

    @property
    def wrong(self) -> frozenset[Space]:
        """Where the board differs from the game, as far as it is sensed."""
        return frozenset(shared_spaces.space_of(where) for where in self.tracker.pieces.differing_spaces())

    # Layouts

    def start(self, now: Micros) -> None:
        """Take the board as it is found: what differs from the layout is a chore."""
        self.begin(now, noted=True)
        if self._mended:
            self._outbox.add(now, disclosure.trouble_message(now, "journal-mended", "", ""))

    def wonder(self, now: Micros, *, turned: bool) -> None:
        """Ask what has to be known before hands are judged: how to go on after a loss, and then, where the
        board looks `turned`, how it lies."""
        self._turned = turned
        self._ask_next(now)

    def _ask_next(self, now: Micros) -> None:
        turned = StartQuestion("turned", None) if self._turned else None
        lost = self._lost.question
        self.settling, self.asks = lost is not None, lost or turned
        if self.asks is not None:
            self._outbox.add(now, disclosure.question_message(now, self.asks))

    def answered(self, seat: Seat | None, *, yes: bool, now: Micros) -> None:
        """Take an answer to what the match itself asks; `None` is the button's."""
        self.changed()
        if self.settling:
            loss = self._lost.answer(seat, yes=yes)
            if loss is not None:
                self.note(seat or NO_SEAT, acceptance_note(loss), now)
        else:
            self._turned = False
            if yes:
                self.turn_board(now)
        self._ask_next(now)

    def begin(
        self,
        now: Micros,
        hands: tuple[Space, ...] | None = None,
        owed: tuple[Space, ...] = (),
        carried: tuple[Space, Space] | None = None,
        said: Collection[Space] = (),
        *,
        noted: bool = False,
    ) -> None:
        """Lead hands to the layout of now; `hands`, `owed`, `carried` and `said` as in `Tracker.begin`. Where
        it is a start, what was `noted` is in doubt."""
        surface, places = self.surface, shared_spaces.step_of_hands(hands, self.tracker.position)
        new, last = self._fold.turns == 0, self._moves.last
        stand = {} if hands is None else self.tracker.known_pieces(self.state.layout(), hands)
        public = public_position(
            self.state, surface.all, last, self.blind, surface.lie, surface.rooms, boxed=new, stand=stand
        )
        back, exchange = shared_spaces.step_of_hands(owed, self.tracker.position) or (), self._exchange
        self.tracker.begin_layout(
            public,
            self.felt(),
            now,
            hands=places,
            exchange=None if exchange is None else shared_spaces.place_of(exchange),
            doubts=self._doubts if noted else NO_DOUBTS,
            battle=shared_spaces.way_of_places(self._battle) if noted else None,
            owed=back,
            carried=shared_spaces.way_of_places(carried),
            said=shared_spaces.places_of(said),
            unsure=shared_spaces.places_of(self._changed_sides),
            arrived={
                shared_spaces.place_of(space): won for space, won in self._arrived.items() if hands is None
            },
        )
        self._arrived = {}  # from now on the tracker knows
        self.offer = self._offered()
        self.own_doing = False
        if self.tracker.in_order:
            self._put_in_order(now)

    def _offered(self) -> AwaitedAnswer:
        for thing in OFFERS:
            seat = seat_that_answers(self.state, f"agree-{thing}")
            if seat is not None:
                return AwaitedAnswer(frozenset({seat}), self._taken_back() if thing == "take-back" else ())
        return AwaitedAnswer()

    def _taken_back(self) -> tuple[Space, ...]:
        """Origin and target of the move that is asked for; nothing where it is no move, as an answer."""
        move, asking = self._moves.last, seat_that_answers(self.state, WITHDRAW_TAKE_BACK)
        there = () if move is None else self.state.layout().get(move[1], ())
        return move if move is not None and any(piece.seat == asking for piece in there) else ()

    def turn_board(self, now: Micros) -> None:
        """Take the board the other way round from now on."""
        self.surface.rotate()
        self.note(NO_SEAT, TURNED, now)
        self.begin(now, noted=True)

    def adjourn(self, now: Micros) -> None:
        """Hold everything until a piece is set down again."""
        self.adjourned = True
        self.tracker.lead_back(
            now
        )  # what is off the board comes back by chores, and nothing is asked meanwhile
        self._outbox.add(now, disclosure.adjourned_message(now))
        self.note(NO_SEAT, "adjourned", now)

    def ask(self, question: TrackerQuestion, now: Micros) -> bool:
        """Ask people something about places of the tracker, if hands are judged and nothing else is open;
        whether it is asked."""
        if not self.judging or self.ledger.writing or not self.tracker.ask_question(question, now):
            return False
        self.changed()
        self._outbox.add(now, disclosure.question_message(now, shared_spaces.question_by_spaces(question)))
        return True

    # Judging

    def judge(self, now: Micros) -> bool:
        """Rule on what hands have made clear by now; whether there was anything."""
        if not self.judging:
            return False
        said = self.tracker.advance(now)
        for told in said:
            self.changed()
            self.told(told, now)
        return bool(said)

    def told(self, told: TrackerEvent, now: Micros) -> None:
        """Do with what the tracker told whatever it calls for."""
        if isinstance(told, MovePutBack):
            seat = self.tracker.position.owners[told.target]
            try:
                self.rule(self.state.parse(ASK_TAKE_BACK, seat), (), now)
            except BadText:  # a game without take-backs
                self.tracker.lead_back(now)
                told = BoardFault(FaultCode.NOT_YOUR_TURN, (told.origin, told.target))
        if isinstance(told, TakeBackWithdrawn):
            self.withdraw_take_back(now)
        shown = shared_spaces.event_by_spaces(told)
        match shown:
            case HandIntent(origin, target):
                self._intend(origin, target, now)
            case BoardFault(FaultCode.EXTRA_PIECE, spaces) if self._not_ready():
                self._outbox.add(
                    now, disclosure.fault_message(now, BoardFault(FaultCode.NOT_READY, spaces), self.mover())
                )
                self._display.show_for_a_while(policy.show_fault(spaces[-1:], now))
            case BoardFault():
                reason = self._why_not(*shown.spaces) if shown.code == "no-attack" else None
                self._outbox.add(
                    now, disclosure.fault_message(now, shown, reason=reason, game=self.state.game_id)
                )
                self.note(self.mover(), f"fault {shown.code} {' '.join(shown.spaces)}", now)
                self.own_doing = shown.code in _OWN_FAULTS
                if shown.code not in ("between-spaces", "between-rings"):
                    self._display.show_for_a_while(policy.show_fault(shown.spaces[-1:], now))
            case TrackerQuestion():
                self._outbox.add(now, disclosure.question_message(now, shown))
            case LiftReminder() | OverdueCorrection() | UnconfirmedCorrection():
                self._outbox.add(now, disclosure.reminder_message(now, shown, chooses=self.surface.chooses))
            case SuspectSpace(space):
                self._outbox.add(now, disclosure.reminder_message(now, shown))
                self._suspected = space
            case BoardInOrder():
                self.own_doing = False
                self._put_in_order(now)

    def _put_in_order(self, now: Micros) -> None:
        if self._exchange is not None or self._changed_sides:
            self._exchange, self._changed_sides = None, frozenset()
            self.note(NO_SEAT, IN_ORDER, now)

    def _why_not(self, origin: Place, target: Place) -> Refusal | None:
        """Why the rules refuse that one piece attacks another; `disclosure` says what of it is public."""
        seat = self.tracker.position.owner(origin)
        try:
            return self.state.refusal(self.state.hand_action(seat, origin, target))
        except BadText:  # no action of this game
            return None

    def _not_ready(self) -> bool:
        """Whether some seats have set up and wait for the others: their pieces stay where they are."""
        return bool(self.state.free_spaces()) and len(self.state.seats_to_act()) < len(self.state.seats)

    def withdraw_take_back(self, now: Micros) -> None:
        """The seat that asked for its move back asks no more."""
        asking = seat_that_answers(self.state, WITHDRAW_TAKE_BACK)
        if asking is not None and not self.ledger.writing:
            self.rule(self.state.parse(WITHDRAW_TAKE_BACK, asking), (), now)

    def _intend(self, origin: Place, target: Place, now: Micros) -> None:
        if not self.ledger.writing:
            seat = self.tracker.position.owner(origin)
            if (
                seat_that_answers(self.state, DECLINE_TAKE_BACK) == seat
            ):  # who goes on playing doesn't give it back
                self.rule(self.state.parse(DECLINE_TAKE_BACK, seat), (), now)
                return
            hands = shared_spaces.space_of(origin), shared_spaces.space_of(target)
            back = self.state.straight_back(seat) if self._straight(hands, now) else None
            self.rule(back or self.state.hand_action(seat, *hands), hands, now)

    def _straight(self, hands: tuple[Space, Space], now: Micros) -> bool:
        """Whether a piece goes straight back to where the last action has carried it from."""
        carried, rested = self._carried
        soon = (self.tracker.move_since() or now) - rested <= self.tracker.timing.straight
        return carried == (hands[1], hands[0]) and soon

    def throws(self) -> tuple[Action, ...]:
        """What a real die may show now; nothing where the umpire throws, or nothing is to be thrown."""
        if not self.real_dice:
            return ()
        return tuple(action for action, _ in self.state.chance() if not action.secret)

    @property
    def real_dice(self) -> bool:
        """Whether people throw, and say what they threw."""
        return isinstance(self._dice, RealDice)

    def throw(self, now: Micros) -> None:
        """Where chance is to act and the board is in order, throw for it, as often as it is."""
        while self.judging and self.tracker.in_order and (faces := self.state.chance()):
            if self.real_dice and not faces[0][0].secret:
                return
            self.rule(faces[self._dice([weight for _, weight in faces])][0], (), now)

    def rule(self, action: Action, hands: tuple[Space, ...], now: Micros) -> None:
        """Judge an action; `hands` is (origin, target) where they carried it out."""
        ruling = judge(self.state, action, (hands[0], hands[1]) if hands else None)
        self.changed()
        if ruling.refusal is not None:
            self._refuse(ruling, now)
            return
        self._rested = (self.tracker.move_since() if hands else None) or now
        if self._witness is not None:
            self._witness.moved(self._rested, now)
        self.ledger.write(ruling, now)
        self.settle(now)

    def _refuse(self, ruling: Ruling, now: Micros) -> None:
        self._outbox.add(now, *disclosure.refused_messages(now, ruling, self.state.seats))
        self._display.show_for_a_while(policy.show_ruling(ruling, now))
        tried = "a secret action" if ruling.action.secret else str(ruling.action)
        self.note(ruling.action.seat, f"refused {tried}", now)
        self.own_doing = bool(ruling.hands) and ruling.action.seat == self.mover()
        self.tracker.lead_back(now)

    def settle(self, now: Micros) -> None:
        """Once the entry is durable the ruling holds and is told."""
        if self.ledger.heed(now):
            self.changed()
        self._tell_troubles(now)
        before = self.ledger.writing, self.ledger.ending
        ruling = self.ledger.settle()
        if ruling is not None:
            self._conclude(ruling, now)
        self.ledger.settle_ending()
        if before != (self.ledger.writing, self.ledger.ending):
            self.changed()
        self._tell_troubles(now)

    def _tell_troubles(self, now: Micros) -> None:
        for code, detail in self.ledger.take_troubles():
            self._outbox.add(now, disclosure.trouble_message(now, code, "", detail))

    def _conclude(self, ruling: Ruling, now: Micros) -> None:
        was = self.state
        self.adjourned = False  # also where a phone has said it: the board would stay dark and show no end
        self._fold.push(ruling.action)
        self._actors |= {ruling.action.seat} & {*self.state.seats}
        outcome = self.state.outcome
        if outcome is not None:
            self.ledger.finish(outcome, now)
        self._outbox.add(now, *disclosure.accepted_messages(now, ruling, self.state.seats))
        if str(ruling.action) == AGREE_TAKE_BACK:
            self._display.clear_shows()
        self._display.show_for_a_while(policy.show_ruling(ruling, now))
        self._display.show_for_a_while(policy.show_answers(ruling.events, now))
        battle = any(event.kind == "battle" for event in ruling.events)
        # What leaves the board, or comes to it, can't be put back so that sensors tell.
        battle = battle or not self.tracker.position.trays.keys().isdisjoint(ruling.hands)
        before = self._moves.last
        back = str(ruling.action) == WALK_BACK
        hands = () if back else ruling.hands
        self._moves.note_accepted(str(ruling.action), hands, self._fold.turns, battle=battle)
        self._carried = hands, self._rested
        if ruling.hands:
            self._exchange = ruling.exchange
        self._changed_sides |= changed_sides(was, self.state)
        # What was put back to ask for a take-back is not in anybody's hands any more: it is led back.
        declined = str(ruling.action) in (DECLINE_TAKE_BACK, WITHDRAW_TAKE_BACK)
        owed = before if declined and before is not None else ()
        said = was.placed(ruling.action).keys()
        self.begin(now, ruling.hands, owed, self._way_said(ruling, was, before), said)
        if self._witness is not None:
            self._witness.concluded(ruling, now)

    def _way_said(
        self, ruling: Ruling, was: State, last: tuple[Space, Space] | None
    ) -> tuple[Space, Space] | None:
        """How a piece was carried that was only said to be: that matters where it is in doubt which it is."""
        action = ruling.action
        if ruling.hands or self.tracker.open_doubts == NO_DOUBTS:
            return None
        if str(action) == AGREE_TAKE_BACK and not self.offer.spaces:
            return None  # an answer was taken back
        return carried_way(was, action.seat, str(action), last, secret=action.secret)

    # Notes

    def note(self, seat: Seat, text: str, now: Micros) -> None:
        """Note in the journal what is no action; that of a game that has ended takes no more."""
        if self.state.outcome is None:
            self.ledger.note(seat, text, now)

    def note_doubts(self, now: Micros) -> None:
        """What is in doubt outlives a power cut.

        While pieces are in hands a note that says too much is left alone: what they mean will be clear soon.
        """
        doubts, noted = self.tracker.open_doubts, self._doubts
        if self.ledger.writing or self.asks is not None:
            return
        if settled := self.tracker.take_settled_arrivals():
            self.note(NO_SEAT, f"{SETTLED} {' '.join(sorted(settled))}", now)
        if doubts == noted:
            return
        if not (noted.covers(doubts) and self.tracker.has_alike_in_hands):
            self._doubts = doubts
            self.note(NO_SEAT, f"{DOUBT} {doubts.text()}".rstrip(), now)
