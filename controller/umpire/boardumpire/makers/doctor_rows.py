"""The doctor's full rows: each piece of a row loads its resistor, so that one piece alone proves little."""

from __future__ import annotations

from boardumpire.makers.bare_board import ContactId, all_contacts, slot_name
from boardumpire.makers.doctor_round import DoctorRound, RoundSteps
from boardumpire.makers.observations import FullRowTest

ROW_CONTACTS_MIN = 3
"""So many squares of a row that each feel a piece are worth a look at all together."""


class RowRound(DoctorRound):
    """Every row with a piece on each of its squares."""

    def run_steps(self) -> RoundSteps:
        """Asked for only where somebody has enough pieces at hand."""
        rows: dict[tuple[str, int], list[ContactId]] = {}
        for name, at in all_contacts(self._board).items():
            alone = self._seen.sensed_contacts.get(name) if self._seen.has_walked else name
            if alone == name and name in self._slots and not self._board.banks[at.bank].wires.buffered_wiring:
                rows.setdefault((at.bank, at.row), []).append(name)
        full = {row: names for row, names in rows.items() if len(names) >= ROW_CONTACTS_MIN}
        most = max(map(len, full.values()), default=0)
        if not most or not (
            yield from self._ask_yes_no(f"Have you {most} pieces for full rows?", f"pieces {most}")
        ):
            return
        for row, names in full.items():
            slots = [self._slots[name] for name in names]
            called = ", ".join(slot_name(self._board, slot) for slot in slots)
            text = f"Take all pieces off, put one on each of {called}, and answer yes."
            yield from self._ask(text, f"filled {' '.join(slots)}")
            closed = (yield from self._rest()).closed_contacts - self._seen.closed_when_empty
            unsensed, unsensed_alone = set(names) - closed, set[ContactId]()
            if unsensed and len(unsensed) < len(names):
                left = [self._slots[name] for name in names if name in unsensed]
                called = ", ".join(slot_name(self._board, slot) for slot in left)
                text = f"Leave what stands on {called}, take all others off, and answer yes."
                yield from self._ask(text, f"left {' '.join(left)}")
                unsensed_alone = unsensed - (yield from self._rest()).closed_contacts
            self._seen.full_rows[row] = FullRowTest(
                len(names), len(names) - len(unsensed), frozenset(unsensed_alone), closed - set(names)
            )
        yield from self._empty_board()
