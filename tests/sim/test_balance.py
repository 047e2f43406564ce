"""Simple players of games with something to hide, and the table that weighs options by them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardlab import balance
from boardrules.core import CHANCE
from boardrules.fuhrer.facts import EMPTY_SHEET
from boardrules.fuhrer.maps import original_map_text
from boardrules.fuhrer.options import OPTION_VALUES
from boardrules.fuhrer.simple_players import choose, choose_or_roll, distances
from boardumpire import cli

GAME = "fall-of-the-fuhrer"


def options(rng: random.Random) -> dict[str, Any]:
    given: dict[str, Any] = {
        name: rng.choice(values) for name, values in OPTION_VALUES.items() if name != "sheet"
    }
    if given["liberation"] == "declared":
        given["tank_roll"] = "optional"
    return given


def test_every_player_is_handed_its_own_view_and_acts_by_the_rules() -> None:
    seen = Counter[str]()

    def watched(view: Any, legal: Any, draws: Any) -> Any:
        if view.seat != "hitler":
            assert view.sheet == EMPTY_SHEET
        action = choose_or_roll(view, legal, draws)
        assert action in legal
        assert view.to_act == (action.seat,)
        assert view.seat == (None if action.seat == CHANCE else action.seat)
        seen[action.seat] += 1
        return action

    for seed in range(20):
        rng = random.Random(seed)
        end = balance.play(boardrules.new(GAME, options(rng)), watched, rng)
        assert end.outcome is not None
    assert {"hitler", "allies", "tank", "spy", "infantry", CHANCE} <= set(seen)


def test_equal_views_and_draws_make_equal_choices() -> None:
    state = boardrules.new(GAME)
    rng = random.Random(5)
    for _ in range(80):
        seat = state.seats_to_act()[0]
        view = state.view(None if seat == CHANCE else seat)
        legal = state.legal_actions(seat)
        draws = rng.random()
        if seat != CHANCE:
            twice = {choose(view, legal, random.Random(draws)) for _ in range(2)}  # type: ignore[arg-type]
            assert len(twice) == 1
        state, _ = state.apply(choose_or_roll(view, legal, rng))  # type: ignore[arg-type]
        if state.outcome is not None:
            return


def test_distances_are_links() -> None:
    board = boardrules.new(GAME).facts.rules.board  # type: ignore[attr-defined]
    far = distances(board)
    at = board.index
    assert far[at["bonn"]][at["bonn"]] == 0
    assert far[at["bonn"]][at["koblenz"]] == 1
    assert far[at["kiel"]][at["flensburg"]] == far[at["flensburg"]][at["kiel"]] == 1


def test_a_tally_counts_and_is_the_same_for_the_same_seed() -> None:
    one = balance.tally(GAME, {}, 6, 3)
    assert one == balance.tally(GAME, {}, 6, 3)
    assert sum(one.winners.values()) == sum(one.reasons.values()) == 6
    assert 1 <= one.rounds <= 24


def test_the_interval_is_wilsons() -> None:
    half = balance.BalanceTally(100, {"allies": 50}, {}, 1.0)
    assert half.share("allies") == 0.5
    assert half.interval("allies") == pytest.approx((0.4038, 0.5962), abs=1e-4)
    none = balance.BalanceTally(10, {}, {}, 1.0)
    assert none.interval("allies") == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert balance.format_table_row("x", none).endswith("| no |")
    assert balance.format_table_row("x", half).endswith("| yes |")


def test_each_other_value_of_every_option_has_a_line() -> None:
    names = [name for name, _ in balance.option_variants(GAME, {}, each=True)]
    assert names[0] == "as asked"
    assert "trapped=entered" in names
    assert "one_flight_a_turn=true" in names
    assert "trapped=flagged" not in names
    assert not {"sheet=paper", "players=4"} & set(names)
    assert [name for name, _ in balance.option_variants(GAME, {}, each=False)] == ["as asked"]
    declared = [name for name, _ in balance.option_variants(GAME, {"liberation": "declared"}, each=True)]
    assert "tank_roll=always" not in declared


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.map"
    mine.write_text(original_map_text().replace("name Original", "name Mine"), encoding="utf-8")
    words = [
        "lab",
        "balance",
        GAME,
        "--games",
        "3",
        "--option",
        f"map=@{mine}",
        "--option",
        "recapture=round_end",
    ]
    assert cli.main(words) == 0
    table = capsys.readouterr().out.split("\n")
    assert table[0].startswith("| options | games |")
    assert table[2].startswith("| as asked | 3 |")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--option", "trapped=never"], "option trapped is 'never'; try one of flagged, entered"),
        (["--option", "trapped"], "--option 'trapped' has no value; try NAME=VALUE"),
        (["--option", "sheet=paper"], "option sheet changes nothing among simple players"),
        (["--games", "0"], "--games 0: too few; try 1 or more"),
        (["--option", "map=@/nowhere/at.map"], "--option map: /nowhere/at.map: No such file or directory"),
        (["--option", "map=@/"], "--option map: /: Is a directory; try the path of a file with the text"),
        (["--option", "map=@/dev/zero"], "--option map: /dev/zero: no regular file"),
        (["--option", f"map=@{__file__}"], "option map: LINE 1: "),
    ],
)
def test_wrong_words_are_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lab", "balance", GAME, *words]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


@pytest.mark.nightly
def test_the_map_is_fair(record_property: Callable[[str, object], None]) -> None:
    """Among equal simple players each side wins between 35 and 65 in 100 on the map that is shipped."""
    found = balance.tally(GAME, {}, 2000, 1)
    record_property("games", found.games)
    record_property("the Allies win", f"{found.share('allies'):.1%}")
    record_property("mean end in round", f"{found.rounds:.1f}")
    assert balance.FAIR_SHARE_RANGE[0] <= found.interval("allies")[0]
    assert found.interval("allies")[1] <= balance.FAIR_SHARE_RANGE[1]
