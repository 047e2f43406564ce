"""One simulated Pico with its cable: the real firmware in lockstep with virtual time, on a pseudo-terminal.

The world stands between the host's pyserial and the firmware: it delays bytes and may spoil them. The
firmware's process is granted time when it wants it, when bytes come, and at the first moment of its scan grid
after a contact changed. While its scanner is quiet, the scans between are left out, as they would tell
nothing. A process that was killed is a Pico that hangs: its watchdog boots it again.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from boardsim.pico.bench import PicoBench
from boardsim.pico.cabled import WATCHDOG, CabledPico, PicoError
from boardsim.pico.process import FirmwareProcess, flash_folder
from boardsim.world.world import World
from boardware.pico_plan import PicoPlan
from boardware.ports import Micros

if TYPE_CHECKING:
    from boardsim.readers.readers import TagWorld


class SimPico(CabledPico):
    """A Pico whose firmware runs in a process of its own."""

    def __init__(
        self,
        world: World,
        plan: PicoPlan,
        port: Path,
        seed: int,
        way: str,
        jump: bool,
        tags: TagWorld | None = None,
    ) -> None:
        super().__init__(world, plan, port, seed, PicoBench(world, plan, tags))
        self.grants = 0
        """How often the firmware was given time."""
        self._way = way
        self._jump = jump
        self._flash = flash_folder(plan)
        self._firmware: FirmwareProcess | None = None
        self._turn = 0
        """Which wait of the firmware is the latest: grants planned for older ones are void."""
        self._until: tuple[Micros, Micros, Micros] | None = None
        self._local: Micros = 0
        """The world's time that the firmware has come to."""
        self._changed = True
        self._changed_at: Micros = 0
        """When the first contact changed that no scan has looked at."""
        self._coming = b""

    def note_contact_changed(self, at: Micros) -> None:
        """A contact of the board changed."""
        if not self.bench.has_unscanned_change:
            self._changed_at = at
        self._changed = self.bench.has_unscanned_change = True
        if self._until is None:
            return
        until, or_until, period = self._until
        if at > until:
            until += period * -((until - at) // period)
        if until < or_until:
            self._plan_grant(until)

    def start_ahead(self) -> None:
        """Start the process of its firmware, which waits for the first answer."""
        if self._firmware is None:
            self._firmware = FirmwareProcess(Path(self._flash.name), self._way)

    def close(self) -> None:
        """Cut its power for good."""
        super().close()
        self._off()  # it may have been started and never plugged in
        self._flash.cleanup()

    # The firmware

    def _boot(self, at: Micros) -> None:
        self.start_ahead()
        self._local = at
        self._changed = True
        self._coming = b""
        self._serve_requests()

    def _off(self) -> None:
        self._until = None
        self._turn += 1
        if self._firmware is not None:
            self._firmware.end()
            self._firmware = None

    def _plan_grant(self, at: Micros) -> None:
        self._turn += 1
        self._world.plan(max(at, self._world.now), partial(self._grant, self._turn))

    def _grant(self, turn: int, at: Micros) -> None:
        if turn != self._turn or self._firmware is None:
            return
        if self._make_skipped_scan(at):
            return
        data, self._coming = self._coming, b""
        if data:
            self._firmware.send_wire_bytes(data)
        changed, self._changed = self._changed, False
        self._resume(at, changed, len(data))

    def _make_skipped_scan(self, at: Micros) -> bool:
        """Make the last scan before `at` that was left out, unless contacts changed before it.

        The firmware would scan as soon as bytes wake it, else: it would answer them later, and tell a change
        up to a period too early.
        """
        if not self._jump or self._until is None:
            return False
        until, _, period = self._until
        last = until + period * ((at - until) // period)
        if not self._local < last < at or (self.bench.has_unscanned_change and self._changed_at <= last):
            return False
        self._resume(last, False, 0)
        return True

    def _resume(self, at: Micros, changed: bool, count: int) -> None:
        """Let the firmware go on at that moment: whether contacts changed, how many bytes came."""
        if self._firmware is None:
            return
        self.grants += 1
        self._until = None
        self._local = max(at, self._local)
        self._firmware.answer(self._local - self._born, int(changed), count)
        self._serve_requests()

    def _receive_host_bytes(self, data: bytes, at: Micros) -> None:
        self._coming += data
        if self._until is not None:
            self._plan_grant(max(at, self._local))

    def _serve_requests(self) -> None:
        """Do what the firmware wants until it waits."""
        while self._firmware is not None:
            line = self._firmware.read_line()
            if line is None:
                self._handle_firmware_end(self._firmware)
                return
            self._send(self._firmware.read_wire_output(), self._local)
            match line:
                case ["wait", local, until, or_until, period]:
                    self._handle_wait(self._time(local), self._time(until), self._time(or_until), int(period))
                    return
                case ["read", enable, out]:
                    self._firmware.answer(self.bench.read_levels(int(enable), int(out)))
                case ["pull", gpio, pull]:
                    self.bench.pulls[int(gpio)] = int(pull)
                case ["pixels", ends, gpio, data]:
                    self._world.plan(self._time(ends), partial(self._show, int(gpio), bytes.fromhex(data)))
                case ["pin", _, gpio, level]:
                    self.bench.drive_pin(int(gpio), level == "1")
                case [("spi" | "spi-write") as what, local, gpio, byte_ns, data]:
                    back = self.bench.transfer_spi(
                        int(gpio), self._time(local), int(byte_ns), bytes.fromhex(data)
                    )
                    if what == "spi":
                        self._firmware.answer(*back)
                case ["uart-any", local, gpio]:
                    self._firmware.answer(len(self.bench.lines[int(gpio)].available_bytes(self._time(local))))
                case ["uart-read", local, gpio, count]:
                    self._firmware.answer(
                        *self.bench.lines[int(gpio)].read_bytes(self._time(local), int(count))
                    )
                case ["uart-write", local, gpio, data]:
                    self.bench.lines[int(gpio)].receive(bytes.fromhex(data), self._time(local))
                case ["reset" | "interrupted", local]:
                    self._plan_reset(self._time(local))
                    return
                case _:
                    raise PicoError(f"Pico {self.plan.pico} says {line}")

    def _time(self, local: str) -> Micros:
        """A time of the Pico's clock as the world's."""
        return self._born + int(local)

    def _handle_firmware_end(self, firmware: FirmwareProcess) -> None:
        if not firmware.killed():
            self.on_firmware_ended(PicoError(f"Pico {self.plan.pico}: {firmware.read_error_output()}"))
        self._plan_reset(self._local + WATCHDOG)

    def _plan_reset(self, at: Micros) -> None:
        """Its program has ended. When it is reset its port vanishes, and comes back once it has booted."""
        self._off()
        crash = Path(self._flash.name) / "crash.txt"
        if crash.exists():
            why = crash.read_text()
            crash.unlink()
            self.on_firmware_ended(PicoError(f"Pico {self.plan.pico} crashed: {why}"))
        self._world.plan(max(at, self._world.now), partial(self._reset, self.boots))

    def _handle_wait(self, local: Micros, until: Micros, or_until: Micros, period: Micros) -> None:
        self._local = local
        self._until = (
            until,
            or_until if self._jump and not self.bench.has_unscanned_change else until,
            period,
        )
        self._plan_grant(max(local, self._until[1]))
        if self._coming:
            self._plan_grant(local)
