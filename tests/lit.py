"""Lights for tests of what shows them: by what is seen, whatever the board's marks look like today."""

from __future__ import annotations

from collections.abc import Mapping

from boardware.ports import Light

GREEN, RED, WHITE, AMBER = 0x0F00, 0xF000, 0xFFF0, 0xF700
CYAN_DIM, BLUE_DIM = 0x0FF1, 0x00F1
WHITE_PULSE = 0xFFF2
BLUE_BLINK, AMBER_BLINK = 0x00F3, 0xF703
WHITE_TURNS = 0xFFF4
RED_FLASHES = 0xF005
GREEN_SWEEP = 0x0F08
"""Of the first lamp; those of the next ones count on."""
ALL = (
    GREEN, RED, WHITE, AMBER, CYAN_DIM, WHITE_PULSE, BLUE_BLINK, AMBER_BLINK, WHITE_TURNS, RED_FLASHES,
    GREEN_SWEEP, GREEN_SWEEP + 1, GREEN_SWEEP + 5, GREEN_SWEEP + 7,
)  # fmt: skip


def lit(codes: Mapping[str, int]) -> dict[str, Light]:
    """By lamp its light, as drivers are told it."""
    return {lamp: Light(f"{code:04x}", code) for lamp, code in codes.items()}
