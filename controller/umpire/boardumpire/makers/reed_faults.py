"""Explains reeds, diodes, rows, columns and magnets. Pure: facts in, findings out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from boardumpire.makers import causes, causes_buffered
from boardumpire.makers.bare_board import ContactId, column_wire, row_wire
from boardumpire.makers.doctor_facts import REFIT_COUNT, AlternativeCause, DoctorFacts, Finding, caused
from boardumpire.makers.observations import Observations, StrongMagnetTest
from boardumpire.makers.wire_faults import WireFaults
from boardware.parts import BoardDescription, MatrixBank

MANY_COUNT, MANY_SHARE = 4, 0.1
"""From so many unfelt spaces on, and such a share of a bank, one cause is looked for rather than many."""
FEW_COUNT = 2
"""The same where a strong magnet is felt at two of them: that is seldom their reeds."""
MOST_SHARE = 0.8
"""So large a share of the spaces has to feel pieces before much is made of where they are sensed."""
UNDER = ("diodes-reversed", "plug-off", "buffers-off", "switches-unfed")
"""Causes under the board, by which nothing at all is felt."""
OF_REEDS = ("reeds-dead", "reeds-insensitive")
"""Causes that are told of each reed instead."""
PIECES = ("pieces",)
"""To blame for what is wrong with magnets."""


class ReedFaults(DoctorFacts):
    """What is wrong with the reed matrix, and with the magnets over it."""

    def __init__(self, board: BoardDescription, seen: Observations) -> None:
        super().__init__(board, seen)
        self._plugs = WireFaults(board, seen)
        self._dead = set(self._plugs.dead)
        self._stuck = set(seen.idle)
        self._loose = self._plugs.loose
        self._robs = {name for name, other in seen.robs.items() if other not in self._loose}
        self._of_pieces = False
        """Whether magnets are to blame: then full rows prove nothing."""
        self._moot: set[str] = set()
        """Banks of which all seems closed: nothing else can be said of them."""

    def findings(self) -> Iterator[Finding]:
        """Those about whole boards before those about whole wires, and these before single parts."""
        yield from self._latches()
        yield from self._closed()
        yield from self._plugs.findings
        yield from self._magnets()
        yield from self._dead_wires()
        yield from self._unfelt()
        yield from self._idle()
        yield from self._crossed_reeds()
        yield from self._diodes()
        yield from self._beside()
        yield from self._full_rows()

    # Closed on the empty board

    def _closed(self) -> Iterator[Finding]:
        """Whole columns that seem closed on the empty board: of all the bank, or single ones."""
        idle = set(self.seen.idle)
        for bank in self.board.banks.values():
            columns = [
                number
                for number in range(len(bank.columns))
                if len(line := self.line(bank, column=number)) > 1 and line <= idle
            ]
            whole = len(columns) > 1 and len(columns) >= len(bank.columns) - 1
            for number in [-1] if whole else columns:
                # Crossings without a reed are read too, and seem closed as those with one do.
                self._stuck -= {
                    name
                    for name, at in self.at.items()
                    if at.bank == bank.id and (whole or at.column == number)
                }
                if whole:
                    self._moot.add(bank.id)
                    self._dead -= self.line(bank)
                names = (f"columns {bank.id}",) if whole else (f"column {bank.id}:{number}",)
                every = "every reed of the bank" if whole else "every reed of it"
                seen = f"{every} seems closed on the empty board"
                where = "" if whole else column_wire(self.board, bank, number)
                table = (causes_buffered if bank.wires.buffered else causes).CLOSED
                signs = {"whole": whole}
                if bank.id in self.seen.opens:
                    signs["opens"] = self.seen.opens[bank.id]
                yield caused(table, signs, {"": names, "reeds-closed": (f"bank {bank.id}",)}, seen, where)

    def _idle(self) -> Iterator[Finding]:
        """Single reeds that are closed or restless on the empty board, or stay closed."""
        for name in sorted(self._stuck):
            slot = self.slot(name)
            yield Finding(
                "reed-stuck",
                (f"reed {slot}",),
                "closed on the empty board",
                f"The reed sticks, a magnet lies near, or solder bridges it: {self.wires(name)}",
            )
        for name in sorted(self.seen.chatter - self.seen.idle - self._loose):
            yield Finding(
                "loose",
                (f"reed {self.slot(name)}",),
                "opens and closes while nobody touches the board",
                f"A loose joint: {self.wires(name)}",
            )
        for name in sorted(self.seen.kept - self._loose - self._of_moot()):
            yield Finding(
                "reed-sticks",
                (f"reed {self.slot(name)}",),
                "stays closed when the piece is gone",
                "The reed sticks, or the magnet is too strong",
            )

    def _latches(self) -> Iterator[Finding]:
        """Banks of which most contacts stay closed once a piece was on them: then all columns are high."""
        for bank in self.board.banks.values():
            count = len(self.seen.kept & self.line(bank))
            if not bank.pico or count < max(MANY_COUNT, len(self.tried(bank)) / 2):
                continue
            self._moot.add(bank.id)
            self._dead -= self.line(bank)
            yield Finding(
                "columns-latch",
                (f"columns {bank.id}",),
                f"{count} contacts stay closed when the piece is gone",
                "The Pico 2 is of stepping A2, whose pins stay high: solder 8.2 kOhm from each column to"
                " ground, or take a later one",
                (AlternativeCause("magnets-strong", "the magnets are too strong for these reeds"),),
                "measure a column to ground while it seems closed: such a pin has some 2.2 V",
            )

    def _of_moot(self) -> set[ContactId]:
        return {name for name, at in self.at.items() if at.bank in self._moot}

    # Not felt

    def _full_rows(self) -> Iterator[Finding]:
        """Rows that carry one piece and not all of theirs; those of a bank are one finding."""
        for bank in self.board.banks.values():
            rows = {row: told for (of, row), told in self.seen.full_rows.items() if of == bank.id}
            weak = {
                row: (stood, sensed)
                for row, (stood, sensed) in rows.items()
                if sensed < stood and not self._loose & self.line(bank, row=row)
            }
            if not weak or bank.id in self._moot or self._of_pieces:
                continue
            row, (stood, sensed) = min(weak.items(), key=lambda item: item[1][1])
            every = len(weak) > 1
            yield Finding(
                "rows-weak" if every else "row-weak",
                (f"rows {bank.id}",) if every else (f"row {bank.id}:{row}",),
                f"of {stood} pieces in row {row}, each sensed alone, {sensed} are sensed together",
                "Its resistor is too large, or those from columns to ground are too small:"
                f" {row_wire(self.board, bank, row)}. `boardumpire board check` says what carries a full row",
                (AlternativeCause("joint-weak", "a cold joint in a row's wire"),),
                "measure a column to ground with all pieces there: it needs 2.0 V; then, switched off,"
                " each resistor",
            )

    def _dead_wires(self) -> Iterator[Finding]:
        """Whole rows and columns of which nothing is sensed."""
        for bank in self.board.banks.values():
            if bank.id in self._moot:
                continue
            rows = self.dead_lines(bank, "row", self._dead)
            columns = self.dead_lines(bank, "column", self._dead)
            crossed = len(rows) == len(columns) == 1
            for kind, numbers in (("row", rows), ("column", columns)):
                name = row_wire if kind == "row" else column_wire
                for number in numbers:
                    self._dead -= self.numbered(bank, kind, number)
                    cut = "The wire is cut"
                    if kind == "row" and bank.wires.buffered:
                        cut += ", or its buffers are not enabled"
                    both = ", or the two dead wires are crossed" if crossed else ""
                    yield Finding(
                        f"{kind}-dead",
                        (f"{kind} {bank.id}:{number}",),
                        "none of its reeds is sensed",
                        f"{cut}{both}: {name(self.board, bank, number)}",
                    )

    def _none(self, bank: MatrixBank) -> bool:
        """Whether nothing is felt of a bank."""
        tried = self.tried(bank)
        return len(tried) > 1 and not any(self.seen.felt[name] for name in tried)

    def _magnets(self) -> Iterator[Finding]:
        """Many spaces of a bank that felt no piece, whatever their rows and columns.

        Magnets are those of the pieces: what is wrong with them is told once, and is no fault of other banks.
        """
        of_pieces: set[str] = set()
        for found in self._many_unfelt():
            if found.parts != PIECES or found.code not in of_pieces:
                yield found
            if found.parts == PIECES:
                of_pieces.add(found.code)
        self._of_pieces = bool(of_pieces)
        if of_pieces:
            for bank in self.board.banks.values():
                strong = [one for name, one in self.seen.strong.items() if name in self.line(bank)]
                if all(one.felt or one.turned for one in strong):
                    self._dead -= self.line(bank) - self._robs

    def _many_unfelt(self) -> Iterator[Finding]:
        for bank in self.board.banks.values():
            dead, tried = self._dead & self.line(bank), self.tried(bank)
            none, least = self._none(bank), max(MANY_COUNT, MANY_SHARE * len(tried))
            strong = {name: self.seen.strong[name] for name in dead if name in self.seen.strong}
            closes = sum(one.felt or one.turned for one in strong.values()) > 1
            if closes:
                least = FEW_COUNT
            scattered = dead if closes else dead - self._lines(bank)
            if bank.id in self._moot or (not none and len(scattered) < least):
                continue
            found = self._many(bank, dead, strong, none=none)
            if none or found.code not in (*UNDER, *OF_REEDS):
                still = {name for name, one in strong.items() if not one.felt and not one.turned}
                self._dead -= dead
                self._dead |= set() if none else still | self._robs & dead
                yield found

    def _lines(self, bank: MatrixBank) -> set[ContactId]:
        """The contacts of rows and columns of which nothing is felt."""
        return {
            name
            for kind in ("row", "column")
            for number in self.dead_lines(bank, kind, self._dead)
            for name in self.numbered(bank, kind, number)
        }

    def _unfelt(self) -> Iterator[Finding]:
        """Contacts here and there that felt no piece, one by one."""
        for name in sorted(self._dead - self._loose):
            yield self._one(name)

    def _many(
        self,
        bank: MatrixBank,
        dead: set[ContactId],
        strong: Mapping[ContactId, StrongMagnetTest],
        *,
        none: bool,
    ) -> Finding:
        signs = {"none": none}
        if strong:
            felt = [one for one in strong.values() if one.felt or one.turned]
            signs["strong"] = 2 * len(felt) > len(strong)
            if felt:
                signs["one way"] = 2 * sum(one.felt != one.turned for one in felt) > len(felt)
            aside = [one.aside for one in felt if one.aside is not None]
            if aside:
                signs["aside"] = 2 * sum(aside) > len(aside)
        under = (f"bank {bank.id}",)
        seen = "no piece is felt" if none else f"{len(dead)} spaces do not feel a piece, others do"
        if strong:
            tells = "a strong magnet is felt" if signs["strong"] else "nor is a strong magnet felt"
            seen = f"{seen}; {tells}"
        table = (causes_buffered if bank.wires.buffered else causes).UNFELT
        return caused(table, signs, {"": PIECES, **dict.fromkeys((*UNDER, *OF_REEDS), under)}, seen)

    def _one(self, name: ContactId) -> Finding:
        signs = {"robs": name in self._robs}
        if (strong := self.seen.strong.get(name)) is not None:
            signs["strong"] = strong.felt or strong.turned
        slot = self.slot(name)
        reed, diode = f"reed {slot}", f"diode {slot}"
        seen = f"a piece on {slot} is not sensed" + (
            ", and hides another one in its column" if signs["robs"] else ""
        )
        if self._buffered(name):
            return caused(
                causes_buffered.ONE, signs, {"": (reed,), "magnet-weak": PIECES}, seen, self.wires(name)
            )
        parts = {
            "": (reed, diode),
            "diode-reversed": (diode,),
            "reed-insensitive": (reed,),
            "magnet-weak": PIECES,
        }
        return caused(causes.ONE, signs, parts, seen, self.wires(name))

    def _buffered(self, name: ContactId) -> bool:
        """Whether it is of a bank that has no diodes, as its rows have buffers."""
        return self.board.banks[self.at[name].bank].wires.buffered is not None

    def _crossed_reeds(self) -> Iterator[Finding]:
        crossed = {name: felt for name, felt in self.seen.felt.items() if felt is not None and felt != name}
        for name in list(crossed):
            if name in self._plugs.moved or self._loose & {name, crossed[name]}:
                del crossed[name]
        swaps = [(one, other) for one, other in crossed.items() if one < other and crossed.get(other) == one]
        single = {one for one in crossed if not any(one in swap for swap in swaps)}
        felt = sum(found is not None for found in self.seen.felt.values())
        if felt < MOST_SHARE * len(self.seen.felt):
            single.clear()
        if len(swaps) * 2 + len(single) > REFIT_COUNT:
            if self._plugs.moved:
                return  # plugs first, then another look: no board file is fitted to a wrong plug
            yield Finding(
                "wiring",
                ("board file",),
                f"{len(crossed)} reeds are sensed on other spaces than it says",
                "See first that every plug sits right. If the board was wired in another order, "
                "`boardumpire calibrate` writes a board file that fits",
            )
            return
        for one, other in swaps:
            a, b = self.slot(one), self.slot(other)
            yield Finding(
                "reeds-crossed",
                (f"reed {a}", f"reed {b}"),
                f"a piece on {a} is sensed on {b}, and the other way round",
                f"Their wires are crossed. {a}: {self.wires(one)}. {b}: {self.wires(other)}",
            )
        for one in sorted(single):
            a, b = self.slot(one), self.slot(crossed[one])
            yield Finding(
                "reed-elsewhere",
                (f"reed {a}",),
                f"a piece on {a} is sensed on {b}",
                f"Look where its wires go: {self.wires(one)}",
            )

    def _diodes(self) -> Iterator[Finding]:
        for name in sorted(
            name for name, other in self.seen.shorted.items() if not self._loose & {name, other}
        ):
            slot, seen = self.slot(name), "hides another one in its column"
            if self._buffered(name):
                yield Finding(
                    "switch-hides",
                    (f"reed {slot}",),
                    f"a piece on {slot} {seen}",
                    f"Look at the joints of its switch: {self.wires(name)}",
                )
                continue
            yield Finding(
                "diode-shorted",
                (f"diode {slot}",),
                f"a piece on {slot} {seen}",
                f"The diode is shorted, bridged or absent: {self.wires(name)}",
            )

    def _beside(self) -> Iterator[Finding]:
        """More than one contact closes under one piece."""
        moot = self._loose | self._of_moot()
        beside = {name: left for name, others in self.seen.beside.items() if (left := others - moot)}
        for bank in self.board.banks.values():
            for kind, wire in (("row", row_wire), ("column", column_wire)):
                for one, other in self._bridged(bank, kind, beside):
                    for number in (one, other):
                        for name in self.numbered(bank, kind, number):
                            beside.pop(name, None)
                    yield Finding(
                        f"{kind}s-bridged",
                        (f"{kind} {bank.id}:{one}", f"{kind} {bank.id}:{other}"),
                        "a piece on one is sensed on both",
                        f"They touch: {wire(self.board, bank, one)}; {wire(self.board, bank, other)}",
                    )
        for name, others in sorted(beside.items()):
            slot, felt = self.slot(name), sorted(map(self.slot, others))
            yield Finding(
                "felt-beside",
                tuple(f"reed {each}" for each in felt),
                f"closes too when a piece stands on {slot}",
                "The magnet is too strong, or the reed lies off its middle",
            )

    def _bridged(
        self, bank: MatrixBank, kind: str, beside: dict[ContactId, frozenset[ContactId]]
    ) -> list[tuple[int, int]]:
        """Pairs of wires of which every reed is sensed on both."""
        found: dict[tuple[int, int], int] = {}
        for name, others in beside.items():
            here, place = self.split(self.at[name], kind)
            for other in others:
                there, same = self.split(self.at[other], kind)
                if self.at[other].bank == self.at[name].bank == bank.id and same == place:
                    pair = (min(here, there), max(here, there))
                    found[pair] = found.get(pair, 0) + 1
        return sorted(
            pair
            for pair, count in found.items()
            if count > 2 and count >= len(self.numbered(bank, kind, pair[0]))
        )
