"""The players' guides, one a language, say what the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardumpire.messages.languages import LANGUAGES
from boardumpire.web.board_description import lamp_legend
from boardware.description import load_board
from languages import guides

PLAYERS = Path(__file__).resolve().parents[2] / "docs" / "play"
README = PLAYERS.parents[1] / "README.md"


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def guide(language: str, game: str = "stratego") -> str:
    return (PLAYERS / language / f"{game}.md").read_text(encoding="utf-8")


def told_in_its_table(language: str, game: str) -> None:
    """What lamps look like and what they mean: `make catalogues` writes it there."""
    row = re.compile(r"^\| (\w[^|]*), ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
    written, program = row.findall(guide(language, game)), row.findall(guides.lamps(language, game))
    for mine, said in zip(zip(*written, strict=True), zip(*program, strict=True), strict=True):
        assert guides.agree(language, list(mine), list(said)), "make catalogues"


def test_the_guide_to_fall_of_the_fuhrer_has_words_and_lamps_of_the_program(language: str) -> None:
    text, english = guide(language, "fall-of-the-fuhrer"), guide("en", "fall-of-the-fuhrer")
    told_in_its_table(language, "fall-of-the-fuhrer")
    written = set(re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", text))
    labels, left = set(guides.hunt_labels(language)), guides.untranslated(language)
    assert len(written) == len(labels)
    assert [label for label in labels - written if not left.fullmatch(label)] == []
    for part in (r"^(#+) ", r"`[^`\n]+`", r"\]\((\.\.[^)]+)\)"):
        mine, other = (sorted(re.findall(part, one, re.MULTILINE)) for one in (text, english))
        assert mine == other
    assert max(map(len, text.splitlines())) < 150
    assert f"[{LANGUAGES[language]}]({language}/fall-of-the-fuhrer.md)" in (PLAYERS / "index.md").read_text(
        encoding="utf-8"
    )


def test_the_guide_to_escape_from_colditz_has_words_signs_and_lamps_of_the_program(language: str) -> None:
    text, english = guide(language, "escape-from-colditz"), guide("en", "escape-from-colditz")
    told_in_its_table(language, "escape-from-colditz")
    if not any(map(guides.untranslated(language).fullmatch, (*guides.CASTLE_MAP, *guides.CASTLE_ROOMS))):
        assert f"{guides.castle_map(language)}\n{guides.castle_rooms(language)}\n" in text
    written = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", text)
    assert guides.agree(language, written, list(guides.castle_labels(language)))
    for part in (r"^(#+) ", r"`[^`\n]+`", r"\]\((\.\.[^)]+)\)"):
        mine, other = (sorted(re.findall(part, one, re.MULTILINE)) for one in (text, english))
        assert mine == other
    assert max(map(len, text.splitlines())) < 150
    linked = f"[{LANGUAGES[language]}]({language}/escape-from-colditz.md)"
    assert linked in (PLAYERS / "index.md").read_text(encoding="utf-8")


def test_pieces_and_lamps_are_those_of_the_program(language: str) -> None:
    assert guides.pieces(language) in guide(language)
    told_in_its_table(language, "stratego")


def test_what_is_on_buttons_is_written_as_it_is_there(language: str) -> None:
    written = re.findall(r"\*([^*\n]+)\*", guide(language))
    assert guides.agree(language, written, list(guides.labels(language)))


def test_every_guide_has_the_same_parts_and_pictures(language: str) -> None:
    text, english = guide(language), guide("en")
    for part in (r"^#+ ", r"^- ", r"!\[[^\]]+\]\(([a-z-]+\.png)\)", r"\]\((\.\.[^)]+)\)"):
        mine, other = (re.findall(part, one, re.MULTILINE) for one in (text, english))
        assert mine == other
    assert max(map(len, text.splitlines())) < 150


def test_every_guide_is_linked_from_the_readme_and_from_the_index(language: str) -> None:
    assert f"[{LANGUAGES[language]}](docs/play/{language}/stratego.md)" in README.read_text(encoding="utf-8")
    assert f"[{LANGUAGES[language]}]({language}/stratego.md)" in (PLAYERS / "index.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("board", "game"),
    [
        ("quick-battle-8x8", guides.LAMPS),
        ("fall-of-the-fuhrer", guides.HUNT_LAMPS),
        ("escape-from-colditz", guides.CASTLE_LAMPS),
    ],
)
def test_a_screen_explains_the_lamps_of_its_game_and_of_no_other(board: str, game: tuple[str, ...]) -> None:
    told = {entry["mark"] for entry in lamp_legend(load_board(board).games)}
    others = {*guides.LAMPS, *guides.HUNT_LAMPS, *guides.CASTLE_LAMPS} - set(game)
    assert set(game) <= told
    ends = {"attacker-stands", "defender-stands", "both-fall"}  # of any game
    assert told & others <= {"may-go", "may-attack", "lifted", "put", "take", "refused", "asks"} | ends


def test_a_guide_may_differ_in_what_is_not_translated_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    left = {"de": guides.pattern(["Sit down as {seat}"]), "fr": guides.pattern([])}
    monkeypatch.setattr(guides, "untranslated", left.__getitem__)
    program = ["Sit down as Rot", "Zufällig"]
    assert guides.agree("de", ["Hinsetzen: Rot", "Zufällig"], program)
    assert not guides.agree("de", ["Hinsetzen: Rot", "Irgendwie"], program)
    assert not guides.agree("de", ["Hinsetzen: Rot"], program)
    assert not guides.agree("fr", ["Hinsetzen: Rot", "Zufällig"], program)


def test_a_language_without_guides_is_named_and_the_others_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`make catalogues` is the first command for a new language, long before its guides."""
    guide, table = tmp_path / "docs" / "play" / "de" / "stratego.md", guides.lamps("de", "stratego")
    guide.parent.mkdir(parents=True)
    guide.write_text(f"{table.splitlines()[0]}\n| old |\n")
    guides.main(tmp_path / "docs")
    assert guide.read_text() == f"{table}\n"
    assert "docs/play/da/stratego.md: not there yet\n" in capsys.readouterr().out
