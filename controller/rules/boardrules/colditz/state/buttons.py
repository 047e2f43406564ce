"""What the buttons of a board say in this game, for players without a phone: all of it is public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.colditz.castle.actions import Command
from boardrules.colditz.castle.plan import SYMBOLS
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS, KIT_PARTS
from boardrules.colditz.state.facts import AFTER_ROLL, BEFORE_ROLL, CHANCE_SIDE, ColditzFacts
from boardrules.colditz.state.moves import pawn_in_transit, takeable_markers
from boardrules.core import Action

BUTTON_COMMANDS: Final[Mapping[str, Mapping[str, str]]] = {
    "deploy": {"turn": "ready"},
    "before": {"choose": "roll"},
    "main": {"turn": "end"},
    "again": {"choose": "roll", "turn": "stay"},
    "offer": {"choose": "draw", "turn": "skip"},
    "answer": {"turn": "pass"},
    "trade": {"turn": "decline"},
    "appel": {"turn": "obey"},
    "markers": {"turn": "keep"},
}
"""By phase or open task: `turn` goes on without, `choose` throws or draws. Nothing here needs a card."""
ACCEPT: Final = "accept"


def button_actions(facts: ColditzFacts) -> Mapping[str, Action]:
    """By button what a short press of it says for whoever is to act."""
    turn = facts.turn
    side = facts.tasks[-1].side if facts.tasks else turn.side
    if facts.table.outcome is not None or side == CHANCE_SIDE:
        return {}
    words = BUTTON_COMMANDS.get(facts.tasks[-1].kind if facts.tasks else turn.phase, {})
    return {button: Command(facts.rules.seats[side], head) for button, head in words.items()}


def cursor_actions(facts: ColditzFacts) -> tuple[tuple[str, Action], ...]:
    """What `choose` steps through: a trade that is offered, markers, and the Equipment and the Kit that men
    in rooms collect."""
    if facts.table.outcome is not None:
        return ()
    return (*_trade_acceptance(facts), *_marker_actions(facts), *_collecting_actions(facts))


def _trade_acceptance(facts: ColditzFacts) -> list[tuple[str, Action]]:
    """R093: the yes to a trade, at the lamp of whoever offers it. Officers tell one another what is given for
    it: the board shows no kinds (R095)."""
    if not facts.tasks or facts.tasks[-1].kind != "trade":
        return []
    task, seats = facts.tasks[-1], facts.rules.seats
    return [(f"turn-{seats[task.data[0]]}", Command(seats[task.side], ACCEPT))]


def _marker_actions(facts: ColditzFacts) -> list[tuple[str, Action]]:
    """The markers that the Security Officer may take, each by its upper circle (R117, R122)."""
    grid, turn = facts.rules.board, facts.turn
    asked = facts.tasks[-1].data[0] if facts.tasks and facts.tasks[-1].kind == "markers" else 0
    over = takeable_markers(facts) if turn.phase == AFTER_ROLL and not facts.tasks else []
    found: list[tuple[str, Action]] = []
    for number, (crossing, side) in enumerate(zip(grid.crossings, facts.table.markers, strict=True)):
        if side and (side == asked or number in over):
            found.append(
                (
                    grid.space_names[crossing.upper],
                    Command(facts.rules.seats[0], "unmark", grid.crossing_name(number)),
                )
            )
    return found


def _collecting_actions(facts: ColditzFacts) -> list[tuple[str, Action]]:
    """R091, R100: what the men in rooms collect, by where they stand. A Kit that takes cards isn't among it:
    that would tell that they are held."""
    turn, table, grid = facts.turn, facts.table, facts.rules.board
    side, seat = turn.side, facts.rules.seats[turn.side]
    if not side or facts.tasks or turn.phase not in (BEFORE_ROLL, AFTER_ROLL) or pawn_in_transit(facts) >= 0:
        return []
    rooms: dict[str, list[str]] = {}
    for pawn in facts.rules.pawns[side]:
        node = facts.node_by_pawn[pawn]
        if node < grid.circle_count and grid.symbol[node] >= 0:
            rooms.setdefault(SYMBOLS[grid.symbol[node]], []).append(grid.space_names[node])
    found: list[tuple[str, Action]] = [
        (" ".join(sorted(rooms[kind])), Command(seat, "claim", kind))
        for kind, supply in zip(EQUIPMENT_KINDS, table.supply, strict=True)
        if supply and len(rooms.get(kind, ())) > 1
    ]
    if table.kits_left and not table.has_kit[side] and all(part in rooms for part in KIT_PARTS):
        found.append((" ".join(sorted(at for part in KIT_PARTS for at in rooms[part])), Command(seat, "kit")))
    return found
