"""Who keeps Hitler's sheet: the umpire, who then answers for him and finds him by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardrules.core import Action, Event, Outcome
from boardrules.fuhrer.actions import HITLER, INFANTRY, SPY, UNTOLD, Ask, Go, Hide, Retake, order
from boardrules.fuhrer.ends import CAPTURE, ESCAPED, lost
from boardrules.fuhrer.facts import LAG, ROUNDS, Known, Lore, Sheet, answer, moved, named
from boardrules.fuhrer.liberation import event
from boardrules.fuhrer.maps import Cities
from boardrules.fuhrer.reach import KNOWN, Turn
from boardrules.fuhrer.stages import (
    ASKING,
    HITLERS,
    Events,
    Result,
    Stage,
    over,
    to_roll,
    to_round,
    to_tank,
)

if TYPE_CHECKING:
    from boardrules.fuhrer.rules import Rules

_new = tuple.__new__  # as in `stages`


class Hiding(Stage):
    """F03: Hitler chooses where he starts, knowing where the Allies stand; any city will do (G1)."""

    def take(self, facts: Known, sheet: Sheet, action: Hide) -> Result:
        """Round 1 begins: with the Allies' turns, or with his (X1)."""
        entries = () if facts[0].hitler_too else (action.city,)  # X2
        return begun(facts, Sheet(1 << action.city, action.city, entries, action.city))


class HitlersTurn(Stage):
    """F14: an end city and the tickets that it took; or a re-capture."""

    def take(self, facts: Known, sheet: Sheet, action: Go | Retake) -> Result:
        """The entry is written, tickets and re-captures are announced, the token follows."""
        rules, _, _, number, _, flags, _, _, _, _, _, _, _, _ = facts
        mark, city, entries, start = sheet
        if isinstance(action, Go):
            city, turn = action.city, _new(Turn, (flags, action.origins, -1))
        else:
            turn = Turn(flags, (), city)
        entries = (*entries, city)
        sheet = _new(Sheet, (rules.trap.landed(mark, city, turn), city, entries, start))
        late = number - LAG - 1
        return turned(facts, sheet, turn, entries[late] if late >= 0 else -1)


HIDING = Hiding("hide")
HITLERS_TURN = HitlersTurn("hitler")


class Umpire:
    """`sheet=umpire`: every turn is entered, answers follow by themselves."""

    paper = False
    """Whether the sheet is on paper."""
    turning: Stage = HITLERS_TURN
    """The stage of Hitler's turn."""

    def hiding(self, facts: Known, sheet: Sheet, events: Events) -> Result:
        """Hitler's choice comes next."""
        facts = named(facts)._replace(stage=HIDING, waits=HITLERS)
        return facts, sheet, facts.rules.hides, events

    def ways(self, facts: Known, sheet: Sheet) -> tuple[Action, ...]:
        """All that Hitler may do: where his turn may end, by the tickets it takes, and a re-capture."""
        rules, _, _, _, _, flags, _, _, _, _, heard, _, _, _ = facts
        mark, city, _, _ = sheet
        # Without a flight only the flags nearby matter: the same few lists are asked for again and again.
        known = rules.known[mark.bit_length()]
        nearby = flags & rules.board.within[city][2]
        legal = known.get(nearby)
        if legal is None:
            if len(known) > KNOWN:
                known.clear()
            legal = known[nearby] = self._walks(rules, sheet, nearby)
        flights = rules.flights[heard[0]][city]
        if flights and not rules.trap.stuck(mark, flags):
            for origins in flights:
                legal += rules.goes(origins, rules.flight.ends(1 << city, flags, origins))
        return legal

    def _walks(self, rules: Rules, sheet: Sheet, flags: Cities) -> tuple[Action, ...]:
        bit = 1 << sheet.city
        stuck = rules.trap.stuck(sheet.mark, flags)  # F18, G27
        legal = rules.goes((), bit if stuck else rules.flight.walk(bit, flags))
        return (*legal, order(Retake, rules.board, HITLER)) if flags & bit else legal  # F17

    def asked(self, facts: Known, sheet: Sheet, action: Ask) -> Result:
        """F10: the true answer, at once."""
        rules, _, waits, number, at, flags, rising, falling, _, asked, lore, _, _, _ = facts
        events: Events = ()
        for city in action.cities:
            here = bool(rules.spots[city] & sheet.mark)
            lore = answer(lore, rules, number, SPY, city, here)
            events += (rules.answered[city][here],)
        asked += action.cities
        left = () if len(asked) == 2 or rules.both_first else rules.asks(at[SPY], asked)
        if len(left) < 2:  # `done` alone
            return to_roll(rules, sheet, INFANTRY, number, at, flags, rising, falling, lore, None, events)
        facts = (rules, ASKING, waits, number, at, flags, rising, falling, 0, asked, lore, None, None, None)
        return facts, sheet, left, events

    def arrived(self, facts: Known, sheet: Sheet, at: tuple[int, ...], events: Events) -> Result:
        """Infantry has ended its turn: he is caught, has escaped, or the next round begins (F11, F22)."""
        here = bool(facts[0].spots[at[INFANTRY]] & sheet.mark)
        return settled(facts, sheet, at, here, events)

    def ended(self, facts: Known, sheet: Sheet, outcome: Outcome, events: Events) -> Result:
        """G25: the sheet is shown whole, if anything stands on it."""
        return over(facts, sheet, outcome, (*events, shown(facts, sheet)) if sheet.entries else events)


