"""Learns where people stand which piece, and writes the table that players of Stratego go by.

    .venv/bin/python tests/players/learn_setups.py --games FOLDER

The folder holds set-ups of people as lines of JSON (`red_setup`, `blue_setup`: four rows of ten squares).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).resolve().parents[2] / "controller/rules/boardrules/stratego/players/setup_counts.py"
FILES = ("human_setups_barrage.jsonl", "human_setups_duel.jsonl", "human_gravon_classic.jsonl")
RANKS = ("F", "B", "S", "2", "3", "4", "5", "6", "7", "8", "9", "M")
SMOOTH = 2.0
"""How many pieces of each rank are added, spread evenly, so that nothing counts as impossible."""

Army = dict[tuple[int, int], str]
"""By row from the back and file the rank."""


def armies(folder: Path) -> Iterator[Army]:
    """Every army of the files, as its owner sees it."""
    for name in FILES:
        for line in (folder / name).read_text().splitlines():
            game = json.loads(line)
            red, blue = game["red_setup"], game["blue_setup"]
            for rows in (red, [row[::-1] for row in blue[::-1]]):
                yield {
                    (row, file): rank
                    for row, ranks in enumerate(rows)
                    for file, rank in enumerate(ranks)
                    if rank != "."
                }


def cell(row: int, file: int) -> tuple[int, int]:
    """A square of the zone with its mirror image: row from the back, files from the edge."""
    return row, min(file, 9 - file)


def learn(folder: Path) -> tuple[dict[str, list[list[int]]], float, int]:
    """By rank, row and file from the edge how many of 10 000 pieces stand there; how much likelier than by
    chance a bomb stands beside its flag; how many armies there were."""
    counts: dict[str, Counter[tuple[int, int]]] = {rank: Counter() for rank in RANKS}
    beside = expected = 0.0
    number = 0
    for army in armies(folder):
        number += 1
        for (row, file), rank in army.items():
            counts[rank][cell(row, file)] += 1
        flag = next(at for at, rank in army.items() if rank == "F")
        bombs = [at for at, rank in army.items() if rank == "B"]
        near = [(flag[0] + dy, flag[1] + dx) for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        near = [(row, file) for row, file in near if 0 <= row < 4 and 0 <= file < 10]
        beside += sum(at in near for at in bombs)
        expected += len(bombs) * len(near) / 39
    table = {}
    for rank, found in counts.items():
        whole = sum(found.values())
        table[rank] = [
            [round(10_000 * (found[row, edge] + SMOOTH / 20) / (whole + SMOOTH)) for edge in range(5)]
            for row in range(4)
        ]
    return table, beside / expected, number


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__)
    parser.add_argument("--games", type=Path, required=True)
    table, near, number = learn(parser.parse_args().games)
    lines = [
        '"""Where people stand which piece: learnt by tests/players/learn_setups.py, not written by hand.',
        "",
        f"Counts of {number} armies of people on 10x10, by square. No army can be told from them.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping",
        "from typing import Final",
        "",
        f"BOMB_BESIDE_FLAG_FACTOR: Final = {near:.2f}",
        '"""How many times likelier than by chance a bomb stands beside its flag."""',
        "",
        "COUNTS_BY_RANK: Final[Mapping[str, tuple[tuple[int, ...], ...]]] = {",
        *[
            f'    "{"10" if rank == "M" else rank}": ({", ".join(str(tuple(row)) for row in rows)}),'
            for rank, rows in table.items()
        ],
        "}",
        '"""By rank, row from the back and file from the edge: how many of 10 000 pieces stand there."""',
    ]
    TARGET.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
