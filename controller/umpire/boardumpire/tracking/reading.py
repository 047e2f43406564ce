"""What hands mean at this moment: an intent, a fault, a question, or nothing yet. Pure, and public alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import chain
from math import hypot
from typing import NamedTuple

from boardumpire.tracking import stacks
from boardumpire.tracking.chores import Corrections
from boardumpire.tracking.following import Home, PieceTracker, Space
from boardumpire.tracking.questions import (
    Adjourn,
    AttackHere,
    AttackPending,
    AttackWhich,
    CameFrom,
    InHand,
    MovedHere,
    SamePlaces,
    ThatPiece,
    TrackerQuestion,
    WhoStands,
    question_of,
)
from boardumpire.tracking.values import (
    HOLD,
    SIGN,
    BoardFault,
    FaultCode,
    HandIntent,
    MovePutBack,
    PublicPosition,
    SuspectSpace,
    TrackerEvent,
)
from boardware.ports import Micros


class EnemyTouch(NamedTuple):
    """An enemy piece moved for a moment while a piece of the mover was in hand."""

    origin: Home
    target: Space
    lasted: Micros


ASKED_AT_MOST = 4
"""Of so many pieces it is asked whether they have come to where something stands: the nearest."""
NOWHERE: Mapping[Space, bool] = {}


class HandInterpretation(NamedTuple):
    """All that the meaning of hands depends on."""

    position: PublicPosition
    following: PieceTracker
    chores: Corrections
    doubt: frozenset[frozenset[Home]]
    """Pairs of pieces of one side that may have been swapped."""
    touch: EnemyTouch | None
    """The last touch, if nothing was set down since."""
    short: Micros
    """How long a touch may last."""
    obliged: Home | None
    """The piece that was touched and has to be moved."""
    untouched: bool
    """Whether the side to move has lifted nothing this turn."""
    stood: bool
    """Whether the board was in order once this turn."""
    known: BoardFault | None = None
    """What is known to be wrong with what stands where."""
    sign: tuple[Home, Space] | None = None
    """The attack (origin, target) whose sign the mover has given."""
    attack: str = SIGN
    """What completes an attack: `SIGN` or `HOLD`."""
    away: frozenset[Home] = frozenset()
    """Pieces that have been gone for so long that the board has said so."""
    battle: tuple[Space, Space] | None = None
    """Between which spaces (origin, target) a battle was fought last, while its chores are done."""
    rested: frozenset[Space] = frozenset()
    """Differences that wait for an answer: nothing is made of them."""
    suspects: Callable[[Collection[Home]], list[Home]] = lambda left: []
    """Which of some spaces a piece may have left twice without its reed opening, if it has just left one."""
    declined: frozenset[TrackerQuestion] = frozenset()
    """What was answered with no since hands last did something."""
    mislaid: tuple[Space, ...] = ()
    """A piece that was lost when its space came to be played by hand, and where it may have gone."""
    began: Micros = 0
    """When the layout came to hold."""
    refused: tuple[Home, Space] | None = None
    """The move (origin, target) that was refused, while hands are led back from it."""
    moved: tuple[Home, frozenset[Space]] | None = None
    """Where the piece that moved last stands, and where else it could have gone."""
    missing: frozenset[Home] = frozenset()
    """Pieces that are in no hand, as their owner has said, and were not felt since."""

    def meaning(self) -> TrackerEvent | None:
        """What hands mean, if it stays so for as long as `Timing.patience` says."""
        if self.chores.claimed:
            space, other = next(iter(sorted(self.chores.claimed.items())))
            return self._followed(space, other) or WhoStands(space, other, self.position.owners[space])
        if self.known is not None:
            return self.known
        if self.chores.debts:
            return self._moved_after_all(*self.refused) if self.refused else self._cleared()
        if self.rested and self.following.differing() <= self.rested:
            return None
        if self.sign is not None:  # nothing that other hands do meanwhile is waited for
            return self.intent(*self.sign)
        doubt = self._standing_doubt()
        if doubt is not None and (doubt.seat in self.position.movers or not self.following.differing()):
            return doubt  # of the other side it holds up nothing but what it is about
        if self.following.strays:
            return self._moved()
        return self._lifted() or self._mislaid_where()

    def _followed(self, space: Home, other: Space) -> TrackerEvent | None:
        """Where pieces are all alike: the one of `space` had come to `other` before another one that was up
        came to stand in its place. So that was a move, and the other one's is the next."""
        if self.position.alike and other in self.following.strays and self.position.own(self.following.air):
            return self.intent(space, other)
        return None

    def _standing_doubt(self) -> TrackerQuestion | None:
        """Pieces of one side that were in hands together and now stand: the owner says whether as before."""
        if not self.doubt:
            return None
        away = self.following.differing()
        homes = sorted(set(chain.from_iterable(pair for pair in self.doubt if not pair & away)))
        if not homes:
            return None
        seat = self.position.owners[homes[0]]
        return SamePlaces(tuple(h for h in homes if self.position.owners[h] == seat), seat)

    def _moved(self) -> TrackerEvent | None:
        """Something stands where nothing should."""
        air, strays = self.following.air, self.following.strays
        own = self._turn_of(self.position.own(air.keys() - self.rested))
        taken = self._taken(own)
        if taken is not None and not self._may_be_astray(own[0]):
            return self.intent(own[0], taken)  # what stands elsewhere is an early reply
        together = self._together(own)
        if together is not None:  # that of several pieces is one move
            origin, target, done = together
            return self.intent(origin, target) if done else None
        certain = {next(iter(homes)): space for space, homes in strays.items() if len(homes) == 1}
        if self.position.alike and own and len(strays) <= len(air):
            return self._carried(own, sorted(strays, key=lambda space: (self.following.since(space), space)))
        unexplained = sorted(space for space, homes in strays.items() if not homes)
        moved = certain.get(own[0]) if len(own) == 1 else None
        after_all = self._moved_after_all(own[0], moved) if moved is not None and unexplained else None
        if after_all is not None:
            return after_all
        if unexplained and not self._besides(unexplained, own, moved):
            return self._unexplained(unexplained, sorted(certain.values()))
        doubtful = self._by_turn()
        if doubtful is not None:
            return doubtful
        if len(own) == 1 and own[0] in certain:
            other = self._other_at(own[0], certain[own[0]])
            if other is not None:
                return ThatPiece(own[0], certain[own[0]], other, self.position.owners[own[0]])
            return self._put_back(own[0], certain[own[0]]) or self.intent(own[0], certain[own[0]])
        others = sorted(home for home in certain if home not in own)
        if not own and others:
            return self._out_of_turn(others[0], certain[others[0]])
        return self._likeliest(own) or BoardFault(FaultCode.MUDDLE, tuple(sorted({*air, *strays})))

    def _moved_after_all(self, origin: Home, target: Space) -> TrackerEvent | None:
        """The piece seemed to be set down on `target`, where it may not go. Now it has come to stand where it
        may, and what stands on `target` stands still: that was another piece, set down by somebody else."""
        steps, strays = self.position.steps.get(origin, NOWHERE), self.following.strays
        others = strays.keys() - {target}
        if self.following.air.keys() != {origin} or target not in strays or len(others) != 1:
            return None
        (space,) = others
        later = self.following.since(space) > self.following.since(target)
        illegal = target not in steps or self.refused == (origin, target)
        if not (later and illegal) or steps.get(space) is not False:
            return None
        if self.position.apart(space, target):
            return self.intent(origin, space)
        # One piece between the two is felt on both.
        return MovedHere(origin, space, self.position.owners[origin])

    def _besides(self, unexplained: list[Space], own: list[Home], moved: Space | None) -> bool:
        """Whether the mover has made a move, to `moved`, beside which something else was set down: it is
        too far away to be the same piece, or was there before that was lifted."""
        if moved is None or self.position.steps.get(own[0], NOWHERE).get(moved) is not False:
            return False
        lifted, since = self.following.air[own[0]], self.following.since
        return all(self.position.apart(moved, space) or since(space) < lifted for space in unexplained)

    def _mislaid_where(self) -> TrackerQuestion | None:
        """The next space where the piece may be that was up when its space came to be played by hand."""
        if len(self.mislaid) < 2 or self.following.air:
            return None
        return MovedHere.about_spaces(self.mislaid[:2], self.position.owners[self.mislaid[0]])

    def quiet_targets(self, origin: Home) -> list[Space]:
        """Where the piece of `origin` may go without an attack and nothing is sensed, the nearest first."""
        steps = self.position.steps.get(origin, NOWHERE)
        found = [
            target for target, attack in steps.items() if not attack and target not in self.following.felt
        ]
        return sorted(found, key=lambda target: self._distance(origin)(target)[0])

    def _together(self, own: list[Home]) -> tuple[Home, Space, bool] | None:
        """The step of several pieces that are just those up: (origin, target, whether all have come
        there)."""
        for (origin, target), others in self.position.also.items():
            targets = {target, *(to for _, to in others)}
            if (
                set(own) == {origin, *(home for home, _ in others)}
                and self.following.strays.keys() <= targets
            ):
                return origin, target, self.following.strays.keys() == targets
        return None

    def _other_at(self, home: Home, space: Space) -> Home | None:
        """Which other piece may be what stands where the one of `home` seems to."""
        theirs = self._theirs_at(home, space)
        return theirs[0] if theirs else self.following.unsure.get(space)

    def _theirs_at(self, home: Home, space: Space) -> list[Home]:
        """The pieces of the other side that may be what stands where the one of `home` may go.

        They were up when that came to stand there. That they seem to be somewhere else by now proves nothing:
        their owner may have set another piece there, to move for the thinker.
        """
        owners, movers = self.position.owners, self.position.movers
        if self.position.alike or self.position.steps.get(home, NOWHERE).get(space) is not False:
            return []
        taken = self.position.takes.get((home, space), frozenset())
        others = self.following.contested.get(space, frozenset()) - {home} - self.chores.tidied.keys() - taken
        return sorted(other for other in others if other in owners and owners[other] not in movers)

    def _likeliest(self, own: list[Home]) -> TrackerEvent | None:
        """Pieces are up together and something stands where one of the mover's may go: is it that one?

        Another one that is up may stand there, legally or not; one of the other side may have been put there
        to move for the mover, however long it was gone. Of his own the mover knows: one that had long been
        gone when that came to stand there is not thought of, unless it may go there as well.
        """
        steps, strays = self.position.steps, self.following.strays
        may = [
            (home, space)
            for space, homes in sorted(strays.items())
            for home in own
            if home in homes and steps.get(home, NOWHERE).get(space) is False
        ]
        if len({space for _, space in may}) != 1:
            return None  # two of them moved
        home, space = may[0]
        others = [other for other, there in may[1:] if there == space]
        if not others and len(strays) < len(self.following.air):
            away = self.away & set(self.position.own(self.away))
            fresh = strays[space] - away - {home} - self.position.takes.get((home, space), frozenset())
            others = [*self.position.own(fresh), *sorted(fresh - set(self.position.own(fresh)))]
        others = others or self._theirs_at(home, space)
        if others:
            return ThatPiece(home, space, others[0], self.position.owners[home])
        return self.intent(home, space)

    def _turn_of(self, own: list[Home]) -> list[Home]:
        """Of pieces of a side that are up the one that alone may move, where there is one: others wait."""
        steps = self.position.steps
        return [home for home in own if home in steps] or own if len(steps) == 1 else own

    def _carried(self, own: list[Home], rests: list[Space]) -> TrackerEvent | None:
        """Pieces of a side, all alike, are up, others rest elsewhere, in the order in which they came: the
        first of what may be meant.

        Where two that were up together may both have come there, what it costs may differ: it is asked.
        """
        steps, strays = self.position.steps, self.following.strays
        waits = self.waits()
        if waits is not None:
            return self._gave_up(waits.spaces[0], rests)
        for space in rests:
            known = [home for home in own if home in strays[space]] or own
            known = [*known, *self.position.own(self.following.replaced(space))]
            may = [home for home in known if steps.get(home, NOWHERE).get(space) is False]
            others = [home for home in may if stacks.space_of(home) != stacks.space_of(may[0])]
            if others:
                return ThatPiece(may[0], space, others[0], self.position.owners[may[0]])
            if may:
                return self.intent(may[0], space)
        # None may go there; of those that may have come, also where another has to go on first, it is
        # likeliest the one that was lifted last.
        air = self.following.air
        known = [home for home in self.position.own(air) if home in strays[rests[0]]] or own
        return self.intent(max(known, key=air.__getitem__), rests[0])

    def _gave_up(self, home: Home, rests: list[Space]) -> TrackerEvent | None:
        """An attack of the piece of `home` waits, and others of its side are up: what rests elsewhere may be
        that piece, or one that was moved early. Nothing else is judged before the attack is answered."""
        for space in rests:
            up = self.position.own(self.following.strays[space])
            if home in up and self.position.steps.get(home, NOWHERE).get(space) is False:
                others = [other for other in up if other != home]
                if not others:
                    return self.intent(home, space)
                return ThatPiece(home, space, others[0], self.position.owners[home])
        return None

    def _unexplained(self, spaces: list[Space], resting: list[Space]) -> TrackerEvent:
        """A piece that nobody was seen to lift."""
        middle = self.following.straddled(spaces[0], self.position) if len(spaces) == 1 else None
        if middle is not None:
            return BoardFault(FaultCode.BETWEEN_SPACES, tuple(sorted({middle, *spaces})))
        if len(spaces) == len(resting) == 1 and not self.position.apart(spaces[0], resting[0]):
            # A piece that rests on two reeds closed the second without anything being lifted.
            return BoardFault(FaultCode.BETWEEN_SPACES, tuple(sorted({*spaces, *resting})))
        position = self.position
        blind = position.own((position.blind | position.shared) & position.owners.keys())
        origins = [home for home in blind if spaces[0] in self.position.steps.get(home, NOWHERE)]
        if len(spaces) == 1 and len(origins) == 1 and not self.following.air:
            if origins[0] in self.position.shared:  # it stood among others: by the turn it is that one
                return self.intent(origins[0], spaces[0])
            return CameFrom(origins[0], spaces[0], self.position.owners[origins[0]])
        named = self.following.named.get(spaces[0])
        if named is not None and named in self.position.own(
            self.following.felt & self.position.owners.keys()
        ):
            return self.intent(named, spaces[0])  # its reed sticks
        unopened = self.unopened()
        suspects = self.suspects(unopened)
        if len(suspects) == 1:
            return SuspectSpace(suspects[0])
        came = self.following.since(spaces[0]) > self.began and spaces[0] not in self.following.strangers
        possible = suspects or (sorted(unopened, key=self._distance(spaces[0])) if came else ())
        for home in possible[:ASKED_AT_MOST]:  # its owner knows whether one of them went there, and which
            question = CameFrom(home, spaces[0], position.owners[home])
            if question not in self.declined:
                return question
        return self._set_down_late(spaces[0]) or BoardFault(FaultCode.EXTRA_PIECE, tuple(spaces))

    def _set_down_late(self, space: Space) -> TrackerQuestion | None:
        """What stands there may be the piece that seems to have moved last: it may have been in the hand
        still when somebody set another one down where it could go."""
        at, others = self.moved or (space, frozenset[Space]())
        if space not in others or at not in self.following.felt & self.position.owners.keys():
            return None
        question = WhoStands(at, space, self.position.owners[at])
        return None if question in self.declined else question

    def _distance(self, space: Space) -> Callable[[Home], tuple[float, Home]]:
        """How far places are from a space, where that is known."""
        places = self.position.places
        x, y = places.get(space, (0.0, 0.0))

        def far(home: Home) -> tuple[float, Home]:
            there_x, there_y = places.get(home, (x, y))
            return hypot(there_x - x, there_y - y), home

        return far

    def unopened(self) -> frozenset[Home]:
        """The pieces that may have moved to where something stands that nobody was seen to lift."""
        strays = self.following.strays
        if len(strays) != 1 or self.following.air or self.chores.debts:
            return frozenset()
        ((space, homes),) = strays.items()
        felt = self.position.own(self.following.felt & self.position.owners.keys())
        known = {home for home in felt if self.position.steps.get(home, NOWHERE).get(space) is False}
        return frozenset() if homes else frozenset(known)

    def intent(self, origin: Home, target: Space) -> TrackerEvent:
        """The intent, or what stands against it: another piece was touched, or who is who is doubtful."""
        if self.obliged not in (None, origin):
            return BoardFault(FaultCode.TOUCH_MOVE, (origin, target))
        for pair in sorted(self.doubt, key=sorted):
            if origin in pair:
                (other,) = pair - {origin}
                return ThatPiece(origin, target, other, self.position.owners[origin])
            if target in pair:  # nobody is attacked before it is known who that is
                return SamePlaces(tuple(sorted(pair)), self.position.owners[target])
        return HandIntent(origin, target)

    def _by_turn(self) -> TrackerQuestion | None:
        """Something stands where the one piece that has the turn may go, and it may be another: both are up,
        or that one stood among others, whose reed tells nothing, and another was lifted at once."""
        position, strays = self.position, self.following.strays
        if len(position.steps) != 1 or len(strays) != 1:
            return None
        ((origin, steps),), ((target, homes),) = position.steps.items(), strays.items()
        others = sorted(homes - {origin})
        hidden = origin == position.hidden() and target in self.following.pushed
        if target in steps and others and (hidden or origin in homes):
            return ThatPiece(origin, target, others[0], position.owners[origin])
        return None

    def _put_back(self, home: Home, space: Space) -> MovePutBack | None:
        """The last move is put back though its side is still to act: no move leads there."""
        legal = space in self.position.steps.get(home, NOWHERE)
        return MovePutBack(space, home) if self.position.last == (space, home) and not legal else None

    def _out_of_turn(self, home: Home, space: Space) -> TrackerEvent:
        if self.position.last == (space, home) and (self.untouched or self.position.waiting):
            return MovePutBack(space, home)
        return BoardFault(FaultCode.NOT_YOUR_TURN, (home, space))

    def thought_of(self) -> dict[Home, Micros]:
        """The pieces that are up, and since when, but those of the other side that have long been gone, and
        those that wait for an answer, or are in no hand while others may be."""
        movers, owners = self.position.movers, self.position.owners
        up = self._in_hands()
        air = {home: at for home, at in self.following.air.items() if home in up - self.rested}
        return {home: at for home, at in air.items() if home not in self.away or owners[home] in movers}

    def _in_hands(self) -> set[Home]:
        """The pieces that are up; while several are, without those that are known to be in no hand."""
        return set(self.following.air.keys() - self.missing or self.following.air)

    def _lifted(self) -> TrackerEvent | None:
        """Pieces are up and nothing stands elsewhere."""
        air = self.thought_of()
        own = self.position.own(air)
        taken = self._taken(own)
        if taken is not None:  # whatever else seems to be up
            return self.intent(own[0], taken)
        if self.position.alike and self.waits() is not None:
            return None  # whoever holds another one meanwhile
        if len(air) > 2 or (len(air) == 2 and len(own) != 1):
            return self._cleared() or BoardFault(FaultCode.PIECES_DOWN, tuple(sorted(air)))
        if len(own) != 1:
            return self._cleared() or self.set_upon()
        if len(air) == 2:
            (target,) = set(air) - set(own)
            if self._takes(own[0], target):
                return None  # his own has to come down first
            if target not in self.position.steps.get(own[0], NOWHERE):
                return BoardFault(FaultCode.NO_ATTACK, (own[0], target))
            return self.intent(own[0], target) if self.attack == HOLD else None
        asked = self._attack_asked()
        return asked if asked is not None and asked not in self.declined else self.set_upon() or asked

    def _taken(self, own: list[Home]) -> Space | None:
        """Where the one piece of the mover's that is up has taken another, as it seems: that was up too, and
        something was set down in its place."""
        upon = self.following.upon.get(own[0]) if len(own) == 1 else None
        return upon if upon is not None and self.position.captures(own[0], upon) else None

    def _may_be_astray(self, home: Home) -> bool:
        """Whether the piece of `home` may stand where something does that should not, and may go there."""
        steps = self.position.steps.get(home, NOWHERE)
        return any(home in homes and space in steps for space, homes in self.following.strays.items())

    def _takes(self, home: Home, other: Home) -> bool:
        """Whether the piece of `home` may take the other one, wherever it goes for that."""
        return any(other in taken for (origin, _), taken in self.position.takes.items() if origin == home)

    def _alone(self, home: Home) -> bool:
        """Whether this piece is up, and nothing else is up or out of place."""
        return self.thought_of().keys() == {home} and not self.following.strays

    def pending(self) -> TrackerQuestion | None:
        """The attack that only a sign of the mover is waiting for: his piece and one that it may attack are
        up, or that one has just been touched with it. Whose hands did it nobody can feel."""
        if self.chores.debts or self.chores.claimed or self.sign is not None:
            return None
        doubt = self._standing_doubt()
        if doubt is not None and doubt.seat in self.position.movers:
            return None  # that is asked first: one answer can't be meant for two
        own = self._attackers()
        if len(own) != 1:
            return None
        targets = self.targets(own[0])
        seat = self.position.owners[own[0]]
        if not targets:
            return self._touched()
        if len(targets) > 1:
            return AttackWhich(own[0], (*targets,), seat)
        alone = len(self.following.air) == 2 and not self.following.strays
        code = "attack-counting" if self.attack == HOLD and alone else "attack-pending"
        return question_of(code, (own[0], targets[0]), seat)

    def _attackers(self) -> list[Home]:
        """The pieces of the mover that may attack: the one that is up, if no other is.

        Where several move in a turn and are all alike, those that were up together with one that they may
        attack before anything was set down elsewhere: what comes later waits.
        """
        air = self.following.air
        up = self._in_hands()
        own = self.position.own(self.following.loose() & up)
        if not self.position.alike or len(self.position.own(air)) == 1:
            return own if own == self.position.own(up) else []
        first = min(map(self.following.since, self.following.strays), default=None)
        return [
            home
            for home in own
            if any(first is None or max(air[home], air[target]) < first for target in self.targets(home))
        ]

    def waits(self) -> TrackerQuestion | None:
        """Where pieces are all alike and several are up: the attack that has to be answered before anything
        else is judged."""
        if not self.position.alike or len(self.position.own(self.following.air)) == 1:
            return None
        pending = self.pending()
        return None if pending in self.declined else pending

    def targets(self, origin: Home) -> list[Space]:
        """The pieces that are up and that the one of `origin`, as far as everybody knows, may attack."""
        steps = self.position.steps.get(origin, NOWHERE)
        return sorted(home for home in self.following.loose() if steps.get(home))

    def _touched(self) -> TrackerQuestion | None:
        """The attack that a short touch may have begun, whose attacker is still in the air."""
        touch = self.touch
        if touch is None or not self._alone(touch.origin) or touch.lasted > self.short:
            return None
        return AttackPending(touch.origin, touch.target, self.position.owners[touch.origin])

    def set_upon(self) -> TrackerQuestion | None:
        """One piece is still up; another of the other side was, and its place is occupied again."""
        if len(self.following.air) != 1:
            return None
        (home,), owners = self.following.air, self.position.owners
        space = self.following.upon.get(home)
        if (
            space is None
            or owners[space] == owners[home]
            or self.position.steps.get(home, NOWHERE).get(space)
        ):
            return None  # an attack that is possible is asked about as one
        return WhoStands(space, home, owners[home])

    def _cleared(self) -> TrackerQuestion | None:
        """The whole board is empty: it is being put away."""
        judged = self.position.judged() - self.position.blind
        if self.stood and len(judged) > 2 and not judged & self.following.felt and not self.following.strays:
            return Adjourn()
        return None

    def meant_unfelt(self) -> TrackerQuestion | None:
        """What `confirm` makes of a piece in the hand: the attack of a touch, or an unfelt move."""
        unfelt = self.unfelt()
        return self._asked_of_touch() or (
            unfelt if unfelt is not None and unfelt.code == "moved-here" else None
        )

    def attacked_unfelt(self) -> TrackerQuestion | None:
        """The attack that may wait for its sign though nobody was seen to lift the attacker: a piece of the
        other side is up alone, and one of the mover's, felt on its space, may attack it."""
        if self.chores.debts or self.chores.claimed or self.following.strays or self.position.alike:
            return None
        if len(self.following.air) != 1 or self.position.own(self.following.air):
            return None
        (home,) = self.following.air
        felt = self.position.own(self.following.felt & self.position.owners.keys() - self.position.blind)
        for origin in felt:
            question = AttackHere(origin, home, self.position.owners[origin])
            if self.position.steps.get(origin, NOWHERE).get(home) and question not in self.declined:
                return question
        return None

    def _asked_of_touch(self) -> TrackerQuestion | None:
        touch = self.touch
        if touch is None or not self._alone(touch.origin):
            return None
        return AttackHere(touch.origin, touch.target, self.position.owners[touch.origin])

    def _attack_asked(self) -> TrackerQuestion | None:
        """The attack that may have been made unfelt: on the piece that was touched, or on one in reach; else
        whether the piece is in the hand at all."""
        own = self.position.own(self._in_hands())
        if len(own) != 1 or len(self.thought_of()) != 1 or self.following.strays:
            return None
        seat = self.position.owners[own[0]]
        if self.touch is not None and self.touch.origin == own[0]:
            return self._asked_of_touch()
        if own[0] in self.missing:
            return None
        steps = self.position.steps.get(own[0], NOWHERE)
        takes = self.position.takes
        targets = [to for to, attack in steps.items() if attack or to in takes.get((own[0], to), ())]
        unfelt = self.unfelt()
        if unfelt is not None and (unfelt not in self.declined or not targets):
            return unfelt
        if not targets:
            return self.in_hand()
        code = "attack-here" if len(targets) == 1 else "attack-where"
        return question_of(code, (own[0], *targets), seat)

    def in_hand(self) -> TrackerQuestion | None:
        """One piece is up: whether it is in a hand, or stands where nothing feels it.

        Where pieces are alike and many move in a turn nobody is asked: one is held all the time.
        """
        if self.position.alike:
            return None
        own = self.position.own(self.following.air)
        if len(own) != 1 or len(self.thought_of()) != 1 or self.following.strays:
            return None
        return InHand(own[0], self.position.owners[own[0]])

    def unfelt(self) -> TrackerQuestion | None:
        """The piece in the hand may stand among others by now, where nothing feels it."""
        own = self.position.own(self.following.air)
        if len(own) != 1 or self.following.strays:
            return None
        targets = self.position.unfelt(own[0])
        code = "moved-here" if len(targets) == 1 else "moved-where"
        return question_of(code, (own[0], *targets), self.position.owners[own[0]]) if targets else None
