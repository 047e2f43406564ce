"""Files that a start needs: whole after a crash at any moment, and set aside where they can't be read."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from boardsim.page.kept import BoardSnapshotFile
from boardumpire.commands import page
from boardumpire.commands.daemon import Daemon
from boardumpire.commands.page import virtual_board
from boardumpire.commands.unreadable_files import set_aside_unreadable
from boardumpire.errors import ConfigError
from boardumpire.service.config import Config, GameSection, PiecesSection
from boardumpire.service.notify import Notifier
from boardumpire.tags.tag_roster import TagRoster, save
from boardumpire.web.seat_links import SeatLinks
from boardumpire.web.table_pin import load_or_make_pin
from boardware.files import replace_file, take_files_set_aside
from evenings.service import configured
from loops import run

DUEL = "stratego-quick-duel"
OLD, NEW = b"the old text\n" * 400, b"the new text, which is longer\n" * 900


class PowerCut(BaseException):
    """Nothing is done any more."""


class System:
    """What `os` does, until the power goes or the disk fails at one of the calls."""

    def __init__(self, left: int, failure: BaseException | None) -> None:
        self._left, self._failure = left, failure
        self.called: list[str] = []

    def _fails(self) -> bool:
        """A disk fails once; without power everything does."""
        return self._left == -1 or (self._left < -1 and isinstance(self._failure, PowerCut))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*words: Any) -> Any:
            self._left -= 1
            self.called.append(name)
            if self._failure is not None and self._fails():
                raise self._failure
            if name == "write":  # a part of it, as the kernel may
                return os.write(words[0], words[1][:1000])
            return getattr(os, name)(*words)

        return call


@pytest.mark.parametrize("failure", [PowerCut(), OSError(28, "No space left on device")])
@pytest.mark.parametrize("before", [OLD, None])
def test_after_a_failure_at_any_call_the_old_or_the_new_file_is_there(
    failure: BaseException, before: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / "links.json"
    calls = System(0, None)
    replace_file(path, NEW, 0o600, calls)
    assert calls.called.index("fsync") < calls.called.index("replace") < len(calls.called) - 2
    assert calls.called[-2:] == ["fsync", "close"]
    found = set()
    for number in range(len(calls.called)):
        path.unlink(missing_ok=True)
        if before is not None:
            path.write_bytes(before)
        with pytest.raises(type(failure)):
            replace_file(path, NEW, 0o600, System(number, failure))
        found.add(path.read_bytes() if path.exists() else None)
        replace_file(path, NEW)  # what a crash has left is in nobody's way
        assert path.read_bytes() == NEW
        assert [each.name for each in tmp_path.iterdir()] == ["links.json"]
    assert found == {before, NEW}


def table(folder: Path) -> Config:
    """A board on which the machine plays one seat."""
    found = configured(folder, DUEL, {"blue": "1"})
    return replace(found, page=replace(found.page, links=folder / "key" / "links.json"))


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "binary": lambda data: bytes(range(256)) * 3,
    "zeros": lambda data: bytes(len(data)),
    "deep": lambda data: b"[" * 100_000,
    "other": lambda data: b"null\n",
}


async def opened(config: Config) -> list[str]:
    """Start the board, and stop it; what everybody was told."""
    config, board = virtual_board(config, 1)
    daemon = Daemon(config, Notifier({}), board)
    told: list[str] = []
    tell = daemon._dispatch_messages

    def heard(messages: Any) -> None:
        told.extend(str(message.data["text"]) for message in messages if message.kind == "fault")
        tell(messages)

    daemon._dispatch_messages = heard  # type: ignore[method-assign]
    await daemon.start()
    daemon.stop()
    board.stop()
    await daemon.wait_closed()
    return told


@pytest.mark.few(6)
@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", ["key/links.json", "key/pin", "pieces.json", "machines.json"])
def test_a_file_that_can_t_be_read_is_set_aside_and_the_board_starts(
    name: str, damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = table(tmp_path)
    page._save_machine_levels(config)
    assert run(opened(config)) == []
    BoardSnapshotFile(tmp_path / "pieces.json", config.board.name).write(
        [{"id": 1, "seat": "red", "is": "beside"}]
    )
    whole = (tmp_path / name).read_bytes()
    damaged = DAMAGE[damage](whole)
    (tmp_path / name).write_bytes(damaged)
    begun = page._unfinished_game(tmp_path)
    assert begun is not None
    going_on = page._resumed_config(replace(config, game=GameSection(DUEL)), begun, tmp_path)
    told = run(opened(going_on))
    kept = tmp_path / f"{name}-unreadable-1"
    assert kept.read_bytes() == damaged
    assert [line for line in told if kept.name in line and "couldn't be read" in line] == told != []
    assert kept.name in caplog.text
    assert run(opened(going_on)) == [], "the next start finds nothing wrong"
    assert not damaged.strip(b"\0") or len(damaged) < 20 or damaged[:40].decode("latin-1") not in caplog.text


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_list_of_tags_that_can_t_be_read_is_set_aside(damage: str, tmp_path: Path) -> None:
    config = configured(tmp_path, DUEL, {})
    config = replace(
        config, pieces=PiecesSection(tmp_path / "tags"), drivers=replace(config.drivers, tags="tags-sim")
    )
    save(tmp_path / "tags", TagRoster())
    set_aside_unreadable(config)
    assert take_files_set_aside() == []
    (tmp_path / "tags").write_bytes(DAMAGE[damage](b"boardumpire-tags 1\n04aabbccdd red 10\n04aabb"))
    set_aside_unreadable(config)
    assert [path.name for path in take_files_set_aside()] == ["tags-unreadable-1"]


def test_seats_of_the_machine_that_no_game_has_are_set_aside(tmp_path: Path) -> None:
    config = table(tmp_path)
    run(opened(config))
    begun = page._unfinished_game(tmp_path)
    assert begun is not None
    for number, found in enumerate(({"green": "1"}, {"blue": "99"}, {"blue": 1}, [], {"": ""}), 1):
        (tmp_path / "machines.json").write_text(json.dumps(found))
        bare = replace(config, game=GameSection(DUEL, machines=MappingProxyType({})))
        assert page._resumed_config(bare, begun, tmp_path).game.machines == {}
        assert (tmp_path / f"machines.json-unreadable-{number}").exists()
    take_files_set_aside()


def test_what_a_newer_program_has_written_is_not_set_aside(tmp_path: Path) -> None:
    config = table(tmp_path)
    SeatLinks.open(config.page.links, ("red", "blue"))
    newer = json.loads(config.page.links.read_text()) | {"version": 99}
    config.page.links.write_text(json.dumps(newer))
    with pytest.raises(ConfigError, match="newer"):
        set_aside_unreadable(config)
    assert config.page.links.exists()


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    config = table(tmp_path)
    load_or_make_pin("", config.page.links.with_name("pin"))
    shutil.rmtree(config.page.links, ignore_errors=True)
    config.page.links.mkdir()
    with pytest.raises(ConfigError, match="can't read"):
        set_aside_unreadable(config)
