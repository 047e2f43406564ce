"""A game under way on a board: what hands do there is ruled on, and rulings lead hands to the new layout.

The game itself is the table's (`SharedGame`), which may have several boards. Only hands of the seats at home
on a board act there: pieces of others are moved by corrections. What the journal has to know besides is
noted: faults, refusals, squares played by hand, doubt about who is who.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain

from boardrules.core import NO_SEAT, Action, BadText, LayoutPiece, Refusal, Seat, Space, State
from boardumpire.lamps import policy
from boardumpire.lamps.display import LightDisplay
from boardumpire.lamps.orientation import BoardOrientation
from boardumpire.lamps.policy import AwaitedAnswer
from boardumpire.messages import disclosure
from boardumpire.messages.outbox import BoardOutbox
from boardumpire.ruling.umpire import (
    OFFER_KINDS,
    Ruling,
    move_of_action,
    public_position,
    replaced_spaces,
    seat_that_may_say,
    spaces_changing_side,
)
from boardumpire.table.game import ResumedBoard, at_board
from boardumpire.table.shared_game import (
    AGREE_TAKE_BACK,
    DECLINE_TAKE_BACK,
    WITHDRAW_TAKE_BACK,
    NewRuling,
    SharedGame,
)
from boardumpire.table.unfelt_moves import BoardSenses, UnfeltMove, unfelt_moves_after
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.events import (
    BoardFault,
    BoardGuidance,
    BoardInOrder,
    CorrectionKind,
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
from boardumpire.tracking.tracker import Tracker
from boardware.ports import LampId, Micros, SensorPort

ASK_TAKE_BACK = "ask-take-back"
ASK_THROW_AGAIN = "ask-throw-again"

IN_ORDER_NOTE = "in order"
"""The note that the chores of the last battle are done, and all that was to be carried unfelt."""
TURNED_NOTE = "turned"
"""The note that the board is played the other way round from now on."""
DOUBT_NOTE_PREFIX = "doubt"
"""The note that begins with this names all that is in doubt from now on: `doubt a1=b1`, as `OpenDoubts` has
it."""
SETTLED_NOTE_PREFIX = "settled"
"""The note that begins with this names spaces to which a piece came, and of which people have said since who
stands there: nobody is asked again."""
BINDINGS_NOTE_PREFIX = "bound"
"""The sealed note that begins with this says which tag is which piece of the game."""


class Match:
    """One game under way. It changes by what it is told (its methods) and by nothing else."""

    def __init__(
        self,
        game: SharedGame,
        resumed: ResumedBoard,
        tracker: Tracker,
        surface: BoardOrientation,
        sensors: SensorPort,
        display: LightDisplay,
        outbox: BoardOutbox,
        home: frozenset[Seat],
        name: str = "",
    ) -> None:
        """`home`: the seats whose hands act at this board; `name`: by which the journal knows it."""
        self.game = game
        self.tracker = tracker
        self.pending_writes = game.pending_writes
        self.orientation = surface
        self.home = home
        self.is_continued = resumed.is_continued
        """Whether the game began before this start: what stands on the board was stood in it."""
        self.hand_played_spaces = resumed.blind
        """The spaces that are played by hand."""
        self.version = 1
        """How often something has changed that lights and messages show."""
        self._silent: set[str] = set()
        """The banks that don't answer: what is sensed meanwhile is not to be judged by."""
        self._name = name
        self._display = display
        self._outbox = outbox
        self._sensors = sensors
        self.awaited_offer = AwaitedAnswer()
        """The offer that waits for its answer."""
        self._suspected: Space | None = None
        """The space whose reed must be stuck, until somebody has proposed to play it by hand."""
        self._erring_seat: Seat | None = None
        """The seat to move, while it puts right what it did against the rules."""
        self._has_fallen_pieces = False
        """Whether more pieces were up for long than a move needs, and are not all back."""
        self._exchange = resumed.exchange
        self._changed_sides = resumed.changed_sides
        """Where a piece of another side belongs than before, since the board was in order last."""
        self._carried: tuple[tuple[Space, ...], Micros] = (), 0
        """Where from and where to hands have carried the last action out, and when the piece came to rest."""
        self._doubts = resumed.doubts
        """As the journal has them."""
        self._battle = resumed.battle
        self._arrived = resumed.arrived
        self._moves_behind = 0
        """How many actions that moved pieces have held since the board was in order last."""
        self._turned = False
        """Whether it is to be asked how the board lies ..."""
        self._asked_turned = False
        """... and whether that was told."""
        self._unfelt_moves = resumed.unfelt_moves
        """What hands here shall carry for seats at other boards, and nothing feels."""
        self._told_unfelt: tuple[UnfeltMove, ...] = ()
        """Those moves when people were last asked about the first of them."""
        self._guidance: tuple[object, BoardGuidance] = None, BoardGuidance((), (), {}, None)
        """What the guidance was made from, that of the tracker by places and the unfelt moves; and the one by
        spaces."""
        game.boards.append(self)

    @property
    def delaying_seat(self) -> Seat | None:
        """The seat whose time the corrections take: the mover who did something against the rules, or the
        only one whose pieces are kept off the board. `None`: they take nobody's, as after a ruling."""
        if not self._has_fallen_pieces:
            return self._erring_seat
        away = {each.seat for each in self.guidance.corrections if each.kind is CorrectionKind.PUT}
        return away.pop() if len(away) == 1 else None

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self.game.state

    @property
    def is_adjourned(self) -> bool:
        """Whether the game was put away."""
        return self.game.is_adjourned

    @property
    def is_settling_loss(self) -> bool:
        """Whether it is asked how to go on after a loss: nothing else can be done before."""
        return self.game.loss_question is not None

    @property
    def own_question(self) -> TrackerQuestion | None:
        """What is asked before hands are judged: what becomes of a loss, or how the board lies."""
        return self.game.loss_question or (StartQuestion("turned", None) if self._turned else None)

    @property
    def guidance(self) -> BoardGuidance:
        """What hands should do: public."""
        if self.own_question is not None:
            return BoardGuidance((), (), {}, self.own_question)
        known = by_places, unfelt = self.tracker.guidance(), self._unfelt_moves
        if known != self._guidance[0]:
            found, asked = by_places, by_places.question
            if asked is not None and asked.seat not in (None, *self.home):
                # Its owner sits elsewhere: who sits here knows where the token stands.
                found = found._replace(question=asked.from_spaces(asked.spaces, None))
            if unfelt:
                names = [self.state.piece_label(move.piece) for move in unfelt]
                chores = [move.corrections(name) for move, name in zip(unfelt, names, strict=True)]
                found = found._replace(
                    corrections=(*found.corrections, *chain.from_iterable(chores)),
                    question=found.question or self._unfelt_question(),
                )
            self._guidance = known, shared_spaces.guidance_by_spaces(found)
        return self._guidance[1]

    def _unfelt_question(self) -> TrackerQuestion | None:
        """Whether the first of the moves that nothing feels was made: asked once all else is in order."""
        return self._unfelt_moves[0].question() if self._unfelt_moves and self.tracker.is_in_order else None

    @property
    def is_asking_about_unfelt_move(self) -> bool:
        """Whether what the board asks is if a move was made that nothing feels."""
        asked = self.own_question or self.tracker.dialogue.current_question
        return asked is None and self._unfelt_question() is not None

    def answer_unfelt_move(self, now: Micros, *, yes: bool) -> None:
        """Whether the move that was asked about was made: it is asked on until it was."""
        self.game.note_change()
        self._told_unfelt = ()
        if yes:
            self._unfelt_moves = self._unfelt_moves[1:]
            if self.is_in_order:
                self._note_in_order(now, noted=True)

    def _ask_about_unfelt_move(self, now: Micros) -> bool:
        """Tell what is asked about a move that nothing feels, once; whether it is told now."""
        asks = self._unfelt_moves if self.is_asking_about_unfelt_move and self.is_following_hands else ()
        told, self._told_unfelt = self._told_unfelt, asks
        if not asks or asks == told:
            return False
        self.note_change()
        self._outbox.add(now, disclosure.question_message(now, asks[0].question()))
        return True

    @property
    def is_judging(self) -> bool:
        """Whether hands are judged now, rather than held until something else is settled, here or at another
        board. Until this one is in order its own corrections are followed all the same."""
        return self.is_following_hands and (
            not self.tracker.is_in_order or (self.is_in_order and self.game.may_hands_act(self))
        )

    @property
    def is_following_hands(self) -> bool:
        """Whether hands are judged as far as it depends on this board."""
        return not (
            self.pending_writes.is_judging_held
            or self.own_question is not None
            or self.is_adjourned
            or self._silent
        )

    @property
    def is_in_order(self) -> bool:
        """Whether the board shows the layout of the game, as far as it is sensed or people have said."""
        return self.tracker.is_in_order and not self._unfelt_moves

    @property
    def is_ready(self) -> bool:
        """Whether the board is in order, and its hands can be followed."""
        return self.is_in_order and self.own_question is None and not self._silent

    @property
    def is_one_move_behind(self) -> bool:
        """Whether the board was in order before the last move, answers, and asks nothing."""
        asked = self.own_question or self.tracker.dialogue.current_question
        return self._moves_behind == 1 and asked is None and not self._silent

    @property
    def has_silent_bank(self) -> bool:
        """Whether a bank of the board doesn't answer."""
        return bool(self._silent)

    def felt_places(self) -> set[Place]:
        """The places on which something is sensed now."""
        return self.orientation.occupied_places(self._sensors.present())

    def standing_pieces(self) -> dict[Space, list[LayoutPiece | None]]:
        """By space what is felt to stand there; `None` for a piece of which it can't be told which it is."""
        found: dict[Space, list[LayoutPiece | None]] = {}
        for place, piece in self.tracker.standing_pieces().items():
            found.setdefault(shared_spaces.space_of(place), []).append(piece)
        if self.state.outcome is None:
            return found
        # Once a game is over the tracker follows no pieces: what still stands is what stood there at the end.
        last = self.state.layout()
        found |= {space: [None] * len(last[space]) for space in self.hand_played_spaces & last.keys()}
        return {
            space: list(last[space]) if len(pieces) == len(last.get(space, ())) else pieces
            for space, pieces in found.items()
        }

    # What has changed

    def note_change(self) -> None:
        """Something has changed that lights and messages show."""
        self.version += 1

    def note_sensor_change(self, present: bool, now: Micros) -> None:
        """A piece was lifted or set down. A game that was put away goes on as soon as one comes back.

        It stays put away while people clear the board: otherwise machines would play on.
        """
        self.note_change()
        if present and self.is_adjourned:
            self.game.resume_game()
            off = {shared_spaces.space_of(place) for place in self.tracker.board.piece_tracker.lifted_at}
            # One sensor may have felt several pieces. A single one may be the next move.
            if sum(len(self.state.layout().get(space, ())) for space in off) > 1:
                self.tracker.require_corrections(now)

    def note_bank_silent(self, bank: str) -> None:
        """A bank of the board doesn't answer: hands aren't judged."""
        self.game.note_change()
        self._silent.add(bank)

    def note_bank_back(self, bank: str, now: Micros) -> None:
        """It answers again: the board is taken as it is sensed now."""
        self.game.note_change()
        self._silent.discard(bank)
        self.tracker.resync(self.felt_places(), now)

    def set_hand_played_spaces(
        self, blind: frozenset[Space], now: Micros, hands: tuple[Space, ...] | None = None
    ) -> None:
        """From now on these spaces are played by hand; `hands` as in `begin_layout`."""
        self.hand_played_spaces = blind
        self.begin_layout(now, hands)

    def take_suspected_space(self) -> Space | None:
        """The space whose reed must be stuck, once."""
        space, self._suspected = self._suspected, None
        return space

    def flash_lamps(self, lamps: Iterable[LampId], now: Micros) -> None:
        """Show at these lamps that something doesn't count."""
        self._display.add_show(policy.fault_show(lamps, now))
        self.note_change()

    def mover(self) -> Seat:
        """The seat to act, the first of several; empty if it is nobody's turn."""
        return next(iter(self.state.seats_to_act()), NO_SEAT)

    @property
    def differing_spaces(self) -> frozenset[Space]:
        """Where the board differs from the game, as far as it is sensed."""
        return frozenset(
            shared_spaces.space_of(where) for where in self.tracker.piece_tracker.differing_spaces()
        )

    # Layouts

    def start(self, now: Micros, *, turned: bool) -> None:
        """Take the board as it is found: what differs from the layout is a chore. Where it looks `turned` it
        will be asked how it lies."""
        self.begin_layout(now, noted=True)
        self._turned = turned

    def ask_start_questions(self, now: Micros) -> None:
        """Ask how the board lies, if that is in question."""
        if self._turned and not self._asked_turned and self.own_question is not None:
            self._asked_turned = True
            self._outbox.add(now, disclosure.question_message(now, self.own_question))

    def answer_own_question(self, seat: Seat | None, *, yes: bool, now: Micros) -> None:
        """Take an answer to what the match itself asks; `None` is the button's."""
        self.note_change()
        if self.is_settling_loss:
            self.game.answer_loss(self.home if seat is None else {seat}, now, yes=yes)
            return
        self._turned = False
        if yes:
            self.turn_board(now)
        self.game.note_change()

    def begin_layout(
        self,
        now: Micros,
        hands: tuple[Space, ...] | None = None,
        owed: tuple[Space, ...] = (),
        carried: tuple[Space, Space] | None = None,
        said: Collection[Space] = (),
        replaced: Collection[Space] = (),
        *,
        noted: bool = False,
    ) -> None:
        """Lead hands to the layout of now; `hands`, `owed`, `carried`, `said` and `replaced` as in
        `Tracker.begin_layout`. Where it is a start, what was `noted` is in doubt."""
        surface, places = self.orientation, shared_spaces.step_of_hands(hands, self.tracker.position)
        new, last = self.game.turn_count == 0, self.game.quiet_moves.last_move
        stand = {} if hands is None else self.tracker.known_pieces(self.state.layout(), hands)
        public = public_position(
            self.state,
            surface.all_spaces,
            last,
            self.hand_played_spaces,
            surface.space_positions_mm,
            surface.slot_counts,
            boxed=new,
            known=stand,
        ).at_home(self.home)
        back, exchange = shared_spaces.step_of_hands(owed, self.tracker.position) or (), self._exchange
        self.tracker.begin_layout(
            public,
            self.felt_places(),
            now,
            hands=places,
            exchange=None if exchange is None else shared_spaces.place_of(exchange),
            doubts=self._doubts if noted else NO_DOUBTS,
            battle=shared_spaces.first_places_of_way(self._battle) if noted else None,
            owed=back,
            carried=shared_spaces.first_places_of_way(carried),
            said=shared_spaces.first_places_of_spaces(said),
            replaced=shared_spaces.first_places_of_spaces(replaced),
            unsure=shared_spaces.first_places_of_spaces(self._changed_sides),
            arrived={
                shared_spaces.place_of(space): won for space, won in self._arrived.items() if hands is None
            },
        )
        self._arrived = {}  # from now on the tracker knows
        self.awaited_offer = self._find_awaited_offer()
        self._erring_seat, self._has_fallen_pieces = None, False
        if self.is_in_order:
            self._note_in_order(now)

    def _find_awaited_offer(self) -> AwaitedAnswer:
        for thing in OFFER_KINDS:
            seat = seat_that_may_say(self.state, f"agree-{thing}")
            if seat is not None:
                return AwaitedAnswer(
                    frozenset({seat}), self._take_back_move() if thing == "take-back" else ()
                )
        return AwaitedAnswer()

    def _take_back_move(self) -> tuple[Space, ...]:
        """Origin and target of the move that is asked for; nothing where it is no move, as an answer."""
        move, asking = self.game.quiet_moves.last_move, seat_that_may_say(self.state, WITHDRAW_TAKE_BACK)
        there = () if move is None else self.state.layout().get(move[1], ())
        return move if move is not None and any(piece.seat == asking for piece in there) else ()

    def turn_board(self, now: Micros) -> None:
        """Take the board the other way round from now on."""
        self.orientation.rotate()
        self.note(NO_SEAT, TURNED_NOTE, now)
        self.begin_layout(now, noted=True)

    def put_away(self, now: Micros) -> None:
        """What is off the board comes back by chores, and nothing is asked meanwhile."""
        self.tracker.require_corrections(now)

    def ask(self, question: TrackerQuestion, now: Micros) -> bool:
        """Ask people something about places of the tracker, if hands are judged and nothing else is open;
        whether it is asked."""
        if (
            not self.is_judging
            or self.pending_writes.is_writing_ruling
            or not self.tracker.ask_question(question, now)
        ):
            return False
        self.note_change()
        self._outbox.add(now, disclosure.question_message(now, shared_spaces.question_by_spaces(question)))
        return True

    # Judging

    def judge_hands(self, now: Micros) -> bool:
        """Rule on what hands have made clear by now; whether there was anything."""
        asked = self._ask_about_unfelt_move(now)
        if not self.is_judging:
            return asked
        said = self.tracker.advance(now)
        for told in said:
            self.game.note_change()
            self.handle_tracker_event(told, now)
        return asked or bool(said)

    def handle_tracker_event(self, event: TrackerEvent, now: Micros) -> None:
        """Do with what the tracker told whatever it calls for."""
        if isinstance(event, MovePutBack):
            seat = self.tracker.position.owners[event.target]
            try:
                self.rule_action(self.state.parse(ASK_TAKE_BACK, seat), (), now)
            except BadText:  # a game without take-backs
                self.tracker.require_corrections(now)
                event = BoardFault(FaultCode.NOT_YOUR_TURN, (event.origin, event.target))
        if isinstance(event, BoardFault) and event.code == FaultCode.NOT_YOUR_TURN:
            owner = self.tracker.position.owners.get(event.spaces[0])
            away = owner is not None and owner not in self.home
            event = event._replace(code=FaultCode.NOT_AT_HOME) if away else event
        if isinstance(event, TakeBackWithdrawn):
            self.withdraw_take_back(now)
        shown = shared_spaces.event_by_spaces(event)
        match shown:
            case HandIntent(origin, target):
                self._carry_out_intent(origin, target, now)
            case BoardFault(FaultCode.EXTRA_PIECE, spaces) if self._is_set_up_incomplete():
                self._outbox.add(
                    now, disclosure.fault_message(now, BoardFault(FaultCode.NOT_READY, spaces), self.mover())
                )
                self._display.add_show(policy.fault_show(spaces[-1:], now))
            case BoardFault():
                reason = self._attack_refusal(*shown.spaces) if shown.code == "no-attack" else None
                self._outbox.add(
                    now, disclosure.fault_message(now, shown, reason=reason, game=self.state.game_id)
                )
                self.note(self.mover(), f"fault {shown.code} {' '.join(shown.spaces)}", now)
                self._erring_seat = self.mover() if shown.code == FaultCode.TOUCH_MOVE else None
                self._has_fallen_pieces = shown.code == FaultCode.PIECES_DOWN
                if shown.code not in ("between-spaces", "between-rings"):
                    self._display.add_show(policy.fault_show(shown.spaces[-1:], now))
            case TrackerQuestion():
                self._outbox.add(now, disclosure.question_message(now, shown))
            case LiftReminder() | OverdueCorrection() | UnconfirmedCorrection():
                self._outbox.add(
                    now, disclosure.reminder_message(now, shown, chooses=self.orientation.has_choose_button)
                )
            case SuspectSpace(space):
                self._outbox.add(now, disclosure.reminder_message(now, shown))
                self._suspected = space
            case BoardInOrder():
                self._erring_seat, self._has_fallen_pieces = None, False
                if self.is_in_order:
                    self._note_in_order(now)

    def _note_in_order(self, now: Micros, *, noted: bool = False) -> None:
        """Note that all is in order, where an earlier note says that something was not, or if `noted`."""
        self._moves_behind = 0
        if self._exchange is not None or self._changed_sides or noted:
            self._exchange, self._changed_sides = None, frozenset()
            self.note(NO_SEAT, IN_ORDER_NOTE, now)

    def _attack_refusal(self, origin: Place, target: Place) -> Refusal | None:
        """Why the rules refuse that one piece attacks another; `disclosure` says what of it is public."""
        seat = self.tracker.position.owner(origin)
        try:
            return self.state.refusal(self.state.hand_action(seat, origin, target))
        except BadText:  # no action of this game
            return None

    def _is_set_up_incomplete(self) -> bool:
        """Whether some seats have set up and wait for the others: their pieces stay where they are."""
        return bool(self.state.unchecked_spaces()) and len(self.state.seats_to_act()) < len(self.state.seats)

    def withdraw_take_back(self, now: Micros) -> None:
        """The seat that asked for its move back asks no more."""
        asking = seat_that_may_say(self.state, WITHDRAW_TAKE_BACK)
        if asking is not None and not self.pending_writes.is_writing_ruling:
            self.rule_action(self.state.parse(WITHDRAW_TAKE_BACK, asking), (), now)

    def _carry_out_intent(self, origin: Place, target: Place, now: Micros) -> None:
        seat = self.tracker.position.owner(origin)
        if seat not in self.home:  # the tracker knows of no step of theirs; a board may be wrong all the same
            self.tracker.require_corrections(now)
            return
        if not self.pending_writes.is_writing_ruling:
            if (
                seat_that_may_say(self.state, DECLINE_TAKE_BACK) == seat
            ):  # who goes on playing doesn't give it back
                self.rule_action(self.state.parse(DECLINE_TAKE_BACK, seat), (), now)
                return
            hands = shared_spaces.space_of(origin), shared_spaces.space_of(target)
            back = self.state.straight_back_action(seat) if self._is_straight_back(hands, now) else None
            self.rule_action(back or self.state.hand_action(seat, *hands), hands, now)

    def _is_straight_back(self, hands: tuple[Space, Space], now: Micros) -> bool:
        """Whether a piece goes straight back to where the last action has carried it from."""
        carried, rested = self._carried
        soon = (self.tracker.pending_move_since() or now) - rested <= self.tracker.timing.straight
        return carried == (hands[1], hands[0]) and soon

    def possible_throws(self) -> tuple[Action, ...]:
        """What a real die may show now; nothing where the umpire throws, or nothing is to be thrown."""
        if not self.has_real_dice:
            return ()
        return tuple(action for action, _ in self.state.chance() if not action.secret)

    @property
    def has_real_dice(self) -> bool:
        """Whether people throw, and say what they threw."""
        return self.game.has_real_dice

    def rule_action(self, action: Action, hands: tuple[Space, ...], now: Micros) -> None:
        """Judge an action; `hands` is (origin, target) where they carried it out at this board."""
        rested = self.tracker.pending_move_since() if hands else None
        self.game.rule_action(action, hands, now, self, rested)

    def show_refusal(self, ruling: Ruling, now: Micros) -> None:
        """What was tried here is refused: it is led back."""
        self._display.add_show(policy.ruling_show(ruling, now))
        own = bool(ruling.hand_move) and ruling.action.seat == self.mover()
        self._erring_seat = ruling.action.seat if own else None
        self.tracker.require_corrections(now)

    def apply_ruling(self, new: NewRuling, now: Micros, *, own: bool) -> None:
        """Lead hands to the layout of a ruling that holds; `own`: hands at this board carried it out. At any
        other board it is as if the seat had only said it."""
        ruling = new.ruling
        if new.state_before.layout() != self.state.layout():
            self._moves_behind = 1 if self.is_in_order else self._moves_behind + 1
            self._unfelt_moves = self._find_unfelt_moves(new)
        if str(ruling.action) == AGREE_TAKE_BACK:
            self._display.clear_shows()
        self._display.add_show(policy.ruling_show(ruling, now))
        self._display.add_show(policy.answers_show(ruling.events, now))
        hands = ruling.hand_move if own else ()
        self._carried = new.hands if own else (), new.rested_at
        if ruling.hand_move:
            self._exchange = ruling.winner_space
        self._changed_sides |= spaces_changing_side(new.state_before, self.state)
        back = str(ruling.action) == AGREE_TAKE_BACK and not self.state.has_interchangeable_pieces
        replaced = replaced_spaces(new.state_before, self.state) if back else frozenset[Space]()
        self.begin_layout(
            now, hands, new.spaces_to_lead_back, self._declared_move(new, hands), new.named_spaces, replaced
        )

    def _find_unfelt_moves(self, new: NewRuling) -> tuple[UnfeltMove, ...]:
        """What hands here are to carry after a ruling, and nothing feels; after the end of a game nothing."""
        if self.state.outcome is not None:
            return ()
        action, surface = new.ruling.action, self.orientation
        way = move_of_action(
            new.state_before, action.seat, str(action), new.last_quiet_move, secret=action.secret
        )
        senses = BoardSenses(self.home, surface.slot_counts, self.hand_played_spaces)
        before, after = new.state_before.layout(), self.state.layout()
        return unfelt_moves_after(self._unfelt_moves, before, after, way, senses)

    def _declared_move(self, new: NewRuling, hands: tuple[Space, ...]) -> tuple[Space, Space] | None:
        """How a piece was carried that only was said to be, or at another board: that matters where it is in
        doubt which it is, or where people are about to carry it here."""
        action, elsewhere = new.ruling.action, bool(new.ruling.hand_move) and not hands
        if hands or (self.tracker.open_doubts == NO_DOUBTS and not elsewhere):
            return None
        if str(action) == AGREE_TAKE_BACK and not self.awaited_offer.spaces:
            return None  # an answer was taken back
        return move_of_action(
            new.state_before, action.seat, str(action), new.last_quiet_move, secret=action.secret
        )

    # Notes

    def note(self, seat: Seat, text: str, now: Micros, *, secret: bool = False) -> None:
        """Note in the journal what is no action; that of a game that has ended takes no more."""
        self.game.note(seat, f"{at_board(self._name)}{text}", now, secret=secret)

    def note_doubts(self, now: Micros) -> None:
        """What is in doubt outlives a power cut.

        While pieces are in hands a note that says too much is left alone: what they mean will be clear soon.
        """
        doubts, noted = self.tracker.open_doubts, self._doubts
        if self.pending_writes.is_writing_ruling or self.own_question is not None:
            return
        if settled := self.tracker.take_settled_arrivals():
            self.note(NO_SEAT, f"{SETTLED_NOTE_PREFIX} {' '.join(sorted(settled))}", now)
        if doubts == noted:
            return
        if not (noted.covers(doubts) and self.tracker.has_alike_in_hands):
            self._doubts = doubts
            self.note(NO_SEAT, f"{DOUBT_NOTE_PREFIX} {doubts.to_text()}".rstrip(), now)
