"""The dialog for a new game offers what the rules take, and what is in force stands there."""

from __future__ import annotations

import itertools
import json
import re
from functools import partial
from typing import Any

import pytest

import boardrules
from boardrules import registry
from boardrules.colditz.state.options import DEFAULT_ROUNDS, read_options
from boardrules.core import OptionError
from boardrules.package import OptionOffer
from boardumpire.errors import BoardumpireError, public_error_text
from boardumpire.messages import announce
from boardumpire.messages.languages import LANGUAGES, catalogue, catalogues_by_game
from boardumpire.service.next_game import apply_game_changes, options_in_force
from boardumpire.table.opening import NewGameSettings
from boardumpire.web.option_fields import offered_option_fields
from boardware.description import load_board
from web.served import Served
from web.wire import ask, sit_down

GAME = "escape-from-colditz"
DUEL = "stratego-quick-duel"


BOARDS = {
    **dict.fromkeys(("stratego-quick-duel", "stratego-quick-barrage"), "quick-battle-8x8"),
    **dict.fromkeys(("stratego-classic", "stratego-barrage", "stratego-duel"), "classic-10x10"),
    **dict.fromkeys(("fall-of-the-fuhrer", GAME)),
}
OF_SEATS_AND_BOARDS = {"players", "nations", "allied_split", "board", "cards", "map", "setup_mask"}
OFFERS = {game: package.option_offers() for game, package in boardrules.games().items()}
ONES = pytest.mark.parametrize(
    "game", ["stratego-classic", "fall-of-the-fuhrer", GAME]
)  # all that are called stratego offer the same


def choices(offer: OptionOffer) -> list[Any]:
    return [each for each, _ in offer.values] or list(offer.number_range)


def test_every_game_offers_something_and_nothing_that_changes_seats_or_boards() -> None:
    assert set(OFFERS) == set(BOARDS)
    for offers in OFFERS.values():
        names = [offer.name for offer in offers]
        assert 6 <= len(names) == len(set(names))
        assert not OF_SEATS_AND_BOARDS & set(names)


@pytest.mark.parametrize("game", OFFERS)
def test_all_that_is_offered_is_taken_by_the_rules_and_holds_in_the_new_game(game: str) -> None:
    board = load_board(BOARDS[game] or game)
    for offer in OFFERS[game]:
        for value in choices(offer):
            wanted = apply_game_changes(NewGameSettings(game, {}), {"options": {offer.name: value}}, board)
            options = boardrules.new(wanted.game, wanted.options).options
            assert (type(options[offer.name]), options[offer.name]) == (type(value), value)


@ONES
def test_the_defaults_are_offered(game: str) -> None:
    for field, offer in zip(
        offered_option_fields({game: options_in_force(NewGameSettings(game, {}), game)}, "en")[game],
        OFFERS[game],
        strict=True,
    ):
        assert (
            field["value"] in choices(offer)
            or offer.number_range[0] <= field["value"] <= offer.number_range[1]
        )
        assert len(field.get("values", ())) == len(offer.values)


