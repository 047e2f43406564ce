"""The actions that a seat may take, listed (1.3): steps first, then words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from boardrules.colditz import appel, collecting
from boardrules.colditz.actions import Step, Word, word
from boardrules.colditz.arrest import release_circles
from boardrules.colditz.board import ANYWHERE, INNER, OUTER, Mask
from boardrules.colditz.cards import KINDS, Card
from boardrules.colditz.effect import Effect
from boardrules.colditz.effects import EFFECTS
from boardrules.colditz.facts import BEFORE, CHANCE_SIDE, DEPLOY, SEARCHED, Facts, Secrets
from boardrules.colditz.liability import asked
from boardrules.colditz.moves import CUTTER, KEY, PASS, ROPE, Gear, step_code, transit
from boardrules.colditz.rules import HAND, NO_GEAR, Rules
from boardrules.colditz.verbs import TRADING, VERBS
from boardrules.colditz.walking import pawn_at, posted, posts_wanted, why_step
from boardrules.core import CHANCE, Action

DICE = tuple(
    (Word(CHANCE, "dice", str(low), str(high)), 1 if low == high else 2)
    for low in range(1, 7)
    for high in range(low, 7)
)
"""R005: the throws of two dice with their weights."""
_THROWS = [word for word, _ in DICE]


def exit_kinds(facts: Facts, gear: Gear, side: int) -> frozenset[str]:
    """The kinds of exits for which a side may have what they take: what is missing for all of a kind."""
    standing = facts.table
    if side:
        return _held(facts, gear or NO_GEAR, side)
    open_ways = facts.rules.pass_safe or any(standing.markers) or 2 in standing.tunnels
    return EVERY if open_ways else NONE


EVERY, NONE = frozenset(("closed", "down", "tunnel")), frozenset[str]()


def _held(facts: Facts, gear: tuple[int, ...], side: int) -> frozenset[str]:
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
    return frozenset(held)


def slow_steps(facts: Facts, gear: Gear, going: int) -> list[Step]:
    """All steps where trails or Do or Die change what a step may do."""
    rules, side, daring = facts.rules, facts.turn.side, facts.turn.daring
    found: list[Step] = []
    if facts.points < 1:
        return found
    for pawn in (going,) if going >= 0 else (daring,) if daring >= 0 else rules.pawns[side]:
        node = facts.where[pawn]
        if node >= rules.board.nodes:
            continue
        targets = [step.target for step, _, _ in rules.ways_on[side][node].steps]
        exits = rules.men_exits if side else rules.guard_exits
        for target in (*targets, *(way[0] for way in exits[node])):
            if step_code(facts, gear, pawn, target) is None:
                found.append(rules.step(side, node, target))
    if going < 0 and daring < 0:
        found += place_steps(facts, side)[0]
    return found


def place_steps(facts: Facts, side: int) -> tuple[Sequence[Step], Mask]:
    """Steps out of Barracks and cells, and off the posts. The points are there, and nobody is on his way."""
    rules, grid = facts.rules, facts.rules.board
    if side:
        return _release_steps(facts, side) if facts.turn.releases else ((), 0)
    men, guards = facts.men & grid.posts, facts.guards & grid.posts
    steps: list[Step] = []
    if grid.barracks in facts.where:
        taken = men | guards
        steps = [step for step in rules.post_steps if not step.bit & taken]
        if men:
            held = (step for step in rules.post_steps if step.bit & men)
            steps += [step for step in held if why_step(facts, None, 0, step) is None]
    steps += [step for post, step in rules.office_steps if post & guards]
    return steps, grid.posts


def _release_steps(facts: Facts, side: int) -> tuple[Sequence[Step], Mask]:
    """R050: what a double allows."""
    rules, grid = facts.rules, facts.rules.board
    steps: list[Step] = []
    minds = 0
    for cells in (grid.cells_inner, grid.cells_outer):
        if pawn_at(facts, side, cells) >= 0:
            free = release_circles(facts, cells == grid.cells_outer)
            steps += [rules.step(side, cells, node) for node in free]
            minds = ANYWHERE
    return steps, minds


def deploy_steps(facts: Facts) -> list[Step]:
    """R019."""
    rules, grid = facts.rules, facts.rules.board
    inner, _, most = posts_wanted(facts)
    inside, out = posted(facts)
    if grid.barracks not in facts.where:
        return []
    full = {INNER: inside >= inner, OUTER: out >= most}
    steps = (step for step in rules.post_steps if not step.bit & facts.guards)
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


Part = tuple[Sequence[Action], Mask]
"""Some of the actions of a turn, and the nodes that they depend on while only plain steps are taken."""


def looking(facts: Facts, secrets: Secrets, side: int) -> Part:
    """The plays that depend on where pawns stand."""
    cards = playable(facts.rules, secrets.hands[side])[1]
    if not cards:
        return (), 0
    minds = 0
    for card, effect in cards:
        minds |= effect.minds(facts, side, card)
    return plays(facts, side, cards), minds


def collects(facts: Facts, secrets: Secrets, side: int) -> Part:
    """What men in rooms may collect (1.9, 1.10)."""
    rooms = facts.rules.board.rooms_all
    if not side or transit(facts) >= 0:
        return (), 0
    standing, seat = facts.table, facts.rules.seats[side]
    found: list[Word] = []
    counts = collecting.in_rooms(facts, side)
    for kind, name in enumerate(KINDS):
        if counts[kind] >= collecting.PAIR and standing.supply[kind]:
            found.append(word(seat, ("claim", name)))
    if standing.kits_left and not standing.kits[side]:
        for cards in collecting.kits(facts, secrets, side):
            if collecting.why_kit(facts, secrets, side, cards) is None:
                found.append(word(seat, ("kit", *cards)))
    return found, rooms


def steady(facts: Facts, secrets: Secrets, side: int) -> Part:
    """The words that don't depend on where pawns stand, but for markers that a guard went over."""
    before, seat = facts.turn.phase == BEFORE, facts.rules.seats[side]
    own = _dares(facts, side) if before else _main(facts, secrets, side)
    found = [word(seat, words) for words in own]
    found += plays(facts, side, playable(facts.rules, secrets.hands[side])[0])
    found += trades(facts, secrets, side)
    return found, 0 if side or not any(facts.table.markers) else ANYWHERE


