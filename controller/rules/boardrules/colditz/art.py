"""What is printed of Escape from Colditz: the castle, its legend, the decks, markers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from boardrules.art import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    PAPER,
    PURPLE,
    RED,
    SKY,
    BoardGeometry,
    CutOut,
    GameArt,
    LegendEntry,
    PrintLanguage,
    text_block,
)
from boardrules.colditz.castle.actions import NATIONS
from boardrules.colditz.castle.board_reader import CASTLE
from boardrules.colditz.castle.board_reader import board_by_key as castle
from boardrules.colditz.castle.face import EARTH, KIND_COLOURS, STONE, face_shapes, kind_sign
from boardrules.colditz.castle.signs import SIGNS
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS as EQUIPMENT
from boardrules.colditz.deck.cards import card_set_by_key
from boardrules.colditz.sentences import TEXTS
from boardrules.core import Seat
from boardrules.shapes import Paint, Polyline, Rectangle, Shape, TextShape, disc, transformed_shapes

CARD_SIZE_MM: Final = (58.0, 88.0)
_KIT_PARTS: Final = ("food", "documents", "compass", "disguise")
_DECK_BACKS: Final = {"opportunity": (GREEN, "?"), "security": (RED, "!")}
"""By deck the ink and the sign of its back."""
_NATION_INKS: Final = dict(zip(NATIONS, (BLUE, RED, ORANGE, SKY, PURPLE), strict=True))
_MARKERS_PER_NATION: Final = 6
"""To cut out for each nation: rulebooks don't say how many there are (estimate)."""
_LEGEND: Final = (
    ("post", "Guard post: any man here may be arrested; guards come here from Barracks"),
    ("safe", "Safe circle: nobody can be arrested here"),
    ("searchlight", "Searchlight: men may not stay here"),
    ("walkway", "Walkway: guards may not stay here"),
    ("door", "Door: you need a Key"),
    ("inspection", "Inspection Point: you need a Pass"),
    ("target", "Target: a man who reaches it with an Escape Kit has escaped"),
    ("car", "Staff car: with its card, you drive out"),
    ("drop", "Drop: you need a Rope, or two if it is marked 60"),
    ("wire", "Wire: you need a Wire Cutter"),
    ("tunnel", "Tunnel: you open it with its card"),
    ("arrow", "From the cells: where men who leave Solitary start"),
    ("equipment", "Two of your men in rooms with the same symbol: you take that card"),
    ("kit", "One of your men in a room with each of these symbols: you put an Escape Kit together"),
    (
        "marker",
        "Escape Attempt marker, with the letter of its nation: its men and the guards may follow there",
    ),
)
"""Sign and sentence, as the screens have them."""


