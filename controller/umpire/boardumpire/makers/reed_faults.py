"""Explains reeds, diodes, rows, columns and magnets. Pure: facts in, findings out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import fmean

from boardumpire.makers import causes, causes_buffered
from boardumpire.makers.bare_board import (
    ContactId,
    column_wire_description,
    lamp_number,
    row_wire_description,
)
from boardumpire.makers.doctor_facts import (
    CROSSINGS_MAX,
    AlternativeCause,
    DoctorFacts,
    Finding,
    finding_from_causes,
)
from boardumpire.makers.guide import join_shortened
from boardumpire.makers.observations import Observations, StrongMagnetTest
from boardumpire.makers.wire_faults import LINE_KINDS, WireFaults
from boardware.parts import BoardDescription, MatrixBank

MANY_UNSENSED_COUNT, MANY_UNSENSED_SHARE = 4, 0.1
"""From so many unfelt spaces on, and such a share of a bank, one cause is looked for rather than many."""
MANY_UNSENSED_MAGNET_COUNT = 2
"""The same where a strong magnet is felt at two of them: that is seldom their reeds."""
SENSED_SHARE_MIN = 0.8
"""So large a share of the spaces has to feel pieces before much is made of where they are sensed."""
APART_SHARE_MIN, APART_COUNT_MIN = 0.25, 6
"""By such a share of all rows or columns the middles of two sets of contacts differ if they lie apart. Of
fewer contacts they differ by chance."""
SLOWER_FACTOR = 4
"""So much longer a `settle_us` is tried."""
BANK_CAUSE_CODES = ("diodes-reversed", "plugs-exchanged", "plug-off", "buffers-off", "switches-unfed")
"""Causes under the board, by which nothing at all is felt."""
REED_CAUSE_CODES = ("reeds-dead", "reeds-insensitive")
"""Causes that are told of each reed instead."""
OFF_MIDDLE_CODE = "reeds-off-middle"
SIDEWAYS_CHANGES_MIN = 3
"""So often it closes and opens under a piece pushed round: it closes on one side, opens, and closes on the
other."""
MOOT_CODES = ("connector-loose", "rows-joined", "columns-joined")
"""What contacts that close with others, or stay closed, would say as well."""
PIECES_PART = ("pieces",)
"""To blame for what is wrong with magnets."""


class ReedFaults(DoctorFacts):
    """What is wrong with the reed matrix, and with the magnets over it."""

    def __init__(self, board: BoardDescription, seen: Observations) -> None:
        super().__init__(board, seen)
        self._plugs = WireFaults(board, seen)
        self._dead = set(self._plugs.dead_contacts)
        self._stuck = set(seen.closed_when_empty)
        self._loose = self._plugs.loose_contacts
        self._robs = {name for name, other in seen.hidden_by_unsensed.items() if other not in self._loose}
        self._beside = {name: set(others) for name, others in seen.also_closed.items()}
        """Which others closed with a contact, as far as nothing else explains it."""
        self._of_pieces = False
        """Whether magnets are to blame: then full rows prove nothing."""
        self._rows_loaded: set[str] = set()
        """Banks of which a row feeds more than its pieces: full rows prove nothing there either."""
        self._moot: set[str] = set()
        """Banks of which all seems closed: nothing else can be said of them."""

    def findings(self) -> Iterator[Finding]:
        """Those about whole boards before those about whole wires, and these before single parts."""
        yield from self._ghost_findings()
        yield from self._latching_column_findings()
        yield from self._closed_column_findings()
        for found in self._plugs.findings:
            bank = found.parts[0].partition(" ")[2].partition(":")[0]
            if bank not in self._moot or found.code not in MOOT_CODES:
                yield found
        yield from self._joined_crossing_findings()
        yield from self._misplaced_findings()
        yield from self._magnet_findings()
        yield from self._dead_wire_findings()
        yield from self._single_unsensed_findings()
        yield from self._closed_reed_findings()
        yield from self._crossed_reed_findings()
        yield from self._diode_findings()
        yield from self._also_closed_findings()
        yield from self._full_row_findings()
        yield from self._pieces()

    # Closed on the empty board

    def _closed_column_findings(self) -> Iterator[Finding]:
        """Whole columns that seem closed on the empty board: of all the bank, or single ones."""
        idle = set(self.observations.closed_when_empty)
        for bank in self.board.banks.values():
            columns = [
                number
                for number in range(len(bank.columns))
                if len(line := self.contacts_at(bank, column=number)) > 1 and line <= idle
            ]
            whole = len(columns) > 1 and len(columns) >= len(bank.columns) - 1
            for number in [-1] if whole else columns:
                # Crossings without a reed are read too, and seem closed as those with one do.
                self._stuck -= {
                    name
                    for name, at in self.contact_positions.items()
                    if at.bank == bank.id and (whole or at.column == number)
                }
                if whole:
                    self._moot.add(bank.id)
                    self._dead -= self.contacts_at(bank)
                names = (f"columns {bank.id}",) if whole else (f"column {bank.id}:{number}",)
                every = "every reed of the bank" if whole else "every reed of it"
                seen = f"{every} seems closed on the empty board"
                where = "" if whole else column_wire_description(self.board, bank, number)
                table = (causes_buffered if bank.wires.buffered_wiring else causes).CLOSED_COLUMN_CAUSES
                signs = {"whole": whole}
                if opened := self.observations.opened_by_pieces.get(bank.id):
                    signs |= {"opens": opened.under, "opens beside": opened.beside}
                yield finding_from_causes(
                    table, signs, {"": names, "reeds-closed": (f"bank {bank.id}",)}, seen, where
                )

    def _joined_crossing_findings(self) -> Iterator[Finding]:
        """Contacts that are closed on the empty board, and most others of their columns are not sensed.

        Their rows, which are low while another one is driven, hold the columns low.
        """
        for name in sorted(self._stuck):
            at, slot = self.contact_positions[name], self.slot_of_contact(name)
            bank = self.board.banks[at.bank]
            others = self.contacts_at(bank, column=at.column) & self.tried_contacts(bank) - {name}
            if len(others) > 1 and 2 * len(others & self._dead) > len(others):
                self._stuck.discard(name)
                self._dead -= others
                self._rows_loaded.add(bank.id)
                yield Finding(
                    "row-touches-column",
                    (f"row {at.bank}:{at.row}", f"column {at.bank}:{at.column}", f"reed {slot}"),
                    f"{slot} is closed on the empty board, and others of its column are not sensed",
                    f"Its row touches its column, at {slot} or at the plugs: {self.wires_of_contact(name)}",
                    (),
                    "switch off and measure from the row to the column: 0 Ohm where they touch",
                )

    def _closed_reed_findings(self) -> Iterator[Finding]:
        """Single reeds that are closed or restless on the empty board, or stay closed."""
        for name in sorted(self._stuck):
            slot = self.slot_of_contact(name)
            yield Finding(
                "reed-stuck",
                (f"reed {slot}",),
                "closed on the empty board",
                f"The reed sticks, a magnet lies near, or solder bridges it: {self.wires_of_contact(name)}",
            )
        for name in sorted(
            self.observations.chattering_contacts - self.observations.closed_when_empty - self._loose
        ):
            yield Finding(
                "loose",
                (f"reed {self.slot_of_contact(name)}",),
                "opens and closes while nobody touches the board",
                f"A loose joint: {self.wires_of_contact(name)}",
            )
        for name in sorted(self.observations.stuck_closed - self._loose - self._contacts_of_moot_banks()):
            yield Finding(
                "reed-sticks",
                (f"reed {self.slot_of_contact(name)}",),
                "stays closed when the piece is gone",
                "The reed sticks, or the magnet is too strong",
            )

    def _ghost_findings(self) -> Iterator[Finding]:
        """Banks whose columns are still high when the next row is driven: its contacts seem closed, too."""
        steps: dict[str, Counter[int]] = {}
        pairs = [(one, other) for one, others in self._beside.items() for other in others]
        pairs += [(one, felt) for one, felt in self.observations.sensed_contacts.items() if felt]
        for one, other in pairs:
            here, there = self.contact_positions[one], self.contact_positions[other]
            if here.bank == there.bank and here.column == there.column:
                steps.setdefault(here.bank, Counter())[there.row - here.row] += one in self._beside
        for bank in self.board.banks.values():
            count = steps.get(bank.id, Counter())
            rows = {
                self.contact_positions[name].row
                for name in self._beside
                if self.contact_positions[name].bank == bank.id
            }
            if count[1] < MANY_UNSENSED_COUNT or count[1] < 3 * count[-1] or len(rows) < 3:
                continue
            self._moot.add(bank.id)
            self._dead -= self.contacts_at(bank)
            wait, helps = SLOWER_FACTOR * bank.settle_us, self.observations.slower_helps.get(bank.id)
            seen = f"{count[1]} pieces are sensed on the next row, too"
            if helps is not None:
                seen += f", with settle_us = {wait} {'none' if helps else 'as well'}"
            if helps is False:
                check = "Each row touches the next one, or a column is held high"
                yield Finding("rows-bridged", (f"rows {bank.id}",), seen, check)
                continue
            yield Finding(
                "settle-short",
                (f"columns {bank.id}",),
                seen,
                "Columns are still high when the next row is driven: cables are too long, or nothing pulls"
                f" them down. Write `settle_us = {wait}` for {bank.settle_us} into the board file",
                () if helps else (AlternativeCause("rows-bridged", "each row touches the next one"),),
                "start the doctor again with that: nothing is sensed on two rows",
            )

    def _latching_column_findings(self) -> Iterator[Finding]:
        """Banks of which most contacts stay closed once a piece was on them: then all columns are high."""
        for bank in self.board.banks.values():
            count = len(self.observations.stuck_closed & self.contacts_at(bank))
            if not bank.pico or count < max(MANY_UNSENSED_COUNT, len(self.tried_contacts(bank)) / 2):
                continue
            self._moot.add(bank.id)
            self._dead -= self.contacts_at(bank)
            yield Finding(
                "columns-latch",
                (f"columns {bank.id}",),
                f"{count} contacts stay closed when the piece is gone",
                "The Pico 2 is of stepping A2, whose pins stay high: solder 8.2 kOhm from each column to"
                " ground, or take a later one",
                (AlternativeCause("magnets-strong", "the magnets are too strong for these reeds"),),
                "measure a column to ground while it seems closed: such a pin has some 2.2 V",
            )

    def _contacts_of_moot_banks(self) -> set[ContactId]:
        return {name for name, at in self.contact_positions.items() if at.bank in self._moot}

    # Not felt

    def _full_row_findings(self) -> Iterator[Finding]:
        """Rows that carry one piece and not all of theirs; those of a bank are one finding."""
        for bank in self.board.banks.values():
            if bank.id in self._moot | self._rows_loaded or self._of_pieces or self._misplaced():
                continue
            short = {
                row: test
                for (of, row), test in self.observations.full_rows.items()
                if of == bank.id
                and test.sensed < test.stood
                and not self._loose & self.contacts_at(bank, row=row)
            }
            elsewhere = {name for test in short.values() if test.elsewhere for name in test.unsensed_alone}
            if elsewhere:
                yield self._misplaced_finding(sorted(map(self.slot_of_contact, elsewhere)))
            elif not self._plugs.dead_contacts & self.contacts_at(bank) and (
                alone := {name for test in short.values() for name in test.unsensed_alone}
            ):
                yield self._weak_piece_finding(sorted(map(self.slot_of_contact, alone)))
            weak = {row: test for row, test in short.items() if not test.unsensed_alone}
            if not weak:
                continue
            row, (stood, sensed, *_) = min(weak.items(), key=lambda item: item[1].sensed)
            every = len(weak) > 1
            yield Finding(
                "rows-weak" if every else "row-weak",
                (f"rows {bank.id}",) if every else (f"row {bank.id}:{row}",),
                f"of {stood} pieces in row {row}, each sensed alone, {sensed} are sensed together",
                "Its resistor is too large, or those from columns to ground are too small:"
                f" {row_wire_description(self.board, bank, row)}. `boardumpire board check` says what carries"
                " a full row",
                (AlternativeCause("joint-weak", "a cold joint in a row's wire"),),
                "measure a column to ground with all pieces there: it needs 2.0 V; then, switched off,"
                " each resistor",
            )

    @staticmethod
    def _weak_piece_finding(squares: list[str]) -> Finding:
        return Finding(
            "piece-weak",
            PIECES_PART,
            f"the piece on {join_shortened(squares)} is not felt, alone neither, where another one was",
            "Its magnet is weak, missing, too high in its foot, or upside down over sensors of one pole",
            (AlternativeCause("reed-insensitive", "the reed of that square feels some pieces barely"),),
            "put it on another square: it is not felt there either",
        )

    def _misplaced_findings(self) -> Iterator[Finding]:
        """Lamps that are not at the printed name, and agree with the sensors: else the lamps are crossed."""
        if misplaced := self._misplaced():
            yield self._misplaced_finding(misplaced)

    def _misplaced(self) -> list[str]:
        elsewhere = self.observations.lamps_elsewhere
        return [
            space
            for space in sorted(self.observations.misplaced_spaces)
            if lamp_number(self.board.lamps[space]) not in elsewhere and len(elsewhere) <= CROSSINGS_MAX
        ]

    @staticmethod
    def _misplaced_finding(spaces: list[str]) -> Finding:
        return Finding(
            "places-exchanged",
            tuple(f"space {space}" for space in spaces),
            "its lamp and its sensor both lie under another square than its printed name",
            "The template lay mirrored or turned, or cables of two Picos or tiles are exchanged",
            (AlternativeCause("tile-turned", "a tile of a circuit board was put in turned"),),
            f"`boardumpire board show` names the squares; put a piece on the printed {spaces[0]} and see on"
            " the doctor's page which lights up",
        )

    def _pieces(self) -> Iterator[Finding]:
        """Pieces that one square does not feel, where it feels others."""
        closed = [under for under in self.observations.pieces if under]
        unfelt = [number for number, under in enumerate(self.observations.pieces, 1) if not under]
        if unfelt and closed:
            yield Finding(
                "piece-weak",
                tuple(f"piece {number}" for number in unfelt),
                f"not felt where {len(closed)} others are",
                "Its magnet is weak, missing, too high in its foot, or upside down over sensors of one pole",
                (),
                "hold a second magnet on top of its own, one way up and the other: then it is felt",
            )
        elif unfelt:
            yield Finding(
                "pieces-unfelt",
                PIECES_PART,
                f"none of {len(unfelt)} is felt on this square",
                "Their magnets, or the square: `boardumpire doctor squares` says which",
            )

    def _dead_wire_findings(self) -> Iterator[Finding]:
        """Whole rows and columns of which nothing is sensed."""
        for bank in self.board.banks.values():
            if bank.id in self._moot:
                continue
            dead = {kind: self.dead_lines(bank, kind, self._dead) for kind in LINE_KINDS}
            crossed = all(len(numbers) == 1 for numbers in dead.values())
            for kind, numbers in dead.items():
                for number in numbers:
                    line = self.contacts_in_line(bank, kind, number)
                    self._dead -= line
                    parts, wire = (
                        f"{kind} {bank.id}:{number}",
                        self.line_wire_description(bank, kind, number),
                    )
                    hide = len(line & self._robs) > 1
                    if hide or not all(self.observations.rings_right.get(name, True) for name in line):
                        told = ", and pieces there hide others in their columns" if hide else ""
                        yield Finding(
                            "diodes-reversed",
                            (parts,),
                            f"none of its reeds is sensed{told}",
                            "All its diodes are the wrong way round. Their ring points to the column:"
                            f" {wire}",
                        )
                        continue
                    cut = "The wire is cut, or touches ground"
                    if kind == "row" and bank.wires.buffered_wiring:
                        cut += ", or its buffers are not enabled"
                    elif kind == "row" and {number - 1, number + 1} & set(numbers):
                        cut = "It touches the dead row beside it, or its own wire is cut"
                    both = ", or the two dead wires are crossed" if crossed else ""
                    yield Finding(
                        f"{kind}-dead", (parts,), "none of its reeds is sensed", f"{cut}{both}: {wire}"
                    )

    def _is_nothing_sensed(self, bank: MatrixBank) -> bool:
        """Whether nothing is felt of a bank."""
        tried = self.tried_contacts(bank)
        return len(tried) > 1 and not any(self.observations.sensed_contacts[name] for name in tried)

    def _magnet_findings(self) -> Iterator[Finding]:
        """Many spaces of a bank that felt no piece, whatever their rows and columns.

        Magnets are those of the pieces: what is wrong with them is told once, and is no fault of other banks.
        """
        of_pieces: set[str] = set()
        for found in self._many_unsensed_findings():
            if found.parts != PIECES_PART or found.code not in of_pieces:
                yield found
            if found.parts == PIECES_PART:
                of_pieces.add(found.code)
        self._of_pieces = bool(of_pieces)
        if of_pieces:
            for bank in self.board.banks.values():
                strong = [
                    one
                    for name, one in self.observations.magnet_tests.items()
                    if name in self.contacts_at(bank)
                ]
                if all(one.closes for one in strong):
                    self._dead -= self.contacts_at(bank) - self._robs

    def _many_unsensed_findings(self) -> Iterator[Finding]:
        for bank in self.board.banks.values():
            dead, tried = self._dead & self.contacts_at(bank), self.tried_contacts(bank)
            none, least = (
                self._is_nothing_sensed(bank),
                max(MANY_UNSENSED_COUNT, MANY_UNSENSED_SHARE * len(tried)),
            )
            strong = {
                name: self.observations.magnet_tests[name]
                for name in dead
                if name in self.observations.magnet_tests
            }
            closes = sum(one.closes for one in strong.values()) > 1
            if closes:
                least = MANY_UNSENSED_MAGNET_COUNT
            scattered = dead - self._robs
            if not closes:
                scattered -= self._contacts_of_dead_lines(bank)
            if bank.id in self._moot or (not none and len(scattered) < least):
                continue
            found = self._many_unsensed_finding(bank, dead, strong, none=none)
            if found.code == "reeds-insensitive" and self._lie_together(bank, dead):
                found = found._replace(
                    parts=tuple(f"reed {self.slot_of_contact(name)}" for name in sorted(dead))
                )
                self._dead -= dead
                yield found
            elif none or found.code not in (*BANK_CAUSE_CODES, *REED_CAUSE_CODES):
                still = {name for name, one in strong.items() if not one.closes}
                self._dead -= dead
                self._dead |= set() if none else still | self._robs & dead
                yield found

    def _contacts_of_dead_lines(self, bank: MatrixBank) -> set[ContactId]:
        """The contacts of rows and columns of which nothing is felt."""
        return {
            name
            for kind in ("row", "column")
            for number in self.dead_lines(bank, kind, self._dead)
            for name in self.contacts_in_line(bank, kind, number)
        }

    def _single_unsensed_findings(self) -> Iterator[Finding]:
        """Contacts here and there that felt no piece, one by one."""
        for name in sorted(self._dead - self._loose):
            under = [one for one, others in self.observations.also_closed.items() if name in others]
            if len(under) == 1:
                here, there = self.slot_of_contact(name), self.slot_of_contact(under[0])
                self._beside.pop(under[0], None)
                yield Finding(
                    "reed-elsewhere",
                    (f"reed {here}",),
                    f"a piece on {here} is not sensed, and one on {there} is sensed on both",
                    f"It lies under {there}, or nearer to it: move it to the middle of {here}",
                )
            else:
                yield self._unsensed_contact_finding(name)

    def _many_unsensed_finding(
        self,
        bank: MatrixBank,
        dead: set[ContactId],
        strong: Mapping[ContactId, StrongMagnetTest],
        *,
        none: bool,
    ) -> Finding:
        signs = {"none": none, "together": self._lie_together(bank, dead)}
        rings = self.observations.rings_right
        if none and (looked_at := rings.keys() & self.contacts_at(bank)):
            signs["ring right"] = all(rings[name] for name in looked_at)
        if strong:
            felt = [one for one in strong.values() if one.closes]
            signs["strong"] = 2 * len(felt) > len(strong)
            if felt:
                signs["one way"] = 2 * sum(
                    one.closes_by_magnet != one.closes_when_turned for one in felt
                ) > len(felt)
            signs["one of two"] = len(felt) > 1 and all(one.closes_by_one_piece for one in felt)
            changes = [one.changes_by_pushed_piece for one in felt if one.changes_by_pushed_piece is not None]
            if changes:
                signs["beside"] = 2 * sum(times > 0 for times in changes) > len(changes)
                # At a single place a piece may begin on the reed, and pass it twice.
                signs["both sides"] = min(changes) >= SIDEWAYS_CHANGES_MIN
                signs["most"] = 2 * len(dead) > len(self.tried_contacts(bank))
        under = (f"bank {bank.id}",)
        seen = "no piece is felt" if none else f"{len(dead)} spaces do not feel a piece, others do"
        if strong:
            tells = "a strong magnet is felt" if signs["strong"] else "nor is a strong magnet felt"
            seen = f"{seen}; {tells}"
        table = (causes_buffered if bank.wires.buffered_wiring else causes).MANY_UNSENSED_CAUSES
        return finding_from_causes(
            table,
            signs,
            {
                "": PIECES_PART,
                **dict.fromkeys((*BANK_CAUSE_CODES, *REED_CAUSE_CODES, OFF_MIDDLE_CODE), under),
            },
            seen,
        )

    def _lie_together(self, bank: MatrixBank, dead: set[ContactId]) -> bool:
        """Whether contacts that felt no piece lie in one line, or on one part of the board."""
        others = self.tried_contacts(bank) - dead
        if min(len(dead), len(others)) < MANY_UNSENSED_COUNT:
            return False
        for kind in LINE_KINDS:
            here, there = (
                [self.line_and_place(self.contact_positions[name], kind)[0] for name in names]
                for names in (dead, others)
            )
            many = min(len(here), len(there)) >= APART_COUNT_MIN
            apart = abs(fmean(here) - fmean(there)) > APART_SHARE_MIN * self.line_count(bank, kind)
            if (many and apart) or len(set(here)) == 1:
                return True
        return False

    def _unsensed_contact_finding(self, name: ContactId) -> Finding:
        signs = {"robs": name in self._robs}
        tests = self.observations.magnet_tests
        bank = self.board.banks[self.contact_positions[name].bank]
        asked = [tests[one] for one in [name] if one in tests] or [
            test for one, test in tests.items() if one in self.contacts_at(bank)
        ]
        felt = {test.closes for test in asked}
        if len(felt) == 1:  # as at all others where nothing was felt
            signs["strong"] = felt.pop()
        slot = self.slot_of_contact(name)
        reed, diode = f"reed {slot}", f"diode {slot}"
        seen = f"a piece on {slot} is not sensed" + (
            ", and hides another one in its column" if signs["robs"] else ""
        )
        buffered = self._is_buffered(name)
        table = (causes_buffered if buffered else causes).ONE_UNSENSED_CAUSES
        parts = {
            "": (reed,) if buffered else (reed, diode),
            "diode-reversed": (diode,),
            "reed-insensitive": (reed,),
            "magnet-weak": PIECES_PART,
        }
        return finding_from_causes(table, signs, parts, seen, self.wires_of_contact(name))

    def _is_buffered(self, name: ContactId) -> bool:
        """Whether it is of a bank that has no diodes, as its rows have buffers."""
        return self.board.banks[self.contact_positions[name].bank].wires.buffered_wiring is not None

    def _crossed_reed_findings(self) -> Iterator[Finding]:
        moot = self._plugs.moved_contacts | self._loose | self._contacts_of_moot_banks()
        crossed = {
            name: felt
            for name, felt in self.observations.sensed_contacts.items()
            if felt is not None and felt != name and not moot & {name, felt}
        }
        rings = _rings(crossed)
        single = crossed.keys() - {one for ring in rings for one in ring}
        felt = sum(found is not None for found in self.observations.sensed_contacts.values())
        if felt < SENSED_SHARE_MIN * len(self.observations.sensed_contacts):
            single.clear()
        if sum(map(len, rings)) + len(single) > CROSSINGS_MAX:
            if self._plugs.moved_contacts:
                return  # plugs first, then another look: no board file is fitted to a wrong plug
            yield Finding(
                "wiring",
                ("board file",),
                f"{len(crossed)} reeds are sensed on other spaces than it says",
                "See first that every plug sits right. If the board was wired in another order, "
                "`boardumpire calibrate` writes a board file that fits",
            )
            return
        for ring in rings:
            called = [self.slot_of_contact(one) for one in ring]
            turned = ", or the tile under them is turned" if len(ring) > 2 else ""
            wires = ". ".join(f"{self.slot_of_contact(one)}: {self.wires_of_contact(one)}" for one in ring)
            yield Finding(
                "reeds-crossed",
                tuple(f"reed {each}" for each in called),
                f"a piece on one is sensed on the next: {', '.join((*called, called[0]))}",
                f"Their wires are crossed{turned}. {wires}",
            )
        for one in sorted(single):
            a, b = self.slot_of_contact(one), self.slot_of_contact(crossed[one])
            yield Finding(
                "reed-elsewhere",
                (f"reed {a}",),
                f"a piece on {a} is sensed on {b}",
                f"Look where its wires go: {self.wires_of_contact(one)}",
            )

    def _diode_findings(self) -> Iterator[Finding]:
        for name in sorted(
            name
            for name, other in self.observations.hidden_by_sensed.items()
            if not self._loose & {name, other}
        ):
            slot, seen = self.slot_of_contact(name), "hides another one in its column"
            code, part, check = "diode-shorted", f"diode {slot}", "The diode is shorted, bridged or absent"
            if self._is_buffered(name):
                code, part, check = "switch-hides", f"reed {slot}", "Look at the joints of its switch"
            yield Finding(
                code, (part,), f"a piece on {slot} {seen}", f"{check}: {self.wires_of_contact(name)}"
            )

    def _also_closed_findings(self) -> Iterator[Finding]:
        """More than one contact closes under one piece."""
        moot = self._loose | self._contacts_of_moot_banks()
        beside = {name: left for name, others in self._beside.items() if (left := others - moot)}
        for bank in self.board.banks.values():
            for kind in LINE_KINDS:
                for one, other in self._bridged_wires(bank, kind, beside):
                    wires = (self.line_wire_description(bank, kind, number) for number in (one, other))
                    for number in (one, other):
                        for name in self.contacts_in_line(bank, kind, number):
                            beside.pop(name, None)
                    yield Finding(
                        f"{kind}s-bridged",
                        (f"{kind} {bank.id}:{one}", f"{kind} {bank.id}:{other}"),
                        "a piece on one is sensed on both",
                        f"They touch: {'; '.join(wires)}",
                    )
        for name, others in sorted(beside.items()):
            slot, felt = self.slot_of_contact(name), sorted(map(self.slot_of_contact, others))
            yield Finding(
                "felt-beside",
                tuple(f"reed {each}" for each in felt),
                f"closes too when a piece stands on {slot}",
                "The magnet is too strong, or the reed lies off its middle",
            )

    def _bridged_wires(
        self, bank: MatrixBank, kind: str, beside: dict[ContactId, set[ContactId]]
    ) -> list[tuple[int, int]]:
        """Pairs of wires of which every reed is sensed on both."""
        found: dict[tuple[int, int], int] = {}
        for name, others in beside.items():
            here, place = self.line_and_place(self.contact_positions[name], kind)
            for other in others:
                there, same = self.line_and_place(self.contact_positions[other], kind)
                if (
                    self.contact_positions[other].bank == self.contact_positions[name].bank == bank.id
                    and same == place
                ):
                    pair = (min(here, there), max(here, there))
                    found[pair] = found.get(pair, 0) + 1
        return sorted(
            pair
            for pair, count in found.items()
            if count > 2 and count >= len(self.contacts_in_line(bank, kind, pair[0]))
        )


def _rings(to: Mapping[ContactId, ContactId]) -> list[list[ContactId]]:
    """Contacts that are sensed in a circle: each as the next one, the last as the first."""
    found, left = [], dict(to)
    for first in sorted(to):
        ring = [first]
        while (following := left.pop(ring[-1], None)) in left and following is not None:
            ring.append(following)
        if following == first:
            found.append(ring)
    return found
