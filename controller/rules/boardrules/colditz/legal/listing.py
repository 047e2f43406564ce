"""The actions that a seat may take, listed (1.3): steps first, then words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from boardrules.colditz.cardplay.effect_table import EFFECTS
from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.castle.board import INNER, OUTER
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.moving import appel
from boardrules.colditz.moving.arrest import release_circles
from boardrules.colditz.moving.walking import pawn_at, posted_guard_counts, required_posts, why_not_step
from boardrules.colditz.state.facts import AFTER_SEARCH, CHANCE_SIDE, DEPLOY, ColditzFacts
from boardrules.colditz.state.liability import is_liable, may_refuse
from boardrules.colditz.state.moves import man_on, pawn_in_transit
from boardrules.colditz.state.rules import HAND_LIMIT
from boardrules.colditz.turn import collecting
from boardrules.colditz.turn.verbs import TRADING_PHASES, VERBS
from boardrules.core import CHANCE, Seat

WEIGHTED_THROWS: Final = tuple(
    (Command(CHANCE, "dice", str(low), str(high)), 1 if low == high else 2)
    for low in range(1, 7)
    for high in range(low, 7)
)
"""R005: the throws of two dice with their weights."""
THROW_COMMANDS: Final = [word for word, _ in WEIGHTED_THROWS]


def barracks_and_cell_steps(facts: ColditzFacts, side: int) -> Sequence[PawnStep]:
    """Steps out of Barracks and cells, and off the posts. The points are there, and nobody is on his way."""
    rules, grid = facts.rules, facts.rules.board
    if side:
        return _release_steps(facts, side) if facts.turn.releases_left else ()
    found = []
    if grid.barracks in facts.node_by_pawn:
        posts = [node for node in grid.posts_in_order if not facts.guard_nodes >> node & 1]
        free = [node for node in posts if not facts.men_nodes >> node & 1]
        # A guard may only come onto a post where a man stands to arrest him (R033, R080).
        held = [
            node for node in posts if facts.men_nodes >> node & 1 and is_liable(facts, man_on(facts, node))
        ]
        found = [rules.step(0, grid.barracks, node) for node in (*free, *held)]
    off = [node for node in grid.posts_in_order if facts.guard_nodes >> node & 1]
    return found + [rules.step(0, node, grid.office) for node in off]


def _release_steps(facts: ColditzFacts, side: int) -> Sequence[PawnStep]:
    """R050: what a double allows."""
    rules, grid = facts.rules, facts.rules.board
    steps: list[PawnStep] = []
    for cells in (grid.cells_inner, grid.cells_outer):
        if pawn_at(facts, side, cells) >= 0:
            free = release_circles(facts, cells == grid.cells_outer)
            steps += [rules.step(side, cells, node) for node in free]
    return steps


def deploy_steps(facts: ColditzFacts) -> list[PawnStep]:
    """R019."""
    rules, grid = facts.rules, facts.rules.board
    inner, _, most = required_posts(facts)
    inside, out = posted_guard_counts(facts)
    if grid.barracks not in facts.node_by_pawn:
        return []
    full = {INNER: inside >= inner, OUTER: out >= most}
    posts = [node for node in grid.posts_in_order if not facts.guard_nodes >> node & 1]
    return [rules.step(0, grid.barracks, node) for node in posts if not full.get(grid.area[node], True)]


CommandLister = Callable[[ColditzFacts, HiddenCards, int], Iterator[tuple[str, ...]]]


def listed_trades(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Sequence[Command]:
    """The trades that are listed for an officer, in his turn or another's (R093)."""
    turn = facts.turn
    if side < 1 or not turn.side or turn.phase not in TRADING_PHASES or not any(facts.table.equipment_counts):
        return ()
    out = facts.table.left_sides
    if pawn_in_transit(facts) >= 0:
        out |= 1 << turn.side  # he trades when his pawn has got on (R045)
    if out >> side & 1:
        return ()
    return collecting.simple_trades(facts.rules.seats, side, turn.trade_offers, out, secrets.gear)


