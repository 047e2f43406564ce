"""A whole position as text: the game with its options, then what led there, an action a line.

    stratego-quick-duel {"announce":"silent"}
    red setup a1=F ...
    blue ?
    red a3-a4

That is a notation which every game has for nothing, and which reads back to an equal state, repetitions and
take-backs included. `?` stands for what a seat may not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from boardrules import registry
from boardrules.core import Action, Seat, State

HIDDEN_ACTION = "?"
PLAYERS_OPTION = "players"


class BadPosition(ValueError):  # noqa: N818
    """A text that is no position; the message names the line and what was expected."""


class ParsedPosition(NamedTuple):
    """What such a text says."""

    game: str
    options: Mapping[str, Any]
    actions: tuple[tuple[Seat, str], ...]


def write(start: State, actions: Iterable[Action], seat: Seat | None = None, *, whole: bool = False) -> str:
    """The position after these actions, as `seat` may know it (`None`: as everybody may), or the `whole` of
    it."""
    usual = registry.new(start.game_id).options
    options = {}
    if usual.get(PLAYERS_OPTION) != start.options.get(PLAYERS_OPTION):  # some defaults go by how many play
        options[PLAYERS_OPTION] = start.options[PLAYERS_OPTION]
        usual = registry.new(start.game_id, options).options
    options |= {name: value for name, value in start.options.items() if usual.get(name) != value}
    head = start.game_id if not options else f"{start.game_id} {json.dumps(options, separators=(',', ':'))}"
    lines = [head]
    for action in actions:
        known = whole or not action.secret or action.seat == seat
        lines.append(f"{action.seat} {action if known else HIDDEN_ACTION}")
    return "\n".join(lines)


def read(text: str) -> ParsedPosition:
    """What a text says; whether it can be played isn't looked at. Raises `BadPosition`."""
    head, *rest = text.strip().split("\n")
    game, _, options = head.strip().partition(" ")
    try:
        read_options = json.loads(options) if options.strip() else {}
    except (ValueError, RecursionError):
        raise BadPosition(f"line 1: {options[:60]!r} is not JSON; expected the options of the game") from None
    if not isinstance(read_options, dict):
        raise BadPosition(f"line 1: {options[:60]!r} is no object; expected the options of the game")
    actions = []
    for number, line in enumerate(rest, 2):
        seat, _, words = line.strip().partition(" ")
        if not words:
            raise BadPosition(f"line {number}: {line[:60]!r}; expected a seat and its action")
        if words == HIDDEN_ACTION:
            raise BadPosition(f"line {number}: what {seat[:20]} did is hidden here; expected its text")
        actions.append((Seat(seat), words))
    return ParsedPosition(game, read_options, tuple(actions))
