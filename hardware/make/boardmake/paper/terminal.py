"""A board in letters."""

from __future__ import annotations

from boardware.parts import BoardDescription


def board_as_text(board: BoardDescription, width: int = 100) -> str:
    """A board in letters: spaces by their ids where there is room, `#` where there is none; `*` is a lamp of
    no space, `o` a button."""
    wide, high = board.size
    rows = max(8, round(width * high / wide / 2.1))
    grid = [[" "] * width for _ in range(rows)]

    def put(x: float, y: float, text: str) -> None:
        row = min(rows - 1, max(0, int((high - y) / high * rows)))
        column = min(width - 1, max(0, int(x / wide * width)))
        first = max(0, min(width - len(text), column - len(text) // 2))
        if any(sign not in " .·" for sign in grid[row][first : first + len(text)]):
            text, first = "#", column
        grid[row][first : first + len(text)] = text

    for one, other in board.lines:
        a, b = board.spaces[one].position, board.spaces[other].position
        for step in range(1, 12):
            put(a.x + (b.x - a.x) * step / 12, a.y + (b.y - a.y) * step / 12, "·")
    for x, y in board.named_lamps.values():
        put(x, y, "*")
    for button in board.buttons.values():
        put(button.position.x, button.position.y, "o")
    for space in board.spaces.values():
        put(space.position.x, space.position.y, space.id)
    edge = "+" + "-" * width + "+"
    return "\n".join([edge, *(f"|{''.join(row)}|" for row in grid), edge])
