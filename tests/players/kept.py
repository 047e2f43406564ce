"""Games that take long are kept in build/, and whoever plays them again goes on from there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
Game = TypeVar("Game", bound=tuple[object, ...])


def kept(
    name: str, numbers: Iterable[int], play: Callable[[int], Game], read: Callable[..., Game]
) -> Iterator[Game]:
    """The games of these numbers, those that are missing played. `name` says what they hang on: with other
    sources it is another one. `read` makes a game of its fields again."""
    path = ROOT / "build/matches" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    if lines and lines[-1][-1] != "\n":  # it was ended while it wrote this
        path.write_text("".join(lines := lines[:-1]))
    games = {number: read(*game) for number, *game in map(json.loads, lines)}
    for number in numbers:
        if number not in games:
            games[number] = play(number)
            with path.open("a") as out:
                out.write(json.dumps([number, *games[number]]) + "\n")
        yield games[number]
