"""Every catalogue says what English says, keeps every parameter, and holds no English.

What is not translated yet is said in English; only a release wants everything (`catalogues --missing`)."""

from __future__ import annotations

import gettext
import re
import shutil
import string
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from boardrules import common_sentences, registry
from boardumpire.messages import announce, text_board
from boardumpire.messages.languages import (
    ENGLISH,
    LANGUAGES,
    catalogue,
    catalogues_by_game,
    known_language,
    preferred_language,
    translate_in_context,
)
from boardumpire.web.page_language import script_sentences
from languages import catalogues, glossary

OTHERS = [language for language in LANGUAGES if language != ENGLISH]

SAME = {
    "Hitler": "nl fr de es it pt da",
    "Tank": "nl",
    "Questions": "fr",
    "Hitler is in {at}.": "nl",
    "Tunnel open: {place}": "nl",
    "Marker ({seat}): {place}": "de",
    "Round {round}: {place}": "it",
    "Elbe": "nl fr de",
    "Oder": "nl fr de it da",
    "Main": "nl fr de da",
    "Weser": "fr de es it pt da",
    "Danube": "fr",
    "Talisman": "nl da",
    "Zoom": "nl fr es it",
    "Kit": "it pt",
    "Ticket": "nl de",
    "Tickets": "nl de",
    "Appel": "nl fr da",
    "magenta": "nl fr de es it pt da",
    "cyan": "fr",
    "Notes": "fr",
    "Sergeant": "nl",
    "Diversion": "fr",
    "Colonel": "fr",
    "Lieutenant": "fr",
    "General": "de es pt da",
    "Major": "de pt da",
    "No": "es it",
    "blink": "da",
    "{place} {number}": "nl fr de es it pt da ru",
    "{name} ({seat})": "nl fr de es it pt da ru",
    "{name}, {seat}": "nl fr de es it pt da ru",
}
"""What is the same as in English in these languages."""

ENGLISH_WORDS = re.compile(
    r"\b(the|this|these|there|which|where|piece|pieces|you|your|and|with|its|takes|goes|wins|both|board|"
    r"square|turn|moves|attack|attacks|played|player)\b",
    re.IGNORECASE,
)


