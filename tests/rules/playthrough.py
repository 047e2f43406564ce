"""Playthroughs: one random game of some games, written so that people can read it.

Every turn shows the truth and what each seat and the spectator see. That all games stay the same is what
`house.same_games` tells, as a hash; these say what became different. After a change that is meant, write them
anew and read the difference:

    python tests/rules/playthrough.py
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "playthroughs"
sys.path.insert(0, str(FOLDER.parent.parent))

import boardrules  # noqa: E402
from boardrules.core import Event, State  # noqa: E402
from rules import contract, toy  # noqa: E402

SHOWN = ("stratego-quick-duel", "fall-of-the-fuhrer")
GAMES = {**{name: boardrules.games()[name] for name in SHOWN}, "toy": toy.Toy()}

TURNS = 40
WHOLE = {"fall-of-the-fuhrer"}
"""Games that are shown to their end."""
SEED = 11


def diagram(shown: dict[str, Any], size: int) -> list[str]:
    """A board as lines: Red's pieces as they are written, Blue's with a tick before."""
    lines = []
    for rank in range(size, 0, -1):
        signs = []
        for file in "abcdefghij"[:size]:
            piece = shown["board"].get(f"{file}{rank}")
            sign = "." if piece is None else piece["rank"].replace("10", "M")
            signs.append(("'" if piece and piece["seat"] == "blue" else " ") + sign)
        lines.append(f"{rank:>2}" + "".join(signs))
    return [*lines, "   " + " ".join("abcdefghij"[:size])]


def rest(shown: dict[str, Any]) -> str:
    """What no diagram shows, without what never changes; of the battles only the last."""
    left = {
        name: value
        for name, value in shown.items()
        if name not in ("board", "options", "army", "game", "seat")
    }
    if "battles" in left:
        left["battles"] = left["battles"][-1:]
    return json.dumps(left)


def pictures(state: State, before: dict[str, dict[str, Any]] | None) -> Iterator[str]:
    """What everybody sees; of a whole game (`before`: what was seen last) only what has changed."""
    seen = {
        "truth": state.truth(),
        **{seat or "spectator": state.view(seat).json() for seat in (*state.seats, None)},
    }
    boards = {name: shown for name, shown in seen.items() if isinstance(shown.get("board"), dict)}
    if boards:
        size = 8 if "quick" in state.game_id else 10
        drawn = [diagram(shown, size) for shown in boards.values()]
        yield "    ".join(f"{name:<{2 * size + 2}}" for name in boards).rstrip()
        for row in zip(*drawn, strict=True):
            yield "    ".join(f"{part:<{2 * size + 2}}" for part in row).rstrip()
    public = {} if boards else state.view(None).json()
    for name, shown in seen.items():
        # Without a board to draw there is much that everybody sees: it is said once, for the spectator.
        own = name == "spectator"
        said = {
            key: value for key, value in shown.items() if own or key not in public or public[key] != value
        }
        if before is not None:
            old = before.get(name, {})
            before[name] = said
            said = {key: value for key, value in said.items() if key not in old or old[key] != value}
        if said or before is None:
            yield f"{name}: {rest(said)}"


def told(event: Event) -> str:
    to = "everybody" if event.audience is None else ", ".join(sorted(event.audience))
    return f"{event.kind} {json.dumps(dict(event.data))} to {to}"


def played(state: State) -> Iterator[str]:
    """The lines of a playthrough from a first state on."""
    rng = random.Random(SEED)
    turns = 1000 if state.game_id in WHOLE else TURNS
    before: dict[str, dict[str, Any]] | None = {} if state.game_id in WHOLE else None
    yield f"# {state.game_id}, seed {SEED}, {turns} turns at most"
    yield f"options: {json.dumps(dict(state.options))}"
    for turn in range(turns):
        yield ""
        yield from pictures(state, before)
        if state.outcome is not None:
            return
        for seat in state.seats_to_act():
            actions = [str(action) for action in state.legal_actions(seat)]
            shown = actions if len(actions[0]) < 20 else [*actions[:2], "..."]
            yield f"{seat} may: {' | '.join(shown)}"
        hands = (f"{step.origin}{'x' if step.attack else '-'}{step.target}" for step in state.steps())
        yield f"steps: {' '.join(hands)}".rstrip()
        action = contract.choose(state, rng)
        yield ""
        yield f"## {turn + 1}: {action.seat} {action}"
        state, events = state.apply(action)
        yield from (told(event) for event in events)


def text(state: State) -> str:
    return "".join(f"{line}\n" for line in played(state))


def main() -> None:
    for game_id, game in GAMES.items():
        (FOLDER / f"{game_id}.txt").write_text(text(game.new({})))


if __name__ == "__main__":
    main()
