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
SHIPPED_BASES_PATH: Final = Path(__file__).with_name("bases.toml")
NO_MAGNET: Final = "none"
"""In the place of a magnet: what must not have one."""
TAG_THICKNESS_MM: Final = 1.0
"""How thick a tag is at most: a disc of plastic (estimate)."""
MAGNET_TAG_GAP_MM: Final = 5.0
"""From a magnet to a tag, at least (docs/build/tags.md)."""
GROOVE_DEPTH_MM: Final = 0.4
"""How far a groove that tells the poles goes into the ceiling of a magnet's pocket: two layers."""
GROOVE_WIDTH_MM: Final = 0.8
GROOVE_RIM_MM: Final = 0.2
"""What is left of the ceiling around it, so that the pocket's wall is the same with and without."""
DIMENSION_MAX_MM = 100.0


class PrinterFit(NamedTuple):
    """What a printer needs."""

    clearance_mm: float
    glue_gap_mm: float
    wall_min_mm: float


class TagDisc(NamedTuple):
    """A disc with a chip."""

    diameter_mm: float
    offset_mm: float
    """From the middle of the foot to the tag's."""
    opens_upwards: bool
    """Whether its pocket opens upwards."""


class FaceSlot(NamedTuple):
    """Where the face of a piece stands."""

    length: float
    width: float
    depth: float


class PieceBase(NamedTuple):
    """A foot."""

    id: str
    diameter_mm: float
    height_mm: float
    printer_fit: PrinterFit
    magnet: Magnet | None
    tag: TagDisc | None
    slot: FaceSlot | None
    forbids_magnet: bool
    """Whether it must not carry a magnet, and says so."""

    @property
    def magnet_pocket(self) -> tuple[float, float]:
        """Width and depth of the pocket for the magnet."""
        assert self.magnet is not None
        return (
            self.magnet.diameter_mm + self.printer_fit.clearance_mm,
            self.magnet.height_mm + self.printer_fit.glue_gap_mm,
        )

    @property
    def groove_span(self) -> tuple[float, float]:
        """From where to where a groove in the pocket's ceiling is, beside the middle."""
        middle = 0.33 * self.magnet_pocket[0]
        return round(middle - GROOVE_WIDTH_MM / 2, 2), round(middle + GROOVE_WIDTH_MM / 2, 2)

    @property
    def tag_pocket(self) -> tuple[float, float]:
        """Width and depth of the pocket for the tag."""
        assert self.tag is not None
        return (
            self.tag.diameter_mm + self.printer_fit.clearance_mm,
            TAG_THICKNESS_MM + self.printer_fit.glue_gap_mm,
        )


def load_bases(path: Path = SHIPPED_BASES_PATH) -> Mapping[str, PieceBase]:
    """The feet of a file, by id. Raises `BoardFileError`."""
    root = TomlFile(path, "a file that describes feet").root
    if root.values.get("format") != FORMAT:
        root.fail("format", "a file without its format", f'format = "{FORMAT}"')
    root.refuse_unknown_keys("format", "version", "fit", "bases")
    root.integer("version", 1, 1)
    found = root.table("fit")
    found.refuse_unknown_keys("play", "glue", "wall")
    fit = PrinterFit(
        found.number("play", 0, 2, "mm"), found.number("glue", 0, 2, "mm"), found.number("wall", 0.4, 5, "mm")
    )
    return {id_: _parse_base(id_, table, fit) for id_, table in root.table("bases").tables()}


def _parse_base(id_: str, table: TomlTable, fit: PrinterFit) -> PieceBase:
    table.refuse_unknown_keys("across", "height", "magnet", "tag", "slot")
    checked_id(table, None, id_)
    across, height = (
        table.number("across", 5, DIMENSION_MAX_MM, "mm"),
        table.number("height", 2, DIMENSION_MAX_MM, "mm"),
    )
    magnet, bare = _parse_magnet(table)
    tag = _parse_tag(table.table("tag")) if table.has("tag") else None
    slot = _parse_slot(table.table("slot")) if table.has("slot") else None
    if magnet is None and tag is None and not bare:
        table.fail(
            None, f"{id_} without a magnet and without a tag", f'magnet = "{NO_MAGNET}" if it must have none'
        )
    base = PieceBase(id_, across, height, fit, magnet, tag, slot, bare)
    _check_walls(table, base)
    return base


def _parse_magnet(table: TomlTable) -> tuple[Magnet | None, bool]:
    if not table.has("magnet"):
        return None, False
    text = table.text("magnet")
    if text == NO_MAGNET:
        return None, True
    try:
        return parse(text), False
    except ValueError as error:
        table.refuse_value("magnet", str(error).partition(", expected ")[2])


def _parse_tag(table: TomlTable) -> TagDisc:
    table.refuse_unknown_keys("across", "aside", "at")
    above = table.choice("at", ("below", "above")) == "above"
    return TagDisc(table.number("across", 5, 50, "mm"), table.number("aside", 0, 30, "mm"), above)


def _parse_slot(table: TomlTable) -> FaceSlot:
    table.refuse_unknown_keys("length", "width", "depth")
    return FaceSlot(*(table.number(key, 0.5, DIMENSION_MAX_MM, "mm") for key in ("length", "width", "depth")))


def _check_walls(table: TomlTable, base: PieceBase) -> None:
    """Whether enough is left between pockets, and around them."""
    wall, height = base.printer_fit.wall_min_mm, base.height_mm
    below, above = 0.0, 0.0
    if base.magnet is not None:
        wide, below = base.magnet_pocket
        _check_minimum(table, "magnet", (base.diameter_mm - wide) / 2, wall, "beside its magnet")
        _check_minimum(
            table,
            "magnet",
            wide / 2 - base.groove_span[1],
            2 * GROOVE_RIM_MM,
            "beside the groove that tells its poles",
        )
    if base.tag is not None:
        wide, deep = base.tag_pocket
        _check_minimum(
            table, "tag", base.diameter_mm / 2 - base.tag.offset_mm - wide / 2, wall, "beside its tag"
        )
        if base.tag.opens_upwards:
            above = deep
        else:
            if base.magnet is not None:
                table.fail("tag", f"{base.id} with tag and magnet below", 'the tag at = "above"')
            below = deep
    if base.slot is not None:
        if base.tag is not None and base.tag.opens_upwards:
            table.fail("slot", f"{base.id} with tag and slot above", "one of them")
        above = base.slot.depth
        _check_minimum(table, "slot", (base.diameter_mm - base.slot.length) / 2, wall, "beside its slot")
    _check_minimum(table, "height", height - below - above, wall, "between what opens below and above")
    if base.magnet is not None:
        above_groove = height - below - GROOVE_DEPTH_MM - above
        beside_slot = base.groove_span[0] - base.slot.width / 2 if base.slot is not None else 0.0
        left = hypot(max(0.0, beside_slot), above_groove)
        _check_minimum(
            table, "height", left, wall, "between the groove that tells its poles and what opens above"
        )
    if base.tag is not None and base.magnet is not None:
        _check_minimum(table, "height", height - below - above, MAGNET_TAG_GAP_MM, "between magnet and tag")
        if base.tag.offset_mm < 1:
            table.fail("tag", f"{base.id} with its tag right above its magnet", "aside = 1 at least")


def _check_minimum(table: TomlTable, key: str, left: float, least: float, where: str) -> None:
    if left < least - 1e-9:
        table.fail(key, f"{left:.2g} mm {where}", f"{least:g} mm at least")
