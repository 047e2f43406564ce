"""Marks become pixels: patterns over time, brightness, and last of all the current cap."""

IDLE_MA = 1
"""What a dark WS2812B lamp draws."""
CHANNEL_MA = 20
"""What one colour of a WS2812B draws at full (its data sheet names 12 to 20: the worst counts)."""
WHITE_MA = 3 * CHANNEL_MA
