"""Explains plugs and wires: one pin too far, the wrong way round, two wires crossed, a loose contact.

Pure: facts in, findings out. None of it is the board file's fault, and none says to change it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from boardumpire.makers.bare_board import ContactId, contact_id, pin_description
from boardumpire.makers.doctor_facts import CROSSINGS_MAX, AlternativeCause, DoctorFacts, Finding
from boardumpire.makers.guide import join_shortened
from boardumpire.makers.matrix_lines import MatrixLines
from boardumpire.makers.observations import Observations
from boardware.header import HEADER_PIN_BY_GPIO
from boardware.parts import BoardDescription, MatrixBank, SensorAt
from boardware.pico_pins import EDGE_PIN_BY_GPIO

LINE_KINDS = ("row", "column")
NUMBERS_SHARE_MIN, NUMBERS_MOVED_MIN = 0.9, 4
"""Such a share of what was tried has to be sensed as that mistake says, and so many elsewhere."""
Wire = tuple[str, MatrixBank, int]
"""`row` or `column`, of which bank, which."""


class WireFaults(DoctorFacts):
    """What is wrong with the wires between pins and reeds."""

    def __init__(self, board: BoardDescription, seen: Observations) -> None:
        super().__init__(board, seen)
        self._unfelt = frozenset(name for name, felt in seen.sensed_contacts.items() if felt is None)
        self.dead_contacts = set(self._unfelt)
        """Contacts that felt no piece, but for those whose wire never does or lets go now and then."""
        self.moved_contacts: set[ContactId] = set()
        """Contacts that are sensed elsewhere because of a plug, or of two crossed wires."""
        self.loose_contacts: set[ContactId] = set()
        """The contacts of wires that let go now and then."""
        self._lines = MatrixLines(board, seen)
        self.findings = [
            *(found for bank in board.banks.values() for found in self._bank_findings(bank)),
            *self._loose_connector_findings(),
        ]

    def _bank_findings(self, bank: MatrixBank) -> Iterator[Finding]:
        told = self._sensed_by_pin_numbers(bank)
        tried = self.tried_contacts(bank)
        felt = self.observations.sensed_contacts
        right = {name for name in tried if felt[name] == told[name]}
        moved = {name for name in right if felt[name] not in (name, None)}
        if len(moved) >= NUMBERS_MOVED_MIN and len(right) >= NUMBERS_SHARE_MIN * len(tried):
            self.dead_contacts -= tried
            self.moved_contacts |= tried
            yield Finding(
                "pins-counted",
                (f"rows {bank.id}", f"columns {bank.id}"),
                "pieces are sensed as if numbers of the board file were those of pins",
                f"It has GPIO numbers: row 0 goes to {pin_description(self.board, bank.rows[0], bank.pico)}"
                f" and not to pin {bank.rows[0]}. Its wiring sheet shows both",
            )
        else:
            for kind in LINE_KINDS:
                yield from self._plug_findings(bank, kind)

    def _sensed_by_pin_numbers(self, bank: MatrixBank) -> dict[ContactId, ContactId | None]:
        """Where contacts would be sensed if each wire went to the pin with its GPIO's number."""
        pins = EDGE_PIN_BY_GPIO if bank.pico else HEADER_PIN_BY_GPIO
        gpio_at = {pin: gpio for gpio, pin in pins.items()}
        rows, columns = (
            [wires.index(g) if (g := gpio_at.get(number)) in wires else None for number in wires]
            for wires in (bank.rows, bank.columns)
        )
        found: dict[ContactId, ContactId | None] = {}
        for name in self.contacts_at(bank):
            at = self.contact_positions[name]
            row, column = rows[at.row], columns[at.column]
            found[name] = (
                None if row is None or column is None else contact_id(SensorAt(bank.id, row, column))
            )
        return found

    def _plug_findings(self, bank: MatrixBank, kind: str) -> Iterator[Finding]:
        """A plug that doesn't sit as it should, or two wires that have changed places."""
        last, swaps = self.line_count(bank, kind) - 1, self._lines.swapped_wires(bank, kind)
        first, skip = self._lines.shifted_from(bank, kind)
        if step := skip or self._lines.plug_shift(bank, kind):
            yield self._shifted_plug_finding(bank, kind, step, first)
        elif len(swaps) > 2 and all(one + other == last for one, other in swaps):
            yield Finding(
                "plug-turned",
                (f"{kind}s {bank.id}",),
                f"pieces are sensed as if the {kind}s ran the other way",
                f"The plug of the {kind}s sits the wrong way round. Turn it; the board file is right",
                (AlternativeCause("wiring", "the wires were soldered in the other order"),),
                self._measuring_advice(bank, kind, 0),
            )
        elif len(swaps) > 2:
            yield Finding(
                f"{kind}s-crossed",
                tuple(f"{kind} {bank.id}:{number}" for swap in swaps for number in swap),
                "pieces on one are sensed on another: "
                + ", ".join(f"{one} and {other}" for one, other in swaps),
                "Their wires were joined to the plug in another order; change them over",
                (AlternativeCause("wiring", "`boardumpire calibrate` writes a board file that fits"),),
                self._measuring_advice(bank, kind, swaps[0][0]),
            )
        elif swaps:
            yield from (self._crossed_wires_finding(bank, kind, *swap) for swap in swaps)
        elif joined := self._lines.joined_wires(bank, kind):
            for one, other in joined:
                lines = {
                    name for number in (one, other) for name in self.contacts_in_line(bank, kind, number)
                }
                self.dead_contacts -= lines
                self.loose_contacts |= lines
                yield Finding(
                    f"{kind}s-joined",
                    (f"{kind} {bank.id}:{one}", f"{kind} {bank.id}:{other}"),
                    f"pieces on {kind} {one} are sensed on {kind} {other}, as its own are",
                    f"Both wires go to the pin of {kind} {other}. Move that of {kind} {one}:"
                    f" {self.line_wire_description(bank, kind, one)}",
                    (),
                    self._measuring_advice(bank, kind, one),
                )
        else:
            return
        self.moved_contacts |= self._lines.explained_contacts(bank)

    def _shifted_plug_finding(self, bank: MatrixBank, kind: str, step: int, begin: int) -> Finding:
        """The whole plug, or the wires from a line on, sit one pin further or before."""
        # Where two wires are crossed as well, the one that never answers is another than the last. Where
        # both plugs are shifted one contact is of two such wires.
        unfelt = set(self._unfelt)
        ends = [self.line_count(bank, kind) - 1 if step > 0 else 0, *self.dead_lines(bank, kind, unfelt)]
        never = (line for end in ends if (line := self.contacts_in_line(bank, kind, end)) <= unfelt)
        self.dead_contacts -= next(never, set())
        pin = (bank.rows if kind == "row" else bank.columns)[begin]
        where = pin_description(self.board, pin, bank.pico)
        seen = f"one {kind} {'further' if step > 0 else 'before'}"
        if begin:
            return Finding(
                "pin-skipped",
                (f"{kind}s {bank.id}",),
                f"from {kind} {begin} on pieces are sensed {seen}",
                f"From {kind} {begin} on each wire sits one pin too far. Move them; the board file is right:"
                f" its {kind} {begin} belongs to {where}",
                (AlternativeCause("wiring", "the board file fits another board"),),
                self._measuring_advice(bank, kind, begin),
            )
        return Finding(
            "plug-shifted",
            (f"{kind}s {bank.id}",),
            f"pieces are sensed {seen}, those of one {kind} never",
            f"The plug of the {kind}s sits one pin too far. Move it; the board file is right: "
            f"its {kind} 0 belongs to {where}",
            (AlternativeCause("wiring", "the board file fits another board"),),
            self._measuring_advice(bank, kind, 0),
        )

    def _crossed_wires_finding(self, bank: MatrixBank, kind: str, one: int, other: int) -> Finding:
        return Finding(
            f"{kind}s-crossed",
            (f"{kind} {bank.id}:{one}", f"{kind} {bank.id}:{other}"),
            "pieces on one are sensed on the other",
            "Their wires are crossed; change them over at the plug: "
            f"{self.line_wire_description(bank, kind, one)}; {self.line_wire_description(bank, kind, other)}",
            (),
            self._measuring_advice(bank, kind, one),
        )

    def _measuring_advice(self, bank: MatrixBank, kind: str, number: int) -> str:
        if bank.wires.buffered_wiring:
            there = "buffers and back to" if kind == "row" else "buffers of each row and back to"
            its = f"{kind} {number}"
            return f"follow the wire from the pin of {its} to its {there} the switches of {its}"
        ohm = "0 Ohm and the row's resistor" if kind == "row" else "0 Ohm"
        return (
            f"measure from the pin of {kind} {number} to the reeds of {kind} {number}: {ohm} once it is right"
        )

    # Loose contacts

    def _loose_connector_findings(self) -> Iterator[Finding]:
        """Wires under whose pieces contacts come and go, though nobody touches them."""
        bounces = self.observations.bounce_counts
        left = {name: count for name, count in bounces.items() if name not in self.loose_contacts}
        for bank in self.board.banks.values() if left else ():
            restless = [self.contact_positions[name] for name in left.keys() & self.contacts_at(bank)]
            counts = Counter(at.row for at in restless), Counter(at.column for at in restless)
            # Two loose wires fill two lines at most of one kind.
            if bank.has_diodes and min(sum(n > 1 for n in count.values()) for count in counts) > 2:
                self.loose_contacts |= self.contacts_at(bank)
                self.dead_contacts -= self.contacts_at(bank)
                left = {name: count for name, count in left.items() if name not in self.loose_contacts}
                yield Finding(
                    "diodes-absent",
                    (f"bank {bank.id}",),
                    f"pieces disturb others of their columns in {len(counts[0])} rows",
                    "There are no diodes, or they are bridged: each piece joins a row that is high with one"
                    " that is low",
                    (AlternativeCause("ground-loose", "the ground between its pins and the reeds is loose"),),
                    "measure across a diode, switched off: 0.5 to 0.7 V one way and nothing the other way",
                )
            yield from self._absent_diode_findings(bank)
        left = {name: count for name, count in left.items() if name not in self.loose_contacts}
        while left:
            kind, bank, number = wire = max(
                self._all_wires(), key=lambda each: self._suspicion_weight(each, left)
            )
            line = self.contacts_in_line(bank, kind, number)
            mine = set(left) & line
            if not mine:
                return
            for name in mine:
                del left[name]
            if len(mine) == 1 and len(self.observations.lamps_elsewhere) > CROSSINGS_MAX:
                continue  # nobody knows which piece it was
            if len(mine) == 1:
                yield self._loose_contact_finding(mine.pop())
                continue
            self.loose_contacts |= line
            self.dead_contacts -= line
            yield Finding(
                "connector-loose",
                (f"{kind} {bank.id}:{number}",),
                "opens and closes under pieces that stand still",
                "A contact of its plug, or a joint, lets go now and then:"
                f" {self.line_wire_description(bank, kind, wire[2])}",
                (AlternativeCause("reed-loose", "several joints of reeds"),),
                f"put pieces on three squares of that {kind} and wiggle its plug: all flicker at once",
            )

    def _absent_diode_findings(self, bank: MatrixBank) -> Iterator[Finding]:
        """Pieces that disturb others of their columns, on the same rows of several columns alone."""
        disturbed = {
            name: by
            for name, by in self.observations.disturbed_by.items()
            if name in self.contacts_at(bank) - self.loose_contacts and len(by) > 1
        }
        rows = {frozenset(self.contact_positions[one].row for one in by) for by in disturbed.values()}
        if bank.has_diodes and len(disturbed) > 1 and len(rows) == 1:
            bare = {one for by in disturbed.values() for one in by}
            self.loose_contacts |= bare | disturbed.keys()
            self.dead_contacts -= bare
            slots = sorted(map(self.slot_of_contact, bare))
            yield Finding(
                "diodes-absent",
                tuple(f"diode {slot}" for slot in slots),
                f"pieces on {join_shortened(slots)} disturb others of their columns",
                "Their diodes are absent or bridged",
                (),
                "measure across each, switched off: 0.5 to 0.7 V one way and nothing the other way",
            )

    def _loose_contact_finding(self, name: ContactId) -> Finding:
        """A single contact that comes and goes may be of its row's wire, of its column's, or its own."""
        self.loose_contacts.add(name)
        at, slot = self.contact_positions[name], self.slot_of_contact(name)
        return Finding(
            "connector-loose",
            (f"row {at.bank}:{at.row}", f"column {at.bank}:{at.column}", f"reed {slot}"),
            f"opens and closes under a piece that stands still on {slot}",
            f"A contact of a plug, or a joint, lets go now and then: {self.wires_of_contact(name)}",
            (AlternativeCause("reed-loose", "a joint of the reed itself"),),
            f"put pieces on {slot} and on two more squares of its row and of its column, and wiggle both "
            "plugs: those that flicker together have that wire",
        )

    def _all_wires(self) -> list[Wire]:
        return [
            (kind, bank, number)
            for bank in self.board.banks.values()
            for kind in LINE_KINDS
            for number in range(self.line_count(bank, kind))
        ]

    def _suspicion_weight(self, wire: Wire, restless: Mapping[ContactId, int]) -> tuple[int, int, int]:
        """What speaks for a wire: contacts that come and go, some that felt nothing, and how often."""
        kind, bank, number = wire
        line = self.contacts_in_line(bank, kind, number)
        flickers, dead, tried = (
            set(restless) & line,
            self.dead_contacts & line,
            line & set(self.observations.sensed_contacts),
        )
        some = len(dead) if len(dead) < len(tried) else 0
        return len(flickers), some, sum(restless[name] for name in flickers)
