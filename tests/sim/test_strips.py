"""Lamps without a level shifter garble what they are sent; on a sagging supply they lose their blue."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardmake.physics.electrics import chain_supply
from boardsim.world.copper import Copper
from boardsim.world.strips import LampStrip
from boardware.description import load_board
from boardware.parts import BoardDescription
from boardware.physics import volts

BOARD = load_board("quick-battle-8x8")
RED, DARK = (255, 0, 0), (0, 0, 0)


def wired(limit: int = 1500, **wires: object) -> BoardDescription:
    chain = BOARD.chains["lamps"]
    wired = replace(chain, wires=chain.wires._replace(**wires))  # type: ignore[arg-type]
    return replace(BOARD, chains={"lamps": wired}, current_limit_ma=limit)


def far(board: BoardDescription) -> float:
    """V at the weakest lamp if the lamps there draw all, of a supply that is not low."""
    chain = board.chains["lamps"]
    return chain_supply(board, chain).worst_v + volts.SUPPLY_TOLERANCE_SHARE * chain.wires.supply_v


def test_a_sound_chain_shows_what_it_is_sent() -> None:
    copper = Copper(BOARD)
    colours = [(lamp, 255 - lamp, 7) for lamp in range(66)]
    for _ in range(50):
        copper.set_chain("lamps", colours)
        assert copper.shown_colours("lamps") == colours


def test_without_a_level_shifter_colours_are_garbled_from_a_lamp_on() -> None:
    copper = Copper(wired(has_level_shifter=False))
    garbled = 0
    for _ in range(50):
        copper.set_chain("lamps", [RED] * 66)
        shown = copper.shown_colours("lamps")
        wrong = [lamp for lamp, colour in enumerate(shown) if colour != RED]
        if wrong:
            garbled += 1
            assert shown[: wrong[0]] == [RED] * wrong[0]
    assert 10 < garbled < 50, "some frames are whole, by chance"


def test_a_lost_pulse_moves_all_that_follow_by_one_bit() -> None:
    """Red is 00 ff 00 on the wire, green first: one bit later half of it is green's neighbour's."""
    copper = Copper(wired(has_level_shifter=False))
    seen = set()
    for _ in range(200):
        copper.set_chain("lamps", [RED] * 66)
        seen |= set(copper.shown_colours("lamps"))
    assert (254, 1, 0) in seen


def test_lamps_with_4v3_need_no_shifter() -> None:
    board = wired(has_level_shifter=False, supply_v=4.6, wire_ohm_per_m=0.001)
    assert LampStrip(board, board.chains["lamps"]).sound


@pytest.mark.parametrize("feeds", [1, 2])
def test_the_ladder_of_lamps_agrees_with_the_formula(feeds: int) -> None:
    board = wired(limit=4026, wire_ohm_per_m=0.1, feed_count=feeds)
    chain = board.chains["lamps"]
    least = min(LampStrip(board, chain).volts(bytes([255]) * 198))
    assert least == pytest.approx(chain_supply(board, chain).even_v, abs=0.05)
    assert least == pytest.approx(far(board), abs=0.05), "all white is both"


def test_the_load_at_the_far_end_is_the_worst() -> None:
    board = wired(wire_ohm_per_m=0.1)
    chain = board.chains["lamps"]
    lamps = int(1500 / 61)
    least = min(LampStrip(board, chain).volts(bytes(3 * (66 - lamps)) + bytes([255]) * 3 * lamps))
    near = LampStrip(board, chain).volts(bytes([255]) * 3 * lamps + bytes(3 * (66 - lamps)))
    assert least == pytest.approx(far(board), abs=0.06)
    assert least < min(near)


def test_on_a_sagging_supply_blue_fades_towards_the_end_and_then_all_goes_dark() -> None:
    copper = Copper(wired(wire_ohm_per_m=0.25))
    blue = [(0, 0, 255)] * 66
    copper.set_chain("lamps", blue)
    shown = copper.shown_colours("lamps")
    levels = [colour[2] for colour in shown]
    assert shown[:5] == blue[:5]
    assert levels == sorted(levels, reverse=True)
    assert levels[-1] < 255
    copper.set_chain("lamps", [DARK] * 30 + [(255, 255, 255)] * 36)
    assert copper.shown_colours("lamps")[-1] == DARK
    copper.set_chain("lamps", [(20, 20, 20)] * 66)
    assert copper.shown_colours("lamps") == [(20, 20, 20)] * 66, "little is drawn: nothing sags"
