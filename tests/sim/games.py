"""Random games of Stratego Quick Duel, as they are written down, and the truth of pieces on a board."""

import random

from boardrules import registry
from boardrules.record import record_of

GAME = "stratego-quick-duel"


def random_record(seed, *, longest=80, **options):
    """A game of random legal moves, eager to attack; after `longest` actions whoever is to move resigns."""
    dice = random.Random(f"game {seed}")
    state = registry.new(GAME, options)
    actions = []
    while state.outcome is None:
        seat = dice.choice(state.seats_to_act())
        legal = list(state.legal_actions(seat))
        attacks = [each for each in legal if not each.secret and str(each).split("-")[1] in state.layout()]
        action = dice.choice(attacks if attacks and dice.random() < 0.4 else legal)
        if len(actions) >= longest:
            action = state.parse("resign", seat)
        actions.append((seat, str(action)))
        state, _ = state.apply(action)
    return record_of(state, tuple(actions))


def true_pieces(state):
    """space -> (seat, rank), as the game has it."""
    return {space: (piece["seat"], piece["rank"]) for space, piece in state.truth()["board"].items()}


def standing(world):
    """space -> (owner, label), as the magnets have it."""
    return {space: (pieces[-1].owner, pieces[-1].label) for space, pieces in world.standing().items()}
