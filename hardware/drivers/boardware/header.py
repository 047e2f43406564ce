"""The 40-pin header of a Raspberry Pi: which pins there are, what hangs on them, who has taken them."""

from __future__ import annotations

from boardware.tomlfile import TomlTable, is_integer

LAST_GPIO = 27
PWM = 18
"""Where the PWM of a lamp chain leaves."""
MOSI, SCLK = 10, 11
SPI = (7, 8, 9, 10, 11)
"""What SPI0 takes unless told otherwise: two chip selects, MISO, MOSI, SCLK."""
EEPROM = (0, 1)
"""Read by the firmware at boot to find out what is plugged on."""
PULLED_UP = (2, 3)
"""1.8 kOhm to 3.3 V on the Pi itself, for I2C."""

_ODD = (None, 2, 3, 4, None, 17, 27, 22, None, 10, 9, 11, None, 0, 5, 6, 13, 19, 26, None)
_EVEN = (None, None, None, 14, 15, 18, None, 23, 24, None, 25, 8, 7, 1, None, 12, None, 16, 20, 21)
PHYSICAL = {
    gpio: 2 * place + side
    for side, row in ((1, _ODD), (2, _EVEN))
    for place, gpio in enumerate(row)
    if gpio is not None
}
"""BCM number -> pin of the header."""


class HeaderPins:
    """Who has which pin. Every complaint names the line of the file."""

    def __init__(self) -> None:
        self._owner: dict[int, str] = {}

    def claim(self, table: TomlTable, key: str, gpio: int, owner: str) -> None:
        """Take `gpio` for `owner`; refuse the file if it is taken, or is not to be had."""
        if gpio in EEPROM:
            table.fail(key, f"GPIO{gpio}, which the EEPROM of plugged boards needs", "GPIO2 to GPIO27")
        if gpio in self._owner:
            table.fail(key, f"GPIO{gpio} of {owner} belongs to {self._owner[gpio]}", "each pin once")
        self._owner[gpio] = owner

    def spi_claims(self, table: TomlTable) -> list[int]:
        """The pins SPI takes: all five, or those of `spi_claims` where an overlay frees the others."""
        claims = list(SPI)
        if table.has("spi_claims"):
            claims = self._list(table, "spi_claims")
            if not {MOSI, SCLK} <= set(claims) <= set(SPI):
                table.wrong("spi_claims", "10 and 11, and any of 7, 8, 9")
        key = "spi_claims" if table.has("spi_claims") else "by"
        for gpio in claims:
            self.claim(table, key, gpio, "SPI (the lamps)")
        return claims

    def rows(self, table: TomlTable, key: str, bank: str, *, diodes: bool) -> tuple[int, ...]:
        """Driven pins of a bank."""
        gpios = self._list(table, key)
        for gpio in gpios:
            # An idle row without diodes floats; one that is pulled up would feed its columns all the time.
            if gpio in PULLED_UP and not diodes:
                table.fail(key, f"GPIO{gpio}, which the Pi pulls up, as a row without diodes", "another pin")
            self.claim(table, key, gpio, f"{key} of bank {bank}")
        return tuple(gpios)

    def columns(self, table: TomlTable, key: str, bank: str) -> tuple[int, ...]:
        """Read pins of a bank."""
        gpios = self._list(table, key)
        for gpio in gpios:
            if gpio in PULLED_UP:
                table.fail(
                    key, f"GPIO{gpio}, which the Pi pulls up, as a column", "a pin that can be pulled down"
                )
            self.claim(table, key, gpio, f"{key} of bank {bank}")
        return tuple(gpios)

    def _list(self, table: TomlTable, key: str) -> list[int]:
        expected = "a list of GPIO numbers of the header, 0 to 27"
        gpios = table.list(key, expected)
        for gpio in gpios:
            if not is_integer(gpio):
                table.wrong(key, expected)
            if not 0 <= gpio <= LAST_GPIO:
                table.fail(key, f"GPIO{gpio}, which is not on the header", expected)
        return gpios
