"""What a cable does to bytes: it delays them, and a bad one damages, loses, doubles and holds them back."""

from __future__ import annotations

import random
from typing import NamedTuple

from boardware.ports import MS, Micros


class CableFaults(NamedTuple):
    """How bad a cable is, each way. Rates are chances a byte, save `late_chunk_rate`, which is one a
    chunk."""

    delay_us: tuple[Micros, Micros] = (50, 1000)
    """Least and most: USB at full speed."""
    flip: float = 0.0
    """One bit is wrong."""
    lose: float = 0.0
    double: float = 0.0
    cut: float = 0.0
    """All that follows in the chunk is lost."""
    late_chunk_rate: float = 0.0
    """A chunk is held back for up to 100 ms, and all after it."""


FINE = CableFaults()


class FaultyWire:
    """One direction of a cable: bytes come out in the order in which they went in."""

    def __init__(self, seed: str) -> None:
        self.faults = FINE
        self.carried = 0
        """How many bytes went in."""
        self.spoilt = 0
        """How many of them were damaged, lost or doubled, or the first that was cut off."""
        self._random = random.Random(seed)
        self._last: Micros = 0

    def carry(self, data: bytes, at: Micros) -> tuple[Micros, bytes]:
        """When what goes in at `at` comes out, and as what."""
        faults = self.faults
        self.carried += len(data)
        arrives = at + self._random.randint(*faults.delay_us)
        if faults.late_chunk_rate and self._random.random() < faults.late_chunk_rate:
            arrives += self._random.randint(0, 100 * MS)
        self._last = max(self._last, arrives)
        if faults.flip or faults.lose or faults.double or faults.cut:
            data = self._spoil(data)
        return self._last, data

    def _spoil(self, data: bytes) -> bytes:
        faults, out = self.faults, bytearray()
        for place, byte in enumerate(data):
            chance = self._random.random()
            self.spoilt += chance < faults.flip + faults.lose + faults.double + faults.cut
            if chance < faults.flip:
                out.append(byte ^ 1 << self._random.randrange(8))
            elif chance < faults.flip + faults.lose:
                continue
            elif chance < faults.flip + faults.lose + faults.double:
                out += bytes([byte, byte])
            elif chance < faults.flip + faults.lose + faults.double + faults.cut:
                self.spoilt += len(data) - place - 1
                break
            else:
                out.append(byte)
        return bytes(out)
