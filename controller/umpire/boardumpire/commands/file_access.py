"""Checks that the service may read and write its files: journal, key, links, PIN, and what is configured.

`check-config` looks with the eyes of the board's own user, as far as whoever asks may become that user. What
the unit hides from the service is told by its settings.
"""

from __future__ import annotations

import contextlib
import os
import pwd
from collections.abc import Iterator
from pathlib import Path

from boardumpire.errors import BoardumpireError
from boardumpire.journal import store_file
from boardumpire.journal.sealing import load_key
from boardumpire.makers.machine_checks import MachineFinding
from boardumpire.privileges import act_as_user
from boardumpire.service.config import Config
from boardumpire.web import seat_links, table_pin

SYSTEMD_UNIT = "boardumpire.service"
_UNIT_FOLDERS = ("usr/lib/systemd/system", "etc/systemd/system")
_HIDDEN_FOLDERS = {"ProtectHome": ("/home", "/root", "/run/user"), "PrivateTmp": ("/tmp", "/var/tmp")}
"""By setting of a unit the folders that the service doesn't see."""
_CONFIG_FOLDER = "/etc/boardumpire"


def unit_settings(root: Path) -> dict[str, str]:
    """What the installed unit and its drop-ins say, the last of each key; nothing where none is installed."""
    found: dict[str, str] = {}
    for folder in (root / each for each in _UNIT_FOLDERS):
        for path in (folder / SYSTEMD_UNIT, *sorted((folder / f"{SYSTEMD_UNIT}.d").glob("*.conf"))):
            with contextlib.suppress(OSError, UnicodeDecodeError):
                pairs = (line.partition("=") for line in path.read_text().splitlines() if line[:1] != "#")
                found |= {key.strip(): value.strip() for key, equals, value in pairs if equals}
    return found


def hidden_files(config: Config, root: Path) -> list[MachineFinding]:
    """What is configured and lies where the unit lets the service see nothing."""
    unit, found = unit_settings(root), []
    for what, path in _configured_files(config):
        for setting, folders in _HIDDEN_FOLDERS.items():
            on = unit.get(setting, "no") not in ("no", "false", "0", "off", "")
            for folder in folders if on else ():
                if any(each.is_relative_to(folder) for each in (path, Path(os.path.realpath(path)))):
                    text = f"{what}: the service sees nothing in {folder} ({path})"
                    found.append(MachineFinding(text, f"sudo mv {path} {_CONFIG_FOLDER}/, and name that"))
    return found


def _configured_files(config: Config) -> Iterator[tuple[str, Path]]:
    """The files that the service reads once it starts, with what each is."""
    origin = config.origin
    beside = Path() if origin.path is None else origin.path.parent
    for path in dict.fromkeys((origin.path, *origin.files.values())):
        if path is not None:
            yield "configuration", path.absolute()
    named = {
        "board": config.board.name if "/" in config.board.name else "",
        **config.game.files,
        "certificate": config.page.certificate,
        "key of the certificate": config.page.key,
        "voice": config.voice.model,
        "password of the broker": config.mqtt.password_file,
    }
    for what, name in named.items():
        if name:
            own = what in config.game.files or name == config.mqtt.password_file
            yield what, (beside / name if own else Path(name)).absolute()


def _unreadable_file_findings(config: Config, user: str) -> Iterator[MachineFinding]:
    for what, path in _configured_files(config):
        may_be_there = os.path.lexists(path) or not _can_access(path.parent, os.X_OK)
        if may_be_there and not _can_access(path, os.R_OK):
            do = f"sudo chgrp {user} {path}; sudo chmod g+r {path}"
            yield MachineFinding(f"{what}: {user} may not read {path}", do)


def access_problems(config: Config, user: str) -> list[MachineFinding]:
    """What stands in the way of `user`, with what to type; empty where nothing does, or nobody can tell."""
    uid, group, groups = os.geteuid(), os.getegid(), os.getgroups()
    with contextlib.suppress(KeyError):  # there is no such user here: whoever asks looks for himself
        known = pwd.getpwnam(user)
        uid, group, groups = known.pw_uid, known.pw_gid, os.getgrouplist(user, known.pw_gid)
    if os.geteuid() not in (0, uid):
        return []
    with act_as_user(uid, group, groups):
        return [
            *_unreadable_file_findings(config, user),
            *_journal_problems(config.journal.path, user),
            *_key_problems(config),
            *_links_problems(config),
        ]


def _can_access(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=True)


def _journal_problems(path: Path, user: str) -> Iterator[MachineFinding]:
    own, elsewhere = f"sudo chown -R {user}: {path.parent}", "set [journal] path to a file elsewhere"
    if path.is_dir():
        yield MachineFinding(f"journal: {path} is a folder", "set [journal] path to a file")
        return
    near = next(each for each in (path.parent, *path.parent.parents) if os.path.lexists(each))
    if not near.is_dir():
        yield MachineFinding(f"journal: {near} is no folder", elsewhere)
    elif not _can_access(near, os.W_OK | os.X_OK):
        yield MachineFinding(
            f"journal: {user} may not write in {near}", own if near == path.parent else elsewhere
        )
    for name in ("", "-lock", "-told", "-wal"):
        beside = path.with_name(path.name + name)
        if beside.exists() and not _can_access(beside, os.R_OK | os.W_OK):
            yield MachineFinding(f"journal: {user} may not write {beside}", own)
            return
    if path.exists():
        try:
            store_file.check_is_journal(path)
        except BoardumpireError as error:
            yield MachineFinding(f"journal: {error}", "boardumpire journal check")


def _key_problems(config: Config) -> Iterator[MachineFinding]:
    path = config.journal.key
    if os.path.lexists(path):
        try:
            load_key(path)
        except (BoardumpireError, OSError) as error:
            yield MachineFinding(f"key: {error}", "bring it back from a backup: boardumpire restore")


def _links_problems(config: Config) -> Iterator[MachineFinding]:
    """What sits beside the links, too: the PIN."""
    path = config.page.links
    beside = path.with_name("pin")
    if path.is_dir():
        yield MachineFinding(f"links: {path} is a folder", "set [page] links to a file")
    elif config.page.listen:
        for file, check in ((path, seat_links.check_links_file), (beside, table_pin.read_pin)):
            if file == beside and config.page.pin:
                continue
            try:
                check(file)
            except BoardumpireError as error:
                yield MachineFinding(str(error), f"sudo rm {file}")
