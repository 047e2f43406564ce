"""How Pico pico of board quick-battle-8x8-pico is wired. Made from the board file."""

BOARD = "quick-battle-8x8-pico"
PICO = "pico"
PLAN = 1422662243
# (bank, pins of its rows, first pin of its columns, how many, diodes, microseconds to settle)
# (chain, its pin, its length, order of its colours, what it may draw in mA)
# readers: (SPI, clock, data out, data in, how one is selected, enable, other pins, contacts)
# pads: (UART, out, in)
BANKS = [
    ("reeds", (8, 9, 10, 11, 12, 13, 14, 15), 0, 8, True, 40),
]
CHAINS = [
    ("lamps", 16, 66, "GRB", 1500),
]
BUTTONS = [17, 18, 19]
BUZZER = 21
READERS = []
PADS = []
