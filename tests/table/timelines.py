"""Draws timelines of hand scripts as they run in the simulator: `python -m tests.table.timelines`.

Each picture in docs/images/tracker-*.svg is one scene of a script in tests/hands: what the reeds felt, what
the lamps showed and what the umpire said, over time.
"""

from __future__ import annotations

import json
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))

from boardsim.script import Command  # noqa: E402
from boardware.ports import MS  # noqa: E402
from table.rows import HANDS, Run, read_row  # noqa: E402

IMAGES = ROOT / "docs" / "images"


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
    Picture("attack", 4, ("h4", "h5"), "An attack, and the chores it leaves", 4600),
    Picture("early-on-chore", 6, ("h4", "h5", "h6"), "An early reply on the square of a chore", 9000),
    Picture("out-of-turn", 2, ("h5", "h6"), "A move out of turn is led back", 5200),
    Picture("swapped", 2, ("e3", "h3"), "Two pieces that may have been swapped", 8000),
)
WIDTH, LEFT, RIGHT, STEP = 860, 70, 20, 34
HALO = 'stroke="#ffffff" stroke-width="4" paint-order="stroke"'
COLOURS = {"white": "#d8d8d8", "green": "#2f9e44", "red": "#e03131", "blue": "#1c7ed6", "amber": "#f08c00"}
WHITE = COLOURS["white"]
INK, PALE, GROUND = "#1f2328", "#d0d7de", "#ffffff"


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
            if isinstance(each, Command):
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
        elif line["t"] >= began and (words := _words(line)):
            said.append((at, words))
    return Trace(reeds, lamps, said)


def _words(line: dict[str, Any]) -> str:
    match line["kind"]:
        case "ruling":
            results = [event["result"] for event in line["events"] if event["kind"] == "battle"]
            stands = {
                "attacker": "the attacker stands",
                "defender": "the defender stands",
                "both": "both fall",
            }
            return f"ruled: {line['action']}" + "".join(f", {stands[result]}" for result in results)
        case "fault" | "question":
            return f"{line['kind']}: {line['code']}"
        case "chores":
            return ", ".join(f"{chore['do']} {chore['space']}" for chore in line["chores"]) or "in order"
        case "turn":
            return f"turn of {' and '.join(line['to_act'])}"
    return ""


def draw(picture: Picture) -> str:
    """One picture as SVG."""
    found = trace(picture)
    told: dict[int, list[str]] = {}
    for at, words in found.told:
        told.setdefault(at, []).append(words)
    rows = 2 * len(picture.squares)
    bottom = 44 + rows * STEP
    height = bottom + 26 + 17 * sum(map(len, told.values())) + 12

    def x(ms: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * min(ms, picture.lasts) / picture.lasts, 1)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH}" height="{height}"'
        f' font-family="system-ui, sans-serif" font-size="12" fill="{INK}">',
        f"<title>{escape(picture.title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="{GROUND}"/>',
        f'<text x="12" y="22" font-size="15" font-weight="600">{escape(picture.title)}</text>',
    ]
    for second in range(picture.lasts // 1000 + 1):
        at = x(second * 1000)
        out.append(f'<line x1="{at}" y1="34" x2="{at}" y2="{bottom}" stroke="{PALE}" stroke-width="0.6"/>')
        out.append(f'<text x="{at}" y="{bottom + 13}" text-anchor="middle" fill="#57606a">{second} s</text>')
    for number, square in enumerate(picture.squares):
        y = 44 + 2 * number * STEP
        out.append(f'<text x="12" y="{y + 16}">reed {square}</text>')
        out.append(f'<text x="12" y="{y + STEP + 13}">lamp {square}</text>')
        out += _reed(found.reeds[square], y, x, picture.lasts)
        out += _lamp(found.lamps[square], y + STEP, x, picture.lasts)
    y = bottom + 32
    for at, lines in told.items():
        if at > picture.lasts:
            continue
        out.append(
            f'<line x1="{x(at)}" y1="34" x2="{x(at)}" y2="{y + 4}" stroke="{INK}" stroke-dasharray="2 3"/>'
        )
        for words in lines:
            right = x(at) > WIDTH - 260
            end = ' text-anchor="end"' if right else ""
            out.append(f'<text x="{x(at) + (-5 if right else 5)}" y="{y}"{end} {HALO}>{escape(words)}</text>')
            y += 17
    return "\n".join([*out, "</svg>", ""])


def _reed(changes: list[tuple[int, bool]], y: float, x: Any, lasts: int) -> list[str]:
    path, level = "", None
    for at, present in changes:
        height = y + (4 if present else 20)
        path += f"M{x(at)} {height}" if level is None else f"H{x(at)}V{height}"
        level = height
    return [f'<path d="{path}H{x(lasts)}" fill="none" stroke="{INK}" stroke-width="1.8"/>']


def _lamp(changes: list[tuple[int, str]], y: float, x: Any, lasts: int) -> list[str]:
    out = [f'<line x1="{x(0)}" y1="{y + 9}" x2="{x(lasts)}" y2="{y + 9}" stroke="{PALE}"/>']
    for (at, lit), until in zip(changes, [*(at for at, _ in changes[1:]), lasts], strict=True):
        if lit and at < lasts:
            wide = round(x(until) - x(at), 1)
            colour = COLOURS[lit.split()[0]]
            out.append(f'<rect x="{x(at)}" y="{y}" width="{wide}" height="18" rx="3" fill="{colour}"/>')
            if wide > 6.2 * len(lit):
                ink = INK if colour == WHITE else GROUND
                out.append(f'<text x="{x(at) + 5}" y="{y + 13}" fill="{ink}" font-size="11">{lit}</text>')
    return out


def main() -> None:
    for picture in PICTURES:
        path = IMAGES / f"tracker-{picture.row}.svg"
        path.write_text(draw(picture))
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
