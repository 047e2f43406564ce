"""The dialog for a new game offers what the rules take, and what is in force stands there."""

from __future__ import annotations

import json

import pytest

import boardrules
from boardumpire.languages import LANGUAGES
from boardumpire.opening import Wanted
from boardumpire.wanted import changed, inforce
from boardumpire.web.offers import OFFERS, offered
from boardware.description import load_board

GAME = "escape-from-colditz"


@pytest.mark.parametrize("game", OFFERS)
def test_all_that_is_offered_is_taken_by_the_rules(game: str) -> None:
    for offer in OFFERS[game]:
        for value in [each for each, _ in offer.values] or offer.numbers:
            assert boardrules.new(game, {offer.name: value}).options[offer.name] == value


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_in_force_is_among_it(language: str) -> None:
    wanted = Wanted(GAME, {"players": 4, "rounds": 60, "common_target": 9})
    fields = offered({GAME: inforce(wanted, GAME)}, language)[GAME]
    json.dumps(fields)
    assert len({field["label"] for field in fields}) == len(fields) == 6
    for field in fields:
        if "values" in field:
            assert field["value"] in [value for value, _ in field["values"]]
            assert all("{" not in text for _, text in field["values"])
        else:
            assert field["low"] <= field["value"] <= field["high"]
    assert offered({"stratego-quick-duel": {}}, language) == {"stratego-quick-duel": []}


def test_what_is_chosen_holds_and_players_stay() -> None:
    before = Wanted(GAME, {"players": 4})
    after = changed(before, {"options": {"rounds": 30, "do_or_die": "classic"}}, load_board(GAME))
    assert inforce(after, GAME)["rounds"] == 30
    assert inforce(after, GAME)["do_or_die"] == "classic"
    assert inforce(after, GAME)["players"] == 4