def begun(facts: Known, sheet: Sheet) -> Result:
    """Round 1, once Hitler has chosen."""
    facts = named(facts)
    rules = facts.rules
    events = (Event("hidden", ()), rules.calendar[1])
    if not rules.hitler_too:
        return to_tank(rules, sheet, 1, facts.at, 0, 0, 0, facts.lore, HITLER, events)
    keeper = rules.keeper
    facts = facts._replace(round=1, stage=keeper.turning, waits=HITLERS, undo=HITLER, offer=None)
    return facts, sheet, keeper.ways(facts, sheet), events


def turned(facts: Known, sheet: Sheet, turn: Turn, token: int) -> Result:
    """Hitler has made his turn: what everybody is told (G13, G14), then the Tank's turn."""
    rules, _, _, number, at, flags, rising, falling, _, _, lore, _, _, _ = facts
    events = [rules.turned[number]]
    for flown, airport in enumerate(turn.origins, 1):
        left: tuple[tuple[str, object], ...] = (("left", lore[0] - flown),)
        origin = () if airport == UNTOLD else (("from", rules.board.ids[airport]),)
        events.append(Event("ticket" if airport == UNTOLD else "flight", (*origin, *left)))
    if turn.recaptured >= 0:
        bit = 1 << turn.recaptured
        flags, falling = (flags & ~bit, 0) if rules.at_once else (flags, bit)  # F17, X16
        events.append(event("recaptured", rules.board.ids[turn.recaptured]))
    if token >= 0:
        events.append(rules.tokens[token])
    undo = HITLER if not turn.origins and turn.recaptured < 0 else None
    lore = moved(lore, rules, number, turn, token)
    return to_tank(rules, sheet, number, at, flags, rising, falling, lore, undo, tuple(events))


def settled(facts: Known, sheet: Sheet, at: tuple[int, ...], here: bool, events: Events) -> Result:
    """Whether Hitler is where Infantry has ended its turn: the end of the round, or of the game."""
    rules, _, _, number, _, _, _, _, _, _, heard, _, _, _ = facts
    city = at[INFANTRY]
    lore = answer(heard, rules, number, INFANTRY, city, here)
    if not here and number < ROUNDS:
        return to_round(facts, sheet, at, lore, events)
    facts = named(facts)._replace(at=at, lore=Lore(*lore), die=0)
    if not here:
        return rules.keeper.ended(facts, sheet, Outcome(HITLER, ESCAPED), events)
    events = (*events, event("captured", rules.board.ids[city]))
    return rules.keeper.ended(facts, sheet, lost(HITLER, CAPTURE), events)


def shown(facts: Known, sheet: Sheet) -> Event:
    """The whole sheet, for everybody."""
    ids = facts[0].board.ids
    start = "" if sheet.start < 0 else ids[sheet.start]
    entries = " ".join(ids[city] for city in sheet.entries)
    return Event("sheet", (("start", start), ("entries", entries)))
