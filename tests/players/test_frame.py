"""Players are told what their seat may know, spend what they are given, and sit in a process of their own."""

from __future__ import annotations

import base64
import os
import pickle
import random
import subprocess
import sys
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules import baseline_players
from boardrules.baseline_players import PlayerWithLevel
from boardrules.core import Action, Seat
from boardrules.players import Chance, Player, PlayerLevel, SearchBudget
from boardumpire.commands.bot import Bot, start_budget
from boardumpire.commands.referee import observation
from library import guide
from players import twins

HANGS_S = 300
"""Whatever runs for longer will never end."""
MEMORY_MB = 60
"""What a process that plays may have in memory."""
COMMAND = Path(sys.executable).with_name("boardumpire")
DUEL = "stratego-quick-duel"
MOVES = 30
"""For how many moves two games are led along each other, of up to three people; of more it takes longer."""
ALL_KNOWING = "hitler"
"""Nothing is hidden from this seat, so no games differ for it."""


def everybody(*, usual: bool) -> list[tuple[str, str, str, int]]:
    """Every player of every game, at every seat that it has with as many people as usual, or else at those
    that it has only with the most, each with how many that are. First come the first players of all games."""
    found = []
    for game in boardrules.games().values():
        seats, most = game.new({}).seats, max(game.player_counts)
        if not usual:
            more = game.new({"players": most}).seats if len(game.player_counts) > 1 else ()
            seats = tuple(seat for seat in more if seat not in seats)
        found += [
            (number, (game.id, seat, name, 0 if usual else most))
            for seat in seats
            for number, name in enumerate(baseline_players.player_names(game))
        ]
    return [each for _, each in sorted(found)]


SEATS = sum(len(game.new({}).seats) for game in boardrules.games().values())


