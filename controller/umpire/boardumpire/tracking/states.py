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
event. Each change makes a new `Situation`, `interpret` asks the table what hands *would* have meant if they
stopped now, and only if they do stop, for the delay of that row, it is reported. The delay runs from the
moment at which that meaning came up, not from the last change: fiddling elsewhere must not hold up a move.

Third, what is reported, and when, must be computable by everybody. A row looks at `PublicPosition` and at
sensors, never at a rank or a card, so neither the event nor its moment can tell a secret. Where the sensors
leave two explanations the tracker asks. It never guesses: a wrong ruling told to the table can't be untold.

The state is not stored. It follows from the situation: `STATES` gives the condition of each, and the first
that holds is the state. Their order is a matter of trust. What stands in doubt on a space comes before what
is wrong there, that before what is still to be put right, and all of them before what hands mean, as a move
may be judged only from a layout that is known to stand. In each state the rows are tried from the first. The
more special a row, the earlier it stands: a piece felt on two spaces is also an extra piece, and two pieces
up are also a pending attack.

An attack needs more than the table. Both pieces being up proves nothing, as the defender can lift either, so
it stays *pending* until the mover gives a sign that only his hand can give (`AttackConfirmation`), or says
yes. That runs beside the states: `rules.attacks.pending` says what is pending in any of them.

What an event leads to is decided elsewhere. A ruling ends in `Tracker.begin` with the next layout, a refusal
in `Tracker.undo`. Both leave *corrections*: differences between board and layout for people to put right.
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
from boardumpire.tracking.questions import CameFrom, MovedHere, QuestionCode, TrackerQuestion
from boardumpire.tracking.rules import lifted, set_down, standing
from boardumpire.tracking.rules.moves import Outcome, Unfinished
from boardumpire.tracking.situation import Situation
from boardware.ports import Micros


class State(StrEnum):
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


STATES: tuple[tuple[State, str, Callable[[Situation], object]], ...] = (
    (
        State.WHO_STANDS,
        "it is open which piece came to stand on a space",
        lambda s: s.corrections.claimed,
    ),
    (State.WRONG_PIECE, "a tag contradicts what stands there", lambda s: s.identity_fault),
    (
        State.CORRECTING,
        "board and layout differ, and people put it right",
        lambda s: s.corrections.outstanding,
    ),
    (
        State.WAITING,
        "all that differs waits for an answer",
        lambda s: s.awaiting_answer and s.pieces.differing_spaces() <= s.awaiting_answer,
    ),
    (State.SIGNED, "the mover has given the sign of an attack", lambda s: s.signed),
    (
        # A doubt about the other side's pieces holds up nothing but what it is about.
        State.IN_DOUBT,
        "pieces that now stand may have been swapped, and nothing else is to be judged",
        lambda s: s.doubt and (s.doubt.seat in s.position.movers or not s.pieces.differing_spaces()),
    ),
    (State.SET_DOWN, "something stands where nothing should", lambda s: s.strays),
    (State.LIFTED, "pieces are up", lambda s: s.up),
    (State.IN_ORDER, "the board equals the layout", lambda s: True),
)
"""Each state with its meaning and its condition. The first that holds is the state of a situation."""


def state_of(s: Situation) -> State:
    """The state of a situation."""
    return next(state for state, _, holds in STATES if holds(s))


class Delay(NamedTuple):
    """How long hands have to mean something before it is reported."""

    text: str
    """By the names of the options in `[tracker]`."""
    due: Callable[[Situation, TrackerEvent, Micros], Micros]
    """The moment at which an event is due that has been meant since some moment."""


def _option(name: str) -> Delay:
    return Delay(f"`{name}`", lambda s, event, since: since + int(getattr(s.timing, name)))


SETTLE, ASK, CAPTURE, WONDER, UNLIKELY, ADJOURN = map(
    _option, ("settle", "ask", "capture", "ask_where", "unlikely", "adjourn")
)


def _move_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """A move may be on its way still, and an attack may be withdrawn still."""
    timing, position = s.timing, s.position
    if isinstance(event, MovedHere):
        return _unfelt_due(s, event, since)
    if not isinstance(event, HandIntent):
        return since + timing.settle  # what stands against the move
    origin, target = event
    if position.captures(origin, target):
        return since + timing.slide  # or the other piece is put back, and then this one
    if event == s.signed:
        return since + timing.touch
    if target in s.up:
        return since + timing.hold
    pushed = target in s.pieces.pushed or position.open_way(origin, target)
    return since + (timing.slide if pushed and position.further(origin, target) else timing.settle)


def _claim_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """Where a push is doubted it may be an early reply, lifted beside: that comes down soon."""
    pushed = isinstance(event, TrackerQuestion) and event.spaces[0] in s.corrections.pushed
    return since + (s.timing.capture if pushed else s.timing.settle)


def _tag_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    swapped = isinstance(event, BoardFault) and event.code is FaultCode.SWAPPED
    return since + (s.timing.settle if swapped else s.timing.ask)


