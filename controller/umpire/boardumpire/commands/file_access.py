"""Checks that the service's user may read and write its files: journal, key, links and PIN.

`check-config` looks with the eyes of the board's own user, as far as whoever asks may become that user.
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
from boardumpire.privileges import acting_as
from boardumpire.service.config import Config
from boardumpire.web import seat_links, table_pin


def access_problems(config: Config, user: str) -> list[MachineFinding]:
    """What stands in the way of `user`, with what to type; empty where nothing does, or nobody can tell."""
    uid, group, groups = os.geteuid(), os.getegid(), os.getgroups()
    with contextlib.suppress(KeyError):  # there is no such user here: whoever asks looks for himself
        known = pwd.getpwnam(user)
        uid, group, groups = known.pw_uid, known.pw_gid, os.getgrouplist(user, known.pw_gid)
    if os.geteuid() not in (0, uid):
        return []
    with acting_as(uid, group, groups):
        return [
            *_journal_problems(config.journal.path, user),
            *_key_problems(config),
            *_links_problems(config),
        ]


def _can_access(path: Path, way: int) -> bool:
    return os.access(path, way, effective_ids=True)


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
        for file, check in ((path, seat_links.check), (beside, table_pin.read)):
            if file == beside and config.page.pin:
                continue
            try:
                check(file)
            except BoardumpireError as error:
                yield MachineFinding(str(error), f"sudo rm {file}")
