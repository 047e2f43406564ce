"""Games in numbers: the same for ever, exact, and with nothing in them that a seat may not know."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from boardrules import registry
from boardrules.core import Action, Seat, UnknownSeat
from boardrules.numbered_game import NumberedGame
from boardrules.package import GamePackage

QUICK, CLASSIC, HUNT = "stratego-quick-duel", "stratego-classic", "fall-of-the-fuhrer"
CASTLE = "escape-from-colditz"
GAMES: list[tuple[str, Mapping[str, Any]]] = [
    (QUICK, {}),
    ("stratego-barrage", {"announce": "silent"}),
    (CLASSIC, {"quiet_limit": 20}),
    (HUNT, {}),
    (HUNT, {"players": 3, "liberation": "full-round", "flight_tells": "origin", "flight": "turn"}),
    (HUNT, {"players": 4, "spy_questions": "both_first", "flight": "free", "flight_tells": "origin"}),
    (HUNT, {"liberation": "declared", "recapture": "round_end", "trapped": "entered"}),
]
OF_THE_CASTLE: tuple[str, Mapping[str, Any]] = (CASTLE, {"players": 4})


def possible(game: NumberedGame) -> list[int]:
    return [number for number, _ in game.chances()] or game.legal()


@pytest.mark.parametrize(
    ("game_id", "options"), [*GAMES, pytest.param(*OF_THE_CASTLE, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_game_is_played_by_numbers(game_id: str, options: Mapping[str, Any], seed: int) -> None:
    dice = random.Random(seed)
    game = NumberedGame(game_id, longest=400, **options)
    while not game.over:
        numbers = possible(game)
        assert numbers == sorted(set(numbers))
        if seat := next((each for each in game.seats if each == game.turn), None):
            assert len({game.text(number) for number in numbers}) == len(numbers)
            seen = game.observation(seat)
            assert len(seen) == game.observation_size
            assert 0.0 <= min(seen) <= max(seen) <= 1.0
        game.push(dice.choice(numbers))
    assert possible(game) == []
    assert game.cut_off == (game.state.outcome is None)
    assert sorted(set(map(abs, game.returns()))) in ([0.0], [1.0])
    won = game.state.winners()
    assert [seat for seat, worth in zip(game.seats, game.returns(), strict=True) if worth > 0] == list(won)
    for seat in game.seats:
        known = game.information(seat)
        assert len(known) == game.information_size
        assert 0.0 <= min(known) <= max(known) <= 1.0


def test_numbers_stay_what_they_are() -> None:
    """What a program has learnt from them is worthless once a number means something else."""
    found = []
    for game_id, options in GAMES[:1] + GAMES[3:4] + GAMES[5:6] + [OF_THE_CASTLE]:
        game = NumberedGame(game_id, **options)
        texts = "\n".join(map(game.text, range(game.action_count)))
        parts = " ".join(f"{name}={size}" for name, size in game.parts.items())
        found.append((game.action_count, zlib.crc32(texts.encode()), zlib.crc32(parts.encode())))
    assert found == [
        (772, 2701110211, 1828229177),
        (1109, 794475893, 827649114),
        (1748, 3907275550, 53355505),
        (4143, 1015254079, 612387105),
    ]


def play_twins(first: NumberedGame, second: NumberedGame, dice: random.Random) -> int:
    """Play the same numbers in both as long as both allow one, and compare what every seat may know; how
    often a seat could tell them apart."""
    differing = 0
    while not (first.over or second.over):
        for seat in first.seats:
            same = first.information_text(seat) == second.information_text(seat)
            assert (first.information(seat) == second.information(seat)) == same
            if same and first.observation_text(seat) == second.observation_text(seat):
                assert first.observation(seat) == second.observation(seat)
                if first.turn == second.turn == seat:
                    assert first.legal() == second.legal()
            differing += not same
        common = sorted(set(possible(first)) & set(possible(second)))
        if first.turn != second.turn or not common:
            break
        number = dice.choice(common)
        first.push(number)
        second.push(number)
    return differing


@pytest.mark.parametrize("announce", ["ranks", "silent"])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_seat_can_tell_armies_apart_only_by_what_it_heard(announce: str, seed: int) -> None:
    dice = random.Random(seed)
    first = NumberedGame(QUICK, longest=70, announce=announce)
    while first.turn == "red":
        first.push(dice.choice(first.legal()))
    second = first.copy()
    blue = dice.sample(first.legal(), 10)
    other = dice.sample(blue, 10)
    for one, two in zip(blue, other, strict=True):
        assert first.information("red") == second.information("red"), "not even how far it is"
        first.push(one)
        second.push(two)
    assert blue != other
    assert first.information("red") == second.information("red")
    assert first.information("blue") != second.information("blue")
    assert play_twins(first, second, dice) > 10


@pytest.mark.parametrize("options", [{}, {"flight_tells": "origin", "flight": "free"}])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_allies_can_tell_hunts_apart_only_by_what_they_heard(options: dict[str, Any], seed: int) -> None:
    dice = random.Random(seed)
    first = NumberedGame(HUNT, longest=70, **options)
    while first.turn != "hitler":
        first.push(dice.choice(first.legal()))
    second = first.copy()
    here, there = dice.sample(first.legal(), 2)
    first.push(here)
    second.push(there)
    assert first.information("allies") == second.information("allies")
    assert first.text(here).split()[1] not in first.information_text(Seat("allies"))
    assert play_twins(first, second, dice) > 10


@pytest.mark.slow
def test_a_card_is_told_to_whom_it_was_dealt_alone() -> None:
    dice = random.Random(0)
    first = NumberedGame(CASTLE, longest=90, players=3)
    first.push(first.chances()[0][0])
    second = first.copy()
    here, there = (number for number, _ in first.chances()[:2])
    first.push(here)
    second.push(there)
    dealt = first.encoding.chances[here].split()[1]
    same = [seat for seat in first.seats if first.information(seat) == second.information(seat)]
    assert same == [seat for seat in first.seats if seat != dealt]
    assert play_twins(first, second, dice) > 10


def game_with_a_trade(seed: int) -> NumberedGame:
    """A game where the seat to act may give each of two kinds."""
    dice = random.Random(seed)
    game = NumberedGame(CASTLE, longest=5000, players=3)
    while not game.over:
        numbers = possible(game)
        if begins := [one for one in numbers if game.turn != "chance" and game.text(one).startswith("trade")]:
            trial = game.copy()
            trial.push(begins[0])
            if len({trial.text(one) for one in trial.legal()} - {"for"}) > 1:
                return trial
        # Who is to collect Equipment does it, and offers nothing.
        kept = [one for one in numbers if game.turn == "chance" or not game.text(one).startswith("trade")]
        claims = [one for one in kept if game.turn != "chance" and game.text(one).startswith("claim")]
        game.push(dice.choice(claims or kept))
    raise AssertionError("nobody had two kinds")


@pytest.mark.slow
def test_what_is_on_offer_is_told_to_officers_alone() -> None:
    first = game_with_a_trade(0)
    guards = first.seats[0]
    before = first.information(guards)
    second = first.copy()
    for game, kind in ((first, 0), (second, 1)):
        game.push([one for one in game.legal() if game.text(one) != "for"][kind])
        assert game.information(guards) == before, "not even that something is being said"
        for word in ("for", "done"):
            game.push(next(one for one in game.legal() if game.text(one) == word))
    assert first.information(guards) == second.information(guards) != before
    for officer in first.seats[1:]:
        assert first.information(officer) != second.information(officer)
    for game in (first, second):
        game.push(next(one for one in game.legal() if game.text(one) == "accept"))
    assert first.information(guards) == second.information(guards)
    assert play_twins(first, second, random.Random(0)) > 10


def unlisted(state: Any, seat: Seat, dice: random.Random) -> list[Action]:
    """Some actions that may be allowed and that nobody lists: walks, trades, answers to an Appel."""
    places = [space for space, pieces in state.layout().items() if any(one.seat == seat for one in pieces)]
    circles = list(state.facts.rules.board.space_names)
    texts = [f"{dice.choice(places)}-{circle}" for circle in dice.sample(circles, 20)]
    men = [" ".join(dice.sample(places, dice.randint(1, len(places)))) for _ in range(3)]
    diagram = [circles[node] for node in state.facts.rules.appel_diagram[0]]
    at = [" ".join(dice.sample(diagram, dice.randint(1, len(diagram)))) for _ in range(6)]
    texts += [f"obey {one}" for one in at] + [f"refuse {one}" for one in men]
    texts += [f"refuse {one} at {other}" for one in men for other in at]
    kinds = ["rope", "key", "pass", "cutter"]
    for other in state.seats[1:]:
        goods = [" ".join(dice.choices(kinds, k=dice.randint(0, 3))) for _ in range(6)]
        texts += [f"trade {other} {goods[at]} for {goods[at - 1]}" for at in range(6)]
    return [state.parse(text, seat) for text in texts]


HOUSE_RULES: list[dict[str, Any]] = [
    {},
    {"doubling_back": "forbidden", "do_or_die": "classic"},
    {"pawns_block": True, "safe_area": "pass_through", "marker_passage": "pay", "start_kits": False},
]


def check_actions(game: NumberedGame, dice: random.Random, checked: Counter[str]) -> None:
    """Every action that the seat to act may do has numbers, and they do it."""
    state, seat, legal = game.state, game.state.seats_to_act()[0], set(game.legal())
    for action in [*state.legal_actions(seat), *unlisted(state, seat, dice)]:
        if state.refusal(action) is not None:
            continue
        numbers = game.numbers(action)
        assert max(numbers) < game.action_count
        assert numbers[0] in legal
        if len(numbers) == 1 and not game.encoding.takes_words(action):
            assert state.parse(game.text(numbers[0]), seat) == action
            continue
        checked[str(action).split()[0] if " " in str(action) else "walk"] += len(numbers) > 1
        done, (after, _) = game.copy(), state.apply(action)
        for number in numbers:
            done.push(number)
        assert done.state.truth() == after.truth(), action
        assert done.turn is None or not done._said


@pytest.mark.parametrize(
    "seeds",
    [pytest.param(range(3), marks=pytest.mark.slow), pytest.param(range(200), marks=pytest.mark.nightly)],
)
def test_each_action_of_a_castle_is_written_in_numbers(seeds: range) -> None:
    checked = Counter[str]()
    for seed in seeds:
        dice = random.Random(seed)
        game = NumberedGame(CASTLE, longest=10000, players=2 + seed % 5, **HOUSE_RULES[seed % 3])
        while not game.over:
            open_kind = next((task.kind for task in reversed(game.state.facts.tasks)), "")
            often = 1.0 if open_kind == "appel" else 0.1
            if game.turn != "chance" and not game._said and dice.random() < often:
                check_actions(game, dice, checked)
            game.push(dice.choice(possible(game)))
    assert min(checked[kind] for kind in ("walk", "trade", "play", "refuse")) > 0, checked


@pytest.mark.slow
def test_no_number_of_a_castle_is_left_out() -> None:
    """What could be done by one number and isn't among them is a walk."""
    dice = random.Random(5)
    game = NumberedGame(CASTLE, longest=3000, players=4, doubling_back="forbidden")
    while not game.over and game.length < 300:
        if game.length % 30 == 29 and game.turn != "chance" and not game._said:
            seat, legal = game.state.seats_to_act()[0], set(game.legal())
            for number, text in enumerate(game.encoding.actions):
                action = game.state.parse(text, seat)
                allowed = game.state.refusal(action) is None
                assert allowed == (number in legal) or len(game.numbers(action)) > 1
        game.push(dice.choice(possible(game)))


