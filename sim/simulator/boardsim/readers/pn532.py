"""A simulated PN532: the bytes that it takes and gives on a UART (NXP UM0701-02, 6.2 and 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from boardsim.readers.tags import (
    FRAME_DELAY_US,
    AntennaField,
    SimTag,
    bits_of,
    bytes_of,
    crc,
    frame_duration_us,
)
from boardware.ports import MS, Micros

ACK = b"\x00\x00\xff\x00\xff\x00"
FIRMWARE = b"\x32\x01\x06\x07"
"""A PN532, version 1.6, for type A, type B and ISO 18092."""
ERROR_FRAME = b"\x00\x00\xff\x01\xff\x7f\x81\x00"
PROCESSING_US = 600
"""Between a command and what comes back."""
BYTE_US = 87
"""10 bits at 115200 baud."""
FIELD_US = 5 * MS
UNLIMITED_RETRIES = 0xFF
NO_ANSWER = b"never"
"""What comes of looking for ever where nothing is."""

SendLater = Callable[[Micros, bytes], None]
"""Have these bytes come out of it at a moment."""


class SimPn532:
    """One chip. `tags(at)` are the tags over its antenna."""

    def __init__(self, tags: Callable[[Micros], Iterable[SimTag]], later: SendLater, seed: str) -> None:
        self.antenna_field = AntennaField(seed)
        self.dead = False
        """Whether nothing answers."""
        self.spoil_answer: Callable[[bytes], bytes] = lambda frame: frame
        """What becomes of its answers on the line."""
        self.lists = 0
        """How many lists of targets it gave."""
        self._tags = tags
        self._later = later
        self._came = b""
        self._asleep = True
        self._sam = False
        self._retries = UNLIMITED_RETRIES
        self._free_at: Micros = 0

    def receive(self, data: bytes, at: Micros) -> None:
        """What the host sends."""
        if self.dead:
            return
        self._came += data
        while True:
            start = self._came.find(b"\x00\xff")
            if start < 0 or len(self._came) < start + 4:
                return
            if self._asleep and self._came[:start].count(0x55) < 1:
                self._came = self._came[start + 2 :]  # it wakes by 55 alone, and loses what woke it
                continue
            self._asleep = False
            size = self._came[start + 2]
            if (size + self._came[start + 3]) & 0xFF:
                self._came = self._came[start + 2 :]
                continue
            end = start + 4 + size + 1
            if len(self._came) < end:
                return
            body, self._came = self._came[start + 4 : end], self._came[end:]
            if size and not sum(body) & 0xFF:
                self._command(body[:-1], at)

    def _command(self, body: bytes, at: Micros) -> None:
        at = max(at, self._free_at)  # a command that comes before the last is answered waits here
        if body[0] != 0xD4 or len(body) < 2:
            return
        code, parameters = body[1], body[2:]
        acked = at + PROCESSING_US + len(ACK) * BYTE_US
        self._later(acked, ACK)
        done, answer = self._answer(code, parameters, acked)
        if answer is not NO_ANSWER:
            self._send(done, None if answer is None else bytes([0xD5, code + 1]) + answer)

    def _send(self, at: Micros, body: bytes | None) -> None:
        if body is None:
            frame = ERROR_FRAME
        else:
            frame = bytes([0, 0, 0xFF, len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])
        self._free_at = at + PROCESSING_US + len(frame) * BYTE_US + self.antenna_field.noise.slow_us
        self._later(self._free_at, self.spoil_answer(frame))

    def _answer(self, code: int, parameters: bytes, at: Micros) -> tuple[Micros, bytes | None]:
        if code == 0x02:
            return at, FIRMWARE
        if code == 0x14 and parameters[:1] == b"\x01":
            self._sam = True
            return at, b""
        if code == 0x32 and parameters[:1] == b"\x05" and len(parameters) == 4:
            self._retries = parameters[3]
            return at, b""
        if code == 0x4A and len(parameters) >= 2 and parameters[1] == 0 and self._sam:
            return self._list_targets(parameters[0], at)
        return at, None

    # Its own reader

    def _list_targets(self, most: int, at: Micros) -> tuple[Micros, bytes]:
        """Activate up to `most` tags. As often as it was told to, it calls again if none answers."""
        self.lists += 1
        self.antenna_field.on(self._tags(at), at)
        at += FIELD_US
        found: list[bytes] = []
        for _ in range(1 if self._retries == UNLIMITED_RETRIES else self._retries + 1):
            while len(found) < most:
                at, target = self._activate(at, first=not found)
                if target is None:
                    break
                found.append(target)
            if found:
                break
        self.antenna_field.off()
        if not found and self._retries == UNLIMITED_RETRIES:
            return at, NO_ANSWER  # it would answer once a tag comes; nobody here waits for that
        listed = b"".join(bytes([number]) + target for number, target in enumerate(found, 1))
        return at, bytes([len(found)]) + listed

    def _activate(self, at: Micros, *, first: bool) -> tuple[Micros, bytes | None]:
        at, atqa = self._exchange(bits_of([0x52 if first else 0x26])[:7], at)
        if atqa is None:
            return at, None
        uid, sak = b"", b"\x04"
        for select in (0x93, 0x95, 0x97):
            at, part = self._resolve_uid_part(select, at)
            if part is None:
                return at, None
            call = bytes([select, 0x70]) + part
            at, answered = self._exchange(bits_of(call + crc(call)), at)
            sak = bytes_of(answered or [])
            if len(sak) != 3 or crc(sak[:1]) != sak[1:]:
                return at, None
            uid += part[1:4] if sak[0] & 0x04 else part[:4]
            if not sak[0] & 0x04:
                break
        halt = b"\x50\x00"
        at, _ = self._exchange(bits_of(halt + crc(halt)), at)
        return at, bytes(reversed(bytes_of(atqa))) + sak[:1] + bytes([len(uid)]) + uid

    def _resolve_uid_part(self, select: int, at: Micros) -> tuple[Micros, bytes | None]:
        known: list[int] = []
        for _ in range(33):
            nvb = (2 + len(known) // 8) << 4 | len(known) % 8
            frame = bits_of([select, nvb]) + known
            sent = at + frame_duration_us(len(frame))
            answer = self.antenna_field.exchange_frame(self._tags(sent), frame, sent)
            if answer is None:
                return sent + 1 * MS, None
            at = sent + FRAME_DELAY_US + frame_duration_us(len(answer.bits))
            if answer.collision is None:
                part = bytes_of(known + answer.bits)
                good = (
                    answer.is_parity_right
                    and len(part) == 5
                    and not part[0] ^ part[1] ^ part[2] ^ part[3] ^ part[4]
                )
                return at, part if good else None
            known = known + answer.bits[: answer.collision - 1] + [1]
        return at, None

    def _exchange(self, frame: list[int], at: Micros) -> tuple[Micros, list[int] | None]:
        sent = at + frame_duration_us(len(frame))
        answer = self.antenna_field.exchange_frame(self._tags(sent), frame, sent)
        if answer is None:
            return sent + 1 * MS, None
        done = sent + FRAME_DELAY_US + frame_duration_us(len(answer.bits))
        return done, answer.bits if answer.is_parity_right or len(frame) == 7 else None


class PicoLine:
    """A PN532 at the end of a Pico's serial line."""

    def __init__(self, tags: Callable[[Micros], Iterable[SimTag]], seed: str) -> None:
        self._coming: list[tuple[Micros, bytes]] = []
        self.on_bytes_sent: Callable[[Micros, bytes], None] = lambda at, data: self._coming.append((at, data))
        """Called with what is sent to the Pico, and when its last bit comes; else that waits to be taken."""
        self.chip = SimPn532(tags, lambda at, data: self.on_bytes_sent(at, data), seed)

    def receive(self, data: bytes, at: Micros) -> None:
        """What the Pico sends."""
        self.chip.receive(data, at)

    def available_bytes(self, at: Micros) -> bytes:
        """What has come by then and was not taken."""
        return b"".join(data for moment, data in self._coming if moment <= at)

    def read_bytes(self, at: Micros, count: int) -> bytes:
        """Take so much of it."""
        data = self.available_bytes(at)
        later = [(moment, more) for moment, more in self._coming if moment > at]
        self._coming = [(at, data[count:]), *later] if data[count:] else later
        return data[:count]
