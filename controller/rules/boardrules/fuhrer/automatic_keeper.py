"""Who keeps Hitler's sheet: the umpire, who then answers for him and finds him by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from boardrules.core import Action, Event, Outcome, Seat
from boardrules.fuhrer.actions import (
    HITLER,
    INFANTRY,
    SPY,
    UNTOLD,
    ChooseStart,
    HitlerTurn,
    Recapture,
    SpyQuestion,
)
from boardrules.fuhrer.ends import CAPTURE, ESCAPED, ROUNDS, lost
from boardrules.fuhrer.facts import LAG, Events, FuhrerFacts, HitlerSheet, Stage, StageResult, answer, moved
from boardrules.fuhrer.liberation import event
from boardrules.fuhrer.movement import FAR, PublicTurn
from boardrules.fuhrer.stages import ASKING, HITLERS, NamedStage, over, to_roll, to_round, to_tank


class StartStage(NamedStage):
    """F03: Hitler chooses where he starts, knowing where the Allies stand; any city will do (G1)."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: ChooseStart) -> StageResult:
        """Round 1 begins: with the Allies' turns, or with his (X1)."""
        entries = () if facts.rules.hitler_too else (action.city,)  # X2
        return begin_first_round(facts, HitlerSheet(1 << action.city, action.city, entries, action.city))


class HitlerTurnStage(NamedStage):
    """F14: an end city and the tickets that it took; or a re-capture."""

    def apply(self, facts: FuhrerFacts, sheet: HitlerSheet, action: HitlerTurn | Recapture) -> StageResult:
        """The entry is written, tickets and re-captures are announced, the token follows."""
        if isinstance(action, HitlerTurn):
            city, turn = action.city, PublicTurn(facts.flags, action.origins)
        else:
            city, turn = sheet.city, PublicTurn(facts.flags, (), sheet.city)
        entries = (*sheet.entries, city)
        sheet = HitlerSheet(facts.rules.trap.landed(sheet.mark, city, turn), city, entries, sheet.start)
        late = facts.round - LAG - 1
        return announce_turn(facts, sheet, turn, entries[late] if late >= 0 else -1)


HIDING: Final = StartStage("hide")
HITLERS_TURN: Final = HitlerTurnStage("hitler")


class AutomaticAnswers:
    """`sheet=umpire`: every turn is entered, answers follow by themselves."""

    turning: Stage = HITLERS_TURN
    """The stage of Hitler's turn."""

    def hiding(self, facts: FuhrerFacts, sheet: HitlerSheet, events: Events) -> StageResult:
        """Hitler's choice comes next."""
        facts = replace(facts, stage=HIDING, waits=HITLERS)
        return StageResult(facts, sheet, facts.rules.choices.hides, events)

    def ways(self, facts: FuhrerFacts, sheet: HitlerSheet) -> tuple[Action, ...]:
        """All that Hitler may do: where his turn may end, by the tickets it takes, and a re-capture."""
        rules, choices, flags, city = facts.rules, facts.rules.choices, facts.flags, sheet.city
        legal = choices.walks[sheet.mark, city, flags & rules.board.within[city][FAR]]
        flights = choices.flights[facts.revealed.tickets][city]
        if flights and not rules.trap.stuck(sheet.mark, flags):
            for origins in flights:
                legal += choices.goes[origins, rules.flight.ends(1 << city, flags, origins)]
        return legal

    def asked(self, facts: FuhrerFacts, sheet: HitlerSheet, action: SpyQuestion) -> StageResult:
        """F10: the true answer, at once."""
        rules = facts.rules
        revealed = facts.revealed
        events: Events = ()
        for city in action.cities:
            here = bool(rules.spots[city] & sheet.mark)
            revealed = answer(facts, revealed, SPY, city, here)
            events += (rules.choices.answered[city][here],)
        asked = facts.asked + action.cities
        left = () if len(asked) == 2 or rules.both_first else rules.choices.asks[facts.at[SPY], asked]
        if len(left) < 2:  # `done` alone
            return to_roll(facts, sheet, INFANTRY, None, events, revealed)
        return StageResult(
            facts.then(ASKING, facts.waits, asked=asked, revealed=revealed), sheet, left, events
        )

    def arrived(
        self, facts: FuhrerFacts, sheet: HitlerSheet, at: tuple[int, ...], events: Events
    ) -> StageResult:
        """Infantry has ended its turn: he is caught, has escaped, or the next round begins (F11, F22)."""
        here = bool(facts.rules.spots[at[INFANTRY]] & sheet.mark)
        return finish_turn(facts, sheet, at, here, events)

    def ended(self, facts: FuhrerFacts, sheet: HitlerSheet, outcome: Outcome, events: Events) -> StageResult:
        """G25: the sheet is shown whole, if anything stands on it."""
        return over(facts, sheet, outcome, (*events, sheet_event(facts, sheet)) if sheet.entries else events)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