def _unfelt_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """Where others stand people are left alone for longer: it is asked often, and mostly for nothing."""
    crowded = isinstance(event, TrackerQuestion) and not s.position.crowded.isdisjoint(event.spaces[1:])
    return since + (s.timing.ask_where if crowded else s.timing.capture)


def _came_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """A piece that is pushed slowly is on its way still: its own sensor opens in a moment."""
    believed = s.pieces.felt - s.position.blind - s.position.shared
    if not isinstance(event, CameFrom):
        return _move_due(s, event, since)
    return since + (s.timing.unlikely if event.origin in believed else s.timing.settle)


def _drop_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """A piece beside it may be pushed there slowly: its own sensor opens in a moment."""
    target = event[1] if isinstance(event, HandIntent) else NOWHERE
    near = any(s.position.beside(home, target) for home in s.pieces.felt & s.position.owners.keys())
    return since + (s.timing.unlikely if near else s.timing.settle)


def _nobody_came(s: Situation) -> bool:
    return any(isinstance(each, CameFrom) for each in s.declined)


def _late_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """People were asked already whether another piece came there."""
    return since + (s.timing.settle if _nobody_came(s) else s.timing.capture)


def _extra_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """A piece that people try to centre is given more time; where they were asked about it, none."""
    if _nobody_came(s):
        return since + s.timing.settle
    return since + (s.timing.ask_where if s.centring else s.timing.ask)


def _down_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """From the last of them on, whatever hands do elsewhere. Two may have been lifted by two hands."""
    homes = event.spaces if isinstance(event, BoardFault) else ()
    patience = s.timing.ask_where if len(homes) == 2 else s.timing.ask
    return max(since + s.timing.settle, max(s.up[home] for home in homes) + patience)


def _in_hand_due(s: Situation, event: TrackerEvent, since: Micros) -> Micros:
    """People were asked already what the piece does."""
    return since + (s.timing.settle if s.declined else s.timing.capture)


MOVE = Delay("as a move (above): `settle`, `slide`, `touch`, `hold`", _move_due)
CLAIM = Delay("`settle`; `capture` after a push", _claim_due)
TAG = Delay("`settle`; `ask` of a piece that lies", _tag_due)
UNFELT = Delay("`capture`; `ask_where` where others stand", _unfelt_due)
CAME = Delay("`settle`; `unlikely` while its own sensor is closed", _came_due)
DROP = Delay("`settle`; `unlikely` while a piece stands beside it", _drop_due)
LATE = Delay("`capture`; `settle` once `came-from` was answered", _late_due)
EXTRA = Delay("`ask`; `ask_where` after `centre`, `settle` once `came-from` was answered", _extra_due)
DOWN = Delay("`ask` from the last on; `ask_where` if they are two", _down_due)
IN_HAND = Delay("`capture`; `settle` after another no", _in_hand_due)


class Transition(NamedTuple):
    """A row of the table. The docstring of its rule says what hands have done."""

    state: State
    rule: Callable[[Situation], Outcome]
    events: tuple[str, ...]
    """What is reported: `move`, a question or fault by its code, or the like."""
    delay: Delay
    next_after_no: bool = False
    """Whether the rows below are tried once its question was answered with no. Else nothing more comes of it
    until something changes."""

    def hands(self) -> str:
        """What hands have done, for people."""
        return " ".join((self.rule.__doc__ or "").partition("\n\n")[0].split())


_MOVE, _WAIT, _BACK = "move", "nothing yet", "take-back"
Q, F, S = QuestionCode, FaultCode, State

