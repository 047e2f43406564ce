"""Two games at once that one seat can't tell apart: whoever sits there has to choose alike in both."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import boardrules
from boardrules import baseline_players
from boardrules.core import Seat, State
from boardrules.players import SearchBudget
from boardumpire.commands.referee import observation

PLAYOUTS = 24
"""A small budget for each choice: what a player looks at is the same with a large one."""


TRIES = 12
"""How often something is tried that its seat may tell apart."""


def led(
    game: str, seat: Seat, seed: int, most: int, options: dict[str, Any], alike: int = 0
) -> Iterator[tuple[State, State]]:
    """Two games led along each other, move by move, as long as `seat` may know the same of both. The first
    `alike` moves are the same in both: what is hidden only for a time differs later in a game, too."""
    draws = random.Random(f"{game} {seat} {seed}")
    start = boardrules.new(game, options)
    pair = start, start
    for number in range(alike + most):
        done = next(_both(pair, seat, draws, apart=number >= alike), None)
        if done is None:
            return
        pair = done
        yield pair


def _knows(state: State, seat: Seat) -> tuple[Any, ...]:
    return state.view(seat), [str(action) for action in state.legal_actions(seat)]


def _both(
    pair: tuple[State, State], seat: Seat, draws: random.Random, *, apart: bool
) -> Iterator[tuple[State, State]]:
    """Somebody does something in both: the same, or what `seat` can't tell apart."""
    one, two = pair
    who = one.seats_to_act()[0]
    for first, second in _pairs(pair, who, draws, apart=apart and who != seat):
        after = one.apply(one.parse(first, who))[0], two.apply(two.parse(second, who))[0]
        if not any(state.outcome for state in after) and _knows(after[0], seat) == _knows(after[1], seat):
            yield after


def _pairs(
    pair: tuple[State, State], who: Seat, draws: random.Random, *, apart: bool
) -> Iterator[tuple[str, str]]:
    """What to try in both: first, where that stays `apart`, what is secret and differs, then the same."""
    one, two = pair
    legal, other = ([*state.legal_actions(who)] for state in pair)
    if apart and legal[0].secret:
        for _ in range(TRIES):
            first, second = draws.choice(legal), str(draws.choice(other))
            pieces = dict(one.setup_placements(first))
            if pieces:  # a set-up: the same squares, other ranks
                prints = draws.sample(list(pieces.values()), len(pieces))
                second = two.setup_text(dict(zip(pieces, prints, strict=True)))
            yield str(first), second
    texts = set(map(str, other))
    both = [text for text in map(str, legal) if text in texts]
    for text in draws.sample(both, min(TRIES, len(both))):
        yield text, text


def choices(
    game: str, seat: Seat, name: str, seed: int, most: int, alike: int = 0, **options: Any
) -> tuple[int, int]:
    """How often a player chose in two games that its seat can't tell apart, and how often those differed.

    Fails where it doesn't choose alike.
    """
    package = boardrules.package(game)
    players = [baseline_players.player_for(package, seat, name) for _ in range(2)]
    chances = [random.Random(seed) for _ in range(2)]
    chosen = differed = 0
    for pair in led(game, seat, seed, most, options, alike):
        said = []
        for state, (player, level), chance in zip(pair, players, chances, strict=True):
            view, legal, table = observation.observe(state, seat)
            player.observe_view(view)
            if seat in state.seats_to_act():
                choice = player.choose(view, legal, chance, SearchBudget(min(level.playouts, PLAYOUTS)))
                answer = str(player.answer_offer(view, table, chance))
                said.append((str(choice), answer, player.is_hopeless()))
        if said:
            assert said[0] == said[1], f"{name} at {seat} of {game} tells apart what it may not know"
            chosen += 1
            differed += pair[0] != pair[1]
    return chosen, differed
