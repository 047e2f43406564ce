"""The configuration is read once; what is wrong with it is said with file, line, section and key."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules import registry
from boardrules.fuhrer.board_file import board_file_text
from boardrules.fuhrer.maps import map_by_text
from boardrules.package import ConfigFile
from boardumpire.commands import check_config
from boardumpire.errors import ConfigError
from boardumpire.service import config
from boardumpire.service.config import BoardSection, Config
from boardware.description import board_path
from rules.toy import Toy

EXAMPLE = Path(__file__).parents[2] / "systemd" / "boardumpire.toml"
HEAD = 'format = "boardumpire-config"\nversion = 1\n'


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "boardumpire.toml"
    path.write_text(text)
    return path


def keys_of(section: Any) -> dict[str, Any]:
    """The keys that a section has, as TOML would nest them."""
    values = {part.name: getattr(section, part.name) for part in fields(section) if part.compare}
    return {name: keys_of(value) if is_dataclass(value) else {} for name, value in values.items()}


def keys_in(table: dict[str, Any]) -> dict[str, Any]:
    return {name: keys_in(value) if isinstance(value, dict) else {} for name, value in table.items()}


def test_the_example_names_every_key_with_its_default_but_for_the_board_that_nobody_has_chosen() -> None:
    assert config.read_file(EXAMPLE) == replace(Config(), board=BoardSection(""))
    named = keys_in(tomllib.loads(EXAMPLE.read_text()))
    assert named == {"format": {}, "version": {}} | keys_of(Config())


def test_what_a_file_says_replaces_the_defaults_and_nothing_else(tmp_path: Path) -> None:
    text = (
        '[tracker]\nsettle_ms = 500\n[game.options]\nannounce = "silent"\n[sensors]\npin_factory = "lgpio"\n'
    )
    found = config.read_file(written(tmp_path, HEAD + text))
    assert found.tracker.settle_ms == 500
    assert found.tracker.touch_ms == Config().tracker.touch_ms
    assert found.game.options == {"announce": "silent"}
    assert found.game.id == Config().game.id
    assert found.sensors == {"pin_factory": "lgpio"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("127.0.0.1:8080", ("127.0.0.1", 8080)),
        ("[::]:080", ("::", 80)),
        ("127.0.0.1:65536", None),
        ("127.0.0.1:" + 5000 * "9", None),
        ("127.0.0.1:\u0668\u0660", None),
        ("127.0.0.1:-1", None),
        (":8080", None),
        ("localhost:8080", ("127.0.0.1", 8080)),
        ("127.1:8080", None),
        ("board.local:8080", None),
        ("a\0b:80", None),
        ("[fe80::1%eth0]:8080", None),
    ],
)
def test_where_a_page_listens_is_an_address_and_a_port(text: str, found: tuple[str, int] | None) -> None:
    assert config.parse_listen_address(text) == found


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (
            "[tracker]\nsettle_ms = 'soon'",
            4,
            "[tracker] settle_ms: found 'soon'; try 50 to 5000 milliseconds",
        ),
        (
            "[tracker]\n\n# why\nsettle_ms = 7",
            6,
            "[tracker] settle_ms: found 7; try 50 to 5000 milliseconds",
        ),
        (
            "[tracker]\nsettle_ms = true",
            4,
            "[tracker] settle_ms: found True; try 50 to 5000 milliseconds",
        ),
        (
            "[tracker]\nsettle_ms = 350.0",
            4,
            "[tracker] settle_ms: found 350.0; try 50 to 5000 milliseconds",
        ),
        (
            "[tracker]\nsettel_ms = 7",
            4,
            "[tracker] settel_ms: unknown key; try one of settle_ms, lifted_ms, slide_ms,",
        ),
        ("[trakcer]\nsettle_ms = 7", 3, "trakcer: unknown section; try one of board, drivers, sensors,"),
        ("tracker = 3", 3, "tracker: found 3; try a section"),
        ("[drivers]\nlamps = ' '", 4, "[drivers] lamps: found ' '; try the name of a driver of lamps"),
        ("[game]\noptions = 'all'", 4, "[game] options: found 'all'; try a table"),
        ("[journal]\npath = ''", 4, "[journal] path: found '.'; try the path of a file"),
        ("[journal]\nkey = []", 4, "[journal] key: found []; try the path of a file"),
        (
            '[journal]\nkey = "a\\u0000b"',
            4,
            "[journal] key: found 'a\\x00b'; try the path of a file",
        ),
        (
            f"[game.options]\nquiet_limit = 0x{'f' * 5000}",
            4,
            "[game.options] quiet_limit: found a value too long to show; try a whole number of at most",
        ),
        (
            f"[tracker]\nsettle_ms = 1{'0' * 30}",
            4,
            f"[tracker] settle_ms: found 1{'0' * 30}; try a whole number of at most 64 bits",
        ),
    ],
)
def test_a_wrong_key_is_named_with_its_line_and_what_was_expected(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    path = written(tmp_path, HEAD + text)
    with pytest.raises(ConfigError, match=re.escape(f"{path}:{line}: {said}")):
        config.read_file(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "format: found nothing; try 'boardumpire-config'"),
        ('format = "cookbook"\nversion = 1', "format: found 'cookbook'"),
        ('format = "boardumpire-config"', "version: found nothing; try 1"),
        ('format = "boardumpire-config"\nversion = "1"', "version: found '1'; try 1"),
        ('format = "boardumpire-config"\nversion = 0', "version: found 0; try 1"),
        ('format = "boardumpire-config"\nversion = 2', "boardumpire-config version 2 is newer"),
        ("[tracker\n", "not TOML"),
        (HEAD + "version = 1\n", "not TOML"),
        (HEAD + "[sensors]\na = " + "[" * 5000 + "]" * 5000, "not TOML: nested too deeply"),
        (HEAD + "[tracker]\nsettle_ms = " + "9" * 5000, "can't read: Exceeds the limit"),
    ],
)
def test_a_file_of_another_kind_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError, match=re.escape(str(path)) + ".*" + re.escape(said)):
        config.read_file(path)


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="can't read: No such file or directory; try --config FILE"):
        config.load(tmp_path / "none.toml", {})
    path = tmp_path / "latin.toml"
    path.write_bytes(HEAD.encode() + b'[board]\nname = "K\xf6nig"\n')
    with pytest.raises(ConfigError, match="not UTF-8"):
        config.read_file(path)


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    assert config.read_file(written(tmp_path, "\ufeff" + HEAD)) == Config()


def test_relative_paths_lie_where_systemd_says(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + '[journal]\npath = "games/one.sqlite"\nkey = "/safe/board.key"\n')
    found = config.load(path, {"STATE_DIRECTORY": "/state:/more", "RUNTIME_DIRECTORY": "/runtime"})
    assert found.journal.path == Path("/state/games/one.sqlite")
    assert found.journal.key == Path("/safe/board.key")
    assert found.control.socket == Path("/runtime/control.sock")
    plain = config.load(path, {})
    assert plain.journal.path == Path("/var/lib/boardumpire/games/one.sqlite")
    assert plain.control.socket == Path("/run/boardumpire/control.sock")


MAP = """boardumpire-map 1
name Small
city bonn 7.10 50.73 Bonn
city ulm 9.99 48.40 Ulm
city kiel 10.12 54.32 Kiel
city trier 6.64 49.76 Trier
airport bonn ulm
link bonn ulm kiel trier
"""
HUNT = HEAD + '[board]\nname = "{board}"\n[game]\nid = "fall-of-the-fuhrer"\nmap = "mine.map"\n'


def test_a_map_of_ones_own_is_read_beside_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "mine.map").write_text(MAP, encoding="utf-8")
    board = tmp_path / "mine.toml"
    board.write_text(board_file_text(map_by_text(MAP), "mine"), encoding="utf-8")
    found = config.load(written(tmp_path, HUNT.format(board=board)), {})
    assert found.game.options["map"] == MAP
    assert check_config.load_checked_board(found).id == "mine"
    state = boardrules.new(found.game.id, found.game.options)
    assert state.unchecked_spaces() == {"bonn", "ulm", "kiel", "trier"}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            'id = "fall-of-the-fuhrer"\nmpa = "mine.map"\n',
            "[game] mpa: unknown key for fall-of-the-fuhrer;"
            " try one of id, dice, options, machines, players, machines_resign, map",
        ),
        (
            'id = "escape-from-colditz"\nmap = "mine.map"\n',
            "[game] map: unknown key for escape-from-colditz;"
            " try one of id, dice, options, machines, players, machines_resign, castle, cards",
        ),
        ('map = ""\n', "[game] map: unknown key for stratego-quick-duel; try one of id, dice, options,"),
        ('id = "nobodys"\nmap = "x"\n', "[game] id: unknown game 'nobodys'; try one of"),
        (
            'id = "fall-of-the-fuhrer"\nmap = 3\n',
            "[game] map: found 3; try the path of a map, or nothing",
        ),
        (
            'id = "fall-of-the-fuhrer"\nfiles = {}\n',
            "[game] files: unknown key for fall-of-the-fuhrer; try one of id,",
        ),
    ],
)
def test_a_key_that_the_game_does_not_declare_is_refused(tmp_path: Path, lines: str, said: str) -> None:
    path = written(tmp_path, HEAD + "[game]\n" + lines)
    line = 4 if said.startswith("[game] id") or "id =" not in lines else 5
    with pytest.raises(ConfigError, match=re.escape(f"{path}:{line}: {said}")):
        config.load(path, {})


def test_a_game_says_how_its_files_are_read(tmp_path: Path) -> None:
    """A file of pictures may be no text."""

    class Pictured(Toy):
        id = "pictured"

        def config_files(self) -> tuple[ConfigFile, ...]:
            return (ConfigFile("faces", "players", "pictures", lambda path, what: len(path.read_bytes())),)

    registry.register(Pictured())
    try:
        (tmp_path / "two.bin").write_bytes(b"\xff\xfe")
        path = written(tmp_path, HEAD + '[game]\nid = "pictured"\nfaces = "two.bin"\n')
        assert dict(config.load(path, {}).game.options) == {"rules": "rulebook", "players": 2}
        path.write_text(path.read_text().replace("two.bin", ""))
        assert dict(config.load(path, {}).game.options) == {"rules": "rulebook"}
    finally:
        registry._registered_games.pop("pictured")
        registry.package.cache_clear()


def test_what_the_wires_of_a_board_can_not_carry_is_told_beside_the_configuration(tmp_path: Path) -> None:
    board = tmp_path / "mine.toml"
    shipped = board_path("quick-battle-8x8").read_text()
    board.write_text(shipped.replace("row_ohm = 470", "row_ohm = 1000\npull_down_ohm = 10_000"))
    path = written(tmp_path, HEAD + f'[board]\nname = "{board}"\n')
    right, doubt = check_config.check_configuration(path, {}).splitlines()
    assert right.startswith(f"{path}: right: ")
    assert doubt.startswith(
        f"{path}: but quick-battle-8x8: banks.reeds: refused: a full row is 8 pieces; 1000 Ohm"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "[game] map: {folder}/mine.map: No such file or directory; try the path of a map"),
        (b"\xff", "[game] map: {folder}/mine.map: LINE 1: byte 0xff is not UTF-8; save a map as UTF-8"),
        (
            MAP + "link ulm rome\n",
            "[game] map: mine.map: fall-of-the-fuhrer: option map: LINE 9: unknown",
        ),
        (
            MAP.replace("kiel", "oslo"),
            "[game] map: board fall-of-the-fuhrer has no oslo; use a board that has them all",
        ),
        (MAP[:18], "[game] map: mine.map: fall-of-the-fuhrer: option map: LINE 1: no line 'name'"),
    ],
)
def test_a_wrong_map_is_told_with_the_line_of_the_configuration_and_its_own(
    tmp_path: Path, text: str | bytes | None, said: str
) -> None:
    if text is not None:
        (tmp_path / "mine.map").write_bytes(text if isinstance(text, bytes) else text.encode())
    path = written(tmp_path, HUNT.format(board="fall-of-the-fuhrer"))
    with pytest.raises(ConfigError, match=re.escape(f"{path}:7: " + said.format(folder=tmp_path))):
        check_config.load_checked_board(config.load(path, {}))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("link bonn ulm kiel trier", "link bonn kiel trier\nlink kiel ulm"), "joins bonn to ulm"),
        (("link bonn", "link trier kiel\nlink bonn"), "does not join kiel to trier"),
        (("airport bonn ulm", "airport bonn kiel"), "has airport in ulm"),
        (("airport bonn ulm", "airport bonn kiel ulm"), "has no airport in kiel"),
    ],
)
def test_a_board_of_another_map_with_the_same_cities_is_refused(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    (tmp_path / "mine.map").write_text(MAP.replace(*change), encoding="utf-8")
    board = tmp_path / "mine.toml"
    board.write_text(board_file_text(map_by_text(MAP), "mine"), encoding="utf-8")
    path = written(tmp_path, HUNT.format(board=board))
    with pytest.raises(ConfigError, match=re.escape(f"{path}:7: [game] map: board mine {said}; try")):
        check_config.load_checked_board(config.load(path, {}))


def test_two_maps_are_one_too_many(tmp_path: Path) -> None:
    path = written(tmp_path, HUNT.format(board="x") + 'options = { map = "original" }\n')
    with pytest.raises(ConfigError, match=re.escape("[game] map: found options.map too; keep one")):
        config.load(path, {})


def test_a_password_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "boardumpire.toml"
    head = f'format = "{config.FORMAT}"\nversion = 1\n[mqtt]\nbroker = "there"\n'
    path.write_text(head + 'password_file = "broker.password"\n')
    with pytest.raises(ConfigError, match=r"boardumpire.toml:5: \[mqtt\] password_file: can't read"):
        config.load(path, {})
    (tmp_path / "broker.password").write_text(" secret \n")
    assert config.load(path, {}).mqtt.password == " secret "
    path.write_text(head + 'password_file = "broker.password"\npassword = "x"\n')
    with pytest.raises(ConfigError, match="found password too; keep one of the two"):
        config.load(path, {})