TRANSITIONS: tuple[Transition, ...] = (
    Transition(S.WHO_STANDS, standing.moved_before, (_MOVE,), MOVE),
    Transition(S.WHO_STANDS, standing.who_stands, (Q.WHO_STANDS,), CLAIM),
    Transition(S.WRONG_PIECE, standing.wrong_by_tag, (F.SWAPPED, F.LYING), TAG),
    Transition(S.CORRECTING, standing.refused_by_mistake, (_MOVE, Q.MOVED_HERE), MOVE),
    Transition(S.CORRECTING, standing.clears_while_correcting, (Q.ADJOURN,), ADJOURN),
    Transition(S.SIGNED, standing.signed_attack, (_MOVE,), MOVE),
    Transition(S.IN_DOUBT, standing.same_places, (Q.SAME_PLACES,), SETTLE),
    # Several pieces that count as one, or of which one counts first, before any is looked at alone.
    Transition(S.SET_DOWN, set_down.captures, (_MOVE,), MOVE),
    Transition(S.SET_DOWN, set_down.moves_together, (_MOVE, _WAIT), MOVE),
    Transition(S.SET_DOWN, set_down.moves_one_of_alike, (_MOVE, Q.THAT_PIECE, _WAIT), MOVE),
    # What nobody was seen to lift, before what was lifted: a move beside a stranger may be no move at all.
    Transition(S.SET_DOWN, set_down.moves_after_all, (_MOVE, Q.MOVED_HERE), MOVE),
    Transition(S.SET_DOWN, set_down.winner_beside, (Q.WHO_STANDS,), ASK, next_after_no=True),
    Transition(S.SET_DOWN, set_down.stands_between, (F.BETWEEN_SPACES,), ASK),
    Transition(S.SET_DOWN, set_down.dropped, (_MOVE, Q.CAME_FROM), DROP, next_after_no=True),
    Transition(S.SET_DOWN, set_down.moves_from_deaf_space, (_MOVE, Q.CAME_FROM), CAME),
    Transition(S.SET_DOWN, set_down.moves_by_tag, (_MOVE,), MOVE),
    Transition(S.SET_DOWN, set_down.sensor_sticks, ("by hand?",), UNLIKELY),
    Transition(S.SET_DOWN, set_down.may_have_come, (Q.CAME_FROM,), CAME, next_after_no=True),
    Transition(S.SET_DOWN, set_down.set_down_late, (Q.WHO_STANDS,), LATE, next_after_no=True),
    Transition(S.SET_DOWN, set_down.extra_piece, (F.EXTRA_PIECE,), EXTRA),
    # What was lifted. Doubt about which piece it is comes before what the piece does.
    Transition(S.SET_DOWN, set_down.may_be_pushed_by_turn, (Q.THAT_PIECE,), SETTLE),
    Transition(S.SET_DOWN, set_down.captured_beside, (Q.ATTACK_HERE,), CAPTURE, next_after_no=True),
    Transition(S.SET_DOWN, set_down.may_be_another, (Q.THAT_PIECE,), SETTLE),
    Transition(S.SET_DOWN, set_down.puts_back, (_BACK,), SETTLE),
    Transition(S.SET_DOWN, set_down.moves, (_MOVE,), MOVE),
    Transition(S.SET_DOWN, set_down.moves_out_of_turn, (F.NOT_YOUR_TURN, _BACK), SETTLE),
    Transition(S.SET_DOWN, set_down.moves_likely, (_MOVE, Q.THAT_PIECE), MOVE),
    Transition(S.SET_DOWN, set_down.muddle, (F.MUDDLE,), ASK),
    # More pieces up than a move or an attack takes, then pairs, then one alone.
    Transition(S.LIFTED, lifted.captures, (_MOVE,), MOVE),
    Transition(S.LIFTED, lifted.waits_for_attack, (_WAIT,), SETTLE),
    Transition(S.LIFTED, lifted.cleared_by_several, (Q.ADJOURN,), ADJOURN),
    Transition(S.LIFTED, lifted.pieces_down, (F.PIECES_DOWN,), DOWN),
    Transition(S.LIFTED, lifted.takes_beside, (_WAIT,), SETTLE),
    Transition(S.LIFTED, lifted.no_attack, (F.NO_ATTACK,), UNLIKELY),
    Transition(S.LIFTED, lifted.held_up, (_MOVE, _WAIT), MOVE),
    Transition(S.LIFTED, lifted.touched, (Q.ATTACK_HERE,), CAPTURE, next_after_no=True),
    Transition(S.LIFTED, lifted.moved_unfelt, (Q.MOVED_HERE, Q.MOVED_WHERE), UNFELT, next_after_no=True),
    Transition(
        S.LIFTED, lifted.attacked_unfelt, (Q.ATTACK_HERE, Q.ATTACK_WHERE), CAPTURE, next_after_no=True
    ),
    Transition(S.LIFTED, lifted.in_hand, (Q.IN_HAND,), IN_HAND, next_after_no=True),
    Transition(S.LIFTED, lifted.set_upon, (Q.WHO_STANDS,), WONDER),
    Transition(S.LIFTED, lifted.in_hand_after_no, (Q.IN_HAND,), IN_HAND),
    Transition(S.IN_ORDER, standing.mislaid, (Q.MOVED_HERE,), SETTLE, next_after_no=True),
    Transition(S.IN_ORDER, standing.take_back_withdrawn, ("take-back withdrawn",), SETTLE),
)
"""In each state the first row applies whose rule says something. Where none does nothing is meant."""

EXTRA_PIECE = next(row for row in TRANSITIONS if row.rule is set_down.extra_piece)
_BY_STATE = {state: [row for row in TRANSITIONS if row.state is state] for state in State}


class Meaning(NamedTuple):
    """What hands would have meant if they stopped now, and by which row."""

    event: TrackerEvent
    row: Transition

    def due(self, s: Situation, since: Micros) -> Micros:
        """When it is to be reported, if it has been meant `since` then and nothing changes."""
        return self.row.delay.due(s, self.event, since)


def interpret(s: Situation) -> Meaning | None:
    """What hands mean, by the first row that applies."""
    for row in _BY_STATE[state_of(s)]:
        event = row.rule(s)
        if event is None:
            continue
        if isinstance(event, Unfinished):
            return None
        if event not in s.declined:
            return Meaning(event, row)
        if not row.next_after_no:
            return None
    return None
