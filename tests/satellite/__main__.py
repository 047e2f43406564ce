"""`PYTHONPATH=tests python -m satellite GAME FIRST [END]`: evenings at several boards, in virtual time.

Says what failed, with its seed; one seed alone is told in full. Ends with 1 if any failed.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from satellite import evening

SHARED = Path("/dev/shm")
"""Where files live in memory: nothing waits for a disk."""


def main() -> int:
    parser = argparse.ArgumentParser(allow_abbrev=False, prog="satellite", description=__doc__)
    parser.add_argument("game", choices=evening.GAMES)
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int, nargs="?", help="one more than the last [FIRST + 1]")
    parser.add_argument("--boards", type=int, default=2, choices=(2, 3))
    parser.add_argument("--profile", default="clumsy", choices=evening.PROFILES)
    parser.add_argument("--actions", type=int, default=evening.ACTIONS_MAX, help="at most, an evening")
    given = parser.parse_args()
    seeds = range(given.first, given.end or given.first + 1)
    logging.disable(logging.WARNING if len(seeds) > 1 else logging.NOTSET)
    failed, done, began = [], Counter[str](), time.monotonic()
    for seed in seeds:
        plan = evening.drawn(given.game, given.boards, given.profile, seed, given.actions)
        with tempfile.TemporaryDirectory(dir=SHARED if SHARED.is_dir() else None, prefix="homes-") as made:
            try:
                done += evening.run(Path(made), plan, seed)
            except Exception as wrong:
                failed.append(seed)
                told = f"{type(wrong).__name__}: {wrong}"
                if len(seeds) == 1:
                    raise
                print(f"{given.game} {seed}: {told.splitlines()[0][:300]}", flush=True)
        if sys.stderr.isatty():
            print(f"\r{seed}", end="", file=sys.stderr)
    print(
        f"{len(seeds) - len(failed)} of {len(seeds)} evenings are fine, in {time.monotonic() - began:.0f} s; "
        f"{dict(done)}; failed {failed}"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
