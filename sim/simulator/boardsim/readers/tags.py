"""Tags and the air between them and a reader: ISO/IEC 14443-3, type A, bit by bit.

A frame is a list of bits, the lowest of each byte first. Parity bits are not in it: what noise does to one is
told beside. All tags over one antenna answer at once, and their bits collide.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from boardware.ports import Micros

Bits = list[int]

BIT_NS = 9440
"""One bit at 106 kbit/s."""
FRAME_DELAY_US = 86
"""Between the end of a call and the answer (frame delay time)."""
REQA, WUPA = 0x26, 0x52
SELECTS = (0x93, 0x95, 0x97)
CASCADE = 0x88


def bits_of(data: Iterable[int], count: int | None = None) -> Bits:
    """The first `count` bits of some bytes (all if left out)."""
    bits = [byte >> place & 1 for byte in data for place in range(8)]
    return bits if count is None else bits[:count]


def bytes_of(bits: Sequence[int]) -> bytes:
    """Bits as bytes, the last filled up with zeros."""
    return bytes(
        sum(bit << place for place, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8)
    )


def frame_duration_us(bits: int) -> Micros:
    """How long a frame of that many bits is in the air: a parity bit a byte, a begin and an end."""
    return (bits + bits // 8 + 2) * BIT_NS // 1000


def crc(data: Iterable[int]) -> bytes:
    """CRC_A: the polynomial x16+x12+x5+1 over bits, lowest first, from 6363."""
    register = 0x6363
    for bit in bits_of(data):
        register = register >> 1 ^ (0x8408 if (register ^ bit) & 1 else 0)
    return bytes([register & 0xFF, register >> 8])


class SimTag:
    """One tag. It has power while it is in a field, and forgets everything without."""

    def __init__(self, uid: bytes, wakes_us: Micros = 4500) -> None:
        """`wakes_us`: how long after it came into a field it begins to listen, at most 5000."""
        if len(uid) not in (4, 7, 10):
            raise ValueError(f"an id of {len(uid)} bytes; expected 4, 7 or 10")
        if CASCADE in (uid[:1] + uid[3:4] * (len(uid) > 4) + uid[6:7] * (len(uid) > 7)):
            raise ValueError("an id with the cascade tag, 88, where a part of it begins: there is none such")
        self.uid = uid
        self.wakes_us = wakes_us
        self.atqa = bytes([0x04 | (len(uid) // 3 - 1) << 6, 0x00])
        self.sak = 0x08 if len(uid) == 4 else 0x00
        self._parts = [_part(uid, level) for level in range(len(uid) // 3)]
        self._state = "idle"
        self._level = 0

    def __repr__(self) -> str:
        return "<SimTag>"

    def lose_power(self) -> None:
        """Out of the field, or the field is off."""
        self._state = "idle"

    def answer_frame(self, frame: Bits) -> Bits | None:
        """What it answers to a frame; `None` if nothing."""
        if len(frame) == 7:
            called = bytes_of(frame)[0]
            if called == WUPA or (called == REQA and self._state != "halted"):
                self._state, self._level = "ready", 0
                return bits_of(self.atqa)
            if called == REQA:
                return None
        data = bytes_of(frame)
        if self._state == "ready" and len(frame) >= 16 and data[0] in SELECTS:
            return self._answer_select(frame, data)
        halts = self._state == "active" and data == b"\x50\x00" + crc(b"\x50\x00")
        self._state = "halted" if halts else "idle" if self._state != "halted" else "halted"
        return None

    def _answer_select(self, frame: Bits, data: bytes) -> Bits | None:
        part = self._parts[self._level]
        if data[0] != SELECTS[self._level]:
            self._state = "idle"
            return None
        if data[1] == 0x70:
            if len(frame) != 72 or data[2:7] != part or crc(data[:7]) != data[7:9]:
                self._state = "idle"
                return None
            last = self._level == len(self._parts) - 1
            self._state, self._level = ("active", 0) if last else ("ready", self._level + 1)
            sak = bytes([self.sak if last else 0x04])
            return bits_of(sak + crc(sak))
        known = ((data[1] >> 4) - 2) * 8 + (data[1] & 7)
        mine = bits_of(part)
        if known != len(frame) - 16 or frame[16:] != mine[:known]:
            self._state = "idle"
            return None
        return mine[known:]


def _part(uid: bytes, level: int) -> bytes:
    """What a tag tells on a cascade level: four bytes and their check byte."""
    last = level == len(uid) // 3 - 1
    four = uid[-4:] if last else bytes([CASCADE]) + uid[3 * level : 3 * level + 3]
    return four + bytes([four[0] ^ four[1] ^ four[2] ^ four[3]])


class RadioNoise(NamedTuple):
    """How bad it is between tags and readers. Rates are chances."""

    miss_rate: float = 0.0
    """That a tag doesn't hear a call (REQA, WUPA)."""
    flip: float = 0.0
    """That some bits of an answer are wrong."""
    slow_us: Micros = 0
    """How much longer than usual a reader takes to answer its host."""


QUIET = RadioNoise()


class TagAnswer(NamedTuple):
    """What a reader hears."""

    bits: Bits
    collision: int | None
    """The first bit in which answers differ, from 1."""
    is_parity_right: bool
    """Whether all parity bits are right."""


class AntennaField:
    """The field of one antenna."""

    def __init__(self, seed: str) -> None:
        self.noise = QUIET
        self._random = random.Random(f"air {seed}")
        self._since: dict[int, tuple[SimTag, Micros]] = {}
        self._on = False

    def on(self, tags: Iterable[SimTag], at: Micros) -> None:
        """The field is switched on over these tags."""
        self._on = True
        self._since = {id(tag): (tag, at) for tag in tags}

    def off(self) -> None:
        """The field is switched off."""
        self._on = False
        for tag, _ in self._since.values():
            tag.lose_power()
        self._since = {}

    def exchange_frame(self, tags: Iterable[SimTag], frame: Bits, at: Micros) -> TagAnswer | None:
        """Send a frame; what comes back."""
        if not self._on:
            return None
        here = {id(tag): tag for tag in tags}
        for gone in self._since.keys() - here.keys():
            self._since.pop(gone)[0].lose_power()
        answers = []
        for key, tag in here.items():
            _, since = self._since.setdefault(key, (tag, at))
            if at - since < tag.wakes_us or (
                len(frame) == 7 and self._random.random() < self.noise.miss_rate
            ):
                continue
            answer = tag.answer_frame(frame)
            if answer is not None:
                answers.append(answer)
        return self._merge_answers(answers) if answers else None

    def _merge_answers(self, answers: list[Bits]) -> TagAnswer:
        longest = max(answers, key=len)
        collision = None
        for place, bit in enumerate(longest if len(answers) > 1 else ()):
            if any(len(each) <= place or each[place] != bit for each in answers):
                collision = place + 1
                break
        bits, parity = list(longest), True
        if self._random.random() < self.noise.flip:
            hit = self._random.sample(range(len(bits)), min(len(bits), self._random.randint(1, 4)))
            for place in hit:
                bits[place] ^= 1
            # A parity bit finds an odd number of wrong bits in its byte.
            parity = not any(
                sum(place // 8 == byte for place in hit) % 2 for byte in range(len(bits) // 8 + 1)
            )
        return TagAnswer(bits, collision, parity)
