"""Every number with a unit on the pages for makers is sourced, the model's, ours, or called an estimate."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from boardrules.stratego import art
from boardumpire.makers import doctor, measure
from boardumpire.printing import tiles
from boardumpire.tracking.values import Timing
from boardumpire.web import mqtt
from boardware import console, gpio, pico, tags_pn532
from boardware.bases import description as bases
from boardware.circuit import assembly, carrier, layout, tile
from boardware.description import load_board
from boardware.making import holes
from boardware.parts import USUAL_MATRIX
from boardware.physics import design, electrics, reach, reading, sensors, tables, volts
from boardwire import link, pads, rfid, strip
from house.sentences import COMMENT, END, FENCE, ITEM

MAKERS = Path(__file__).resolve().parents[2] / "docs" / "makers"
PAGES = sorted(page for page in MAKERS.glob("*.md") if page.name != "sources.md")

UNIT = (
    "mm2|mm|um|W|C|cm|m|V|mV|mA|uA|A|Ohm|kOhm|pF|nF|uF|us|ms|ns|s|seconds?|minutes?|hours?|Hz|kHz|MHz|mT|AT|g|kg|%|EUR"
    "|baud|kB|MB|degrees"
)
NUMBER = re.compile(
    r"(?<![\w.#/-])(?<!ISO )(\d+(?:[.,]\d+)*(?:\s*(?:to|x|and|or|-)\s*\d+(?:[.,]\d+)*)*)\s?("
    + UNIT
    + r")(?![\w/])"
)
WORDS = {
    "half": 0.5, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "hundred": 100,
}  # fmt: skip
"""Numbers that are written as words."""
_WORD = "|".join(WORDS)
_MEASURE = (
    "millimetres?|centimetres?|metres?|microseconds?|milliseconds?|seconds?|minutes?|hours?|volts?|amperes?|degrees"
    "|grams?|watts?|euros?|per cent|A|V|mA|mm|ms|us"
)
WORDED = re.compile(
    rf"\b((?:{_WORD})(?: (?:to|and|or|a|an) (?:{_WORD}))?(?: an?| times a)?[ -](?:{_MEASURE})(?: or two)?)\b"
)
"""These with a unit: "half a millimetre", "four a second", "ten times a second", "a millisecond or two"."""
COUNTED = re.compile(r"\b(\d+ (?:holes|lamps|buttons|switches|spaces|tiles|chips))\b(?! x)")
"""What a board has so many of."""
MARK = re.compile(
    r"estimate|data sheet|tests/[\w/]+\.py|python -m boardware|board check|(sources|performance|proofs)\.md"
    r"|decisions/",
    re.IGNORECASE,
)
"""What a sentence says of where its numbers are from, or the sentence that leads to a table."""


SUPPLIES = ("3.3 V", "5 V")
"""Everywhere the names of the two supplies."""
IDLE = set(
    re.findall(
        r"\w+",
        "its it they them not all has have been says and the for are was that this with from one two most"
        " than each other how what which take takes taken need needs give gives some may can does own",
    )
)
"""Words that say nothing of what a number is about."""


class Said(NamedTuple):
    """A sentence, or a row of a table, and what leads to it."""

    before: str
    text: str


def said(text: str) -> Iterator[Said]:
    """All of a page but its code."""
    block: list[str] = []
    before = ""
    for line in [*FENCE.sub("\n\n", COMMENT.sub("", text)).splitlines(), ""]:
        bare = line.strip()
        row = bare.startswith("|")
        begins = not bare or bare.startswith("#") or ITEM.match(line)
        if block and (begins or row != block[0].startswith("|")):
            yield from _of(block, before)
            before, block = " ".join(block), []
        if bare and not bare.startswith("#"):
            block.append(bare)


def _of(block: list[str], before: str) -> Iterator[Said]:
    if block[0].startswith("|"):
        yield from (Said(before, row) for row in block)
        return
    whole, start = " ".join(block), 0
    for end in END.finditer(whole):
        yield Said("", whole[start : end.start()])
        start = end.end()
    yield Said("", whole[start:])


def about(text: str) -> set[str]:
    """The words that say what a text is about: without plural, and without what carries a unit alone."""
    words = re.findall(r"[a-z][a-z0-9]{2,}|\bpi\b", WORDED.sub(" ", NUMBER.sub(" ", text)).lower())
    return {word.rstrip("s") for word in words if word not in IDLE}


def sourced(number: str, text: str) -> bool:
    """Whether a row of the page of sources has this number and is about the same thing."""
    rows = [line.split("|") for line in (MAKERS / "sources.md").read_text().splitlines() if "|" in line]
    has = re.compile(rf"(?<![\d.])(?<!\dx)(?<!\d x ){re.escape(number)}(?!\w)")
    return any(has.search(row[1]) and about(row[1]) & about(text) for row in rows)


def unmarked(page: Path) -> Iterator[tuple[str, str]]:
    """Numbers of which neither their sentence nor the page of sources says where they are from."""
    for each in said(page.read_text()):
        if MARK.search(each.text) or MARK.search(each.before):
            continue
        whole = " ".join(each.text.split())
        for number in numbers(whole):
            if number not in SUPPLIES and not sourced(number, whole):
                yield number, each.text


def numbers(text: str) -> Iterator[str]:
    """All numbers of a text that say how much something is, as they are written."""
    for pattern in (NUMBER, WORDED, COUNTED):
        for found in pattern.finditer(text):
            number = " ".join(found[0].split())
            # "a second" alone is no number, nor is "one A".
            if pattern is not WORDED or not re.fullmatch(rf"(a|an|one) ({_MEASURE})", number):
                yield number


def _metres(name: str) -> float:
    board = load_board(name)
    return max(electrics.arrives(board, chain).metres for chain in board.chains.values())


def _apart(name: str, one: str, other: str) -> float:
    slots = load_board(name).slots
    return abs(slots[one].position.x - slots[other].position.x)


def _booted(name: str) -> float:
    """A number of the firmware's clock, which runs on a Pico alone."""
    text = (MAKERS.parents[1] / "firmware" / "boardwire" / "boot" / "clock.py").read_text()
    found = re.search(rf"^{name} = ([\d_]+)$", text, re.MULTILINE)
    assert found is not None, name
    return float(found[1])


