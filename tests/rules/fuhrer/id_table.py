"""Which tests prove each rule of docs/play/rules/fall-of-the-fuhrer.md, by the id of the rule.

    python tests/rules/fuhrer/id_table.py

prints the table.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from rules import id_table as shared  # noqa: E402

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
    return shared.found_in(HERE)


def main() -> None:
    print(shared.table(HERE, IDS, {}), end="")


if __name__ == "__main__":
    main()
