"""The 40-pin header of a Raspberry Pi: which pins there are, what hangs on them, who has taken them."""

from __future__ import annotations

from boardware.tomlfile import TomlTable, is_integer

LAST_GPIO = 27
CHIP_LABELS = {
    1: "pinctrl-bcm2835",
    2: "pinctrl-bcm2835",
    3: "pinctrl-bcm2835",
    4: "pinctrl-bcm2711",
    5: "pinctrl-rp1",
}
"""What the kernel calls the chip of the header's pins, by generation of the Pi."""
PWM_GPIO = 18
"""Where the PWM of a lamp chain leaves."""
MOSI_GPIO, SCLK_GPIO = 10, 11
SPI_GPIOS = (7, 8, 9, 10, 11)
"""What SPI0 takes unless told otherwise: two chip selects, MISO, MOSI, SCLK."""
EEPROM_GPIOS = (0, 1)
"""Read by the firmware at boot to find out what is plugged on."""
PULLED_UP_GPIOS = (2, 3)
"""1.8 kOhm to 3.3 V on the Pi itself, for I2C."""

_ODD_PIN_GPIOS = (None, 2, 3, 4, None, 17, 27, 22, None, 10, 9, 11, None, 0, 5, 6, 13, 19, 26, None)
_EVEN_PIN_GPIOS = (None, None, None, 14, 15, 18, None, 23, 24, None, 25, 8, 7, 1, None, 12, None, 16, 20, 21)
HEADER_PIN_BY_GPIO = {
    gpio: 2 * place + side
    for side, row in ((1, _ODD_PIN_GPIOS), (2, _EVEN_PIN_GPIOS))
    for place, gpio in enumerate(row)
    if gpio is not None
}
"""BCM number -> pin of the header."""


class HeaderPins:
    """Who has which pin. Every complaint names the line of the file."""

    def __init__(self) -> None:
        self._owner: dict[int, str] = {}

    def claim_pin(self, table: TomlTable, key: str, gpio: int, owner: str) -> None:
        """Take `gpio` for `owner`; refuse the file if it is taken, or is not to be had."""
        if gpio in EEPROM_GPIOS:
            table.fail(key, f"GPIO{gpio}, which the EEPROM of plugged boards needs", "GPIO2 to GPIO27")
        if gpio in self._owner:
            table.fail(key, f"GPIO{gpio} of {owner} belongs to {self._owner[gpio]}", "each pin once")
        self._owner[gpio] = owner

    def claim_spi_pins(self, table: TomlTable) -> list[int]:
        """The pins SPI takes: all five, or those of `spi_claims` where an overlay frees the others."""
        claims = list(SPI_GPIOS)
        if table.has("spi_claims"):
            claims = self._read_gpios(table, "spi_claims")
            if not {MOSI_GPIO, SCLK_GPIO} <= set(claims) <= set(SPI_GPIOS):
                table.refuse_value("spi_claims", "10 and 11, and any of 7, 8, 9")
        key = "spi_claims" if table.has("spi_claims") else "by"
        for gpio in claims:
            self.claim_pin(table, key, gpio, "SPI (the lamps)")
        return claims

    def claim_row_pins(self, table: TomlTable, key: str, bank: str, *, diodes: bool) -> tuple[int, ...]:
        """Driven pins of a bank."""
        gpios = self._read_gpios(table, key)
        for gpio in gpios:
            # An idle row without diodes floats; one that is pulled up would feed its columns all the time.
            if gpio in PULLED_UP_GPIOS and not diodes:
                table.fail(key, f"GPIO{gpio}, which the Pi pulls up, as a row without diodes", "another pin")
            self.claim_pin(table, key, gpio, f"{key} of bank {bank}")
        return tuple(gpios)

    def claim_column_pins(self, table: TomlTable, key: str, bank: str) -> tuple[int, ...]:
        """Read pins of a bank."""
        gpios = self._read_gpios(table, key)
        for gpio in gpios:
            if gpio in PULLED_UP_GPIOS:
                table.fail(
                    key, f"GPIO{gpio}, which the Pi pulls up, as a column", "a pin that can be pulled down"
                )
            self.claim_pin(table, key, gpio, f"{key} of bank {bank}")
        return tuple(gpios)

    def _read_gpios(self, table: TomlTable, key: str) -> list[int]:
        expected = "a list of GPIO numbers of the header, 0 to 27"
        gpios = table.list(key, expected)
        for gpio in gpios:
            if not is_integer(gpio):
                table.refuse_value(key, expected)
            if not 0 <= gpio <= LAST_GPIO:
                table.fail(key, f"GPIO{gpio}, which is not on the header", expected)
        return gpios