def _across(*names: str) -> list[float]:
    """How wide the tags are for which there are feet of these names."""
    found = bases.load(bases.SHIPPED)
    return [found[name].tag.across for name in names if found[name].tag]  # type: ignore[union-attr]


SQUARES, MAP, CASTLE = load_board("quick-battle-8x8"), "fall-of-the-fuhrer", load_board("escape-from-colditz")
PITCH = reach.of_board(SQUARES).pitch
LAMPS = sum(chain.length for chain in SQUARES.chains.values())
OWN: dict[tuple[str, str], Callable[[], Any]] = {
    ("cheapest.md", "6 and 12 mm"): lambda: [holes.LAMP, holes.BUTTON],
    ("cheapest.md", "20 x 24 mm"): lambda: " x ".join(f"{each:g}" for each in art.LABEL),
    ("cheapest.md", "3 mm"): lambda: holes.REED,
    ("cheapest.md", "6 mm"): lambda: holes.LAMP,
    ("cheapest.md", "12 mm"): lambda: holes.BUTTON,
    ("cheapest.md", "64 holes"): lambda: len(SQUARES.contacts),
    ("circuit-board.md", "38 to 50 mm"): lambda: [tile.LEAST_PITCH, tile.MOST_PITCH],
    ("circuit-board.md", "45 and 50 mm"): lambda: [PITCH, tile.MOST_PITCH],
    ("circuit-board.md", "3 mm"): lambda: holes.REED,
    ("circuit-board.md", "7 to 12 mm"): lambda: list(assembly.FLAT_ASIDE),
    ("circuit-board.md", "45 mm"): lambda: PITCH,
    ("circuit-board.md", "1.2 mm"): lambda: (
        tile.LEAST_PITCH * tile.LAMP_SHARE - (tile.LEAST_PITCH / 2 - tile.LAMP_FROM_TOP)
    ),
    ("circuit-board.md", "4 mm"): lambda: 2 * tile.EDGE_IN,
    ("circuit-board.md", "0.2 mm"): lambda: (layout.LEAST_TRACK, layout.LEAST_GAP),
    ("circuit-board.md", "0.3 mm"): lambda: layout.LEAST_DRILL,
    ("circuit-board.md", "180 x 180 mm"): lambda: f"{4 * PITCH:g} x {4 * PITCH:g}",
    ("circuit-board.md", "111.76 x 66.04 mm"): lambda: [carrier.WIDTH, carrier.HEIGHT],
    ("doctor.md", "six seconds"): lambda: doctor.ARRIVE / 1e6,
    ("doctor.md", "three seconds"): lambda: doctor.WATCH / 1e6,
    ("header.md", "66 lamps"): lambda: LAMPS,
    ("index.md", "6 and 12 mm"): lambda: [holes.LAMP, holes.BUTTON],
    ("index.md", "100 mm"): lambda: tiles.RULER,
    ("index.md", "14 mm"): lambda: tiles.OVERLAP,
    ("index.md", "3 mm"): lambda: holes.REED,
    ("index.md", "6 mm"): lambda: holes.LAMP,
    ("index.md", "12 mm"): lambda: holes.BUTTON,
    ("index.md", "45 mm"): lambda: PITCH,
    ("pico.md", "five seconds"): lambda: pico.ANSWER_MS / 1000,
    ("pico.md", "two seconds"): lambda: link.SILENCE_US / 1e6,
    ("pico.md", "ten seconds"): lambda: _booted("RECENT_US") / 1e6,
    ("pico.md", "472 lamps"): lambda: sum(chain.length for chain in CASTLE.chains.values()),
    ("pico.md", "50 lamps"): lambda: sum(name.startswith("round-") for name in CASTLE.named_lamps),
    ("piece-bases.md", "45 mm"): lambda: PITCH,
    ("piece-bases.md", "30 mm"): lambda: reach.of_board(CASTLE).pitch,
    ("piece-bases.md", "13 or 25 mm"): lambda: _across("square-tag-13", "square-tag-25"),
    ("piece-bases.md", "1.2 mm"): lambda: bases.load(bases.SHIPPED)["square-8x3"].fit.wall,
    ("tags.md", "ten times a second"): lambda: 1e6 / pads.POLL_US,
    ("tags.md", "two seconds"): lambda: pads.IDLE_US / 1e6,
    ("tags.md", "four a second"): lambda: 1e6 / rfid.SWEEP_US,
    ("tags.md", "five seconds"): lambda: Timing().ask / 1e6,
    ("doctor.md", "15 x 5 mm"): lambda: "15 x 5",  # `test_mistakes_on_other_boards` lays it everywhere
    ("piece-bases.md", "27 to 33 mm"): lambda: [
        45 - 2 * (each.felt or 0.0) for each in reversed(reach.reaches(design.USUAL, reach.of_board(SQUARES)))
    ],
    ("magnets.md", "0.5 mm"): lambda: reach.UNEVEN,
    ("cheapest.md", "470 Ohm"): lambda: USUAL_MATRIX.row_ohm,
    ("hall.md", "1 s"): lambda: mqtt.FIRST_S,
    ("header.md", "22 kOhm"): lambda: tables.ROWS[2][1] / 1000,
    ("header.md", "100 Ohm"): lambda: tables.ROWS[2][0],
    ("header.md", "10 kOhm"): lambda: tables.ROWS[3][1] / 1000,
    ("header.md", "1 kOhm"): lambda: tables.ROWS[3][0] / 1000,
    ("header.md", "5 ms"): lambda: gpio.PLACE_MS,
    ("header.md", "20 ms"): lambda: (gpio.LOCKOUT_MS, console.PRESS_MS),
    ("header.md", "10 ms"): lambda: gpio.SCAN_MS,
    ("header.md", "2 s"): lambda: console.HOLD_MS / 1000,
    ("header.md", "333 mA"): lambda: 64 * sensors.PARTS["HAL504"].feed.most_ma,  # type: ignore[union-attr]
    ("header.md", "3.5 V"): lambda: volts.DATA_SHARE * 5,
    ("header.md", "4.7 V"): lambda: volts.DATA_V / volts.DATA_SHARE,
    ("header.md", "2 ms"): lambda: 66 * 24 * 1.25e-3,
    ("header.md", "60 mA"): lambda: 3 * strip.CHANNEL_MA,
    ("header.md", "4 A"): lambda: 66 * 3 * strip.CHANNEL_MA / 1000,
    ("header.md", "9 and 13 m"): lambda: [_metres(MAP), _metres(f"{MAP}-slots")],
    ("header.md", "16 mm"): lambda: _apart(f"{MAP}-slots", "kiel", "kiel/2") / 2,
    ("magnets.md", "7 %"): lambda: 100 * (1 - reach.STRENGTH[0]),
    ("magnets.md", "2 mm"): lambda: reach.PLACED,
    ("magnets.md", "45 degrees"): lambda: tables.PARTS[45.0][10].turn,
    ("magnets.md", "20 mm"): lambda: sensors.REED_MM,
    ("magnets.md", "9 mm"): lambda: tables.PARTS[45.0][10].aside,
    ("magnets.md", "30 mm"): lambda: reach.of_board(CASTLE).pitch,
    ("measure.md", "1.5 mm"): lambda: measure.SPACER_MM,
    ("measure.md", "half a millimetre"): lambda: reading.RULER_MM,
    ("pico.md", "40 us"): lambda: load_board("quick-battle-8x8-pico").banks["reeds"].settle_us,
    ("pico.md", "16 mm"): lambda: _apart(f"{MAP}-slots-pico", "kiel", "kiel/2") / 2,
    ("pico.md", "900 x 700 mm"): lambda: f"{CASTLE.size.x:g} x {CASTLE.size.y:g}",
    ("pico.md", "30 mm"): lambda: reach.of_board(CASTLE).pitch,
    ("pico.md", "2.5 A"): lambda: CASTLE.current_limit_ma / 1000,
    ("tags.md", "45 mm"): lambda: reach.of_board(SQUARES).pitch,
    ("tags.md", "115200 baud"): lambda: tags_pn532.BAUD,
}
"""What is our own, by page and number, and where it is decided."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_number_has_a_source_or_is_the_models_or_ours_or_an_estimate(page: Path) -> None:
    """If one has none: name its source in the sentence or in sources.md, or say that it is an estimate."""
    assert [(number, text) for number, text in unmarked(page) if (page.name, number) not in OWN] == []


@pytest.mark.parametrize(("page", "number"), OWN)
def test_what_is_our_own_is_what_the_code_has(page: str, number: str) -> None:
    value = OWN[page, number]()
    written = number.rsplit(" ", 1)[0] if number[0].isdigit() else str(WORDS[number.split(" ")[0]])
    if isinstance(value, str):
        assert written == value
        return
    numbers = [float(each) for each in re.findall(r"[\d.]+", written)]
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    numbers = numbers * len(values) if isinstance(value, tuple) else numbers
    for said_, is_ in zip(numbers, values, strict=True):
        # Rounded as it is written: "4 A" for 3.96, "9 m" for 9.2.
        assert abs(said_ - is_) <= 0.5 * 10.0 ** -_decimals(written), (said_, is_)


def _decimals(written: str) -> int:
    return max(len(each.partition(".")[2]) for each in re.findall(r"[\d.]+", written))


def test_every_entry_of_ours_is_on_its_page() -> None:
    for page, number in OWN:
        assert number in " ".join((MAKERS / page).read_text().split()), (page, number)


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("A reed may lie 3 mm too deep. Tiles overlap by 13 mm.", ["3 mm", "13 mm"]),
        ("It waits for six seconds, and asks four a second.", ["six seconds", "four a second"]),
        ("A lamp takes half an hour, or twenty minutes.", ["half an hour", "twenty minutes"]),
        ("A wheel turns for a millisecond or two.", ["a millisecond or two"]),
        ("Drill 17 holes for 12 lamps.", ["17 holes", "12 lamps"]),
        ("One A of it is for a second board.", []),
        ("A reed closes at 12 mm.", ["12 mm"]),
        ("A reed closes at 12 mm (estimate). It opens at 15 mm.", ["15 mm"]),
        ("By its data sheet it draws 17 mA.", []),
        ("Told by `python -m boardware.physics.tables`:\n\n| a |\n|---|\n| 17 mA |", []),
        ("| a |\n|---|\n| 17 mA |", ["17 mA"]),
        ("```\n17 mA\n```", []),
        ("It takes 33 to 73 kOhm on a Pi 4.", []),
        ("A reed that lies flat is felt 25 mm away.", ["25 mm"]),
        ("Lamps need 3.8 V.", ["3.8 V"]),
        ("A Pico draws 3 mA.", ["3 mA"]),
        ("A reed closes 0.5 mm away.", ["0.5 mm"]),
        ("Tracks are 35 um wide.", ["35 um"]),
        ("The Pico draws 2 W and gets 40 C warm.", ["2 W", "40 C"]),
    ],
)
def test_a_number_out_of_the_air_is_found(tmp_path: Path, text: str, bad: list[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n\n{text}\n")
    assert [number for number, _ in unmarked(page)] == bad
