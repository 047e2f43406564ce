"""Explains lamps, buttons, the buzzer and silent drivers. Pure: facts in, findings out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from boardumpire.makers.bare_board import LampNumber, all_lamps, lamp_number, pin_description, space_of
from boardumpire.makers.causes import (
    DARK_CHAIN_CAUSES,
    DARK_LAMP_CAUSES,
    SILENT_PICO_CAUSES,
    WRONG_COLOUR_CAUSES,
)
from boardumpire.makers.doctor_facts import (
    CROSSINGS_MAX,
    AlternativeCause,
    DoctorFacts,
    Finding,
    finding_from_causes,
)
from boardware.parts import LampAt
from boardware.ports import HardwareTrouble

LEFT_OUT_SHARE_MIN = 0.9
"""Such a share of the lamps that blink elsewhere has to be one place further."""


class InterfaceFaults(DoctorFacts):
    """What is wrong with all that people see, hear and press, and with the cables."""

    def findings(self, troubles: Iterable[HardwareTrouble]) -> Iterator[Finding]:
        """In the order in which they are best mended."""
        yield from self._silent_pico_findings()
        yield from self._driver_trouble_findings(troubles)
        yield from self._supply()
        yield from self._button_findings()
        yield from self._dark_lamp_findings()
        yield from self._colour_findings()
        yield from self._crossed_lamp_findings()
        yield from self._tag_findings()

    def _silent_pico_findings(self) -> Iterator[Finding]:
        for pico, shines in self.observations.absent_picos.items():
            signs = {} if shines is None else {"shines": shines}
            lamp = "" if shines is None else f", its small lamp {'shines' if shines else 'is dark'}"
            yield finding_from_causes(
                SILENT_PICO_CAUSES, signs, {"": (f"pico {pico}",)}, f"never answers{lamp}"
            )

    def _driver_trouble_findings(self, troubles: Iterable[HardwareTrouble]) -> Iterator[Finding]:
        for trouble in {(each.code, each.where): each for each in troubles}.values():
            if trouble.where in self.observations.absent_picos:
                continue
            if trouble.code in ("bank-silent", "bank-refused"):
                part = f"pico {trouble.where}"
                yield Finding(trouble.code, (part,), trouble.detail, "Look at its USB cable and its firmware")
            elif trouble.code == "lamps-silent":
                part = f"chain {trouble.where}"
                yield Finding(trouble.code, (part,), trouble.detail, "Look at the bus that drives it")

    def _supply(self) -> Iterator[Finding]:
        if self.observations.sagged is not None and any(self.observations.sagged):
            always = self.observations.sagged[0]
            cause = "Its cable is thin, or its supply weak"
            if not always:
                cause = "It shares thin wires with the lamps: lead its own from the supply's terminals"
            yield Finding(
                "pi-undervoltage",
                ("supply",),
                f"the Pi reports under-voltage with all lamps {'dark' if always else 'white'}",
                cause,
                (),
                "measure 5 V between pins 2 and 6 of its header, all in white: below 4.75 V is too little",
            )

    def _button_findings(self) -> Iterator[Finding]:
        presses = self.observations.button_presses
        done: set[str] = set()
        if len(presses) > 1 and not any(presses.values()):
            yield Finding(
                "buttons-dead",
                tuple(f"button {button}" for button in presses),
                "pressing any of them is never told",
                "The ground that they share is off, or it is 3.3 V instead",
                (),
                "measure from a pressed button's pin to ground: 0 V",
            )
            presses = {}
        for button, told in presses.items():
            gpio = self.board.buttons[button]
            where = pin_description(self.board, gpio.gpio, gpio.pico)
            if told is None:
                yield Finding(
                    "button-dead",
                    (f"button {button}",),
                    "pressing it is never told",
                    "A wire is off, leads to 3.3 V instead of ground, or its contact is closed at rest:"
                    f" {where} and ground",
                )
            elif told != button and presses.get(told) == told:
                yield Finding(
                    "buttons-joined",
                    (f"button {button}", f"button {told}"),
                    f"pressing {button} is told as {told}, as pressing {told} is",
                    f"Both go to the pin of {told}. Move the wire of {button}: {where} and ground",
                )
            elif told != button and button not in done:
                done |= {button, told}
                other = self.board.buttons[told]
                yield Finding(
                    "buttons-crossed",
                    (f"button {button}", f"button {told}"),
                    f"pressing {button} is told as {told}",
                    f"Their wires are crossed: {where} and"
                    f" {pin_description(self.board, other.gpio, other.pico)}",
                )
        buzzer = self.board.buzzer
        if self.observations.buzzer_heard is False and buzzer is not None:
            where = pin_description(self.board, buzzer.gpio, buzzer.pico)
            yield Finding(
                "buzzer-dead", ("buzzer",), "nothing was heard", f"Look at {where} and its transistor"
            )

    def _dark_lamp_findings(self) -> Iterator[Finding]:
        dark = [one for one in self.observations.dark_lamps if not self._left_out(one[0].partition(":")[0])]
        if self.observations.lamps_even:  # all shone
            # One that nobody finds is where no space is.
            flicker = [] if len(self.observations.lamps_elsewhere) > CROSSINGS_MAX else dark
            for chain in sorted({number.partition(":")[0] for number, _ in flicker}):
                yield finding_from_causes(
                    WRONG_COLOUR_CAUSES,
                    {"alike": False, "jumps": True, "first steady": True},
                    {"": (f"chain {chain}",)},
                    "a lamp that shone among all was dark later",
                )
            dark = []
        for number, lit_behind in dark:
            at = all_lamps(self.board)[number]
            signs = {"shines alone": False, "lit behind": lit_behind}
            seen = (
                f"dark, those behind it are {'lit' if lit_behind else 'dark too'} ({self.lamp_name(number)})"
            )
            table = DARK_LAMP_CAUSES if at.index or lit_behind else DARK_CHAIN_CAUSES
            where = "" if lit_behind or not at.index else self._data_wire_advice(at)
            yield finding_from_causes(table, signs, {"": (f"lamp {number}",)}, seen, where)
        for number in sorted(self.observations.lamps_lit_alone):
            chain = all_lamps(self.board)[number].chain
            yield finding_from_causes(
                DARK_LAMP_CAUSES,
                {"shines alone": True},
                {"": (f"lamp {number}",), "supply-sags": (f"chain {chain}",)},
                f"lamp {number} ({self.lamp_name(number)}) is dark among many, and shines alone",
            )

    def _colour_findings(self) -> Iterator[Finding]:
        """Lamps that shine otherwise than they were told to."""
        for chain in sorted(self.observations.white):
            yield Finding(
                "lamps-rgbw",
                (f"chain {chain}",),
                "its first lamp shines in white instead of the second",
                "These lamps have a white channel (RGBW) and take four bytes each; they are sent three. Take"
                " lamps without one (WS2812B)",
                (),
                "light its last lamp alone: it stays dark, whatever its colour",
            )
        for chain in sorted(self.observations.grouped):
            yield Finding(
                "lamps-grouped",
                (f"chain {chain}",),
                "several lamps shine where one should",
                "One chip drives several of these lamps (usual for strips of 12 V), or data goes to two lamps"
                " at once. Take lamps that each have a chip, one behind the other",
            )
        if (odd := self.observations.odd_lamp) is not None:
            yield Finding(
                "lamp-colour-dead",
                (f"lamp {odd}",),
                f"lamp {odd} ({self.lamp_name(odd)}) is not white where the others are",
                "One of its colours is dead: change it",
                (),
                "light it alone in red, in green and in blue: in one of them it stays dark",
            )
        elif not any(one.shows_fault for one in self.observations.chain_inspections.values()):
            yield from self._unclear_lamps_finding()
        for chain, looked in self.observations.chain_inspections.items():
            if not looked.shows_fault:
                continue  # another chain's
            signs = {
                "alike": looked.is_one_colour,
                "jumps": looked.colours_jump,
                "first steady": looked.first_is_steady,
            }
            if not looked.colours_jump:
                signs |= {"fades": looked.fades_along_chain, "wrong": bool(looked.wrong_colours)}
            what = (
                "colours jump about"
                if looked.colours_jump
                else "it fades down the chain"
                if looked.fades_along_chain
                else "wrong colours"
            )
            told = f"{what}: {', '.join(looked.wrong_colours)}" if looked.wrong_colours else what
            found = finding_from_causes(WRONG_COLOUR_CAUSES, signs, {"": (f"chain {chain}",)}, told)
            if found.code == "colours-swapped":
                found = found._replace(
                    check=f"{found.check}. {self._colour_order_advice(chain, looked.wrong_colours)}"
                )
            yield found

    def _unclear_lamps_finding(self) -> Iterator[Finding]:
        """What was seen of all lamps together, and of no chain that was looked at by itself."""
        wrong = [name for name, right in self.observations.colours_right.items() if not right]
        told = [f"not every lamp is {' or '.join(wrong)}"] if wrong else []
        if self.observations.lamps_even is False:
            told.append("not equally white and bright")
        if told:
            yield Finding(
                "lamps-unclear",
                tuple(f"chain {chain}" for chain in self.board.chains),
                f"{', and '.join(told)}, but no chain by itself shows what it is",
                "Examine the board again in a darker room, and look which lamps differ from the others",
            )

    def _colour_order_advice(self, chain: str, wrong: Iterable[str]) -> str:
        kept = {"R", "G", "B"} - {name[0].upper() for name in wrong}
        swapped = " and ".join(sorted(set("RGB") - kept)) if kept else "all three"
        order = self.board.chains[chain].colour_order
        return f"`order` of chain {chain} is {order} in the board file: change places of {swapped}"

    def _data_wire_advice(self, at: LampAt) -> str:
        before = lamp_number(LampAt(at.chain, at.index - 1))
        return f"look at its 5 V and ground, and at the wire from DOUT of lamp {before} to its DIN"

    def _left_out(self, chain: str) -> LampNumber | None:
        """The first of the lamps of a chain that all blink where the next one should."""
        wrong = {
            int(name.partition(":")[2]): self.lamp_of_contact(felt)
            for name, felt in self.observations.lamps_elsewhere.items()
            if name.partition(":")[0] == chain
        }
        further = sum(other == f"{chain}:{index + 1}" for index, other in wrong.items())
        if further < max(CROSSINGS_MAX, LEFT_OUT_SHARE_MIN * len(wrong)):
            return None
        return f"{chain}:{min(wrong)}"

    def _exchanged_chains(self) -> list[tuple[str, str]]:
        """Pairs of chains whose lamps all blink where those of the other one should."""
        counts: Counter[tuple[str, str]] = Counter()
        for name, there in self.observations.lamps_elsewhere.items():
            (chain, _, index), other = name.partition(":"), self.lamp_of_contact(there)
            if other is not None and other.partition(":")[2] == index:
                counts[chain, other.partition(":")[0]] += 1
        return [
            (one, two)
            for (one, two), count in sorted(counts.items())
            if one < two and min(count, counts[two, one]) > CROSSINGS_MAX
        ]

    def _crossed_lamp_findings(self) -> Iterator[Finding]:
        """Lamps that blinked on another space than the board file says."""
        wrong = self.observations.lamps_elsewhere
        for one, two in self._exchanged_chains():
            yield Finding(
                "chains-exchanged",
                (f"chain {one}", f"chain {two}"),
                "each lamp of one blinks where that of the other should",
                "Their data wires are exchanged; change them over",
            )
            wrong = {name: felt for name, felt in wrong.items() if name.partition(":")[0] not in (one, two)}
        for chain in self.board.chains:
            if number := self._left_out(chain):
                yield Finding(
                    "lamp-left-out",
                    (f"lamp {number}",),
                    f"from lamp {number} ({self.lamp_name(number)}) on each blinks one place further",
                    "One lamp is missing in the chain, or its data goes past it",
                    (),
                    f"follow the data wire into the lamp of {self.lamp_name(number)}, from the one before",
                )
                wrong = {name: felt for name, felt in wrong.items() if name.partition(":")[0] != chain}
        if len(wrong) > CROSSINGS_MAX:
            yield Finding(
                "lamp-order",
                ("board file",),
                f"{len(wrong)} lamps blink on other spaces than it says",
                "Its order of lamps is another one: `boardumpire calibrate` writes a board file that fits",
            )
            return
        done: set[LampNumber] = set()
        for number, felt in wrong.items():
            other = self.lamp_of_contact(felt)
            if number in done or other is None:
                continue
            both = other in wrong and self.lamp_of_contact(wrong[other]) == number
            done |= {number, other} if both else {number}
            here, there = self.lamp_name(number), space_of(self.slot_of_contact(felt))
            yield Finding(
                "lamps-crossed" if both else "lamp-elsewhere",
                (f"lamp {number}", *([f"lamp {other}"] if both else [])),
                f"lamp {number} is {here} in the board file, and blinks on {there}",
                "Change their places in the board file, or in the chain",
            )

    def _tag_findings(self) -> Iterator[Finding]:
        """Readers that don't answer, read nothing, or read what another one should; then short ranges."""
        seen = self.observations
        if seen.unopened_readers:
            yield self._mute_finding(("readers",), seen.unopened_readers)
        pads = seen.mute_readers & self.board.pads.keys()
        for pad in sorted(pads):
            yield self._mute_finding((f"pad {pad}",), "never answers")
        if mute := sorted(seen.mute_readers - pads):
            yield Finding(
                "reader-mute",
                tuple(f"reader {self._reader_place(reader)}" for reader in mute[:CROSSINGS_MAX]),
                f"{len(mute)} of {len(self.board.slots_by_reader)} readers don't answer",
                "If it is all, clock, data or their supply; if it is one, its chip select or its joints",
                (),
                "measure 3.3 V at its supply, and its select: low for a moment, four times a second",
            )
        unread = [reader for reader, test in seen.tag_tests.items() if not test.readers]
        if unread:
            every = len(unread) == len(seen.tag_tests)
            yield Finding(
                "tag-unread",
                ("tag",) if every else tuple(f"reader {self._reader_place(reader)}" for reader in unread),
                "no tag is read",
                "The tag is of another kind (take ISO 14443 A, 13.56 MHz)"
                if every
                else "Its antenna: metal beside it, a loose joint, or more than 10 mm to the tag",
                (),
                "hold another tag, or a card of that kind, right on the antenna",
            )
        told: set[str] = set()
        for reader, test in seen.tag_tests.items():
            if test.readers and reader not in test.readers:
                if told & test.readers:
                    continue  # of the same two
                told.add(reader)
                others = ", ".join(self._reader_place(other) for other in sorted(test.readers))
                yield Finding(
                    "readers-crossed",
                    (f"reader {self._reader_place(reader)}", f"reader {others}"),
                    f"a tag there is read by that of {others}",
                    "Their chip selects, or the ports in the configuration, are crossed",
                )
            elif test.read_when_raised is False:
                yield Finding(
                    "reader-weak",
                    (f"pad {reader}",),
                    "reads a tag that lies on it, and none 10 mm above",
                    "Metal, a magnet or a reed lies near its antenna, or the tag is small",
                    (),
                    "take it out of the board and try again: then it reads from 20 mm (estimate)",
                )

    @staticmethod
    def _mute_finding(parts: tuple[str, ...], seen: str) -> Finding:
        return Finding(
            "pad-mute",
            parts,
            seen,
            "It is in another mode: set both switches to HSU, and cut its power once",
            (AlternativeCause("pad-wires", "its two data wires are swapped, or it has no power"),),
            "measure its supply; its TX rests at 3.3 V and goes to the receiver's RX",
        )

    def _reader_place(self, reader: str) -> str:
        return self.slot_by_contact.get(reader, reader)