@ONES
def test_what_does_not_go_together_is_told_in_a_sentence(game: str) -> None:
    """Of all pairs that the dialog lets one choose the rules refuse these, and say so in every language."""
    board, refused = load_board(BOARDS[game] or game), []
    read = read_options if game == GAME else partial(boardrules.new, game)  # a castle takes long to set up
    for one, other in itertools.combinations(OFFERS[game], 2):
        for pair in itertools.product(choices(one), choices(other)):
            options = dict(zip((one.name, other.name), pair, strict=True))
            try:
                read(options)
            except OptionError:
                refused.append(options)
    for options in refused:
        with pytest.raises(BoardumpireError) as caught:
            apply_game_changes(NewGameSettings(game, {}), {"options": options}, board)
        told = [announce.translate(public_error_text(caught.value), language) for language in LANGUAGES]
        assert len(set(told)) == len(LANGUAGES)
        assert not any(name in text for name in options for text in told)
    pairs = {"fall-of-the-fuhrer": [{"tank_roll": "always", "liberation": "declared"}]}
    assert refused == pairs.get(game, [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_in_force_is_among_it(language: str) -> None:
    wanted = NewGameSettings(GAME, {"players": 4, "rounds": 60, "common_target": 9})
    fields = offered_option_fields({GAME: options_in_force(wanted, GAME)}, language)[GAME]
    json.dumps(fields)
    assert len({field["label"] for field in fields}) == len(fields) == 6
    for field in fields:
        if "values" in field:
            assert field["value"] in [value for value, _ in field["values"]]
            assert all("{" not in text for _, text in field["values"])
        else:
            assert field["low"] <= field["value"] <= field["high"]


@pytest.mark.parametrize("game", OFFERS)
def test_what_is_offered_is_told_apart_in_every_language(game: str) -> None:
    for language in LANGUAGES:
        fields = offered_option_fields({game: options_in_force(NewGameSettings(game, {}), game)}, language)[
            game
        ]
        assert len({field["label"] for field in fields}) == len(fields)
        for field in fields:
            texts = [text for _, text in field.get("values", ())]
            assert len(set(texts)) == len(texts)


def test_what_only_the_configuration_has_stands_there_as_the_others_do() -> None:
    wanted = NewGameSettings(GAME, {"common_target": 9, "draw_on": "first_throw"})
    fields = {
        field["name"]: field
        for field in offered_option_fields({GAME: options_in_force(wanted, GAME)}, "en")[GAME]
    }
    assert fields["common_target"]["value"] == 9
    assert fields["common_target"]["values"][-1] == [9, "men of all nations together: 9"]
    assert fields["draw_on"]["value"] == "first_throw"


def test_what_is_chosen_holds_and_players_stay() -> None:
    before = NewGameSettings(GAME, {"players": 4})
    after = apply_game_changes(before, {"options": {"rounds": 30, "do_or_die": "classic"}}, load_board(GAME))
    assert options_in_force(after, GAME)["rounds"] == 30
    assert options_in_force(after, GAME)["do_or_die"] == "classic"
    assert options_in_force(after, GAME)["players"] == 4


def test_the_dialog_speaks_the_language_of_its_screen_whatever_the_table_speaks(served: Served) -> None:
    cookie = sit_down(served.origin, served.links["red"]) + "; boardumpire-language-table=de"
    asks = {"Cookie": cookie, "Accept_Language": "ru"}
    following = json.loads(ask(served.origin, "/table.json", **asks).body)["next"]
    fields = following["offers"][DUEL]
    assert following["titles"] == {game: registry.package(game).title for game in following["games"]}
    assert following["titles"][DUEL] == "Stratego Quick Battle: Duel"
    wanted = NewGameSettings(DUEL, {"rules": "rulebook"})
    assert fields == offered_option_fields({DUEL: options_in_force(wanted, DUEL)}, "ru")[DUEL]
    order = json.dumps({"do": "new", "pin": served.pin}).encode()
    answer = ask(served.origin, "/table/do", "POST", order, Origin=served.origin, **asks)
    assert (answer.status, answer.text.strip()) == (
        409,
        announce.translate(announce.sentence_by_id("answer not-over"), "ru"),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_rounds_that_go_by_the_players_are_told(language: str) -> None:
    """What is said of them in every language is what is played."""
    (rounds,) = [offer for offer in OFFERS[GAME] if offer.name == "rounds"]
    said = catalogue(language, GAME).gettext(rounds.help)
    assert [int(number) for number in re.findall(r"\d+", said)] == [*DEFAULT_ROUNDS.values()]
    assert rounds.depends_on_players
    assert not [
        offer for game in OFFERS for offer in OFFERS[game] if offer.depends_on_players and offer != rounds
    ]
    for players, number in DEFAULT_ROUNDS.items():
        assert options_in_force(NewGameSettings(GAME, {"players": players}), GAME)["rounds"] == number


@pytest.mark.parametrize("game", OFFERS)
def test_every_option_is_explained_and_every_number_of_players_is_true(game: str) -> None:
    """The start page says of a game what it is about, what options change, how many may sit down."""
    package = registry.package(game)
    about = package.about()
    assert about is not None
    assert all(announce.to_sentence(about, catalogues_by_game(language)) != "about" for language in LANGUAGES)
    assert all(offer.help.endswith((".", "?")) for offer in OFFERS[game])
    for players in range(1, 9):
        if players in package.player_counts:
            assert len(boardrules.new(game, {"players": players}).seats) == players
        else:
            with pytest.raises(OptionError):
                boardrules.new(game, {"players": players})
