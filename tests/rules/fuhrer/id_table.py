"""The table in docs/play/rules/fall-of-the-fuhrer.md that maps every rule id to the tests that prove it.

    python tests/rules/fuhrer/id_table.py

writes it anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from rules.id_table import BEGIN, END, marked  # noqa: E402

PAGE = HERE.parent.parent.parent / "docs" / "play" / "rules" / "fall-of-the-fuhrer.md"

OPTIONS = [
    "first_round", "start_cities", "allied_split", "tank_roll", "liberation", "recapture", "trapped",
    "flight", "one_flight_a_turn", "flight_tells", "spy_questions",
]  # fmt: skip
IDS = [
    *(f"F{n:02}" for n in range(1, 23)),
    *(f"X{n}" for n in range(1, 23) if n not in (6, 20)),
    *(f"G{n}" for n in range(1, 28) if n != 15),
    *(f"H{n}" for n in range(1, 7)),
    *(f"T{n}" for n in range(1, 19)),
    *OPTIONS,
]


def tests() -> dict[str, list[str]]:
    """Id -> its tests, in the order of files and lines."""
    found: dict[str, list[str]] = {}
    for file in sorted(HERE.glob("test_*.py")):
        for rule, test in marked(file):
            found.setdefault(rule, []).append(test)
    return found


def rows() -> Iterator[str]:
    found = tests()
    yield "| id | proved by |"
    yield "|---|---|"
    for rule in IDS:
        yield f"| {rule} | {'<br>'.join(test.replace('_', ' ') for test in found.get(rule, ()))} |"


def table() -> str:
    return "".join(f"{row}\n" for row in rows())


def main() -> None:
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + BEGIN + table() + END + after)


if __name__ == "__main__":
    main()