def _answer_words(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Iterator[tuple[str, ...]]:
    cards, event = facts.rules.cards.cards, facts.tasks[-1].data[0]
    for number in sorted(set(secrets.hands[side])):
        effect = EFFECTS[cards[number].effect]
        if effect.is_answer and effect.can_answer(facts, side, cards[number], event):
            yield "play", cards[number].id
    yield ("pass",)


def answers_by_seat(facts: ColditzFacts, secrets: HiddenCards) -> dict[Seat, list[Command]]:
    """R068: by seat what those who are asked about one event may answer, in the order in which it counts."""
    task = facts.tasks[-1] if facts.tasks else None
    if task is None or task.kind != "answer":
        return {}
    seats, out = facts.rules.seats, facts.table.left_sides
    sides = [side for side in (task.side, *task.data[1]) if not out >> side & 1]
    found = {side: _answer_words(facts, secrets, side) for side in sides}
    return {seats[side]: [Command(seats[side], *rest) for rest in words] for side, words in found.items()}


def discard_commands(facts: ColditzFacts, secrets: HiddenCards, side: int) -> list[Command]:
    """R063."""
    if facts.table.hand_sizes[side] <= HAND_LIMIT:
        return []
    cards, seat = facts.rules.cards.cards, facts.rules.seats[side]
    counted = sorted({card for card in secrets.hands[side] if facts.rules.counts_against_limit(card)})
    return [Command(seat, "discard", cards[card].id) for card in counted]


def _marker_words(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Iterator[tuple[str, ...]]:
    whose = facts.tasks[-1].data[0]
    for number, owner in enumerate(facts.table.markers):
        if owner == whose:
            yield "unmark", facts.rules.board.crossing_name(number)
    yield ("keep",)


def _appel_words(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Iterator[tuple[str, ...]]:
    names = facts.rules.board.space_names
    yield ("obey",)
    men = [names[facts.node_by_pawn[pawn]] for pawn in facts.rules.pawns[side] if may_refuse(facts, pawn)]
    yield from (("refuse", man) for man in men)
    if len(men) > 1:
        yield ("refuse", *men)
    obeying = appel.obeying_men(facts, side, 0)
    diagram = facts.rules.appel_diagram[side - 1]
    if len(obeying) < len(diagram):
        yield ("obey", *(names[node] for node in diagram[-len(obeying) :] if obeying))


def _surrender_words(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Iterator[tuple[str, ...]]:
    held = zip(EQUIPMENT_KINDS, secrets.gear[side], strict=True)
    return (("surrender", kind) for kind, count in held if count)


def _value_words(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Iterator[tuple[str, ...]]:
    return (("value", str(value)) for value in sorted(set(facts.table.do_or_die_values)))


def _fixed_words(*heads: str) -> CommandLister:
    def listed(facts: ColditzFacts, secrets: HiddenCards, side: int) -> Iterator[tuple[str, ...]]:
        return ((head,) for head in heads)

    return listed


COMMAND_LISTERS: Final[Mapping[str, CommandLister]] = {
    "again": _fixed_words("roll", "stay"),
    "offer": _fixed_words("draw", "skip"),
    "answer": _answer_words,
    "confiscate": _surrender_words,
    "appel": _appel_words,
    "trade": _fixed_words("accept", "decline"),
    "markers": _marker_words,
    "value": _value_words,
}
"""By open task the words that may be said, but for dice and draws; for turns see `turn_actions`."""


def listed_commands(
    facts: ColditzFacts, secrets: HiddenCards, side: int, phase_or_task: str
) -> Sequence[Command]:
    """The words of a side that is asked, deploys its guards or has searched, but for trades."""
    if phase_or_task == "dice":
        return THROW_COMMANDS
    if phase_or_task == "deal":
        to, which = facts.tasks[-1].data
        cards, to_seat = facts.rules.cards.cards, facts.rules.seats[to]
        return [
            Command(CHANCE, "deal", to_seat, cards[card].id)
            for card, _ in secrets.decks[which].possible_tops()
        ]
    if phase_or_task == AFTER_SEARCH:
        return discard_commands(facts, secrets, side)
    seat = CHANCE if side == CHANCE_SIDE else facts.rules.seats[side]
    if phase_or_task == DEPLOY:
        return (
            [Command(seat, "ready")] if VERBS["ready"].refusal_code(facts, secrets, side, ()) is None else ()
        )
    listed = COMMAND_LISTERS.get(phase_or_task)
    return [Command(seat, *words) for words in listed(facts, secrets, side)] if listed else ()


def muster_steps(facts: ColditzFacts, side: int) -> list[PawnStep]:
    """R092: the men in the rooms to the free circles of the Appel area."""
    grid, symbols = facts.rules.board, facts.tasks[-1].data
    men = [facts.node_by_pawn[pawn] for pawn in facts.rules.pawns[side]]
    men = sorted(node for node in men if node < grid.circle_count and grid.symbol[node] in symbols)
    free = grid.nodes_of_mask(grid.appel & ~(facts.men_nodes | facts.guard_nodes))
    return [facts.rules.step(side, node, circle) for node in men for circle in free]


def chase_steps(facts: ColditzFacts) -> list[PawnStep]:
    """R118."""
    grid = facts.rules.board
    guard, number = facts.tasks[-1].data
    ends = (grid.office, grid.crossings[number].lower)
    steps = [facts.rules.step(0, facts.node_by_pawn[guard], end) for end in ends]
    return [step for step in steps if why_not_step(facts, None, 0, step) is None]
