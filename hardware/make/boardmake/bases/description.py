"""The file of the feet: what is printed, and whether it can be. A wrong one is refused with its line."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from pathlib import Path
from typing import Final, NamedTuple

from boardware.measures import checked_id
from boardware.physics.magnets import Magnet, parse
from boardware.tomlfile import TomlFile, TomlTable

FORMAT: Final = "boardumpire-bases"
SHIPPED: Final = Path(__file__).with_name("bases.toml")
NONE: Final = "none"
"""In the place of a magnet: what must not have one."""
TAG_MM: Final = 1.0
"""How thick a tag is at most: a disc of plastic (estimate)."""
APART: Final = 5.0
"""From a magnet to a tag, at least (docs/build/tags.md)."""
GROOVE_DEEP: Final = 0.4
"""How far a groove that tells the poles goes into the ceiling of a magnet's pocket: two layers."""
GROOVE_WIDE: Final = 0.8
GROOVE_RIM: Final = 0.2
"""What is left of the ceiling around it, so that the pocket's wall is the same with and without."""
FAR = 100.0


class PrinterFit(NamedTuple):
    """What a printer needs."""

    play: float
    glue: float
    wall: float


class TagDisc(NamedTuple):
    """A disc with a chip."""

    across: float
    aside: float
    """From the middle of the foot to the tag's."""
    above: bool
    """Whether its pocket opens upwards."""


class FaceSlot(NamedTuple):
    """Where the face of a piece stands."""

    length: float
    width: float
    depth: float


class PieceBase(NamedTuple):
    """A foot."""

    id: str
    across: float
    height: float
    fit: PrinterFit
    magnet: Magnet | None
    tag: TagDisc | None
    slot: FaceSlot | None
    bare: bool
    """Whether it must not carry a magnet, and says so."""

    @property
    def magnet_pocket(self) -> tuple[float, float]:
        """Width and depth of the pocket for the magnet."""
        assert self.magnet is not None
        return self.magnet.diameter_mm + self.fit.play, self.magnet.height_mm + self.fit.glue

    @property
    def groove(self) -> tuple[float, float]:
        """From where to where a groove in the pocket's ceiling is, beside the middle."""
        middle = 0.33 * self.magnet_pocket[0]
        return round(middle - GROOVE_WIDE / 2, 2), round(middle + GROOVE_WIDE / 2, 2)

    @property
    def tag_pocket(self) -> tuple[float, float]:
        """Width and depth of the pocket for the tag."""
        assert self.tag is not None
        return self.tag.across + self.fit.play, TAG_MM + self.fit.glue


def load(path: Path = SHIPPED) -> Mapping[str, PieceBase]:
    """The feet of a file, by id. Raises `BoardFileError`."""
    root = TomlFile(path, "a file that describes feet").root
    if root.values.get("format") != FORMAT:
        root.fail("format", "a file without its format", f'format = "{FORMAT}"')
    root.known("format", "version", "fit", "bases")
    root.integer("version", 1, 1)
    found = root.table("fit")
    found.known("play", "glue", "wall")
    fit = PrinterFit(
        found.number("play", 0, 2, "mm"), found.number("glue", 0, 2, "mm"), found.number("wall", 0.4, 5, "mm")
    )
    return {id_: _base(id_, table, fit) for id_, table in root.table("bases").tables()}


def _base(id_: str, table: TomlTable, fit: PrinterFit) -> PieceBase:
    table.known("across", "height", "magnet", "tag", "slot")
    checked_id(table, None, id_)
    across, height = table.number("across", 5, FAR, "mm"), table.number("height", 2, FAR, "mm")
    magnet, bare = _magnet(table)
    tag = _tag(table.table("tag")) if table.has("tag") else None
    slot = _slot(table.table("slot")) if table.has("slot") else None
    if magnet is None and tag is None and not bare:
        table.fail(
            None, f"{id_} without a magnet and without a tag", f'magnet = "{NONE}" if it must have none'
        )
    base = PieceBase(id_, across, height, fit, magnet, tag, slot, bare)
    _check_walls(table, base)
    return base


def _magnet(table: TomlTable) -> tuple[Magnet | None, bool]:
    if not table.has("magnet"):
        return None, False
    text = table.text("magnet")
    if text == NONE:
        return None, True
    try:
        return parse(text), False
    except ValueError as error:
        table.wrong("magnet", str(error).partition(", expected ")[2])


def _tag(table: TomlTable) -> TagDisc:
    table.known("across", "aside", "at")
    above = table.choice("at", ("below", "above")) == "above"
    return TagDisc(table.number("across", 5, 50, "mm"), table.number("aside", 0, 30, "mm"), above)


def _slot(table: TomlTable) -> FaceSlot:
    table.known("length", "width", "depth")
    return FaceSlot(*(table.number(key, 0.5, FAR, "mm") for key in ("length", "width", "depth")))


def _check_walls(table: TomlTable, base: PieceBase) -> None:
    """Whether enough is left between pockets, and around them."""
    wall, height = base.fit.wall, base.height
    below, above = 0.0, 0.0
    if base.magnet is not None:
        wide, below = base.magnet_pocket
        _check(table, "magnet", (base.across - wide) / 2, wall, "beside its magnet")
        _check(
            table,
            "magnet",
            wide / 2 - base.groove[1],
            2 * GROOVE_RIM,
            "beside the groove that tells its poles",
        )
    if base.tag is not None:
        wide, deep = base.tag_pocket
        _check(table, "tag", base.across / 2 - base.tag.aside - wide / 2, wall, "beside its tag")
        if base.tag.above:
            above = deep
        else:
            if base.magnet is not None:
                table.fail("tag", f"{base.id} with tag and magnet below", 'the tag at = "above"')
            below = deep
    if base.slot is not None:
        if base.tag is not None and base.tag.above:
            table.fail("slot", f"{base.id} with tag and slot above", "one of them")
        above = base.slot.depth
        _check(table, "slot", (base.across - base.slot.length) / 2, wall, "beside its slot")
    _check(table, "height", height - below - above, wall, "between what opens below and above")
    if base.magnet is not None:
        above_groove = height - below - GROOVE_DEEP - above
        beside_slot = base.groove[0] - base.slot.width / 2 if base.slot is not None else 0.0
        left = hypot(max(0.0, beside_slot), above_groove)
        _check(table, "height", left, wall, "between the groove that tells its poles and what opens above")
    if base.tag is not None and base.magnet is not None:
        _check(table, "height", height - below - above, APART, "between magnet and tag")
        if base.tag.aside < 1:
            table.fail("tag", f"{base.id} with its tag right above its magnet", "aside = 1 at least")


def _check(table: TomlTable, key: str, left: float, least: float, where: str) -> None:
    if left < least - 1e-9:
        table.fail(key, f"{left:.2g} mm {where}", f"{least:g} mm at least")
