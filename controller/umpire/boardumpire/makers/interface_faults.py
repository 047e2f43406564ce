"""Explains lamps, buttons, the buzzer and silent drivers. Pure: facts in, findings out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from boardumpire.makers.bare_board import LampNumber, lamp_number, lamps, pin, space_of
from boardumpire.makers.causes import COLOURS, DARK, SILENT
from boardumpire.makers.doctor_facts import REFIT_COUNT, DoctorFacts, Finding, caused
from boardware.parts import LampAt
from boardware.ports import HardwareTrouble


class InterfaceFaults(DoctorFacts):
    """What is wrong with all that people see, hear and press, and with the cables."""

    def findings(self, troubles: Iterable[HardwareTrouble]) -> Iterator[Finding]:
        """In the order in which they are best mended."""
        yield from self._absent()
        yield from self._silent(troubles)
        yield from self._buttons()
        yield from self._dark()
        yield from self._colours()
        yield from self._crossed_lamps()

    def _absent(self) -> Iterator[Finding]:
        for pico, shines in self.seen.absent.items():
            signs = {} if shines is None else {"shines": shines}
            lamp = "" if shines is None else f", its small lamp {'shines' if shines else 'is dark'}"
            yield caused(SILENT, signs, {"": (f"pico {pico}",)}, f"never answers{lamp}")

    def _silent(self, troubles: Iterable[HardwareTrouble]) -> Iterator[Finding]:
        for trouble in {(each.code, each.where): each for each in troubles}.values():
            if trouble.where in self.seen.absent:
                continue
            if trouble.code in ("bank-silent", "bank-refused"):
                part = f"pico {trouble.where}"
                yield Finding(trouble.code, (part,), trouble.detail, "Look at its USB cable and its firmware")
            elif trouble.code == "lamps-silent":
                part = f"chain {trouble.where}"
                yield Finding(trouble.code, (part,), trouble.detail, "Look at the bus that drives it")

    def _buttons(self) -> Iterator[Finding]:
        presses = self.seen.presses
        done: set[str] = set()
        for button, told in presses.items():
            gpio = self.board.buttons[button]
            where = pin(self.board, gpio.gpio, gpio.pico)
            if told is None:
                yield Finding(
                    "button-dead",
                    (f"button {button}",),
                    "pressing it is never told",
                    f"Its contact is stuck, or a wire is off: {where} and ground",
                )
            elif told != button and button not in done:
                done |= {button, told}
                other = self.board.buttons[told]
                yield Finding(
                    "buttons-crossed",
                    (f"button {button}", f"button {told}"),
                    f"pressing {button} is told as {told}",
                    f"Their wires are crossed: {where} and {pin(self.board, other.gpio, other.pico)}",
                )
        buzzer = self.board.buzzer
        if self.seen.buzzer_heard is False and buzzer is not None:
            where = pin(self.board, buzzer.gpio, buzzer.pico)
            yield Finding(
                "buzzer-dead", ("buzzer",), "nothing was heard", f"Look at {where} and its transistor"
            )

    def _dark(self) -> Iterator[Finding]:
        for number, lit_behind in self.seen.dark:
            at = lamps(self.board)[number]
            signs = {"shines alone": False, "lit behind": lit_behind}
            seen = (
                f"dark, those behind it are {'lit' if lit_behind else 'dark too'} ({self.lamp_name(number)})"
            )
            where = "" if lit_behind else self._data_wire(at)
            yield caused(DARK, signs, {"": (f"lamp {number}",)}, seen, where)
        for number in sorted(self.seen.lit_alone):
            chain = lamps(self.board)[number].chain
            yield caused(
                DARK,
                {"shines alone": True},
                {"": (f"lamp {number}",), "supply-sags": (f"chain {chain}",)},
                f"lamp {number} ({self.lamp_name(number)}) is dark among many, and shines alone",
            )

    def _colours(self) -> Iterator[Finding]:
        """Lamps that shine otherwise than they were told to."""
        for chain in sorted(self.seen.white):
            yield Finding(
                "lamps-rgbw",
                (f"chain {chain}",),
                "its first lamp shines in white instead of the second",
                "These lamps have a white channel (RGBW) and take four bytes each; they are sent three. Take"
                " lamps without one (WS2812B)",
                (),
                "light its last lamp alone: it stays dark, whatever its colour",
            )
        if not any(one.wrong or one.jumps or one.fades for one in self.seen.looked.values()):
            yield from self._unclear()
        for chain, looked in self.seen.looked.items():
            if not looked.wrong and not looked.jumps and not looked.fades:
                continue  # another chain's
            signs = {"alike": looked.alike, "jumps": looked.jumps, "first steady": looked.first_steady}
            if not looked.jumps:
                signs |= {"fades": looked.fades, "wrong": bool(looked.wrong)}
            what = (
                "colours jump about"
                if looked.jumps
                else "it fades down the chain"
                if looked.fades
                else "wrong colours"
            )
            told = f"{what}: {', '.join(looked.wrong)}" if looked.wrong else what
            found = caused(COLOURS, signs, {"": (f"chain {chain}",)}, told)
            if found.code == "colours-swapped":
                found = found._replace(check=f"{found.check}. {self._order(chain, looked.wrong)}")
            yield found

    def _unclear(self) -> Iterator[Finding]:
        """What was seen of all lamps together, and of no chain that was looked at by itself."""
        wrong = [name for name, right in self.seen.colours.items() if not right]
        told = [f"not every lamp is {' or '.join(wrong)}"] if wrong else []
        if self.seen.even is False:
            told.append("not equally white and bright")
        if told:
            yield Finding(
                "lamps-unclear",
                tuple(f"chain {chain}" for chain in self.board.chains),
                f"{', and '.join(told)}, but no chain by itself shows what it is",
                "Examine the board again in a darker room, and look which lamps differ from the others",
            )

    def _order(self, chain: str, wrong: Iterable[str]) -> str:
        kept = {"R", "G", "B"} - {name[0].upper() for name in wrong}
        swapped = " and ".join(sorted(set("RGB") - kept)) if kept else "all three"
        order = self.board.chains[chain].order
        return f"`order` of chain {chain} is {order} in the board file: change places of {swapped}"

    def _data_wire(self, at: LampAt) -> str:
        if at.index == 0:
            return "look at its 5 V and ground, and at the data wire from the driver's pin to its DIN"
        before = lamp_number(LampAt(at.chain, at.index - 1))
        return f"look at its 5 V and ground, and at the wire from DOUT of lamp {before} to its DIN"

    def _crossed_lamps(self) -> Iterator[Finding]:
        """Lamps that blinked on another space than the board file says."""
        wrong = self.seen.elsewhere
        if len(wrong) > REFIT_COUNT:
            yield Finding(
                "lamp-order",
                ("board file",),
                f"{len(wrong)} lamps blink on other spaces than it says",
                "Its order of lamps is another one: `boardumpire calibrate` writes a board file that fits",
            )
            return
        done: set[LampNumber] = set()
        for number, felt in wrong.items():
            other = self.space_lamp(felt)
            if number in done or other is None:
                continue
            both = other in wrong and self.space_lamp(wrong[other]) == number
            done |= {number, other} if both else {number}
            here, there = self.lamp_name(number), space_of(self.slot(felt))
            yield Finding(
                "lamps-crossed" if both else "lamp-elsewhere",
                (f"lamp {number}", *([f"lamp {other}"] if both else [])),
                f"lamp {number} is {here} in the board file, and blinks on {there}",
                "Change their places in the board file, or in the chain",
            )
