"""The actions that a seat may take, listed (1.3): steps first, then words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache

from boardrules.colditz import appel, collecting
from boardrules.colditz.actions import Step, Word, word
from boardrules.colditz.arrest import release_circles
from boardrules.colditz.board import INNER, OUTER
from boardrules.colditz.cards import KINDS, Card
from boardrules.colditz.effect import Effect
from boardrules.colditz.effects import EFFECTS
from boardrules.colditz.facts import BEFORE, CHANCE_SIDE, DEPLOY, MAIN, SEARCHED, Facts, Secrets
from boardrules.colditz.liability import asked
from boardrules.colditz.moves import CUTTER, KEY, PASS, ROPE, Gear, step_code, transit
from boardrules.colditz.rules import HAND, NO_GEAR, Rules
from boardrules.colditz.verbs import VERBS
from boardrules.colditz.walking import pawn_at, posted, posts_wanted, why_step
from boardrules.core import CHANCE

DICE = tuple(
    (Word(CHANCE, "dice", str(low), str(high)), 1 if low == high else 2)
    for low in range(1, 7)
    for high in range(low, 7)
)
"""R005: the throws of two dice with their weights."""
_THROWS = [word for word, _ in DICE]


def turn_steps(facts: Facts, gear: Gear) -> tuple[list[Step], list[Step]]:
    """The steps of the side to move, after its roll: those that only cost their point and lead to a free
    circle, and all others. The first kind is applied without further ado."""
    quick: list[Step] = []
    other: list[Step] = []
    if facts.points < 1:
        return quick, other
    going = transit(facts)
    if facts.rules.trails or facts.turn.daring >= 0:
        _slow_steps(facts, gear, going, other)
    else:
        _plain_steps(facts, gear, going, quick, other)
        _exit_steps(facts, gear, going, other)
    if going < 0 and facts.turn.daring < 0:
        other += place_steps(facts, facts.turn.side)
    return quick, other


def _plain_steps(facts: Facts, gear: Gear, going: int, quick: list[Step], other: list[Step]) -> None:
    """Steps along plain links. This is where random play spends its time."""
    rules, where, points, side = facts.rules, facts.where, facts.points, facts.turn.side
    plain, nodes = rules.plain_steps[side], rules.board.nodes
    taken, enemy = facts.men | facts.guards, facts.guards if side else facts.men
    for pawn in (going,) if going >= 0 else rules.pawns[side]:
        node = where[pawn]
        if node >= nodes:
            continue
        around = plain[node]
        blocked = around.near & taken
        # From where it may not stay, a pawn that has come by a plain way goes back for a point (R045).
        if around.easy and points > 1:
            quick += around.known.get(blocked) or around.free(blocked)
        else:
            closed = blocked | around.hard
            quick += around.known.get(closed) or around.free(closed)
            if points > 1:
                for step, hard, back in around.steps:
                    open_way = hard and not step.bit & blocked
                    if open_way and (back or step_code(facts, gear, pawn, step.target) is None):
                        quick.append(step)
        if blocked & enemy:
            for step, _, _ in around.steps:
                if step.bit & enemy and step_code(facts, gear, pawn, step.target) is None:
                    other.append(step)


def _exit_steps(facts: Facts, gear: Gear, going: int, other: list[Step]) -> None:
    """Steps that need something more. What is missing for all of a kind is looked at first."""
    rules, where, side = facts.rules, facts.where, facts.turn.side
    standing, nodes = facts.table, rules.board.nodes
    if not side and not (rules.pass_safe or any(standing.markers) or 2 in standing.tunnels):
        return
    exits = rules.men_exits if side else rules.guard_exits
    held: Collection[str] = () if side else EVERY
    for pawn in (going,) if going >= 0 else rules.pawns[side]:
        node = where[pawn]
        if node < nodes and exits[node]:
            held = held or _held(facts, gear or NO_GEAR, side)
            for way in exits[node]:
                if way[1] in held and step_code(facts, gear, pawn, way[0]) is None:
                    other.append(rules.step(side, node, way[0]))


EVERY = ("closed", "down", "tunnel")


def _held(facts: Facts, gear: tuple[int, ...], side: int) -> set[str]:
    """The kinds of exits for which an officer may have what they take."""
    standing = facts.table
    own = side in standing.markers
    held = set()
    if standing.kits[side] or facts.turn.spare:
        held.add("target")
    if gear[ROPE] or gear[CUTTER] or own:
        held |= {"down", "up"}
    if gear[KEY] or standing.way:
        held.add("door")
    if gear[PASS] or standing.way:
        held.add("inspection")
    if any(standing.tunnels):
        held.add("in")
    return held


def _slow_steps(facts: Facts, gear: Gear, going: int, other: list[Step]) -> None:
    """Where trails or Do or Die change what a step may do."""
    rules, side, daring = facts.rules, facts.turn.side, facts.turn.daring
    for pawn in (going,) if going >= 0 else (daring,) if daring >= 0 else rules.pawns[side]:
        node = facts.where[pawn]
        if node >= rules.board.nodes:
            continue
        targets = [step.target for step, _, _ in rules.plain_steps[side][node].steps]
        exits = rules.men_exits if side else rules.guard_exits
        for target in (*targets, *(way[0] for way in exits[node])):
            if step_code(facts, gear, pawn, target) is None:
                other.append(rules.step(side, node, target))


def place_steps(facts: Facts, side: int) -> list[Step]:
    """Steps out of Barracks and cells, and off the posts. The points are there, and nobody is on his way."""
    rules, grid = facts.rules, facts.rules.board
    steps: list[Step] = []
    if side:
        for cells in (grid.cells_inner, grid.cells_outer) if facts.turn.releases else ():
            if pawn_at(facts, side, cells) >= 0:
                free = release_circles(facts, cells == grid.cells_outer)
                steps += [rules.step(side, cells, node) for node in free]
        return steps
    if grid.barracks in facts.where:
        steps += _free_posts(rules, grid.posts & ~(facts.men | facts.guards))
        if facts.men & grid.posts:
            held = [step for step in rules.post_steps if step.bit & facts.men]
            steps += [step for step in held if why_step(facts, None, 0, step) is None]
    steps += _off_posts(rules, facts.guards & grid.posts)
    return steps


@lru_cache(maxsize=4096)
def _free_posts(rules: Rules, free: int) -> tuple[Step, ...]:
    return tuple(step for step in rules.post_steps if step.bit & free)


@lru_cache(maxsize=4096)
def _off_posts(rules: Rules, held: int) -> tuple[Step, ...]:
    return tuple(step for node, step in rules.office_steps.items() if held >> node & 1)


def deploy_steps(facts: Facts) -> list[Step]:
    """R019."""
    rules, grid = facts.rules, facts.rules.board
    inner, _, most = posts_wanted(facts)
    inside, out = posted(facts)
    if grid.barracks not in facts.where:
        return []
    steps = _free_posts(rules, grid.posts & ~facts.guards)
    full = {INNER: inside >= inner, OUTER: out >= most}
    return [step for step in steps if not full.get(grid.area[step.target], True)]


Listed = Callable[[Facts, Secrets, int], Iterator[tuple[str, ...]]]


Plays = list[tuple[Card, Effect]]


def playable(rules: Rules, hand: tuple[int, ...]) -> tuple[Plays, Plays]:
    """The cards of a hand that are played in one's own turn: those whose aims stay the same while pawns go on
    over free circles, and those that have to be listed anew after every step."""
    known: tuple[Plays, Plays] | None = rules.playable.get(hand)
    if known is None:
        cards = [rules.cards.cards[number] for number in sorted(set(hand))]
        found = [(card, EFFECTS[card.effect]) for card in cards if EFFECTS[card.effect].answers is None]
        known = ([one for one in found if not one[1].looks], [one for one in found if one[1].looks])
        rules.playable[hand] = known
    return known


def plays(facts: Facts, side: int, cards: Plays) -> list[Word]:
    """What these cards may be played for."""
    if not cards or transit(facts) >= 0:
        return []
    seat, phase = facts.rules.seats[side], facts.turn.phase
    return [
        word(seat, ("play", card.id, *aim))
        for card, effect in cards
        if effect.phases is None or phase in effect.phases
        for aim in effect.shown(facts, side, card)
    ]


def looking(facts: Facts, secrets: Secrets, side: int) -> list[Word]:
    """The plays that depend on where pawns stand."""
    if facts.turn.phase not in (BEFORE, MAIN):
        return []
    return plays(facts, side, playable(facts.rules, secrets.hands[side])[1])


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
    counts = collecting.in_rooms(facts, side)
    for kind, name in enumerate(KINDS):
        if counts[kind] >= collecting.PAIR and facts.table.supply[kind]:
            yield "claim", name
    if facts.table.kits_left and not facts.table.kits[side]:
        for cards in collecting.kits(facts, secrets, side):
            if collecting.why_kit(facts, secrets, side, cards) is None:
                yield ("kit", *cards)


def _before(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    yield ("roll",)
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
    "trade": _only("accept", "decline"), "markers": _escaped, "deal": _deals, "value": _values,
}  # fmt: skip
"""By phase or open task the words that may be said, without trades."""


def words(facts: Facts, secrets: Secrets, side: int, place: str) -> list[Word]:
    """The words of a side that is to act, but for trades and what `looking` lists."""
    if place == "dice":
        return _THROWS
    seat = CHANCE if side == CHANCE_SIDE else facts.rules.seats[side]
    listed = LISTED.get(place)
    found = [word(seat, words) for words in listed(facts, secrets, side)] if listed else []
    if place in (BEFORE, MAIN):
        found += plays(facts, side, playable(facts.rules, secrets.hands[side])[0])
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
