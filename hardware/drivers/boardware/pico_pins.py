"""The pins of a Raspberry Pi Pico (RP2040) in a board file: which there are, and who has taken them."""

from __future__ import annotations

from boardware.tomlfile import TomlTable, is_integer

USABLE_GPIOS = (*range(23), 26, 27, 28)
"""On the edge of a Pico. 23 to 25 and 29 serve the module itself: power, USB, its own lamp."""
EDGE_PIN_BY_GPIO = {
    **{gpio: gpio + 1 + (gpio + 2) // 4 for gpio in range(16)},
    **{gpio: gpio + 5 + (gpio - 14) // 4 for gpio in range(16, 23)},
    26: 31,
    27: 32,
    28: 34,
}
"""GP number -> pin on the edge. Every fifth is ground, 30 is RUN, 33 ground."""
CHAINS_MAX = 4
"""A state machine of the second PIO each (boardwire/boot/pixels.py)."""
CHAIN_LAMPS_MAX = 256
"""Lamps: the wire names them by one byte."""

_EXPECTED = "pins of a Pico: GP0 to GP22, GP26 to GP28"


class PicoPins:
    """Who has which pin of one Pico. Every complaint names the line of the file."""

    def __init__(self, id_: str) -> None:
        self.id = id_
        self._owner: dict[int, str] = {}
        self._chains: list[str] = []

    def claim_chain_pin(self, table: TomlTable, key: str, chain: str) -> int:
        """The pin of a chain of lamps."""
        self._chains.append(chain)
        if len(self._chains) > CHAINS_MAX:
            found = f"chain {chain} beside {', '.join(self._chains[:-1])} on Pico {self.id}"
            table.fail(key, found, f"at most {CHAINS_MAX} chains a Pico")
        return self.claim_one_pin(table, key, f"chain {chain}")

    def claim_one_pin(self, table: TomlTable, key: str, owner: str) -> int:
        """A single pin."""
        gpio = table.integer(key, 0, USABLE_GPIOS[-1])
        self.claim_pin(table, key, gpio, owner)
        return gpio

    def claim_row_pins(self, table: TomlTable, key: str, bank: str, *, diodes: bool) -> tuple[int, ...]:
        """Driven pins of a bank."""
        return self._claim_listed_pins(table, key, bank)

    def claim_column_pins(self, table: TomlTable, key: str, bank: str) -> tuple[int, ...]:
        """Read pins of a bank: neighbours, so that one look at all pins reads them."""
        gpios = self._claim_listed_pins(table, key, bank)
        if gpios != tuple(range(gpios[0], gpios[0] + len(gpios))):
            table.refuse_value(
                key, f"neighbours in rising order, as {list(range(gpios[0], gpios[0] + len(gpios)))}"
            )
        return gpios

    def _claim_listed_pins(self, table: TomlTable, key: str, bank: str) -> tuple[int, ...]:
        gpios = table.list(key, f"a list of {_EXPECTED}")
        if not gpios:
            table.refuse_value(key, f"a list of {_EXPECTED}")
        for gpio in gpios:
            if not is_integer(gpio):
                table.refuse_value(key, f"a list of {_EXPECTED}")
            self.claim_pin(table, key, gpio, f"{key} of bank {bank}")
        return tuple(gpios)

    def claim_pin(self, table: TomlTable, key: str, gpio: int, owner: str) -> None:
        """Take a pin for `owner`; refuse the file if there is none, or it is taken."""
        if gpio not in USABLE_GPIOS:
            table.fail(key, f"GP{gpio}, which is not to be had", _EXPECTED)
        if gpio in self._owner:
            table.fail(key, f"GP{gpio} of {owner} belongs to {self._owner[gpio]}", "each pin once")
        self._owner[gpio] = owner
