"""Draws the rooms of the daemon and who stands on whom: `python -m tests.house.rooms`.

The floors are those of the import-linter contract in pyproject.toml. The lines are the imports, but for those
that a longer way says already. The words are the docstrings of the rooms.
"""

from __future__ import annotations

import ast
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
HOUSE = ROOT / "controller" / "boardumpire"
BELOW = {"boardrules": "the rules", "boardware": "the hardware", "boardwire": "the wire"}

WIDTH, FLOOR, BOX_W, BOX_H, TOP = 1080, 110, 250, 72, 24


def floors() -> list[list[str]]:
    """The rooms of each floor, from top to bottom; last what the daemon stands on."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each.get("containers") == ["boardumpire"])
    rooms = [[room.strip() for room in layer.split(":")] for layer in layers]
    found = [[room for room in floor if (HOUSE / room).is_dir()] for floor in rooms]
    return [*filter(None, found), list(BELOW)]


def purpose(room: str) -> list[str]:
    """What a room is for, in lines that its box holds."""
    text = BELOW.get(room) or ast.get_docstring(ast.parse((HOUSE / room / "__init__.py").read_text())) or ""
    return textwrap.wrap(text.partition("\n")[0].partition(". ")[0].rstrip("."), 36)


def imported(path: Path) -> Iterator[str]:
    """The rooms and packages that a module imports from."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            yield rest.partition(".")[0] if package == "boardumpire" else package


def direct(edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Those of the edges that no longer way says already."""

    def reached(here: str) -> set[str]:
        found: set[str] = set()
        for start, there in edges:
            if start == here:
                found |= {there} | reached(there)
        return found

    return {
        (here, there)
        for here, there in edges
        if not any(there in reached(other) for start, other in edges if start == here and other != there)
    }


def draw() -> str:
    """The picture as SVG."""
    rows = floors()
    place: dict[str, tuple[int, int]] = {}
    edges: set[tuple[str, str]] = set()
    for level, rooms in enumerate(rows):
        for number, room in enumerate(rooms):
            x = WIDTH * (number + 1) // (len(rooms) + 1)
            place[room] = x, TOP + level * FLOOR
    for room in place.keys() - BELOW.keys():
        paths = sorted((HOUSE / room).rglob("*.py"))
        edges |= {(room, other) for path in paths for other in imported(path) if other != room}
    edges = direct({(here, there) for here, there in edges if there in place})
    height = TOP + len(rows) * FLOOR
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">',
        "<title>The rooms of the daemon; a line leads from a room to one that it imports from</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for here, there in sorted(edges):
        (x1, y1), (x2, y2) = place[here], place[there]
        bend = f"C {x1} {y1 + BOX_H + 30}, {x2} {y2 - 30}, {x2} {y2}"
        lines.append(f'<path d="M {x1} {y1 + BOX_H} {bend}" fill="none" stroke="#567" stroke-width="1.5"/>')
    for room, (x, y) in place.items():
        colour = "#eef3e2" if room in BELOW else "#e4eef7"
        lines += [
            f'<rect x="{x - BOX_W // 2}" y="{y}" width="{BOX_W}" height="{BOX_H}" rx="6" fill="{colour}" '
            'stroke="#456"/>',
            f'<text x="{x}" y="{y + 20}" text-anchor="middle" font-size="16" fill="#123">{room}</text>',
            *(
                f'<text x="{x}" y="{y + 37 + 14 * row}" text-anchor="middle" font-size="12" '
                f'fill="#456">{line}</text>'
                for row, line in enumerate(purpose(room))
            ),
        ]
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(draw())
    print(f"wrote {PICTURE.relative_to(ROOT)}")
