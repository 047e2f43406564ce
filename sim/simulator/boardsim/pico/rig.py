"""An emulated Pico under a simulated board, and the host's end of its wire: a bench to time it on."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardsim.pico.bench import PicoBench
from boardsim.pico.buses import attach_readers
from boardsim.pico.chip import EmulatedChip
from boardsim.readers.readers import TagWorld
from boardsim.world.world import World
from boardware.description import load_board
from boardware.pico_flash import stage_firmware
from boardware.pico_plan import PicoPlan, plans_by_pico
from boardware.ports import MS, SECOND, Micros
from boardwire.link import OPEN, HostLink

CHAIN_RESET_US: Micros = 40
"""A chain whose pin rests so long has got a whole frame."""
ONE_PULSE_MIN_NS = 600
"""A pulse of a WS2812 that is longer is a 1."""


def flash_contents(plan: PicoPlan) -> dict[str, bytes]:
    """What `boardumpire flash` puts on that Pico, by path."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stage_firmware(folder, plan)
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }


class PinnedParts:
    """Reeds, buttons and lamps of a board at the pins of an emulated Pico."""

    def __init__(self, chip: EmulatedChip, bench: PicoBench, plan: PicoPlan) -> None:
        self.chip = chip
        self.bench = bench
        self.frames: list[tuple[Micros, int, bytes]] = []
        """When the last bit of a frame was sent, at which pin, and the bytes."""
        self.scans: list[Micros] = []
        """When the first row was strobed, for whoever wants to know the period."""
        self.on_frame: Callable[[int, bytes, Micros], object] = lambda gpio, data, at: bench.send_to_lamps(
            gpio, data
        )
        """Called with what a chain is sent: its pin, all its bytes, and when they ended."""
        self._rows = [gpio for bank in plan.banks for gpio in bank.rows]
        self._driven = [gpio for bank in plan.banks for gpio in bank.columns]
        self._driven += [plan.board.buttons[name].gpio for name in plan.buttons]
        for name in plan.buttons:
            bench.pulls[plan.board.buttons[name].gpio] = 1
        bench.power_on()
        self._seen: dict[tuple[int, int], int] = {}
        self._levels = -1
        for gpio in self._rows:
            chip.watch(gpio, self._strobed)
        self._chains = {chain.gpio: bytearray(3 * chain.length) for chain in plan.chains}
        gpios = [chain.gpio for chain in plan.chains if chain.gpio is not None]
        self._trains = {gpio: _PulseDecoder(chip, gpio, self._handle_frame) for gpio in gpios}
        self.note_contacts_changed()

    def note_contacts_changed(self) -> None:
        """Contacts have changed."""
        self._seen.clear()
        self.chip.note_pins_changed()
        self._update_inputs()

    def _strobed(self, gpio: int, high: bool, at: Micros) -> None:
        if high and gpio == self._rows[0]:
            self.scans.append(at)
        self._update_inputs()

    def _update_inputs(self) -> None:
        enable = out = 0
        for gpio in self._rows:
            driven, high = self.chip.pin_output(gpio)
            enable |= driven << gpio
            out |= (driven and high) << gpio
        levels = self._seen.get((enable, out))
        if levels is None:
            levels = self._seen[enable, out] = self.bench.read_levels(enable, out)
        changed = self._levels ^ levels
        self._levels = levels
        for gpio in self._driven:
            if changed >> gpio & 1:
                self.chip.drive(gpio, bool(levels >> gpio & 1))

    def finish_frames(self) -> None:
        """Take frames whose chain has come to rest."""
        for train in self._trains.values():
            train.finish_frame()

    @property
    def has_no_frame_open(self) -> bool:
        """Whether no chain is in the middle of a frame."""
        return not any(train.busy for train in self._trains.values())

    def _handle_frame(self, gpio: int, data: bytes, at: Micros) -> None:
        whole = self._chains[gpio]
        whole[: len(data)] = data  # lamps that got nothing keep what they have
        self.frames.append((at, gpio, bytes(whole)))
        self.on_frame(gpio, bytes(whole), at)


