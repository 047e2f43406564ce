"""What a chain of lamps makes of a frame that comes too weak, or on a supply that sags."""

from __future__ import annotations

import random
from collections.abc import Sequence

from boardmake.physics.electrics import chain_supply
from boardware.parts import BoardDescription, LampChain
from boardware.physics import volts
from boardwire.strip import CHANNEL_MA, LAMP_IDLE_MA

LOST_PER_VOLT = 0.005
"""The share of the pulses of data that the first lamp misses, for each volt that they are too low (estimate:
with 0.2 V a chain of 66 lamps loses one or two a frame)."""

UNGROUNDED_ERROR_RATES = (0.25, 0.3)
"""Of the pulses of data without a common ground: the share that the first lamp misses, and the share of the
others that it takes for the wrong one (estimates). What comes back to the driver's ground then finds its way
through supplies and cables, so that the data's levels float."""


class LampStrip:
    """The lamps of one chain, and the wires to them. Its colours are red, green, blue of lamp after lamp."""

    def __init__(self, board: BoardDescription, chain: LampChain, *, grounded: bool = True) -> None:
        """`grounded`: whether the ground of its supply is joined with that of what drives its data."""
        wires = chain.wires
        reached = chain_supply(board, chain)
        self._chain = chain
        self._lost = (
            max(0.0, volts.data_shortfall_v(wires.supply_v, shifter=wires.has_level_shifter)) * LOST_PER_VOLT
        )
        self._wrong = 0.0
        if not grounded:
            self._lost, self._wrong = UNGROUNDED_ERROR_RATES
        self._step = 2 * wires.wire_ohm_per_m * reached.wire_length_m / max(1, chain.length - 1)
        """Ohm from one lamp to the next, out and back."""
        low = volts.SUPPLY_TOLERANCE_SHARE * wires.supply_v  # the supply simulated is as it should be
        self._sags = reached.worst_v + low < volts.LAMP_SUPPLY_RATED_V
        self.sound = not self._sags and not self._lost
        """Whether it shows every frame as it was sent."""

    def shown_frame(self, sent: bytes, before: bytes, frame: int) -> bytes:
        """What it shows of a frame, the so manieth, while it shows `before`."""
        heard = self._received_frame(sent, before, frame) if self._lost else sent
        return self._dimmed_frame(heard) if self._sags else heard

    def _received_frame(self, sent: bytes, before: bytes, frame: int) -> bytes:
        """A pulse that the first lamp misses moves all that follow by one bit, for it and those behind it."""
        dice = random.Random(f"{self._chain.id} {frame}")
        order = ["RGB".index(colour) for colour in self._chain.colour_order]
        wire = [sent[at + each] for at in range(0, len(sent), 3) for each in order]
        bits = [bit for bit in "".join(f"{byte:08b}" for byte in wire) if dice.random() >= self._lost]
        if self._wrong:
            bits = [bit if dice.random() >= self._wrong else "10"[int(bit)] for bit in bits]
        whole = len(bits) // 24
        if not whole:
            return before
        came = int("".join(bits[: 24 * whole]), 2).to_bytes(3 * whole, "big")
        back = [self._chain.colour_order.index(colour) for colour in "RGB"]
        heard = b"".join(bytes(came[at + each] for each in back) for at in range(0, len(came), 3))
        return heard + before[len(heard) :]

    def _dimmed_frame(self, heard: bytes) -> bytes:
        """Below what its data sheet promises a lamp loses its blue bit by bit, then goes dark (estimate)."""
        lit = bytearray(heard)
        for lamp, at in enumerate(self.volts(heard)):
            if at < volts.LAMP_SUPPLY_MIN_V:
                lit[3 * lamp : 3 * lamp + 3] = bytes(3)
            elif at < volts.LAMP_SUPPLY_RATED_V:
                left = (at - volts.LAMP_SUPPLY_MIN_V) / (volts.LAMP_SUPPLY_RATED_V - volts.LAMP_SUPPLY_MIN_V)
                lit[3 * lamp + 2] = int(lit[3 * lamp + 2] * left)
        return bytes(lit)

    def volts(self, heard: bytes) -> Sequence[float]:
        """Of the supply at each lamp while they show that."""
        drawn = [
            (LAMP_IDLE_MA + CHANNEL_MA * sum(heard[at : at + 3]) / 255) / 1000
            for at in range(0, len(heard), 3)
        ]
        last = len(drawn) - 1
        if self._chain.wires.feed_count == 2 and last:
            flows = sum(each * (last - at) / last for at, each in enumerate(drawn))
        else:
            flows = sum(drawn)
        at, found = self._chain.wires.supply_v - volts.FUSE_DROP_V - sum(drawn) * volts.FEED_WIRE_OHM, []
        for each in drawn:
            found.append(at)
            flows -= each
            at -= flows * self._step
        return found
