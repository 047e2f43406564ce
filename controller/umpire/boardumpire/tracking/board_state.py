"""What is known of one board: who is where, what has to be put right, what is in doubt, what hands did. Pure.

`BoardState` is what sensor changes and new layouts write to. It draws no conclusions: `Tracker` asks the
table in `states` what hands mean.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from boardrules.core import Seat
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.attack_confirmation import AttackConfirmation
from boardumpire.tracking.corrections import Corrections
from boardumpire.tracking.events import BoardGuidance, TrackerEvent
from boardumpire.tracking.identity import IdentityCheck
from boardumpire.tracking.model import NOWHERE, Home, Place, PublicPosition
from boardumpire.tracking.open_doubts import NO_DOUBTS, OpenDoubts, Pair
from boardumpire.tracking.piece_tracker import PieceTracker
from boardumpire.tracking.questions import CameFrom, TrackerQuestion, WhoStands
from boardumpire.tracking.situation import MAX_ASKED, EnemyTouch, Situation, Tap
from boardumpire.tracking.stuck_sensors import StuckSensorDetector
from boardumpire.tracking.swap_doubts import SwapDoubts
from boardumpire.tracking.timing import TrackerTiming
from boardware.ports import Micros


class Arrival(NamedTuple):
    """A piece came to stand somewhere by a ruling."""

    at: Micros
    """When that was ruled."""
    won: bool
    """Whether it has won a battle there."""


@dataclass
class TurnMemory:
    """What is remembered from one ruling to the next; what each field means says `Situation`."""

    layout_since: Micros = 0
    must_move: Home | None = None
    excused: bool = False
    """Whether a touched piece turned out unable to move: then touching obliges to nothing this turn."""
    nothing_lifted: bool = True
    was_in_order: bool = False
    take_back_shown: bool = False
    battle: tuple[Place, Place] | None = None
    last_moved: tuple[Home, frozenset[Place]] | None = None
    arrived: dict[Home, Arrival] = field(default_factory=dict)
    """Where the pieces stand that each side has moved last, and with which it has won a battle last, the
    latest first. Another one may have been set down in the stead of any of them: sensors know no faces."""
    step: tuple[Place, Place] | None = None
    """The last move (origin, target), if the last ruling was one."""
    refused: tuple[Home, Place] | None = None
    mislaid: tuple[Place, ...] = ()
    lost: Home | None = None
    """The piece that is in no hand, as its owner says, and not felt anywhere."""
    missing: set[Home] = field(default_factory=set)
    dips: dict[Place, tuple[Home, Micros]] = field(default_factory=dict)
    """By space whose piece is up, the mover's piece that was up alone before it and may attack it; when."""
    touch: EnemyTouch | None = None
    tapped: Tap | None = None


