"""The stand-ins under both real neopixel libraries hear exactly what the libraries were told to show."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardsim.pins.pixels import REIMPORTED_MODULES, PixelError, SimSpi, decode, decode_spi, standin_modules
from boardsim.pins.standin import replaced_modules
from boardsim.world.copper import Copper
from boardware.description import load_board

BOARD = load_board("quick-battle-8x8")
CHAIN = BOARD.chains["lamps"]
LEVEL = st.integers(0, 255)
COLOURS = st.lists(st.tuples(LEVEL, LEVEL, LEVEL), min_size=CHAIN.length, max_size=CHAIN.length)


def spi_pixels(copper, **settings):
    with replaced_modules(standin_modules(copper), REIMPORTED_MODULES):
        import neopixel_spi

        return neopixel_spi.NeoPixel_SPI(
            SimSpi(copper, "lamps"),
            CHAIN.length,
            pixel_order=CHAIN.colour_order,
            auto_write=False,
            **settings,
        )


def pwm_pixels(copper):
    with replaced_modules(standin_modules(copper), REIMPORTED_MODULES):
        import board
        import neopixel

        return neopixel.NeoPixel(board.D18, CHAIN.length, pixel_order=CHAIN.colour_order, auto_write=False)


@pytest.mark.parametrize("pixels_over", [spi_pixels, pwm_pixels])
@given(colours=COLOURS)
def test_every_lamp_shows_what_the_library_was_told(pixels_over, colours):
    copper = Copper(BOARD)
    pixels = pixels_over(copper)
    for index, colour in enumerate(colours):
        pixels[index] = colour
    pixels.show()
    assert copper.shown_colours("lamps") == colours
    assert copper.frame_count("lamps") == 1


def test_two_boards_in_one_process_keep_their_lamps_apart():
    one, two = Copper(BOARD), Copper(BOARD)
    first, second = pwm_pixels(one), pwm_pixels(two)
    first.fill((1, 2, 3))
    first.show()
    second.fill((4, 5, 6))
    second.show()
    assert one.shown_colours("lamps")[0] == (1, 2, 3)
    assert two.shown_colours("lamps")[65] == (4, 5, 6)


def test_the_stand_ins_are_gone_afterwards():
    before = {name: sys.modules.get(name) for name in (*standin_modules(Copper(BOARD)), *REIMPORTED_MODULES)}
    spi_pixels(Copper(BOARD))
    pwm_pixels(Copper(BOARD))
    assert {name: sys.modules.get(name) for name in before} == before


def test_a_wrong_number_of_lamps_is_reported():
    with pytest.raises(PixelError, match="chain lamps: 3 bytes; expected 198 for 66 lamps in the order GRB"):
        decode(b"\0\0\0", CHAIN)


def test_a_clock_that_lamps_cannot_follow_is_reported():
    with pytest.raises(PixelError, match=r"8000000 Hz makes bits of 1.00 us; expected 1.25"):
        spi_pixels(Copper(BOARD), frequency=8_000_000).show()


def test_a_reset_that_is_too_short_is_reported():
    with pytest.raises(PixelError, match="reset of 20 us; expected at least 50"):
        spi_pixels(Copper(BOARD), reset_time=20e-6).show()


def test_a_garbled_bit_is_reported_with_its_place():
    good = bytearray(bytes([0xC0]) * (24 * 66) + bytes(64))
    assert decode_spi(good, 6_400_000, CHAIN) == [(0, 0, 0)] * 66
    good[100] = 0xFC
    with pytest.raises(PixelError, match="bit 100 is 0xfc; expected 0xc0 or 0xf0"):
        decode_spi(good, 6_400_000, CHAIN)


def test_a_lost_bit_is_reported():
    with pytest.raises(PixelError, match="1583 bits; expected a multiple of 8"):
        decode_spi(bytes([0xC0]) * (24 * 66 - 1) + bytes(64), 6_400_000, CHAIN)


def test_a_bus_that_nobody_locked_refuses():
    bus = SimSpi(Copper(BOARD), "lamps")
    with pytest.raises(RuntimeError, match="lock"):
        bus.write(b"")
    assert bus.try_lock()
    assert not bus.try_lock()
    with pytest.raises(PixelError, match="polarity 1"):
        bus.configure(baudrate=6_400_000, polarity=1)
    bus.unlock()
    assert bus.try_lock()
