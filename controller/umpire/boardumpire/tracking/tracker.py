"""From hands to intents: what was sensed, what it means, what to do about it.

Pure: board events and time in; intents, faults, questions and guidance out. The tracker knows the public
side of the game alone (`PublicPosition`), so nothing it says or the moment it says it can tell a secret.

A position is *in order* when what is sensed equals the layout. From there hands lift, slide and set down;
what they mean (`reading`) is judged once it has been still for the settle time. After a ruling, a refusal,
a fault or a start the board may differ from the layout: the differences are `chores`, and no further action
is judged before they are done. What hands do meanwhile is held, not lost. docs/tracker.md has the table of
situations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from boardrules.core import Layout
from boardumpire.tracking import stacks
from boardumpire.tracking.chores import Corrections
from boardumpire.tracking.following import Home, PieceTracker, Space
from boardumpire.tracking.identity import IdentityCheck
from boardumpire.tracking.open_doubts import OpenDoubts, Pair, pairs_of
from boardumpire.tracking.questions import (
    PENDING,
    AttackCounting,
    AttackHere,
    AttackPending,
    CameFrom,
    InHand,
    MovedHere,
    SamePlaces,
    ThatPiece,
    TrackerQuestion,
    WhoStands,
)
from boardumpire.tracking.rules import attacks
from boardumpire.tracking.rules.moves import move
from boardumpire.tracking.set_up_watch import SetUpWatch
from boardumpire.tracking.signs import AttackConfirmation
from boardumpire.tracking.situation import MAX_ASKED, NO_STEPS, EnemyTouch, Situation
from boardumpire.tracking.states import EXTRA_PIECE, Meaning, interpret
from boardumpire.tracking.suspicions import StuckSensorDetector
from boardumpire.tracking.values import (
    BoardFault,
    BoardGuidance,
    BoardInOrder,
    FaultCode,
    HandIntent,
    LiftReminder,
    MovePutBack,
    OverdueCorrection,
    PublicPosition,
    SuspectSpace,
    TakeBackWithdrawn,
    TrackerEvent,
    TrackerTiming,
    UnconfirmedCorrection,
)
from boardware.ports import Micros

NO_DOUBTS = OpenDoubts()


class _Arrival(NamedTuple):
    """A piece came to stand somewhere by a ruling."""

    at: Micros
    """When that was ruled."""
    won: bool
    """Whether it has won a battle there."""


class _Agenda(NamedTuple):
    """What is told by itself when, if hands do nothing before."""

    ripe: Micros | None
    """When what hands seem to mean is told."""
    reminders: dict[Home | None, Micros]
    """When to remind of what: of each piece that a hand holds, and once (`None`) of all chores."""
    unfelt: Micros | None
    """When to say that chores may be done and not felt."""


class Tracker:
    """Follows the hands of one board. All times are passed in and never go back."""

    def __init__(self, timing: TrackerTiming | None = None) -> None:
        self.timing = timing or TrackerTiming()
        self.position = PublicPosition({}, frozenset(), frozenset(), {})
        self.following = PieceTracker(self.timing.settle, self.timing.touch)
        self._chores = Corrections(self.timing.settle, self.timing.touch)
        self._identity = IdentityCheck(self.following, self._chores)
        self._doubt: set[Pair] = set()
        self._open_doubts: OpenDoubts | None = None
        """What is in doubt, until something changes it."""
        self._set_up = SetUpWatch(self.timing.settle, self.timing.touch)
        self._doubted: dict[frozenset[Home], Micros] = {}
        """Those of these pairs that came up a moment ago, and when."""
        self._new: frozenset[Home] = frozenset()
        """Pieces that came into the game and have not been felt since: they come from the box."""
        self._dips: dict[Space, tuple[Home, Micros]] = {}
        self._touch: EnemyTouch | None = None
        self._signs = AttackConfirmation(self.timing.touch, self.timing.tap)
        self._suspicions = StuckSensorDetector()
        self._pending: TrackerQuestion | None = None
        """The attack that waits for the sign of the mover."""
        self._announced: TrackerQuestion | None = None
        """What was told of that last."""
        self._objected: BoardFault | None = None
        """What was told to be no attack, and asks for nothing to be put back."""
        self._battle: tuple[Space, Space] | None = None
        """Between which spaces a battle was fought last."""
        self._lost: Home | None = None
        """The piece that is in no hand, as its owner says, and not felt anywhere."""
        self._missing: set[Home] = set()
        """The pieces of which that was said, while nothing about them has changed."""
        self._question: TrackerQuestion | None = None
        self._shown: tuple[TrackerQuestion | None, Micros] = None, 0
        """What is asked, and since when ..."""
        self._before: tuple[TrackerQuestion | None, Micros] = None, 0
        """... and what was asked before that, and until when."""
        self._meaning: Meaning | None = None
        """What hands seem to mean, since `_since`."""
        self._since: Micros = 0
        self._stirred: Micros = 0
        """When hands last did something, or chores came up."""
        self._led = False
        """Whether the chores are those of something that hands did."""
        self._unfelt_told = False
        """Whether it was said that chores may be done and not felt."""
        self._reminded: set[Home | None] = set()
        """Homes of pieces that are up for long; `None`: of chores, however many, people are reminded once."""
        self._between: tuple[Space, ...] = ()
        self._obliged: Home | None = None
        self._excused = False
        """Whether a touched piece turned out unable to move: then touching obliges to nothing this turn."""
        self._untouched = True
        self._asked_back = False
        """Whether the last move stands put back while that is asked for."""
        self._declined: set[TrackerQuestion] = set()
        self._mislaid: tuple[Space, ...] = ()
        """A piece that was lost when its space came to be played by hand, and where it may have gone."""
        self._began: Micros = 0
        """When the layout came to hold."""
        self._moved: tuple[Home, frozenset[Space]] | None = None
        """Where the piece that moved last stands, and where else it could have gone."""
        self._arrived: dict[Home, _Arrival] = {}
        """Where the pieces stand that each side has moved last, and with which it has won a battle last, the
        latest first. Another one may have been set down in the stead of any of them: reeds know no faces."""
        self._refused: tuple[Home, Space] | None = None
        """The move that was refused, while hands are led back from it."""
        self._stood = False
        self._just_in_order = False
        self._guidance: BoardGuidance | None = None
        """What is shown, until something changes it ..."""
        self._agenda: _Agenda | None = None
        """... and what is told by itself."""

    # What comes in

    def begin(
        self,
        position: PublicPosition,
        felt: Iterable[Space],
        now: Micros,
        *,
        hands: tuple[Space, ...] | None = None,
        exchange: Space | None = None,
        doubts: OpenDoubts = NO_DOUBTS,
        battle: tuple[Space, Space] | None = None,
        owed: Iterable[Space] = (),
        carried: tuple[Space, Space] | None = None,
        said: Collection[Home] = (),
        unsure: Collection[Space] = (),
        arrived: Mapping[Home, bool] = NO_STEPS,
    ) -> None:
        """Take a new layout, after a ruling or at a start.

        `hands` holds the spaces that the ruling was about; what differs there is a chore, while a piece
        that another hand lifted early elsewhere stays in play. `None` (a start) makes every difference a
        chore. `exchange` is a space whose piece was beaten: if a piece is sensed there, it is still the
        loser, which has to go before the winner can be set down. `doubts` are those of before this tracker
        was there, `battle` the spaces (origin, target) of the last ruling that carried a piece, where that
        was a battle. `owed` are spaces that are led back to the layout though the ruling was not about them.
        `carried` is how a piece was carried that only was said to be; `said` are the spaces whose pieces
        their owner has just named. `unsure` are spaces where at a start another piece may stand still than
        belongs there: it is lifted once. `arrived` are at a start the spaces to which pieces came last, the
        latest first, and whether they won a battle there.
        """
        plain = not owed and doubts is NO_DOUBTS and carried is None and not said
        if hands == () and plain and self._only_said(position):
            self.position = position
            self._reconsider(now)
            return
        way = carried or ((hands[0], hands[1]) if hands and len(hands) == 2 else None)
        known = self._known_doubts(doubts, fallen=bool(hands))
        known = known if known is NO_DOUBTS else known.renamed(way)
        signed = self._signed_through(position, hands)
        moved = frozenset(hands or ()) | (frozenset(owed) - {*(signed or ())}) | self._rested()
        early = self._in_play() - moved if hands is not None else set()
        if hands and self._refused is not None and hands == (self._refused[0], *hands[1:]):
            early |= {self._refused[1]} & self.following.strays.keys() - moved  # it was another piece
        self._refused = None
        if position.alike and hands and hands[0] in self.following.replaced(hands[-1]):
            early.add(hands[0])  # another one stands there already
        self._began = now
        attacked = hands is not None and len(hands) == 2 and self._attacks(*hands)
        upon = hands[1] if attacked and hands and self.following.upon.get(hands[0]) == hands[1] else None
        self._mislaid = self._mislaid_by(position, hands)
        if hands != ():
            self._moved = self._could_go(hands)
        self._note_new(position, hands)
        self.position = position
        came = arrived if hands is None else {way[1]: attacked or exchange is not None} if way else {}
        self._note_arrivals(came, now)
        self.following.reset(position.judged(), position.free, self._seen(felt), moved, now)
        self._new -= self.following.felt
        if hands:
            self._battle = (hands[0], hands[1]) if attacked or exchange is not None else None
        elif battle is not None:
            self._battle = battle
        if hands is None:
            early |= self._explain_strays()
        if position.named or self._set_up.pairs:
            self._set_up.begin(position.named, self.following.felt, said, now)
        self._doubt_pairs({pair for pair in known.pairs if pair.isdisjoint(said)})
        beaten = {exchange} & self.following.felt - position.blind if exchange is not None else set()
        leaving = position.leaving.keys() & position.owners.keys() & self.following.felt - position.blind
        lifted = {*unsure} if hands is None else {upon} if upon is not None and exchange is None else set()
        leaving |= lifted & position.judged() & self.following.felt - position.blind
        early = stacks.still(self.following.differing(), early)
        self._chores.begin(
            self.following.differing() - early - self._rested(),
            beaten,
            leaving=leaving,
            off_slots=position.off_slots & self.following.air.keys(),
        )
        self._ask_again(known, now, gap=hands is None)
        self._dips.clear()
        self._obliged, self._excused = None, False
        self._identity.begin()
        self._untouched = early.isdisjoint(self.following.differing())
        self._missing.intersection_update(self.following.air if hands else ())
        self._led = hands is not None
        self._asked_back = False
        self._stood = self._chores.in_order
        self._forget(now)
        self._signs.given = signed
        self._reconsider(now)

    def known(self, layout: Layout, hands: tuple[Space, ...]) -> dict[Space, stacks.KnownPieces]:
        """What stands in spaces of several slots, before `layout` is begun: `stacks.known`."""
        following = self.following
        return stacks.known(self.position, following.felt, following.strays, layout, hands)

    def _only_said(self, position: PublicPosition) -> bool:
        """Whether a ruling changes nothing for hands: what they have done, and what is asked, stays."""
        was = self.position
        return was._replace(waiting=position.waiting, last=position.last, boxed=position.boxed) == position

    def _mislaid_by(self, position: PublicPosition, hands: tuple[Space, ...] | None) -> tuple[Space, ...]:
        """The piece that is in no hand, as its owner says, while its space comes to be played by hand: it may
        stand there, or where no reed senses it. What only is said ends no question about it."""
        if hands != () or position.owners != self.position.owners:
            return ()
        home = self._lost
        if home is None or home not in self.position.own(self.following.air.keys() & position.blind):
            return self._mislaid
        return (home, *self._situation().quiet_targets(home)[:MAX_ASKED])

    def _note_new(self, position: PublicPosition, hands: tuple[Space, ...] | None) -> None:
        """A ruling by which nothing moved and something is there now has brought that into the game."""
        before, after = self.position.owners, position.owners
        self._new &= after.keys()
        if hands is not None and before.items() <= after.items():
            self._new |= after.keys() - before.keys()

    def _attacks(self, origin: Space, target: Space) -> bool:
        """Whether a step is an attack, as far as everybody knows."""
        return self.position.steps.get(origin, NO_STEPS).get(target, False)

    def _could_go(self, hands: tuple[Space, ...] | None) -> tuple[Home, frozenset[Space]] | None:
        """Where a piece that was moved stands by the ruling, and where else it could have gone."""
        if hands is None or len(hands) != 2 or self.position.alike or self._attacks(hands[0], hands[1]):
            return None
        steps = self.position.steps.get(hands[0], NO_STEPS)
        return hands[1], frozenset(to for to, attack in steps.items() if not attack and to != hands[1])

    def _note_arrivals(self, came: Mapping[Home, bool], now: Micros) -> None:
        """Pieces have come to these spaces, to the first of them last; true: it has won a battle there."""
        owners = {} if self.position.alike else self.position.owners
        latest: dict[tuple[str, bool], Home] = {}
        new = {home: _Arrival(now, won) for home, won in came.items()}
        arrived = new | {home: arrival for home, arrival in self._arrived.items() if home not in new}
        for home, arrival in arrived.items():
            if home in owners:
                latest.setdefault((owners[home], arrival.won), home)
        self._arrived = {home: arrived[home] for home in latest.values()}

    def _signed_through(
        self, position: PublicPosition, hands: tuple[Space, ...] | None
    ) -> tuple[Home, Space] | None:
        """The attack whose sign the mover has given, where something was only said: no word wards it off."""
        given = self._signs.given
        was = self.position
        same = hands == () and (position.owners, position.movers) == (was.owners, was.movers)
        return given if same and given is not None and given[0] in self.following.air else None

    def _known_doubts(self, doubts: OpenDoubts, *, fallen: bool) -> OpenDoubts:
        """What was in doubt until now, with `doubts`; who stands where is not any more once hands have moved
        a piece (`fallen`), as the board was in order before."""
        chores = self._chores
        if doubts is NO_DOUBTS and not (
            self._doubt or self._set_up.pairs or chores.claimed or chores.exchange
        ):
            return NO_DOUBTS
        claims = frozenset() if fallen else frozenset(chores.claimed.items())
        wrong = frozenset() if fallen else frozenset(chores.exchange - chores.beaten)
        pairs = frozenset(self._doubt | self._set_up.pairs)
        return OpenDoubts(pairs | doubts.pairs, claims | doubts.claims, wrong | doubts.wrong)

    def _doubt_pairs(self, pairs: Iterable[Pair]) -> None:
        """Doubt about who is who outlives a ruling."""
        owners, named = self.position.owners, self.position.named
        self._set_up.pairs |= {pair for pair in pairs if pair <= named.keys()}
        kept = (pair for pair in pairs if pair <= owners.keys() and not pair <= named.keys())
        # Where a doubtful piece fell another may stand now, of the other side: the doubt fell with it.
        self._doubt = {pair for pair in kept if len({owners[home] for home in pair}) == 1}

    def _explain_strays(self) -> set[Space]:
        """What stands where nothing should may be any piece that is missing, if nothing is known of it.

        Returns what is in play though it differs: a move that is put back to ask for a take-back.
        """
        air, strays, last = self.following.air, self.following.strays, self.position.last
        if self.position.alike:
            return set()
        strays.update((space, frozenset(air)) for space, homes in strays.items() if not homes)
        for origin, target in filter(None, (self._battle, last)):
            if origin in strays and target in air:  # as it was put back, most likely
                strays[origin] = frozenset({target})
        self.following.explain()
        return {*last} & {*air, *strays} if self.position.waiting and last is not None else set()

    def _ask_again(self, known: OpenDoubts, now: Micros, *, gap: bool) -> None:
        """What was in doubt is in doubt still. `gap`: nobody watched the board before."""
        if self.position.alike:
            return
        chores, following = self._chores, self.following
        standing = following.felt & following.expected - self.position.blind
        chores.exchange |= known.wrong & standing
        chores.owe(known.wrong & standing)
        claims = {space: other for space, other in sorted(known.claims) if space in standing}
        if gap:
            claims |= self._set_down_elsewhere() | self._put_back_home()
        for space, other in claims.items():
            if space not in chores.exchange:
                chores.usurp(space, other, now - 2 * self.timing.settle)
                chores.debts.discard(other)  # it is asked who that is before it is taken off

    def _put_back_home(self) -> dict[Space, Space]:
        """By target of the last move, its origin, where something stands on both: who is who?"""
        ways = [way for way in (self._battle, self.position.last) if way is not None]
        felt, owners = self.following.felt, self.position.owners
        return {
            to: origin
            for origin, to in ways
            if origin in self.following.strays and to in felt & owners.keys()
        }

    def _set_down_elsewhere(self) -> dict[Space, Space]:
        """By space to which a piece was carried last, where something stands that no missing piece can be."""
        strays, standing = self.following.strays, self.following.felt & self.position.owners.keys()
        if len(strays) != 1 or self.following.air:
            return {}
        return dict.fromkeys(standing.intersection(self._arrived), *strays)

    def undo(self, now: Micros) -> None:
        """The intent was refused: all that differs from the layout becomes a chore."""
        self._chores.owe(self.following.differing() - self._rested())
        meant = self._expected_event()
        self._refused = (meant.origin, meant.target) if isinstance(meant, HandIntent) else None
        self._led = True
        self._obliged, self._excused = None, True
        self._forget(now)

    def felt(self, space: Space, present: bool, now: Micros) -> None:
        """A reed changed (debounced)."""
        if (space in self.following.felt) == present or space in self.position.blind:
            return
        if self.position.named:
            self._set_up.changed(space, present, now)
        asked, self._question = self._question, None
        self._objected = self._lost = None
        self._declined.clear()
        self._stirred = now
        if present:
            self._place(space, now)
        else:
            self._lift(space, now)
        self._missing.intersection_update(self.following.air)
        self._settle_debts()
        self._reconsider(now)
        if asked is not None and asked == self._expected_event():  # it is open still, and was told
            self._question, self._meaning = asked, None
            self._changed()
        self._note_shown(now)

    def snapshot(self, felt: Iterable[Space], now: Micros) -> None:
        """The board was out of sight and is sensed again as a whole, in no order.

        If one step of the mover explains every difference it is taken as made; else all are chores.
        """
        position, together = self.position, self._up_together()
        self.following.reset(
            position.judged(), position.free, self._seen(felt), frozenset(self._chores.debts), now
        )
        self._doubt |= {pair for pair in together if pair & self.following.felt}
        self._missing.clear()
        missing, extra = set(self.following.air), set(self.following.strays)
        if len(missing) == len(extra) == 1 and not self._chores.debts:
            (origin,), (target,) = missing, extra
            if position.steps.get(origin, NO_STEPS).get(target) is False:
                self.following.strays[target] = frozenset(missing)
                missing = extra = set()
        self._chores.debts |= (missing | extra) - self._rested()
        self._forget(now)
        self._settle_debts()
        self._reconsider(now)

    def identified(self, space: Space, home: Home | None, now: Micros) -> None:
        """It is known who stands on a space: the piece of `home`, or (`None`) one that belongs nowhere."""
        if space not in self.following.felt or space in self.position.blind | self.position.free:
            return
        if home is not None and self.met(home, space, now):
            return
        self._changed()
        self._arrived.pop(space, None)
        if self._identity.known(space, home, self._doubt):
            self._question = None
            self._declined.clear()
            self._settle_debts()
            self._reconsider(now)

    def unread(self, space: Space, now: Micros) -> None:
        """The tag of what is sensed on a space has gone: a piece that lies on its side, or is held over it.

        While a piece is up that may attack it, that is as good as a touch.
        """
        if self.lying(space, now):
            for origin in self.position.own(self.following.loose()):
                if self.position.steps.get(origin, NO_STEPS).get(space):
                    self._touch = EnemyTouch(origin, space, 0)
                    self._reconsider(now)

    def lying(self, space: Space, now: Micros) -> bool:
        """The piece that is sensed on a space lies on its side; whether one can that belongs there."""
        if space not in self.following.felt & self.following.expected - self.position.blind:
            return False
        self._identity.lies.add(space)
        self._reconsider(now)
        return True

    def met(self, origin: Home, target: Space, now: Micros) -> bool:
        """The tag of the piece of `origin` was read at `target`: if it was brought there from a hand, it
        attacks, and whether it does."""
        attack = self.position.steps.get(origin, NO_STEPS).get(target)
        if not attack or not self.in_order or origin not in self.position.own(self.following.loose()):
            return False
        self._signs.given = origin, target
        self._reconsider(now)
        return True

    def ask(self, question: TrackerQuestion, now: Micros) -> bool:
        """Ask what no reed feels and people see; whether it is asked: nothing else may be open."""
        if self._question is not None or self._pending is not None or not self.in_order:
            return False
        self._question, self._meaning = question, None
        self._changed()
        self._note_shown(now)
        return True

    def answer(self, yes: bool, now: Micros) -> TrackerEvent | None:
        """Confirm or cancel: answers the open question, or confirms a touch at once."""
        open_ = self._question or self._pending
        unfelt = self._attacked_question() if yes and open_ is None else None
        if unfelt is not None:
            self._question = unfelt
            self._changed()
            self._note_shown(now)
            return unfelt
        asked = open_ or (None if self._chores.debts else attacks.implied_of_lifted(self._situation()))
        self._question = self._touch = None
        self._shown = self._before = None, now  # what is asked next follows from the answer
        if asked is not None and not (yes and asked.code in PENDING):
            self._declined.add(asked)
        owed = self._chores.debts | self._chores.exchange
        told = self._answered(asked, yes) if asked is not None else None
        if (self._chores.debts | self._chores.exchange) - owed:
            self._stirred = now
        self._settle_debts()
        self._reconsider(now)
        if isinstance(told, TrackerQuestion):  # who attacks has to be known first
            self._question = told
            self._changed()
            self._note_shown(now)
        return told

    def implied(self) -> TrackerQuestion | None:
        """What a yes means while nothing is asked: an attack, or a move, that nothing has felt."""
        if self._question is not None or self._pending is not None:
            return None
        return self._attacked_question() or (
            None if self._chores.debts else attacks.implied_of_lifted(self._situation())
        )

    @property
    def stirred_at(self) -> Micros:
        """When hands last did something, or chores came up."""
        return self._stirred

    def _attacked_question(self) -> TrackerQuestion | None:
        return attacks.attacked_unfelt(self._situation())

    def _answered(self, asked: TrackerQuestion, yes: bool) -> TrackerEvent | None:
        match asked:
            case AttackPending(origin, target) | AttackCounting(origin, target):
                self._signs.given = (origin, target) if yes else None
                return move(self._situation(), origin, target) if yes else None
            case AttackHere(origin, target) | CameFrom(origin, target) | MovedHere(origin, target):
                if self._mislaid and self._mislaid[:2] == (origin, target) and not yes:
                    self._mislaid = (origin, *self._mislaid[2:])
                return HandIntent(origin, target) if yes else None
            case InHand(home) if not yes:
                self._lost = home
                self._missing.add(home)
                return UnconfirmedCorrection((home, *self._situation().quiet_targets(home)[:MAX_ASKED]))
            case ThatPiece(origin, target, other):
                if yes:
                    self._doubt.clear()
                    return HandIntent(origin, target)
                if attacks.blocking(self._situation()) is not None:
                    self.following.exclude(target, origin)
                    self._announced = None
                elif self.position.alike:
                    return HandIntent(other, target)
                else:
                    self._chores.debts |= self.following.differing()
            case SamePlaces(homes):
                if yes:
                    self._doubt = {pair for pair in self._doubt if not pair <= set(homes)}
                else:  # they have to be taken up, and go where they belong; until then it stays doubtful
                    doubtful, strays = self._doubted_with(homes), self.following.strays
                    self._chores.exchange.update(self.following.felt & doubtful)
                    self._chores.owe(self.following.air.keys() & doubtful)
                    self._chores.owe(space for space in strays if strays[space] & doubtful)
            case WhoStands(space, other):
                late = space not in self._chores.claimed
                self._chores.concede(space)
                self.following.upon.pop(other, None)
                self._arrived.pop(space, None)
                if not yes:
                    self._chores.exchange.add(space)
                    self._chores.concede_to(other)
                elif other in self.following.strays and not self.following.strays[other]:
                    self._chores.owe({other})
                    self._battle = None
                    if late:
                        self._doubt_arrivals(self._set_down_late((other,)))
        return None

    def _doubted_with(self, spaces: Iterable[Home]) -> set[Home]:
        """The pieces of `spaces` and all that may have been swapped with them, one after the other: without
        those that hands hold, or have moved, the others could not all be put right."""
        homes, more = set[Home](), set(spaces)
        while more - homes:
            homes |= more
            more = {home for pair in self._doubt if pair & homes for home in pair}
        return homes

    def tick(self, now: Micros) -> list[TrackerEvent]:
        """What has become clear by `now`. An intent is told again until `begin` or `undo` answers it."""
        told: list[TrackerEvent] = []
        if self._just_in_order:
            self._just_in_order = False
            told.append(BoardInOrder())
        if self._pending != self._announced:
            self._announced = self._pending
            if self._pending is not None:
                told.append(self._pending)
        ripe = self._ahead().ripe
        if self._meaning is not None and ripe is not None and now >= ripe:
            told.append(self._tell(self._meaning.event, now))
        self._note_shown(now)
        return told + self._remind(now)

    def _note_shown(self, now: Micros) -> None:
        """Keep in mind what is asked, since when, and what was asked before."""
        asked = self._question or self._pending
        if asked != self._shown[0]:
            if self._shown[0] is not None:
                self._before = self._shown[0], now
            self._shown = asked, now

    def swapped(self, now: Micros) -> bool:
        """Whether what is asked has just taken the place of something else: an answer may be meant for that.

        Other hands can do that at any moment, by lifting a piece of their own.
        """
        (asked, since), (before, until) = self._shown, self._before
        if asked is None or before is None or asked.effect() == before.effect():
            return False
        return now - since < self.timing.swap and since - until < self.timing.swap

    def asked_since(self) -> Micros | None:
        """When what is asked came up; `None` if nothing is asked."""
        asked, since = self._shown
        return None if asked is None else since

    def _retargeted(self, space: Space, now: Micros) -> bool:
        """The same for the sign of an attack from `space`, which can only be meant for another target."""
        before = self._before[0]
        return self.swapped(now) and before is not None and before.effect()[:2] == ("attack", space)

    def meant_since(self) -> Micros | None:
        """Since when hands have meant the move that waits to be told; `None` if there is none."""
        return self._since if isinstance(self._expected_event(), HandIntent) else None

    def due(self) -> Micros | None:
        """When `tick` has something to tell next, if nothing is sensed before."""
        ahead = self._ahead()
        times = [*ahead.reminders.values()]
        if ahead.ripe is not None:
            times.append(ahead.ripe)
        if ahead.unfelt is not None:
            times.append(ahead.unfelt)
        if self._pending != self._announced:  # a ruling leaves pieces of another attack in the air
            times.append(self._stirred)
        return min(times, default=None)

    # What goes out

    @property
    def in_order(self) -> bool:
        """Whether no chore is open, and none was met in doubt."""
        return self._chores.in_order

    @property
    def owed(self) -> frozenset[Space]:
        """The spaces that chores wait for."""
        return frozenset(self._chores.debts)

    @property
    def doubt(self) -> frozenset[frozenset[Home]]:
        """Pairs of pieces of one side that may have been swapped, and are asked about."""
        return frozenset(self._doubt)

    @property
    def open_doubts(self) -> OpenDoubts:
        """All that a power cut would leave in doubt at this moment."""
        if self._open_doubts is None and not (
            self._doubt
            or self._chores.claimed
            or self._chores.exchange
            or self.position.named
            or len(self.following.air) > 1
        ):
            self._open_doubts = NO_DOUBTS
        elif self._open_doubts is None:
            known = NO_DOUBTS if self.position.alike else self._known_doubts(NO_DOUBTS, fallen=False)
            together = self._up_together()
            self._open_doubts = known._replace(pairs=known.pairs | together) if together else known
        return self._open_doubts

    @property
    def holds_several(self) -> bool:
        """Whether two pieces of one side that look alike are up together."""
        return bool(self._up_together())

    def guidance(self) -> BoardGuidance:
        """What lamps and screens show about hands now."""
        if self._guidance is None:
            self._guidance = self._guided()
        return self._guidance

    def _guided(self) -> BoardGuidance:
        following, position, debts = self.following, self.position, self._chores.debts
        in_play = set(following.air) - debts - self._rested()
        own = position.own(in_play)
        alone = own[0] if len(own) == 1 and not debts else None
        lifted = (following.loose() & in_play) | ({alone} if alone else set())
        hidden = None if in_play or debts else position.hidden()
        at = alone or hidden or ""
        hints = position.hints.get(at) or position.steps.get(at, NO_STEPS)
        chores = self._chores.listed(following, position, self._between)
        taken: set[Space] = set()
        if len(in_play) > 1:  # what is to be taken stays a hint, though it is up
            taken = {target for target in hints if position.captures(at, target)}
        late = tuple(sorted(in_play & {*self._reminded, *self._missing} - taken))
        return BoardGuidance(
            chores, tuple(sorted(lifted - taken)), hints, self._question or self._pending, late
        )

    # Following

    def _seen(self, felt: Iterable[Space]) -> set[Space]:
        """What is sensed; a space played by hand counts as the layout says."""
        blind = self.position.blind
        return (set(felt) - blind) | (blind & self.position.owners.keys())

    def _rested(self) -> frozenset[Space]:
        """Pieces that hands took up, and what may be those elsewhere, while that waits for an answer."""
        away = self.following.air.keys() & self.position.resting
        strays = self.following.strays.keys() if len(self.following.strays) <= len(away) else ()
        return frozenset((*away, *strays))

    def _in_play(self) -> set[Space]:
        """Pieces lifted and set down by hands since the board was in order, chores aside."""
        return self.following.differing() - self._chores.debts

    def _lift(self, space: Space, now: Micros) -> None:
        own = self.position.own(self.following.loose() - self._chores.debts)
        were = frozenset({space}) if space in self.following.expected else self.following.strays.get(space)
        self.following.lift(space, now)
        self._pushed_there(space, now)
        self._chores.lifted(space, now)
        if were is not None:
            self._chores.left(space, were, self.position, now)
        self._identity.lifted(space)
        self._reminded.discard(space)  # it was back meanwhile
        self._suspicions.opened(space)
        if self._battle is not None and self.following.strays.get(self._battle[0]):
            self._chores.concede(self._battle[1])  # it was pushed there: the next move
        self._signs.lifted(space, now, self._targets, self.following.air)
        if len(own) == 1 and self.position.steps.get(own[0], NO_STEPS).get(space):
            self._dips[space] = (own[0], now)
        if self.position.owners.get(space) in self.position.movers:
            self._untouched = False

    def _targets(self, origin: Home) -> list[Space]:
        return self._situation().targets(origin)

    def _pushed_there(self, home: Home, now: Micros) -> None:
        """A piece that slides is sensed on the next space before it leaves its own. If another is up, it may
        seem to be that one.

        A piece of the other side may be pushed anywhere beside it, by whoever likes to.
        """
        seat = self.position.owners.get(home)
        theirs = seat is not None and not self.position.alike and seat not in self.position.movers
        steps, strays = self.position.steps.get(home, NO_STEPS), self.following.strays
        for space, homes in strays.items():
            fresh = now - self.following.since(space) <= self.timing.settle
            own = steps.get(space) is False and self.position.own(homes) == sorted(homes)
            tidied = not self.position.alike and bool(homes & self._chores.debts)
            if homes and fresh and (own or ((theirs or tidied) and self.position.beside(home, space))):
                strays[space] = homes | {home}
                self.following.contested[space] = self.following.contested.get(space, homes) | {home}

    def _place(self, space: Space, now: Micros) -> None:
        dip = self._dips.pop(space, None)
        self._chores.notice_claim(space, self.following, self.position, now)
        lifted = self.following.air.get(space)
        self._signs.placed(space, now, self.following.air, known=not self._retargeted(space, now))
        self.following.place(space, now)
        self._notice_battle(space, now)
        self._notice_doubt(now)
        self._touch = None
        if dip is not None and dip[0] in self.following.air:
            self._touch = EnemyTouch(dip[0], space, now - dip[1])
        touched = lifted is not None and now - lifted >= self.timing.settle
        if self.timing.touch_move and touched and space not in self._chores.debts:
            self._oblige(space)

    def _notice_battle(self, space: Space, now: Micros) -> None:
        """Both pieces of a battle are put back where they were: who stands on its square has to be asked.

        Where a piece that is up may stand there it is the next move.
        """
        if self._battle is None or space != self._battle[0] or space not in self.following.strays:
            return
        target = self._battle[1]
        if self.following.strays[space]:
            return
        if target in self.following.felt and target in self.position.owners:
            self._chores.usurp(target, space, now)

    def _notice_doubt(self, now: Micros) -> None:
        fresh = self._doubtful(self.following.together) - self._doubt
        self._doubt |= fresh
        self._doubted.update(dict.fromkeys(fresh, now))
        self.following.together.clear()
        self._forget_bumped(self.following.bumped(now), now)
        self._new -= self.following.felt

    def _doubtful(self, pairs: Iterable[Pair]) -> set[Pair]:
        """Those of `pairs` that look alike to a reed, and not to their owner."""
        owners, kinds = self.position.owners, self.position.kinds
        if self.position.alike or (self.position.boxed and self._chores.debts):  # they come from the box
            return set()
        return {
            pair
            for pair in pairs
            if len({owners[home] for home in pair}) == 1 < len({kinds.get(home, home) for home in pair})
            and not pair <= self._new
        }

    def _up_together(self) -> set[Pair]:
        """The pairs that may be swapped as soon as they are set down."""
        air = self.following.air
        together = self._doubtful(pairs_of(air)) if len(air) > 1 else set()
        return together | self._set_up.up_together() if self.position.named else together

    def _forget_bumped(self, bumped: frozenset[Home], now: Micros) -> None:
        """What seemed to have been in hands and was not is in no doubt by that, and obliges to nothing."""
        self._doubted = {pair: at for pair, at in self._doubted.items() if now - at <= self.timing.touch}
        self._doubt -= {pair for pair in self._doubted if pair & bumped}
        self.following.untouched(bumped)
        if self._obliged in bumped:
            self._obliged = None

    def _oblige(self, space: Space) -> None:
        if (
            self._obliged is None
            and not self._excused
            and self.position.own([space])
            and self.position.steps.get(space)
        ):
            self._obliged = space

    def _settle_debts(self) -> None:
        if self._chores.settle(self.following):
            self._reminded.discard(None)
            self._just_in_order = self._stood = True

    def _forget(self, now: Micros) -> None:
        self._changed()
        self._stirred = now
        self._touch = self._question = self._meaning = None
        self._pending = self._announced = self._objected = self._lost = None
        self._declined.clear()
        self._signs.forget()
        self._unfelt_told = False
        self._between = ()
        self._reminded.intersection_update(self.following.air)  # that they are missing was said

    # Meaning

    def _reconsider(self, now: Micros) -> None:
        """Find what the hands seem to mean now; the delay runs from when that last changed."""
        self._changed()
        situation = self._situation()
        pending = attacks.pending(situation)
        self._pending = None if self._question is not None or pending in self._declined else pending
        if self._pending is None:
            self._announced = None
        meaning = None if self._question is not None else interpret(situation)
        if meaning is not None and isinstance(meaning.event, MovePutBack) and self.position.waiting:
            self._asked_back, meaning = True, None
        self._expect(meaning, now)

    def _expect(self, meaning: Meaning | None, now: Micros) -> None:
        """Hands mean this now; the delay runs on where they meant the same by another row."""
        if self._expected_event() != (None if meaning is None else meaning.event):
            self._since = now
            self._between = ()
        self._meaning = meaning

    def _expected_event(self) -> TrackerEvent | None:
        return None if self._meaning is None else self._meaning.event

    def _situation(self) -> Situation:
        air = self.following.air
        return Situation(
            position=self.position,
            pieces=self.following,
            corrections=self._chores,
            timing=self.timing,
            doubtful_pairs=frozenset(self._doubt),
            touch=self._touch,
            must_move=self._obliged,
            nothing_lifted=self._untouched,
            was_in_order=self._stood,
            identity_fault=self._identity.fault(),
            signed=self._signs.given,
            long_away=frozenset(h for h, at in air.items() if self._stirred - at >= self.timing.away),
            battle=self._battle,
            awaiting_answer=self._rested(),
            stuck_sensors=self._suspicions,
            declined=self._declined if self._objected is None else {*self._declined, self._objected},
            mislaid=self._mislaid,
            layout_since=self._began,
            refused=self._refused,
            last_moved=self._moved,
            missing=frozenset(self._missing),
            take_back_shown=self._asked_back,
            centring=bool(self._between),
        )

    # Telling

    def _ahead(self) -> _Agenda:
        """What is told by itself, at this moment."""
        if self._agenda is None:
            ripe = None if self._meaning is None else self._meaning.due(self._situation(), self._since)
            self._agenda = _Agenda(ripe, self._reminders(), self._unfelt_at())
        return self._agenda

    def _changed(self) -> None:
        """What is shown, and what is told by itself, has to be thought of anew."""
        self._guidance = self._agenda = self._open_doubts = None

    def _tell(self, candidate: TrackerEvent, now: Micros) -> TrackerEvent:
        self._changed()
        if isinstance(candidate, TrackerQuestion):
            self._question = candidate
            self._meaning = None
        elif isinstance(candidate, TakeBackWithdrawn):
            self._asked_back = False
            self._reconsider(now)
        elif isinstance(candidate, SuspectSpace):
            self._suspicions.told(candidate.space)
            self._reconsider(now)
        elif isinstance(candidate, BoardFault):
            if candidate.code == "between-spaces":
                # What can't be centred in a while was another piece after all.
                air, extra = self.following.air, self.following.strays
                others = tuple(sorted(space for space in extra if not extra[space] & air.keys()))
                self._meaning, self._since = (
                    Meaning(BoardFault(FaultCode.EXTRA_PIECE, others), EXTRA_PIECE),
                    now,
                )
                at_home = self.following.expected - self.following.strays.keys()
                self._between = tuple(sorted(at_home & {*candidate.spaces})) or candidate.spaces
            elif candidate.code == "no-attack":
                self._objected, self._meaning = candidate, None
            else:
                if candidate.code == "extra-piece":
                    self._suspicions.missed(self._situation().unopened())
                    self.following.strangers.update(candidate.spaces)
                obliged = self._obliged, self._excused
                doubted = self._set_down_late(candidate.spaces) if candidate.code == "extra-piece" else {}
                self._identity.fault_told(candidate)
                up = (
                    self.following.air.keys() - self._chores.debts
                    if candidate.code == "extra-piece"
                    else set()
                )
                self.undo(now)
                self._chores.debts -= up  # whoever holds a piece goes on once the other one is off
                self._doubt_arrivals(doubted)
                self._obliged, self._excused = obliged
                if doubted:
                    self._reconsider(now)
        return candidate

    def _doubt_arrivals(self, doubted: Mapping[Home, Space]) -> None:
        """It is asked of each who stands there, whatever becomes of the piece too many."""
        for home, space in doubted.items():
            self._chores.usurp(home, space, self._stirred - 2 * self.timing.settle)

    def _set_down_late(self, spaces: tuple[Space, ...]) -> dict[Home, Space]:
        """By space to which a piece came by a ruling, where one is too many that was set down since: it may
        be the right one, which was in a hand still, as another one was set down in its stead."""
        seats, since, standing = self.position.owners, self.following.since, self.following.felt
        return {
            home: space
            for home, arrival in self._arrived.items()
            for space in spaces
            if home in standing
            and since(space) > arrival.at
            and not self._declined & {WhoStands(home, space, seats[home]), CameFrom(home, space, seats[home])}
        }

    def _reminders(self) -> dict[Home | None, Micros]:
        debts, rested = self._chores.debts, self._rested()
        since: dict[Home | None, Micros] = {None: self._stirred} if debts else {}
        air = self.following.air
        since.update((home, at) for home, at in air.items() if home not in debts | rested)
        unfelt = self._attacked_unfelt()
        return {
            what: self._stirred + self.timing.ask
            if what is not None and what == unfelt
            else at + (self.timing.away if self._gone(what) else self.timing.remind)
            for what, at in since.items()
            if what not in self._reminded
        }

    def _attacked_unfelt(self) -> Home | None:
        """The piece that may be attacked by one whose lift was not felt: one of the other side, up alone."""
        air = self.following.air
        if len(air) != 1 or self.position.own(air):
            return None
        asked = attacks.attacked_unfelt(self._situation())
        return None if asked is None else asked.spaces[1]

    def _gone(self, what: Home | None) -> bool:
        """Whether that is a piece which nobody has to take up, and no board that is being cleared: one whose
        side is not to move, or one of two of the mover's."""
        waits = self._pending is not None and what in self._pending.spaces
        if what is None or waits or len(self.following.air) > 2:
            return False
        own = self.position.own(self.following.air)
        return what not in own or (len(own) > 1 and not self.position.alike)

    def _unfelt_at(self) -> Micros | None:
        waits = self._led and 0 < len(self._chores.debts) <= 2 and not self._unfelt_told
        return self._stirred + self.timing.ask if waits else None

    def _remind(self, now: Micros) -> list[TrackerEvent]:
        ahead = self._ahead()
        late = [what for what, at in ahead.reminders.items() if now >= at]
        unfelt = ahead.unfelt is not None and now >= ahead.unfelt
        if not late and not unfelt:
            return []
        chores = self._chores.listed(self.following, self.position, ())
        attacked = self._attacked_unfelt()
        told: list[TrackerEvent] = [
            OverdueCorrection(len(chores)) if home is None else LiftReminder(home, home == attacked)
            for home in late
        ]
        self._reminded.update(late)
        if unfelt:
            self._unfelt_told = True
            told.append(UnconfirmedCorrection(tuple(sorted({chore.space for chore in chores}))))
        self._changed()
        return told
