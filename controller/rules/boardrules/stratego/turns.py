"""What a turn does: moves, battles, and the ends that follow."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from boardrules.core import Event, Outcome
from boardrules.stratego import ends, table_actions
from boardrules.stratego.actions import SEATS, StrategoMove
from boardrules.stratego.board import CAPTURED
from boardrules.stratego.facts import Battle, HiddenRanks, RevealedRanks, StrategoFacts
from boardrules.stratego.moves import free_moves, legal_moves, repetition_code, without_repetitions
from boardrules.stratego.pieces import FLAG, SCOUT, SIGNS, UNKNOWN, Result
from boardrules.stratego.repetition import SHORTEST


class TurnResult(NamedTuple):
    """What comes of a turn."""

    facts: StrategoFacts
    deal: HiddenRanks
    legal: tuple[StrategoMove, ...]
    """The moves of the side that is to move next: E2 looks for one after every turn."""
    events: tuple[Event, ...]


def play_turn(facts: StrategoFacts, deal: HiddenRanks, move: StrategoMove) -> TurnResult:
    """What comes of a legal move or attack."""
    rules, side, enemy = facts.rules, facts.side, facts.enemy
    if move.bit & enemy:
        return _attack(facts, deal, move)
    places = facts.places.replace(move.left, move.came)
    revealed, events, tells = facts.revealed, move.told or move.tell(), False
    if move.far:  # Q24
        piece = places.index(move.to)
        if revealed.told[piece] == UNKNOWN or revealed.open[piece] == UNKNOWN:
            tells = revealed.told[piece] == UNKNOWN
            revealed, events = _scout_seen(revealed, piece), move.show()
    chase, foe_chase = facts.chase, facts.foe_chase
    if chase or foe_chase or move.beside & enemy:
        chase, foe_chase = rules.chase.after(chase, foe_chase, move, facts.mine, facts.latest, places, enemy)
    after = StrategoFacts(
        rules=rules,
        places=places,
        own=enemy,
        enemy=facts.own ^ move.shift,
        side=1 - side,
        ply=facts.ply + 1,
        reached=facts.reached | move.bit,
        revealed=revealed,
        latest=move,
        mine=facts.latest,
        run=facts.foe_run,
        foe_run=rules.shuttle.after(facts.run, facts.foe_run, move, facts.ply),
        chase=foe_chase,
        foe_chase=chase,
        tells=tells,
        offer=facts.offer and table_actions.surviving_offer(facts.offer, side),
        outcome=None,
    )
    moves = free_moves(rules.board, deal, after.side, places, after.own, after.enemy)
    # Nobody can be at the end of a chase or of moves back and forth: repetition forbids nothing yet.
    quiet = len(after.chase) < SHORTEST and rules.shuttle.idle(after.run)
    legal = tuple(moves) if quiet else without_repetitions(after, moves)
    if legal and rules.quiet_limit is None:
        return TurnResult(after, deal, legal, events)
    return _with_end(after, deal, legal, events)


def _attack(before: StrategoFacts, deal: HiddenRanks, move: StrategoMove) -> TurnResult:
    ranks = deal.ranks
    rules = before.rules
    attacker, defender = before.places.index(move.at), before.places.index(move.to)
    result = rules.battles[ranks[attacker]][ranks[defender]]
    facts = _after_battle(before, move, attacker, defender, result, ranks)
    told = (("attacker", SIGNS[ranks[attacker]]), ("defender", SIGNS[ranks[defender]]))
    event = Event(
        "battle",
        (
            ("from", move.origin),
            ("to", move.target),
            *(told if rules.announce else ()),
            ("result", result),
        ),
    )
    events: tuple[Event, ...] = (event,)
    if move.far and result == "attacker" and not rules.announce and before.revealed.told[attacker] == UNKNOWN:
        events = (event, move.shown)  # Q24; where ranks are announced the battle has told it
    if ranks[defender] == FLAG:  # E1
        return _ended(facts, deal, ends.won(before.side, ends.FLAG), events)
    deal = deal.without(tuple(piece for piece in (attacker, defender) if facts.places[piece] == CAPTURED))
    return _with_end(facts, deal, legal_moves(facts, deal), events, spent=result != "attacker")


def _scout_seen(revealed: RevealedRanks, piece: int) -> RevealedRanks:
    """Q24: a Scout went further than one square."""
    told, shown = bytearray(revealed.told), bytearray(revealed.open)
    told[piece] = shown[piece] = SCOUT
    return revealed._replace(told=bytes(told), open=bytes(shown))


def _after_battle(
    facts: StrategoFacts, move: StrategoMove, attacker: int, defender: int, result: Result, ranks: bytes
) -> StrategoFacts:
    """The position after a battle (Q17 to Q25)."""
    rules = facts.rules
    places = bytearray(facts.places)
    stands, falls = result == "attacker", result != "defender"
    places[attacker] = move.to if stands else CAPTURED
    if falls:
        places[defender] = CAPTURED
    after, foes = bytes(places), facts.enemy & ~move.bit if falls else facts.enemy
    return replace(
        facts,
        places=after,
        own=foes,
        enemy=facts.own ^ move.shift if stands else facts.own & ~(1 << move.at),
        side=1 - facts.side,
        ply=facts.ply + 1,
        reached=facts.reached | move.bit if stands else facts.reached,
        revealed=_after_announcement(
            facts, move, Battle(move.origin, move.target, attacker, defender, result), ranks
        ),
        latest=move,
        mine=facts.latest,
        run=rules.shuttle.after_loss(facts.foe_run, move.to) if falls else facts.foe_run,
        foe_run=rules.shuttle.after_attack(facts.run, facts.foe_run, move, facts.ply, stands),
        chase=(),  # I15: a battle ends both chases, and may open one
        foe_chase=rules.chase.opened(move, after, foes) if stands else (),
        tells=True,
        offer=table_actions.surviving_offer(facts.offer, facts.side),
    )


def _after_announcement(
    facts: StrategoFacts, move: StrategoMove, battle: Battle, ranks: bytes
) -> RevealedRanks:
    """What is known once a battle was announced (Q16) and a Scout has come from afar (Q24)."""
    revealed = facts.revealed
    if move.far:
        revealed = _scout_seen(revealed, battle.attacker)
    if facts.rules.announce:
        told = bytearray(revealed.told)
        for piece in (battle.attacker, battle.defender):
            told[piece] = ranks[piece]
        revealed = revealed._replace(told=bytes(told))
        if facts.rules.stay_open:
            revealed = revealed._replace(open=revealed.told)
    return revealed._replace(battles=(*revealed.battles, battle), since=facts.ply + 1)


def _with_end(
    facts: StrategoFacts,
    deal: HiddenRanks,
    legal: tuple[StrategoMove, ...],
    events: tuple[Event, ...],
    spent: bool = False,
) -> TurnResult:
    """E2 to E4 after a turn; `spent`: the attacker fell."""
    rules = facts.rules
    if not legal:
        stuck = rules.no_move.stuck(facts.side, lambda: _other_moves(facts, deal))
        return _ended(facts, deal, stuck, (*events, *_blocked(facts, deal)))
    outcome = rules.no_move.spent(facts.side, deal.has_movers(1 - facts.side)) if spent else None
    limit = rules.quiet_limit
    if outcome is None and limit is not None and facts.ply - facts.revealed.since >= limit:
        outcome = Outcome(None, ends.QUIET_LIMIT)  # E4
    if outcome is not None:
        return _ended(facts, deal, outcome, events)
    return TurnResult(facts, deal, legal, events)


def _other_moves(facts: StrategoFacts, deal: HiddenRanks) -> bool:
    """Whether the side that is not to move could, its bans left aside."""
    other = 1 - facts.side
    return bool(free_moves(facts.rules.board, deal, other, facts.places, facts.enemy, facts.own))


def _ended(
    facts: StrategoFacts, deal: HiddenRanks, outcome: Outcome, events: tuple[Event, ...]
) -> TurnResult:
    return TurnResult(
        replace(facts, offer=None, outcome=outcome), deal, (), (*events, ends.over_event(outcome))
    )


def _blocked(facts: StrategoFacts, deal: HiddenRanks) -> tuple[Event, ...]:
    """G5: whose every move is refused by Q12 or Q13 is told so."""
    moves = free_moves(facts.rules.board, deal, facts.side, facts.places, facts.own, facts.enemy)
    rules = sorted({rule for move in moves if (rule := repetition_code(facts, move))})
    return (Event("blocked", (("seat", SEATS[facts.side]), ("rules", " ".join(rules)))),) if rules else ()


def start_of_play(facts: StrategoFacts, deal: HiddenRanks, events: tuple[Event, ...] = ()) -> TurnResult:
    """The game as it stands before a first turn, which may be its end already (E6)."""
    return _with_end(facts, deal, legal_moves(facts, deal), events)
