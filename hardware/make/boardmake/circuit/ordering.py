"""What a maker of circuit boards is sent who solders the small parts: lists in JLCPCB's form and in KiCad's.

Part numbers are of LCSC, whose store JLCPCB takes parts from, as makers of public boards have ordered them
(looked up in November 2026). JLCPCB counts turns from how a part lies in its reel, KiCad from how the part is
drawn: `rotation_degrees` is the difference, from the list that KiBot and JLCKicadTools publish.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from boardmake.circuit.layout import Layout, LayoutPart


class OrderedPart(NamedTuple):
    """A part without leads that can be ordered."""

    mpn: str
    """The number of whoever makes it."""
    lcsc: str
    package: str
    rotation_degrees: int
    """To be added to its turn in KiCad, in degrees to the left."""


ORDERED_PARTS: Final = {
    "WS2812B": OrderedPart("WS2812B-B/T", "C2761795", "LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm", 180),
    "SOD-123": OrderedPart("1N4148W", "C81598", "D_SOD-123", 0),
    # Its pads are drawn one above the other; KiCad's own C_0805 lies.
    "C0805": OrderedPart("CC0805KRX7R9BB104", "C49678", "C_0805_2012Metric", 90),
}
"""By the name of the part's place on the board."""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def order_files(layout: Layout) -> Iterator[tuple[str, str]]:
    """Endings and texts of the lists of a board."""
    yield "bom.csv", kicad_bom(layout)
    if any(True for _ in _machine_placed_parts(layout)):
        yield "jlcpcb-bom.csv", jlcpcb_bom(layout)
        yield "jlcpcb-places.csv", jlcpcb_positions(layout)


def _machine_placed_parts(layout: Layout) -> Iterator[tuple[LayoutPart, OrderedPart]]:
    for part in layout.parts:
        if part.is_bought and part.is_fitted and part.footprint.is_smd:
            yield part, ORDERED_PARTS[part.footprint.name]


def jlcpcb_bom(layout: Layout) -> str:
    """What is soldered on by the machine, a line a kind."""
    kinds: dict[OrderedPart, list[LayoutPart]] = {}
    for part, ordered in _machine_placed_parts(layout):
        kinds.setdefault(ordered, []).append(part)
    head = ("Comment", "Designator", "Footprint", "JLCPCB Part #")
    return _csv_text(
        head,
        (
            (parts[0].value, ",".join(part.ref for part in parts), ordered.package, ordered.lcsc)
            for ordered, parts in kinds.items()
        ),
    )


def jlcpcb_positions(layout: Layout) -> str:
    """Where the machine sets each part, from the lower left corner."""
    rows = []
    for part, ordered in _machine_placed_parts(layout):
        x, y, turn = part.x, layout.height - part.y, (part.turn + ordered.rotation_degrees) % 360
        rows.append((part.ref, f"{x:.4f}mm", f"{y:.4f}mm", "Top", turn))
    return _csv_text(("Designator", "Mid X", "Mid Y", "Layer", "Rotation"), rows)


def kicad_bom(layout: Layout) -> str:
    """All parts of a board as KiCad lists them."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for part in layout.parts:
        if part.is_bought and part.is_fitted:
            kinds.setdefault((part.footprint.name, part.value), []).append(part.ref)
    rows = []
    for number, ((footprint, value), refs) in enumerate(kinds.items(), 1):
        ordered = ORDERED_PARTS.get(footprint)
        supplier = f"LCSC {ordered.lcsc}" if ordered else ""
        rows.append((number, ",".join(refs), footprint, len(refs), value, supplier))
    head = ("Id", "Designator", "Footprint", "Quantity", "Designation", "Supplier and ref")
    return _csv_text(head, rows, ";")


def _csv_text(head: tuple[str, ...], rows: Iterable[tuple[object, ...]], between: str = ",") -> str:
    out = io.StringIO()
    table = csv.writer(out, delimiter=between, lineterminator="\n")
    table.writerow(head)
    table.writerows(rows)
    return out.getvalue()


def zip_fabrication_files(name: str, folder: Path) -> Path:
    """The archive that a maker of circuit boards takes: Gerber and drill files, always the same bytes."""
    path = folder / f"{name}-fab.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(folder.glob(f"{name}-*")):
            if file.suffix in (".gbr", ".drl"):
                archive.writestr(zipfile.ZipInfo(file.name, _EPOCH), file.read_bytes())
    return path
