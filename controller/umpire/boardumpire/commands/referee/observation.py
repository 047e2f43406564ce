"""The observation of a seat as text, for the computer players: its view and its legal actions.

It holds nothing that `view` and `legal_actions` don't tell. Programs in other languages read those.
"""

from __future__ import annotations

import base64
import binascii
import functools
import io
import pickle
import zlib
from typing import Any, NamedTuple

from boardrules.core import Action, Seat, State, View

UNPACKED_MAX_BYTES = 4_000_000
"""Bytes of a sight, unpacked. The largest game has less than a hundredth of it."""


class BadObservation(ValueError):  # noqa: N818
    """A text that is no observation."""


class Observation(NamedTuple):
    """What one seat sees, and its legal actions."""

    view: View
    legal_actions: tuple[Action, ...]
    """The actions listed; where there are too many to list, some of them."""
    table_actions: tuple[Action, ...]


def observe(state: State, seat: Seat) -> Observation:
    """What a seat sees of a state. The list is made anew: a game's own may remember the state."""
    return Observation(
        state.view(seat).for_player(), tuple(state.legal_actions(seat)), state.table_actions(seat)
    )


def check_readable(state: State, seat: Seat) -> None:
    """Refuse a game whose view a player in another process could not read. Raises `BadObservation`."""
    try:
        _unpack(encode(observe(state, seat)))
    except Exception as wrong:  # whatever somebody's view holds
        raise BadObservation(
            f"the view of {seat} can't be handed to a player ({wrong}); expected values of the game's"
            " package, or data (View.for_player)"
        ) from None


def encode(sight: Observation) -> str:
    """An observation as text."""
    return base64.b64encode(zlib.compress(pickle.dumps(tuple(sight), 5), 1)).decode()


def decode(text: str) -> Observation:
    """The sight that a text holds. Nothing but values of games is made of it. Raises `BadObservation`."""
    try:
        return _unpack(text)
    except (binascii.Error, zlib.error, pickle.UnpicklingError, EOFError, ValueError, TypeError) as wrong:
        raise BadObservation(
            f"{text[:40]!r} is no sight ({wrong}); expected what the verb sight answers"
        ) from None


def _unpack(text: str) -> Observation:
    unpacked = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), UNPACKED_MAX_BYTES)
    view, legal, table = _RestrictedUnpickler(io.BytesIO(unpacked)).load()
    return Observation(view, legal, table)


class _RestrictedUnpickler(pickle.Unpickler):
    """Makes values of games alone, whatever the text asks for."""

    def find_class(self, module: str, name: str) -> Any:
        """A class or a function of the rules, of this or of somebody's game."""
        if _is_game_module(module) and "." not in name:
            found = super().find_class(module, name)
            if _is_game_module(getattr(found, "__module__", "")):  # not what a game's module has imported
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a game")


@functools.lru_cache(maxsize=256)
def _is_game_module(module: str) -> bool:
    """Whether a module belongs to the rules, or to the package of an installed game."""
    from boardrules import registry

    roots = {
        entry.value.partition(":")[0].partition(".")[0]
        for entry in registry.installed_entry_points(registry.ENTRY_POINT_GROUP)
    }
    return module.partition(".")[0] in roots | {"boardrules"}
