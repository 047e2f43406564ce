"""From hands to intents: what was sensed, what it means, what to do about it.

`states` has the theory of operation and the table of what hands mean. `BoardState` holds what is known of the
board. This module waits: it takes what sensors and rulings say, asks the table after each change, and reports
what has been meant for long enough. Pure: events and time in; intents, faults, questions and guidance out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from boardrules.core import Layout, LayoutPiece, Space
from boardumpire.tracking import answers, shared_spaces
from boardumpire.tracking.board_state import BoardState, is_unchanged_for_hands
from boardumpire.tracking.derived import VersionedCache
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
    ThatPieceQuestion,
    TrackerQuestion,
)
from boardumpire.tracking.reminders import Reminders, ReportSchedule, attacked_piece
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.situation import NO_STEPS, EnemyTouch, Situation
from boardumpire.tracking.states import EXTRA_PIECE_TRANSITION, HandMeaning, interpret_hands
from boardumpire.tracking.timing import TrackerTiming
from boardware.ports import Micros

P = ParamSpec("P")
R = TypeVar("R")


def _bump_version_after(
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
        self._meaning: HandMeaning | None = None
        self._meant_since: Micros = 0
        self._centring: tuple[Place, ...] = ()
        """The spaces that share a piece, once people were asked to centre it."""
        self._came_in_order = False
        """Whether that was not reported yet."""
        self.version = 0
        """Another number after every change."""
        self._guidance = VersionedCache(self._make_guidance)
        self._agenda = VersionedCache(self._make_report_schedule)
        self._open_doubts = VersionedCache(self._make_open_doubts)

    @property
    def position(self) -> PublicPosition:
        """What everybody may know of the game, as far as hands are concerned."""
        return self.board.position

    @property
    def piece_tracker(self) -> PieceTracker:
        """Who is where."""
        return self.board.piece_tracker

    @_bump_version_after
    def allow_slides(self) -> None:
        """From now on pieces may be pushed over the board: moves are given the time for that."""
        self.timing = self.timing._replace(slides=True)
        self.board.allow_slides()

    # Rulings

    @_bump_version_after
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
        replaced: Collection[Place] = (),
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
        their owner has just named; `replaced` are those where another piece belongs now than before a take-
        back: it is lifted once. `unsure` are spaces where at a start another piece may stand still than
        belongs there: it is lifted once. `arrived` are at a start the spaces to which pieces came last, the
        latest first, and whether they won a battle there.
        """
        plain = not owed and doubts is NO_DOUBTS and carried is None and not said
        if hands == () and plain and is_unchanged_for_hands(self.position, position):
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
                replaced=replaced,
                unsure=unsure,
                arrived=arrived,
            )
            self._reminders.has_hand_made_corrections = hands is not None
            self._begin_turn(now)
        self._reinterpret_hands(now)

    @_bump_version_after
    def require_corrections(self, now: Micros) -> None:
        """The intent was refused: all that differs from the layout is to be put right."""
        self._require_corrections(now)

    def _require_corrections(self, now: Micros) -> None:
        meant = self._pending_event()
        self.board.turn_memory.refused_move = (
            (meant.origin, meant.target) if isinstance(meant, HandIntent) else None
        )
        self.board.require_all_corrections()
        self._reminders.has_hand_made_corrections = True
        self.board.forget_gestures()
        self._begin_turn(now)

    def _begin_turn(self, now: Micros) -> None:
        self._meaning, self._centring = None, ()
        self.dialogue.begin_turn()
        self._reminders.begin_turn(self.board.piece_tracker.lifted_at, now)

    def known_pieces(
        self, layout: Layout, hands: tuple[Space, ...]
    ) -> dict[Space, shared_spaces.KnownPieces]:
        """What stands in spaces of several slots, before `layout` is begun: `shared_spaces.known_pieces`."""
        pieces = self.board.piece_tracker
        return shared_spaces.known_pieces(
            self.position, pieces.felt_places, pieces.stray_candidates, layout, hands
        )

    def standing_pieces(self) -> dict[Place, LayoutPiece | None]:
        """By place that is felt to hold a piece the piece that is followed to it, as everybody may know it;
        `None` where that can't be told."""
        pieces, position = self.board.piece_tracker, self.position
        standing: dict[Place, LayoutPiece | None] = {}
        by_hand = position.hand_played_places & position.layout_pieces.keys()
        for place in sorted(pieces.felt_places - position.hand_played_places | by_hand):
            homes = pieces.stray_candidates.get(place, frozenset({place}))
            came = [home for home, at in pieces.possible_landings.items() if at == place]
            if len(came) == 1 and position.is_capture(came[0], place):
                homes = frozenset(came)  # the other piece was lifted to be taken
            home = next(iter(homes)) if len(homes) == 1 else None
            standing[place] = None if home is None else position.layout_pieces.get(home)
        return standing

    # Sensors and tags

    @_bump_version_after
    def note_sensor_change(self, space: Place, present: bool, now: Micros) -> None:
        """A sensor changed (debounced)."""
        board = self.board
        if (space in board.piece_tracker.felt_places) == present or space in self.position.hand_played_places:
            return
        if self.position.declared_owners:
            board.swap_doubts.set_up_watch.note_sensor_change(space, present, now)
        asked, self.dialogue.question = self.dialogue.question, None
        self.dialogue.note_hands_moved()
        board.turn_memory.lost_piece = None
        self._reminders.last_activity = now
        if present:
            replaced = self.dialogue.just_replaced_question(self.timing.swap, now)
            for_other_target = replaced is not None and replaced.effect_of_yes()[:2] == ("attack", space)
            board.note_set_down(space, now, sign_counts=not for_other_target)
        else:
            board.note_lift(space, now)
            self._reminders.given_reminders.discard(space)  # it was back meanwhile
        board.turn_memory.missing_pieces.intersection_update(board.piece_tracker.lifted_at)
        self._settle_corrections()
        self._reinterpret_hands(now)
        if asked is not None and asked == self._pending_event():  # it is open still, and was reported
            self.dialogue.question, self._meaning = asked, None
        self.dialogue.note_shown_question(now)

    @_bump_version_after
    def resync(self, felt: Iterable[Place], now: Micros) -> None:
        """The board was out of sight and is sensed again as a whole, in no order.

        If one step of the mover explains every difference it is taken as made; else all are corrections.
        """
        self.board.resync(felt, now)
        self.board.forget_gestures()
        self._begin_turn(now)
        self._settle_corrections()
        self._reinterpret_hands(now)

    @_bump_version_after
    def note_identity(self, space: Place, home: Home | None, now: Micros) -> None:
        """It is known who stands on a space: the piece of `home`, or (`None`) one that belongs nowhere."""
        board = self.board
        if (
            space not in board.piece_tracker.felt_places
            or space in self.position.hand_played_places | self.position.unjudged_places
        ):
            return
        if home is not None and self.note_tag_at_target(home, space, now):
            return
        board.turn_memory.latest_arrivals.pop(space, None)
        if board.identity_check.note_identity(space, home, board.swap_doubts.swapped_pairs):
            self.dialogue.note_answered_by_tag()
            self._settle_corrections()
            self._reinterpret_hands(now)

    @_bump_version_after
    def note_tag_lost(self, space: Place, now: Micros) -> None:
        """The tag of what is felt on a space has gone: a piece that lies on its side, or is held over it.

        While a piece is up that may attack it, that is as good as a touch.
        """
        if self.note_lying_piece(space, now):
            for origin in self.position.movable_pieces(self.board.piece_tracker.pieces_in_hand()):
                if self.position.is_attack(origin, space):
                    self.board.turn_memory.enemy_touch = EnemyTouch(origin, space, 0)
                    self._reinterpret_hands(now)

    @_bump_version_after
    def note_lying_piece(self, space: Place, now: Micros) -> bool:
        """The piece that is felt on a space lies on its side; whether one can that belongs there."""
        pieces = self.board.piece_tracker
        if space not in pieces.felt_places & pieces.expected_places - self.position.hand_played_places:
            return False
        self.board.identity_check.lying_spaces.add(space)
        self._reinterpret_hands(now)
        return True

    @_bump_version_after
    def note_tag_at_target(self, origin: Home, target: Place, now: Micros) -> bool:
        """The tag of the piece of `origin` was read at `target`: if it was brought there from a hand, it
        attacks, and whether it does."""
        attack = self.position.is_attack(origin, target)
        if (
            not attack
            or not self.is_in_order
            or origin not in self.position.movable_pieces(self.board.piece_tracker.pieces_in_hand())
        ):
            return False
        self.board.attack_confirmation.signed_attack = origin, target
        self._reinterpret_hands(now)
        return True

    def _settle_corrections(self) -> None:
        if self.board.corrections.drop_completed(self.board.piece_tracker):
            self._reminders.given_reminders.discard(None)
            self._came_in_order = self.board.turn_memory.was_in_order = True

    # Questions and answers

    @_bump_version_after
    def ask_question(self, question: TrackerQuestion, now: Micros) -> bool:
        """Ask what no sensor feels and people see; whether it is asked: nothing else may be open."""
        if self.dialogue.current_question is not None or not self.is_in_order:
            return False
        self._open_question(question, now)
        return True

    def _open_question(self, question: TrackerQuestion, now: Micros) -> None:
        self.dialogue.question, self._meaning = question, None
        self.dialogue.note_shown_question(now)

    @_bump_version_after
    def answer_question(self, yes: bool, now: Micros) -> TrackerEvent | None:
        """Confirm or cancel: answers the open question, or confirms a touch at once."""
        situation, corrections = self._situation(), self.board.corrections
        asked = self.dialogue.current_question
        if asked is None and yes and (unfelt := attacks.unsensed_attack_question(situation)) is not None:
            self.dialogue.question = unfelt
            self.dialogue.note_shown_question(now)
            return unfelt
        if asked is None and not corrections.outstanding:
            asked = attacks.implied_question_of_lifted(situation)
        self.board.turn_memory.enemy_touch = None
        self.dialogue.close_question(asked, yes=yes, now=now)
        before = corrections.outstanding | corrections.wrong_piece_spaces
        answer = None
        if asked is not None:
            situation = self._situation()
            if (
                isinstance(asked, ThatPieceQuestion)
                and attacks.blocking_attack_question(situation) is not None
                and not yes
            ):
                self.dialogue.report_pending_again()  # the attack is pending still
            answer = (answers.apply_yes if yes else answers.apply_no)(asked, self.board, situation)
        if (corrections.outstanding | corrections.wrong_piece_spaces) - before:
            self._reminders.last_activity = now
        self._settle_corrections()
        self._reinterpret_hands(now)
        if isinstance(answer, TrackerQuestion):  # who attacks has to be known first
            self.dialogue.question = answer
            self.dialogue.note_shown_question(now)
        return answer

    def implied_question(self) -> TrackerQuestion | None:
        """What a yes means while nothing is asked: an attack, or a move, that nothing has felt."""
        return attacks.implied_question(self._situation()) if self.dialogue.current_question is None else None

    def question_since(self) -> Micros | None:
        """When what is asked came up; `None` if nothing is asked."""
        return self.dialogue.question_since()

    # What hands mean, and when it is reported

    def _situation(self) -> Situation:
        centring = bool(self._centring)
        return self.board.situation(
            self._reminders.last_activity, self.dialogue.settled_events, centring=centring
        )

    def _pending_event(self) -> TrackerEvent | None:
        return None if self._meaning is None else self._meaning.event

    def _reinterpret_hands(self, now: Micros) -> None:
        """Ask the table what hands mean now; the delay runs from when that last changed."""
        situation = self._situation()
        self.dialogue.update_pending_attack(attacks.pending_attack_question(situation))
        meaning = None if self.dialogue.question is not None else interpret_hands(situation)
        if (
            meaning is not None
            and isinstance(meaning.event, MovePutBack)
            and self.position.is_waiting_for_answer
        ):
            self.board.turn_memory.take_back_shown, meaning = True, None
        if self._pending_event() != (None if meaning is None else meaning.event):
            self._meant_since, self._centring = now, ()
        self._meaning = meaning

    def advance(self, now: Micros) -> list[TrackerEvent]:
        """What has become clear by `now`. An intent is reported again until `begin_layout` or
        `require_corrections` answers it."""
        events: list[TrackerEvent] = []
        if self._came_in_order:
            self._came_in_order = False
            events.append(BoardInOrder())
        pending = self.dialogue.take_unreported_pending()
        if pending is not None:
            events.append(pending)
        due = self._agenda.value_for_version(self.version).meaning_due
        if self._meaning is not None and due is not None and now >= due:
            events.append(self._apply_reported_event(self._meaning.event, now))
        self.dialogue.note_shown_question(now)
        return events + self._remind(now)

    def next_due(self) -> Micros | None:
        """When `advance` has something to report next, if nothing is felt before."""
        agenda = self._agenda.value_for_version(self.version)
        times = [*agenda.reminders.values()]
        times += [due for due in (agenda.meaning_due, agenda.unconfirmed_due) if due is not None]
        if self.dialogue.has_unreported_pending:  # a ruling leaves pieces of another attack in the air
            times.append(self._reminders.last_activity)
        return min(times, default=None)

    @property
    def pending_intent(self) -> TrackerEvent | None:
        """What hands mean and is not reported yet; `None` for nothing."""
        return self._pending_event()

    def pending_move_since(self) -> Micros | None:
        """Since when hands have meant the move that waits to be reported; `None` if there is none."""
        return self._meant_since if isinstance(self._pending_event(), HandIntent) else None

    @property
    def last_activity(self) -> Micros:
        """When hands last did something, or corrections came up."""
        return self._reminders.last_activity

    @_bump_version_after
    def _apply_reported_event(self, event: TrackerEvent, now: Micros) -> TrackerEvent:
        match event:
            case TrackerQuestion():
                self.dialogue.question, self._meaning = event, None
            case TakeBackWithdrawn():
                self.board.turn_memory.take_back_shown = False
                self._reinterpret_hands(now)
            case SuspectSpace(space):
                self.board.stuck_sensors.restart_count(space)
                self._reinterpret_hands(now)
            case BoardFault(FaultCode.BETWEEN_SPACES, spaces):
                self._ask_to_centre(spaces, now)
            case BoardFault(FaultCode.NO_ATTACK):
                self.dialogue.no_attack_fault, self._meaning = event, None
            case BoardFault():
                self._report_fault(event, now)
        return event

    def _ask_to_centre(self, spaces: tuple[Place, ...], now: Micros) -> None:
        """What can't be centred in a while was another piece after all."""
        pieces = self.board.piece_tracker
        others = sorted(
            space for space, homes in pieces.stray_candidates.items() if not homes & pieces.lifted_at.keys()
        )
        extra = BoardFault(FaultCode.EXTRA_PIECE, tuple(others))
        self._meaning, self._meant_since = HandMeaning(extra, EXTRA_PIECE_TRANSITION), now
        at_home = pieces.expected_places - pieces.stray_candidates.keys()
        self._centring = tuple(sorted(at_home & {*spaces})) or spaces

    def _report_fault(self, fault: BoardFault, now: Micros) -> None:
        board, turn = self.board, self.board.turn_memory
        in_hands: Collection[Home] = ()
        doubted: Mapping[Home, Place] = {}
        if fault.code is FaultCode.EXTRA_PIECE:
            board.stuck_sensors.count_missed(self._situation().possible_unsensed_origins())
            board.piece_tracker.reported_extra_places.update(fault.spaces)
            doubted = board.doubtful_arrivals(fault.spaces, self.dialogue.settled_events)
            # Whoever holds a piece goes on once the other one is off.
            in_hands = board.piece_tracker.lifted_at.keys() - board.corrections.outstanding
        obligation = turn.must_move_piece, turn.is_touch_move_excused
        board.identity_check.note_fault_reported(fault)
        self._require_corrections(now)
        board.corrections.outstanding.difference_update(in_hands)
        board.doubt_arrivals(doubted, now)
        turn.must_move_piece, turn.is_touch_move_excused = obligation
        if doubted:
            self._reinterpret_hands(now)

    def _remind(self, now: Micros) -> list[TrackerEvent]:
        agenda = self._agenda.value_for_version(self.version)
        late = [what for what, at in agenda.reminders.items() if now >= at]
        unconfirmed = agenda.unconfirmed_due is not None and now >= agenda.unconfirmed_due
        return self._report_late(late, unconfirmed=unconfirmed) if late or unconfirmed else []

    @_bump_version_after
    def _report_late(self, late: Collection[Home | None], *, unconfirmed: bool) -> list[TrackerEvent]:
        chores = self.board.corrections.list_corrections(self.board.piece_tracker, self.position, ())
        attacked = attacked_piece(self._situation())
        events: list[TrackerEvent] = [
            OverdueCorrection(len(chores)) if home is None else LiftReminder(home, home == attacked)
            for home in late
        ]
        self._reminders.given_reminders.update(late)
        if unconfirmed:
            self._reminders.unconfirmed_reported = True
            events.append(UnconfirmedCorrection(tuple(sorted({chore.space for chore in chores}))))
        return events

    def _make_report_schedule(self) -> ReportSchedule:
        situation = self._situation()
        return ReportSchedule(
            None if self._meaning is None else self._meaning.due_time(situation, self._meant_since),
            self._reminders.due_times(situation, self.dialogue.pending_attack),
            self._reminders.unconfirmed_due(situation),
        )

    # What is shown and noted

    @property
    def is_in_order(self) -> bool:
        """Whether no correction is open, and none was met in doubt."""
        return self.board.corrections.is_in_order

    @property
    def spaces_to_correct(self) -> frozenset[Place]:
        """The spaces that corrections wait for."""
        return frozenset(self.board.corrections.outstanding)

    @property
    def doubtful_pairs(self) -> frozenset[frozenset[Home]]:
        """Pairs of pieces of one side that may have been swapped, and are asked about."""
        return frozenset(self.board.swap_doubts.swapped_pairs)

    @property
    def has_alike_in_hands(self) -> bool:
        """Whether two pieces of one side that look alike are up together."""
        return bool(self.board.pairs_up_together())

    @property
    def open_doubts(self) -> OpenDoubts:
        """All that a power cut would leave in doubt at this moment."""
        return self._open_doubts.value_for_version(self.version)

    def take_settled_arrivals(self) -> frozenset[Home]:
        """The spaces to which a piece came and of which people have said since who stands there, once."""
        settled = frozenset(self.board.settled_arrivals)
        self.board.settled_arrivals.clear()
        return settled

    def _make_open_doubts(self) -> OpenDoubts:
        together = self.board.pairs_up_together()
        known = self.board.open_doubts(hands_moved=False)
        pairs = known.swap_pairs | together
        # Of pieces that are alike only two of different seats may be mistaken for one another.
        return (NO_DOUBTS if self.position.has_alike_pieces else known)._replace(swap_pairs=pairs)

    def guidance(self) -> BoardGuidance:
        """What lights and screens show about hands now."""
        return self._guidance.value_for_version(self.version)

    def _make_guidance(self) -> BoardGuidance:
        return self.board.guidance(
            self.dialogue.current_question, self._reminders.given_reminders, self._centring
        )
