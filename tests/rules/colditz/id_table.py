"""Which tests prove each rule of docs/play/rules/escape-from-colditz.md, by the id of the rule.

    python tests/rules/colditz/id_table.py

prints the table.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from rules import id_table as shared  # noqa: E402

PAGE = HERE.parent.parent.parent / "docs" / "play" / "rules" / "escape-from-colditz.md"

OPTIONS = [
    "rounds", "start_kits", "common_target", "draw_on", "safe_area", "search", "pawns_block",
    "marker_passage", "tunnel_arrest", "doubling_back", "do_or_die",
]  # fmt: skip
_R = (
    (1, 6), (10, 19), (20, 26), (30, 45), (50, 54), (60, 68), (70, 77), (80, 89), (90, 96), (100, 104),
    (110, 122), (130, 135), (140, 146), (150, 152), (160, 164),
)  # fmt: skip
IDS = [
    *(f"R{n:03}" for first, last in _R for n in range(first, last + 1)),
    *(f"A{n}" for n in range(1, 24)),
    *(f"G{n}" for n in range(1, 23)),
    *OPTIONS,
]
REASONS = {
    "R020": "says what the players want, which no action can break",
    "R023": "says that the legend of the board counts as rules; its rules have ids of their own",
}
"""Ids that need no test, and why."""


def tests() -> dict[str, list[str]]:
    """Id -> its tests, in the order of files and lines."""
    return shared.found_in(HERE)


def main() -> None:
    print(shared.table(HERE, IDS, REASONS), end="")


if __name__ == "__main__":
    main()
