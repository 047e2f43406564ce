"""Many games of a match, over processes or a Dask cluster, each kept in a file as soon as it is over."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from boardlab.match.contest import GameResult, MatchPlan, contest
from boardlab.match.spent import ResourceUsage
from boardumpire.errors import BoardumpireError
from boardware.errors import install_hint

NICE = 10


class ResultsFile:
    """The file of a match: a head, then a line for each finished game. The head comes with the first game."""

    def __init__(self, path: Path | None, plan: MatchPlan) -> None:
        """Read the games of an earlier run.

        Raises `BoardumpireError` if the file holds another match, or if none can be made there.
        """
        self._path, self._head = path, _head(plan)
        self._empty = True
        self.games: dict[int, GameResult] = {}
        if path is None:
            return
        if path.exists() and path.stat().st_size:
            self._read(path)
            self._empty = False
        elif not os.access(path if path.exists() else path.parent, os.W_OK):
            raise BoardumpireError(f"{path}: it can't be written; try another path")

    def add(self, game: GameResult) -> None:
        """Store the result of one more game."""
        self.games[game.number] = game
        if self._path is None:
            return
        lines = [json.dumps(game._asdict())]
        if self._empty:
            lines.insert(0, json.dumps(self._head))
        with self._path.open("a") as out:
            out.writelines(f"{line}\n" for line in lines)
        self._empty = False

    def _read(self, path: Path) -> None:
        head, *lines = path.read_text("utf-8", "replace").split("\n")
        if _json(head) != json.loads(json.dumps(self._head)):
            raise BoardumpireError(
                f"{path}: line 1 is of another match, not {json.dumps(self._head)}; try a new file"
            )
        if lines and lines[-1]:  # it was ended while it wrote this
            path.write_text("\n".join([head, *lines[:-1], ""]))
            lines[-1] = ""
        for number, line in enumerate(lines, 2):
            if line:
                self._add_line(path, number, _json(line))

    def _add_line(self, path: Path, number: int, told: Any) -> None:
        try:
            spent = [ResourceUsage(*each) for each in told.pop("spent")]
            game = GameResult(**told, spent=(spent[0], spent[1]))
        except (AttributeError, KeyError, TypeError, IndexError):
            raise BoardumpireError(f"{path}: line {number} is no game of a match") from None
        self.games[game.number] = game


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _head(plan: MatchPlan) -> dict[str, Any]:
    return {"match": 1, **plan._asdict(), "options": dict(plan.options), "players": list(plan.players)}


def play_games(plan: MatchPlan, numbers: Sequence[int], jobs: int, dask: str | None) -> Iterator[GameResult]:
    """The games of these numbers, each when it is over. Raises `BoardumpireError`."""
    if dask is not None:
        yield from _play_on_cluster(plan, numbers, dask)
    elif jobs <= 1 or len(numbers) <= 1:
        for number in numbers:
            yield contest(plan, number)
    else:
        import multiprocessing

        # More processes than that only wait for each other.
        processes = min(jobs, len(numbers), 2 * (os.cpu_count() or 1))
        with multiprocessing.get_context("spawn").Pool(processes, os.nice, (NICE,)) as pool:
            yield from pool.imap_unordered(_Worker(plan), numbers)


class _Worker:
    """Plays games of one match."""

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan

    def __call__(self, number: int) -> GameResult:
        return contest(self.plan, number)


def _play_on_cluster(plan: MatchPlan, numbers: Iterable[int], address: str) -> Iterator[GameResult]:
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise BoardumpireError(f"--dask needs a library ({error}): {install_hint('cluster')}") from None
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise BoardumpireError(f"--dask {address}: {error}; try the address of a scheduler") from None
    with client:
        for done in as_completed(client.map(_Worker(plan), list(numbers), pure=False)):
            yield done.result()
            done.release()
