"""A bench: a world, hands, a table over simulated drivers, in virtual time.

A table may have further boards. Each is a bench of its own, with the time and the table of the first one.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from boardrules.core import Seat
from boardsim.bench import bare
from boardsim.bench.runner import BenchRunner
from boardsim.bench.table import BenchMessage, BenchTable, BenchTableFactory, FurtherBenchBoard
from boardsim.hands.hands import PACES, HandPace, Hands, space_of
from boardsim.pico.faults import FINE, CableFaults
from boardsim.pico.picos import SimPicos
from boardsim.pins import drivers
from boardsim.readers.readers import TagWorld
from boardsim.readers.tags import QUIET, RadioNoise
from boardsim.world import etched
from boardsim.world.kits import MakerKit
from boardsim.world.physics import BoardPhysics
from boardsim.world.world import REED, World
from boardware.description import load_board
from boardware.ports import MS, ConsolePort, LampPort, Micros, Ports, SensorPort, TagPort

PICO, EMULATED = "pico-sim", "pico-emulated"
BARE = "bare-sim"
"""Contacts alone, without pins (`bare`)."""
PIN_LIBRARIES = {"gpio-sim": "copper", "rpigpio-sim": "rpigpio", PICO: PICO}
"""Names of the ways to the pins: gpiozero over our own pins, or its RPi.GPIO factory over fake-rpi; or the
firmware of Picos, which drive the lamps as well, in processes of its own. `EMULATED`: on emulated chips."""
LAMP_DRIVERS = {"neopixel-spi-sim": drivers.open_spi_lamps, "neopixel-pwm-sim": drivers.open_pwm_lamps}

SENSING_DELAY_US: Micros = 60 * MS
"""Longer than any driver's debounce: what hands did before is sensed."""


OBEYED_MOST = 100
"""So many corrections in a row people do before they wonder."""
READING_US: Micros = 1200 * MS
"""How long people read what they are asked: an answer at once counts for nothing."""


class BenchSettings(NamedTuple):
    """What is on the bench."""

    board: str = "quick-battle-8x8"
    """A shipped board or the path of a board file."""
    game: str = "stratego-quick-duel"
    options: Mapping[str, Any] = {}
    driver: str = "gpio-sim"
    lamp_driver: str = "neopixel-spi-sim"
    journal: Path | None = None
    """`None`: in memory, and gone when the table is killed."""
    table: Mapping[str, Any] = {}
    """Settings for the table, as its factory takes them."""
    seed: int = 0
    bounce: bool = True
    pace: HandPace = PACES["human"]
    kit: MakerKit | None = None
    """Sensors and magnets, for those who move pieces along ways; `None`: those that the board file names."""
    cable_faults: CableFaults = FINE
    """How bad the cables of Picos are."""
    tags: bool = False
    """Whether pieces have tags and the board's readers read them."""
    radio_noise: RadioNoise = QUIET
    """How bad it is between tags and readers."""
    micropython_image: Path | None = None
    """MicroPython for a Pico, with the driver `pico-emulated`."""
    further: Mapping[str, frozenset[Seat]] = {}
    """By the names of further boards of the table the seats whose hands act there."""
    obedient: bool = False
    """Whether people at those do what their lamps ask, and nothing of their own."""
    circuit: Path | None = None
    """A folder with the circuit boards of a board on a Pico: their copper is on the bench."""


