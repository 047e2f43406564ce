"""Checks that the service may read and write its files: journal, key, links, PIN, and what is configured.

`check-config` looks with the eyes of the board's own user, as far as whoever asks may become that user. What
the unit hides from the service is told by its settings.
"""

from __future__ import annotations

import contextlib
import os
import pwd
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from boardumpire import typed_commands
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
_WRITABLE_FOLDERS = {
    "StateDirectory": "/var/lib",
    "RuntimeDirectory": "/run",
    "ConfigurationDirectory": "/etc",
}
"""By setting of a unit where the folders lie that it names."""
_ADDED_UP = ("ReadWritePaths", "SupplementaryGroups")
"""Settings that a unit may have several times: all of them hold."""
_CONFIG_FOLDER = "/etc/boardumpire"
_ROOM_MIN_BYTES, _ROOM_MIN_FILES = 4 << 20, 16
"""With less a journal is about to stop: a game has some 100 kB and a few files."""


def unit_settings(root: Path) -> dict[str, str]:
    """What the installed unit of this board and its drop-ins say, the last of each key; nothing where none is
    installed."""
    name = typed_commands.unit_name()
    kind, _, instance = name.partition("@")
    unit = f"{kind}@.service" if instance else SYSTEMD_UNIT
    found: dict[str, str] = {}
    drop_ins = (f"{unit}.d", f"{name}.service.d")
    for folder in (root / each for each in _UNIT_FOLDERS):
        changes = sorted(path for each in set(drop_ins) for path in (folder / each).glob("*.conf"))
        for path in (folder / unit, *changes):
            with contextlib.suppress(OSError, UnicodeDecodeError):
                text = path.read_text().replace("%i", instance)
                for line in text.splitlines():
                    key, equals, value = (each.strip() for each in line.partition("="))
                    if equals and key[:1] != "#":
                        before = f"{found.get(key, '')} " if key in _ADDED_UP and value else ""
                        found[key] = (before + value).strip()
    return found


def state_folders(unit: Mapping[str, str]) -> list[Path]:
    """The folders that systemd makes for the service when it starts it."""
    return [
        Path(_WRITABLE_FOLDERS["StateDirectory"], name) for name in unit.get("StateDirectory", "").split()
    ]


def is_on(unit: Mapping[str, str], setting: str) -> bool:
    """Whether a unit has such a protection."""
    return unit.get(setting, "no") not in ("no", "false", "0", "off", "")


def hidden_files(config: Config, root: Path) -> list[MachineFinding]:
    """What is configured and lies where the unit lets the service see nothing."""
    unit, found = unit_settings(root), []
    for what, path in _configured_files(config):
        for setting, folders in _HIDDEN_FOLDERS.items():
            for folder in folders if is_on(unit, setting) else ():
                if any(each.is_relative_to(folder) for each in (path, Path(os.path.realpath(path)))):
                    text = f"{what}: the service sees nothing in {folder} ({path})"
                    found.append(MachineFinding(text, f"sudo mv {path} {_CONFIG_FOLDER}/, and name that"))
    return [*found, *_read_only_files(config, unit)]


def _read_only_files(config: Config, unit: Mapping[str, str]) -> Iterator[MachineFinding]:
    """What the service has to write, where the unit lets it read at most."""
    if unit.get("ProtectSystem") != "strict":
        return
    folders = [word.lstrip("-+") for word in unit.get("ReadWritePaths", "").split()]
    for setting, above in _WRITABLE_FOLDERS.items():
        folders += [f"{above}/{word}" for word in unit.get(setting, "").split()]
    written = {"[journal] path": config.journal.path, "[journal] key": config.journal.key}
    written |= {"[control] socket": config.control.socket, "[page] links": config.page.links}
    for key, path in written.items():
        if not any(path.is_relative_to(folder) for folder in folders):
            text = f"{key}: the service may not write in {path.parent}"
            do = f"leave the key out, or allow it: sudo systemctl edit {typed_commands.unit_name()}"
            yield MachineFinding(text, f"{do}, and there [Service], ReadWritePaths={path.parent}")


