"""The playthrough of a whole game of simple players, written so that people can read it.

    python tests/rules/colditz/playthrough.py

writes `playthrough.txt` anew. All that happened stands there with who was told; at the beginning of every
turn stands what has changed in the truth and for each seat.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILE = HERE / "playthrough.txt"
sys.path.insert(0, str(HERE.parent.parent))

from boardrules.colditz.games import Colditz  # noqa: E402
from rules import playthrough  # noqa: E402
from rules.colditz.test_whole_games import simple  # noqa: E402

PLAYERS = 4
OPTIONS = {"rounds": 6, "start_kits": False, "common_target": 2, "draw_on": "classic-3-7-11"}


def lines() -> Iterator[str]:
    rng = random.Random(PLAYERS)
    state: Any = Colditz().new({"players": PLAYERS, **OPTIONS})
    before: dict[str, dict[str, Any]] = {}
    yield f"# {state.game_id} with {PLAYERS} players, simple ones"
    yield f"options: {dict(state.options)}"
    news = True
    while True:
        if news or state.outcome is not None:
            yield ""
            yield from playthrough.pictures(state, before)
        if state.outcome is not None:
            return
        action = simple(state, rng)
        yield f"## {action.seat} {action}"
        state, events = state.apply(action)
        yield from (playthrough.told(event) for event in events)
        news = any(event.kind == "turn" for event in events)


def text() -> str:
    return "".join(f"{line}\n" for line in lines())


if __name__ == "__main__":
    FILE.write_text(text())