class _PulseDecoder:
    """The pulses at one pin, read as the lamps of a chain read them."""

    def __init__(self, chip: EmulatedChip, gpio: int, sent: Callable[[int, bytes, Micros], None]) -> None:
        self._chip = chip
        self._gpio = gpio
        self._sent = sent
        self._bits: list[bool] = []
        self._rose = 0.0
        self._fell = 0.0
        chip.watch(gpio, self._edge)

    def _edge(self, gpio: int, high: bool, at: Micros) -> None:
        now = self._chip.nanos
        if high:
            if self._bits and now - self._fell > CHAIN_RESET_US * 1000:
                self.finish_frame()
            self._rose = now
        elif self._rose:
            self._bits.append(now - self._rose > ONE_PULSE_MIN_NS)
            self._fell = now

    @property
    def busy(self) -> bool:
        """Whether a frame has begun and hasn't been taken."""
        return bool(self._bits)

    def finish_frame(self) -> None:
        """A frame is whole once the pin has rested."""
        if self._bits and self._chip.nanos - self._fell > CHAIN_RESET_US * 1000:
            bits, self._bits = self._bits, []
            whole = range(0, len(bits) - len(bits) % 8, 8)
            data = bytes(sum(bits[at + bit] << 7 - bit for bit in range(8)) for at in whole)
            self._sent(self._gpio, data, int(self._fell) // 1000)


class PicoRig:
    """One emulated Pico of a board, and a host that says what the test wants."""

    def __init__(
        self,
        image: Path,
        board: str,
        pico: str | None = None,
        *,
        patch: Callable[[dict[str, bytes]], None] = lambda files: None,
        ahead: bool = False,
    ) -> None:
        """`patch` may change what is on its flash. With `ahead` rounds of the strobe are taken together while
        it sleeps."""
        self.board = load_board(board)
        self.world = World(self.board)
        known = plans_by_pico(self.board)
        self.plan = known[pico] if pico else next(iter(known.values()))
        files = flash_contents(self.plan)
        patch(files)
        self.chip = EmulatedChip(image, files, ahead=ahead)
        self.tags = TagWorld(self.world) if self.plan.reader_banks or self.plan.pads else None
        """What is over readers and pads."""
        bench = PicoBench(self.world, self.plan, self.tags)
        self.pinned = PinnedParts(self.chip, bench, self.plan)
        attach_readers(self.chip, bench, self.plan)
        self.host = HostLink(self.board.id, self.plan.wiring_hash, self.plan.pico)
        self.host_events: list[tuple[Micros, tuple[Any, ...]]] = []
        """What the host was told, and when its bytes came."""
        self.on_host_event: Callable[[tuple[Any, ...]], None] = lambda event: None
        """Called with what the host is told; what it says then goes out at once."""
        self.repeats = 0.0
        """How much of what goes over the wire is said twice."""
        self._dice = random.Random(board)
        self.chip.on_usb_data = self._heard
        self.world.watchers.append(lambda at: self.pinned.note_contacts_changed())

    @property
    def now(self) -> Micros:
        """Microseconds since power came."""
        return self.chip.now

    def run(self, span: Micros, every: Micros = 250) -> None:
        """Let board, Pico and host go on; the host looks that often."""
        end = self.now + span
        while self.now < end:
            edge = self.world.next_edge()
            until = min(end, self.now + every, end if edge is None else max(edge, self.now + 1))
            self.chip.run(until)
            self.world.advance(self.now)
            self.pinned.finish_frames()
            self._send_host_data()

    def open(self, limit: Micros = 4 * SECOND) -> Micros:
        """Wait until a session is open; when that was."""
        self.run(100 * MS)
        self.host.greet(self.now)
        while self.host.state != OPEN:
            if self.now > limit:
                raise TimeoutError(f"no session after {limit // MS} ms")
            self.run(5 * MS)
        return self.now

    def _send_host_data(self) -> None:
        out = self.host.data_to_send(self.now)
        if out:
            self.chip.write(out if self._dice.random() >= self.repeats else out + out)

    def _heard(self, data: bytes, at: Micros) -> None:
        self.host.receive_data(data if self._dice.random() >= self.repeats else data + data)
        while (event := self.host.next_event()) is not None:
            self.host_events.append((at, event))
            self.on_host_event(event)
        self._send_host_data()
