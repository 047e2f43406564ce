"""Who sits where is said in sentences about seats, in every language; a restart and a replay know it."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardsim.bench.bench import Bench, BenchSettings
from boardumpire.commands import check_config
from boardumpire.commands.table_factory import TableFactory
from boardumpire.errors import BoardumpireError, ConfigError, public_error_text
from boardumpire.history import replays
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_or_make_key
from boardumpire.messages import announce, players
from boardumpire.messages.announce import Message
from boardumpire.messages.languages import LANGUAGES
from boardumpire.service import config
from boardumpire.service.next_game import apply_game_changes
from boardumpire.table.opening import NewGameSettings
from boardware.description import load_board
from rules.test_board_and_setup import BLUE, RED
from table.twins import Witness, begun, setups, shared_play

DUEL = "stratego-quick-duel"
ANNA, BEN = "Anna", 'B<i>"n'
PEOPLE = {"red": ANNA, "blue": BEN}


@pytest.mark.parametrize(
    ("given", "called"),
    [
        ("  Anna \t Maria ", "Anna Maria"),
        ("", ""),
        (" \n ", ""),
        ("x" * 24, "x" * 24),
        ("Zoe\u0308", "Zoë"),
        ("小明", "小明"),
        ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"),
        ("<script>alert(1)</script>"[:24], "<script>alert(1)</script"),
        ("{seat} %s", "{seat} %s"),
        ("דנה", "\u2068דנה\u2069"),
        ("\u2068דנה\u2069", "\u2068דנה\u2069"),
        ("می\u200cخواهم", "\u2068می\u200cخواهم\u2069"),
    ],
)
def test_a_name_in_any_script_is_taken(given: str, called: str) -> None:
    assert players.clean_name(given) == called
    assert players.clean_name(called) == called


@pytest.mark.parametrize(
    "given",
    [
        "x" * 25,
        "a\x00b",
        "a\x1b[2Jb",
        "a\u202eb",
        "a\u200eb",
        "\ud800",
        "\u200d",
        "\u0301",
        "a\ufeff",
        "\ue000",
        "\u3164",
        "a\u2800b",
        "\uffa0\u115f",
    ],
)
def test_what_can_not_be_seen_or_is_too_long_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="a name has"):
        players.clean_name(given)
    with pytest.raises(BoardumpireError) as refused:
        players.clean_names({"red": given}, ("red", "blue"), DUEL)
    told = public_error_text(refused.value)
    assert told == "Name of Red: use at most 24 characters, and only ones that can be seen."
    assert announce.translate(told, "de").startswith("Name von Rot: ")


@pytest.mark.parametrize("given", ["Blue", "Blue (Red)", "BLUE!", "Blau", "Ｂlue", "синие [x]", "blue"])
def test_nobody_is_called_as_another_seat(given: str) -> None:
    """At the seat Red he was read as "Blue (Red)"."""
    with pytest.raises(BoardumpireError) as refused:
        players.clean_names({"red": given}, ("red", "blue"), DUEL)
    told = public_error_text(refused.value)
    assert told == "Name of Red: another seat is called that."
    assert announce.translate(told, "de") == "Name von Rot: So heißt ein anderer Platz."
    assert players.clean_names({"blue": "Blue"}, ("red", "blue"), DUEL) == {"blue": "Blue"}
    assert players.clean_names({"red": "Anna Blue"}, ("red", "blue"), DUEL) == {"red": "Anna Blue"}


def test_a_name_for_no_seat_and_one_that_is_no_text_are_refused() -> None:
    with pytest.raises(BoardumpireError, match="found 'green'; try one of red, blue"):
        players.clean_names({"green": "Anna"}, ("red", "blue"), DUEL)
    with pytest.raises(BoardumpireError, match="Name of Red"):
        players.clean_names({"red": 3}, ("red", "blue"), DUEL)


def test_a_seat_is_called_by_its_player_and_its_own_word_in_each_language() -> None:
    won = announce.to_sentence(Message("won flag", {"winner": "red"}, DUEL))
    said = announce.with_space_names(won, {}, DUEL, PEOPLE)
    assert "Anna (Red)" in said
    assert {
        language: str(announce.translate(said, language)).count("Anna (") for language in LANGUAGES
    } == dict.fromkeys(LANGUAGES, 1)
    assert "Anna (Rot)" in announce.translate(said, "de")
    assert announce.with_space_names(said, {}, DUEL, PEOPLE) == said, "twice is as once"
    assert announce.with_space_names(won, {}, DUEL, {}) == won


def test_several_seats_are_named_one_by_one() -> None:
    params = {"seat": "red+blue"}
    told = announce.with_space_names(
        announce.sentence_by_id("answer throw", **params), {}, DUEL, {"red": ANNA}
    )
    assert "Anna (Red) + Blue" in told
    assert "Anna (Rot) + Blau" in announce.translate(told, "de")
    told = announce.with_space_names(
        announce.sentence_by_id("answer throw", seat=["red", "blue"]), {}, DUEL, {"blue": BEN}
    )
    assert f"Red, {BEN} (Blue)" in told


def test_a_name_that_looks_like_a_sentence_stays_a_name() -> None:
    """Braces in it stand for nothing, and the name of another seat is no trick."""
    people = {"red": "{to} Blue", "blue": "Red"}
    told = announce.with_space_names(
        announce.to_sentence(Message("won flag", {"winner": "red"}, DUEL)), {}, DUEL, people
    )
    assert "{to} Blue (Red)" in told
    lost = announce.with_space_names(
        announce.to_sentence(Message("won flag", {"winner": "blue"}, DUEL)), {}, DUEL, people
    )
    assert "Red (Blue)" in lost


def opened(path: Path | None, told: list[Any], people: Any = PEOPLE) -> Bench:
    setting = BenchSettings(journal=path, table={"players": people})
    bench = Bench(setting, TableFactory(), told=told.append)
    bench.start()
    return bench


def texts(told: list[Any]) -> list[str]:
    return [line for message in told if message.kind == "ruling" for line in message.data.get("text", [])]


def test_what_is_told_names_the_players_also_after_a_power_cut_and_in_a_replay(tmp_path: Path) -> None:
    path, told = tmp_path / "journal.sqlite", []  # type: ignore[var-annotated]
    bench = opened(path, told)
    bench.set_up("red", RED)
    bench.kill()
    bench.start()
    bench.set_up("blue", BLUE)
    bench.say("red", "resign")
    bench.wait(2_000_000)
    assert bench.table.players == PEOPLE  # type: ignore[union-attr]
    bench.close()
    said = texts(told)
    assert said[0] == "Anna (Red) has finished setting up."
    assert f"{BEN} (Blue) has finished setting up." in said
    assert any(line.startswith("Anna (Red)") and "resign" in line for line in said)
    assert [line for line in said if "Red" in line.replace("Anna (Red)", "")] == [
        "Both armies are set up. Red goes first."
    ], "where the rules speak of the army, not of who acts"
    with contextlib.closing(Store.open(path, load_or_make_key(tmp_path / "key" / "board.key"))) as store:
        assert replays.player_names(store, 1) == PEOPLE
        assert replays.replay_steps(store, 1, 0, 1)["players"] == PEOPLE


def test_a_game_without_names_has_no_entry_of_them(tmp_path: Path) -> None:
    """So that journals from before, and games of nobody in particular, are as they were."""
    for number, people in enumerate(({}, {"green": "Anna"}, {"red": "  "})):
        folder = tmp_path / str(number)
        folder.mkdir()
        opened(folder / "journal.sqlite", [], people).close()
        with contextlib.closing(
            Store.open(folder / "journal.sqlite", load_or_make_key(folder / "key" / "board.key"))
        ) as store:
            assert list(store.entries(1)) == []
            assert replays.player_names(store, 1) == {}


def test_a_name_that_none_can_have_begins_no_game(tmp_path: Path) -> None:
    with pytest.raises(BoardumpireError, match="Name of Red"):
        opened(tmp_path / "journal.sqlite", [], {"red": "a\x00b"})
    with contextlib.closing(
        Store.open(tmp_path / "journal.sqlite", load_or_make_key(tmp_path / "key" / "board.key"))
    ) as store:
        assert store.games() == []


def test_the_next_game_keeps_the_names_unless_others_are_wanted() -> None:
    board = load_board("quick-battle-8x8")
    before = NewGameSettings(DUEL, {}, players=PEOPLE)
    assert apply_game_changes(before, {}, board).players == PEOPLE
    assert apply_game_changes(before, {"players": {"red": " Eva "}}, board).players == {"red": "Eva"}
    assert apply_game_changes(before, {"players": {}}, board).players == {}
    with pytest.raises(BoardumpireError, match="expected players as an object"):
        apply_game_changes(before, {"players": "Eva"}, board)
    with pytest.raises(BoardumpireError, match="Name of Blue"):
        apply_game_changes(before, {"players": {"blue": "x" * 25}}, board)


def test_names_change_no_size_between_twins() -> None:
    """Two games that differ in hidden ranks alone, with the longest names there are."""
    long = {"red": "👩" * 24, "blue": "\u2068" + "ד" * 24 + "\u2069"}
    first, second = setups(5)
    moves = shared_play(begun(first), begun(second), 5, 12)
    seen = []
    for setup in (first, second):
        game = Witness(setup, 5, table={"players": long})
        for _, origin, target in moves:
            game.carry(origin, target)
        seen.append((game.public, game.private))
        game.bench.close()
    assert seen[0] == seen[1]
    plain = Witness(first, 5)
    for _, origin, target in moves:
        plain.carry(origin, target)
    plain.bench.close()
    sizes = [[size for _, _, size in private] for private in (seen[0][1], plain.private)]
    assert sizes[0] == sizes[1], "a private message is as long as without names"
    assert json.dumps("👩" * 24)[1:-1] in " ".join(seen[0][0])


def test_every_sentence_about_a_seat_of_any_game_takes_a_name() -> None:
    tried = 0
    for known in announce.all_sentences():
        said = announce.sentences(known.game)
        seats = boardrules.new(known.game).seats if known.game else ("red", "blue")
        if known.id in (*said.literal_ids, "player", "player in brackets") or "{seat}" not in known.text:
            continue
        counts = {said.singulars[known.id][0]: 3} if known.id in said.singulars else {}
        given = {"seat": seats[0], "n": 3, **counts}
        told = announce.to_sentence(Message(known.id, given, known.game))
        named = announce.with_space_names(told, {}, known.game or DUEL, {seats[0]: ANNA})
        assert ("(Anna, " if "({seat})" in known.text else "Anna (") in named, known
        for language in LANGUAGES:
            assert not re.search(r"\([^()]*\(", str(announce.translate(named, language))), (known, language)
        tried += 1
    assert tried > 20


def test_a_configuration_whose_names_none_can_have_is_refused_with_its_place(tmp_path: Path) -> None:
    text = '[board]\nname = "quick-battle-8x8"\n[game.players]\nred = "Anna"\ngreen = "Ben"\n'
    path = tmp_path / "boardumpire.toml"
    path.write_text(f'format = "{config.FORMAT}"\nversion = {config.VERSION}\n{text}')
    with pytest.raises(ConfigError, match=r"players.*found 'green'; try one of red, blue"):
        check_config.load_checked_board(config.load(path, {}))
    path.write_text(path.read_text().replace("green", "blue"))
    assert config.load(path, {}).game.players == {"red": "Anna", "blue": "Ben"}
