"""Explains lamps, buttons, the buzzer and silent drivers. Pure: facts in, findings out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from boardumpire.makers.bare import LampNumber, lamp_number, lamps, pin, space_of
from boardumpire.makers.facts import REFIT, Facts, Finding
from boardware.parts import LampAt
from boardware.ports import Trouble


class Outward(Facts):
    """What is wrong with all that people see, hear and press, and with the cables."""

    def findings(self, troubles: Iterable[Trouble]) -> Iterator[Finding]:
        """In the order in which they are best mended."""
        yield from self._silent(troubles)
        yield from self._buttons()
        yield from self._lamps()
        yield from self._crossed_lamps()

    def _silent(self, troubles: Iterable[Trouble]) -> Iterator[Finding]:
        for trouble in {(each.code, each.where): each for each in troubles}.values():
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

    def _lamps(self) -> Iterator[Finding]:
        for number, lit_behind in self.seen.dark:
            at = lamps(self.board)[number]
            if lit_behind:
                yield Finding(
                    "lamp-dark",
                    (f"lamp {number}",),
                    f"dark, those behind it are lit ({self.lamp_name(number)})",
                    "Its own diodes are dead: change it",
                )
            else:
                yield Finding(
                    "chain-dark",
                    (f"lamp {number}",),
                    f"dark, and all behind it in the chain ({self.lamp_name(number)})",
                    self._data_wire(at),
                )
        colours = self.seen.colours
        if colours and not all(colours.values()):
            kept = [name[0].upper() for name, right in colours.items() if right]
            order = " or ".join(sorted({chain.order for chain in self.board.chains.values()}))
            swapped = "all three" if not kept else " and ".join(sorted(set("RGB") - set(kept)))
            yield Finding(
                "colours",
                tuple(f"chain {chain}" for chain in self.board.chains),
                f"wrong colours: {', '.join(name for name, right in colours.items() if not right)}",
                f"`order` of the chain is {order} in the board file: change places of {swapped}",
            )

    def _data_wire(self, at: LampAt) -> str:
        if at.index == 0:
            return "Look at its 5 V and ground, and at the data wire from the driver's pin to its DIN"
        before = lamp_number(LampAt(at.chain, at.index - 1))
        return f"Look at its 5 V and ground, and at the wire from DOUT of lamp {before} to its DIN"

    def _crossed_lamps(self) -> Iterator[Finding]:
        """Lamps that blinked on another space than the board file says."""
        wrong = self.seen.elsewhere
        if len(wrong) > REFIT:
            yield Finding(
                "lamp-order",
                ("board file",),
                f"{len(wrong)} lamps blink on other spaces than it says",
                "Its order of lamps is another one: `boardumpire calibrate` writes one that fits",
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
