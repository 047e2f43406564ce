"""Which tests prove each rule of docs/play/rules/stratego.md, by the id of the rule.

    python tests/rules/id_table.py

prints the table. The tests are found by their marks, `@rule("Q12", "T1")`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "play" / "rules" / "stratego.md"

OPTIONS = [
    "shuttle",
    "shuttle_attack",
    "shuttle_scout",
    "shuttle_responder",
    "chase",
    "chase_undo_exception",
    "no_move",
    "spy_vs_spy",
    "reveal_after_battle",
    "setup_mask",
    "quiet_limit",
    "announce",
    "players",
]
IDS = [
    *(f"B{n}" for n in range(1, 7)),
    *(f"Q{n:02}" for n in range(1, 28)),
    *(f"V{n}" for n in range(1, 4)),
    *(f"I{n}" for n in range(1, 18)),
    *(f"E{n}" for n in range(1, 7)),
    *(f"T{n}" for n in range(1, 9)),
    *(f"G{n}" for n in range(1, 9)),
    *(f"D{n}" for n in range(1, 29)),
    *OPTIONS,
]

_BACKGROUND = "background of the exact definitions I10 to I17, which are tested"
_NO_EFFECT = "a difference of wording that changes nothing on the board"
REASONS = {
    "B6": "says which other boards these are not",
    **{f"I{n}": _BACKGROUND for n in range(1, 10)},
    **{f"D{n}": _NO_EFFECT for n in (8, 10, 13, 14, 17, 18, 19, 20, 21, 22, 24, 25, 26, 28)},
}
"""Ids that need no test, and why."""


def marked(file: Path) -> Iterator[tuple[str, str]]:
    """(id, test) for every `@rule` in a file."""
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.FunctionDef):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "rule":
                for argument in mark.args:
                    assert isinstance(argument, ast.Constant)
                    yield (
                        str(argument.value),
                        f"{file.stem.removeprefix('test_')}: {node.name.removeprefix('test_')}",
                    )


def tests() -> dict[str, list[str]]:
    """Id -> its tests, of Stratego."""
    return found_in(HERE)


def found_in(folder: Path) -> dict[str, list[str]]:
    """Id -> its tests in a folder, in the order of files and lines."""
    found: dict[str, list[str]] = {}
    for file in sorted(folder.glob("test_*.py")):
        for rule, test in marked(file):
            found.setdefault(rule, []).append(test)
    return found


def rows(folder: Path, ids: Iterable[str], reasons: Mapping[str, str]) -> Iterator[str]:
    found = found_in(folder)
    yield "| id | proved by |"
    yield "|---|---|"
    for rule in ids:
        proof = "<br>".join(test.replace("_", " ") for test in found.get(rule, ()))
        yield f"| {rule} | {proof or f'no test: {reasons[rule]}'} |"


def table(folder: Path = HERE, ids: Iterable[str] = IDS, reasons: Mapping[str, str] = REASONS) -> str:
    return "".join(f"{row}\n" for row in rows(folder, ids, reasons))


def main() -> None:
    print(table(), end="")


if __name__ == "__main__":
    main()
