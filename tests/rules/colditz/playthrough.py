"""Playthroughs of whole games of simple players, written so that people can read them.

    python tests/rules/colditz/playthrough.py

writes `playthroughs/` anew. All that happened stands there with who was told; at the beginning of every turn
stands what has changed in the truth and for each seat.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FOLDER = HERE / "playthroughs"
sys.path.insert(0, str(HERE.parent.parent))

from boardrules.colditz.games import Colditz  # noqa: E402
from rules import playthrough  # noqa: E402
from rules.colditz.test_whole_games import simple  # noqa: E402

PLAYERS = (2, 4, 6)
OPTIONS: dict[int, dict[str, Any]] = {
    2: {"rounds": 12},
    4: {"rounds": 6, "start_kits": False, "common_target": 2, "draw_on": "classic-3-7-11"},
    6: {"rounds": 6, "do_or_die": "classic"},
}


def lines(players: int) -> Iterator[str]:
    rng = random.Random(players)
    state: Any = Colditz().new({"players": players, **OPTIONS[players]})
    before: dict[str, dict[str, Any]] = {}
    yield f"# {state.game_id} with {players} players, simple ones"
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


def text(players: int) -> str:
    return "".join(f"{line}\n" for line in lines(players))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for players in PLAYERS:
        (FOLDER / f"{players}.txt").write_text(text(players))


if __name__ == "__main__":
    main()