class BoardState:
    """All that the sensors of one board and the rulings of its game have told."""

    def __init__(self, timing: TrackerTiming) -> None:
        self.timing = timing
        self.position = PublicPosition({}, frozenset(), frozenset(), {})
        self.pieces = PieceTracker(timing.settle, timing.touch)
        self.corrections = Corrections(timing.settle, timing.touch)
        self.identity = IdentityCheck(self.pieces, self.corrections)
        self.doubts = SwapDoubts(self.pieces, timing.settle, timing.touch)
        self.signs = AttackConfirmation(timing.touch, timing.tap)
        self.stuck_sensors = StuckSensorDetector()
        self.turn = TurnMemory()
        self.settled_arrivals: set[Home] = set()
        """Spaces to which a piece came and of which people have said since who stands there: to be noted."""

    def situation(
        self, last_activity: Micros, settled: Collection[TrackerEvent], *, centring: bool
    ) -> Situation:
        """What the meaning of hands depends on now; see there."""
        up, turn, away = self.pieces.up, self.turn, self.timing.away
        return Situation(
            position=self.position,
            pieces=self.pieces,
            corrections=self.corrections,
            timing=self.timing,
            doubtful_pairs=frozenset(self.doubts.pairs),
            touch=turn.touch,
            tapped=turn.tapped,
            must_move=turn.must_move,
            nothing_lifted=turn.nothing_lifted,
            was_in_order=turn.was_in_order,
            identity_fault=self.identity.fault(),
            signed=self.signs.given,
            long_away=frozenset(home for home, at in up.items() if last_activity - at >= away),
            awaiting_answer=self.awaiting_answer(),
            stuck_sensors=self.stuck_sensors,
            declined=settled,
            last_activity=last_activity,
            mislaid=turn.mislaid,
            layout_since=turn.layout_since,
            refused=turn.refused,
            last_moved=turn.last_moved,
            winners=self._winners_set_down(),
            missing=frozenset(turn.missing),
            take_back_shown=turn.take_back_shown,
            centring=centring,
        )

    def awaiting_answer(self) -> frozenset[Place]:
        """Pieces that hands took up, and what may be those elsewhere, while that waits for an answer."""
        pieces = self.pieces
        away = pieces.up.keys() & self.position.resting
        return frozenset((*away, *(pieces.strays if len(pieces.strays) <= len(away) else ())))

    def in_play(self) -> set[Place]:
        """What hands lifted and set down since the board was in order, corrections aside."""
        return self.pieces.differing_spaces() - self.corrections.outstanding

    def sensed(self, felt: Iterable[Place]) -> set[Place]:
        """What is felt; a space played by hand counts as the layout says."""
        blind = self.position.blind
        return (set(felt) - blind) | (blind & self.position.owners.keys())

    def guidance(
        self, asked: TrackerQuestion | None, reminded: Collection[Home | None], centring: tuple[Place, ...]
    ) -> BoardGuidance:
        """What lights and screens show, where people are `asked` this, were `reminded` of these pieces, and
        shall centre a piece that these spaces share."""
        pieces, position, outstanding = self.pieces, self.position, self.corrections.outstanding
        in_play = set(pieces.up) - outstanding - self.awaiting_answer()
        own = position.own(in_play)
        alone = own[0] if len(own) == 1 and not outstanding else None
        lifted = (pieces.loose_pieces() & in_play) | ({alone} if alone else set())
        hidden = None if in_play or outstanding else position.hidden()
        home = alone or hidden or NOWHERE
        hints = position.hints.get(home) or position.steps.get(home, {})
        taken: set[Place] = set()
        if len(in_play) > 1:  # what is to be taken stays a hint, though it is up
            taken = {target for target in hints if position.captures(home, target)}
        chores = self.corrections.list_corrections(pieces, position, centring, self.turn.step)
        late = tuple(sorted(in_play & {*reminded, *self.turn.missing} - taken))
        return BoardGuidance(chores, tuple(sorted(lifted - taken)), hints, asked, late)

    # A new layout

    def begin_layout(
        self,
        position: PublicPosition,
        felt: Iterable[Place],
        now: Micros,
        *,
        hands: tuple[Place, ...] | None,
        exchange: Place | None,
        doubts: OpenDoubts,
        battle: tuple[Place, Place] | None,
        owed: Iterable[Place],
        carried: tuple[Place, Place] | None,
        said: Collection[Home],
        unsure: Collection[Place],
        arrived: Mapping[Home, bool],
    ) -> None:
        """Take a new layout; the parameters are those of `Tracker.begin`."""
        pieces, turn, before = self.pieces, self.turn, self.position
        step = (hands[0], hands[1]) if hands is not None and len(hands) == 2 else None
        # What is known of the layout until now, by the names that pieces have in it.
        way = carried or step
        known = self.open_doubts(doubts, hands_moved=bool(hands)).renamed(way)
        signed = self._still_signed(position) if hands == () else None
        moved = frozenset(hands or ()) | (frozenset(owed) - {*(signed or ())}) | self.awaiting_answer()
        early = self._early(position, hands, moved)
        attacked = step is not None and before.is_attack(*step)
        upon = step[1] if step is not None and attacked and pieces.set_upon.get(step[0]) == step[1] else None
        if hands != ():
            turn.last_moved = before.other_targets(step) if step is not None else None
            turn.step = step
        turn.mislaid = self._mislaid_by(position, hands)
        turn.refused, turn.layout_since = None, now
        self.doubts.note_new_pieces(before, position, start=hands is None)
        # From here on it is the new one.
        self.position = position
        self._note_arrivals(
            arrived if hands is None else {way[1]: attacked or exchange is not None} if way else {}, now
        )
        pieces.reset(position.judged(), position.free, self.sensed(felt), moved, now)
        self.doubts.note_felt()
        if hands:
            turn.battle = (hands[0], hands[1]) if attacked or exchange is not None else None
        elif battle is not None:
            turn.battle = battle
        if hands is None:
            early |= self._explain_strays(now, doubted=bool(known.claims or known.wrong))
        if position.named or self.doubts.set_up.pairs:
            self.doubts.set_up.begin_set_up(position.named, pieces.felt, said, now)
        self.doubts.keep({pair for pair in known.pairs if pair.isdisjoint(said)}, position)
        lifted_once = (
            {*unsure} if hands is None else {upon} if upon is not None and exchange is None else set()
        )
        early = shared_spaces.kept_places(pieces.differing_spaces(), early)
        self._begin_corrections(early, exchange, lifted_once)
        self._ask_again(known, now, start=hands is None)
        self.identity.begin_layout()
        turn.dips.clear()
        turn.must_move, turn.excused, turn.take_back_shown = None, False, False
        turn.nothing_lifted = early.isdisjoint(pieces.differing_spaces())
        turn.missing.intersection_update(pieces.up if hands else ())
        turn.was_in_order = self.corrections.in_order
        self.forget_gestures()
        self.signs.given = signed

    def forget_gestures(self) -> None:
        """Another turn, or hands are led back."""
        self.turn.touch = self.turn.tapped = self.turn.lost = None
        self.signs.forget()

    def _still_signed(self, position: PublicPosition) -> tuple[Home, Place] | None:
        """The attack whose sign the mover has given, where something was only said: no word wards it off."""
        given, was = self.signs.given, self.position
        same = (position.owners, position.movers) == (was.owners, was.movers)
        return given if same and given is not None and given[0] in self.pieces.up else None

    def _early(
        self, position: PublicPosition, hands: tuple[Place, ...] | None, moved: frozenset[Place]
    ) -> set[Place]:
        """What hands did before the ruling and stays in play."""
        if hands is None:
            return set()
        early, refused = self.in_play() - moved, self.turn.refused
        if hands and refused is not None and hands == (refused[0], *hands[1:]):
            early |= {refused[1]} & self.pieces.strays.keys() - moved  # it was another piece
        if position.alike and hands and hands[0] in self.pieces.replaced_at(hands[-1]):
            early.add(hands[0])  # another one stands there already
        return early

    def _mislaid_by(self, position: PublicPosition, hands: tuple[Place, ...] | None) -> tuple[Place, ...]:
        """The piece that is in no hand, as its owner says, while its space comes to be played by hand: it may
        stand there, or where no sensor feels it. What only is said ends no question about it."""
        if hands != () or position.owners != self.position.owners:
            return ()
        home = self.turn.lost
        if home is None or home not in self.position.own(self.pieces.up.keys() & position.blind):
            return self.turn.mislaid
        return (home, *self.position.quiet_targets(home, self.pieces.felt)[:MAX_ASKED])

    def _note_arrivals(self, came: Mapping[Home, bool], now: Micros) -> None:
        """Pieces have come to these spaces, to the first of them last; true: it has won a battle there."""
        owners = {} if self.position.alike else self.position.owners
        latest: dict[tuple[Seat, bool], Home] = {}
        new = {home: Arrival(now, won) for home, won in came.items()}
        arrived = new | {home: each for home, each in self.turn.arrived.items() if home not in new}
        for home, arrival in arrived.items():
            if home in owners:
                latest.setdefault((owners[home], arrival.won), home)
        self.turn.arrived = {home: arrived[home] for home in latest.values()}

    def _begin_corrections(
        self, early: Collection[Place], exchange: Place | None, lifted_once: Iterable[Place]
    ) -> None:
        position, pieces = self.position, self.pieces
        standing = pieces.felt - position.blind
        beaten = {exchange} & standing if exchange is not None else set()
        leaving = position.leaving.keys() & position.owners.keys() & standing
        leaving |= {*lifted_once} & position.judged() & standing
        self.corrections.begin_layout(
            pieces.differing_spaces() - {*early} - self.awaiting_answer(),
            beaten,
            leaving=leaving,
            off_slots=position.off_slots & pieces.up.keys(),
        )

    def _explain_strays(self, now: Micros, *, doubted: bool) -> set[Place]:
        """At a start: what stands where nothing should may be any piece that is missing, if nothing is known
        of it.

        Returns what is in play though it differs: a move that is put back to ask for a take-back; one piece
        too many, where none is missing. That may have come off a sensor that sticks, or be one that moved,
        unless it is `doubted` already who stands where.
        """
        air, strays, last = self.pieces.up, self.pieces.strays, self.position.last
        if len(strays) == 1 and not (air or doubted or self.position.boxed):
            (space,) = strays
            self.pieces.note_found(space, now)
            return {space}
        if self.position.alike:
            return set()
        strays.update((space, frozenset(air)) for space, homes in strays.items() if not homes)
        for origin, target in filter(None, (self.turn.battle, last)):
            if origin in strays and target in air:  # as it was put back, most likely
                strays[origin] = frozenset({target})
        self.pieces.drop_impossible()
        return {*last} & {*air, *strays} if self.position.waiting and last is not None else set()

    def _ask_again(self, known: OpenDoubts, now: Micros, *, start: bool) -> None:
        """What was in doubt is in doubt still. `start`: nobody watched the board before."""
        if self.position.alike:
            return
        corrections, pieces = self.corrections, self.pieces
        standing = pieces.felt & pieces.expected - self.position.blind
        corrections.exchange |= known.wrong & standing
        corrections.require(known.wrong & standing)
        claims = {space: other for space, other in sorted(known.claims) if space in standing}
        if start:
            claims |= self._put_back_home()
        for space, other in claims.items():
            if space not in corrections.exchange:
                corrections.doubt_who_stands(space, other, now - 2 * self.timing.settle)
                corrections.outstanding.discard(other)  # it is asked who that is before it is taken off

    def _put_back_home(self) -> dict[Place, Place]:
        """By target of the last move, its origin, where something stands on both: who is who?"""
        steps = [step for step in (self.turn.battle, self.position.last) if step is not None]
        felt, owners = self.pieces.felt, self.position.owners
        return {
            target: origin
            for origin, target in steps
            if origin in self.pieces.strays and target in felt & owners.keys()
        }

    def set_down_late(
        self, spaces: tuple[Place, ...], settled: Collection[TrackerEvent]
    ) -> dict[Home, Place]:
        """By space to which a piece came by a ruling, where one is too many that was set down since: it may
        be the right one, which was in a hand still, as another one was set down in its stead. Not those about
        which people have answered already (`settled`)."""
        pieces, owners = self.pieces, self.position.owners
        return {
            home: space
            for home, arrival in self.turn.arrived.items()
            for space in spaces
            if home in pieces.felt
            and pieces.set_down_at(space) > arrival.at
            and WhoStands(home, space, owners[home]) not in settled
            and CameFrom(home, space, owners[home]) not in settled
        }

    def _winners_set_down(self) -> frozenset[Home]:
        arrived = self.turn.arrived.items()
        return frozenset(home for home, arrival in arrived if arrival.won and self._came_since(home, arrival))

    def _came_since(self, home: Home, arrival: Arrival) -> bool:
        """Whether something was set down there after the ruling by which a piece came there."""
        return home in self.pieces.felt and self.pieces.set_down_at(home) > arrival.at

    def doubt_arrivals(self, doubted: Mapping[Home, Place], last_activity: Micros) -> None:
        """It is asked of each who stands there, whatever becomes of the piece too many."""
        for home, space in doubted.items():
            self.corrections.doubt_who_stands(home, space, last_activity - 2 * self.timing.settle)

    def resync(self, felt: Iterable[Place], now: Micros) -> None:
        """The board was out of sight and is sensed again as a whole, in no order.

        If one step of the mover explains every difference it is taken as made; else all are corrections.
        """
        pieces, outstanding, together = self.pieces, self.corrections.outstanding, self.up_together()
        pieces.reset(
            self.position.judged(), self.position.free, self.sensed(felt), frozenset(outstanding), now
        )
        self.doubts.pairs |= {pair for pair in together if pair & pieces.felt}
        self.turn.missing.clear()
        missing, extra = set(pieces.up), set(pieces.strays)
        if len(missing) == len(extra) == 1 and not outstanding:
            (origin,), (target,) = missing, extra
            if self.position.steps.get(origin, {}).get(target) is False:
                pieces.strays[target] = frozenset(missing)
                missing = extra = set()
        outstanding |= (missing | extra) - self.awaiting_answer()

    def correct_everything(self) -> None:
        """All that differs from the layout is to be put right."""
        self.corrections.require(self.pieces.differing_spaces() - self.awaiting_answer())
        self.turn.must_move, self.turn.excused = None, True

    # A sensor opens or closes

    def lift(self, space: Place, now: Micros) -> None:
        """What stood on a space is up."""
        pieces, position, turn = self.pieces, self.position, self.turn
        own = position.own(pieces.loose_pieces() - self.corrections.outstanding)
        were = frozenset({space}) if space in pieces.expected else pieces.strays.get(space)
        pieces.lift(space, now)
        self._notice_push(space, were or frozenset(), now)
        self.corrections.note_lift(space, now)
        if were is not None:
            self.corrections.note_left(space, were, position, now)
        self.identity.note_lift(space)
        self.stuck_sensors.note_opened(space)
        if turn.battle is not None and pieces.strays.get(turn.battle[0]):
            self.corrections.settle_who_stands(turn.battle[1])  # it was pushed there: the next move
        self.signs.note_lift(space, now, self._attackable, pieces.up)
        if len(own) == 1 and position.is_attack(own[0], space):
            turn.dips[space] = (own[0], now)
        if position.owners.get(space) in position.movers:
            turn.nothing_lifted = False

    def _attackable(self, origin: Home) -> list[Place]:
        return self.position.attackable(origin, self.pieces.loose_pieces())

    def _notice_push(self, origin: Place, were: frozenset[Home], now: Micros) -> None:
        """One of the pieces `were` has left `origin`. A piece that slides is felt on the next space before it
        leaves the last. If another is up, it may seem to be that one.

        A piece of the other side may be pushed anywhere beside it, by whoever likes to.
        """
        position, strays = self.position, self.pieces.strays
        for space, homes in strays.items():
            if not homes or now - self.pieces.set_down_at(space) > self.timing.settle:
                continue
            beside = not position.alike and position.beside(origin, space)
            own = position.own(homes) == sorted(homes)
            pushed = {
                home
                for home in were
                if (own and position.steps.get(home, {}).get(space) is False)
                or (beside and (not position.own([home]) or homes & self.corrections.outstanding))
            }
            if pushed:
                strays[space] = homes | pushed
                self.pieces.contested[space] = self.pieces.contested.get(space, homes) | pushed

    def place(self, space: Place, now: Micros, *, sign_counts: bool) -> None:
        """Something came to stand on a space. `sign_counts`: as in `AttackConfirmation.placed`, `known`."""
        pieces, turn = self.pieces, self.turn
        dip = turn.dips.pop(space, None)
        self.corrections.notice_claim(space, pieces, self.position, now)
        lifted = pieces.up.get(space)
        turn.tapped = self._tap(space, now)
        self.signs.note_set_down(space, now, pieces.up, known=sign_counts)
        pieces.place(space, now)
        self._notice_battle(space, now)
        correcting = bool(self.corrections.outstanding)
        bumped = self.doubts.notice_set_down(self.position, now, correcting=correcting)
        if turn.must_move in bumped:
            turn.must_move = None
        turn.touch = None
        if dip is not None and dip[0] in pieces.up:
            turn.touch = EnemyTouch(dip[0], space, now - dip[1])
        held = lifted is not None and now - lifted >= self.timing.settle
        if self.timing.touch_move and held and space not in self.corrections.outstanding:
            self._oblige(space)

    def _tap(self, space: Place, now: Micros) -> Tap | None:
        """The piece of the other side that is back after so short a time that it was touched, or nudged,
        while no piece was felt to be up: its attacker may have left a sensor that sticks."""
        up, before = self.pieces.up, self.turn.tapped
        if up.keys() != {space} or self.position.own([space]) or now - up[space] > self.timing.touch:
            return None
        again = before is not None and before.home == space and now - before.at <= self.timing.ask_where
        return Tap(space, now, again)

    def _notice_battle(self, space: Place, now: Micros) -> None:
        """Both pieces of a battle are put back where they were: who stands on its square has to be asked.

        Where a piece that is up may stand there it is the next move.
        """
        origin, target = self.turn.battle or (NOWHERE, NOWHERE)
        if space != origin or self.pieces.strays.get(space) != frozenset():
            return
        if target in self.pieces.felt and target in self.position.owners:
            self.corrections.doubt_who_stands(target, space, now)

    def _oblige(self, space: Place) -> None:
        """The piece of this space was in a hand and has to be moved, if it can."""
        turn, position = self.turn, self.position
        free = turn.must_move is None and not turn.excused
        if free and position.own([space]) and position.steps.get(space):
            turn.must_move = space

    # What is in doubt

    def up_together(self) -> set[Pair]:
        """The pairs that may be swapped as soon as they are set down."""
        return self.doubts.up_together(self.position, correcting=bool(self.corrections.outstanding))

    def open_doubts(self, more: OpenDoubts = NO_DOUBTS, *, hands_moved: bool) -> OpenDoubts:
        """What is in doubt now, with `more`. Who stands where is not any more once hands have moved a piece
        (`hands_moved`), as the board was in order before."""
        corrections = self.corrections
        claims = frozenset() if hands_moved else frozenset(corrections.claimed.items())
        wrong = frozenset() if hands_moved else frozenset(corrections.exchange - corrections.beaten)
        pairs = frozenset(self.doubts.pairs | self.doubts.set_up.pairs)
        return OpenDoubts(pairs | more.pairs, claims | more.claims, wrong | more.wrong)


def only_said(before: PublicPosition, after: PublicPosition) -> bool:
    """Whether a ruling changes nothing for hands: what they have done, and what is asked, stays."""
    return before._replace(waiting=after.waiting, last=after.last, boxed=after.boxed) == after
