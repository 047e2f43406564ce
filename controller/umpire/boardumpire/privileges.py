"""Keeps root from being led astray by another user: by links that this one has laid, or lays meanwhile."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

_LINKS_MAX = 40
"""As many as the kernel follows."""


@contextlib.contextmanager
def act_as_user(user: int, group: int, groups: Sequence[int] = ()) -> Iterator[None]:
    """Inside, root is that user, in that group and in these `groups` besides. Whoever isn't root stays as he
    is, and so does root where the user is root."""
    if os.geteuid() != 0 or user == 0:
        yield
        return
    had, own = os.getgroups(), os.getegid()
    os.setgroups(groups)
    os.setegid(group)
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(own)
        os.setgroups(had)


@contextlib.contextmanager
def act_as_owner(folder: int) -> Iterator[None]:
    """Inside, root is whose that open folder is: what that user may not touch, root doesn't touch for him."""
    status = os.fstat(folder)
    with act_as_user(status.st_uid, status.st_gid):
        yield


class LinkRefused(PermissionError):  # noqa: N818 - what it is
    """Root was to follow a link that another user has laid."""


def open_folder(path: Path) -> int:
    """A folder, for the `dir_fd` of whatever is done in it: nobody can put another one in its place.

    Whoever calls closes it. Raises `OSError`; `LinkRefused` where a link on the way is another user's.
    """
    parts, folder, links = deque(path.absolute().parts), -1, 0
    try:
        while parts:
            name = parts.popleft()
            step = os.open(
                name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=None if folder < 0 else folder
            )
            if stat.S_ISLNK(os.fstat(step).st_mode):
                try:
                    parts.extendleft(reversed(Path(read_link(step, path)).parts))
                finally:
                    os.close(step)
                links += 1
                if links > _LINKS_MAX:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
            else:
                if folder >= 0:
                    os.close(folder)
                folder = step
        return os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    finally:
        if folder >= 0:
            os.close(folder)


def read_link(link: int, where: Path) -> str:
    """Where an open link (`O_PATH`) leads. Raises `LinkRefused` for root where another user has laid it."""
    if os.geteuid() == 0 and os.fstat(link).st_uid != 0:
        raise LinkRefused(
            errno.EPERM,
            "a link that another user than root has made; replace it by a file or folder",
            str(where),
        )
    return os.readlink("", dir_fd=link)


def path_of_open_folder(folder: int) -> Path:
    """A path that leads to that open folder, whatever it is called by now."""
    return Path(f"/proc/self/fd/{folder}")