def test_numbers_of_an_action_are_refused_by_name() -> None:
    game = NumberedGame(QUICK)
    while game.state.zone(game.state.seats_to_act()[0]):
        setup = next(iter(game.state.legal_actions(game.state.seats_to_act()[0])))
        with pytest.raises(ValueError, match="of which nothing is said or placed yet"):
            game.numbers(setup)
        game.push(game.legal()[0])
    one, *_ = game.state.legal_actions(Seat("red"))
    assert [game.text(number) for number in game.numbers(one)] == [str(one)]
    with pytest.raises(ValueError, match="expected an action that is allowed"):
        game.numbers(game.state.parse("a1-a8", Seat("red")))
    with pytest.raises(ValueError, match="expected an action of the seat to act"):
        game.numbers(game.state.parse("a1-a8", Seat("blue")))


def test_what_is_not_allowed_changes_nothing() -> None:
    game = NumberedGame(HUNT)
    before = game.state
    for number in (game.action_count, -1, 0):
        with pytest.raises(ValueError, match=f"allies may not do {number}; expected one of legal"):
            game.push(number)
    assert game.state is before
    assert game.length == 0
    while game.turn != "chance":
        game.push(random.Random(1).choice(game.legal()))
    with pytest.raises(ValueError, match="chance can't do 7; expected one of 0, 1, 2"):
        game.push(7)
    with pytest.raises(IndexError, match=f"expected 0 to {game.action_count - 1}"):
        game.text(game.action_count)
    with pytest.raises(UnknownSeat):
        game.observation(Seat("green"))


def test_a_copy_goes_on_by_itself() -> None:
    game = NumberedGame(QUICK)
    game.push(game.legal()[3])
    other = game.copy()
    other.push(other.legal()[0])
    assert (game.length, other.length) == (1, 2)
    assert len(game.legal()) == len(other.legal()) + 1


def test_who_comes_to_the_longest_is_cut_off() -> None:
    game = NumberedGame(QUICK, longest=2)
    for _ in range(2):
        assert not game.over
        game.push(game.legal()[0])
    assert game.over
    assert game.cut_off
    assert (game.turn, game.legal(), game.returns()) == (None, [], [0.0, 0.0])
    with pytest.raises(ValueError, match="the game is over"):
        game.push(0)
    with pytest.raises(ValueError, match="longest is 0; expected 1 or more"):
        NumberedGame(QUICK, longest=0)


def test_a_game_without_numbers_says_so() -> None:
    with pytest.raises(ValueError, match="expected the option sheet to be 'umpire'"):
        NumberedGame(HUNT, sheet="paper")
    with pytest.raises(ValueError, match="escape-from-colditz is not written in numbers"):
        GamePackage.encoding(registry.package(CASTLE), {})
