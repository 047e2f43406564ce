"""A simulated MFRC522: its registers over SPI, with what its driver relies on of NXP's data sheet (8.1, 9.3).

Reading and writing follow the chip select: the first byte is an address, then data, or further addresses.
A chip that is asked for what it can't do here raises, so that a driver can't lean on what was never modelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from boardsim.readers.tags import FRAME_DELAY_US, AntennaField, SimTag, bits_of, bytes_of, frame_duration_us
from boardware.ports import Micros

COMMAND, COM_IRQ, ERROR, FIFO_DATA, FIFO_LEVEL = 0x01, 0x04, 0x06, 0x09, 0x0A
CONTROL, BIT_FRAMING, COLL, TX_CONTROL, TX_ASK, T_MODE = 0x0C, 0x0D, 0x0E, 0x14, 0x15, 0x2A
T_PRESCALER, T_RELOAD_HIGH, T_RELOAD_LOW, VERSION = 0x2B, 0x2C, 0x2D, 0x37
IDLE, TRANSCEIVE, SOFT_RESET = 0x00, 0x0C, 0x0F
POWER_DOWN = 0x10
WAKE_TIME_US = 300
"""From soft power-down until the chip works again."""
FIFO = 64
_RESET = {COMMAND: 0x20, COM_IRQ: 0x14, TX_CONTROL: 0x80, COLL: 0x80, VERSION: 0x92}


class SimMfrc522:
    """One chip with its antenna. `tags(at)` are the tags over it."""

    def __init__(self, tags: Callable[[Micros], Iterable[SimTag]], seed: str) -> None:
        self.antenna_field = AntennaField(seed)
        self.dead = False
        """Whether nothing answers: MISO stays low."""
        self._tags = tags
        self._registers = dict(_RESET)
        self._fifo = bytearray()
        self._awake_at: Micros = 0
        self._address: int | None = None
        self._shown = 0
        self._done_at: Micros | None = None
        self._answer: tuple[int, bytes, int, int] | None = None

    # The bus

    def select(self) -> None:
        """Chip select goes low."""
        self._address = None
        self._shown = 0

    def transfer(self, data: bytes, at: Micros, byte_us: float) -> bytes:
        """Bytes each way while selected, from `at` on."""
        if self.dead:
            return bytes(len(data))
        out = bytearray()
        for place, byte in enumerate(data):
            out.append(self._shown)
            now = at + int(place * byte_us)
            if self._address is None:
                self._address = byte
                if byte & 0x80:
                    self._shown = self._read(byte >> 1 & 0x3F, now)
            elif self._address & 0x80:
                self._shown = self._read(byte >> 1 & 0x3F, now) if byte else 0
            else:
                self._write(self._address >> 1 & 0x3F, byte, now)
        return bytes(out)

    # Registers

    def _read(self, register: int, at: Micros) -> int:
        if self._done_at is not None:
            self._finish_exchange(at, self._done_at)
        if register == FIFO_DATA:
            return self._fifo.pop(0) if self._fifo else 0
        if register == FIFO_LEVEL:
            return len(self._fifo)
        if register == COMMAND and at < self._awake_at:
            return self._registers[COMMAND] | POWER_DOWN
        return self._registers.get(register, 0)

    def _write(self, register: int, value: int, at: Micros) -> None:
        if self._done_at is not None:
            self._finish_exchange(at, self._done_at)
        if register == FIFO_DATA:
            self._fifo.append(value)
            if len(self._fifo) > FIFO:
                raise ValueError("more than 64 bytes in the FIFO")
        elif register == FIFO_LEVEL:
            if value & 0x80:
                self._fifo.clear()
                self._registers[ERROR] = 0
        elif register == COM_IRQ:
            before = self._registers[COM_IRQ]
            self._registers[COM_IRQ] = before | value & 0x7F if value & 0x80 else before & ~value
        elif register == TX_CONTROL:
            self._switch_antenna(value, at)
        elif register == COMMAND:
            self._command(value, at)
        else:
            self._registers[register] = value
            if register == BIT_FRAMING and value & 0x80 and self._registers[COMMAND] & 0x0F == TRANSCEIVE:
                self._send(value & 7, value >> 4 & 7, at)

    def _command(self, value: int, at: Micros) -> None:
        if value & 0x0F == SOFT_RESET:
            self._registers = dict(_RESET)
            self.antenna_field.off()
            self._awake_at = at + WAKE_TIME_US
        elif value & 0x0F not in (IDLE, TRANSCEIVE):
            raise ValueError(f"command {value & 0x0F:#x} is not simulated")
        elif self._registers[COMMAND] & POWER_DOWN and not value & POWER_DOWN:
            self._awake_at = at + WAKE_TIME_US
        if value & POWER_DOWN:
            self.antenna_field.off()
        self._done_at = None
        self._registers[COMMAND] = value

    def _switch_antenna(self, value: int, at: Micros) -> None:
        was = self._registers[TX_CONTROL] & 3
        self._registers[TX_CONTROL] = value
        if value & 3 == 3 and was != 3:
            self.antenna_field.on(self._tags(at), at)
        elif value & 3 != 3 and was == 3:
            self.antenna_field.off()

    # The air

    def _send(self, last_bits: int, align: int, at: Micros) -> None:
        if at < self._awake_at:
            raise ValueError("sent before the oscillator runs")
        if self._registers.get(TX_ASK) != 0x40:
            raise ValueError("sent without 100 % modulation: no tag hears that")
        data = bytes(self._fifo)
        self._fifo.clear()
        frame = bits_of(data, len(data) * 8 - (8 - last_bits if last_bits else 0))
        sent = at + frame_duration_us(len(frame))
        answer = self.antenna_field.exchange_frame(self._tags(sent), frame, sent)
        if answer is None:
            ticks = self._registers.get(T_RELOAD_HIGH, 0) << 8 | self._registers.get(T_RELOAD_LOW, 0)
            tick = 2 * ((self._registers[T_MODE] & 0x0F) << 8 | self._registers[T_PRESCALER]) + 1
            self._done_at = sent + tick * ticks * 100 // 1356
            self._answer = None
            return
        self._done_at = (
            sent + FRAME_DELAY_US + frame_duration_us(len(answer.bits)) + self.antenna_field.noise.slow_us
        )
        bits, error, coll = answer.bits, 0, 0x20
        if answer.collision is not None:
            # Bits behind the collision are read as 0 (ValuesAfterColl is 0).
            bits = bits[: answer.collision - 1] + [0] * (len(bits) - answer.collision + 1)
            error, coll = 0x08, answer.collision & 0x1F
        if not answer.is_parity_right:
            error |= 0x02
        self._answer = 0x20, bytes_of([0] * align + bits), error, coll

    def _finish_exchange(self, at: Micros, done_at: Micros) -> None:
        """Let what was sent be answered, or the timer run out."""
        if at < done_at:
            return
        self._done_at = None
        self._registers[COM_IRQ] |= 0x40
        if self._answer is None:
            self._registers[COM_IRQ] |= 0x01
            return
        irq, data, error, coll = self._answer
        self._fifo[:] = data
        self._registers[COM_IRQ] |= irq
        self._registers[ERROR] = error
        self._registers[COLL] = self._registers[COLL] & 0x80 | coll
