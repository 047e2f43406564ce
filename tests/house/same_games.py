"""Seeded games of every kind, each kind as one hash: that what games are, tell and show stays the same.

    PYTHONPATH=tests .venv/bin/python -m house.same_games [GAMES]

prints the hash of so many games (200) of each kind. In it are, after every action, the events, what each
seat and everybody sees, what hands may do, and the lamps; at the end the game as each way of writing games
down has it. `same_games.json` holds what was printed. A change that means to change games prints it anew; one
that moves code about, or makes it faster, must not.

    PYTHONPATH=tests .venv/bin/python -m house.same_games --write
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import boardrules
from boardrules import registry
from boardrules.core import CHANCE, CLOCK, Action, State
from boardrules.history import GameHistory
from boardrules.notations import NotationError
from boardrules.record import record_of, write
from boardumpire.lamps import policy, view_marks
from boardumpire.messages import disclosure
from boardumpire.ruling.umpire import Ruling
from boardumpire.tracking.events import BoardGuidance

EXPECTED = Path(__file__).with_suffix(".json")
COUNTS = (5, 200)
"""How many games of each kind the hashes in `same_games.json` are of."""
LONGEST = 2500
"""Actions; the next seat that can resigns then."""
LAMPS = frozenset(f"round-{number}" for number in range(1, 46))
"""A round track shorter than some games."""
ANSWERING = 500_000
"""Microseconds between two actions, so that results are shown over several of them."""

Thing = TypeVar("Thing")
Tell = Callable[[object], None]

# By kind the games of it, and by option some of its values: a third of the games are played by the defaults.
STRATEGO = ("quick-duel", "classic", "barrage", "quick-barrage", "duel")
KINDS: Mapping[str, tuple[Sequence[str], Mapping[str, Sequence[object]]]] = {
    "stratego": (
        tuple(f"stratego-{name}" for name in STRATEGO),
        {
            "shuttle": (3, 5, "off"),
            "shuttle_attack": ("counts", "exempt"),
            "shuttle_scout": ("border", "same_endpoints"),
            "chase": ("board_repeat", "pair_repeat", "off"),
            "no_move": ("side_to_move_loses", "mutual_draw", "either_side"),
            "spy_vs_spy": ("tie", "attacker_wins"),
            "reveal_after_battle": ("hide_again", "stay_open"),
            "announce": ("ranks", "silent"),
            "quiet_limit": ("off", 60),
        },
    ),
    "fall-of-the-fuhrer": (
        ("fall-of-the-fuhrer",),
        {
            "players": (2, 3, 4),
            "first_round": ("allies_only", "hitler_too"),
            "start_cities": ("different", "any"),
            "allied_split": ("tank_spy", "tank_infantry", "spy_infantry"),
            "tank_roll": ("optional",),
            "liberation": ("automatic", "declared", "full-round"),
            "recapture": ("at_once", "round_end"),
            "trapped": ("flagged", "entered"),
            "flight": ("move", "turn", "free"),
            "one_flight_a_turn": (False, True),
            "flight_tells": ("ticket_only", "origin"),
            "spy_questions": ("one_by_one", "both_first"),
            "sheet": ("umpire", "umpire", "paper"),
        },
    ),
    "escape-from-colditz": (
        ("escape-from-colditz",),
        {
            "players": (2, 3, 4, 5, 6),
            "rounds": (40, 50),
            "start_kits": (True, False),
            "common_target": ("off", 2),
            "draw_on": ("any_throw", "first_throw", "final_total", "classic-3-7-11"),
            "safe_area": ("no_entry", "pass_through"),
            "search": ("circles", "guard_path"),
            "pawns_block": (False, True),
            "marker_passage": ("free", "pay"),
            "tunnel_arrest": ("any_circle", "entrance_only"),
            "doubling_back": ("allowed", "forbidden"),
            "do_or_die": ("off", "classic"),
        },
    ),
}


def fingerprint(kind: str, games: int) -> str:
    """The SHA-256 of the first so many games of a kind."""
    return fingerprints(kind, (games,))[games]


def fingerprints(kind: str, counts: Collection[int]) -> dict[int, str]:
    """By count the SHA-256 of the first so many games of a kind."""
    digest, found = hashlib.sha256(), {}

    def tell(what: object) -> None:
        digest.update(json.dumps(what, sort_keys=True).encode() + b"\n")

    for seed in range(max(counts)):
        play(kind, seed, tell)
        if seed + 1 in counts:
            found[seed + 1] = digest.hexdigest()
    return found


def play(kind: str, seed: int, tell: Tell) -> State:
    """Play one game and tell all of it; where it ended."""
    draws = random.Random(f"{kind} {seed}")
    ids, choices = KINDS[kind]
    options = {name: one_of(values, draws) for name, values in choices.items()} if seed % 3 else {}
    game = GameHistory(boardrules.new(ids[seed % len(ids)], options))
    told: list[tuple[str, str]] = []
    shows: list[policy.LightShow] = []
    talks = seed % 4 == 1
    show(game.state, shows, 0, draws, tell)
    while game.state.outcome is None:
        action = chosen(game.state, draws, talks=talks, tired=len(told) >= LONGEST)
        now = len(told) * ANSWERING
        events = game.push(action)
        told.append((action.seat, str(action)))
        tell([action.seat, str(action), action.secret])
        tell([[event.json(), sorted(event.audience or ()), event.audience is None] for event in events])
        ruling = Ruling(action, game.state, events, None, (), None)
        new = (policy.ruling_show(ruling, now), policy.answers_show(events, now))
        shows = [*(each for each in shows if now < each.until), *(each for each in new if each is not None)]
        show(game.state, shows, now, draws, tell)
    tell(game.state.truth())
    written = record_of(game.state, tuple(told), seed=seed, board="any", date="2026-01-31")
    tell(write(written))
    for notation in registry.notations():
        if written.game in notation.games:
            try:
                tell(notation.write(written).text)
            except NotationError as error:  # a game with something in it that this way can't say
                tell(str(error))
    return game.state


def chosen(state: State, draws: random.Random, *, talks: bool, tired: bool) -> Action:
    """What somebody does next: at random, eager to attack, sometimes the clock or a word about the game."""
    seat = one_of(state.seats_to_act(), draws)
    says = [each for who in state.seats for each in state.table_actions(who)]
    resigning = [each for each in says if each.seat == seat and str(each) == "resign"]
    if tired and resigning:
        return resigning[0]
    words = [each for each in says if str(each) not in ("resign", "agree-draw")]
    answers = [each for each in words if str(each).startswith(("agree-", "decline-"))]
    if talks and answers and draws.random() < 0.5:
        return one_of(answers, draws)
    if talks and words and draws.random() < 0.03:
        return one_of(words, draws)
    clock = list(state.legal_actions(CLOCK))
    if clock and draws.random() < 0.1:
        return one_of(clock, draws)
    if seat == CHANCE:
        return weighed(state.chance(), draws)
    legal = list(state.legal_actions(seat))
    if draws.random() < 0.4:
        carried = state.carry_actions(seat)
        attacks = [
            carried[step.origin][step.target]
            for step in state.steps()
            if step.attack and step.target in carried.get(step.origin, ())
        ]
        legal = attacks or legal
    return one_of(legal, draws)


def show(state: State, shows: Sequence[policy.LightShow], now: int, draws: random.Random, tell: Tell) -> None:
    """Tell what everybody sees of a state, and what its lamps show, with one of the pieces in a hand too."""
    for seat in (None, *state.seats):
        tell(disclosure.view_of(state, seat))
    tell({space: list(map(str, pieces)) for space, pieces in state.layout().items()})
    facts = view_marks.view_marks(state.game_id, disclosure.view_of(state, None), LAMPS)
    steps = state.steps()
    lifted = one_of(steps, draws).origin if steps else None
    hints = {step.target: step.attack for step in steps if step.origin == lifted}
    resting = BoardGuidance((), (), {}, None)
    held = resting if lifted is None else BoardGuidance((), (lifted,), hints, None)
    for guidance in (resting, held):
        tell(policy.frame_marks(guidance, state.seats_to_act(), policy.AwaitedAnswer(), shows, now, facts))


def one_of(things: Sequence[Thing], draws: random.Random) -> Thing:
    """One of them: by the draw alone, in whatever way a Python chooses."""
    return things[int(draws.random() * len(things))]


def weighed(odds: Sequence[tuple[Action, int]], draws: random.Random) -> Action:
    """What chance does."""
    left = draws.random() * sum(weight for _, weight in odds)
    for action, weight in odds:
        left -= weight
        if left < 0:
            return action
    return odds[-1][0]


def main(words: Sequence[str]) -> None:
    """Print the hashes, or write those that are expected."""
    if list(words) == ["--write"]:
        found = {kind: {str(n): each for n, each in fingerprints(kind, COUNTS).items()} for kind in KINDS}
        EXPECTED.write_text(json.dumps(found, indent=1) + "\n")
        return
    games = int(words[0]) if words else max(COUNTS)
    for kind in KINDS:
        print(fingerprint(kind, games), kind)


if __name__ == "__main__":
    main(sys.argv[1:])
