"""What a turn does: moves, battles, and the ends that follow."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from boardrules.core import Event, Outcome
from boardrules.stratego import ends, table_actions
from boardrules.stratego.actions import SEATS, StrategoMove
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import Battle, HiddenRanks, RevealedRanks, StrategoFacts
from boardrules.stratego.moves import (
    broken_repetition_rule,
    legal_moves,
    moves_ignoring_repetition,
    without_repetitions,
)
from boardrules.stratego.pieces import FLAG, RANK_SIGNS, SCOUT, UNKNOWN, Result
from boardrules.stratego.repetition import MIN_CHASE_LENGTH


class TurnResult(NamedTuple):
    """What comes of a turn."""

    facts: StrategoFacts
    hidden_ranks: HiddenRanks
    legal_moves: tuple[StrategoMove, ...]
    """The moves of the side that is to move next: E2 looks for one after every turn."""
    events: tuple[Event, ...]


def play_turn(facts: StrategoFacts, deal: HiddenRanks, move: StrategoMove) -> TurnResult:
    """What comes of a legal move or attack."""
    rules, side, enemy = facts.rules, facts.side, facts.enemy_squares
    if move.target_mask & enemy:
        return _attack(facts, deal, move)
    places = facts.square_by_piece.replace(move.origin_byte, move.target_byte)
    revealed, events, tells = facts.revealed, move.quiet_events or move.make_quiet_events(), False
    if move.is_long:  # Q24
        piece = places.index(move.target_square)
        if revealed.announced_ranks[piece] == UNKNOWN or revealed.visible_ranks[piece] == UNKNOWN:
            tells = revealed.announced_ranks[piece] == UNKNOWN
            revealed, events = _reveal_scout(revealed, piece), move.events_with_reveal()
    chase, foe_chase = facts.chase, facts.foe_chase
    if chase or foe_chase or move.target_neighbours & enemy:
        chase, foe_chase = rules.chase_rule.chases_after_move(
            chase, foe_chase, move, facts.previous_own_move, facts.last_move, places, enemy
        )
    after = StrategoFacts(
        rules=rules,
        square_by_piece=places,
        own_squares=enemy,
        enemy_squares=facts.own_squares ^ move.move_mask,
        side=1 - side,
        ply=facts.ply + 1,
        reached_squares=facts.reached_squares | move.target_mask,
        revealed=revealed,
        last_move=move,
        previous_own_move=facts.last_move,
        own_run=facts.foe_run,
        foe_run=rules.shuttle_rule.run_after_move(facts.own_run, facts.foe_run, move, facts.ply),
        chase=foe_chase,
        foe_chase=chase,
        has_revealed=tells,
        offer=facts.offer and table_actions.surviving_offer(facts.offer, side),
        outcome=None,
    )
    moves = moves_ignoring_repetition(
        rules.board, deal, after.side, places, after.own_squares, after.enemy_squares
    )
    # Nobody can be at the end of a chase or of moves back and forth: repetition forbids nothing yet.
    quiet = len(after.chase) < MIN_CHASE_LENGTH and rules.shuttle_rule.can_refuse_nothing(after.own_run)
    legal = tuple(moves) if quiet else without_repetitions(after, moves)
    if legal and rules.quiet_limit is None:
        return TurnResult(after, deal, legal, events)
    return _check_end(after, deal, legal, events)


def _attack(before: StrategoFacts, deal: HiddenRanks, move: StrategoMove) -> TurnResult:
    ranks = deal.ranks
    rules = before.rules
    attacker, defender = (
        before.square_by_piece.index(move.origin_square),
        before.square_by_piece.index(move.target_square),
    )
    result = rules.battle_table[ranks[attacker]][ranks[defender]]
    facts = _facts_after_battle(before, move, attacker, defender, result, ranks)
    told = (("attacker", RANK_SIGNS[ranks[attacker]]), ("defender", RANK_SIGNS[ranks[defender]]))
    event = Event(
        "battle",
        (
            ("from", move.origin),
            ("to", move.target),
            *(told if rules.announces_ranks else ()),
            ("result", result),
        ),
    )
    events: tuple[Event, ...] = (event,)
    if (
        move.is_long
        and result == "attacker"
        and not rules.announces_ranks
        and before.revealed.announced_ranks[attacker] == UNKNOWN
    ):
        events = (event, move.scout_revealed_event)  # Q24; where ranks are announced the battle has told it
    if ranks[defender] == FLAG:  # E1
        return _end_game(facts, deal, ends.win_outcome(before.side, ends.FLAG), events)
    deal = deal.without_pieces(
        tuple(piece for piece in (attacker, defender) if facts.square_by_piece[piece] == CAPTURED_SQUARE)
    )
    return _check_end(facts, deal, legal_moves(facts, deal), events, attacker_fell=result != "attacker")


def _reveal_scout(revealed: RevealedRanks, piece: int) -> RevealedRanks:
    """Q24: a Scout went further than one square."""
    told, shown = bytearray(revealed.announced_ranks), bytearray(revealed.visible_ranks)
    told[piece] = shown[piece] = SCOUT
    return revealed._replace(announced_ranks=bytes(told), visible_ranks=bytes(shown))


def _facts_after_battle(
    facts: StrategoFacts, move: StrategoMove, attacker: int, defender: int, result: Result, ranks: bytes
) -> StrategoFacts:
    """The position after a battle (Q17 to Q25)."""
    rules = facts.rules
    places = bytearray(facts.square_by_piece)
    stands, falls = result == "attacker", result != "defender"
    places[attacker] = move.target_square if stands else CAPTURED_SQUARE
    if falls:
        places[defender] = CAPTURED_SQUARE
    after, foes = bytes(places), facts.enemy_squares & ~move.target_mask if falls else facts.enemy_squares
    return replace(
        facts,
        square_by_piece=after,
        own_squares=foes,
        enemy_squares=facts.own_squares ^ move.move_mask
        if stands
        else facts.own_squares & ~(1 << move.origin_square),
        side=1 - facts.side,
        ply=facts.ply + 1,
        reached_squares=facts.reached_squares | move.target_mask if stands else facts.reached_squares,
        revealed=_ranks_after_battle(
            facts, move, Battle(move.origin, move.target, attacker, defender, result), ranks
        ),
        last_move=move,
        previous_own_move=facts.last_move,
        own_run=rules.shuttle_rule.run_after_loss(facts.foe_run, move.target_square)
        if falls
        else facts.foe_run,
        foe_run=rules.shuttle_rule.run_after_attack(facts.own_run, facts.foe_run, move, facts.ply, stands),
        chase=(),  # I15: a battle ends both chases, and may open one
        foe_chase=rules.chase_rule.chase_after_attack(move, after, foes) if stands else (),
        has_revealed=True,
        offer=table_actions.surviving_offer(facts.offer, facts.side),
    )


def _ranks_after_battle(
    facts: StrategoFacts, move: StrategoMove, battle: Battle, ranks: bytes
) -> RevealedRanks:
    """What is known once a battle was announced (Q16) and a Scout has come from afar (Q24)."""
    revealed = facts.revealed
    if move.is_long:
        revealed = _reveal_scout(revealed, battle.attacker)
    if facts.rules.announces_ranks:
        told = bytearray(revealed.announced_ranks)
        for piece in (battle.attacker, battle.defender):
            told[piece] = ranks[piece]
        revealed = revealed._replace(announced_ranks=bytes(told))
        if facts.rules.keeps_ranks_visible:
            revealed = revealed._replace(visible_ranks=revealed.announced_ranks)
    return revealed._replace(battles=(*revealed.battles, battle), last_battle_ply=facts.ply + 1)


def _check_end(
    facts: StrategoFacts,
    deal: HiddenRanks,
    legal: tuple[StrategoMove, ...],
    events: tuple[Event, ...],
    attacker_fell: bool = False,
) -> TurnResult:
    """E2 to E4 after a turn; `attacker_fell`: the attacker fell."""
    rules = facts.rules
    if not legal:
        stuck = rules.no_move_rule.outcome_without_moves(
            facts.side, lambda: _can_other_side_move(facts, deal)
        )
        return _end_game(facts, deal, stuck, (*events, *_blocked_events(facts, deal)))
    outcome = (
        rules.no_move_rule.outcome_after_loss(facts.side, deal.has_movers(1 - facts.side))
        if attacker_fell
        else None
    )
    limit = rules.quiet_limit
    if outcome is None and limit is not None and facts.ply - facts.revealed.last_battle_ply >= limit:
        outcome = Outcome(None, ends.QUIET_LIMIT)  # E4
    if outcome is not None:
        return _end_game(facts, deal, outcome, events)
    return TurnResult(facts, deal, legal, events)


def _can_other_side_move(facts: StrategoFacts, deal: HiddenRanks) -> bool:
    """Whether the side that is not to move could, its bans left aside."""
    other = 1 - facts.side
    return bool(
        moves_ignoring_repetition(
            facts.rules.board, deal, other, facts.square_by_piece, facts.enemy_squares, facts.own_squares
        )
    )


def _end_game(
    facts: StrategoFacts, deal: HiddenRanks, outcome: Outcome, events: tuple[Event, ...]
) -> TurnResult:
    return TurnResult(
        replace(facts, offer=None, outcome=outcome), deal, (), (*events, ends.over_event(outcome))
    )


def _blocked_events(facts: StrategoFacts, deal: HiddenRanks) -> tuple[Event, ...]:
    """G5: whose every move is refused by Q12 or Q13 is told so."""
    moves = moves_ignoring_repetition(
        facts.rules.board, deal, facts.side, facts.square_by_piece, facts.own_squares, facts.enemy_squares
    )
    rules = sorted({rule for move in moves if (rule := broken_repetition_rule(facts, move))})
    return (Event("blocked", (("seat", SEATS[facts.side]), ("rules", " ".join(rules)))),) if rules else ()


def begin_first_turn(facts: StrategoFacts, deal: HiddenRanks, events: tuple[Event, ...] = ()) -> TurnResult:
    """The game as it stands before a first turn, which may be its end already (E6)."""
    return _check_end(facts, deal, legal_moves(facts, deal), events)