def begin_first_round(facts: FuhrerFacts, sheet: HitlerSheet) -> StageResult:
    """Round 1, once Hitler has chosen."""
    events = (Event("hidden", ()),)
    if facts.rules.hitler_too:
        facts = facts.then(facts.keeper.turning, HITLERS, undo=HITLER, round=1)
        legal = facts.keeper.ways(facts, sheet)
        return StageResult(facts, sheet, legal, (*events, facts.rules.choices.calendar[1]))
    return to_tank(replace(facts, round=1), sheet, HITLER, (*events, facts.rules.choices.calendar[1]))


def announce_turn(facts: FuhrerFacts, sheet: HitlerSheet, turn: PublicTurn, token: int) -> StageResult:
    """Hitler has made his turn: what everybody is told (G13, G14), then the Tank's turn."""
    rules, flags, falling = facts.rules, facts.flags, facts.falling
    events = [rules.choices.turned[facts.round]]
    for flown, airport in enumerate(turn.origins, 1):
        left: tuple[tuple[str, object], ...] = (("left", facts.revealed.tickets - flown),)
        origin = () if airport == UNTOLD else (("from", rules.board.ids[airport]),)
        events.append(Event("ticket" if airport == UNTOLD else "flight", (*origin, *left)))
    if turn.recaptured >= 0:
        bit = 1 << turn.recaptured
        flags, falling = (flags & ~bit, 0) if rules.at_once else (flags, bit)  # F17, X16
        events.append(event("recaptured", rules.board.ids[turn.recaptured]))
    if token >= 0:
        events.append(rules.choices.tokens[token])
    undo = HITLER if not turn.origins and turn.recaptured < 0 else None
    facts = facts.then(
        facts.stage, facts.waits, flags=flags, falling=falling, revealed=moved(facts, turn, token)
    )
    return to_tank(facts, sheet, undo, tuple(events))


def finish_turn(
    facts: FuhrerFacts,
    sheet: HitlerSheet,
    at: tuple[int, ...],
    here: bool,
    events: Events,
    undo: Seat | None = None,
) -> StageResult:
    """Whether Hitler is where Infantry has ended its turn: the end of the round, or of the game.

    `undo`: who may ask to take that back.
    """
    city = at[INFANTRY]
    revealed = answer(facts, facts.revealed, INFANTRY, city, here)
    if not here and facts.round < ROUNDS:
        return to_round(facts, sheet, at, revealed, undo, events)
    facts = replace(facts, at=at, die=0, revealed=revealed, undo=undo)
    if here:
        events = (*events, event("captured", facts.rules.board.ids[city]))
        return facts.keeper.ended(facts, sheet, lost(HITLER, CAPTURE), events)
    return facts.keeper.ended(facts, sheet, Outcome(HITLER, ESCAPED), events)


def sheet_event(facts: FuhrerFacts, sheet: HitlerSheet) -> Event:
    """The whole sheet, for everybody."""
    ids = facts.rules.board.ids
    start = "" if sheet.start < 0 else ids[sheet.start]
    entries = " ".join(ids[city] for city in sheet.entries)
    return Event("sheet", (("start", start), ("entries", entries)))