class Bench:
    """A world with hands, and a table that can be started and killed over it.

    `told` gets every message of the table, `turned` the time after every turn.
    """

    def __init__(
        self,
        setting: BenchSettings,
        factory: BenchTableFactory,
        *,
        told: Callable[[BenchMessage], None] = lambda message: None,
        turned: Callable[[Micros], None] = lambda now: None,
        jump: bool = True,
        runner: BenchRunner | None = None,
    ) -> None:
        """`runner`: of another board of the same table, whose time this one shares."""
        self.board = load_board(setting.board)
        on_picos = setting.driver in (PICO, EMULATED)
        if on_picos and not self.board.picos:
            # The same board as it is wired with a Pico under it.
            setting = setting._replace(board=f"{setting.board}-pico")
            self.board = load_board(setting.board)
        self.setting = setting
        bounce = REED if setting.bounce else None
        if setting.circuit is None:
            self.world = World(self.board, seed=setting.seed, bounce=bounce)
        else:
            self.world = etched.read(self.board, setting.circuit).world(seed=setting.seed, bounce=bounce)
        self.hands = Hands(self.world, pace=setting.pace, seed=setting.seed)
        self.physics = BoardPhysics(self.world, setting.kit, seed=setting.seed)
        self._told = told
        self.runner = runner or BenchRunner(self.world, jump=jump, told=self._tell, turned=turned)
        if runner is not None:
            runner.join(self.world)
        self.further: dict[str, Bench] = {}
        """The further boards, by their names."""
        for number, name in enumerate(setting.further):
            other = setting._replace(seed=setting.seed + 1 + number, further={}, journal=None)
            self.further[name] = Bench(other, factory, jump=jump, runner=self.runner)
        self._asked: dict[str, Sequence[Mapping[str, Any]]] = {}
        """By further board what people there are asked to do."""
        self._confirms: set[str] = set()
        """The further boards at which people are asked whether they have carried what nothing feels."""
        self.obeyed = 0
        """How often people at further boards have done it."""
        self._factory = factory
        self.picos: SimPicos | None = None
        """The Picos under the board, with the driver `pico-sim` or `pico-emulated`."""
        self.lamps_lag: Micros = 0
        """How much later than the table the lamps may be ..."""
        self.lamps_ahead: Micros = 0
        """... and how much earlier: a Pico lights a hint, then it tells of the lift."""
        self.tags: TagWorld | None = None
        """The tags in the pieces and what reads them."""
        if setting.tags:
            self.tags = TagWorld(self.world, seed=setting.seed, noise=setting.radio_noise)
        if on_picos:
            self.lamps_lag = 50 * MS
            self.lamps_ahead = 5 * MS
            self.picos = SimPicos(
                self.world, seed=setting.seed, jump=jump, faults=setting.cable_faults, tags=self.tags,
                image=setting.micropython_image if setting.driver == EMULATED else None, board=self.board,
            )  # fmt: skip

    @property
    def now(self) -> Micros:
        """The virtual time."""
        return self.runner.now

    @property
    def table(self) -> BenchTable | None:
        """The table, while it is powered."""
        return self.runner.table

    def open_drivers(self) -> tuple[SensorPort, LampPort, ConsolePort]:
        """Fresh drivers over this world."""
        if self.picos is not None:
            return self.picos.open_drivers(board=self.board)
        if self.setting.driver == BARE:
            return bare.open_drivers(self.world)
        pins = PIN_LIBRARIES[self.setting.driver]
        return (
            drivers.open_sensors(self.board, world=self.world, pins=pins),
            LAMP_DRIVERS[self.setting.lamp_driver](self.board, world=self.world),
            drivers.open_console(self.board, world=self.world, pins=pins),
        )

    def open_tags(self) -> TagPort | None:
        """What reads tags: the firmware of Picos, or readers and pads on lines of their own."""
        if self.tags is None:
            return None
        if self.picos is not None:
            return self.picos.open_tags()
        return self.tags.open(self.runner.now)

    def start(self) -> BenchTable:
        """Power on: a new table, which goes on with the journal's unfinished game."""
        benches = (self, *self.further.values())
        opened = [Ports(*bench.open_drivers(), bench.open_tags()) for bench in benches]
        return self.runner.start_all(opened, self._open)

    def _open(self, ports: Sequence[Ports], now: Micros) -> BenchTable:
        it = self.setting
        given: dict[str, Any] = {}
        if self.tags is not None:
            given["enrolled"] = self.tags.box.enrolment_list(self.board.games)
        if it.further:
            named = zip(it.further.items(), ports[1:], strict=True)
            given["further"] = [FurtherBenchBoard(name, it.board, each, home) for (name, home), each in named]
        return self._factory(it.board, it.game, it.options, ports[0], it.journal, it.table, now, **given)

    def at(self, name: str) -> Bench:
        """The board of that name; the first one has none."""
        return self.further[name] if name else self

    def home(self, seat: Seat) -> Bench:
        """The board where a seat is at home."""
        return self.at(next((name for name, home in self.setting.further.items() if seat in home), ""))

    def kill(self) -> None:
        """Cut the power: the table is dropped, nothing is closed."""
        self.runner.kill()
        gc.collect()  # what the table held open (its journal) goes with it, as with the process

    def close(self) -> None:
        """Switch off in good order."""
        if self.runner.table is not None:
            self.runner.table.close()
            self.runner.kill()
        for bench in (self, *self.further.values()):
            if bench.picos is not None:
                bench.picos.close()
            if bench.tags is not None:
                bench.tags.close()

    def run_until(self, end: Micros) -> None:
        """Let time pass until `end`: `bench.run_until(bench.hands.lift("a3", bench.now))`."""
        self.runner.run(end)
        self._obey()

    def wait(self, span: Micros) -> None:
        """Let that much time pass."""
        self.run_until(self.now + span)

    # -- people at further boards --------------------------------------------------------------------------

    def _tell(self, message: BenchMessage) -> None:
        """Where people at further boards obey, what these ask is theirs alone."""
        name = message.data.get("board", "") if self.setting.obedient and message.seat is None else ""
        if not name:
            self._told(message)
        elif message.kind == "chores":
            self._asked[name] = message.data["chores"]
        elif message.kind == "question" and message.data["code"] == "moved-here":
            self._confirms.add(name)

    def _obey(self) -> None:
        """Do what lamps ask at further boards, one thing after the other."""
        for name, bench in self.further.items() if self.setting.obedient else ():
            for _ in range(OBEYED_MOST):
                asked = self._asked.get(name)
                if not asked or self.table is None:
                    break
                self.obeyed += 1
                if name in self._confirms:
                    self._confirms.discard(name)
                    bench.do_unfelt(asked)
                    continue
                bench.do(next((chore for chore in asked if chore["do"] == "take"), asked[0]))
            while bench.hands.held:
                bench.run_until(bench.hands.put_beside_board(bench.now))

    def do_unfelt(self, chores: Sequence[Mapping[str, Any]]) -> None:
        """Do corrections that nothing feels, and confirm them."""
        for chore in sorted(chores, key=lambda each: each["do"] != "take"):
            self.do(chore)
        self.wait(READING_US)
        self.run_until(self.hands.press("confirm", self.now))
        self.wait(2 * SENSING_DELAY_US)

    def do(self, chore: Mapping[str, Any]) -> None:
        """Do what one correction asks, with a piece from the hands or from the box."""
        space, seat, name = chore["space"], chore["seat"], chore.get("name", "")
        if chore["do"] == "take":
            end = self.hands.lift(space, self.now, name or None)
        else:
            self._lift_named_piece(name)
            mine = [
                each
                for each in self.hands.held
                if (each.piece.label == name if name else not seat or each.piece.owner == seat)
            ]
            held = next((each for each in mine if each.origin == space), mine[-1] if mine else None)
            if held is None:
                end = self.hands.stand(Seat(seat or ""), space, self.now, name)
            else:
                end = self.hands.place(space, self.now, held.origin)
        self.run_until(end)
        self.wait(2 * SENSING_DELAY_US)

    def _lift_named_piece(self, name: str) -> None:
        """Take up the piece of that name, wherever it stands."""
        for slot, pieces in self.world.standing().items():
            if name and any(piece.label == name for piece in pieces):
                self.run_until(self.hands.lift(space_of(slot), self.now, name))
                self.wait(2 * SENSING_DELAY_US)
                return

    # -- what is said --------------------------------------------------------------------------------------

    def say(self, seat: Seat, text: str) -> None:
        """A seat says something on its phone. Raises the table's `ValueError`."""
        self.runner.say(seat, text)

    def set_up(self, seat: Seat, text: str) -> None:
        """Stand the pieces of `setup a1=F b1=B ...` on their squares, then say it on the seat's phone."""
        for space, label in parse_setup(text):
            self.run_until(self.hands.stand(seat, space, self.now, label))
        self.wait(SENSING_DELAY_US)
        self.say(seat, text)


def parse_setup(text: str) -> list[tuple[str, str]]:
    """The (space, label) pairs of `setup a1=F b1=B ...`."""
    pairs = [word.partition("=") for word in text.split()[1:]]
    return [(space, label) for space, _, label in pairs]
