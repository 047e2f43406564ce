"""Draws timelines of hand scripts as they run in the simulator: `python -m tests.table.timelines`.

Each picture in docs/understand/images is one scene of a script in tests/hands: what the reeds felt, what
the lamps showed and what the umpire said, over time.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))

from boardsim.script.script import ScriptCommand  # noqa: E402
from boardumpire.makers.traces import timeline  # noqa: E402
from boardware.ports import MS  # noqa: E402
from table.rows import HANDS, Run, read_row  # noqa: E402

IMAGES = ROOT / "docs" / "understand" / "images"


class Picture(NamedTuple):
    """What is drawn."""

    row: str
    scene: int
    squares: tuple[str, ...]
    title: str
    lasts: int = 6000
    """Milliseconds."""


PICTURES = (
    Picture("move", 2, ("h3", "h4"), "A move: lifted, set down, still for the settle time, ruled", 2200),
    Picture("touch", 5, ("h4", "h5"), "A touch: the other piece dips, the attacker is held there", 5600),
    Picture("attack", 4, ("h4", "h5"), "An attack, and the corrections after it", 4600),
    Picture("early-on-chore", 6, ("h4", "h5", "h6"), "An early reply on the square of a correction", 9000),
    Picture("out-of-turn", 2, ("h5", "h6"), "A move out of turn is led back", 5200),
    Picture("swapped", 2, ("e3", "h3"), "Two pieces that may have been swapped", 8000),
)


class Trace(NamedTuple):
    """A scene as it ran, in milliseconds from its beginning."""

    reeds: dict[str, list[tuple[int, bool]]]
    lamps: dict[str, list[tuple[int, str]]]
    told: list[tuple[int, str]]


def trace(picture: Picture) -> Trace:
    """Run the script and keep what happened in the scene."""
    row = read_row(HANDS / f"{picture.row}.hands")
    with tempfile.TemporaryDirectory() as folder:
        run = Run(row, Path(folder) / "journal.db")
        run.bench.start()
        for scene in row.scenes[: picture.scene]:
            run.play(scene)
        reeds: dict[str, list[tuple[int, bool]]] = {square: [] for square in picture.squares}
        began, lines = run.bench.now, len(run.log)

        def look(now: int) -> None:
            present = run.bench.table.ports.sensors.present()  # type: ignore[union-attr]
            for square, found in reeds.items():
                if not found or found[-1][1] != (square in present):
                    found.append(((now - began) // MS, square in present))

        look(began)
        turned = run.bench.runner._turned
        run.bench.runner._turned = lambda now: (turned(now), look(now))[0]
        for each in row.scenes[picture.scene]:
            if isinstance(each, ScriptCommand):
                run.stage.do(each)
        run.bench.close()
        return _sorted(picture, reeds, [json.loads(line) for line in run.log[lines - 1 :]], began // MS)


def _sorted(picture: Picture, reeds: Any, told: list[Any], began: int) -> Trace:
    lamps: dict[str, list[tuple[int, str]]] = {square: [] for square in picture.squares}
    said: list[tuple[int, str]] = []
    for line in told:
        at = max(0, line["t"] - began)
        if line["kind"] == "lamps":
            for square, found in lamps.items():
                lit = line["on"].get(square, "")
                if not found or found[-1][1] != lit:
                    found.append((at, lit))
        elif line["t"] >= began and (words := timeline.message_summary(line["kind"], line)):
            said.append((at, words))
    return Trace(reeds, lamps, said)


def draw(picture: Picture) -> str:
    """One picture as SVG."""
    found = trace(picture)
    return timeline.draw_timeline(
        timeline.Timeline(picture.title, found.reeds, found.lamps, found.told, picture.lasts)
    )


def main() -> None:
    for picture in PICTURES:
        path = IMAGES / f"tracker-{picture.row}.svg"
        path.write_text(draw(picture))
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
