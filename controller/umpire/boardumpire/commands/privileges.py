"""Drops the privileges of root for a while, so that links laid by another user lead root nowhere."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence


@contextlib.contextmanager
def acting_as(user: int, group: int, groups: Sequence[int] = ()) -> Iterator[None]:
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
