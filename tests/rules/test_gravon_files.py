"""Gravon's own files, XML and GSN: games come and go; what is hostile or broken is refused by its line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import boardrules
from boardrules.core import Seat
from boardrules.notations import ImportedGame, Notation, UnreadableGame
from boardrules.record import Record, StatedResult
from boardrules.stratego.gravon_files import GRAVON_GSN, GRAVON_XML
from boardrules.stratego.neutral_notation import NEUTRAL
from boardumpire import cli

FIELD = "MAAAAAAAAABAAAAAAAAACAAAAAAAAADDEKLAAAAAAA__AA__AAAA__AA__AAPPQWXAAAAAOAAAAAAAAANAAAAAAAAAYAAAAAAAAA"
XML = f"""<?xml version="1.0" encoding="UTF-8"?>
<stratego>
 <game type="barrage">
  <field content="{FIELD}"/>
  <move id="1" source="E4" target="E5"/>
  <move id="2" source="E7" target="E6"/>
  <move id="3" source="E5" target="E6"/>
  <player id="1">Anna &amp; co</player>
  <player id="2">Ben</player>
  <result type="3" winner="2"/>
 </game>
</stratego>
"""
GSN = f"""#X38FA11 Stratego-Notation v2
type1
{FIELD}
E4-E5
E7-E6
E5-E6
END
Anna & co vs Ben result 3 winner 1
"""
FIELD_LINE, MOVE_LINE, RESULT_LINE = (XML.splitlines(keepends=True)[line] for line in (3, 4, 9))
BOTH = pytest.mark.parametrize(("notation", "text"), [(GRAVON_XML, XML), (GRAVON_GSN, GSN)])


def read(notation: Notation, text: str) -> list[ImportedGame | UnreadableGame]:
    return list(notation.read(text, {}))


@BOTH
def test_a_game_comes_with_its_players_and_its_end(notation: Notation, text: str) -> None:
    (found,) = read(notation, text)
    assert isinstance(found, ImportedGame)
    game = found.record
    assert game.game == "stratego-barrage"
    assert game.players == {"red": "Anna & co", "blue": "Ben"}
    assert game.stated == StatedResult("blue", "forfeit")
    assert game.actions[2:] == (("red", "e4-e5"), ("blue", "e7-e6"), ("red", "e5-e6"))
    assert notation.write(game).text == text


@BOTH
def test_several_games_stand_one_after_the_other_and_a_bad_one_hides_none(
    notation: Notation, text: str
) -> None:
    bad = text.replace("E4", "J4")
    first, second, third = read(notation, text + bad + text)
    assert isinstance(first, ImportedGame)
    assert isinstance(third, ImportedGame)
    assert third.record == first.record
    assert isinstance(second, UnreadableGame)
    assert second.line == text.count("\n") + text[: text.index("E4")].count("\n") + 1
    assert "'J4'; try A1 to K10 without J" in second.message or "'J4-E5'" in second.message
    assert third.record.line_numbers["stated"] == 2 * text.count("\n") + first.record.line_numbers["stated"]


HOSTILE = [
    ('<!DOCTYPE stratego [<!ENTITY a "b">]>\n' + XML.partition("\n")[2], 1, "a document type"),
    (XML.replace("<stratego>", '<stratego><?php echo "x"?>'), 2, "a document type or an instruction"),
    (XML.replace("</game>", ""), 12, "not XML: mismatched tag"),
    (XML.replace("stratego>", "html>"), 2, "<html>; try <stratego>"),
    (XML.replace(FIELD, FIELD[1:]), 4, "a field of 99 letters"),
    (XML.replace(f'  <field content="{FIELD}"/>\n', ""), 4, "no field; try the set-ups before moves"),
    (XML.replace('winner="2"', 'winner="0"'), 10, "winner is '0'; try 1, 2, or 3 for a draw"),
    (XML.replace('type="3"', 'type="x"'), 10, "type of the result is 'x'"),
    (XML.replace("barrage", "moon"), 3, "type is 'moon'; try one of classic"),
    (XML.replace(FIELD_LINE, FIELD_LINE * 2), 5, "a second field; try one a game"),
    (XML.replace(RESULT_LINE, RESULT_LINE * 2), 11, "a result after the result"),
    (XML.replace(RESULT_LINE, RESULT_LINE + MOVE_LINE), 11, "a move after the result"),
    (XML.replace("barrage", "ultimate lightning"), 3, "type is 'ultimate lightning', whose pieces come back"),
    (XML.replace("E4", "E44"), 5, "square 'E44'"),
    ("<stratego>" + "<a>" * 100_000, 1, "more than 16 deep"),
    (GSN.replace("v2", "v9"), 1, "try version 1 or 2"),
    (GSN.replace("type1", "type7"), 2, "'type7'; try type0 to type4"),
    (GSN.replace("type1", "type3"), 2, "is ultimate lightning"),
    (GSN.partition("E4-E5")[0], 3, "the text ends here; try END"),
    (GSN.replace("E7-E6", "K7:9"), 5, "'K7:9'; try a move such as E4-E5, or END"),
    (GSN.replace("winner 1", "winner 7"), 8, "try RED vs BLUE result NUMBER winner 0 to 2"),
    (GSN + "more\n", 9, "'more' after the result"),
    (GSN.replace(f"{FIELD}\nE4-E5\nE7-E6\nE5-E6\n", ""), 3, "the game ended before both sides had set up"),
]


@pytest.mark.parametrize(("text", "line", "told"), HOSTILE)
def test_what_is_hostile_or_broken_is_refused_by_its_line(text: str, line: int, told: str) -> None:
    notation = GRAVON_GSN if text.startswith("#") else GRAVON_XML
    found = read(notation, text)[-1]
    assert isinstance(found, UnreadableGame), found
    assert told in found.message
    assert found.line == line


@BOTH
def test_the_command_converts_there_and_back_and_its_code_tells(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, notation: Notation, text: str
) -> None:
    path = tmp_path / "game"
    path.write_text(text)
    assert cli.main(["record", "convert", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "stated blue (forfeit), by the moves the game goes on: ends otherwise" in err
    path.write_text(out)
    assert cli.main(["record", "convert", str(path), "--to", notation.name]) == 0
    assert capsys.readouterr().out == text
    path.write_text(text.replace("E7", "E9") + text)
    assert cli.main(["record", "convert", str(path), "--skip"]) == 1
    out, err = capsys.readouterr()
    assert "BAD: action 4 of blue is not allowed" in err
    assert out.count("game stratego-barrage") == 1


@pytest.mark.parametrize("game", ["stratego-classic", "stratego-barrage", "stratego-duel"])
@pytest.mark.parametrize("notation", [GRAVON_XML, GRAVON_GSN])
def test_random_games_go_and_come(notation: Notation, game: str) -> None:
    rng, state, actions = random.Random(game), boardrules.new(game), []
    for _ in range(60):
        if state.outcome is not None:
            break
        seat = state.seats_to_act()[0]
        action = rng.choice(list(state.legal_actions(seat)))
        actions.append((Seat(seat), str(action)))
        state, _ = state.apply(action)
    record = Record(game, {}, tuple(actions), stated=StatedResult("draw", "tie agreed"))
    written = notation.write(record)
    assert written.omissions == ()
    (found,) = read(notation, written.text)
    assert isinstance(found, ImportedGame)
    assert found.record.actions == record.actions
    assert found.record.stated == record.stated


def test_what_was_passed_over_is_told_and_the_code_tells(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game"
    path.write_text(XML.replace("  <player", "  <chat>hello</chat>\n  <player", 1))
    assert cli.main(["record", "convert", str(path)]) == 1
    out, err = capsys.readouterr()
    assert "ends otherwise; not read: line 8: <chat>" in err
    assert "game stratego-barrage" in out


def test_a_game_without_an_end_is_not_written() -> None:
    (found,) = read(GRAVON_XML, XML)
    assert isinstance(found, ImportedGame)
    with pytest.raises(ValueError, match="a game without an end"):
        GRAVON_GSN.write(found.record._replace(stated=None))


@pytest.mark.parametrize("name", ["classic", "barrage", "duel"])
def test_recorded_games_go_there_and_back(games_dir: Path, name: str) -> None:
    for line in (games_dir / f"human_gravon_{name}.jsonl").read_text().splitlines():
        (known,) = NEUTRAL.read(line, {})
        assert isinstance(known, ImportedGame), json.loads(line)["id"]
        for notation in (GRAVON_XML, GRAVON_GSN):
            (found,) = read(notation, notation.write(known.record).text)
            assert isinstance(found, ImportedGame)
            assert found.record.actions == known.record.actions
            assert found.record.stated == known.record.stated
