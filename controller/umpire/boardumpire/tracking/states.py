"""The tracker as a table: in which state the board is, what hands may have done there, and what comes of it.

Theory of operation
-------------------
A sensor tells that something stands on a space, not which piece, and not whose hand moved it. So the tracker
never learns what happened. It holds what *could* have happened against what public knowledge allows, and
reports only what everybody at the table would agree to. Three things follow.

First, identity is a matter of exclusion. `PieceTracker` starts from a layout that is known and names each
piece by the space where it belongs. A piece that was lifted is *up*. What then closes a sensor is a *stray*,
and it can be any of the pieces that were up at that moment. One left: it is certain. None left: nobody was
seen to bring it.

Second, a single sensor change means nothing. A piece that slides closes the next sensor before it leaves the
last, a sleeve opens one for a moment, a hand puts two pieces down in either order. So no change causes an
event. Each change makes a new `Situation`, `interpret_hands` asks the table what hands *would* have meant if
they stopped now, and only if they do stop, for the delay of that row, it is reported. The delay runs from the
moment at which that meaning came up, not from the last change: fiddling elsewhere must not hold up a move.

Third, what is reported, and when, must be computable by everybody. A row looks at `PublicPosition` and at
sensors, never at a rank or a card, so neither the event nor its moment can tell a secret. Where the sensors
leave two explanations the tracker asks. It never guesses: a wrong ruling told to the table can't be untold.

The state is not stored. It follows from the situation: `STATE_CONDITIONS` gives the condition of each, and
the first that holds is the state. Their order is a matter of trust. What stands in doubt on a space comes
before what is wrong there, that before what is still to be put right, and all of them before what hands mean,
as a move may be judged only from a layout that is known to stand. In each state the rows are tried from the
first. The more special a row, the earlier it stands: a piece felt on two spaces is also an extra piece, and
two pieces up are also a pending attack.

An attack needs more than the table. Both pieces being up proves nothing, as the defender can lift either, so
it stays *pending* until the mover gives a sign that only his hand can give (`AttackConfirmation`), or says
yes. That runs beside the states: `rules.attacks.pending_attack_question` says what is pending in any of them.

What an event leads to is decided elsewhere. A ruling ends in `Tracker.begin_layout` with the next layout, a
refusal in `Tracker.require_corrections`. Both leave *corrections*: differences between board and layout for
people to put right.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from boardumpire.tracking.events import (
    BoardFault,
    FaultCode,
    HandIntent,
    TrackerEvent,
)
from boardumpire.tracking.model import NOWHERE
from boardumpire.tracking.questions import CameFromQuestion, MovedHereQuestion, QuestionCode, TrackerQuestion
from boardumpire.tracking.rules import lifted, set_down, standing
from boardumpire.tracking.rules.moves import RuleResult, UnfinishedGesture
from boardumpire.tracking.situation import Situation
from boardware.ports import Micros


class TrackerState(StrEnum):
    """What the board is in, as far as the meaning of hands is concerned."""

    WHO_STANDS = "who stands"
    WRONG_PIECE = "wrong piece"
    CORRECTING = "correcting"
    WAITING = "waiting"
    SIGNED = "signed"
    IN_DOUBT = "in doubt"
    SET_DOWN = "set down"
    LIFTED = "lifted"
    IN_ORDER = "in order"


STATE_CONDITIONS: tuple[tuple[TrackerState, str, Callable[[Situation], object]], ...] = (
    (
        TrackerState.WHO_STANDS,
        "it is open which piece came to stand on a space",
        lambda s: s.corrections.doubtful_occupants,
    ),
    (TrackerState.WRONG_PIECE, "a tag contradicts what stands there", lambda s: s.identity_fault),
    (
        TrackerState.CORRECTING,
        "board and layout differ, and people put it right",
        lambda s: s.corrections.outstanding,
    ),
    (
        TrackerState.WAITING,
        "all that differs waits for an answer",
        lambda s: s.places_awaiting_answer and s.piece_tracker.differing_spaces() <= s.places_awaiting_answer,
    ),
    (TrackerState.SIGNED, "the mover has given the sign of an attack", lambda s: s.signed_attack),
    (
        # A doubt about the other side's pieces holds up nothing but what it is about.
        TrackerState.IN_DOUBT,
        "pieces that now stand may have been swapped, and nothing else is to be judged",
        lambda s: (
            s.swap_question
            and (s.swap_question.seat in s.position.seats_to_move or not s.piece_tracker.differing_spaces())
        ),
    ),
    (TrackerState.SET_DOWN, "something stands where nothing should", lambda s: s.stray_candidates),
    (TrackerState.LIFTED, "pieces are up", lambda s: s.lifted_at),
    (TrackerState.IN_ORDER, "the board equals the layout", lambda s: True),
)
"""Each state with its meaning and its condition. The first that holds is the state of a situation."""


def state_of(situation: Situation) -> TrackerState:
    """The state of a situation."""
    return next(state for state, _, holds in STATE_CONDITIONS if holds(situation))


class Delay(NamedTuple):
    """How long hands have to mean something before it is reported."""

    option_text: str
    """By the names of the options in `[tracker]`."""
    due_time: Callable[[Situation, TrackerEvent, Micros], Micros]
    """The moment at which an event is due that has been meant since some moment."""


def _delay_by_option(name: str) -> Delay:
    return Delay(f"`{name}`", lambda s, event, since: since + int(getattr(s.timing, name)))


SETTLE_DELAY, ASK_DELAY, CAPTURE_DELAY, ASK_WHERE_DELAY, UNLIKELY_DELAY, ADJOURN_DELAY = map(
    _delay_by_option, ("settle", "ask", "capture", "ask_where", "unlikely", "adjourn")
)


def _move_due(situation: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """A move may be on its way still, and an attack may be withdrawn still."""
    timing, position = situation.timing, situation.position
    if isinstance(event, MovedHereQuestion):
        return _unsensed_move_due(situation, event, since)
    if not isinstance(event, HandIntent):
        return since + timing.settle  # what stands against the move
    origin, target = event
    if not timing.slides and event != situation.signed_attack and target not in situation.lifted_at:
        return since + min(timing.lifted, timing.settle)
    if position.is_capture(origin, target):
        return since + timing.slide  # or the other piece is put back, and then this one
    if event == situation.signed_attack:
        return since + timing.touch
    if target in situation.lifted_at:
        return since + timing.hold
    goes_on = position.has_step_beyond(origin, target)
    pushed = target in situation.piece_tracker.pushed_arrivals or position.is_way_unsensed(origin, target)
    if not pushed and not goes_on and _is_surely_carried(situation, event):
        return since + min(timing.lifted, timing.settle)
    return since + (timing.slide if pushed and goes_on else timing.settle)


def _is_surely_carried(situation: Situation, event: HandIntent) -> bool:
    """Whether the mover's piece, alone in the air for a while, was set down where it may go, and nothing was
    felt between or since: nothing else accounts for that."""
    origin, target = event
    position = situation.position
    return (
        situation.piece_tracker.carried_step == event
        and {*situation.stray_candidates} == {target}
        and situation.can_move_quietly(origin, target)
        and not situation.corrections.outstanding
        and not position.has_alike_pieces
        and {origin, target} <= position.place_coordinates_mm.keys()
    )


def _doubtful_arrival_due(situation: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """Where a push is doubted it may be an early reply, lifted beside: that comes down soon."""
    pushed = (
        isinstance(event, TrackerQuestion) and event.spaces[0] in situation.corrections.pushed_onto_spaces
    )
    return since + (situation.timing.capture if pushed else situation.timing.settle)


def _tag_fault_due(situation: Situation, event: TrackerEvent, since: Micros) -> Micros:
    swapped = isinstance(event, BoardFault) and event.code is FaultCode.PIECES_SWAPPED
    return since + (situation.timing.settle if swapped else situation.timing.ask)


def _unsensed_move_due(situation: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """Where others stand people are left alone for longer: it is asked often, and mostly for nothing."""
    crowded = isinstance(event, TrackerQuestion) and not situation.position.crowded_places.isdisjoint(
        event.spaces[1:]
    )
    return since + (situation.timing.ask_where if crowded else situation.timing.capture)


def _came_from_due(situation: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """A piece that is pushed slowly is on its way still: its own sensor opens in a moment."""
    believed = (
        situation.piece_tracker.felt_places
        - situation.position.hand_played_places
        - situation.position.shared_places
    )
    if not isinstance(event, CameFromQuestion):
        return _move_due(situation, event, since)
    return since + (situation.timing.unlikely if event.origin in believed else situation.timing.settle)


def _drop_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """A piece beside it may be pushed there slowly: its own sensor opens in a moment."""
    target = event[1] if isinstance(event, HandIntent) else NOWHERE
    near = any(
        s.position.is_beside(home, target) for home in s.piece_tracker.felt_places & s.position.owners.keys()
    )
    return since + (s.timing.unlikely if near else s.timing.settle)


def _was_came_from_denied(situation: Situation) -> bool:
    return any(isinstance(each, CameFromQuestion) for each in situation.declined_events)


def _late_set_down_due(situation: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """People were asked already whether another piece came there."""
    return since + (situation.timing.settle if _was_came_from_denied(situation) else situation.timing.capture)


def _extra_piece_due(situation: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """A piece that people try to centre is given more time; where they were asked about it, none."""
    if _was_came_from_denied(situation):
        return since + situation.timing.settle
    return since + (situation.timing.ask_where if situation.is_centring_requested else situation.timing.ask)


def _fallen_pieces_due(situation: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """From the last of them on, whatever hands do elsewhere. Two may have been lifted by two hands."""
    homes = event.spaces if isinstance(event, BoardFault) else ()
    patience = situation.timing.ask_where if len(homes) == 2 else situation.timing.ask
    return max(since + situation.timing.settle, max(situation.lifted_at[home] for home in homes) + patience)


def _in_hand_due(situation: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """People were asked already what the piece does."""
    return since + (situation.timing.settle if situation.declined_events else situation.timing.capture)


MOVE_DELAY = Delay("as a move (above): `settle`, `lifted`, `slide`, `touch`, `hold`", _move_due)
DOUBTFUL_ARRIVAL_DELAY = Delay("`settle`; `capture` after a push", _doubtful_arrival_due)
TAG_FAULT_DELAY = Delay("`settle`; `ask` of a piece that lies", _tag_fault_due)
UNSENSED_MOVE_DELAY = Delay("`capture`; `ask_where` where others stand", _unsensed_move_due)
CAME_FROM_DELAY = Delay("`settle`; `unlikely` while its own sensor is closed", _came_from_due)
DROP = Delay("`settle`; `unlikely` while a piece stands beside it", _drop_due)
LATE_SET_DOWN_DELAY = Delay("`capture`; `settle` once `came-from` was answered", _late_set_down_due)
EXTRA_PIECE_DELAY = Delay(
    "`ask`; `ask_where` after `centre`, `settle` once `came-from` was answered", _extra_piece_due
)
FALLEN_PIECES_DELAY = Delay("`ask` from the last on; `ask_where` if they are two", _fallen_pieces_due)
IN_HAND_DELAY = Delay("`capture`; `settle` after another no", _in_hand_due)


class Transition(NamedTuple):
    """A row of the table. The docstring of its rule says what hands have done."""

    state: TrackerState
    rule: Callable[[Situation], RuleResult]
    events: tuple[str, ...]
    """What is reported: `move`, a question or fault by its code, or the like."""
    delay: Delay
    next_after_no: bool = False
    """Whether the rows below are tried once its question was answered with no. Else nothing more comes of it
    until something changes."""

    def describe_hands(self) -> str:
        """What hands have done, for people."""
        return " ".join((self.rule.__doc__ or "").partition("\n\n")[0].split())


_MOVE_EVENT, _WAIT_EVENT, _TAKE_BACK_EVENT = "move", "nothing yet", "take-back"
QUESTION, FAULT, STATE = QuestionCode, FaultCode, TrackerState

TRANSITIONS: tuple[Transition, ...] = (
    Transition(STATE.WHO_STANDS, standing.detect_earlier_move, (_MOVE_EVENT,), MOVE_DELAY),
    Transition(STATE.WHO_STANDS, standing.ask_who_stands, (QUESTION.WHO_STANDS,), DOUBTFUL_ARRIVAL_DELAY),
    Transition(
        STATE.WRONG_PIECE,
        standing.report_tag_fault,
        (FAULT.PIECES_SWAPPED, FAULT.PIECE_LYING),
        TAG_FAULT_DELAY,
    ),
    Transition(
        STATE.CORRECTING, standing.detect_mistaken_refusal, (_MOVE_EVENT, QUESTION.MOVED_HERE), MOVE_DELAY
    ),
    Transition(
        STATE.CORRECTING, standing.detect_clearing_while_correcting, (QUESTION.ADJOURN,), ADJOURN_DELAY
    ),
    Transition(STATE.SIGNED, standing.report_signed_attack, (_MOVE_EVENT,), MOVE_DELAY),
    Transition(STATE.IN_DOUBT, standing.ask_same_places, (QUESTION.SAME_PLACES,), SETTLE_DELAY),
    # Several pieces that count as one, or of which one counts first, before any is looked at alone.
    Transition(STATE.SET_DOWN, set_down.detect_capture, (_MOVE_EVENT,), MOVE_DELAY),
    Transition(STATE.SET_DOWN, set_down.detect_joint_move, (_MOVE_EVENT, _WAIT_EVENT), MOVE_DELAY),
    Transition(
        STATE.SET_DOWN,
        set_down.detect_first_of_alike,
        (_MOVE_EVENT, QUESTION.THAT_PIECE, _WAIT_EVENT),
        MOVE_DELAY,
    ),
    # What nobody was seen to lift, before what was lifted: a move beside a stranger may be no move at all.
    Transition(
        STATE.SET_DOWN, set_down.detect_corrected_move, (_MOVE_EVENT, QUESTION.MOVED_HERE), MOVE_DELAY
    ),
    Transition(
        STATE.SET_DOWN,
        set_down.ask_about_winner_beside,
        (QUESTION.WHO_STANDS,),
        ASK_DELAY,
        next_after_no=True,
    ),
    Transition(STATE.SET_DOWN, set_down.detect_piece_between_spaces, (FAULT.BETWEEN_SPACES,), ASK_DELAY),
    Transition(STATE.SET_DOWN, set_down.dropped, (_MOVE_EVENT, QUESTION.CAME_FROM), DROP, next_after_no=True),
    Transition(
        STATE.SET_DOWN, set_down.detect_move_from_unsensed, (_MOVE_EVENT, QUESTION.CAME_FROM), CAME_FROM_DELAY
    ),
    Transition(STATE.SET_DOWN, set_down.detect_move_by_tag, (_MOVE_EVENT,), MOVE_DELAY),
    Transition(STATE.SET_DOWN, set_down.detect_stuck_sensor, ("by hand?",), UNLIKELY_DELAY),
    Transition(
        STATE.SET_DOWN, set_down.ask_where_from, (QUESTION.CAME_FROM,), CAME_FROM_DELAY, next_after_no=True
    ),
    Transition(
        STATE.SET_DOWN,
        set_down.ask_about_late_arrival,
        (QUESTION.WHO_STANDS,),
        LATE_SET_DOWN_DELAY,
        next_after_no=True,
    ),
    Transition(STATE.SET_DOWN, set_down.detect_extra_piece, (FAULT.EXTRA_PIECE,), EXTRA_PIECE_DELAY),
    # What was lifted. Doubt about which piece it is comes before what the piece does.
    Transition(STATE.SET_DOWN, set_down.ask_which_piece_moved, (QUESTION.THAT_PIECE,), SETTLE_DELAY),
    Transition(
        STATE.SET_DOWN,
        set_down.ask_about_capture_beside,
        (QUESTION.ATTACK_HERE,),
        CAPTURE_DELAY,
        next_after_no=True,
    ),
    Transition(STATE.SET_DOWN, set_down.ask_whether_another_piece, (QUESTION.THAT_PIECE,), SETTLE_DELAY),
    Transition(STATE.SET_DOWN, set_down.detect_put_back, (_TAKE_BACK_EVENT,), SETTLE_DELAY),
    Transition(STATE.SET_DOWN, set_down.detect_move, (_MOVE_EVENT,), MOVE_DELAY),
    Transition(
        STATE.SET_DOWN, set_down.detect_out_of_turn, (FAULT.NOT_YOUR_TURN, _TAKE_BACK_EVENT), SETTLE_DELAY
    ),
    Transition(STATE.SET_DOWN, set_down.detect_likely_move, (_MOVE_EVENT, QUESTION.THAT_PIECE), MOVE_DELAY),
    Transition(STATE.SET_DOWN, set_down.report_unclear_moves, (FAULT.UNCLEAR_MOVES,), ASK_DELAY),
    # More pieces up than a move or an attack takes, then pairs, then one alone.
    Transition(STATE.LIFTED, lifted.detect_capture, (_MOVE_EVENT,), MOVE_DELAY),
    Transition(STATE.LIFTED, lifted.wait_for_attack_sign, (_WAIT_EVENT,), SETTLE_DELAY),
    Transition(STATE.LIFTED, lifted.detect_clearing_by_several, (QUESTION.ADJOURN,), ADJOURN_DELAY),
    Transition(STATE.LIFTED, lifted.detect_fallen_pieces, (FAULT.PIECES_DOWN,), FALLEN_PIECES_DELAY),
    Transition(STATE.LIFTED, lifted.wait_for_capturing_piece, (_WAIT_EVENT,), SETTLE_DELAY),
    Transition(STATE.LIFTED, lifted.detect_impossible_attack, (FAULT.NO_ATTACK,), UNLIKELY_DELAY),
    Transition(STATE.LIFTED, lifted.detect_held_attack, (_MOVE_EVENT, _WAIT_EVENT), MOVE_DELAY),
    Transition(
        STATE.LIFTED,
        lifted.ask_about_touched_target,
        (QUESTION.ATTACK_HERE,),
        CAPTURE_DELAY,
        next_after_no=True,
    ),
    Transition(
        STATE.LIFTED,
        lifted.ask_about_unsensed_move,
        (QUESTION.MOVED_HERE, QUESTION.MOVED_WHERE),
        UNSENSED_MOVE_DELAY,
        next_after_no=True,
    ),
    Transition(
        STATE.LIFTED,
        lifted.ask_about_unsensed_attack,
        (QUESTION.ATTACK_HERE, QUESTION.ATTACK_WHERE),
        CAPTURE_DELAY,
        next_after_no=True,
    ),
    Transition(
        STATE.LIFTED, lifted.ask_whether_in_hand, (QUESTION.IN_HAND,), IN_HAND_DELAY, next_after_no=True
    ),
    Transition(STATE.LIFTED, lifted.ask_who_refilled_place, (QUESTION.WHO_STANDS,), ASK_WHERE_DELAY),
    Transition(STATE.LIFTED, lifted.ask_in_hand_again, (QUESTION.IN_HAND,), IN_HAND_DELAY),
    Transition(
        STATE.IN_ORDER,
        standing.ask_about_mislaid_piece,
        (QUESTION.MOVED_HERE,),
        SETTLE_DELAY,
        next_after_no=True,
    ),
    Transition(STATE.IN_ORDER, standing.detect_withdrawn_take_back, ("take-back withdrawn",), SETTLE_DELAY),
)
"""In each state the first row applies whose rule says something. Where none does nothing is meant."""

EXTRA_PIECE_TRANSITION = next(row for row in TRANSITIONS if row.rule is set_down.detect_extra_piece)
_TRANSITIONS_BY_STATE = {state: [row for row in TRANSITIONS if row.state is state] for state in TrackerState}


class HandMeaning(NamedTuple):
    """What hands would have meant if they stopped now, and by which row."""

    event: TrackerEvent
    transition: Transition

    def due_time(self, situation: Situation, since: Micros) -> Micros:
        """When it is to be reported, if it has been meant `since` then and nothing changes."""
        return self.transition.delay.due_time(situation, self.event, since)


def interpret_hands(situation: Situation) -> HandMeaning | None:
    """What hands mean, by the first row that applies."""
    for row in _TRANSITIONS_BY_STATE[state_of(situation)]:
        event = row.rule(situation)
        if event is None:
            continue
        if isinstance(event, UnfinishedGesture):
            return None
        if event not in situation.declined_events:
            return HandMeaning(event, row)
        if not row.next_after_no:
            return None
    return None
