"""From hands to intents: what was felt, what it means, what to do about it.

Pure: board events and time in; intents, faults, questions and guidance out. The tracker knows the public
side of the game alone (`Position`), so nothing it says or the moment it says it can tell a secret.

A position is *in order* when what is felt equals the layout. From there hands lift, slide and set down;
what they mean is judged once it has been still for the settle time. After a ruling, a refusal, a fault or a
start the board may differ from the layout: the differences are *chores*, and no further action is judged
before they are done. What hands do meanwhile is held, not lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from boardumpire.following import Following, Home, Space
from boardware.ports import MS, SECOND, Micros


class Position(NamedTuple):
    """What everybody may know of a state, as far as hands are concerned."""

    owners: Mapping[Space, str]
    """The spaces that hold a piece, with the seat whose piece it is."""
    free: frozenset[Space]
    """Spaces where hands may do as they like."""
    movers: frozenset[str]
    """The seats whose pieces may be moved now."""
    steps: Mapping[Space, Mapping[Space, bool]]
    """origin -> target -> whether it is an attack; all that public knowledge allows."""


class Intent(NamedTuple):
    """What the hands of the seat to move seem to mean: carry the piece of `origin` to `target`."""

    origin: Space
    target: Space


class Fault(NamedTuple):
    """The board is wrong, by hands rather than by the rules. Chores lead back."""

    code: str
    """`not-your-turn`, `extra-piece`, `between-spaces`, `muddle`."""
    spaces: tuple[Space, ...]


class Question(NamedTuple):
    """Something the sensors can't decide. Confirm or cancel on the board, or yes or no, answers it."""

    code: str
    """`attack-here`: did the piece of `origin` attack the piece of `target`?"""
    origin: Space
    target: Space


class Reminder(NamedTuple):
    """A piece has been up for long."""

    home: Space


class InOrder(NamedTuple):
    """All chores are done: the board equals the layout."""


Told = Intent | Fault | Question | Reminder | InOrder


class Chore(NamedTuple):
    """One thing to do with a piece so that the board equals the layout."""

    kind: str
    """`put` a piece on the space, `take` the piece off it, or `centre` it on its space."""
    space: Space
    seat: str | None
    """Whose piece it is, where that is known."""


class Guidance(NamedTuple):
    """What the board shows about hands now: everything here is public."""

    chores: tuple[Chore, ...]
    lifted: tuple[Space, ...]
    hints: Mapping[Space, bool]
    """Where the lifted piece may go; true: an attack."""
    question: Question | None


class Timing(NamedTuple):
    """How long hands may take. All in microseconds."""

    settle: Micros = 350 * MS
    touch: Micros = 200 * MS
    """A dip of a reed up to this long is a touch; a longer one was a piece lifted and set back."""
    ask: Micros = 5 * SECOND
    """How long something inexplicable may stand before the board says so."""
    wonder: Micros = 20 * SECOND
    """How long a piece may be up before the umpire asks whether it attacked unfelt."""
    remind: Micros = 120 * SECOND


class _Touch(NamedTuple):
    """An enemy piece moved for a moment while a piece of the mover was in hand."""

    origin: Home
    target: Space
    lasted: Micros


_NOTHING: Mapping[Space, bool] = {}


