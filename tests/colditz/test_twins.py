"""Games with the same public history and other hidden hands send the same bytes at the same moments."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from boardrules.colditz.bots.simple_players import choose, choose_by_odds
from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.castle.board import CastleBoard
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.deck.hidden_cards import Deck
from boardrules.colditz.games import Colditz
from boardrules.colditz.state import refusals
from boardrules.colditz.state.rules import ColditzRules
from boardrules.core import CHANCE, Action, State, visible
from boardumpire.commands.table_factory import TableFactory
from boardumpire.messages import disclosure
from boardumpire.ruling.umpire import judge_action
from boardumpire.web.screen_hub import ScreenHub
from colditz.evening import Evening
from rules.colditz.test_properties import reached, swapped_gear
from table.twins import SALTED, reprs, unsealed
from web.desks import BenchDesk, Ear

HIDDEN = "american"
"""Whose cards differ."""
OPTIONS: tuple[dict[str, Any], ...] = ({}, {"players": 4}, {"players": 2}, {"players": 6})


class Pair(NamedTuple):
    """Two games that look alike: their actions, and whose eyes may not see a difference."""

    one: list[Action]
    other: list[Action]
    blind: tuple[str | None, ...]


def public(state: State, after: State, events: Sequence[Any]) -> object:
    """What everybody sees of what happened."""
    return visible(events, None), after.layout(), after.outcome, after.steps(), after.seats_to_act()


def pair(seed: int, options: dict[str, Any], longest: int) -> Pair | None:
    """Play two games at once, as alike as they can be but for hidden cards and kinds of Equipment."""
    dice = random.Random(f"pair {seed}")
    one: Any = Colditz().new(options)
    other: Any = one
    told: tuple[list[Action], list[Action]] = ([], [])
    trades = False
    while one.outcome is None and (len(told[0]) < longest or one.chance()):
        (seat,) = one.seats_to_act()
        for action in wishes(one, seat, dice):
            twin = alike(one, other, action, dice)
            if twin is None:
                continue
            after, events = one.apply(action)
            others_after, others_events = other.apply(twin)
            if public(one, after, events) != public(other, others_after, others_events):
                continue
            trades |= str(action).startswith("trade") and str(action) != str(twin)
            one, other = after, others_after
            told[0].append(action)
            told[1].append(twin)
            break
        else:
            break
    if one.outcome is not None or one.chance() or [*map(str, told[0])] == [*map(str, told[1])]:
        return None
    others = tuple(seat for seat in one.seats if seat not in (HIDDEN, "security"))
    return Pair(*told, (None, "security", *(() if trades else others)))


def wishes(state: Any, seat: str, dice: random.Random) -> list[Action]:
    """What may be done next, the likeliest first."""
    if seat == CHANCE:
        faces = [action for action, weight in state.chance() for _ in range(weight)]
        dice.shuffle(faces)
        return list(dict.fromkeys(faces))
    carries = [each for targets in state.carry_actions(seat).values() for each in targets.values()]
    words = [action for action in state.legal_actions(seat) if isinstance(action, Command)]
    wanted = [word for word in words if word.head in ("claim", "accept", "draw", "trade", "discard")]
    ways = dice.sample(carries, min(len(carries), 30))
    best = [choose(state.view(seat), [*ways, *words], dice)]
    rest = [*ways, *words]
    dice.shuffle(rest)
    return [*(wanted if dice.random() < 0.7 else []), *best, *rest]


def alike(one: Any, other: Any, action: Action, dice: random.Random) -> Action | None:
    """What looks the same in the other game: another card or kind where that is hidden."""
    text, head = str(action), str(action).partition(" ")[0]
    same = other.parse(text, action.seat)
    found: list[Action] = []
    if head == "deal" and HIDDEN in text:
        found = [card for card, _ in other.chance() if str(card) != text]
    elif head == "discard" and action.seat == HIDDEN:
        found = [each for each in other.legal_actions(HIDDEN) if str(each).startswith("discard")]
    elif head == "trade":
        words = text.split()
        shape = (words[1], words.index("for"), len(words))
        for each in other.legal_actions(action.seat):
            parts = str(each).split()
            if (
                parts[0] == "trade"
                and (parts[1], parts.index("for"), len(parts)) == shape
                and str(each) != text
            ):
                found.append(each)
    if found:
        return dice.choice(found)
    return same if other.refusal(same) is None else None


class Written:
    """A factory whose dice nobody changes."""

    def __init__(self, factory: TableFactory) -> None:
        self._factory = factory

    def with_dice(self, dice: object) -> TableFactory:
        return self._factory


class Watched(Evening):
    """A game with a page over it and a screen of each kind; all that leaves it is written down."""

    def __init__(self, seed: int, actions: Sequence[Action], **given: Any) -> None:
        self.wanted = [str(action) for action in actions if action.seat == CHANCE]
        super().__init__(seed, **given)
        self.lamps: list[str] = []
        self.told_so_far = 0
        self.room: ScreenHub | None = None
        self.ears = {audience: Ear() for audience in (None, *self.state.seats)}
        self.scene.bench.runner._turned = self._turned

    def made(self, factory: TableFactory) -> Any:
        """Chance does what is written."""
        return Written(factory.with_dice(lambda weights: self._shows()))

    def _shows(self) -> int:
        faces = [str(action) for action, _ in self.table._match.state.chance()]
        return faces.index(self.wanted.pop(0))

    def _turned(self, now: int) -> None:
        lit = str(sorted(self.table.marks.items()))
        if not self.lamps or self.lamps[-1].partition(" ")[2] != lit:
            self.lamps.append(f"{now} {lit}")
        if self.room is None:
            self.room = ScreenHub(BenchDesk(self.scene.bench, self.state.seats), epoch=lambda: "same")
            for audience, ear in self.ears.items():
                self.room.enter(audience, ear, None, 0)
        self.room.send_messages(self.messages[self.told_so_far :])
        self.told_so_far = len(self.messages)

    def follow(self, actions: Sequence[Action]) -> None:
        """Play exactly these."""
        self.begin()
        for action in actions:
            if action.seat != CHANCE:
                self.acts(self.state.parse(str(action), action.seat))

    def outward(self, blind: Sequence[str | None]) -> list[str]:
        """What else could leave: views, the record so far, the `repr` of every object."""
        views = [json.dumps(self.table.view(seat)) for seat in blind]
        choices = [json.dumps(self.table.choices(seat)) for seat in blind if seat is not None]
        record = [line for line in self.table.export_record().splitlines() if not line.startswith(SALTED)]
        # Rules and board are those of all games, with their caches; of actions listed for owners only the
        # secret ones are redacted.
        kept = reprs(self.table, (ColditzRules, CastleBoard, PawnStep, Command))
        return [*views, *choices, *record, *sorted(kept.elements())]


def compare(seed: int, longest: int, caplog: pytest.LogCaptureFixture) -> int:
    """Play a pair of games; how many of its actions differ, 0 if there was none."""
    options = OPTIONS[seed % len(OPTIONS)]
    found = pair(seed, options, longest)
    if found is None:
        return 0
    seen = []
    for actions in (found.one, found.other):
        caplog.clear()
        game = Watched(seed, actions, options=options)
        with caplog.at_level(logging.DEBUG):
            game.follow(actions)
        left, log = game.outward(found.blind), caplog.text
        game.scene.close()
        seen.append((game, left, log))
    (one, left, log), (other, others_left, others_log) = seen
    for audience, ear in one.ears.items():
        sent = [[unsealed(text) for text in each.texts] for each in (ear, other.ears[audience])]
        if audience not in found.blind:
            sent = [[json.loads(text)["kind"] for text in each] for each in sent]
        assert sent[0] == sent[1], audience
    told = [
        [unsealed(json.dumps(each.json())) for each in game.messages if each.seat in found.blind]
        for game in (one, other)
    ]
    assert told[0] == told[1], "to the millisecond"
    sizes = [[(each.seat, each.kind, len(json.dumps(each.json()))) for each in game.messages if each.seat]
             for game in (one, other)]  # fmt: skip
    assert sizes[0] == sizes[1]
    assert one.lamps == other.lamps
    assert len(one.lamps) > longest // 4
    assert left == others_left
    assert log == others_log
    return sum(str(a) != str(b) for a, b in zip(found.one, found.other, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_other_hidden_hands_send_the_same_bytes(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    assert compare(seed, 50, caplog)


def with_card(state: Any, side: int, card: int) -> Any:
    """The same position, but that a seat holds this card of the deck rather than one of its own."""
    which = 0 if side else 1
    hands, decks = list(state.secrets.hands), list(state.secrets.decks)
    given = next(held for held in hands[side] if held != card)
    hand = [*hands[side], card]
    hand.remove(given)
    pool = dict(decks[which].shuffled)
    pool[card] -= 1
    pool[given] = pool.get(given, 0) + 1
    hands[side] = tuple(sorted(hand))
    left = tuple((each, count) for each, count in sorted(pool.items()) if count)
    decks[which] = Deck(left, decks[which].bottom_cards)
    return type(state)(state.facts, replace(state.secrets, hands=tuple(hands), decks=tuple(decks)))


def twins(state: Any, dice: random.Random) -> Iterator[tuple[Any, str, list[str]]]:
    """Positions that differ in what whoever is to act holds: who, and what is tried with it, right or not."""
    rules, board = state.facts.rules, state.facts.rules.board
    occupied = sorted({board.space_names[node] for node in state.facts.node_by_pawn})
    (seat,) = state.seats_to_act()
    side = state.seats.index(seat)
    hand = [card for card in state.secrets.hands[side] if rules.counts_against_limit(card)]
    for card, _ in state.secrets.decks[0 if side else 1].shuffled if hand else ():
        name = rules.cards.cards[card].id
        if card not in hand:
            aims = ("", dice.choice(occupied), dice.choice(state.seats), board.crossing_name(0))
            texts = [f"play {name} {aim}".strip() for aim in aims]
            yield with_card(state, side, card), seat, [*texts, f"discard {name}", f"kit {name}"]
    if side:
        steps = state.steps()
        ways = [f"{step.origin}-{step.target}" for step in dice.sample(steps, min(len(steps), 12))]
        texts = [f"{verb} {kind}" for verb in ("claim", "surrender") for kind in EQUIPMENT_KINDS]
        goods = (dice.choices(EQUIPMENT_KINDS, k=2) for _ in range(4))
        texts += [f"trade {dice.choice(state.seats)} {give} for {want}" for give, want in goods]
        yield swapped_gear(state, dice), seat, [*ways, *texts]


def tried(state: Any, seat: str, text: str) -> list[object] | None:
    """What everybody hears of it if it is refused, and how long what each hears in private is."""
    ruling = judge_action(state, state.parse(text, seat))
    if ruling.refusal is None:
        return None
    told = disclosure.refused_messages(0, ruling, state.seats)
    return [len(json.dumps(each.json())) if each.seat == seat else each.json() for each in told]


def moments(seed: int, apart: int) -> Iterator[Any]:
    """Positions of a game of simple players, so many actions apart, where a player is to act."""
    state, dice = reached(seed, 0)
    for count in range(400):
        if state.outcome is not None:
            return
        (seat,) = state.seats_to_act()
        if count % apart == 0 and seat != CHANCE:
            yield state
        view = state.view(None if seat == CHANCE else seat)
        state, _ = state.apply(choose_by_odds(view, state.legal_actions(seat), dice))


def compare_tries(seeds: Sequence[int], apart: int) -> int:
    """Try all that has a form, right or wrong, in positions that differ in hidden things; how many answers
    were compared. Whatever is refused in both has to be refused alike for all others."""
    compared = 0
    for seed in seeds:
        dice = random.Random(f"tries {seed}")
        for state in moments(seed, apart):
            for twin, seat, texts in twins(state, dice):
                for text in texts:
                    answers = tried(state, seat, text), tried(twin, seat, text)
                    if None not in answers:
                        assert answers[0] == answers[1], (seed, seat, text)
                        compared += 1
    return compared


@pytest.mark.slow
def test_what_is_refused_tells_nobody_else_what_is_held() -> None:
    assert compare_tries(range(1, 3), 16) > 600


@pytest.mark.parametrize("code", ["appel-when", "kit-rooms"])
def test_a_refusal_that_tells_would_be_seen(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "SECRET_CODES", refusals.SECRET_CODES - {f"colditz/{code}"})
    with pytest.raises(AssertionError):
        compare_tries(range(1, 3), 16)


@pytest.mark.nightly
def test_twin_games(record_property: Callable[[str, object], None], caplog: pytest.LogCaptureFixture) -> None:
    """Pairs of games of 2 to 6 with the same public history and other hidden cards, after trades other kinds
    as well: every byte to the other screens, every lamp, logs, views, the record so far and every `repr` are
    equal in virtual time, commitments aside; private messages are as many and as long. Whatever is refused
    in two positions that differ in what somebody holds is refused alike for all others, listed or not."""
    seeds = range(100, 112)
    record_property("seeds", f"{seeds[0]} to {seeds[-1]}")
    differing = [compare(seed, 60 + 10 * (seed % 12), caplog) for seed in seeds]
    record_property("pairs of games", sum(count > 0 for count in differing))
    record_property("actions that differ", sum(differing))
    record_property("refusals compared", compare_tries(seeds, 4))


@pytest.mark.slow
def test_a_leak_would_be_seen(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guard that is taken away is missed: here the lamps tell one of the cards."""
    true = disclosure.view_of

    def leaking(state: Any, seat: str | None) -> dict[str, Any]:
        shown = true(state, seat)
        held = len(state.truth()["hands"][HIDDEN][0]) if state.truth()["hands"][HIDDEN] else 0
        return {**shown, "flags": [f"a{held}"]} if seat is None else shown

    monkeypatch.setattr(disclosure, "view_of", leaking)
    with pytest.raises(AssertionError):
        compare(0, 50, caplog)
