"""The sets of options by name: what each game plays as its rulebook says, and as it was tuned."""

from __future__ import annotations

from typing import Any

import pytest

import boardrules
from boardrules import registry
from boardrules.core import OptionError
from boardrules.rule_sets import BALANCED_SET, CUSTOM_SET, RULEBOOK_SET, merge_options, rule_set_in_force

DUEL, HUNT, CASTLE = "stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"
PRINTED: dict[str, dict[str, Any]] = {
    DUEL: {"shuttle_scout": "same_endpoints", "chase_undo_exception": False},
    HUNT: {"tank_roll": "always", "start_cities": "any"},
    CASTLE: {"rounds": 50, "answer_seconds": 0},
}
"""What the printed rules say where the tuned games differ."""


@pytest.mark.parametrize("game", PRINTED)
def test_the_rulebook_differs_from_balanced_in_what_is_printed_and_in_nothing_else(game: str) -> None:
    printed = boardrules.new(game, {"rules": "rulebook"}).options
    tuned = boardrules.new(game, {"rules": "balanced"}).options
    assert {name: printed[name] for name in printed if printed[name] != tuned[name]} == PRINTED[game]
    assert "rules" not in printed, "a journal and a record hold plain values"
    assert tuned == boardrules.new(game).options, "what a record leaves out is as it was before"


def test_what_is_given_by_its_name_counts_more_than_the_set() -> None:
    options = boardrules.new(CASTLE, {"rounds": 7, "players": 2, "rules": "rulebook"}).options
    assert (options["rounds"], options["players"], options["answer_seconds"]) == (7, 2, 0)


@pytest.mark.parametrize("wrong", ["printed", 1, None])
def test_an_unknown_set_is_refused_with_those_that_there_are(wrong: Any) -> None:
    with pytest.raises(OptionError, match=r"option rules is .*; try one of rulebook, balanced"):
        boardrules.new(HUNT, {"rules": wrong})


@pytest.mark.parametrize("game", registry.ids())
def test_a_set_is_told_from_the_options_in_force(game: str) -> None:
    package = registry.package(game)
    for players in package.player_counts:
        people = {"players": players} if package.player_counts[1:] else {}
        for name in (RULEBOOK_SET, BALANCED_SET):
            options = boardrules.new(game, {**people, "rules": name}).options
            assert rule_set_in_force(package, options) == (name if package.rulebook_options else RULEBOOK_SET)
    offer = next(offer for offer in package.option_offers() if offer.values)
    for value, _ in offer.values:
        options = boardrules.new(game, {"rules": "rulebook", offer.name: value}).options
        same = value == boardrules.new(game, {"rules": "rulebook"}).options[offer.name]
        assert (rule_set_in_force(package, options) == RULEBOOK_SET) == same
        assert same or rule_set_in_force(package, options) in (CUSTOM_SET, BALANCED_SET)


def test_another_set_takes_the_place_of_the_options_before_and_leaves_maps_and_seats() -> None:
    package = registry.package(HUNT)
    before = {"players": 3, "sheet": "paper", "tank_roll": "optional", "trapped": "entered"}
    assert merge_options(package, before, {"rules": "rulebook"}) == {
        "players": 3,
        "sheet": "paper",
        "rules": "rulebook",
    }
    assert merge_options(package, before, {"trapped": "flagged"}) == {**before, "trapped": "flagged"}


@pytest.mark.parametrize("game", PRINTED)
def test_every_option_in_which_the_sets_differ_can_be_chosen(game: str) -> None:
    offered = {offer.name for offer in registry.package(game).option_offers()}
    assert registry.package(game).rulebook_options.keys() <= offered