@pytest.mark.few(SEATS)
@pytest.mark.parametrize(
    ("game", "seat", "name", "people"), [*everybody(usual=True), *everybody(usual=False)]
)
def test_nobody_cheats(game: str, seat: str, name: str, people: int) -> None:
    """Every player of every game chooses alike in games that its seat cannot tell apart: from the start, and
    where they begin to differ later, when more has been told."""
    options = {"players": people} if people else {}
    most = MOVES * max(1, people // 2)
    played = [
        twins.choices(game, seat, name, seed, most, alike, **options) for seed, alike in enumerate((0, 40))
    ]
    assert sum(chosen for chosen, _ in played) >= len(played)
    assert any(differed for _, differed in played) or seat == ALL_KNOWING


class Peeps(Player):
    """Looks at the game itself, where whoever asks it keeps it."""

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        truth = str(sys._getframe(1).f_locals["state"].truth())
        return legal[zlib.crc32(truth.encode()) % len(legal)]


@pytest.mark.parametrize(
    ("game", "seat"), [(DUEL, "blue"), ("fall-of-the-fuhrer", "allies"), ("escape-from-colditz", "british")]
)
def test_a_new_player_is_looked_at_without_being_listed_and_caught_if_it_cheats(
    game: str, seat: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = boardrules.package(game)
    own, seats = package.players(), package.new({}).seats
    assert own is not None
    assert {(game, each, level.name, 0) for each in seats for level in own.levels} <= set(
        everybody(usual=True)
    )
    peeps = PlayerLevel("9", 0)
    more = own._replace(
        levels=(*own.levels, peeps),
        make_player=lambda seat, level: Peeps() if level is peeps else own.make_player(seat, level),
    )
    monkeypatch.setattr(type(package), "players", lambda self: more)
    assert {(game, each, "9", 0) for each in seats} <= set(everybody(usual=True))
    with pytest.raises(AssertionError, match="tells apart what it may not know"):
        sum(twins.choices(game, seat, "9", seed, MOVES)[0] for seed in range(8))


class GivesUp(Player):
    """Has no hope, whatever it sees."""

    def choose(self, view: Any, legal: Sequence[Action], chance: Chance, meter: SearchBudget) -> Action:
        return legal[0]

    def is_hopeless(self) -> bool:
        return True


@pytest.mark.parametrize("resigns", [False, True])
def test_a_bot_resigns_only_where_it_may(resigns: bool) -> None:
    state = twins.led(DUEL, "red", 1, 4, {}).__next__()[0]
    while state.seats_to_act() != ("red",) or "resign" not in map(str, state.table_actions("red")):
        state, _ = state.apply(random.Random(2).choice(list(state.legal_actions(state.seats_to_act()[0]))))
    bot = Bot(
        DUEL, Seat("red"), PlayerWithLevel(GivesUp(), PlayerLevel("", 0)), random.Random(1), start_budget,
        resigns=resigns,
    )  # fmt: skip
    requests = bot.request_loop()
    assert next(requests) == {"do": "events"}
    assert requests.send({"ok": True, "to_act": ["red"], "events": [{"kind": "changed"}]}) == {"do": "sight"}
    sight = observation.encode(observation.observe(state, Seat("red")))
    asked = requests.send({"ok": True, "sight": sight})
    assert asked == {"do": "act", "action": "resign" if resigns else str(state.legal_actions("red")[0])}


def test_the_games_compared_are_not_the_same() -> None:
    differed = [twins.choices("stratego-quick-duel", "blue", "random", seed, 30)[1] for seed in range(4)]
    assert sum(differed) > 10


def test_a_budget_is_counted() -> None:
    meter = SearchBudget(3)
    assert [meter.try_spend() for _ in range(4)] == [True, True, True, False]
    assert meter.spent_count == 3
    late = SearchBudget(3, lambda: True)
    assert not late.try_spend()
    assert late.spent_count == 0


@pytest.mark.parametrize("game", boardrules.ids())
def test_a_sight_reads_back(game: str) -> None:
    state, draws = boardrules.new(game), random.Random(1)
    for _ in range(40):
        state, _ = state.apply(draws.choice(list(state.legal_actions(state.seats_to_act()[0]))))
        if state.outcome is not None:
            return
        for seat in state.seats:
            told = observation.observe(state, seat)
            assert observation.decode(observation.encode(told)) == told


class _Runs:
    def __reduce__(self):  # type: ignore[no-untyped-def]
        return os.system, ("true",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no sight",
        base64.b64encode(b"not packed").decode(),
        base64.b64encode(zlib.compress(pickle.dumps(_Runs()))).decode(),
        base64.b64encode(zlib.compress(pickle.dumps((1, 2)))).decode(),
        base64.b64encode(zlib.compress(b"cboardrules.registry\nlogging\n.")).decode(),
    ],
)
def test_a_text_that_is_no_sight_makes_nothing(text: str) -> None:
    with pytest.raises(observation.BadObservation):
        observation.decode(text)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stratego-quick-duel", "fall-of-the-fuhrer"])
def test_two_processes_play_a_game_at_a_hosts_table(game: str, tmp_path: Path) -> None:
    at = tmp_path / "table"
    host = subprocess.Popen(
        [COMMAND, "referee", "--host", at, "--game", game, "--seed", "5", "--option", "quiet_limit=20"]
        if game.startswith("stratego")
        else [COMMAND, "referee", "--host", at, "--game", game, "--seed", "5"]
    )
    bots: list[subprocess.Popen[bytes]] = []
    try:
        while not at.exists() and host.poll() is None:
            time.sleep(0.02)
        bots = [
            subprocess.Popen(
                [COMMAND, "bot", game, "--seat", seat, "--level", "random", "--seed", "1", "--at", at]
            )
            for seat in boardrules.new(game).seats
        ]
        assert [bot.wait(HANGS_S) for bot in bots] == [0, 0]
        assert host.wait(HANGS_S) == 0  # it ends once the game is over
    finally:
        for process in (*bots, host):
            process.kill()
            process.wait()


def test_the_player_on_the_page_plays() -> None:
    assert guide.main(Path(__file__).parents[2] / "docs" / "understand" / "opponents.md") == 0


TABLE = """
import random, sys
import boardrules
from boardrules import baseline_players
from boardrules.core import CHANCE
from boardrules.players import SearchBudget
package, draws = boardrules.package(sys.argv[1]), random.Random(1)
state, level = package.new({}), package.players().levels[-1]
players = {seat: baseline_players.player_for(package, seat, level.name).player for seat in state.seats}
for _ in range(200):
    if state.outcome is not None:
        break
    seat = state.seats_to_act()[0]
    legal = tuple(state.legal_actions(seat))
    if seat == CHANCE:
        action = draws.choice(legal)
    else:
        action = players[seat].choose(state.view(seat), legal, draws, SearchBudget(level.playouts))
    state, _ = state.apply(action)
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM:")).split()[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("game", ["fall-of-the-fuhrer", "escape-from-colditz"])
def test_a_whole_table_of_players_takes_little_memory(game: str) -> None:
    """The strongest players of all seats and the umpire's rules in one process take less than one may."""
    told = subprocess.run(
        [sys.executable, "-c", TABLE, game], capture_output=True, text=True, check=True, timeout=HANGS_S
    )
    assert int(told.stdout) / 1024 < MEMORY_MB


def test_who_is_not_there_is_named() -> None:
    told = subprocess.run(
        [COMMAND, "bot", "stratego-duel", "--seat", "red", "--level", "grandmaster"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 2
    assert "try one of 1, 2" in told.stderr
    for level in ("random", "1"):
        told = subprocess.run(
            [COMMAND, "bot", "stratego-duel", "--seat", "green", "--level", level],
            capture_output=True,
            text=True,
            check=False,
        )
        assert told.returncode == 2
        assert told.stderr.endswith("has no seat 'green'; try one of red, blue\n")
