"""The set-up asks for what is not known, from what is there, and writes what it said it would."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardsim.pico.picos import SimPicos, SimSerialPort
from boardsim.world.world import World
from boardumpire.commands.check_config import load_checked_board
from boardumpire.errors import BoardumpireError, ConfigError
from boardumpire.makers.machine import Machine
from boardumpire.makers.setup import configuration_changes
from boardumpire.makers.setup.hardware_findings import FoundPico, SetupFindings, find_hardware
from boardumpire.makers.setup.questions import KnownConfiguration, SetupError, SetupQuestion, next_question
from boardumpire.makers.setup.session import SetupSession
from boardumpire.service import config
from boardumpire.service.config import Config
from boardware.description import board_names, load_board
from boardware.pico_greeting import PicoGreeting, request_greeting
from boardware.pico_plan import plans_by_pico
from boardwire import wire
from boardwire.station import VERSION
from makers.made_up import MadeUp

SHIPPED = (Path(__file__).parents[2] / "systemd" / "boardumpire.toml").read_text()
BOARDS = {name: load_board(name) for name in board_names()}
QUICK = "stratego-quick-duel"
TWO = "quick-battle-8x8-two-picos"
ON_PICO = "quick-battle-8x8-pico"


def greeting(
    board: str, pico: str, version: str = VERSION, wire_hash: int = wire.DECLARATION_HASH
) -> PicoGreeting:
    return PicoGreeting(version, wire_hash, board, plans_by_pico(BOARDS[board])[pico].wiring_hash, pico)


def asked(seen: SetupFindings, **said: str) -> SetupQuestion:
    found = next_question(seen._replace(boards=BOARDS), said, KnownConfiguration())
    assert found is not None
    return found


def values(found: SetupQuestion) -> list[str]:
    return [choice.value for choice in found.choices]


def test_a_bare_pico_is_asked_for_its_game_its_board_and_its_firmware_in_turn() -> None:
    seen = SetupFindings(picos=(FoundPico("/dev/ttyACM0", "e66"),))
    first = asked(seen)
    assert (first.id, values(first)[0]) == ("game", QUICK)
    assert "Pico at /dev/ttyACM0 (USB e66): no firmware of ours" in first.notes
    second = asked(seen, game=QUICK)
    assert (second.id, values(second)[0]) == ("board", ON_PICO)
    third = asked(seen, game=QUICK, board=ON_PICO)
    assert (third.id, values(third)) == ("flash pico", ["/dev/ttyACM0", "no", "again"])
    skipped: dict[str, Any] = {"game": QUICK, "board": ON_PICO, "flash pico": "no"}
    assert asked(seen, **skipped).id == "page"
    assert asked(seen, **skipped, page="network").id == "configuration", "no doctor without its Pico"


def test_a_pico_that_says_which_board_it_is_of_brings_that_board_first_and_is_left_as_it_is() -> None:
    seen = SetupFindings(
        picos=(FoundPico("/dev/ttyACM0", "e66", greeting("fall-of-the-fuhrer-pico", "pico")),)
    )
    assert values(asked(seen))[0] == "fall-of-the-fuhrer"
    said = {"game": "fall-of-the-fuhrer", "board": "fall-of-the-fuhrer-pico"}
    assert asked(seen, **said).id == "page"
    assert asked(seen, **said, page="machine").id == "doctor"


@pytest.mark.parametrize(
    ("told", "note"),
    [
        (greeting(ON_PICO, "pico", "0.0.9"), "it works as it is"),
        (greeting(ON_PICO, "pico", "0.0.9", 1), "the board waits until it is done"),
        (greeting(ON_PICO, "pico")._replace(plan_hash=7), "the board waits until it is done"),
    ],
)
def test_older_firmware_or_of_other_wiring_is_offered_ours(told: PicoGreeting, note: str) -> None:
    seen = SetupFindings(picos=(FoundPico("/dev/ttyACM0", greeting=told),))
    found = asked(seen, game=QUICK, board=ON_PICO)
    assert found.id == "flash pico"
    assert note in next(choice.note for choice in found.choices if choice.value == "no")


def test_of_two_bare_picos_the_person_says_which_is_which() -> None:
    seen = SetupFindings(picos=(FoundPico("/dev/ttyACM0"), FoundPico("/dev/ttyACM1")))
    found = asked(seen, game=QUICK, board=TWO)
    assert (found.id, values(found)[:2]) == ("flash south", ["/dev/ttyACM0", "/dev/ttyACM1"])
    assert "Unplug all others" in found.notes[0]
    after = SetupFindings(
        picos=(FoundPico("/dev/ttyACM0", greeting=greeting(TWO, "south")), FoundPico("/dev/ttyACM1"))
    )
    found = asked(after, game=QUICK, board=TWO)
    assert (found.id, values(found)[0]) == ("flash north", "/dev/ttyACM1")


def test_what_is_missing_is_told_and_looked_for_again() -> None:
    seen = SetupFindings(picos=(FoundPico("/dev/ttyACM0"),))
    found = asked(seen, game=QUICK, board=TWO)
    assert (found.id, values(found)) == ("parts", ["again", "later"])
    assert "It needs 2 Picos on USB: 1 found" in found.notes
    nothing = asked(SetupFindings(), game=QUICK, board="quick-battle-8x8")
    assert "It needs the pins of a Raspberry Pi: none found" in nothing.notes


def test_a_pi_with_a_header_is_offered_the_board_on_its_pins_first() -> None:
    seen = SetupFindings("Raspberry Pi 4 Model B", has_header=True, has_spi=True)
    assert values(asked(seen, game=QUICK))[0] == "quick-battle-8x8"


def test_pads_take_a_serial_line_each() -> None:
    seen = SetupFindings(
        "Raspberry Pi 4", has_header=True, has_spi=True, serial_paths=("/dev/ttyUSB0", "/dev/ttyUSB1")
    )
    said: dict[str, Any] = {"game": QUICK, "board": "quick-battle-8x8-pads"}
    first = asked(seen, **said)
    assert first.id.startswith("pad ")
    second = asked(seen, **said, **{first.id: "/dev/ttyUSB0"})
    assert second.id.startswith("pad ")
    assert values(second)[0] == "/dev/ttyUSB1"
    board = BOARDS["quick-battle-8x8-pads"]
    keys = configuration_changes.config_keys_of_answers(
        {**said, first.id: "/dev/ttyUSB0", second.id: "/dev/ttyUSB1"}, board
    )
    assert keys["drivers", "tags"] == "pn532"
    assert keys["tags", "ports"] == {"pad-blue": "/dev/ttyUSB0", "pad-red": "/dev/ttyUSB1"}
    text = configuration_changes.rewrite_configuration(SHIPPED, keys, Config())
    assert tomllib.loads(text)["tags"] == {"ports": keys["tags", "ports"]}


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 6),
    st.sampled_from(["", "header", "spi"]),
    st.lists(st.integers(0, 9), max_size=40),
)
def test_whatever_is_there_and_is_answered_it_comes_to_an_end_that_fits(
    picos: int, header: str, picks: list[int]
) -> None:
    """Any machine and any answers but `look again` lead to the configuration; nothing is asked twice."""
    there = tuple(FoundPico(f"/dev/ttyACM{number}", str(number)) for number in range(picos))
    seen = SetupFindings(
        has_header=bool(header),
        has_spi=header == "spi",
        picos=there,
        boards=BOARDS,
        serial_paths=("/dev/ttyUSB0",),
    )
    said: dict[str, str] = {}
    picks = [*picks]
    while (found := next_question(seen, said, KnownConfiguration())) is not None:
        assert found.id not in said
        values = [choice.value for choice in found.choices if choice.value != "again"]
        values += ["192.168.1.2"] if found.entry else []
        said[found.id] = values[(picks.pop() if picks else 0) % len(values)]
        assert found.check_answer(said[found.id]) == said[found.id]
        with pytest.raises(SetupError, match="try one of"):
            found.check_answer("/etc/passwd" if not found.entry else "a\nb")
    board = BOARDS[said["board"]]
    if said["game"] == "elsewhere":
        keys = configuration_changes.config_keys_of_answers(said, board)
        assert (keys["satellite", "host"], keys["board", "name"]) == ("192.168.1.2", said["board"])
        assert ("game", "id") not in keys
        return
    assert "configuration" in said
    assert said["game"] in board.games
    assert configuration_changes.config_keys_of_answers(said, board)["board", "name"] == said["board"]


@pytest.mark.few(3)
@pytest.mark.parametrize("name", sorted(BOARDS))
def test_for_every_board_that_ships_what_is_written_is_right(name: str, tmp_path: Path) -> None:
    board = BOARDS[name]
    pads = {f"pad {pad.id}": f"/dev/{pad.id}" for pad in board.pads.values() if pad.pico is None}
    said = {"game": board.games[0], "board": name, "page": "network", **pads}
    text = configuration_changes.rewrite_configuration(
        SHIPPED, configuration_changes.config_keys_of_answers(said, board), Config()
    )
    assert (
        load_checked_board(config.load_text(text, tmp_path / "x.toml", {"STATE_DIRECTORY": str(tmp_path)})).id
        == board.id
    )


def test_comments_and_all_else_stay_as_they_are() -> None:
    text = SHIPPED.replace("[sensors]\n", '[sensors]\nport = "/dev/mine" # my own cable\n')
    keys = configuration_changes.config_keys_of_answers(
        {"game": QUICK, "board": ON_PICO, "page": "network"}, BOARDS[ON_PICO]
    )
    after = configuration_changes.rewrite_configuration(text, keys, Config())
    pairs = [(a, b) for a, b in zip(text.splitlines(), after.splitlines(), strict=True) if a != b]
    assert [b for _, b in pairs] == [
        f'name = "{ON_PICO}"',
        'sensors = "pico"',
        'lamps = "pico-lamps"',
        'console = "pico-console"',
        'listen = "0.0.0.0:8080"',
    ]


def test_what_the_owner_wrote_is_told_apart_from_what_was_shipped() -> None:
    text = SHIPPED.replace('listen = ""', 'listen = "127.0.0.1:9000"').replace(
        'id = "stratego-quick-duel"', ""
    )
    keys = configuration_changes.config_keys_of_answers(
        {"game": QUICK, "board": ON_PICO, "page": "network"}, BOARDS[ON_PICO]
    )
    found = {
        change.section_key: change for change in configuration_changes.pending_changes(text, keys, Config())
    }
    assert [where for where, change in found.items() if change.replaces_own_value] == [("page", "listen")]
    assert found["page", "listen"].text() == "[page] listen: '0.0.0.0:8080' instead of '127.0.0.1:9000'"
    assert ("game", "id") not in found, "it has that value by default"


class FixedGreet:
    """Picos that say what they are told to say."""

    def __init__(self, told: Mapping[str, PicoGreeting | None]) -> None:
        self.told = told

    def __call__(self, path: str) -> PicoGreeting | None:
        name = Path(path).name
        if name not in self.told:
            raise OSError(2, "No such file or directory")
        return self.told[name]


def session(
    tmp_path: Path,
    text: str | None,
    told: Mapping[str, PicoGreeting | None],
    environ: Mapping[str, str] = MappingProxyType({}),
) -> SetupSession:
    tree = MadeUp(tmp_path / "machine")
    for port in told:
        tree.usb(port)
    environ = {
        "STATE_DIRECTORY": str(tmp_path / "state"),
        "CONFIGURATION_DIRECTORY": str(tmp_path),
        **environ,
    }
    path = config.default_path(environ)
    if text is not None:
        path.write_text(text)
    made = SetupSession(path, environ, load_checked_board, machine=Machine(tree.root), greet=FixedGreet(told))
    made.look_for_hardware()
    return made


RIGHT = {"ttyACM0": greeting(ON_PICO, "pico")}


def answered(made: SetupSession, *answers: str) -> None:
    for value in answers:
        found = made.next_question()
        assert found is not None
        made.submit_answer(found.id, value)


def test_the_owner_is_asked_before_what_he_wrote_is_replaced_and_may_keep_it(tmp_path: Path) -> None:
    text = SHIPPED.replace('lamps = "neopixel"', 'lamps = "neopixel-spi" # mine')
    made = session(tmp_path, text, RIGHT)
    answered(made, QUICK, ON_PICO, "none", "later")
    last = made.next_question()
    assert last is not None
    assert values(last) == ["write", "mine", "leave"]
    own = "You wrote that yourself: [drivers] lamps: 'pico-lamps' instead of 'neopixel-spi'"
    assert own in last.notes
    with pytest.raises(BoardumpireError, match="board quick-battle-8x8-pico"):
        made.write_config("mine")  # these lamps don't hang on a Pico: refused before anything is written
    assert made.path.read_text() == text
    made.write_config("write")
    assert made.path.read_text().count('lamps = "pico-lamps" # mine') == 1
    assert made.next_question() is None


def test_a_file_that_was_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    made = session(tmp_path, SHIPPED, RIGHT)
    answered(made, QUICK, ON_PICO, "none", "later")
    made.path.write_text(SHIPPED + "# somebody else\n")
    with pytest.raises(ConfigError, match="was changed meanwhile"):
        made.write_config("write")
    assert made.path.read_text().endswith("# somebody else\n")


def test_over_what_is_installed_the_set_up_writes_a_short_file_of_its_own(tmp_path: Path) -> None:
    """An upgrade replaces what is installed and asks nothing; what the owner wrote wins."""
    share, etc = tmp_path / "share", tmp_path / "etc"
    (etc / "conf.d").mkdir(parents=True)
    share.mkdir()
    (share / "boardumpire.toml").write_text(SHIPPED.replace('listen = ""', 'listen = "0.0.0.0:8080"'))
    environ = {
        "STATE_DIRECTORY": str(tmp_path / "state"),
        "RUNTIME_DIRECTORY": str(tmp_path / "run"),
        "CONFIGURATION_DIRECTORY": str(etc),
        "BOARDUMPIRE_SHARE": str(share),
    }
    before = config.load(None, environ)
    assert (before.board.name, before.page.listen) == ("", "0.0.0.0:8080")
    path = config.default_path(environ)
    made = session(tmp_path, None, RIGHT, environ)
    answered(made, QUICK, ON_PICO, "none", "later")
    made.write_config("write")
    written = path.read_text()
    assert len(written.splitlines()) < 20, "what is installed isn't copied"
    found = config.load(None, environ)
    assert (found.board.name, found.page.listen) == (ON_PICO, "")
    (etc / "conf.d" / "50-mine.toml").write_text('[page]\nlisten = "127.0.0.1:9000"\n[clock]\nbase_s = 60\n')
    (share / "boardumpire.toml").write_text(SHIPPED)
    found = config.load(None, environ)
    assert (found.board.name, found.page.listen, found.clock.base_s) == (ON_PICO, "127.0.0.1:9000", 60)
    (etc / "conf.d" / "60-wrong.toml").write_text("[page]\nlisten = 3\n")
    with pytest.raises(ConfigError, match=r"60-wrong\.toml:2: \[page\] listen"):
        config.load(None, environ)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root could be led astray")
def test_root_writes_through_no_link_of_the_boards_own_user(tmp_path: Path) -> None:
    path, theirs = tmp_path / "boardumpire.toml", tmp_path / "theirs"
    path.symlink_to(theirs)
    configuration_changes.write_configuration(path, "# mine\n")
    assert theirs.read_text() == "# mine\n", "root's own link is followed"
    os.chown(path, 65534, 65534, follow_symlinks=False)
    with pytest.raises(
        ConfigError, match="a link that another user than root has made; replace it by a file"
    ):
        configuration_changes.write_configuration(path, "# theirs\n")
    assert theirs.read_text() == "# mine\n"


SYSTEM_CALLS = ("open", "stat", "lstat", "fstat", "readlink", "replace", "rename", "fchmod", "fchown")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root could be led astray")
@pytest.mark.parametrize("first", range(30))
def test_root_writes_through_no_link_that_is_laid_while_it_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """Of 64,295 set-ups as root 154 wrote through a link that came after it was looked for. Here the board's
    user lays it just before each call of the system in turn."""
    folder, theirs = tmp_path / "etc", tmp_path / "theirs"
    folder.mkdir()
    folder.chmod(0o777)
    theirs.write_text("root's own")
    path, link = folder / "boardumpire.toml", folder / "link"
    path.write_text("# mine\n")
    link.symlink_to(theirs)
    os.chown(link, 65534, 65534, follow_symlinks=False)
    swap, calls = os.rename, itertools.count()

    def racing(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **more: Any) -> Any:
            if next(calls) == first:
                swap(link, path)
            return call(*given, **more)

        return called

    with monkeypatch.context() as meanwhile:
        for name in SYSTEM_CALLS:
            meanwhile.setattr(os, name, racing(getattr(os, name)))
        with contextlib.suppress(ConfigError):
            configuration_changes.write_configuration(path, "# mine\n")
    assert theirs.read_text() == "root's own"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_in_a_folder_of_somebody_else_root_writes_as_this_user(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as home:
        os.chown(home, 65534, 65534)
        path = Path(home) / "boardumpire.toml"
        configuration_changes.write_configuration(path, "# mine\n")
        assert path.stat().st_uid == 65534


def test_a_file_that_is_not_there_is_made_and_one_that_is_keeps_its_mode(tmp_path: Path) -> None:
    made = session(tmp_path, None, RIGHT)
    answered(made, QUICK, ON_PICO, "none", "later")
    made.write_config("write")
    assert config.read_file(made.path).board.name == ON_PICO
    made.path.write_text(SHIPPED)
    made.path.chmod(0o640)
    configuration_changes.write_configuration(made.path, SHIPPED + "# more\n")
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == [name for name in os.listdir(tmp_path) if not name.startswith(".")]


def test_where_it_may_not_be_written_all_stays_and_the_reason_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="can't be written: Not a directory"):
        configuration_changes.write_configuration(tmp_path / "file" / "x.toml", "") if (
            tmp_path / "file"
        ).write_text("x") else None


def test_the_board_files_of_the_owner_can_be_chosen_and_no_other_path(tmp_path: Path) -> None:
    from boardware.description import board_path

    (tmp_path / "mine.toml").write_text(board_path(ON_PICO).read_text().replace(f'"{ON_PICO}"', '"mine"'))
    made = session(tmp_path, SHIPPED, RIGHT)
    answered(made, QUICK)
    found = made.next_question()
    assert found is not None
    own = str(tmp_path / "mine.toml")
    assert own in values(found)
    with pytest.raises(SetupError, match="try one of"):
        made.submit_answer("board", "/etc/shadow")
    with pytest.raises(SetupError, match="is not asked now"):
        made.submit_answer("page", "network")
    made.submit_answer("board", own)
    made.undo_answer()
    assert made.answers == {"game": QUICK}


@pytest.fixture
def simulated() -> Iterator[SimPicos]:
    picos = SimPicos(World(load_board(ON_PICO)))
    yield picos
    picos.close()


def test_a_pico_tells_what_it_is_whatever_board_is_asked_for(simulated: SimPicos) -> None:
    """The real firmware, over its own wire."""

    def opened(path: str) -> SimSerialPort:
        return simulated._open(path)

    path = str(simulated.picos_by_name["pico"].port)
    found = request_greeting(path, simulated._wait, opened)
    assert found == greeting(ON_PICO, "pico")
    assert found.is_up_to_date(plans_by_pico(BOARDS[ON_PICO])["pico"])
    assert not found.is_compatible(plans_by_pico(BOARDS[TWO])["south"])
    pico = simulated.picos_by_name["pico"]
    pico.to_host.faults = pico.to_host.faults._replace(lose=1.0)
    assert request_greeting(path, simulated._wait, opened) is None


def test_all_picos_are_greeted_and_one_that_another_program_has_is_named(tmp_path: Path) -> None:
    tree = MadeUp(tmp_path)
    for port in ("ttyACM0", "ttyACM1"):
        tree.usb(port)
    tree.usb("ttyUSB5", vendor="1a86")
    tree.boot_loader("0003")
    seen = find_hardware(Machine(tmp_path), BOARDS, FixedGreet(RIGHT), ["/dev/mine"])
    assert [pico.path for pico in seen.picos] == ["/dev/mine", "/dev/ttyACM0", "/dev/ttyACM1"]
    assert seen.picos[2].description().endswith("can't be opened (No such file or directory)")
    assert (seen.has_header, seen.has_spi, seen.boot_loader_count, seen.serial_paths) == (
        True,
        True,
        1,
        ("/dev/ttyUSB5",),
    )
    assert "boot loader" in asked(seen).notes[-1]
