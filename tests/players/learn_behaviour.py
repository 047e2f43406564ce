"""Learns what a hidden piece's behaviour says of its rank, and writes the weights that players use.

    .venv/bin/python tests/players/learn_behaviour.py --games FOLDER

The folder holds games as lines of JSON: `variant`, `red_setup`, `blue_setup` (four rows of ten squares) and
`moves` (`a4-a5`). Of each game a position in eight is looked at, as the side to move sees it. The weights add
to what is believed by set-up alone (a multinomial logistic regression with that as its offset). Each quarter
of the games is held out once: the loss on these, in nats a piece, is printed with weights and without.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from boardrules.stratego.actions import SEATS, StrategoSetup
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.games import rules_of
from boardrules.stratego.pieces import RANK_SIGNS
from boardrules.stratego.players.behaviour import FEATURE_COUNT, Behaviour
from boardrules.stratego.players.beliefs import Beliefs
from boardrules.stratego.setup import SetupState

TARGET = Path(__file__).resolve().parents[2]
TARGET /= "controller/rules/boardrules/stratego/players/behaviour_weights.py"
FILES = {
    "bots_ucc2012_classic.jsonl": (300, 1.0),
    "ai_ataraxos_chase_barrage.jsonl": (120, 1.0),
    "human_gravon_classic.jsonl": (1000, 1.0),
    "human_gravon_barrage.jsonl": (1000, 1.0),
    "human_gravon_duel.jsonl": (1000, 1.0),
}
"""By file how many turns of each game are looked at, as long games end in going back and forth, and how much
all of its pieces count: people play otherwise than programs, and there are few games of theirs."""
EVERY, FOLDS, MOST_PIECES = 8, 4, 15_000
STEPS, RATE, DECAY = 250, 0.05, 5e-3
OPTIONS = {"shuttle": "off", "chase": "off"}
Sample = tuple[list[float], list[float], int]
"""Features, by rank what is believed without them, and the rank."""


def setup(rows: list[str], first: int) -> list[tuple[str, str]]:
    """Square and rank of an army whose rows begin at row `first` of the board."""
    return [
        (f"{'abcdefghij'[file]}{first + row}", "10" if rank == "M" else rank)
        for row, ranks in enumerate(rows)
        for file, rank in enumerate(ranks)
        if rank != "."
    ]


def samples(game: dict[str, Any], most: int) -> Iterator[Sample]:
    """What there is to learn from one game, up to the first move that the rules don't take."""
    state: Any = SetupState(rules_of(f"stratego-{game['variant']}", OPTIONS))
    for seat, rows, first in ((SEATS[0], "red_setup", 1), (SEATS[1], "blue_setup", 7)):
        state, _ = state.apply(StrategoSetup(seat, setup(game[rows], first)))
    seen = [Behaviour(), Behaviour()]
    for ply, text in enumerate(game["moves"][:most]):
        if state.outcome is not None:
            return
        for side, behaviour in enumerate(seen):
            behaviour.observe_facts(state.view(SEATS[side]).facts, side)
        if ply % EVERY < 2 and ply > 2:
            yield from looked(state, seen[ply % 2])
        move = state.parse(text, SEATS[ply % 2])
        if state.refusal(move) is not None:
            return
        state, _ = state.apply(move)


def looked(state: Any, behaviour: Behaviour) -> Iterator[Sample]:
    """By hidden piece of a position what its watcher sees of it."""
    view = state.view(state.seats_to_act()[0])
    beliefs = Beliefs(view)
    for piece in beliefs.hidden_pieces:
        if beliefs.facts.square_by_piece[piece] != CAPTURED_SQUARE:
            yield (
                behaviour.features(beliefs.facts, piece, beliefs.enemy_pieces),
                beliefs.chances(piece),
                state.hidden_ranks.ranks[piece],
            )


def loss(weights: Any, data: tuple[Any, Any, Any]) -> float:
    """Nats a piece."""
    features, prior, true = data
    logits = features @ weights.T + prior
    logits -= logits.max(axis=1, keepdims=True)
    chances = np.exp(logits)
    found = chances[np.arange(len(true)), true] / chances.sum(axis=1)
    return float(-np.log(np.maximum(found, 1e-6)).mean())


def arrays(found: list[Sample]) -> tuple[Any, Any, Any]:
    """Samples as arrays; what can't be gets a logarithm of -30."""
    features, prior, true = (np.array(column) for column in zip(*found, strict=True))
    return features, np.log(np.maximum(prior, 1e-13)), true


def fit(parts: list[tuple[list[Sample], float]]) -> Any:
    """By rank and feature the weight (Adam), of samples with what all of each part counts."""
    features, prior, true = arrays([sample for found, _ in parts for sample in found])
    counts = np.concatenate([np.full(len(found), count / len(found)) for found, count in parts])
    counts /= counts.sum()
    weights, first, second = (np.zeros((len(RANK_SIGNS), FEATURE_COUNT)) for _ in range(3))
    hot = np.eye(len(RANK_SIGNS))[true]
    for step in range(1, STEPS + 1):
        logits = features @ weights.T + prior
        logits -= logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        chances /= chances.sum(axis=1, keepdims=True)
        slope = ((chances - hot) * counts[:, None]).T @ features + DECAY * weights
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights


def some(games: list[list[Sample]]) -> list[Sample]:
    """The pieces of these games, or as many of them as are learnt from."""
    found = [sample for game in games for sample in game]
    return random.Random(1).sample(found, min(MOST_PIECES, len(found)))


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--no-check", action="store_true", help="learn at once, with nothing held out")
    given = parser.parse_args()
    games: dict[str, list[list[Sample]]] = {}
    for name, (most, _) in FILES.items():
        lines = map(json.loads, (given.games / name).read_text().splitlines())
        games[name] = [list(samples(game, most)) for game in lines if not game.get("partial")]
    told: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
    for fold in range(0 if given.no_check else FOLDS):
        weights = fit(
            [(some([game for at, game in enumerate(games[name]) if at % FOLDS != fold]), FILES[name][1])
             for name in FILES]
        )  # fmt: skip
        for name, played in games.items():
            held = some([game for at, game in enumerate(played) if at % FOLDS == fold])
            data = arrays(held)
            told[name].append((len(held), loss(np.zeros_like(weights), data), loss(weights, data)))
    for name, rows in told.items():
        pieces = sum(count for count, _, _ in rows)
        without, with_ = (sum(row[0] * row[at] for row in rows) / pieces for at in (1, 2))
        print(f"{name}: {pieces} pieces held out, loss {without:.3f} without, {with_:.3f} with")
    weights = fit([(some(games[name]), FILES[name][1]) for name in FILES])
    write(weights, sum(map(len, games.values())))


def write(weights: Any, games: int) -> None:
    """The module with the weights."""
    lines = [
        '"""What behaviour says of a rank: learnt by tests/players/learn_behaviour.py, not written by hand.',
        "",
        f"From the moves of {games} games of people and of programs. No game can be told from them.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        "WEIGHTS: Final[tuple[tuple[float, ...], ...]] = (",
        *[f"    ({', '.join(f'{weight:.2f}' for weight in row)})," for row in weights],
        ")",
        '"""By rank and feature (`behaviour.Behaviour.features`) what it adds to the log odds."""',
    ]
    TARGET.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
