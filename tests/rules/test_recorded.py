"""Recorded games of people, programs and contests replay move by move (V3, T6); move-tree counts hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from boardrules import record
from boardrules.core import BadText, State
from boardrules.stratego import neutral_notation
from boardrules.stratego.play import StrategoState
from rules.ids import rule

HUMAN = ("human_gravon_classic", "human_gravon_barrage", "human_gravon_duel")
FREE = {"shuttle": "off", "chase": "off"}
ENDS = {
    "flag captured": "flag",
    "Captured the flag": "flag",
    "unable to move": "no-move",
    "both unable to move": "no-move",
    "Destroyed all mobile enemy pieces": "no-move",
}
LOGGED = {"attacker": "win", "defender": "lose", "both": "tie"}


def games(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    with (folder / f"{name}.jsonl").open() as lines:
        for line in lines:
            yield json.loads(line)


def check_battles(game: dict[str, Any], steps: list[record.ReplayStep]) -> None:
    """Every logged outcome and rank is what the rules say."""
    for count, logged in enumerate(game.get("outcomes", ())):
        event = steps[count + 2].events[0].json()
        assert logged == (LOGGED[event["result"]] if event["kind"] == "battle" else "move")
        ranks = game["ranks"][count]
        if ranks is not None:
            assert [rank.replace("M", "10") for rank in ranks] == [event["attacker"], event["defender"]]


def check_end(game: dict[str, Any], state: State) -> None:
    """An end that the rules make is the stated one; other ends leave the game open."""
    reason = ENDS.get(game["result"]["reason"])
    if reason is None:
        assert state.outcome is None or game["result"]["winner"] is None
    else:
        assert state.outcome is not None
        assert state.outcome.reason == reason
        if game["result"]["winner"] is not None:
            assert state.outcome.winner == {"draw": None}.get(
                game["result"]["winner"], game["result"]["winner"]
            )


def check(game: dict[str, Any], options: dict[str, Any]) -> int:
    steps = list(record.replay(neutral_notation.record_from_neutral(game, options)))
    check_battles(game, steps)
    check_end(game, steps[-1].state)
    return len(steps) - 2


@rule("V3", "Q12", "Q13", "shuttle", "no_move", "E3")
@pytest.mark.parametrize("name", HUMAN)
def test_human_games_replay_under_the_defaults(
    games_dir: Path, name: str, record_property: Callable[[str, object], None]
) -> None:
    played = [check(game, {}) for game in games(games_dir, name)]
    record_property("games", len(played))
    record_property("moves", sum(played))


@rule("V3", "shuttle")
def test_three_human_classic_games_need_five(games_dir: Path) -> None:
    refused = 0
    for game in games(games_dir, "human_gravon_classic"):
        try:
            check(game, {"shuttle": 3})
        except record.RecordError as error:
            refused += "back-and-forth" in str(error)
    assert refused == 3


@rule("V3", "E3", "no_move")
def test_ends_that_only_either_side_tells(games_dir: Path) -> None:
    seen = set()
    for name in HUMAN[1:]:
        for game in games(games_dir, name):
            booklet = neutral_notation.record_from_neutral(game, {"no_move": "mutual_draw"})
            if ENDS.get(game["result"]["reason"]) and record.final_state(booklet).outcome is None:
                seen.add(game["id"])
    assert seen == {"barrage-2006.1-214", "duell-2014.4-1649", "duell-2014.9-1284"}


def check_chase(game: dict[str, Any]) -> int:
    """T6: nothing is refused before the last move, and that one by Q13 alone."""
    state = record.final_state(neutral_notation.record_from_neutral(game))
    seat = state.seats_to_act()[0]
    refusal = state.refusal(state.parse(game["last_refused"], seat))
    assert refusal is not None
    assert refusal.rule == "Q13"
    free = record.final_state(neutral_notation.record_from_neutral(game, {"chase": "off"}))
    assert free.refusal(free.parse(game["last_refused"], seat)) is None
    return len(game["moves"])


@pytest.mark.slow
@rule("T6", "Q13", "I15", "I16")
def test_t6_the_last_move_of_every_chase_game_is_refused_by_the_chase_rule_alone(
    games_dir: Path, record_property: Callable[[str, object], None]
) -> None:
    played = [check_chase(game) for game in games(games_dir, "ai_ataraxos_chase_barrage")]
    assert len(played) == 99
    record_property("moves", sum(played))


@rule("I16", "chase_undo_exception")
def test_without_the_undo_exception_most_chase_games_break_off_earlier(games_dir: Path) -> None:
    earlier = 0
    for game in games(games_dir, "ai_ataraxos_chase_barrage"):
        try:
            record.final_state(neutral_notation.record_from_neutral(game, {"chase_undo_exception": False}))
        except record.RecordError:
            earlier += 1
    assert earlier == 92


def check_contest(game: dict[str, Any]) -> int:
    played = check(game, FREE)
    if "last_refused" in game:
        state = record.final_state(neutral_notation.record_from_neutral(game, FREE))
        try:
            action = state.parse(game["last_refused"], state.seats_to_act()[0])
        except BadText:
            pass  # a square off the board
        else:
            assert state.refusal(action) is not None
    return played


@rule("V3", "Q16", "Q17", "Q18", "Q19", "Q21", "Q22", "Q25")
def test_a_sample_of_contest_games_replays_with_every_logged_outcome(games_dir: Path) -> None:
    sample = list(games(games_dir, "bots_ucc2012_classic"))[::16]
    assert sum(check_contest(game) for game in sample) > 3000


@pytest.mark.nightly
@rule("V3")
def test_all_contest_games_replay(games_dir: Path, record_property: Callable[[str, object], None]) -> None:
    """Every game of the 2012 contest replays: moves legal, logged outcomes and ends as the rules say."""
    played = [check_contest(game) for game in games(games_dir, "bots_ucc2012_classic")]
    record_property("games", len(played))
    record_property("moves", sum(played))
    assert len(played) == 192


def perft(state: StrategoState, depth: int) -> int:
    """How many lines of that many moves there are."""
    actions = state.legal_actions(state.seats_to_act()[0]) if state.outcome is None else ()
    if depth == 1:
        return len(actions)
    return sum(perft(after, depth - 1) for after in (state.apply(action)[0] for action in actions) if after)  # type: ignore[arg-type]


def counted(folder: Path, limit: int) -> Iterator[tuple[str, list[int], list[int]]]:
    """Position, our counts, theirs: those of at most `limit` lines."""
    known = {game["id"]: game for name in HUMAN for game in games(folder, name)}
    for entry in json.loads((folder / "perft.json").read_text())["positions"]:
        game = dict(known[entry["id"]])
        game["moves"] = game["moves"][: entry.get("after_moves", 0)]
        state = record.final_state(neutral_notation.record_from_neutral(game, FREE))
        assert isinstance(state, StrategoState)
        theirs = [count for count in entry["perft"] if count <= limit]
        yield entry["id"], [perft(state, depth + 1) for depth in range(len(theirs))], theirs


@rule("V1", "V2", "V3", "Q07", "Q23")
def test_move_trees_count_as_another_referee_counts_them(games_dir: Path) -> None:
    for name, ours, theirs in counted(games_dir, 16_000):
        assert ours == theirs, name


@pytest.mark.nightly
def test_move_trees_count_to_their_full_depth(
    games_dir: Path, record_property: Callable[[str, object], None]
) -> None:
    """The move trees of twelve positions have as many lines as another referee counts, to the last depth."""
    total = 0
    for name, ours, theirs in counted(games_dir, 10**9):
        assert ours == theirs, name
        total += sum(ours)
    record_property("lines", total)