def _configured_files(config: Config) -> Iterator[tuple[str, Path]]:
    """The files that the service reads once it starts, with what each is."""
    origin = config.origin
    beside = Path() if origin.path is None else origin.path.parent
    for path in dict.fromkeys((origin.path, *origin.layers)):
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


def access_problems(
    config: Config,
    user: str,
    *,
    running: bool = True,
    program: Path | None = None,
    made_at_start: Collection[Path] = (),
) -> list[MachineFinding]:
    """What stands in the way of `user`, with what to type; empty where nothing does, or nobody can tell.

    `running`: the board is in service here, and holds its journal. `program`: what the service starts.
    `made_at_start`: folders that systemd makes for it.
    """
    uid, group, groups = os.geteuid(), os.getegid(), os.getgroups()
    with contextlib.suppress(KeyError):  # there is no such user here: whoever asks looks for himself
        known = pwd.getpwnam(user)
        uid, group, groups = known.pw_uid, known.pw_gid, os.getgrouplist(user, known.pw_gid)
    if os.geteuid() not in (0, uid):
        return []
    with act_as_user(uid, group, groups):
        if program is not None and not _can_access(program, os.R_OK | os.X_OK):
            do = f"sudo chmod -R a+rX {program.parents[1]}/"
            return [MachineFinding(f"program: {user} may not run {program}", do)]
        found = [
            *_unreadable_file_findings(config, user),
            *_journal_problems(config.journal.path, user, running=running, made_at_start=made_at_start),
        ]
        try:
            found += [*_key_problems(config), *_links_problems(config)]
        except PermissionError as error:
            if not found:
                text = f"{user} may not look into {Path(error.filename).parent}"
                found.append(MachineFinding(text, f"sudo chown -R {user}: {config.journal.path.parent}"))
        return found


def _can_access(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=True)


def _journal_problems(
    path: Path, user: str, *, running: bool, made_at_start: Collection[Path]
) -> Iterator[MachineFinding]:
    own, elsewhere = f"sudo chown -R {user}: {path.parent}", "set [journal] path to a file elsewhere"
    try:
        if path.is_dir():
            yield MachineFinding(f"journal: {path} is a folder", "set [journal] path to a file")
            return
        near = next(each for each in (path.parent, *path.parent.parents) if os.path.lexists(each))
    except PermissionError as error:
        near = Path(error.filename).parent
        yield MachineFinding(
            f"journal: {user} may not write in {near}", own if near == path.parent else elsewhere
        )
        return
    if near.is_symlink() and not near.exists():
        text = f"journal: {near} leads to {os.readlink(near)}, and nothing is there"
        yield MachineFinding(text, "mount or make that folder")
        return
    if not near.is_dir():
        yield MachineFinding(f"journal: {near} is no folder", elsewhere)
        return
    disk = os.statvfs(near)
    if disk.f_flag & os.ST_RDONLY:
        text = f"journal: the file system of {near} is read-only"
        yield MachineFinding(text, f"see why, and mend it: sudo dmesg; findmnt --target {near}")
        return
    if near != path.parent and path.parent in made_at_start:
        return
    if not _can_access(near, os.W_OK | os.X_OK):
        yield MachineFinding(
            f"journal: {user} may not write in {near}", own if near == path.parent else elsewhere
        )
        return
    if disk.f_bavail * disk.f_frsize < _ROOM_MIN_BYTES or (disk.f_files and disk.f_favail < _ROOM_MIN_FILES):
        text = f"journal: the file system of {near} is full"
        yield MachineFinding(text, f"make room: df -h {near}; df -i {near}")
        return
    for name in ("", "-lock", "-told", "-wal"):
        beside = path.with_name(path.name + name)
        if beside.exists() and not _can_access(beside, os.R_OK | os.W_OK):
            yield MachineFinding(f"journal: {user} may not write {beside}", own)
            return
    if not running and store_file.is_in_use(path):
        do = f"see which, and end it: sudo fuser -v {path}-lock"
        yield MachineFinding("journal: another program has it", do)
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