class CastleArt(GameArt):
    """The castle and the decks of a game's options. A board of another castle is drawn plainly."""

    def __init__(self, letters: Mapping[Seat, str], options: Mapping[str, Any]) -> None:
        self.nation_letters, self.options = letters, options
        """By nation the letter that stands for it in every language."""

    def face(self, ground: BoardGeometry, language: PrintLanguage) -> Iterator[Shape]:
        """Floors, walls, circles, titles."""
        board = castle(str(self.options.get("board", CASTLE)))
        if {*board.plan.circles, *board.plan.places} != set(ground.places):
            yield from super().face(ground, language)
            return
        yield from face_shapes(board, language.translate)

    def legend(self, language: PrintLanguage) -> Iterable[LegendEntry]:
        """What circles, lines and signs mean."""
        return [LegendEntry(tuple(_legend_sample(what)), language.translate(text)) for what, text in _LEGEND]

    def cut_outs(self, language: PrintLanguage) -> Iterable[CutOut]:
        """Both decks, the supply, Do or Die, and markers."""
        cards = card_set_by_key(str(self.options.get("cards", CASTLE)))
        for card in cards.cards:
            ink, sign = _DECK_BACKS[card.deck]
            yield _card(
                language,
                language.translate(card.title),
                language.translate(card.text),
                card.copies,
                ink,
                sign,
            )
        for kind, count in zip(EQUIPMENT, cards.supply, strict=True):
            name = language.translate(TEXTS[f"item {kind}"])
            yield _card(language, name, "", count, EARTH, "+", tuple(SIGNS[kind](EARTH)))
        kit = tuple(
            shape
            for step, what in enumerate(_KIT_PARTS)
            for shape in transformed_shapes(
                SIGNS[what](EARTH), -5 + 10 * (step % 2), 5 - 10 * (step // 2), 0.5
            )
        )
        yield _card(language, language.translate("Escape Kit"), "", cards.kit_count, EARTH, "+", kit)
        for value in cards.do_or_die_values:
            number = (TextShape(0, -5, 14, str(value), INK, bold=True),)
            yield _card(language, language.translate("Do or Die"), "", 1, INK, "×", number)
        for nation, ink in _NATION_INKS.items():
            name = language.translate(TEXTS[f"seat {nation}"])
            yield CutOut(
                name,
                16,
                16,
                _MARKERS_PER_NATION,
                tuple(transformed_shapes(_marker(self.nation_letters[nation], ink), 8, 8)),
            )
        yield CutOut(
            "1",
            12,
            12,
            1,
            (disc(6, 6, 12, Paint("#ffffff", INK, 0.2)), disc(6, 6, 8, Paint(ORANGE, INK, 0.6))),
        )


def _card(
    language: PrintLanguage,
    title: str,
    text: str,
    count: int,
    ink: str,
    sign: str,
    drawn: tuple[Shape, ...] = (),
) -> CutOut:
    """A card: its title in a band, its text or drawing below; the back shows the deck alone."""
    wide, high = CARD_SIZE_MM
    heading = language.wrap_text(title, 4.4, wide - 12)
    shapes: list[Shape] = [
        Rectangle(0, 0, wide, high, Paint("#ffffff", INK, 0.2)),
        Rectangle(2.5, 2.5, wide - 5, high - 5, Paint(PAPER, ink, 1.0), 2.5),
        Rectangle(
            2.5, high - 10 - 6 * len(heading), wide - 5, 7.5 + 6 * len(heading), Paint(ink, ink, 0.5), 2.5
        ),
    ]
    for number, line in enumerate(heading):
        shapes.append(TextShape(wide / 2, high - 11 - 6 * number, 4.4, line, "#ffffff", bold=True))
    if text:
        shapes += text_block(language, text, wide / 2, high - 24 - 6 * len(heading), 3.7, wide - 12)
    shapes += transformed_shapes(drawn, wide / 2, 34, 2.2)
    band = Paint(None, "#ffffff", 0.4)
    back: tuple[Shape, ...] = (
        Rectangle(0, 0, wide, high, Paint(ink)),
        Rectangle(4, 4, wide - 8, high - 8, Paint(None, "#ffffff", 0.9), 2.5),
        *(Polyline(((8.0, float(y)), (wide - 8, y + 12.0)), band) for y in range(8, 66, 8)),
        disc(wide / 2, high / 2, 26, Paint(ink, "#ffffff", 1.2)),
        TextShape(wide / 2, high / 2 - 6, 18, sign, "#ffffff", bold=True),
    )
    return CutOut(title, wide, high, count, tuple(shapes), back)


def _marker(letter: str, ink: str) -> Iterator[Shape]:
    yield disc(0, 0, 16, Paint("#ffffff", INK, 0.2))
    yield disc(0, 0, 13.5, Paint("#ffffff", ink, 2.2))
    yield TextShape(0, -2.4, 6.6, letter, INK, bold=True)


def _legend_sample(what: str) -> Iterator[Shape]:
    """A sign of the legend, in 20 x 12 mm around (0, 0)."""
    if what in KIND_COLOURS:
        yield disc(0, 0, 10, Paint(KIND_COLOURS[what], INK, 0.5))
        yield from transformed_shapes(kind_sign(frozenset((what,))), 0, 0, 0.5)
    elif what == "drop":
        yield Polyline(((-9, 0), (9, 0)), Paint(None, BLUE, 2.4, (4.0, 1.8)))
    elif what == "wire":
        yield Polyline(((-9, 0), (9, 0)), Paint(None, INK, 0.9))
        for x in (-5.0, 0.0, 5.0):
            yield Polyline(((x - 2, -2), (x + 2, 2)), Paint(None, INK, 0.9))
            yield Polyline(((x - 2, 2), (x + 2, -2)), Paint(None, INK, 0.9))
    elif what == "tunnel":
        yield Polyline(((-9, 0), (9, 0)), Paint(None, EARTH, 4.0, (2.5, 2.0)))
    elif what == "arrow":
        yield Polyline(((-8, 0), (6, 0)), Paint(None, INK, 2.0))
        yield Polyline(((8, 0), (3, 3), (3, -3)), Paint(INK, INK, 0.5), closed=True)
    elif what == "marker":
        yield from transformed_shapes(_marker("A", BLUE), 0, 0, 0.7)
    else:
        signs = EQUIPMENT if what == "equipment" else _KIT_PARTS
        for step, sign in enumerate(signs):
            x = -7.5 + 5 * step
            yield disc(x, 0, 4.8, Paint("#fffbe8", STONE, 0.4))
            yield from transformed_shapes(SIGNS[sign](EARTH), x, 0, 0.24)
