"""Draws a board as text: lamps under the squares, pieces upon them. Pure: the same facts, the same picture.

A square is lit by the colour that its lamp was sent; a piece is a tile in its owner's colour that hides the
middle of the square. Whose labels can be read is the caller's choice: the backs of the others are blank.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from boardsim.world.copper import RGB
from boardsim.world.world import Piece
from boardware.parts import Board
from boardware.ports import LampId, Slot

PAPER: RGB = (22, 24, 28)
INK: RGB = (232, 232, 226)
FAINT: RGB = (112, 116, 124)
SQUARES: tuple[RGB, RGB] = ((44, 47, 54), (52, 56, 64))
OWNERS: Mapping[str, RGB] = {"red": (196, 48, 52), "blue": (44, 98, 200)}
FOREIGN: RGB = (120, 120, 120)
BACK = "?"
"""What is read on the back of a piece."""


class Look(NamedTuple):
    """How large a square is drawn, in characters."""

    width: int
    height: int
    tile: int
    """The width of a piece."""


ROOMY = Look(8, 3, 6)
COMPACT = Look(6, 2, 4)


class Scene(NamedTuple):
    """All that the picture shows."""

    board: Board
    blocked: Collection[str]
    """Spaces where no piece may ever stand: drawn as water."""
    lamps: Mapping[LampId, RGB]
    """The colours that the lamps were sent."""
    standing: Mapping[Slot, tuple[Piece, ...]]
    fallen: Collection[Piece]
    seen: Collection[str]
    """The owners whose labels are read."""
    cursor: str | None = None
    turned: bool = False
    """Seen from the other side."""


def size(board: Board, look: Look) -> tuple[int, int]:
    """The columns and rows of text that the picture takes."""
    files, ranks = _grid(board)
    return 4 + look.width * len(files), 4 + look.height * len(ranks)


def picture(scene: Scene, look: Look) -> Text:
    """The whole board with its edge, file and rank names and turn lamps."""
    files, ranks = _grid(scene.board)
    if scene.turned:
        files, ranks = files[::-1], ranks[::-1]
    places = {(place.position.x, place.position.y): space for space, place in scene.board.spaces.items()}
    text = Text(no_wrap=True)
    width = 4 + look.width * len(files)
    near, far = ("turn-blue", "turn-red") if scene.turned else ("turn-red", "turn-blue")
    _edge(text, scene, far, width)
    _file_names(text, files, places, ranks, look)
    for y in reversed(ranks):
        for line in range(look.height):
            middle = line == (look.height - 1) // 2
            name = places[files[0], y][1:] if middle else ""
            text.append(f"{name:>2} " if middle else "   ", Style(color=_hex(FAINT)))
            for x in files:
                _square(text, scene, places[x, y], line, look, (files.index(x) + ranks.index(y)) % 2)
            text.append(f"{name:<1}", Style(color=_hex(FAINT)))
            text.append("\n")
    _file_names(text, files, places, ranks, look)
    _edge(text, scene, near, width)
    text.right_crop(1)
    return text


def lit(colour: RGB) -> RGB:
    """A lamp's colour as a screen shows it: lamps at a sixth of their current are still bright to the eye."""
    peak = max(colour)
    if not peak:
        return PAPER
    glow = 0.42 + 0.52 * (peak / 255) ** 0.6
    red, green, blue = (round(glow * 255 * channel / peak) for channel in colour)
    return red, green, blue


def _grid(board: Board) -> tuple[list[float], list[float]]:
    places = board.spaces.values()
    return sorted({place.position.x for place in places}), sorted({place.position.y for place in places})


def _edge(text: Text, scene: Scene, lamp: str, width: int) -> None:
    """The edge of the board with the lamp that says whose turn it is."""
    seat = lamp.removeprefix("turn-")
    colour = scene.lamps.get(lamp, (0, 0, 0))
    shown = _hex(lit(colour) if any(colour) else SQUARES[0])
    word = f" {seat} "
    bar = "━" * ((width - 4 - len(word)) // 2)
    rest = "━" * (width - 4 - len(word) - len(bar))
    text.append("   " + bar, Style(color=shown))
    text.append(word, Style(color=shown if any(colour) else _hex(FAINT), bold=any(colour)))
    text.append(rest + "\n", Style(color=shown))


def _file_names(
    text: Text,
    files: list[float],
    places: Mapping[tuple[float, float], str],
    ranks: list[float],
    look: Look,
) -> None:
    text.append("   ")
    for x in files:
        text.append(f"{places[x, ranks[0]][0]:^{look.width}}", Style(color=_hex(FAINT)))
    text.append("\n")


def _square(text: Text, scene: Scene, space: str, line: int, look: Look, shade: int) -> None:
    """One line of characters of one square."""
    ground = _ground(scene, space, shade)
    on_ground = Style(bgcolor=_hex(ground), color=_hex(_against(ground)), bold=True)
    last = look.height - 1
    left = right = " "
    if scene.cursor == space:
        left, right = {0: ("┏", "┓"), last: ("┗", "┛")}.get(line, ("┃", "┃"))
    pieces = scene.standing.get(scene.board.spaces[space].slots[0].id, ())
    inside = look.width - 2
    text.append(left, on_ground)
    if pieces:
        pad = " " * ((inside - look.tile) // 2)
        text.append(pad, on_ground)
        _tile(text, scene, pieces[-1], line - (last // 2), look, ground)
        text.append(pad, on_ground)
    elif space in scene.blocked and ground == _water(shade):
        waves = "≈ ≈ ≈ ≈ ≈"[line % 2 :][:inside]
        text.append(waves, Style(bgcolor=_hex(ground), color="#4a7390"))
    elif line == last // 2 and any(scene.lamps.get(space, (0, 0, 0))):
        text.append(f"{space:^{inside}}", on_ground)
    else:
        text.append(" " * inside, on_ground)
    text.append(right, on_ground)


def _tile(text: Text, scene: Scene, piece: Piece, line: int, look: Look, ground: RGB) -> None:
    """One line of a piece: its label in the middle one (0), half a line above and below."""
    colour = OWNERS.get(piece.owner, FOREIGN)
    if line:
        half = "▄" if line < 0 else "▀"
        text.append(half * look.tile, Style(color=_hex(colour), bgcolor=_hex(ground)))
        return
    readable = piece.owner in scene.seen
    label = piece.label if readable else BACK
    if piece in scene.fallen:
        label += "↷"
    ink = INK if readable else _mixed(colour, INK, 0.45)
    text.append(f"{label:^{look.tile}}", Style(bgcolor=_hex(colour), color=_hex(ink), bold=readable))


def _water(shade: int) -> RGB:
    return _mixed(SQUARES[shade], (30, 70, 100), 0.7)


def _ground(scene: Scene, space: str, shade: int) -> RGB:
    colour = scene.lamps.get(space, (0, 0, 0))
    if any(colour):
        return lit(colour)
    return _water(shade) if space in scene.blocked else SQUARES[shade]


def _mixed(one: RGB, other: RGB, share: float) -> RGB:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _against(ground: RGB) -> RGB:
    """Ink that can be read on `ground`."""
    return (16, 16, 16) if sum(ground) > 300 else INK


def _hex(colour: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