def forms(string_: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (string_,) if isinstance(string_, str) else tuple(string_)


def parameters(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.fixture(scope="module")
def wanted() -> set[object]:
    return {(message.context, message.id) for message in catalogues.template() if message.id}


@pytest.fixture(params=OTHERS)
def language(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def messages(language: str) -> list[Message]:
    return list(catalogues.everything(language))


def test_nine_languages_are_spoken() -> None:
    assert set(LANGUAGES) == {"en", "nl", "fr", "de", "es", "it", "pt", "da", "ru"}
    assert len(set(LANGUAGES.values())) == 9


def test_no_message_is_doubtful_or_gone(language: str, wanted: set[object]) -> None:
    """An empty one neither, of a sentence that was changed again."""
    for part in catalogues.PARTS:
        catalog = catalogues.read(language, part)
        assert [each.id for each in catalog if each.id and (each.context, each.id) not in wanted] == []
        assert [each.id for each in catalog if each.id and each.fuzzy] == []
        assert not catalog.obsolete


LISTED = ("and one more", "and {n} more")


@pytest.fixture
def lacking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Catalogues of which German and Russian lack one message, and have two that are empty."""
    kept = catalogues.path_of
    for part, folder in catalogues.PARTS.items():
        shutil.copytree(folder, tmp_path / part, dirs_exist_ok=True)
    monkeypatch.setattr(
        catalogues,
        "path_of",
        lambda language, suffix="po", part=catalogues.BOARD: kept(language, suffix, part, tmp_path),
    )
    for language in ("de", "ru"):
        catalog = catalogues.read(language, catalogues.BOARD)
        catalog.delete("Your turn")
        catalog["Random"].string = ""
        catalog[LISTED].string = ("",) * catalog.num_plurals
        for suffix, content in (("po", catalogues.written(catalog)), ("mo", catalogues.compiled(catalog))):
            catalogues.path_of(language, suffix).write_bytes(content)


@pytest.mark.usefixtures("lacking")
def test_what_is_not_translated_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    told = catalogues.report()
    assert told >= 3
    *lines, counted = capsys.readouterr().out.splitlines()
    assert counted == f"{told} sentences are not translated"
    assert len(lines) == told
    listed = [re.fullmatch(r"([a-z ]+): (.*) \([^)]+\)", line) for line in lines]
    by_sentence = {each[2]: each[1].split() for each in listed if each}
    assert {"de", "ru"} <= {*by_sentence["Your turn"]} & {*by_sentence["Random"]} & {*by_sentence[LISTED[1]]}


@pytest.mark.usefixtures("lacking")
@pytest.mark.parametrize("language", ["de", "ru"])
def test_what_is_not_translated_is_said_in_english(language: str) -> None:
    with catalogues.path_of(language, "mo").open("rb") as file:
        words = gettext.GNUTranslations(file)
    assert words.gettext("Cancel") != "Cancel"
    assert [words.gettext(said) for said in ("Your turn", "Random")] == ["Your turn", "Random"]
    assert [words.ngettext(*LISTED, n) for n in (1, 2, 5)] == [LISTED[0], LISTED[1], LISTED[1]]


def test_no_parameter_is_lost_or_invented(messages: list[Message]) -> None:
    for message in messages:
        whole = parameters(forms(message.id)[-1])
        assert [form for form in forms(message.string) if parameters(form) != whole] == []


def test_there_is_a_form_for_each_plural_of_the_language(language: str, messages: list[Message]) -> None:
    (plurals,) = {catalogues.read(language, part).num_plurals for part in catalogues.PARTS}
    for message in messages:
        assert len(forms(message.string)) == (plurals if message.pluralizable else 1)


def test_nothing_is_left_in_english(language: str, messages: list[Message]) -> None:
    same = {str(message.id) for message in messages if set(forms(message.string)) & set(forms(message.id))}
    assert same == {text for text, where in SAME.items() if language in where.split()}
    found = {
        form: words.group()
        for message in messages
        for form in forms(message.string)
        if (words := ENGLISH_WORDS.search(re.sub(r"\{\w+\}", "", form)))
    }
    assert found == {}


def test_a_sentence_ends_as_in_english(messages: list[Message]) -> None:
    """A question stays one, what has no full stop in a list gets none."""
    for message in messages:
        for form in forms(message.string):
            assert form == form.strip()
            assert ("?" in form) == ("?" in forms(message.id)[-1])


@pytest.mark.few(2)
def test_what_is_read_is_what_people_edit(language: str) -> None:
    """Someone who edits a `.po` runs `make catalogues`; who adds a sentence in English need not."""
    for part in catalogues.PARTS:
        catalog = catalogues.read(language, part)
        with catalogues.path_of(language, "mo", part).open("rb") as file:
            committed = gettext.GNUTranslations(file)
        compiled = gettext.GNUTranslations(BytesIO(catalogues.compiled(catalog)))
        assert committed._catalog == compiled._catalog  # type: ignore[attr-defined]
        assert catalogues.path_of(language, part=part).read_bytes() == catalogues.written(catalog)


@pytest.mark.nightly
def test_make_catalogues_brings_all_up_to_date(tmp_path: Path) -> None:
    """As the Makefile runs it, into a folder of its own: what is translated stays, and all else is empty."""
    command = [sys.executable, "-m", "languages.catalogues", str(tmp_path)]
    tests = Path(__file__).resolve().parents[1]
    told = subprocess.run(command, cwd=tests, stdout=subprocess.PIPE, text=True, check=True)
    wanted = sum(1 for part in catalogues.PARTS for message in catalogues.template(part) if message.id)
    for language, line in zip(OTHERS, told.stdout.splitlines(), strict=True):
        made: list[Message] = []
        for part in catalogues.PARTS:
            catalog = read_po(BytesIO(catalogues.path_of(language, part=part, folder=tmp_path).read_bytes()))
            made += [message for message in catalog if message.id]
            kept = [message for message in catalogues.read(language, part) if message.id]
            assert all(each.string == catalog.get(each.id, each.context).string for each in kept)
        empty = sum(not all(forms(message.string)) for message in made)
        assert line == f"{language}: {wanted} messages, {empty} empty"


def test_every_message_can_be_said(language: str) -> None:
    for each in announce.all_sentences():
        params = dict.fromkeys(parameters(each.text), "2")
        said = announce.to_sentence(
            announce.Message(each.id, params, each.game), catalogues_by_game(language)
        )
        assert "{" not in said


KEPT = glossary.glossary()["kept"]
COLDITZ_ID = "escape-from-colditz"
COLDITZ = announce.sentences(COLDITZ_ID).texts
GAMES = dict.fromkeys(("event battle attacker", "event blocked", "won flag"), "stratego-quick-duel")
AGREES = re.compile(r"(?:^|[.:!?] )\{(?:seat|seats|winner)\} (?!\w+ \{to\})\w")
"""A name that a verb may have to agree with; beside another name stands at most what joins the two."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_verb_has_to_agree_with_the_name_of_a_nation(language: str) -> None:
    """Seats of Colditz are whole nations: one, several or of either kind, as the language has it."""
    shown = {
        said for path in catalogues.scripts(COLDITZ_ID) for said in script_sentences(path.read_text("utf-8"))
    }
    if language == ENGLISH:  # the log has names as labels: "American: end of turn", as of Red
        said = shown - {"{seats} to move", "{seat} played {card}."}
        assert [each for text in said for each in forms(text) if AGREES.search(each)] == []
        return
    asked = {text for name, text in text_board.TEXTS.items() if name.split()[0] in ("chore", "proposal")}
    wanted = {forms(text)[-1] for text in shown} | asked | set(COLDITZ.values())
    if language in KEPT:  # the Allies are many in Fall of the Führer, too
        wanted |= {*common_sentences.TEXTS.values(), *announce.sentences("fall-of-the-fuhrer").texts.values()}
    messages = [each for each in catalogues.everything(language) if forms(each.id)[-1] in wanted]
    every = [form for message in messages for form in forms(message.string)]
    assert len(every) > 300
    assert [form for form in every if AGREES.search(form)] == []


def test_names_are_whole_parameters_and_plurals_have_their_form() -> None:
    def said(language: str, name: str, **params: object) -> str:
        return announce.to_sentence(
            announce.Message(name, params, GAMES.get(name, COLDITZ_ID)), catalogues_by_game(language)
        )

    assert said("de", "event points", seat="dutch", points=1) == "Niederländer: 1 Bewegungspunkt."
    assert said("de", "event points", seat="dutch", points=5) == "Niederländer: 5 Bewegungspunkte."
    assert [said("ru", "event points", seat="dutch", points=n) for n in (1, 3, 11, 21)] == [
        "Голландцы: 1 очко движения.",
        "Голландцы: 3 очка движения.",
        "Голландцы: 11 очков движения.",
        "Голландцы: 21 очко движения.",
    ]
    battle = {"from": "a3", "to": "a4", "attacker": "10", "defender": "S"}
    assert said("nl", "event battle attacker", **battle) == (
        "a3 valt a4 aan: de Maarschalk (10) verslaat de Spionne en neemt het veld in."
    )
    blocked = {"seat": "red", "rules": "Q12 Q13"}
    assert said("en", "event blocked", **blocked).endswith("(two-square rule and chasing rule).")
    assert said("es", "event blocked", **(blocked | {"rules": "Q13"})).endswith("(regla de la persecución).")
    assert said("fr", "won flag", winner="red") == "Rouge a pris le Drapeau et gagne."
    assert said("it", "won common-target", winner="american+polish").startswith(
        "Vittoria comune: Americani + Polacchi."
    )
    assert said("es", "event offered", seat="dutch", to="polish", give=["rope", "key"], want=["key"]) == (
        "Neerlandeses a Polacos, una oferta: Cuerda, Llave por Llave."
    )


def test_one_word_of_english_is_two_where_the_box_of_each_game_has_its_own() -> None:
    box, map_ = catalogue("de", "stratego-classic"), catalogue("de", "fall-of-the-fuhrer")
    assert (translate_in_context(box, "stratego", "Spy"), translate_in_context(map_, "", "Spy")) == (
        "Spionin",
        "Spion",
    )


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("sv, fr-CH;q=0.5, ru;q=0.7", "ru"),
        ("nl;q=0, en", "en"),
        ("", "en"),
        ("*", "en"),
        ("de;q=x", "en"),
        (",;q=,,", "en"),
        ("DA", "da"),
    ],
)
def test_a_browser_gets_the_language_it_asks_for_first(accepted: str, language: str) -> None:
    assert preferred_language(accepted) == language


def test_an_unknown_language_is_english() -> None:
    assert [known_language(language) for language in ("ru", "xx", None, 3, "../de")] == [
        "ru",
        "en",
        "en",
        "en",
        "en",
    ]
    with pytest.raises(KeyError):
        catalogue("xx")


def test_no_sentence_is_glued_from_pieces() -> None:
    """What is translated is one literal at its call: nothing is put together before or after."""
    scripts = [path for folder in catalogues.PAGES for path in (catalogues.ROOT / folder).rglob("*.js")]
    for script in [*scripts, *(path for game in registry.games() for path in catalogues.scripts(game))]:
        text = script.read_text(encoding="utf-8")
        calls = re.findall(r"(?<!function )\b(?:_|counted)\(\s*(.)", text)
        assert set(calls) <= {'"'}, script.name
        assert not re.search(r'\b_\("[^"]*"\s*\+|\+\s*_\("', text), script.name
    for _, name, sentence, _ in announce.all_sentences():
        if name.split()[0] in ("event", "won", "draw", "fault", "question", "proposal", "note", "chore"):
            assert sentence[0].isupper() or sentence[0] == "{", name
            assert sentence[-1] in ".?!)}", name