TURN_WORDS = (collects, steady, looking)
"""The words of a turn before and after the roll, in the order in which they are listed."""


def trades(facts: Facts, secrets: Secrets, side: int) -> Sequence[Word]:
    """The trades that are listed for an officer, in his turn or another's (R093)."""
    turn = facts.turn
    if side < 1 or not turn.side or turn.phase not in TRADING or not any(facts.table.gear):
        return ()
    out = facts.table.out
    if out >> side & 1 or transit(facts) >= 0:
        return ()
    return collecting.simple_trades(facts.rules.seats, side, turn.traded, out, secrets.gear)


def _answers(facts: Facts, secrets: Secrets, side: int) -> Iterator[tuple[str, ...]]:
    cards, event = facts.rules.cards.cards, facts.turn.tasks[-1].data[0]
    for number in sorted(set(secrets.hands[side])):
        effect = EFFECTS[cards[number].effect]
        if effect.answers is not None and effect.suits(facts, side, cards[number], event):
            yield "play", cards[number].id
    yield ("pass",)


def _dares(facts: Facts, side: int) -> Iterator[tuple[str, ...]]:
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
    SEARCHED: _discards, "again": _only("roll", "stay"),
    "offer": _only("draw", "skip"), "answer": _answers, "confiscate": _surrenders, "appel": _appel,
    "trade": _only("accept", "decline"), "markers": _escaped, "deal": _deals, "value": _values,
}  # fmt: skip
"""By phase or open task the words that may be said, without trades; for turns see `TURN_WORDS`."""


def words(facts: Facts, secrets: Secrets, side: int, place: str) -> list[Word]:
    """The words of a side that is asked, deploys its guards or has searched, but for trades."""
    if place == "dice":
        return _THROWS
    seat = CHANCE if side == CHANCE_SIDE else facts.rules.seats[side]
    listed = LISTED.get(place)
    found = [word(seat, words) for words in listed(facts, secrets, side)] if listed else []
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
