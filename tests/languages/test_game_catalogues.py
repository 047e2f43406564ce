"""A game's package brings catalogues of its own; what stands in none of them is the board's."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from boardrules import registry
from boardumpire.lamps.legend import SHARED_MARKS
from boardumpire.messages import announce, languages
from boardumpire.messages.announce import Message
from boardumpire.web import board_description, page_language
from boardumpire.web.teaching.texts import help_chapters

MODULE = """
from rules.toy import Toy
from boardrules.marks import Mark
from boardrules.package import Sentences
from boardrules.teaching import HelpChapter, HelpEntry


class Brought(Toy):
    id = "brought"

    def sentences(self):
        return Sentences({"event walk": "{seat} walks.", "seat north": "North", "event rest": "The board"})

    def marks(self):
        return {"near": Mark("magenta", "blink", "nearly there")}

    def help(self):
        return (HelpChapter("Walking", (HelpEntry(("T1",), "One step a turn."),)),)


GAME = Brought()
"""
WORDS = {
    "de": {
        "{seat} walks.": "{seat} geht.",
        "North": "Norden",
        "nearly there": "fast da",
        "Walking": "Gehen",
        "One step a turn.": "Ein Schritt je Zug.",
        "A toy's way": "Der Weg eines Spielzeugs",
        "Cancel": "Etwas ganz anderes",
    },
    "fr": {"{seat} walks.": "{seat} marche.", "North": "Nord"},
}
NORTH = Message("event walk", {"seat": "north"}, "brought")


def compiled(words: dict[str, str]) -> bytes:
    catalog, file = Catalog(), BytesIO()
    for message, string in words.items():
        catalog.add(message, string)
    write_mo(file, catalog)
    return file.getvalue()


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A game that this process knows, with catalogues of two languages and one that is none."""
    package = tmp_path / "spoken_game"
    package.mkdir()
    (package / "__init__.py").write_text(MODULE)
    for language, content in (*((each, compiled(words)) for each, words in WORDS.items()), ("es", b"no")):
        folder = package / "locale" / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "game.mo").write_bytes(content)
    monkeypatch.syspath_prepend(tmp_path)
    registry.register(importlib.import_module("spoken_game").GAME)
    yield
    registry._registered_games.pop("brought")
    registry.package.cache_clear()
    announce.sentences.cache_clear()
    sys.modules.pop("spoken_game")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "North walks."),
        ("de", "Norden geht."),
        ("fr", "Nord marche."),
        ("es", "North walks."),
        ("ru", "North walks."),
    ],
)
def test_its_sentences_are_said_in_the_languages_it_brings_and_else_in_english(
    brought: None, language: str, said: str
) -> None:
    assert announce.translate(announce.to_sentence(NORTH), language) == said
    assert page_language.seat_label("north", language, "brought") == said.split()[0]


def test_what_the_board_says_in_its_game_is_in_the_boards_catalogue(brought: None) -> None:
    assert announce.translate(announce.to_sentence(Message("event rest", {}, "brought")), "de") == "Das Brett"
    assert languages.catalogue("de", "brought").gettext("Cancel") == "Etwas ganz anderes"
    assert languages.catalogue("de").gettext("Cancel") == "Abbrechen"
    assert languages.catalogue("de", "stratego-classic").gettext("{seat} walks.") == "{seat} walks."


def test_its_lights_help_and_scripts_speak_its_languages(brought: None) -> None:
    told = board_description.lamp_legend(["brought"])
    shown = page_language.translate_printed_board({"legend": told, "spaces": []}, "de", "stratego-classic")[
        "legend"
    ]
    means = {entry["mark"]: entry["means"] for entry in shown}
    assert means["near"] == "fast da", "also while another game of this board is played"
    for name in (name for name, mark in SHARED_MARKS.items() if mark.means):
        assert means[name] == languages.catalogue("de").gettext(SHARED_MARKS[name].means)
    assert all("game" not in entry for entry in shown)
    assert help_chapters("brought", {}, "de")["chapters"][0]["title"] == "Gehen"
    words = page_language.script_words("de", ['_("Cancel")'], ['_("A toy\'s way") + _("Cancel")'], "brought")
    assert (words["A toy's way"], words["North"]) == ("Der Weg eines Spielzeugs", "Norden")
    assert words["Cancel"] == "Abbrechen", "on a button of the page"
