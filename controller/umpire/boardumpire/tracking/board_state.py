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
from boardumpire.tracking.questions import CameFromQuestion, TrackerQuestion, WhoStandsQuestion
from boardumpire.tracking.situation import QUESTION_CANDIDATES_MAX, EnemyTap, EnemyTouch, Situation
from boardumpire.tracking.stuck_sensors import StuckSensorDetector
from boardumpire.tracking.swap_doubts import SwapDoubts
from boardumpire.tracking.timing import TrackerTiming
from boardware.ports import Micros


class Arrival(NamedTuple):
    """A piece came to stand somewhere by a ruling."""

    at: Micros
    """When that was ruled."""
    won_battle: bool
    """Whether it has won a battle there."""


@dataclass
class TurnMemory:
    """What is remembered from one ruling to the next; what each field means says `Situation`."""

    layout_since: Micros = 0
    must_move_piece: Home | None = None
    is_touch_move_excused: bool = False
    """Whether a touched piece turned out unable to move: then touching obliges to nothing this turn."""
    nothing_lifted: bool = True
    was_in_order: bool = False
    take_back_shown: bool = False
    last_battle: tuple[Place, Place] | None = None
    last_move_alternatives: tuple[Home, frozenset[Place]] | None = None
    latest_arrivals: dict[Home, Arrival] = field(default_factory=dict)
    """Where the pieces stand that each side has moved last, and with which it has won a battle last, the
    latest first. Another one may have been set down in the stead of any of them: sensors know no faces."""
    last_step: tuple[Place, Place] | None = None
    """The last move (origin, target), if the last ruling was one."""
    refused_move: tuple[Home, Place] | None = None
    mislaid_candidates: tuple[Place, ...] = ()
    lost_piece: Home | None = None
    """The piece that is in no hand, as its owner says, and not felt anywhere."""
    missing_pieces: set[Home] = field(default_factory=set)
    enemy_dips: dict[Place, tuple[Home, Micros]] = field(default_factory=dict)
    """By space whose piece is up, the mover's piece that was up alone before it and may attack it; when."""
    enemy_touch: EnemyTouch | None = None
    enemy_tap: EnemyTap | None = None


