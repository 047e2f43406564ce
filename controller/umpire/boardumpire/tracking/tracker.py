"""From hands to intents: what was sensed, what it means, what to do about it.

`states` has the theory of operation and the table of what hands mean. `BoardState` holds what is known of the
board. This module waits: it takes what sensors and rulings say, asks the table after each change, and reports
what has been meant for long enough. Pure: events and time in; intents, faults, questions and guidance out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from boardrules.core import Layout, Space
from boardumpire.tracking import answers, shared_spaces
from boardumpire.tracking.board_state import BoardState, only_said
from boardumpire.tracking.derived import Derived
from boardumpire.tracking.dialogue import Dialogue
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
from boardumpire.tracking.model import Home, Place, PublicPosition
from boardumpire.tracking.open_doubts import NO_DOUBTS, OpenDoubts
from boardumpire.tracking.piece_tracker import PieceTracker
from boardumpire.tracking.questions import (
    ThatPiece,
    TrackerQuestion,
)
from boardumpire.tracking.reminders import Agenda, Reminders, attacked_piece
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.situation import NO_STEPS, EnemyTouch, Situation
from boardumpire.tracking.states import EXTRA_PIECE, Meaning, interpret
from boardumpire.tracking.timing import TrackerTiming
from boardware.ports import Micros

P = ParamSpec("P")
R = TypeVar("R")


def _changes(
    method: Callable[Concatenate[Tracker, P], R],
) -> Callable[Concatenate[Tracker, P], R]:
    """Mark a method after which everything derived is of another version."""

    @wraps(method)
    def changing(self: Tracker, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        finally:
            self.version += 1

    return changing


class Tracker:
    """Follows the hands of one board. All times are passed in and never go back."""

    def __init__(self, timing: TrackerTiming | None = None) -> None:
        self.timing = timing or TrackerTiming()
        self.board = BoardState(self.timing)
        self.dialogue = Dialogue()
        self._reminders = Reminders()
        self._meaning: Meaning | None = None
        self._meant_since: Micros = 0
        self._centring: tuple[Place, ...] = ()
        """The spaces that share a piece, once people were asked to centre it."""
        self._came_in_order = False
        """Whether that was not reported yet."""
        self.version = 0
        """Another number after every change."""
        self._guidance = Derived(self._make_guidance)
        self._agenda = Derived(self._make_agenda)
        self._open_doubts = Derived(self._make_open_doubts)

    @property
    def position(self) -> PublicPosition:
        """What everybody may know of the game, as far as hands are concerned."""
        return self.board.position

    @property
    def pieces(self) -> PieceTracker:
        """Who is where."""
        return self.board.pieces

    # Rulings

    @_changes
    def begin_layout(
        self,
        position: PublicPosition,
        felt: Iterable[Place],
        now: Micros,
        *,
        hands: tuple[Place, ...] | None = None,
        exchange: Place | None = None,
        doubts: OpenDoubts = NO_DOUBTS,
        battle: tuple[Place, Place] | None = None,
        owed: Iterable[Place] = (),
        carried: tuple[Place, Place] | None = None,
        said: Collection[Home] = (),
        unsure: Collection[Place] = (),
        arrived: Mapping[Home, bool] = NO_STEPS,
    ) -> None:
        """Take a new layout, after a ruling or at a start.

        `hands` holds the spaces that the ruling was about; what differs there is a correction, while a piece
        that another hand lifted early elsewhere stays in play. `None` (a start) makes every difference a
        correction. `exchange` is a space whose piece was beaten: if a piece is felt there, it is still the
        loser, which has to go before the winner can be set down. `doubts` are those of before this tracker
        was there, `battle` the spaces (origin, target) of the last ruling that carried a piece, where that
        was a battle. `owed` are spaces that are led back to the layout though the ruling was not about them.
        `carried` is how a piece was carried that only was said to be; `said` are the spaces whose pieces
        their owner has just named. `unsure` are spaces where at a start another piece may stand still than
        belongs there: it is lifted once. `arrived` are at a start the spaces to which pieces came last, the
        latest first, and whether they won a battle there.
        """
        plain = not owed and doubts is NO_DOUBTS and carried is None and not said
        if hands == () and plain and only_said(self.position, position):
            self.board.position = position
        else:
            self.board.begin_layout(
                position,
                felt,
                now,
                hands=hands,
                exchange=exchange,
                doubts=doubts,
                battle=battle,
                owed=owed,
                carried=carried,
                said=said,
                unsure=unsure,
                arrived=arrived,
            )
            self._reminders.made_by_hands = hands is not None
            self._begin_turn(now)
        self._reconsider(now)

    @_changes
    def lead_back(self, now: Micros) -> None:
        """The intent was refused: all that differs from the layout is to be put right."""
        self._lead_back(now)

    def _lead_back(self, now: Micros) -> None:
        meant = self._expected()
        self.board.turn.refused = (meant.origin, meant.target) if isinstance(meant, HandIntent) else None
        self.board.correct_everything()
        self._reminders.made_by_hands = True
        self.board.forget_gestures()
        self._begin_turn(now)

    def _begin_turn(self, now: Micros) -> None:
        self._meaning, self._centring = None, ()
        self.dialogue.begin_turn()
        self._reminders.begin_turn(self.board.pieces.up, now)

    def known_pieces(
        self, layout: Layout, hands: tuple[Space, ...]
    ) -> dict[Space, shared_spaces.KnownPieces]:
        """What stands in spaces of several slots, before `layout` is begun: `shared_spaces.known_pieces`."""
        pieces = self.board.pieces
        return shared_spaces.known_pieces(self.position, pieces.felt, pieces.strays, layout, hands)

    # Sensors and tags

    @_changes
    def note_sensor(self, space: Place, present: bool, now: Micros) -> None:
        """A sensor changed (debounced)."""
        board = self.board
        if (space in board.pieces.felt) == present or space in self.position.blind:
            return
        if self.position.named:
            board.doubts.set_up.note_sensor(space, present, now)
        asked, self.dialogue.question = self.dialogue.question, None
        self.dialogue.hands_moved()
        board.turn.lost = None
        self._reminders.last_activity = now
        if present:
            replaced = self.dialogue.just_replaced(self.timing.swap, now)
            for_other_target = replaced is not None and replaced.effect()[:2] == ("attack", space)
            board.place(space, now, sign_counts=not for_other_target)
        else:
            board.lift(space, now)
            self._reminders.given.discard(space)  # it was back meanwhile
        board.turn.missing.intersection_update(board.pieces.up)
        self._settle_corrections()
        self._reconsider(now)
        if asked is not None and asked == self._expected():  # it is open still, and was reported
            self.dialogue.question, self._meaning = asked, None
        self.dialogue.note_shown(now)

    @_changes
    def resync(self, felt: Iterable[Place], now: Micros) -> None:
        """The board was out of sight and is sensed again as a whole, in no order.

        If one step of the mover explains every difference it is taken as made; else all are corrections.
        """
        self.board.resync(felt, now)
        self.board.forget_gestures()
        self._begin_turn(now)
        self._settle_corrections()
        self._reconsider(now)

    @_changes
    def note_identity(self, space: Place, home: Home | None, now: Micros) -> None:
        """It is known who stands on a space: the piece of `home`, or (`None`) one that belongs nowhere."""
        board = self.board
        if space not in board.pieces.felt or space in self.position.blind | self.position.free:
            return
        if home is not None and self.note_meeting(home, space, now):
            return
        board.turn.arrived.pop(space, None)
        if board.identity.note_identity(space, home, board.doubts.pairs):
            self.dialogue.answered_by_tag()
            self._settle_corrections()
            self._reconsider(now)

    @_changes
    def note_tag_lost(self, space: Place, now: Micros) -> None:
        """The tag of what is felt on a space has gone: a piece that lies on its side, or is held over it.

        While a piece is up that may attack it, that is as good as a touch.
        """
        if self.note_lying(space, now):
            for origin in self.position.own(self.board.pieces.loose_pieces()):
                if self.position.is_attack(origin, space):
                    self.board.turn.touch = EnemyTouch(origin, space, 0)
                    self._reconsider(now)

    @_changes
    def note_lying(self, space: Place, now: Micros) -> bool:
        """The piece that is felt on a space lies on its side; whether one can that belongs there."""
        pieces = self.board.pieces
        if space not in pieces.felt & pieces.expected - self.position.blind:
            return False
        self.board.identity.lies.add(space)
        self._reconsider(now)
        return True

    @_changes
    def note_meeting(self, origin: Home, target: Place, now: Micros) -> bool:
        """The tag of the piece of `origin` was read at `target`: if it was brought there from a hand, it
        attacks, and whether it does."""
        attack = self.position.is_attack(origin, target)
        if (
            not attack
            or not self.in_order
            or origin not in self.position.own(self.board.pieces.loose_pieces())
        ):
            return False
        self.board.signs.given = origin, target
        self._reconsider(now)
        return True

    def _settle_corrections(self) -> None:
        if self.board.corrections.drop_done(self.board.pieces):
            self._reminders.given.discard(None)
            self._came_in_order = self.board.turn.was_in_order = True

    # Questions and answers

    @_changes
    def ask_question(self, question: TrackerQuestion, now: Micros) -> bool:
        """Ask what no sensor feels and people see; whether it is asked: nothing else may be open."""
        if self.dialogue.open is not None or not self.in_order:
            return False
        self._ask(question, now)
        return True

    def _ask(self, question: TrackerQuestion, now: Micros) -> None:
        self.dialogue.question, self._meaning = question, None
        self.dialogue.note_shown(now)

    @_changes
    def answer_question(self, yes: bool, now: Micros) -> TrackerEvent | None:
        """Confirm or cancel: answers the open question, or confirms a touch at once."""
        situation, corrections = self._situation(), self.board.corrections
        asked = self.dialogue.open
        if asked is None and yes and (unfelt := attacks.attacked_unfelt(situation)) is not None:
            self.dialogue.question = unfelt
            self.dialogue.note_shown(now)
            return unfelt
        if asked is None and not corrections.outstanding:
            asked = attacks.implied_of_lifted(situation)
        self.board.turn.touch = None
        self.dialogue.close(asked, yes=yes, now=now)
        before = corrections.outstanding | corrections.exchange
        answer = None
        if asked is not None:
            situation = self._situation()
            if isinstance(asked, ThatPiece) and attacks.blocking(situation) is not None and not yes:
                self.dialogue.forget_report()  # the attack is pending still
            answer = (answers.affirm if yes else answers.deny)(asked, self.board, situation)
        if (corrections.outstanding | corrections.exchange) - before:
            self._reminders.last_activity = now
        self._settle_corrections()
        self._reconsider(now)
        if isinstance(answer, TrackerQuestion):  # who attacks has to be known first
            self.dialogue.question = answer
            self.dialogue.note_shown(now)
        return answer

    def implied_question(self) -> TrackerQuestion | None:
        """What a yes means while nothing is asked: an attack, or a move, that nothing has felt."""
        return attacks.implied(self._situation()) if self.dialogue.open is None else None

    def was_question_replaced(self, now: Micros) -> bool:
        """Whether what is asked has just replaced something else: an answer may be meant for that."""
        return self.dialogue.just_replaced(self.timing.swap, now) is not None

    def question_since(self) -> Micros | None:
        """When what is asked came up; `None` if nothing is asked."""
        return self.dialogue.open_since()

    # What hands mean, and when it is reported

    def _situation(self) -> Situation:
        centring = bool(self._centring)
        return self.board.situation(self._reminders.last_activity, self.dialogue.settled, centring=centring)

    def _expected(self) -> TrackerEvent | None:
        return None if self._meaning is None else self._meaning.event

    def _reconsider(self, now: Micros) -> None:
        """Ask the table what hands mean now; the delay runs from when that last changed."""
        situation = self._situation()
        self.dialogue.see_pending(attacks.pending(situation))
        meaning = None if self.dialogue.question is not None else interpret(situation)
        if meaning is not None and isinstance(meaning.event, MovePutBack) and self.position.waiting:
            self.board.turn.take_back_shown, meaning = True, None
        if self._expected() != (None if meaning is None else meaning.event):
            self._meant_since, self._centring = now, ()
        self._meaning = meaning

    def advance(self, now: Micros) -> list[TrackerEvent]:
        """What has become clear by `now`. An intent is reported again until `begin_layout` or `lead_back`
        answers it."""
        events: list[TrackerEvent] = []
        if self._came_in_order:
            self._came_in_order = False
            events.append(BoardInOrder())
        pending = self.dialogue.report_pending()
        if pending is not None:
            events.append(pending)
        due = self._agenda.of_version(self.version).meaning_due
        if self._meaning is not None and due is not None and now >= due:
            events.append(self._report(self._meaning.event, now))
        self.dialogue.note_shown(now)
        return events + self._remind(now)

    def next_due(self) -> Micros | None:
        """When `advance` has something to report next, if nothing is felt before."""
        agenda = self._agenda.of_version(self.version)
        times = [*agenda.reminders.values()]
        times += [due for due in (agenda.meaning_due, agenda.unconfirmed_due) if due is not None]
        if self.dialogue.has_unreported:  # a ruling leaves pieces of another attack in the air
            times.append(self._reminders.last_activity)
        return min(times, default=None)

    def move_since(self) -> Micros | None:
        """Since when hands have meant the move that waits to be reported; `None` if there is none."""
        return self._meant_since if isinstance(self._expected(), HandIntent) else None

    @property
    def last_activity(self) -> Micros:
        """When hands last did something, or corrections came up."""
        return self._reminders.last_activity

    @_changes
    def _report(self, event: TrackerEvent, now: Micros) -> TrackerEvent:
        match event:
            case TrackerQuestion():
                self.dialogue.question, self._meaning = event, None
            case TakeBackWithdrawn():
                self.board.turn.take_back_shown = False
                self._reconsider(now)
            case SuspectSpace(space):
                self.board.stuck_sensors.restart_count(space)
                self._reconsider(now)
            case BoardFault(FaultCode.BETWEEN_SPACES, spaces):
                self._ask_to_centre(spaces, now)
            case BoardFault(FaultCode.NO_ATTACK):
                self.dialogue.no_attack, self._meaning = event, None
            case BoardFault():
                self._report_fault(event, now)
        return event

    def _ask_to_centre(self, spaces: tuple[Place, ...], now: Micros) -> None:
        """What can't be centred in a while was another piece after all."""
        pieces = self.board.pieces
        others = sorted(space for space, homes in pieces.strays.items() if not homes & pieces.up.keys())
        extra = BoardFault(FaultCode.EXTRA_PIECE, tuple(others))
        self._meaning, self._meant_since = Meaning(extra, EXTRA_PIECE), now
        at_home = pieces.expected - pieces.strays.keys()
        self._centring = tuple(sorted(at_home & {*spaces})) or spaces

    def _report_fault(self, fault: BoardFault, now: Micros) -> None:
        board, turn = self.board, self.board.turn
        in_hands: Collection[Home] = ()
        doubted: Mapping[Home, Place] = {}
        if fault.code is FaultCode.EXTRA_PIECE:
            board.stuck_sensors.count_missed(self._situation().unopened())
            board.pieces.strangers.update(fault.spaces)
            doubted = board.set_down_late(fault.spaces, self.dialogue.settled)
            # Whoever holds a piece goes on once the other one is off.
            in_hands = board.pieces.up.keys() - board.corrections.outstanding
        obligation = turn.must_move, turn.excused
        board.identity.note_fault_reported(fault)
        self._lead_back(now)
        board.corrections.outstanding.difference_update(in_hands)
        board.doubt_arrivals(doubted, now)
        turn.must_move, turn.excused = obligation
        if doubted:
            self._reconsider(now)

    def _remind(self, now: Micros) -> list[TrackerEvent]:
        agenda = self._agenda.of_version(self.version)
        late = [what for what, at in agenda.reminders.items() if now >= at]
        unconfirmed = agenda.unconfirmed_due is not None and now >= agenda.unconfirmed_due
        return self._report_late(late, unconfirmed=unconfirmed) if late or unconfirmed else []

    @_changes
    def _report_late(self, late: Collection[Home | None], *, unconfirmed: bool) -> list[TrackerEvent]:
        chores = self.board.corrections.list_corrections(self.board.pieces, self.position, ())
        attacked = attacked_piece(self._situation())
        events: list[TrackerEvent] = [
            OverdueCorrection(len(chores)) if home is None else LiftReminder(home, home == attacked)
            for home in late
        ]
        self._reminders.given.update(late)
        if unconfirmed:
            self._reminders.unconfirmed_reported = True
            events.append(UnconfirmedCorrection(tuple(sorted({chore.space for chore in chores}))))
        return events

    def _make_agenda(self) -> Agenda:
        situation = self._situation()
        return Agenda(
            None if self._meaning is None else self._meaning.due(situation, self._meant_since),
            self._reminders.due(situation, self.dialogue.pending),
            self._reminders.unconfirmed_due(situation),
        )

    # What is shown and noted

    @property
    def in_order(self) -> bool:
        """Whether no correction is open, and none was met in doubt."""
        return self.board.corrections.in_order

    @property
    def spaces_to_correct(self) -> frozenset[Place]:
        """The spaces that corrections wait for."""
        return frozenset(self.board.corrections.outstanding)

    @property
    def doubtful_pairs(self) -> frozenset[frozenset[Home]]:
        """Pairs of pieces of one side that may have been swapped, and are asked about."""
        return frozenset(self.board.doubts.pairs)

    @property
    def has_alike_in_hands(self) -> bool:
        """Whether two pieces of one side that look alike are up together."""
        return bool(self.board.up_together())

    @property
    def open_doubts(self) -> OpenDoubts:
        """All that a power cut would leave in doubt at this moment."""
        return self._open_doubts.of_version(self.version)

    def take_settled_arrivals(self) -> frozenset[Home]:
        """The spaces to which a piece came and of which people have said since who stands there, once."""
        settled = frozenset(self.board.settled_arrivals)
        self.board.settled_arrivals.clear()
        return settled

    def _make_open_doubts(self) -> OpenDoubts:
        together = self.board.up_together()
        if self.position.alike:
            return NO_DOUBTS._replace(pairs=frozenset(together))
        known = self.board.open_doubts(hands_moved=False)
        return known._replace(pairs=known.pairs | together)

    def guidance(self) -> BoardGuidance:
        """What lights and screens show about hands now."""
        return self._guidance.of_version(self.version)

    def _make_guidance(self) -> BoardGuidance:
        return self.board.guidance(self.dialogue.open, self._reminders.given, self._centring)
