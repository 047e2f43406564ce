"""`PYTHONPATH=tests python -m evenings GAME FIRST [END]`: play the evenings of these seeds, in virtual time.

Says what failed, with its seed; one seed alone is told in full. Ends with 1 if any failed.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from evenings import evening

SHARED = Path("/dev/shm")
"""Where files live in memory: nothing waits for a disk."""


def play(game: str, seed: int, games: int) -> tuple[int, str, str]:
    """The seed, the trace, and what was wrong; empty where nothing was."""
    folder = SHARED if SHARED.is_dir() else None
    with tempfile.TemporaryDirectory(dir=folder, prefix="evening-") as made:
        try:
            trace, done = evening.run(Path(made), evening.drawn(game, seed, games), seed)
        except Exception as wrong:
            return seed, "", f"{type(wrong).__name__}: {wrong}"
    return seed, f"{trace[:16]} {dict(done)}", ""


def main() -> int:
    parser = argparse.ArgumentParser(allow_abbrev=False, prog="evenings", description=__doc__)
    parser.add_argument("game", choices=evening.GAMES)
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int, nargs="?", help="one more than the last [FIRST + 1]")
    parser.add_argument("--games", type=int, default=3, help="games an evening [3]")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    seeds = range(given.first, given.end or given.first + 1)
    began, failed = time.monotonic(), 0
    with contextlib.ExitStack() as opened:
        way: Callable[..., Iterable[tuple[int, str, str]]] = map
        if given.jobs > 1:
            way = opened.enter_context(ProcessPoolExecutor(given.jobs)).map
        for seed, trace, wrong in way(partial(play, given.game, games=given.games), seeds):
            failed += bool(wrong)
            if wrong or len(seeds) == 1:
                told = wrong or trace
                print(f"{given.game} {seed}: {told if len(seeds) == 1 else told.splitlines()[0]}", flush=True)
    print(f"{len(seeds) - failed} of {len(seeds)} evenings are fine, in {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
