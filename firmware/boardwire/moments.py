"""Moments that stay small numbers, however long a Pico has power. MicroPython subset.

A moment is microseconds since a start. From 2 ** 30 of them on, some 18 minutes, it would be a large number
in MicroPython: allocated, and so would be whatever is reckoned with it. So the start is moved on now and
then, and whoever keeps moments is told by how much: `rebase(by)`. What the host is told counts from the first
start all the same.
"""


def rebased(at: int, by: int) -> int:
    """A moment by a start that is `by` later. What was before that start is 0 then: long ago."""
    return at - by if at > by else 0


def shift_optional_moment(at: int | None, by: int) -> int | None:
    """The same of a moment that may never come."""
    return None if at is None else rebased(at, by)