class BoardState:
    """All that the sensors of one board and the rulings of its game have told."""

    def __init__(self, timing: TrackerTiming) -> None:
        self.timing = timing
        self.position = PublicPosition({}, frozenset(), frozenset(), {})
        self.piece_tracker = PieceTracker(timing.settle, timing.touch)
        self.corrections = Corrections(timing.settle, timing.touch)
        self.identity_check = IdentityCheck(self.piece_tracker, self.corrections)
        self.swap_doubts = SwapDoubts(self.piece_tracker, timing.settle, timing.touch)
        self.attack_confirmation = AttackConfirmation(timing.touch, timing.tap)
        self.stuck_sensors = StuckSensorDetector()
        self.turn_memory = TurnMemory()
        self.settled_arrivals: set[Home] = set()
        """Spaces to which a piece came and of which people have said since who stands there: to be noted."""

    def allow_slides(self) -> None:
        """From now on pieces may be pushed, too."""
        self.timing = self.timing._replace(slides=True)

    def situation(
        self, last_activity: Micros, settled: Collection[TrackerEvent], *, centring: bool
    ) -> Situation:
        """What the meaning of hands depends on now; see there."""
        up, turn, away = self.piece_tracker.lifted_at, self.turn_memory, self.timing.away
        return Situation(
            position=self.position,
            piece_tracker=self.piece_tracker,
            corrections=self.corrections,
            timing=self.timing,
            doubtful_pairs=frozenset(self.swap_doubts.swapped_pairs),
            enemy_touch=turn.enemy_touch,
            enemy_tap=turn.enemy_tap,
            must_move_piece=turn.must_move_piece,
            nothing_lifted=turn.nothing_lifted,
            was_in_order=turn.was_in_order,
            identity_fault=self.identity_check.current_fault(),
            signed_attack=self.attack_confirmation.signed_attack,
            long_lifted_pieces=frozenset(home for home, at in up.items() if last_activity - at >= away),
            places_awaiting_answer=self.places_awaiting_answer(),
            stuck_sensors=self.stuck_sensors,
            declined_events=settled,
            last_activity=last_activity,
            mislaid_candidates=turn.mislaid_candidates,
            layout_since=turn.layout_since,
            refused_move=turn.refused_move,
            last_move_alternatives=turn.last_move_alternatives,
            winner_places=self._winners_set_down(),
            missing_pieces=frozenset(turn.missing_pieces),
            take_back_shown=turn.take_back_shown,
            is_centring_requested=centring,
        )

    def places_awaiting_answer(self) -> frozenset[Place]:
        """Pieces that hands took up, and what may be those elsewhere, while that waits for an answer."""
        pieces = self.piece_tracker
        away = pieces.lifted_at.keys() & self.position.places_awaiting_answer
        return frozenset(
            (*away, *(pieces.stray_candidates if len(pieces.stray_candidates) <= len(away) else ()))
        )

    def places_in_play(self) -> set[Place]:
        """What hands lifted and set down since the board was in order, corrections aside."""
        return self.piece_tracker.differing_spaces() - self.corrections.outstanding

    def presumed_occupied(self, felt: Iterable[Place]) -> set[Place]:
        """What is felt; a space played by hand counts as the layout says."""
        blind = self.position.hand_played_places
        return (set(felt) - blind) | (blind & self.position.owners.keys())

    def guidance(
        self, asked: TrackerQuestion | None, reminded: Collection[Home | None], centring: tuple[Place, ...]
    ) -> BoardGuidance:
        """What lights and screens show, where people are `asked` this, were `reminded` of these pieces, and
        shall centre a piece that these spaces share."""
        pieces, position, outstanding = self.piece_tracker, self.position, self.corrections.outstanding
        in_play = set(pieces.lifted_at) - outstanding - self.places_awaiting_answer()
        own = position.movable_pieces(in_play)
        alone = own[0] if len(own) == 1 and not outstanding else None
        lifted = (pieces.pieces_in_hand() & in_play) | ({alone} if alone else set())
        hidden = None if in_play or outstanding else position.hidden_mover()
        home = alone or hidden or NOWHERE
        hints = position.hints.get(home) or position.steps.get(home, {})
        taken: set[Place] = set()
        if len(in_play) > 1:  # what is to be taken stays a hint, though it is up
            taken = {target for target in hints if position.is_capture(home, target)}
            # Where pieces share spaces, one that is up may be lifted from where this one may go.
            empty = {shared_spaces.space_of(place) for place in lifted - {home}}
            hints = {to: hit for to, hit in hints.items() if hit or shared_spaces.space_of(to) not in empty}
        chores = self.corrections.list_corrections(pieces, position, centring, self.turn_memory.last_step)
        late = tuple(sorted(in_play & {*reminded, *self.turn_memory.missing_pieces} - taken))
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
        replaced: Collection[Place],
        unsure: Collection[Place],
        arrived: Mapping[Home, bool],
    ) -> None:
        """Take a new layout; the parameters are those of `Tracker.begin_layout`."""
        pieces, turn, before = self.piece_tracker, self.turn_memory, self.position
        step = (hands[0], hands[1]) if hands is not None and len(hands) == 2 else None
        # What is known of the layout until now, by the names that pieces have in it.
        way = carried or step
        known = self.open_doubts(doubts, hands_moved=bool(hands)).after_move(way)
        signed = self._retained_signed_attack(position) if hands == () else None
        moved = frozenset(hands or ()) | (frozenset(owed) - {*(signed or ())}) | self.places_awaiting_answer()
        moved |= frozenset(replaced)
        early = self._early_differences(position, hands, moved)
        attacked = step is not None and before.is_attack(*step)
        upon = (
            step[1]
            if step is not None and attacked and pieces.possible_landings.get(step[0]) == step[1]
            else None
        )
        if hands != ():
            turn.last_move_alternatives = before.alternative_targets(step) if step is not None else None
            turn.last_step = step
        turn.mislaid_candidates = self._find_mislaid_candidates(position, hands)
        turn.refused_move, turn.layout_since = None, now
        self.swap_doubts.note_new_pieces(before, position, start=hands is None)
        # From here on it is the new one.
        self.position = position
        self._note_arrivals(
            arrived if hands is None else {way[1]: attacked or exchange is not None} if way else {}, now
        )
        pieces.begin_layout(
            position.judged_places(), position.unjudged_places, self.presumed_occupied(felt), moved, now
        )
        self.swap_doubts.note_pieces_felt()
        if hands:
            turn.last_battle = (hands[0], hands[1]) if attacked or exchange is not None else None
        elif battle is not None:
            turn.last_battle = battle
        if hands is None:
            early |= self._explain_strays(
                now, doubted=bool(known.occupant_doubts or known.wrong_piece_spaces)
            )
        if position.declared_owners or self.swap_doubts.set_up_watch.swapped_pairs:
            sides = {home: position.side_of(seat) for home, seat in position.declared_owners.items()}
            self.swap_doubts.set_up_watch.begin_set_up(sides, pieces.felt_places, said, now)
        self.swap_doubts.keep_pairs({pair for pair in known.swap_pairs if pair.isdisjoint(said)}, position)
        lifted_once = (
            {*unsure} if hands is None else {upon} if upon is not None and exchange is None else set()
        ) | {*replaced}
        early = shared_spaces.match_places_by_space(pieces.differing_spaces(), early)
        self._begin_corrections(early, exchange, lifted_once)
        self._restore_open_doubts(known, now, start=hands is None)
        self.identity_check.begin_layout()
        turn.enemy_dips.clear()
        turn.must_move_piece, turn.is_touch_move_excused, turn.take_back_shown = None, False, False
        turn.nothing_lifted = early.isdisjoint(pieces.differing_spaces())
        turn.missing_pieces.intersection_update(pieces.lifted_at if hands else ())
        turn.was_in_order = self.corrections.is_in_order
        self.forget_gestures()
        self.attack_confirmation.signed_attack = signed

    def forget_gestures(self) -> None:
        """Another turn, or hands are led back."""
        self.turn_memory.enemy_touch = self.turn_memory.enemy_tap = self.turn_memory.lost_piece = None
        self.attack_confirmation.forget()

    def _retained_signed_attack(self, position: PublicPosition) -> tuple[Home, Place] | None:
        """The attack whose sign the mover has given, where something was only said: no word wards it off."""
        given, was = self.attack_confirmation.signed_attack, self.position
        same = (position.owners, position.seats_to_move) == (was.owners, was.seats_to_move)
        return given if same and given is not None and given[0] in self.piece_tracker.lifted_at else None

    def _early_differences(
        self, position: PublicPosition, hands: tuple[Place, ...] | None, moved: frozenset[Place]
    ) -> set[Place]:
        """What hands did before the ruling and stays in play."""
        if hands is None:
            return set()
        early, refused = self.places_in_play() - moved, self.turn_memory.refused_move
        if hands and refused is not None and hands == (refused[0], *hands[1:]):
            early |= {refused[1]} & self.piece_tracker.stray_candidates.keys() - moved  # it was another piece
        if (
            position.has_alike_pieces
            and hands
            and hands[0] in self.piece_tracker.possibly_replaced_pieces(hands[-1])
        ):
            early.add(hands[0])  # another one stands there already
        return early

    def _find_mislaid_candidates(
        self, position: PublicPosition, hands: tuple[Place, ...] | None
    ) -> tuple[Place, ...]:
        """The piece that is in no hand, as its owner says, while its space comes to be played by hand: it may
        stand there, or where no sensor feels it. What only is said ends no question about it."""
        if hands != () or position.owners != self.position.owners:
            return ()
        home = self.turn_memory.lost_piece
        if home is None or home not in self.position.movable_pieces(
            self.piece_tracker.lifted_at.keys() & position.hand_played_places
        ):
            return self.turn_memory.mislaid_candidates
        return (
            home,
            *self.position.quiet_targets(home, self.piece_tracker.felt_places)[:QUESTION_CANDIDATES_MAX],
        )

    def _note_arrivals(self, came: Mapping[Home, bool], now: Micros) -> None:
        """Pieces have come to these spaces, to the first of them last; true: it has won a battle there."""
        owners = {} if self.position.has_alike_pieces else self.position.owners
        latest: dict[tuple[Seat, bool], Home] = {}
        new = {home: Arrival(now, won) for home, won in came.items()}
        arrived = new | {
            home: each for home, each in self.turn_memory.latest_arrivals.items() if home not in new
        }
        for home, arrival in arrived.items():
            if home in owners:
                latest.setdefault((owners[home], arrival.won_battle), home)
        self.turn_memory.latest_arrivals = {home: arrived[home] for home in latest.values()}

    def _begin_corrections(
        self, early: Collection[Place], exchange: Place | None, lifted_once: Iterable[Place]
    ) -> None:
        position, pieces = self.position, self.piece_tracker
        standing = pieces.felt_places - position.hand_played_places
        beaten = {exchange} & standing if exchange is not None else set()
        leaving = position.leaving_pieces.keys() & position.owners.keys() & standing
        leaving |= {*lifted_once} & position.judged_places() & standing
        self.corrections.begin_layout(
            pieces.differing_spaces() - {*early} - self.places_awaiting_answer(),
            beaten,
            leaving=leaving,
            off_slots=position.off_slot_places & pieces.lifted_at.keys(),
        )

    def _explain_strays(self, now: Micros, *, doubted: bool) -> set[Place]:
        """At a start: what stands where nothing should may be any piece that is missing, if nothing is known
        of it.

        Returns what is in play though it differs: a move that is put back to ask for a take-back; one piece
        too many, where none is missing. That may have come off a sensor that sticks, or be one that moved,
        unless it is `doubted` already who stands where.
        """
        air, strays, last = (
            self.piece_tracker.lifted_at,
            self.piece_tracker.stray_candidates,
            self.position.last_quiet_move,
        )
        if len(strays) == 1 and not (air or doubted or self.position.is_fresh_from_box):
            (space,) = strays
            self.piece_tracker.note_found_at_start(space, now)
            return {space}
        if self.position.has_alike_pieces:
            return set()
        strays.update((space, frozenset(air)) for space, homes in strays.items() if not homes)
        for origin, target in filter(None, (self.turn_memory.last_battle, last)):
            if origin in strays and target in air:  # as it was put back, most likely
                strays[origin] = frozenset({target})
        self.piece_tracker.drop_impossible_candidates()
        return (
            {*last} & {*air, *strays} if self.position.is_waiting_for_answer and last is not None else set()
        )

    def _restore_open_doubts(self, known: OpenDoubts, now: Micros, *, start: bool) -> None:
        """What was in doubt is in doubt still. `start`: nobody watched the board before."""
        if self.position.has_alike_pieces:
            return
        corrections, pieces = self.corrections, self.piece_tracker
        standing = pieces.felt_places & pieces.expected_places - self.position.hand_played_places
        corrections.wrong_piece_spaces |= known.wrong_piece_spaces & standing
        corrections.require_correction(known.wrong_piece_spaces & standing)
        claims = {space: other for space, other in sorted(known.occupant_doubts) if space in standing}
        if start:
            claims |= self._last_moves_doubly_occupied()
        for space, other in claims.items():
            if space not in corrections.wrong_piece_spaces:
                corrections.doubt_who_stands(space, other, now - 2 * self.timing.settle)
                corrections.outstanding.discard(other)  # it is asked who that is before it is taken off

    def _last_moves_doubly_occupied(self) -> dict[Place, Place]:
        """By target of the last move, its origin, where something stands on both: who is who?"""
        steps = [
            step for step in (self.turn_memory.last_battle, self.position.last_quiet_move) if step is not None
        ]
        felt, owners = self.piece_tracker.felt_places, self.position.owners
        return {
            target: origin
            for origin, target in steps
            if origin in self.piece_tracker.stray_candidates and target in felt & owners.keys()
        }

    def doubtful_arrivals(
        self, spaces: tuple[Place, ...], settled: Collection[TrackerEvent]
    ) -> dict[Home, Place]:
        """By space to which a piece came by a ruling, where one is too many that was set down since: it may
        be the right one, which was in a hand still, as another one was set down in its stead. Not those about
        which people have answered already (`settled`)."""
        pieces, owners = self.piece_tracker, self.position.owners
        return {
            home: space
            for home, arrival in self.turn_memory.latest_arrivals.items()
            for space in spaces
            if home in pieces.felt_places
            and pieces.set_down_time(space) > arrival.at
            and WhoStandsQuestion(home, space, owners[home]) not in settled
            and CameFromQuestion(home, space, owners[home]) not in settled
        }

    def _winners_set_down(self) -> frozenset[Home]:
        arrived = self.turn_memory.latest_arrivals.items()
        return frozenset(
            home
            for home, arrival in arrived
            if arrival.won_battle and self._was_set_down_since(home, arrival)
        )

    def _was_set_down_since(self, home: Home, arrival: Arrival) -> bool:
        """Whether something was set down there after the ruling by which a piece came there."""
        return home in self.piece_tracker.felt_places and self.piece_tracker.set_down_time(home) > arrival.at

    def doubt_arrivals(self, doubted: Mapping[Home, Place], last_activity: Micros) -> None:
        """It is asked of each who stands there, whatever becomes of the piece too many."""
        for home, space in doubted.items():
            self.corrections.doubt_who_stands(home, space, last_activity - 2 * self.timing.settle)

    def resync(self, felt: Iterable[Place], now: Micros) -> None:
        """The board was out of sight and is sensed again as a whole, in no order.

        If one step of the mover explains every difference it is taken as made; else all are corrections.
        """
        pieces, outstanding, together = (
            self.piece_tracker,
            self.corrections.outstanding,
            self.pairs_up_together(),
        )
        pieces.begin_layout(
            self.position.judged_places(),
            self.position.unjudged_places,
            self.presumed_occupied(felt),
            frozenset(outstanding),
            now,
        )
        self.swap_doubts.swapped_pairs |= {pair for pair in together if pair & pieces.felt_places}
        self.turn_memory.missing_pieces.clear()
        missing, extra = set(pieces.lifted_at), set(pieces.stray_candidates)
        if len(missing) == len(extra) == 1 and not outstanding:
            (origin,), (target,) = missing, extra
            if self.position.steps.get(origin, {}).get(target) is False:
                pieces.stray_candidates[target] = frozenset(missing)
                missing = extra = set()
        outstanding |= (missing | extra) - self.places_awaiting_answer()

    def require_all_corrections(self) -> None:
        """All that differs from the layout is to be put right."""
        self.corrections.require_correction(
            self.piece_tracker.differing_spaces() - self.places_awaiting_answer()
        )
        self.turn_memory.must_move_piece, self.turn_memory.is_touch_move_excused = None, True

    # A sensor opens or closes

    def note_lift(self, space: Place, now: Micros) -> None:
        """What stood on a space is up."""
        pieces, position, turn = self.piece_tracker, self.position, self.turn_memory
        own = position.movable_pieces(pieces.pieces_in_hand() - self.corrections.outstanding)
        were = frozenset({space}) if space in pieces.expected_places else pieces.stray_candidates.get(space)
        pieces.note_lift(space, now)
        self._notice_push(space, were or frozenset(), now)
        self.corrections.note_lift(space, now)
        if were is not None:
            self.corrections.note_departure(space, were, position, now)
        self.identity_check.note_lift(space)
        self.stuck_sensors.note_opened(space)
        if turn.last_battle is not None and pieces.stray_candidates.get(turn.last_battle[0]):
            self.corrections.settle_who_stands(turn.last_battle[1])  # it was pushed there: the next move
        self.attack_confirmation.note_lift(space, now, self._attackable_lifted_pieces, pieces.lifted_at)
        if len(own) == 1 and position.is_attack(own[0], space):
            turn.enemy_dips[space] = (own[0], now)
        if position.owners.get(space) in position.seats_to_move:
            turn.nothing_lifted = False

    def _attackable_lifted_pieces(self, origin: Home) -> list[Place]:
        return self.position.attackable_pieces(origin, self.piece_tracker.pieces_in_hand())

    def _notice_push(self, origin: Place, candidates: frozenset[Home], now: Micros) -> None:
        """One of the pieces `candidates` has left `origin`. A piece that slides is felt on the next space
        before it leaves the last. If another is up, it may seem to be that one.

        A piece of the other side may be pushed anywhere beside it, by whoever likes to.
        """
        position, strays = self.position, self.piece_tracker.stray_candidates
        for space, homes in strays.items():
            if not homes or now - self.piece_tracker.set_down_time(space) > self.timing.settle:
                continue
            beside = not position.has_alike_pieces and position.is_beside(origin, space)
            own = position.movable_pieces(homes) == sorted(homes)
            pushed = {
                home
                for home in candidates
                if (own and position.steps.get(home, {}).get(space) is False)
                or (beside and (not position.movable_pieces([home]) or homes & self.corrections.outstanding))
            }
            if pushed:
                strays[space] = homes | pushed
                self.piece_tracker.initial_candidates[space] = (
                    self.piece_tracker.initial_candidates.get(space, homes) | pushed
                )

    def note_set_down(self, space: Place, now: Micros, *, sign_counts: bool) -> None:
        """Something came to stand on a space. `sign_counts`: as `target_known` of `AttackConfirmation`."""
        pieces, turn = self.piece_tracker, self.turn_memory
        dip = turn.enemy_dips.pop(space, None)
        self.corrections.notice_doubtful_arrival(space, pieces, self.position, now)
        lifted = pieces.lifted_at.get(space)
        turn.enemy_tap = self._detect_enemy_tap(space, now)
        self.attack_confirmation.note_set_down(space, now, pieces.lifted_at, target_known=sign_counts)
        pieces.note_set_down(space, now)
        self._notice_battle_put_back(space, now)
        correcting = bool(self.corrections.outstanding)
        bumped = self.swap_doubts.notice_set_down(self.position, now, correcting=correcting)
        if turn.must_move_piece in bumped:
            turn.must_move_piece = None
        turn.enemy_touch = None
        if dip is not None and dip[0] in pieces.lifted_at:
            turn.enemy_touch = EnemyTouch(dip[0], space, now - dip[1])
        held = lifted is not None and now - lifted >= self.timing.settle
        if self.timing.touch_move and held and space not in self.corrections.outstanding:
            self._require_touched_move(space)

    def _detect_enemy_tap(self, space: Place, now: Micros) -> EnemyTap | None:
        """The piece of the other side that is back after so short a time that it was touched, or nudged,
        while no piece was felt to be up: its attacker may have left a sensor that sticks."""
        up, before = self.piece_tracker.lifted_at, self.turn_memory.enemy_tap
        if (
            up.keys() != {space}
            or self.position.movable_pieces([space])
            or now - up[space] > self.timing.touch
        ):
            return None
        again = before is not None and before.home == space and now - before.at <= self.timing.ask_where
        return EnemyTap(space, now, again)

    def _notice_battle_put_back(self, space: Place, now: Micros) -> None:
        """Both pieces of a battle are put back where they were: who stands on its square has to be asked.

        Where a piece that is up may stand there it is the next move.
        """
        origin, target = self.turn_memory.last_battle or (NOWHERE, NOWHERE)
        if space != origin or self.piece_tracker.stray_candidates.get(space) != frozenset():
            return
        if target in self.piece_tracker.felt_places and target in self.position.owners:
            self.corrections.doubt_who_stands(target, space, now)

    def _require_touched_move(self, space: Place) -> None:
        """The piece of this space was in a hand and has to be moved, if it can."""
        turn, position = self.turn_memory, self.position
        free = turn.must_move_piece is None and not turn.is_touch_move_excused
        if free and position.movable_pieces([space]) and position.steps.get(space):
            turn.must_move_piece = space

    # What is in doubt

    def pairs_up_together(self) -> set[Pair]:
        """The pairs that may be swapped as soon as they are set down."""
        return self.swap_doubts.pairs_up_together(
            self.position, correcting=bool(self.corrections.outstanding)
        )

    def open_doubts(self, more: OpenDoubts = NO_DOUBTS, *, hands_moved: bool) -> OpenDoubts:
        """What is in doubt now, with `more`. Who stands where is not any more once hands have moved a piece
        (`hands_moved`), as the board was in order before."""
        corrections = self.corrections
        claims = frozenset() if hands_moved else frozenset(corrections.doubtful_occupants.items())
        wrong = (
            frozenset()
            if hands_moved
            else frozenset(corrections.wrong_piece_spaces - corrections.beaten_piece_spaces)
        )
        pairs = frozenset(self.swap_doubts.swapped_pairs | self.swap_doubts.set_up_watch.swapped_pairs)
        return OpenDoubts(
            pairs | more.swap_pairs, claims | more.occupant_doubts, wrong | more.wrong_piece_spaces
        )


def is_unchanged_for_hands(before: PublicPosition, after: PublicPosition) -> bool:
    """Whether a ruling changes nothing for hands: what they have done, and what is asked, stays."""
    return (
        before._replace(
            is_waiting_for_answer=after.is_waiting_for_answer,
            last_quiet_move=after.last_quiet_move,
            is_fresh_from_box=after.is_fresh_from_box,
        )
        == after
    )
