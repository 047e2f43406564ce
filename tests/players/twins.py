"""Two games at once that one seat can't tell apart: whoever sits there has to choose alike in both."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import boardrules
from boardrules import sparring
from boardrules.core import Action, Seat, State
from boardrules.players import Meter
from boardumpire.commands.referee import sight

PLAYOUTS = 24
"""A small budget for each choice: what a player looks at is the same with a large one."""


def led(
    game: str, seat: Seat, seed: int, most: int, options: dict[str, Any]
) -> Iterator[tuple[State, State]]:
    """Two games led along each other, move by move, as long as `seat` may know the same of both."""
    draws = random.Random(f"{game} {seat} {seed}")
    start = boardrules.new(game, options)
    pair = start, start
    for _ in range(most):
        done = _both(pair, seat, draws)
        if done is None:
            return
        pair = done
        if any(state.outcome for state in pair) or _knows(pair[0], seat) != _knows(pair[1], seat):
            return
        yield pair


def _knows(state: State, seat: Seat) -> tuple[Any, ...]:
    return state.view(seat), [str(action) for action in state.legal_actions(seat)]


def _both(pair: tuple[State, State], seat: Seat, draws: random.Random) -> tuple[State, State] | None:
    """Somebody does something in both: the same, or what `seat` can't tell apart."""
    one, two = pair
    who = one.seats_to_act()[0]
    legal, other = (list(state.legal_actions(who)) for state in pair)
    first = draws.choice(legal)
    both = [action for action in legal if str(action) in set(map(str, other))]
    if who != seat and first.secret:
        pieces = dict(one.placed(first))
        second: Action = draws.choice(other)
        if pieces:  # a set-up: the same squares, other ranks
            prints = draws.sample(list(pieces.values()), len(pieces))
            second = two.parse(two.setup_text(dict(zip(pieces, prints, strict=True))), who)
        return one.apply(first)[0], two.apply(second)[0]
    if not both:
        return None
    text = str(draws.choice(both))
    return one.apply(one.parse(text, who))[0], two.apply(two.parse(text, who))[0]


def choices(game: str, seat: Seat, name: str, seed: int, most: int, **options: Any) -> tuple[int, int]:
    """How often a player chose in two games that its seat can't tell apart, and how often those differed.

    Fails where it doesn't choose alike.
    """
    package = boardrules.package(game)
    players = [sparring.seated(package, seat, name) for _ in range(2)]
    chances = [random.Random(seed) for _ in range(2)]
    chosen = differed = 0
    for pair in led(game, seat, seed, most, options):
        said = []
        for state, (player, level), chance in zip(pair, players, chances, strict=True):
            view, legal, table = sight.seen(state, seat)
            player.notice(view)
            if seat in state.seats_to_act():
                choice = player.choose(view, legal, chance, Meter(min(level.playouts, PLAYOUTS)))
                said.append((str(choice), str(player.answer(view, table, chance))))
        if said:
            assert said[0] == said[1], f"{name} at {seat} of {game} tells apart what it may not know"
            chosen += 1
            differed += pair[0] != pair[1]
    return chosen, differed
