"""Explains reeds, diodes, rows and columns. Pure: facts in, findings out."""

from __future__ import annotations

from collections.abc import Iterator

from boardumpire.makers.bare import ContactId, column_wire, row_wire
from boardumpire.makers.doctor import Observations
from boardumpire.makers.facts import REFIT, Facts, Finding
from boardware.parts import Bank, Board


class Reeds(Facts):
    """What is wrong with the reed matrix."""

    def __init__(self, board: Board, seen: Observations) -> None:
        super().__init__(board, seen)
        self._dead = {name for name, felt in seen.felt.items() if felt is None}

    def findings(self) -> Iterator[Finding]:
        """Those about whole wires before those about single parts."""
        yield from self._idle()
        yield from self._dead_wires()
        yield from self._dead_contacts()
        yield from self._crossed_reeds()
        yield from self._diodes()
        yield from self._beside()

    def _idle(self) -> Iterator[Finding]:
        """Closed or restless on the empty board."""
        idle = set(self.seen.idle)
        for bank in self.board.banks.values():
            for column in range(len(bank.columns)):
                whole = self.line(bank, column=column)
                if len(whole) > 1 and whole <= idle:
                    idle -= whole
                    yield Finding(
                        "column-high",
                        (f"column {bank.id}:{column}",),
                        "every reed of it seems closed on the empty board",
                        f"It touches 3.3 V or a row: {column_wire(self.board, bank, column)}",
                    )
        for name in sorted(idle):
            slot = self.slot(name)
            yield Finding(
                "reed-stuck",
                (f"reed {slot}",),
                "closed on the empty board",
                f"The reed sticks, a magnet lies near, or solder bridges it: {self.wires(name)}",
            )
        for name in sorted(self.seen.chatter - idle):
            yield Finding(
                "loose",
                (f"reed {self.slot(name)}",),
                "opens and closes while nobody touches the board",
                f"A loose joint: {self.wires(name)}",
            )
        for name in sorted(self.seen.kept):
            yield Finding(
                "reed-sticks",
                (f"reed {self.slot(name)}",),
                "stays closed when the piece is gone",
                "The reed sticks, or the magnet is too strong",
            )

    def _dead_wires(self) -> Iterator[Finding]:
        """Whole banks, rows and columns of which nothing is sensed."""
        for bank in self.board.banks.values():
            whole = self.line(bank)
            if len(whole) > 1 and whole <= self._dead:
                self._dead -= whole
                yield Finding(
                    "bank-dead", (f"bank {bank.id}",), "none of its reeds is sensed", "Look at its plug"
                )
                continue
            rows = self._dead_lines(bank, "row", len(bank.rows))
            columns = self._dead_lines(bank, "column", len(bank.columns))
            crossed = len(rows) == len(columns) == 1
            for kind, numbers in (("row", rows), ("column", columns)):
                name = row_wire if kind == "row" else column_wire
                for number in numbers:
                    self._dead -= self.numbered(bank, kind, number)
                    both = ", or the two dead wires are crossed" if crossed else ""
                    yield Finding(
                        f"{kind}-dead",
                        (f"{kind} {bank.id}:{number}",),
                        "none of its reeds is sensed",
                        f"The wire is cut{both}: {name(self.board, bank, number)}",
                    )

    def _dead_lines(self, bank: Bank, kind: str, count: int) -> list[int]:
        """The rows or columns of which at least two reeds were tried, and none felt."""
        stuck = self.seen.idle
        lines = [(number, self.numbered(bank, kind, number) - stuck) for number in range(count)]
        return [number for number, line in lines if len(line) > 1 and line <= self._dead]

    def _dead_contacts(self) -> Iterator[Finding]:
        for name in sorted(self._dead):
            slot = self.slot(name)
            yield Finding(
                "reed-dead",
                (f"reed {slot}", f"diode {slot}"),
                "a piece on it is not sensed",
                f"Look at its joints, at the direction of the diode, then at the reed: {self.wires(name)}",
            )

    def _crossed_reeds(self) -> Iterator[Finding]:
        crossed = {name: felt for name, felt in self.seen.felt.items() if felt is not None and felt != name}
        for bank in self.board.banks.values():
            yield from self._crossed_wires(bank, crossed)
        swaps = [(one, other) for one, other in crossed.items() if one < other and crossed.get(other) == one]
        single = {one for one in crossed if not any(one in swap for swap in swaps)}
        if len(swaps) * 2 + len(single) > REFIT:
            yield Finding(
                "wiring",
                ("board file",),
                f"{len(crossed)} reeds are sensed on other spaces than it says",
                "It fits another wiring: `boardumpire calibrate` writes one that fits",
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

    def _crossed_wires(self, bank: Bank, crossed: dict[ContactId, ContactId]) -> Iterator[Finding]:
        """Two rows or two columns whose wires are crossed; takes their contacts out of `crossed`."""
        for kind, wire in (("row", row_wire), ("column", column_wire)):
            pairs = self._wire_pairs(bank, kind, crossed)
            for one, other in sorted(pairs):
                for number in (one, other):
                    for name in self.numbered(bank, kind, number):
                        crossed.pop(name, None)
                yield Finding(
                    f"{kind}s-crossed",
                    (f"{kind} {bank.id}:{one}", f"{kind} {bank.id}:{other}"),
                    "pieces on one are sensed on the other",
                    "Their wires are crossed: "
                    f"{wire(self.board, bank, one)}; {wire(self.board, bank, other)}",
                )

    def _wire_pairs(self, bank: Bank, kind: str, crossed: dict[ContactId, ContactId]) -> set[tuple[int, int]]:
        """Pairs of wires whose reeds, as far as sensed, all appear on the other one, in the same place."""
        to: dict[int, set[int]] = {}
        for name, felt in self.seen.felt.items():
            at = self.at[name]
            if at.bank != bank.id or felt is None:
                continue
            here, there = self.split(at, kind), self.split(self.at[felt], kind)
            same = self.at[felt].bank == bank.id and here[1] == there[1]
            to.setdefault(here[0], set()).add(there[0] if same else -1)
        return {
            (one, other)
            for one, targets in to.items()
            for other in targets
            if one < other and len(targets) == 1 and to.get(other) == {one} and len(to) > 1
        }

    def _diodes(self) -> Iterator[Finding]:
        for name in sorted(self.seen.shorted):
            slot = self.slot(name)
            yield Finding(
                "diode-shorted",
                (f"diode {slot}",),
                f"a piece on {slot} hides another one in its column",
                f"The diode is shorted, bridged or absent: {self.wires(name)}",
            )

    def _beside(self) -> Iterator[Finding]:
        """More than one contact closes under one piece."""
        beside = dict(self.seen.beside)
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
        self, bank: Bank, kind: str, beside: dict[ContactId, frozenset[ContactId]]
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
