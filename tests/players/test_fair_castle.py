"""Whether an evening at the castle is even: strong players at every seat, by how many play."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

import boardrules
from boardlab.match import rating
from boardrules import baseline_players
from boardrules.colditz.bots.levels import LEVELS
from boardrules.colditz.castle.actions import SECURITY
from boardrules.colditz.deck.cards import card_set_by_key
from boardrules.players import SearchBudget
from boardumpire.commands.referee import observation
from boardumpire.commands.referee.referee_table import GameWithChance
from players.kept import ROOT, kept
from players.test_strength import COLDITZ

GAMES = 300
FAIR = (0.4, 0.6)
PLAYERS = boardrules.package(COLDITZ).player_counts
BEST = LEVELS[-1].name


class Evening(NamedTuple):
    """What came of a game."""

    officers: bool
    """Whether an officer won."""
    rounds: int
    """How many were played."""
    escapes: int
    arrests: int
    played: dict[str, int]
    """By card how often it was played."""


def evening(players: int, number: int) -> Evening:
    """The game of that number, by the rules as they come."""
    seed = random.Random(f"{players} {number}").getrandbits(60)
    table, _ = GameWithChance.begin_game(COLDITZ, {"players": players}, seed)
    package, told = boardrules.package(COLDITZ), Counter[str]()
    chairs = {
        seat: (baseline_players.player_for(package, seat, BEST), random.Random(f"{seed} {seat}"))
        for seat in table.state.seats
    }
    first, played = _round(table), Counter[str]()
    while table.state.outcome is None:
        seat = table.state.seats_to_act()[0]
        (player, level), chance = chairs[seat]
        seen = observation.observe(table.state, seat)
        chosen = player.choose(seen.view, seen.legal_actions, chance, SearchBudget(level.playouts, None))
        refused = table.state.refusal(chosen) is not None
        for event in table.act(seat, str(seen.legal_actions[0] if refused else chosen)):
            told[event.kind] += 1
            data = dict(event.data)
            played.update(
                [data["card"]] if event.kind == "play" else data["cards"] if event.kind == "kit" else ()
            )
    rounds = first - _round(table) + 1
    winner = table.state.outcome.winner
    return Evening(winner != SECURITY, rounds, told["escape"], told["arrest"], dict(played))


def _round(table: GameWithChance) -> int:
    facts: Any = table.state.view(None)
    return int(facts.facts.table.round)


def made_of(players: int) -> str:
    """A hash of what these games hang on. What the options come to stands for the modules that read and offer
    them: the rounds for other numbers of players change nothing here."""
    folder, found = ROOT / "controller/rules/boardrules", hashlib.sha256()
    options = boardrules.new(COLDITZ, {"players": players}).options
    found.update(json.dumps(dict(options), sort_keys=True).encode())
    for path in sorted((*(folder / "colditz").rglob("*"), folder / "players.py")):
        if path.suffix in (".py", ".toml") and path.name not in ("options.py", "offers.py"):
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


def evenings(players: int) -> list[Evening]:
    """What all games of so many players come to."""
    name = f"fair-castle-{players}-{made_of(players)}"
    return [*kept(name, range(GAMES), partial(evening, players), Evening)]


@pytest.mark.few(1)
@pytest.mark.parametrize("players", PLAYERS)
def test_an_evening_ends_and_repeats(players: int) -> None:
    """Some games of what the proof below plays hundreds of."""
    found = evening(players, 0)
    assert found == evening(players, 0)
    assert 0 < found.rounds <= boardrules.new(COLDITZ, {"players": players}).options["rounds"]
    assert found.officers <= (found.escapes >= 2)
    assert found.arrests
    assert set(found.played) <= {card.id for card in card_set_by_key("castle").cards}


@pytest.mark.nightly
@pytest.mark.parametrize("players", PLAYERS)
def test_officers_and_guards_win_about_as_often(
    players: int, record_property: Callable[[str, object], None]
) -> None:
    """Of 300 games among the strongest players, with the rounds that come with so many seats, Escape Officers
    win between 40 and 60 in 100, for each number of players."""
    found = evenings(players)
    won = sum(game.officers for game in found)
    low, high = rating.wilson(won, len(found))
    played = Counter[str]()
    for game in found:
        played.update(game.played)
    never = [card.id for card in card_set_by_key("castle").cards if not played[card.id]]
    for name, figure in {
        "games": len(found),
        "officers win": f"{won / len(found):.1%} ({low:.1%} to {high:.1%})",
        "rounds at most": boardrules.new(COLDITZ, {"players": players}).options["rounds"],
        "rounds played": f"{sum(game.rounds for game in found) / len(found):.1f}",
        "escapes a game": f"{sum(game.escapes for game in found) / len(found):.2f}",
        "arrests a game": f"{sum(game.arrests for game in found) / len(found):.1f}",
        "cards never played": ", ".join(never) or "none",
    }.items():
        record_property(f"{players} players: {name}", figure)
    assert FAIR[0] <= won / len(found) <= FAIR[1]