class Tracker:
    """Follows the hands of one board. Not thread-safe; all times are passed in and never go back."""

    def __init__(self, timing: Timing | None = None) -> None:
        self.timing = timing or Timing()
        self.position = Position({}, frozenset(), frozenset(), {})
        self.following = Following()
        self._debts: set[Space] = set()
        self._exchange: set[Space] = set()
        self._dips: dict[Space, tuple[Home, Micros]] = {}
        self._touch: _Touch | None = None
        self._question: Question | None = None
        self._candidate: Told | None = None
        self._since: Micros = 0
        self._reminded: set[Home] = set()
        self._between: tuple[Space, ...] = ()
        self._just_in_order = False

    # What comes in

    def begin(
        self,
        position: Position,
        felt: Iterable[Space],
        now: Micros,
        *,
        moved: frozenset[Space] | None = None,
        exchange: Space | None = None,
    ) -> None:
        """Take a new layout, after a ruling or at a start.

        `moved` holds the spaces that the ruling was about; what differs there is a chore, while a piece
        that another hand lifted early elsewhere stays in play. `None` (a start) makes every difference a
        chore. `exchange` is a space whose piece was beaten: if a piece is felt there, it is still the
        loser, which has to go before the winner can be set down.
        """
        early = self._in_play() if moved is not None else set()
        self.position = position
        expected = position.owners.keys() - position.free
        self.following.reset(expected, position.free, felt, moved or frozenset(), now)
        self._exchange = {exchange} & self.following.felt if exchange is not None else set()
        differing = set(self.following.air) | set(self.following.strays)
        self._debts = (differing - (early - (moved or frozenset()))) | self._exchange
        self._dips.clear()
        self._forget(now)
        self._reconsider(now)

    def undo(self, now: Micros) -> None:
        """The intent was refused: all that differs from the layout becomes a chore."""
        self._debts |= set(self.following.air) | set(self.following.strays)
        self._forget(now)

    def felt(self, space: Space, present: bool, now: Micros) -> None:
        """A reed changed (debounced)."""
        if (space in self.following.felt) == present:
            return
        if present:
            self._place(space, now)
        else:
            self._lift(space, now)
        self._settle_debts()
        self._reconsider(now)

    def answer(self, yes: bool, now: Micros) -> Intent | None:
        """Confirm or cancel: answers the open question, or confirms a touch at once."""
        asked = self._question or (self._asked() if not self._debts else None)
        self._question = self._touch = None
        self._reconsider(now)
        return Intent(asked.origin, asked.target) if asked and yes else None

    def tick(self, now: Micros) -> list[Told]:
        """What has become clear by `now`. An intent is told again until `begin` or `undo` answers it."""
        told: list[Told] = []
        if self._just_in_order:
            self._just_in_order = False
            told.append(InOrder())
        if self._candidate is not None and now >= self._since + self._patience(self._candidate):
            told.append(self._tell(self._candidate, now))
        told += self._reminders(now)
        return told

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
        """Whether no chore is open."""
        return not self._debts

    def guidance(self) -> Guidance:
        """What lamps and screens show about hands now."""
        following, owners = self.following, self.position.owners
        chores = [Chore("take", s, owners.get(s)) for s in sorted(self._exchange)]
        for space in sorted(self._debts - self._exchange):
            if space in following.air:
                chores.append(Chore("put", space, owners[space]))
            elif space in following.strays:
                chores.append(Chore("take", space, None))
        chores += [Chore("centre", space, None) for space in self._between]
        lifted = tuple(sorted(set(following.loose()) - self._debts))
        hints = _NOTHING
        own = self._own(self._loose_or_resting())
        if len(own) == 1 and not self._debts:
            hints = self.position.steps.get(own[0], _NOTHING)
            lifted = tuple(sorted({*lifted, own[0]}))
        return Guidance(tuple(chores), lifted, hints, self._question)

    # Following

    def _in_play(self) -> set[Space]:
        """Pieces lifted and set down by hands since the board was in order, chores aside."""
        return (set(self.following.air) | set(self.following.strays)) - self._debts

    def _loose_or_resting(self) -> set[Home]:
        return set(self.following.air) - self._debts

    def _own(self, homes: Iterable[Home]) -> list[Home]:
        owners, movers = self.position.owners, self.position.movers
        return sorted(home for home in homes if owners[home] in movers)

    def _lift(self, space: Space, now: Micros) -> None:
        own = self._own(self.following.loose() - self._debts)
        self.following.lift(space, now)
        self._exchange.discard(space)
        if len(own) == 1 and self.position.steps.get(own[0], _NOTHING).get(space):
            self._dips[space] = (own[0], now)

    def _place(self, space: Space, now: Micros) -> None:
        dip = self._dips.pop(space, None)
        self.following.place(space, now)
        self._touch = None
        if dip is not None and dip[0] in self.following.air:
            self._touch = _Touch(dip[0], space, now - dip[1])
            self._candidate = None  # held from the end of the touch on, not from its beginning
        self._question = None

    def _settle_debts(self) -> None:
        wrong = set(self.following.air) | set(self.following.strays)
        # While chores are open whatever nobody in play can explain is a chore too.
        if self._debts:
            hands = (set(self.following.air) - self._debts) != set()
            self._debts |= {s for s in self.following.strays if not hands}
        before = bool(self._debts)
        self._debts = (self._debts & wrong) | self._exchange
        if before and not self._debts:
            self._just_in_order = True

    def _forget(self, now: Micros) -> None:
        self._touch = self._question = self._candidate = None
        self._between = ()
        self._since = now
        self._reminded.clear()

    # Meaning

    def _reconsider(self, now: Micros) -> None:
        """Find what the hands seem to mean now; the settle time runs from when that last changed."""
        candidate = None if self._debts else self._meaning()
        if candidate != self._candidate:
            self._candidate = candidate
            self._since = now
            self._between = ()

    def _meaning(self) -> Told | None:
        air, strays = self.following.missing(), self.following.extra()
        if not strays:
            return self._attack(air)
        own = self._own(air)
        moved = {next(iter(homes)): space for space, homes in strays.items() if len(homes) == 1}
        unexplained = sorted(space for space, homes in strays.items() if not homes)
        if unexplained:
            # A piece that rests on two reeds closed the second without anything being lifted.
            code = "between-spaces" if moved else "extra-piece"
            return Fault(
                code, tuple(sorted({*unexplained, *moved.values()})) if moved else tuple(unexplained)
            )
        own_moved = [home for home in own if home in moved]
        if len(own_moved) == 1 and len(own) == 1:
            return Intent(own_moved[0], moved[own_moved[0]])
        others = sorted(home for home in moved if home not in own)
        if not own and others:
            return Fault("not-your-turn", (others[0], moved[others[0]]))
        return Fault("muddle", tuple(sorted({*air, *strays})))

    def _attack(self, air: frozenset[Home]) -> Told | None:
        own = self._own(air)
        if len(own) != 1:
            return None
        reach = self.position.steps.get(own[0], _NOTHING)
        if len(air) == 2:
            (target,) = air - set(own)
            return Intent(own[0], target) if reach.get(target) else None
        if len(air) > 1:
            return None
        touch = self._touch
        if touch is not None and touch.origin == own[0] and touch.lasted <= self.timing.touch:
            return Intent(own[0], touch.target)
        return None if self._question else self._asked()

    def _asked(self) -> Question | None:
        """The attack that may have been made unfelt: on the piece that moved, or the only one in reach."""
        own = self._own(self.following.air)
        if len(own) != 1 or len(self.following.air) != 1 or self.following.strays:
            return None
        if self._touch is not None and self._touch.origin == own[0]:
            return Question("attack-here", own[0], self._touch.target)
        targets = [target for target, attack in self.position.steps.get(own[0], _NOTHING).items() if attack]
        return Question("attack-here", own[0], targets[0]) if len(targets) == 1 else None

    def _patience(self, candidate: Told) -> Micros:
        if isinstance(candidate, Question):
            return self.timing.wonder
        if isinstance(candidate, Fault) and candidate.code != "not-your-turn":
            return self.timing.ask
        return self.timing.settle

    def _tell(self, candidate: Told, now: Micros) -> Told:
        if isinstance(candidate, Question):
            self._question = candidate
            self._candidate = None
        elif isinstance(candidate, Fault):
            if candidate.code == "between-spaces":
                self._candidate, self._between = None, candidate.spaces
            else:
                self.undo(now)
        return candidate

    def _reminders(self, now: Micros) -> list[Told]:
        late = [
            home
            for home, at in self.following.air.items()
            if home not in self._reminded and now >= at + self.timing.remind
        ]
        self._reminded.update(late)
        return [Reminder(home) for home in late]
