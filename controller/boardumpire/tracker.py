"""From hands to intents: what was felt, what it means, what to do about it.

Pure: board events and time in; intents, faults, questions and guidance out. The tracker knows the public
side of the game alone (`Position`), so nothing it says or the moment it says it can tell a secret.

A position is *in order* when what is felt equals the layout. From there hands lift, slide and set down;
what they mean is judged once it has been still for the settle time. After a ruling, a refusal, a fault or a
start the board may differ from the layout: the differences are *chores*, and no further action is judged
before they are done. What hands do meanwhile is held, not lost. docs/tracker.md has the table of situations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from boardumpire.following import Following, Home, Space
from boardumpire.hands import (
    Chore,
    Fault,
    Guidance,
    InOrder,
    Intent,
    Position,
    PutBack,
    Question,
    Reminder,
    Timing,
    Told,
)
from boardware.ports import Micros


class _Touch(NamedTuple):
    """An enemy piece moved for a moment while a piece of the mover was in hand."""

    origin: Home
    target: Space
    lasted: Micros


_NOWHERE: Mapping[Space, bool] = {}


class Tracker:
    """Follows the hands of one board. All times are passed in and never go back."""

    def __init__(self, timing: Timing | None = None) -> None:
        self.timing = timing or Timing()
        self.position = Position({}, frozenset(), frozenset(), {})
        self.following = Following(self.timing.settle)
        self._debts: set[Space] = set()
        self._exchange: set[Space] = set()
        self._claimed: dict[Space, Home] = {}
        """Chores that were met while another hand's piece, which could go there too, was in the air."""
        self._doubt: set[frozenset[Home]] = set()
        self._dips: dict[Space, tuple[Home, Micros]] = {}
        self._touch: _Touch | None = None
        self._question: Question | None = None
        self._candidate: Told | None = None
        self._since: Micros = 0
        self._reminded: set[Home] = set()
        self._between: tuple[Space, ...] = ()
        self._obliged: Home | None = None
        self._excused = False
        """Whether a touched piece turned out unable to move: then touching obliges to nothing this turn."""
        self._untouched = True
        self._declined: Question | None = None
        self._stood = False
        self._ordered = True
        self._just_in_order = False
        self._guidance: Guidance | None = None
        """What is shown, until something changes it."""

    # What comes in

    def begin(
        self,
        position: Position,
        felt: Iterable[Space],
        now: Micros,
        *,
        hands: tuple[Space, ...] | None = None,
        exchange: Space | None = None,
        doubt: Iterable[frozenset[Home]] = (),
    ) -> None:
        """Take a new layout, after a ruling or at a start.

        `hands` holds the spaces that the ruling was about; what differs there is a chore, while a piece
        that another hand lifted early elsewhere stays in play. `None` (a start) makes every difference a
        chore. `exchange` is a space whose piece was beaten: if a piece is felt there, it is still the
        loser, which has to go before the winner can be set down. `doubt` are pairs of pieces that may have
        been swapped before this tracker was there.
        """
        moved = frozenset(hands or ())
        early = self._in_play() - moved if hands is not None else set()
        self.position = position
        self.following.reset(position.judged(), position.free, self._seen(felt), moved, now)
        self._exchange = {exchange} & self.following.felt if exchange is not None else set()
        self._debts = (self._differing() - early) | self._exchange
        self._doubt.update(doubt)
        self._carry_doubt(hands)
        self._claimed.clear()
        self._dips.clear()
        self._obliged, self._excused = None, False
        self._untouched = not early
        self._stood = self._ordered = not self._debts
        self._forget()
        self._reconsider(now)

    def _carry_doubt(self, hands: tuple[Space, ...] | None) -> None:
        """Doubt about who is who outlives a ruling; a piece that moved is known by its new space."""
        renamed = {hands[0]: hands[1]} if hands and len(hands) == 2 else {}
        pairs = ({renamed.get(home, home) for home in pair} for pair in self._doubt)
        owners = self.position.owners
        self._doubt = {frozenset(pair) for pair in pairs if len(pair) == 2 and pair <= owners.keys()}

    def undo(self, now: Micros) -> None:
        """The intent was refused: all that differs from the layout becomes a chore."""
        self._debts |= self._differing()
        self._obliged, self._excused = None, True
        self._ordered = self.in_order
        self._forget()

    def felt(self, space: Space, present: bool, now: Micros) -> None:
        """A reed changed (debounced)."""
        if (space in self.following.felt) == present or space in self.position.blind:
            return
        self._question = self._declined = None
        if present:
            self._place(space, now)
        else:
            self._lift(space, now)
        self._settle_debts()
        self._reconsider(now)

    def snapshot(self, felt: Iterable[Space], now: Micros) -> None:
        """The board was out of sight and is felt again as a whole, in no order.

        If one step of the mover explains every difference it is taken as made; else all are chores.
        """
        position = self.position
        self.following.reset(position.judged(), position.free, self._seen(felt), frozenset(self._debts), now)
        missing, extra = set(self.following.air), set(self.following.strays)
        if len(missing) == len(extra) == 1 and not self._debts:
            (origin,), (target,) = missing, extra
            if position.steps.get(origin, _NOWHERE).get(target) is False:
                self.following.strays[target] = frozenset(missing)
                missing = extra = set()
        self._debts |= missing | extra
        self._forget()
        self._settle_debts()
        self._reconsider(now)

    def answer(self, yes: bool, now: Micros) -> Told | None:
        """Confirm or cancel: answers the open question, or confirms a touch at once."""
        asked = self._question or (None if self._debts else self._attack_asked())
        self._question = self._touch = None
        self._declined = None if yes else asked
        told = self._answered(asked, yes) if asked is not None else None
        self._settle_debts()
        self._reconsider(now)
        return told

    def _answered(self, asked: Question, yes: bool) -> Told | None:
        match asked.code, asked.spaces:
            case "attack-here" | "came-from", (origin, target):
                return Intent(origin, target) if yes else None
            case "that-piece", (origin, target, *_):
                if yes:
                    self._doubt.clear()
                    return Intent(origin, target)
                self._debts |= self._differing()
            case "same-places", spaces:
                if yes:
                    self._doubt = {pair for pair in self._doubt if not pair <= set(spaces)}
                else:  # they have to be taken up, and go where they belong; until then it stays doubtful
                    self._exchange.update(spaces)
            case "who-stands", (space, _):
                self._claimed.pop(space, None)
                if not yes:
                    self._exchange.add(space)
        return None

    def tick(self, now: Micros) -> list[Told]:
        """What has become clear by `now`. An intent is told again until `begin` or `undo` answers it."""
        told: list[Told] = []
        if self._just_in_order:
            self._just_in_order = False
            told.append(InOrder())
        if self._candidate is not None and now >= self._since + self._patience(self._candidate):
            told.append(self._tell(self._candidate, now))
        return told + self._reminders(now)

    def due(self) -> Micros | None:
        """When `tick` has something to tell next, if nothing is felt before."""
        times = [self._since + self._patience(self._candidate)] if self._candidate is not None else []
        times += [
            at + self.timing.remind for home, at in self.following.air.items() if home not in self._reminded
        ]
        return min(times, default=None)

    # What goes out

    @property
    def in_order(self) -> bool:
        """Whether no chore is open, and none was met in doubt."""
        return not (self._debts or self._claimed)

    @property
    def doubt(self) -> frozenset[frozenset[Home]]:
        """Pairs of pieces of one side that may have been swapped."""
        return frozenset(self._doubt)

    def guidance(self) -> Guidance:
        """What lamps and screens show about hands now."""
        if self._guidance is None:
            self._guidance = self._guided()
        return self._guidance

    def _guided(self) -> Guidance:
        following, owners = self.following, self.position.owners
        chores = []
        for space in sorted(self._debts | self._exchange):
            if space in self._exchange:
                chores.append(Chore("take", space, owners.get(space)))
            elif space in following.air:
                chores.append(Chore("put", space, owners[space]))
            elif space in following.strays:
                chores.append(Chore("take", space, None))
        chores += [Chore("centre", space, None) for space in self._between]
        in_play = set(following.air) - self._debts
        own = self._own(in_play)
        alone = own[0] if len(own) == 1 and not self._debts else None
        lifted = (following.loose() & in_play) | ({alone} if alone else set())
        hints = self.position.steps.get(alone, _NOWHERE) if alone else _NOWHERE
        late = tuple(sorted(self._reminded & in_play))
        return Guidance(tuple(chores), tuple(sorted(lifted)), hints, self._question, late)

    # Following

    def _seen(self, felt: Iterable[Space]) -> set[Space]:
        """What is felt; a space played by hand counts as the layout says."""
        blind = self.position.blind
        return (set(felt) - blind) | (blind & self.position.owners.keys())

    def _differing(self) -> set[Space]:
        return set(self.following.air) | set(self.following.strays)

    def _in_play(self) -> set[Space]:
        """Pieces lifted and set down by hands since the board was in order, chores aside."""
        return self._differing() - self._debts

    def _own(self, homes: Iterable[Home]) -> list[Home]:
        owners, movers = self.position.owners, self.position.movers
        return sorted(home for home in homes if owners[home] in movers)

    def _lift(self, space: Space, now: Micros) -> None:
        own = self._own(self.following.loose() - self._debts)
        self.following.lift(space, now)
        self._exchange.discard(space)
        self._claimed.pop(space, None)
        if len(own) == 1 and self.position.steps.get(own[0], _NOWHERE).get(space):
            self._dips[space] = (own[0], now)
        if self.position.owners.get(space) in self.position.movers:
            self._untouched = False

    def _place(self, space: Space, now: Micros) -> None:
        dip = self._dips.pop(space, None)
        self._notice_claim(space)
        lifted = self.following.air.get(space)
        self.following.place(space, now)
        self._notice_doubt()
        self._touch = None
        if dip is not None and dip[0] in self.following.air:
            self._touch = _Touch(dip[0], space, now - dip[1])
            self._candidate = None  # held from the end of the touch on, not from its beginning
        touched = lifted is not None and now - lifted >= self.timing.settle
        if self.timing.touch_move and touched and space not in self._debts:
            self._oblige(space)

    def _notice_claim(self, space: Space) -> None:
        """A chore is met; was it by the piece of the chore, or by an early reply that could go there?"""
        if space not in self._debts or space not in self.following.air:
            return
        for home in self._own(self.following.loose() - self._debts):
            if space in self.position.steps.get(home, _NOWHERE):
                self._claimed[space] = home

    def _notice_doubt(self) -> None:
        owners = self.position.owners
        for pair in self.following.together:
            if len({owners[home] for home in pair}) == 1:
                self._doubt.add(pair)
        self.following.together.clear()

    def _oblige(self, space: Space) -> None:
        if (
            self._obliged is None
            and not self._excused
            and self._own([space])
            and self.position.steps.get(space)
        ):
            self._obliged = space

    def _settle_debts(self) -> None:
        if not (self._debts or self._exchange or self._claimed):
            return
        before = bool(self._debts)
        if before and not (set(self.following.air) - self._debts):
            self._debts |= set(self.following.strays)  # nobody in play explains them
        self._debts = (self._debts & self._differing()) | self._exchange
        self._claimed = {
            space: home for space, home in self._claimed.items() if home in self.following.loose()
        }
        if self.in_order and not self._ordered:
            self._just_in_order = self._stood = True
        self._ordered = self.in_order

    def _forget(self) -> None:
        self._guidance = None
        self._touch = self._question = self._candidate = None
        self._between = ()
        self._reminded.clear()

    # Meaning

    def _reconsider(self, now: Micros) -> None:
        """Find what the hands seem to mean now; the settle time runs from when that last changed."""
        self._guidance = None
        candidate = self._meaning() if self._question is None and not self.position.waiting else None
        if candidate == self._declined:
            candidate = None
        if candidate != self._candidate:
            self._candidate = candidate
            self._since = now
            self._between = ()

    def _meaning(self) -> Told | None:
        if self._claimed:
            space, home = next(iter(sorted(self._claimed.items())))
            return Question("who-stands", (space, home), self.position.owners[home])
        if self._debts:
            return self._cleared()
        doubt = self._standing_doubt()
        if doubt is not None:
            return doubt
        if self.following.strays:
            return self._moved()
        return self._lifted()

    def _standing_doubt(self) -> Question | None:
        """Pieces of one side that were in hands together and now stand: the owner says whether as before."""
        if not self._doubt:
            return None
        away = self._differing()
        homes = sorted(set(chain.from_iterable(pair for pair in self._doubt if not pair & away)))
        if not homes:
            return None
        seat = self.position.owners[homes[0]]
        return Question("same-places", tuple(h for h in homes if self.position.owners[h] == seat), seat)

    def _moved(self) -> Told:
        """Something stands where nothing should."""
        air, strays = self.following.air, self.following.strays
        own = self._own(air)
        certain = {next(iter(homes)): space for space, homes in strays.items() if len(homes) == 1}
        unexplained = sorted(space for space, homes in strays.items() if not homes)
        if unexplained:
            return self._unexplained(unexplained, sorted(certain.values()))
        if len(own) == 1 and own[0] in certain:
            return self._intent(own[0], certain[own[0]])
        others = sorted(home for home in certain if home not in own)
        if not own and others:
            return self._out_of_turn(others[0], certain[others[0]])
        return Fault("muddle", tuple(sorted({*air, *strays})))

    def _unexplained(self, spaces: list[Space], resting: list[Space]) -> Told:
        """A piece that nobody was felt to lift."""
        if len(spaces) == len(resting) == 1:
            # A piece that rests on two reeds closed the second without anything being lifted.
            return Fault("between-spaces", tuple(sorted({*spaces, *resting})))
        blind = self._own(self.position.blind & self.position.owners.keys())
        origins = [home for home in blind if spaces[0] in self.position.steps.get(home, _NOWHERE)]
        if len(spaces) == 1 and len(origins) == 1 and not self.following.air:
            return Question("came-from", (origins[0], spaces[0]), self.position.owners[origins[0]])
        return Fault("extra-piece", tuple(spaces))

    def _intent(self, origin: Home, target: Space) -> Told:
        if self._obliged not in (None, origin):
            return Fault("touch-move", (origin, target))
        for pair in self._doubt:
            if origin in pair:
                (other,) = pair - {origin}
                return Question("that-piece", (origin, target, other), self.position.owners[origin])
        return Intent(origin, target)

    def _out_of_turn(self, home: Home, space: Space) -> Told:
        if self.position.last == (space, home) and self._untouched:
            return PutBack(space, home)
        return Fault("not-your-turn", (home, space))

    def _lifted(self) -> Told | None:
        """Pieces are up and nothing stands elsewhere."""
        air = self.following.air
        own = self._own(air)
        if len(air) > 2 or (len(air) == 2 and len(own) != 1):
            return self._cleared() or Fault("pieces-down", tuple(sorted(air)))
        if len(own) != 1:
            return self._cleared()
        if len(air) == 2:
            (target,) = set(air) - set(own)
            attack = self.position.steps.get(own[0], _NOWHERE).get(target)
            return self._intent(own[0], target) if attack else None
        touch = self._touch
        if touch is not None and touch.origin == own[0] and touch.lasted <= self.timing.touch:
            return self._intent(own[0], touch.target)
        return self._attack_asked()

    def _cleared(self) -> Question | None:
        """The whole board is empty: it is being put away."""
        judged = self.position.judged() - self.position.blind
        if self._stood and len(judged) > 2 and not judged & self.following.felt and not self.following.strays:
            return Question("adjourn", (), None)
        return None

    def _attack_asked(self) -> Question | None:
        """The attack that may have been made unfelt: on the piece that was touched, or on one in reach."""
        own = self._own(self.following.air)
        if len(own) != 1 or len(self.following.air) != 1 or self.following.strays:
            return None
        seat = self.position.owners[own[0]]
        if self._touch is not None and self._touch.origin == own[0]:
            return Question("attack-here", (own[0], self._touch.target), seat)
        targets = [target for target, attack in self.position.steps.get(own[0], _NOWHERE).items() if attack]
        if not targets:
            return None
        code = "attack-here" if len(targets) == 1 else "attack-where"
        return Question(code, (own[0], *targets), seat)

    # Telling

    def _patience(self, candidate: Told) -> Micros:
        timing = self.timing
        if isinstance(candidate, Question):
            waits = {"attack-here": timing.wonder, "attack-where": timing.wonder, "adjourn": timing.adjourn}
            return waits.get(candidate.code, timing.settle)
        if isinstance(candidate, Fault):
            few = candidate.code == "pieces-down" and len(candidate.spaces) == 2
            if few or (self._between and candidate.code == "extra-piece"):
                return timing.wonder
            return timing.settle if candidate.code in ("not-your-turn", "touch-move") else timing.ask
        return timing.settle

    def _tell(self, candidate: Told, now: Micros) -> Told:
        self._guidance = None
        if isinstance(candidate, Question):
            self._question = candidate
            self._candidate = None
        elif isinstance(candidate, Fault):
            if candidate.code == "between-spaces":
                # What can't be centred in a while was another piece after all.
                air, extra = self.following.air, self.following.strays
                others = tuple(sorted(space for space in extra if not extra[space] & air.keys()))
                self._candidate, self._since = Fault("extra-piece", others), now
                self._between = candidate.spaces
            else:
                obliged = self._obliged, self._excused
                self.undo(now)
                self._obliged, self._excused = obliged
        return candidate

    def _reminders(self, now: Micros) -> list[Told]:
        late = [
            home
            for home, at in self.following.air.items()
            if home not in self._reminded and now >= at + self.timing.remind
        ]
        if late:
            self._guidance = None
        self._reminded.update(late)
        return [Reminder(home) for home in late]
