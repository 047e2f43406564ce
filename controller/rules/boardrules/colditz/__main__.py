"""`python -m boardrules.colditz check|draw|cards [FILE]`: for owners who enter a board or decks of their own.

Without a file it is about those that come with the game. What is wrong goes to standard error, one a line.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from boardrules import svg
from boardrules.colditz.castle import check, face
from boardrules.colditz.castle.board import CastleBoard
from boardrules.colditz.castle.datafile import SHIPPED_FOLDER, DataError, read_text
from boardrules.colditz.castle.plan import read_plan
from boardrules.colditz.deck.cards import read_cards

USAGE: Final = "usage: python -m boardrules.colditz check|draw|cards [FILE]"


def main(arguments: list[str]) -> int:
    """0 if all is well, 1 for a file that can't be used, 2 for a wrong call."""
    if len(arguments) not in (1, 2) or arguments[0] not in ("check", "draw", "cards"):
        print(USAGE, file=sys.stderr)
        return 2
    what = arguments[0]
    shipped = SHIPPED_FOLDER / ("cards.toml" if what == "cards" else "castle.toml")
    path = Path(arguments[1]) if len(arguments) > 1 else shipped
    try:
        lines = _card_lines(path) if what == "cards" else _board_lines(path, what)
    except DataError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


def _card_lines(path: Path) -> list[str]:
    cards = read_cards(read_text(path), str(path))
    return [
        f"{card.copies} x {card.deck} {card.id}{' (invented)' if card.invented else ''}: {card.title}"
        for card in cards.cards
    ]


def _board_lines(path: Path, what: str) -> list[str]:
    made = CastleBoard(read_plan(read_text(path), str(path)))
    wrong = check.problem_lines(made)
    if wrong:
        raise DataError("\n".join(wrong))
    return check.fact_lines(made) if what == "check" else [_board_svg(made).rstrip()]


def _board_svg(made: CastleBoard) -> str:
    wide, high = made.plan.size
    return svg.svg(face.face_shapes(made), wide, high, made.plan.title)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
