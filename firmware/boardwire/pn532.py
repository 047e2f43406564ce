"""A PN532 on a UART, in steps that never wait: frames of NXP UM0701-02, 6.2.1. MicroPython subset.

On a Pi the frames are adafruit-circuitpython-pn532's; MicroPython has no such library.
"""

from boardwire.moments import rebased
from boardwire.pads import SAM_CONFIGURATION, WAKE_PREAMBLE, Pad

_START_CODE = b"\x00\xff"
_ACK = b"\x00\xff\x00\xff"
_TO_PN532, _FROM_PN532 = 0xD4, 0xD5
_MAX_BUFFERED_BYTES = 300
"""More than any answer: what is longer is noise."""
LOOK_US = 5000
"""Between two looks at what has come while an answer is awaited."""


def encode_command(command: int, parameters: bytes) -> bytes:
    """A command as it goes over the wire."""
    body = bytes([_TO_PN532, command]) + parameters
    return bytes([0, 0, 0xFF, len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])


def next_frame(data: bytes) -> tuple[bytes, bytes]:
    """The first whole frame in `data`, its last byte left out, and what lies behind it; none is empty.

    Acknowledgements and what is no frame are passed over. Whether its check sum is right is not looked at.
    """
    while True:
        at = data.find(_START_CODE)
        if at < 0 or len(data) < at + 4:
            return b"", data[-_MAX_BUFFERED_BYTES:]
        size = data[at + 2]
        if data[at : at + 4] == _ACK:
            data = data[at + 4 :]
            continue
        if not size or (size + data[at + 3]) & 0xFF:
            data = data[at + 2 :]
            continue
        end = at + 4 + size + 1
        if len(data) < end:
            return b"", data[at:]
        return bytes(data[at:end]), data[end:]


def content(whole: bytes) -> bytes:
    """What a frame holds; nothing if its check sum is wrong."""
    return b"" if sum(whole[4:]) & 0xFF else whole[4:-1]


class UartPad:
    """A pad on a `machine.UART` that never waits: `any()`, `read(count)`, `write(bytes)`."""

    def __init__(self, uart, now: int) -> None:  # type: ignore[no-untyped-def]
        self.pad = Pad(now)
        self._uart = uart
        self._came = b""
        self._look_at = now

    def due(self) -> int:
        """When `step` has something to do next; while an answer is awaited, `LOOK_US` after the last one."""
        at: int = self.pad.due()
        return at if self.pad.asked is None or at < self._look_at else self._look_at

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later."""
        self._look_at = rebased(self._look_at, by)
        self.pad.rebase(by)

    def step(self, now: int) -> list[tuple]:  # type: ignore[type-arg]
        """Take what came, ask what is due; events as `Pad`'s."""
        self._look_at = now + LOOK_US
        count = self._uart.any()
        if count:
            self._came += self._uart.read(count)
        events: list[tuple] = []  # type: ignore[type-arg]
        while self.pad.asked is not None and self._came:
            whole, self._came = next_frame(self._came)
            if not whole:
                break
            body = content(whole)
            answers = body[:2] == bytes([_FROM_PN532, self.pad.asked + 1])
            for event in self.pad.handle_answer(body[2:], now) if answers else self.pad.handle_garbled(now):
                events.append(event)
        for event in self.pad.step(now):
            events.append(event)
        question = self.pad.next_question(now)
        if question is not None:
            self._came = b""
            command, parameters = question
            wake = WAKE_PREAMBLE if command == SAM_CONFIGURATION else b""
            self._uart.write(wake + encode_command(command, parameters))
        return events
