"""A position: what stands, who may do what, and what comes of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from boardrules.colditz import buttons, listing, table
from boardrules.colditz.actions import Step, Word
from boardrules.colditz.board import Mask
from boardrules.colditz.carrying import turn_carries
from boardrules.colditz.draft import Draft
from boardrules.colditz.facts import BEFORE, CHANCE_SIDE, DEPLOY, MAIN, SEARCHED, Facts, Secrets
from boardrules.colditz.legality import why_not
from boardrules.colditz.moves import transit
from boardrules.colditz.parts import PARTS, Part, held_up, steady
from boardrules.colditz.reach import hand_step, public_steps
from boardrules.colditz.refusals import refused
from boardrules.colditz.scenery import scenery
from boardrules.colditz.sheet import Sheet, begun, kept_up, on_the_way
from boardrules.colditz.text import parse
from boardrules.colditz.verbs import VERBS
from boardrules.colditz.views import Own, PlayView, layout, own, truth
from boardrules.colditz.walking import do_step
from boardrules.core import (
    CHANCE,
    CLOCK,
    Action,
    Event,
    IllegalAction,
    Layout,
    Outcome,
    Refusal,
    Sample,
    Seat,
    Space,
    State,
)
from boardrules.core import (
    Step as Hand,
)

_tuple = tuple.__new__  # Facts(...) and PlayView(...) without their wrappers: they are made every step
_CHANCE = (CHANCE,)


class Legal(tuple[Action, ...], Sample):
    """The actions of a seat. Of walks over several circles, of trades and of answers to an Appel there are
    too many to list: `in` knows them all, iterating gives every single step and the simplest others."""

    state: Play

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, (Step, Word)) or table.is_table(action):
            return False
        return self.state.refusal(action) is None

    def odds(self) -> tuple[tuple[Action, int], ...]:
        """The actions of chance with their weights."""
        return self.state.chance()

    def __reduce__(self) -> tuple[Any, ...]:
        return _legal, (self.state, tuple(self))


def _legal(state: Play, listed: Iterable[Action]) -> Legal:
    legal = _tuple(Legal, listed)
    legal.state = state
    return legal


class Play(State):
    """A position of Escape from Colditz."""

    __slots__ = ("_changed", "_hands", "_listed", "_own", "_quick", "_sheet", "_words", "facts", "secrets")

    alike = True

    def __init__(self, facts: Facts, secrets: Secrets, known: dict[Seat | None, Own] | None = None) -> None:
        self.facts = facts
        self.secrets = secrets
        self._words: Sequence[Part] = ()
        """The words of a turn, of this position or of one before in which all stood as they do ..."""
        self._sheet: Sheet | None = None
        """... the list of the turn, of this position or an earlier one ..."""
        self._changed: Mask = 0
        """... and the nodes that pawns have left and come to since."""
        self._listed: Sequence[Action] = ()
        """What was listed for whoever is to act ..."""
        self._quick: Sequence[Sequence[Step]] = ()
        """... and of that, by pawn of the side, the steps of which nothing comes but a point less."""
        self._own = own(facts.rules.seats, secrets) if known is None else known
        """What each seat knows beside public facts."""
        self._hands: tuple[Hand, ...] | None = None
        """What hands may do, once it was asked."""

    # What stands

    @property
    def game_id(self) -> str:
        """As the registry knows the game."""
        return "escape-from-colditz"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """R001, R021: the Security Officer, then the officers clockwise from his left."""
        return self.facts.rules.seats

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with the value in force."""
        return self.facts.rules.options

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.facts.table.outcome

    def seats_to_act(self) -> tuple[Seat, ...]:
        """Who is asked, or whose turn it is."""
        facts = self.facts
        if facts.table.outcome is not None:
            return ()
        turn = facts.turn
        if not turn.tasks:
            return facts.rules.waits[turn.side]
        side = turn.tasks[-1].side
        return _CHANCE if side == CHANCE_SIDE else facts.rules.waits[side]

    # What may be done

    def legal_actions(self, seat: Seat) -> Collection[Action]:
        """The seat's actions; see `Legal` for what is listed of them."""
        facts = self.facts
        rules, turn = facts.rules, facts.turn
        if facts.table.outcome is not None:
            return ()
        if turn.tasks:
            if seat == CLOCK:
                return table.closing(facts)
            side = turn.tasks[-1].side
            if seat != (rules.seats[side] if side >= 0 else CHANCE):
                return _legal(self, ())
            self._listed = self._listed or self._task_actions(side)
        elif seat == rules.seats[turn.side]:
            self._listed = self._listed or self._turn_actions(turn.side)
        elif seat == CLOCK:
            return ()
        else:
            return _legal(self, listing.trades(facts, self.secrets, rules.side.get(seat, CHANCE_SIDE)))
        return _legal(self, self._listed)

    def _turn_actions(self, side: int) -> Sequence[Action]:
        facts, secrets, turn = self.facts, self.secrets, self.facts.turn
        if turn.phase == MAIN:
            if not facts.rules.trails and turn.daring < 0:
                return self._sheet_actions(side)
            going = transit(facts)
            steps: list[Action] = [*listing.slow_steps(facts, secrets.gear[side], going)]
            if going >= 0:
                return steps + held_up(facts, secrets, side)[0]
        elif turn.phase == BEFORE:
            steps = [facts.rules.rolls[side]]
        elif turn.phase == DEPLOY:
            return (*listing.deploy_steps(facts), *listing.words(facts, secrets, side, DEPLOY))
        else:
            words = listing.words(facts, secrets, side, turn.phase)
            return (*words, *listing.trades(facts, secrets, side))
        for part, _ in self._turn_words(side):
            steps += part
        return steps

    def _turn_words(self, side: int) -> Sequence[Part]:
        facts, secrets = self.facts, self.secrets
        if self._words:  # only those that don't depend on where pawns stand are others after the roll
            first, _, last = self._words
            self._words = (first, steady(facts, secrets, side), last)
        else:
            self._words = [part(facts, secrets, side) for part in PARTS[1:]]
        return self._words

    def _sheet_actions(self, side: int) -> Sequence[Action]:
        """The steps and words of a turn whose sheet is kept up; that of a pawn on its way is put aside."""
        facts, secrets, sheet = self.facts, self.secrets, self._sheet
        if sheet is None or self._changed:
            going = transit(facts)
            if going >= 0:
                sheet = on_the_way(facts, secrets, side, going)
            elif sheet is None:
                sheet = self._sheet = begun(facts, secrets, side, self._turn_words(side))
            else:
                sheet = self._sheet = kept_up(facts, secrets, side, sheet, self._changed)
                self._changed = 0
        if not (facts.turn.refusers or facts.table.way):
            self._quick = sheet.quick
        return sheet.actions()

    def _task_actions(self, side: int) -> Sequence[Action]:
        kind = self.facts.turn.tasks[-1].kind
        if kind == "muster":
            return listing.muster_steps(self.facts, side)
        if kind == "chase":
            return listing.chase_steps(self.facts)
        return listing.words(self.facts, self.secrets, side, kind)

    def table_actions(self, seat: Seat) -> tuple[Word, ...]:
        """Leaving; and the clock's telling whose time is up."""
        return table.open_words(self.facts, seat)

    def refusal(self, action: Action) -> Refusal | None:
        """Why an action is refused."""
        code = why_not(self.facts, self.secrets, action)
        if code is None:
            return None
        params = {"seat": action.seat} if isinstance(action, (Step, Word)) else {}
        if isinstance(action, Step):
            names = action.board.names
            params |= {"from": names[action.origin], "to": names[action.target]}
        return refused(code, **params)

    # What comes of it

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The position after an action."""
        facts = self.facts
        if self._quick and type(action) is Step and action.origin in facts.where:
            pawn = facts.where.index(action.origin)
            place = pawn - facts.rules.pawns[facts.turn.side][0]
            if 0 <= place < len(self._quick) and action in self._quick[place]:
                return self._after(pawn, action)
        for one in reversed(self._listed):  # what was listed is allowed
            if one is action:
                break
        else:
            refusal = self.refusal(action)
            if refusal is not None:
                raise IllegalAction(refusal)
        draft = Draft(facts, self.secrets)
        if type(action) is Step:
            side = facts.rules.side[action.seat]
            do_step(draft, self.secrets.gear[side], side, action)
        elif type(action) is Word:
            self._say(draft, action)
        if draft.table.out or draft.turn.phase == SEARCHED:
            table.go_on(draft)
        known = self._own if draft.secrets is self.secrets else None
        after = Play(draft.frozen(), draft.secrets, known)
        self._hand_on(draft, after)
        return after, tuple(draft.events)

    def _hand_on(self, draft: Draft, after: Play) -> None:
        """What is known already of a position after an action that isn't a plain step."""
        facts, hands, gear = self.facts, draft.secrets.hands, draft.secrets.gear
        if draft.table is not facts.table or draft.others or draft.turn.side != facts.turn.side:
            return
        if hands is not self.secrets.hands or gear is not self.secrets.gear:
            return
        # Only the side's own pawns have moved, if any, and what it may have to say is another.
        if self._sheet is not None:
            after._sheet, after._changed = self._sheet, self._changed | draft.changed | facts.rules.board.told
        elif not draft.changed:
            after._words = self._words

    def _say(self, draft: Draft, word: Word) -> None:
        verb = VERBS.get(word.head)
        if verb is None:
            table.do(draft, word)
        else:
            verb.do(draft, draft.rules.side.get(word.seat, CHANCE_SIDE), word.rest)

    def _after(self, pawn: int, step: Step) -> tuple[State, tuple[Event, ...]]:
        """After a step that only costs its point: nothing but place and points changes."""
        now, then, after = self.facts, object.__new__(Facts), object.__new__(Play)
        then.rules, then.turn, then.table = now.rules, now.turn, now.table
        then.men, then.guards, then.points, then.last = now.men, now.guards, now.points - 1, pawn
        if now.turn.side:
            then.men ^= step.shift
        else:
            then.guards ^= step.shift
        places = list(now.where)
        places[pawn] = step.target
        then.where = tuple(places)
        after.facts, after.secrets, after._own, after._hands = then, self.secrets, self._own, None
        after._words = after._quick = after._listed = ()
        after._sheet, after._changed = self._sheet, self._changed | step.shift
        return after, step.told

    def chance(self) -> tuple[tuple[Action, int], ...]:
        """Dice, draws, values."""
        facts = self.facts
        if facts.table.outcome is not None or not facts.turn.tasks:
            return ()
        task = facts.turn.tasks[-1]
        if task.side != CHANCE_SIDE:
            return ()
        if task.kind == "dice":
            self._listed = listing.THROWS
            return listing.DICE
        self._listed = self._listed or self._task_actions(CHANCE_SIDE)
        if task.kind == "deal":
            tops = self.secrets.decks[task.data[1]].tops()
            return tuple((word, weight) for word, (_, weight) in zip(self._listed, tops, strict=True))
        values = facts.table.values
        return tuple((word, values.count(int(str(word).split()[1]))) for word in self._listed)

    # What people write and see

    def parse(self, text: str, seat: Seat) -> Action:
        """The action of a text; see docs/rules/escape-from-colditz.md for what there is."""
        return parse(text, seat, self.facts.rules)

    def view(self, seat: Seat | None) -> PlayView:
        """What a seat may know."""
        return _tuple(PlayView, (seat, self.facts, self._own[seat]))

    def layout(self) -> Layout:
        """Who stands where; men in tunnels on the circles above them."""
        return layout(self.facts)

    def steps(self) -> tuple[Hand, ...]:
        """What hands may do, whatever the officers hold."""
        if self._hands is None:
            self._hands = public_steps(self.facts)
        return self._hands

    def hand_action(self, seat: Seat, origin: Space, target: Space) -> Action:
        """The step that carrying a pawn from space to space means."""
        return hand_step(self.facts, seat, origin, target)

    def scenery(self) -> dict[str, Any]:
        """What lies between circles, and the texts of the cards."""
        return scenery(self.facts.rules)

    def carries(self, seat: Seat) -> Mapping[Space, Mapping[Space, Action]]:
        """Where exactly a seat may carry its pawns."""
        turn = self.facts.turn
        side = self.facts.rules.side.get(seat, -1)
        if turn.tasks or turn.phase != MAIN or side != turn.side or self.outcome is not None:
            return super().carries(seat)
        return turn_carries(self.facts, self.secrets.gear[side], side)

    def pressed(self) -> Mapping[str, Action]:
        """What short presses of buttons say."""
        return buttons.pressed(self.facts)

    def pointed(self) -> tuple[tuple[str, Action], ...]:
        """What the buttons step through."""
        return buttons.pointed(self.facts)

    def truth(self) -> dict[str, Any]:
        """Everything."""
        return truth(self.facts, self.secrets)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Play) and self.facts == other.facts and self.secrets == other.secrets

    def __hash__(self) -> int:
        return hash((self.facts, self.secrets))

    def __reduce__(self) -> tuple[Any, ...]:
        return Play, (self.facts, self.secrets)

    def __repr__(self) -> str:
        facts = self.facts
        return f"<{self.game_id}: round {facts.table.round}, {facts.rules.seats[facts.turn.side]}>"
