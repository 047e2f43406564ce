"""The actions that a seat may take, listed (1.3): steps first, then words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from boardrules.colditz import appel, collecting
from boardrules.colditz.actions import Step, Word
from boardrules.colditz.arrest import release_circles
from boardrules.colditz.cards import KINDS
from boardrules.colditz.effects import EFFECTS
from boardrules.colditz.facts import BEFORE, CHANCE_SIDE, DEPLOY, MAIN, SEARCHED, Facts, Secrets
from boardrules.colditz.liability import asked
from boardrules.colditz.moves import Gear, step_code, transit
from boardrules.colditz.rules import HAND
from boardrules.colditz.verbs import VERBS
from boardrules.colditz.walking import pawn_at, why_step

DICE = tuple((low, high) for low in range(1, 7) for high in range(low, 7))


def quick_steps(facts: Facts, gear: Gear) -> tuple[list[Step], list[Step]]:
    """Single steps on the board of the side to move, after its roll: those that only cost their point and
    lead to a free circle, and all others. The first kind is applied without further ado."""
    rules, where, turn = facts.rules, facts.where, facts.turn
    side = turn.side
    quick: list[Step] = []
    other: list[Step] = []
    if facts.points < 1:
        return quick, other
    grid = rules.board
    going = transit(facts)
    pawns = (going,) if going >= 0 else (turn.daring,) if turn.daring >= 0 else rules.pawns[side]
    plain, nodes = rules.plain_steps[side], grid.nodes
    taken = facts.men | facts.guards
    hard = grid.men_pass if side else grid.guards_pass
    if rules.trails or turn.daring >= 0:
        hard = -1
    mine = facts.men if side else facts.guards
    exits = rules.men_exits if side else rules.guard_exits
    shut = not side and not (rules.pass_safe or any(facts.table.markers) or 2 in facts.table.tunnels)
    for pawn in pawns:
        node = where[pawn]
        if node >= nodes:
            continue
        for step in plain[node]:
            if not step.bit & taken:
                if not step.bit & hard:
                    quick.append(step)
                elif step_code(facts, gear, pawn, step.target) is None:
                    (other if hard < 0 else quick).append(step)
            elif (not step.bit & mine or hard < 0) and step_code(facts, gear, pawn, step.target) is None:
                other.append(step)
        if shut:
            continue
        for way in exits[node]:
            if step_code(facts, gear, pawn, way[0]) is None:
                other.append(rules.step(side, node, way[0]))
    return quick, other


def place_steps(facts: Facts, side: int) -> Iterator[Step]:
    """Steps out of Barracks and cells, and off the posts."""
    rules, grid = facts.rules, facts.rules.board
    if facts.points < 1 or transit(facts) >= 0 or facts.turn.daring >= 0:
        return
    if side:
        for cells in (grid.cells_inner, grid.cells_outer) if facts.turn.releases else ():
            if pawn_at(facts, side, cells) >= 0:
                for node in release_circles(facts, cells == grid.cells_outer):
                    yield rules.step(side, cells, node)
        return
    if grid.barracks in facts.where:
        for node in (*grid.inner_posts, *grid.outer_posts):
            step = rules.step(0, grid.barracks, node)
            if why_step(facts, None, 0, step) is None:
                yield step
    for guard in rules.pawns[0]:
        if 1 << facts.where[guard] & grid.posts:
            yield rules.step(0, facts.where[guard], grid.office)


def deploy_steps(facts: Facts) -> list[Step]:
    """R019."""
    grid = facts.rules.board
    steps = [facts.rules.step(0, grid.barracks, node) for node in grid.listed(grid.posts & ~facts.guards)]
    return [step for step in steps if why_step(facts, None, 0, step) is None]


Listed = Callable[[Facts, Secrets, int], Iterator[tuple[str, ...]]]


def _plays(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    cards = facts.rules.cards.cards
    moving = transit(facts) >= 0
    for number in sorted(set(secrets.hands[side])):
        card = cards[number]
        effect = EFFECTS[card.effect]
        if moving or effect.answers is not None:
            continue
        if effect.phases is None or facts.turn.phase in effect.phases:
            yield from (("play", card.id, *aim) for aim in effect.aims(facts, side, card))


def _answers(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    cards, event = facts.rules.cards.cards, facts.turn.tasks[-1].data[0]
    for number in sorted(set(secrets.hands[side])):
        effect = EFFECTS[cards[number].effect]
        if effect.answers is not None and effect.suits(facts, side, cards[number], event):
            yield "play", cards[number].id
    yield ("pass",)


def _collects(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    if not side or transit(facts) >= 0:
        return
    grid = facts.rules.board
    counts = [0] * 8
    for pawn in facts.rules.pawns[side]:
        node = facts.where[pawn]
        if node < grid.circles and grid.symbol[node] >= 0:
            counts[grid.symbol[node]] += 1
    for kind, name in enumerate(KINDS):
        if counts[kind] >= collecting.PAIR and facts.table.supply[kind]:
            yield "claim", name
    if facts.table.kits_left and not facts.table.kits[side]:
        for cards in collecting.kits(facts, secrets, side):
            if collecting.why_kit(facts, secrets, side, cards) is None:
                yield ("kit", *cards)


def _before(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    yield ("roll",)
    yield from _plays(facts, secrets, side)
    yield from _collects(facts, secrets, side)
    if facts.table.dares >> side & 1:
        grid = facts.rules.board
        places = sorted({facts.where[pawn] for pawn in facts.rules.pawns[side]})
        yield from (("dare", grid.names[node]) for node in places if node < grid.nodes)


def _discards(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    if facts.table.hands[side] > HAND:
        cards = facts.rules.cards.cards
        counted = sorted({card for card in secrets.hands[side] if facts.rules.counts(card)})
        yield from (("discard", cards[card].id) for card in counted)


def _main(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    yield from _plays(facts, secrets, side)
    yield from _collects(facts, secrets, side)
    yield from _discards(facts, secrets, side)
    if not side:
        if facts.turn.refusers and not facts.turn.moved:
            yield ("search",)
        yield from _unmarks(facts)
    if facts.table.hands[side] <= HAND and transit(facts) < 0:
        yield ("end",)


def _unmarks(facts: Facts) -> Iterator[tuple[str, ...]]:
    if facts.last < 0:
        return
    grid, node = facts.rules.board, facts.where[facts.last]
    for number, crossing in enumerate(grid.crossings):
        if facts.table.markers[number] and node in (crossing.upper, crossing.lower):
            yield "unmark", grid.crossing_name(number)


def _escaped(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    whose = facts.turn.tasks[-1].data[0]
    for number, owner in enumerate(facts.table.markers):
        if owner == whose:
            yield "unmark", facts.rules.board.crossing_name(number)
    yield ("keep",)


def _appel(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    names = facts.rules.board.names
    yield ("obey",)
    men = [names[facts.where[pawn]] for pawn in facts.rules.pawns[side] if asked(facts, pawn)]
    yield from (("refuse", man) for man in men)
    if len(men) > 1:
        yield ("refuse", *men)
    obeying = appel.obeying(facts, side, 0)
    diagram = facts.rules.diagram[side - 1]
    if len(obeying) < len(diagram):
        yield ("obey", *(names[node] for node in diagram[-len(obeying) :] if obeying))


def _surrenders(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    held = zip(KINDS, secrets.gear[side], strict=True)
    return (("surrender", kind) for kind, count in held if count)


def _dice(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    return (("dice", str(low), str(high)) for low, high in DICE)


def _deals(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    to, which = facts.turn.tasks[-1].data
    cards, seat = facts.rules.cards.cards, facts.rules.seats[to]
    return (("deal", seat, cards[card].id) for card, _ in secrets.decks[which].tops())


def _values(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    return (("value", str(value)) for value in sorted(set(facts.table.values)))


def _only(*heads: str) -> Listed:
    def listed(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
        return ((head,) for head in heads)

    return listed


LISTED: Mapping[str, Listed] = {
    BEFORE: _before, MAIN: _main, SEARCHED: _discards, "again": _only("roll", "stay"),
    "offer": _only("draw", "skip"), "answer": _answers, "confiscate": _surrenders, "appel": _appel,
    "trade": _only("accept", "decline"), "markers": _escaped, "dice": _dice, "deal": _deals, "value": _values,
}  # fmt: skip
"""By phase or open task the words that may be said, without trades."""


def words(facts: Facts, secrets: Secrets, side: int, place: str) -> list[Word]:
    """The words of a side whose turn it is to act."""
    seat = "chance" if side == CHANCE_SIDE else facts.rules.seats[side]
    listed = LISTED.get(place)
    found = [Word(seat, *word) for word in listed(facts, secrets, side)] if listed else []
    if place == DEPLOY and VERBS["ready"].why(facts, secrets, side, ()) is None:
        found.append(Word(seat, "ready"))
    return found


def muster_steps(facts: Facts, side: int) -> list[Step]:
    """R092: the men in the rooms to the free circles of the Appel area."""
    grid, symbols = facts.rules.board, facts.turn.tasks[-1].data
    men = [facts.where[pawn] for pawn in facts.rules.pawns[side]]
    men = sorted(node for node in men if node < grid.circles and grid.symbol[node] in symbols)
    free = grid.listed(grid.appel & ~(facts.men | facts.guards))
    return [facts.rules.step(side, node, circle) for node in men for circle in free]


def chase_steps(facts: Facts) -> list[Step]:
    """R118."""
    grid = facts.rules.board
    guard, number = facts.turn.tasks[-1].data
    ends = (grid.office, grid.crossings[number].lower)
    steps = [facts.rules.step(0, facts.where[guard], end) for end in ends]
    return [step for step in steps if why_step(facts, None, 0, step) is None]
