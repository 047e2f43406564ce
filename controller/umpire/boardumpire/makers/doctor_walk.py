"""The doctor's walk: pieces are led over every space that has a reed, column by column.

Where reeds have diodes a second piece, the base, stands in the column that is walked: a shorted or reversed
diode under one hides the other. A bank of which nothing is felt is left after `FAILURES_MAX` places.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from boardumpire.lamps.legend import SHARED_MARKS
from boardumpire.makers.bare_board import (
    ContactId,
    LampNumber,
    all_contacts,
    all_lamps,
    contact_id,
    lamp_number,
    ring_name,
    ring_number,
    slot_name,
    space_of,
)
from boardumpire.makers.doctor_round import DoctorRound, RoundSteps
from boardumpire.makers.guide import GuideReply, GuideRequest, VisibleSign
from boardumpire.makers.observations import Observations
from boardware.parts import BoardDescription
from boardware.ports import SlotId

EQUAL_ANSWERS_MIN = 3
"""So many equal answers about what is crossed are taken for all the others."""
RETRIES_MAX = 3
"""So often a piece is asked for on the same space, if something else closes first."""
PUT_MARK, TAKE_MARK = "put", "take"
FAILURES_MAX = 20
"""So many places without a piece felt at any of them say it of the whole bank."""


class WalkRound(DoctorRound):
    """Leads pieces over the board."""

    def __init__(
        self, board: BoardDescription, seen: Observations, slots: Mapping[ContactId, SlotId], *, buttons: bool
    ) -> None:
        super().__init__(board, seen, slots, buttons=buttons)
        self._at = all_contacts(board)
        self._standing: list[ContactId] = []
        """Where pieces stand, by the contacts that the board file has there, the latest last."""
        self._lamp_of = {
            contact_id(slot.sensor): lamp_number(board.lamps[space.id])
            for space in board.spaces.values()
            for slot in space.slots
            if slot.sensor is not None and space.id in board.lamps
        }
        self._over = dict(self._lamp_of)
        """By contact the lamp that was seen to shine there, or is believed to."""
        self._answers: list[bool] = []

    def run_steps(self) -> RoundSteps:
        """Every space that has a reed."""
        yield from self._compare_names()
        if self._seen.grouped:
            return  # they lead nobody
        self._seen.has_walked = True
        for bank in self._board.banks.values():
            for column in range(len(bank.columns)):
                if self._is_hopeless(bank.id):
                    break
                in_column = [
                    name
                    for name, at in self._at.items()
                    if (at.bank, at.column) == (bank.id, column) and name in self._slots
                ]
                yield from self._walk_column(
                    [c for c in in_column if c not in self._seen.closed_when_empty], bank.has_diodes
                )

    def _compare_names(self) -> RoundSteps:
        """Lamps and sensors that are mirrored together agree with each other: only the print tells.

        Whoever walks a board without lamps, or has not looked at them, hears here that they are dark.
        """
        for chain in self._board.chains:
            numbers = [number for number, at in all_lamps(self._board).items() if at.chain == chain]
            spaces = [s for s in self._board.spaces if s in self._board.lamps]
            space = next((s for s in spaces if self._board.lamps[s].chain == chain), None)
            if space is None or any(number in numbers for number, _ in self._seen.dark_lamps):
                continue
            first = lamp_number(self._board.lamps[space])
            lit = VisibleSign("several", tuple(numbers))
            if (yield from self._ask_yes_no("Does more than one lamp blink?", lit, {first: PUT_MARK})):
                self._seen.grouped.add(chain)
                continue
            text = f"One lamp blinks. Is it that of {space}, by the name that is printed on the board?"
            if (yield from self._ask_yes_no(text, f"blinks-at {space}", {first: PUT_MARK})):
                continue
            lit = VisibleSign("any-lit", tuple(numbers))
            if (yield from self._ask_yes_no("Does it blink elsewhere?", lit, {first: PUT_MARK})):
                self._seen.misplaced_spaces.add(space)
                continue
            text = f"All lamps of chain {chain} should blink now. Does any?"
            any_lit = yield from self._ask_yes_no(text, lit, dict.fromkeys(numbers, PUT_MARK))
            self._seen.dark_lamps.append((first, True) if any_lit else (numbers[0], False))

    def _walk_column(self, names: list[ContactId], diodes: bool) -> RoundSteps:
        base: ContactId | None = None
        for name in names:
            yield from self._visit_space(name, base)
            if self._standing[-1] != name:
                continue  # the lamp led elsewhere
            if base is not None and self._seen.sensed_contacts[name] is None:
                yield from self._retest_without_base(base, name)
                if base in self._seen.hidden_by_sensed:
                    base = name
            elif (
                base is None
                and diodes
                and self._seen.sensed_contacts[name] == name
                and name not in self._seen.also_closed
            ):
                base = name
        if base is not None:  # those before it had no second piece beside them
            for name in names[: names.index(base)]:
                if self._seen.sensed_contacts.get(name, name) is None:
                    yield from self._visit_space(name, base)

    def _is_hopeless(self, bank: str) -> bool:
        """Whether no piece was felt at so many places of a bank that more would say nothing new."""
        tried = [felt for name, felt in self._seen.sensed_contacts.items() if self._at[name].bank == bank]
        return len(tried) >= FAILURES_MAX and not any(tried)

    def _visit_space(self, name: ContactId, base: ContactId | None) -> RoundSteps:
        """Have a piece put on a space; all others but the base leave the board."""
        came, new = yield from self._ask_to_place(name, base)
        stays = {base} if base else set()
        # The one before may have hidden the base, which came back for a moment: then nothing vanished.
        hidden = any(self._seen.hidden_by_unsensed.get(each) == base for each in self._standing)
        hides = bool(base and (base in came.newly_opened or (hidden and base not in came.closed_contacts)))
        if new or not hides:  # else the base flickers as the reed of the new one bounces
            self._note_bounces(came, base, name, new)
        yield from self._note_stuck_closed(came.closed_contacts, stays | new)
        if base and hides and name in new:
            self._seen.hidden_by_sensed[name] = base
            self._seen.disturbed_by.setdefault(base, set()).add(name)
        self._standing = [*stays, name]
        if not new:
            self._seen.sensed_contacts[name] = None
            if base and hides:
                self._seen.hidden_by_unsensed[name] = base
        elif name in new:
            self._seen.sensed_contacts[name] = name
            if new - {name}:
                self._seen.also_closed[name] = new - {name}
        else:
            yield from self._resolve_crossing(name, min(new), base)

    def _ask_to_place(
        self, name: ContactId, base: ContactId | None
    ) -> Generator[GuideRequest, GuideReply, tuple[GuideReply, frozenset[ContactId]]]:
        """What came of putting a piece on a space, and the contacts that are closed by it."""
        stood = {self._seen.sensed_contacts.get(each) for each in self._standing if each != base}
        others = stood - {name, None}
        for turn in range(RETRIES_MAX):
            came = yield self._place_request(name, base, again=turn > 0)
            if came.answer is False and name in self._lamp_of:
                self._seen.dark_lamps.append((self._lamp_of[name], True))
                came = yield self._place_request(name, base)
            new = came.newly_closed - self._seen.closed_when_empty
            if not new and (
                name in came.closed_contacts or came.change_counts.get(name, 0) > (name in stood)
            ):
                new = frozenset({name})  # felt already, from the space beside, or for a moment
            if came.answer is not None or name in new or new - others:
                break
            # Nobody said that it stands there: the contact of a piece that was to go away closed anew,
            # by itself, or because a piece that had hidden it went first.
            if not self._seen.hidden_by_unsensed.keys() & set(self._standing):
                self._seen.bounce_counts.update(
                    each for each in self._standing if self._seen.sensed_contacts.get(each) in new
                )
        if came.answer and not new - others:  # the piece before has gone, and its contact is closed again
            return came, frozenset(each for each in others & came.closed_contacts if each)
        return came, new - others

    def _place_request(self, name: ContactId, base: ContactId | None, *, again: bool = False) -> GuideRequest:
        lamp, unlit = self._lamp_of.get(name), self._dark_lamps()
        away = [stands for stands in self._standing if stands != base]
        # A lamp says one thing: where it shines over a ring that is to be left alone, words say the rest.
        busy = {lamp, self._over.get(base or "")}
        lit = [each for each in away if self._over.get(each) not in unlit | busy]
        marks = {self._over[stands]: TAKE_MARK for stands in lit}
        unseen = tuple(self._slots[stands] for stands in away if stands not in lit)
        dark = lamp in unlit
        if lamp is not None:
            marks[lamp] = PUT_MARK
        slot = self._slots[name]
        other = "the other piece" if base else "a piece"
        where = (
            f"on {self._slot_name(slot)} (its lamp is dark)"
            if dark
            else f"where the lamp blinks {SHARED_MARKS[PUT_MARK].colour}: {self._slot_name(slot)}"
        )
        also = "".join(f", and off {self._slot_name(each)}" for each in unseen)
        off = f"where lamps blink {SHARED_MARKS[TAKE_MARK].colour}{also}"
        first = f"Take pieces off {off}. " if away else ""
        text = f"{first}Put {other} {where}. Nothing happens? Yes if it is there, no if no lamp is lit."
        restless = {
            felt for each in self._seen.bounce_counts if (felt := self._seen.sensed_contacts.get(each, each))
        } - {name}
        ignore = frozenset({base} if base else ()) | self._seen.chattering_contacts | restless
        gone = {
            felt for each in self._standing if each != base and (felt := self._seen.sensed_contacts.get(each))
        }
        gone -= self._seen.closed_when_empty | self._seen.stuck_closed | {name}
        if again:
            text = f"Once more: something else was felt. If it stands there leave it and say yes. {text}"
        return GuideRequest(
            "place",
            text,
            marks,
            space=slot if dark else None,
            ring=ring_number(self._board, slot),
            slots_to_clear=unseen,
            ignored_contacts=ignore,
            contacts_to_open=frozenset(gone),
            buttons_may_answer=self._buttons,
        )

    def _slot_name(self, slot: SlotId) -> str:
        return slot_name(self._board, slot)

    def _ring_suffix(self, slot: SlotId) -> str:
        where = ring_name(self._board, slot)
        return f", on {where}" if where else ""

    def _dark_lamps(self) -> set[LampNumber | None]:
        """The lamps that can't lead anybody."""
        found: set[LampNumber | None] = {None, self._seen.odd_lamp}
        for number, lit_behind in self._seen.dark_lamps:
            at = all_lamps(self._board)[number]
            found.add(number)
            if not lit_behind:
                found |= {
                    name
                    for name, other in all_lamps(self._board).items()
                    if other.chain == at.chain and other.index > at.index
                }
        return found

    def _note_stuck_closed(self, closed: frozenset[ContactId], stays: set[ContactId]) -> RoundSteps:
        """What stays closed though its piece has gone. A few times somebody looks whether it has."""
        for name, felt in self._seen.sensed_contacts.items():
            if (
                felt not in closed - stays - self._seen.closed_when_empty - self._seen.stuck_closed
                or not felt
            ):
                continue
            if len(self._seen.stuck_closed) < EQUAL_ANSWERS_MIN:
                slot = self._slots[name]
                text = (
                    f"Does a piece stand on {self._slot_name(slot)}? Then take it off and answer yes; else"
                    " answer no."
                )
                if (yield from self._ask_yes_no(text, f"forgotten {slot}")):
                    continue
            self._seen.stuck_closed.add(name)

    def _note_bounces(
        self, came: GuideReply, base: ContactId | None, name: ContactId, new: frozenset[ContactId]
    ) -> None:
        """What opened and closed under a piece that stood still; that a piece came doesn't count."""
        if base and came.change_counts.get(base, 0) > 1:
            self._seen.bounce_counts[base] += came.change_counts[base] // 2
            self._seen.disturbed_by.setdefault(base, set()).add(name)
        times = max((came.change_counts.get(each, 0) for each in new), default=0)
        if times > 2:
            self._seen.bounce_counts[name] += (times - 1) // 2

    def _resolve_crossing(self, name: ContactId, felt: ContactId, base: ContactId | None) -> RoundSteps:
        """Another contact closed than the one under the lamp: is it the lamp or the reed that is crossed?"""
        slot = self._slots[name]
        if len(self._answers) < EQUAL_ANSWERS_MIN or len(set(self._answers[-EQUAL_ANSWERS_MIN:])) > 1:
            lamp = self._lamp_of.get(name)
            if lamp in self._dark_lamps():
                text, seen = (
                    f"Does the piece stand on {space_of(slot)}{self._ring_suffix(slot)}?",
                    VisibleSign(f"stands-at {slot}"),
                )
            else:
                space = space_of(slot)
                text = (
                    f"Does the lamp blink on {space}, and does the piece stand"
                    f" there{self._ring_suffix(slot)}?"
                )
                seen = VisibleSign(f"put-at {slot}")
            came = yield from self._ask(text, seen, {lamp: PUT_MARK} if lamp else {})
            if came.answer and name in came.closed_contacts and felt not in came.closed_contacts:
                self._seen.sensed_contacts[name] = name  # it had been put elsewhere
                return
            self._answers.append(bool(came.answer))
        if self._answers[-1]:
            self._seen.sensed_contacts[name] = felt
        else:
            self._seen.lamps_elsewhere[self._lamp_of[name]] = felt
            self._over[felt] = self._lamp_of[name]
            self._seen.sensed_contacts[felt] = felt
            self._standing = [*({base} if base else ()), felt]

    def _retest_without_base(self, base: ContactId, name: ContactId) -> RoundSteps:
        """A piece isn't felt beside the one in its column: is it once that one is gone?"""
        lamp = self._over.get(base)
        slot = self._slots[base]
        here = self._slot_name(slot)
        blinks = f"where the lamp blinks {SHARED_MARKS[TAKE_MARK].colour}"
        text = f"Take the piece off {here}, {blinks}; leave the other. Answer yes."
        yield from self._ask(text, VisibleSign(f"taken {slot}"), {lamp: TAKE_MARK} if lamp else {})
        came = yield from self._rest()
        hidden = name in came.closed_contacts
        if base in came.closed_contacts:  # though its piece is gone: both are read as one
            self._seen.sensed_contacts[name] = base
        text = f"Put it back on {here}, and answer yes."
        came = yield from self._ask(text, VisibleSign(f"back {slot}"), {lamp: PUT_MARK} if lamp else {})
        if hidden:
            self._seen.sensed_contacts[name] = name
            if name in came.newly_opened:
                self._seen.hidden_by_sensed[base] = name
            else:  # it was the contact's whim
                self._seen.bounce_counts[name] += 1
