"""Information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012).

    python ismcts.py [GAME [ITERATIONS]]      it plays the first seat, the other seats play at random

One tree holds what the seat to act can do; each iteration plays it in another state that the searching seat
can't tell from the real one. It needs `boardrules` alone.
"""

import math
import random
import sys

from boardrules import Game

EXPLORES, LONGEST = 0.7, 60
"""How much is tried that seems worse; how many actions a playout goes on for at most."""


class Node:
    """What was tried from here on, and what came of it for the seat that had acted."""

    def __init__(self, seat=None):
        self.seat, self.visits, self.wins, self.possible, self.children = seat, 0, 0.0, 0, {}

    def best(self, legal):
        """Of the children that are legal in this state the one to look at (UCB1 over availability)."""
        known = [(action, self.children[action]) for action in legal if action in self.children]
        for _, child in known:
            child.possible += 1
        return max(known, key=lambda each: each[1].value())

    def value(self):
        """How good it seems, and how little is known of it."""
        return self.wins / self.visits + EXPLORES * math.sqrt(math.log(self.possible) / self.visits)


def choose(game, seat, iterations, dice):
    """What the seat does, by its own view alone."""
    root = Node()
    for _ in range(iterations):
        state, path = game.resample(seat, dice), [root]
        while state.outcome is None:  # select, as long as all that is legal is known
            legal, (actor, *_) = list(state.legal_actions(state.seats_to_act()[0])), state.seats_to_act()
            fresh = [action for action in legal if action not in path[-1].children]
            if fresh:
                action = dice.choice(fresh)
                path[-1].children[action] = child = Node(actor)
                child.possible = 1
            else:
                action, child = path[-1].best(legal)
            path.append(child)
            state, _ = state.apply(action)
            if fresh:
                break
        worth = playout(state, dice)
        for node in path:
            node.visits += 1
            node.wins += worth.get(node.seat, 0.5)
    return max(root.children, key=lambda action: root.children[action].visits)


def playout(state, dice):
    """By seat 1 for a win; nothing for what is open or a draw."""
    for _ in range(LONGEST):
        if state.outcome is not None:
            break
        state, _ = state.apply(dice.choice(list(state.legal_actions(state.seats_to_act()[0]))))
    won = state.winners()
    return {seat: float(seat in won) for seat in state.seats} if won else {}


def main(name="stratego-quick-duel", iterations="200", seed=None):
    """Play one game."""
    game, dice = Game(name), random.Random(seed)
    first = game.seats[0]
    while not game.over and len(game.actions) < 400:
        seat, legal = game.turn or game.to_act[0], game.legal(game.turn or game.to_act[0])
        # A set-up has too many actions to search: any will do.
        searches = seat == first and legal.whole
        game.push(choose(game, seat, int(iterations), dice) if searches else dice.choice(list(legal)), seat)
    print(game.result)
    return game


if __name__ == "__main__":
    main(*sys.argv[1:])
