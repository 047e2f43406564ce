"""What makers get wrong: boards that were built otherwise than their board file says, by name and seed.

A mistake is in the parts: other pins under a plug, other resistors, diodes, lamps or supplies, another magnet
in the feet of pieces, a contact that lets go now and then, a Pico without power. What comes of it the copper,
the lamps and the magnets say; nobody who looks at the board is told.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple

from boardmake.physics.electrics import chain_supply
from boardsim.world.copper import Copper, SolderedDiode
from boardsim.world.kits import MakerKit
from boardsim.world.world import World
from boardware.header import HEADER_PIN_BY_GPIO
from boardware.parts import BoardDescription, MatrixBank
from boardware.physics.design import DEFAULT_DESIGN, POLES_UP, SensorDesign
from boardware.pico_pins import EDGE_PIN_BY_GPIO
from boardware.ports import MS, Micros

NOWHERE: Final = -1
"""The pin of a wire that ends at none."""
WEAK: Final = (
    SensorDesign(magnet="5x2 N35"),
    SensorDesign(magnet="6x2", gap_mm=8.0),
    SensorDesign(magnet="6x1", gap_mm=5.0),
)
"""Magnets and gaps with which some reeds of 15 to 20 AT close, and others don't."""
NEVER: Final = (
    SensorDesign(magnet="4x1"),
    SensorDesign(magnet="3x2"),
    SensorDesign(magnet="5x2", gap_mm=10.0),
)
"""Such that none closes."""
ONE_WAY: Final = SensorDesign("TLE4964-1M", "10x3", gap_mm=4.0, poles=POLES_UP)
"""A Hall switch that feels one pole alone."""
PULL_UPS: Final = (4_700.0, 10_000.0, 22_000.0, 33_000.0)
"""What makers solder, in Ohm."""
THIN_OHM_M: Final = (0.3, 0.8)
"""Supply wires of 0.07 to 0.02 mm2, as the strands of a ribbon cable."""
YELLOW_V: Final = 3.9
"""Lamps that get less have lost more than half of their blue: a person sees that."""
LONG: Final = 8
"""Before fewer lamps a missing shifter garbles a frame in a few dozen: nobody sees that, and play goes on."""
LETS_GO: Final = ((30 * MS, 300 * MS), (150 * MS, 3000 * MS))
"""How long a loose contact is open, and how long it holds (estimates)."""


class Mistake(NamedTuple):
    """One that was made."""

    kind: str
    """One of `KINDS`."""
    where: tuple[str, ...] = ()
    """`row reeds:3`, `columns reeds`, `slot a3`, `lamp lamps:12`, `chain lamps`, `pico south`: each place."""


@dataclass
class Built:
    """A board as its maker built it. `world()` makes it, once."""

    board: BoardDescription
    """Its pins, lamps and wires."""
    kit: MakerKit | None = None
    """Its sensors, and the magnets of its pieces; `None`: those of the board file."""
    mistakes: list[Mistake] = field(default_factory=list)
    unpowered: set[str] = field(default_factory=set)
    """Picos without power."""
    charging_only: set[str] = field(default_factory=set)
    """Picos whose cable carries no data."""
    _done: list[Callable[[World], None]] = field(default_factory=list)

    def world(self, seed: int = 0, copper: Copper | None = None) -> World:
        """The board on the bench; `copper` as `World` takes it."""
        world = World(self.board, seed=seed, copper=copper)
        for do in self._done:
            do(world)
        return world

    def copied(self) -> Built:
        """Another of the same, to which more can be done."""
        return replace(
            self,
            mistakes=[*self.mistakes],
            unpowered={*self.unpowered},
            charging_only={*self.charging_only},
            _done=[*self._done],
        )

    def then(self, do: Callable[[World], None]) -> None:
        """Have something done to it once it is on the bench."""
        self._done.append(do)


def built(file: BoardDescription, kinds: Iterable[str], seed: object) -> Built:
    """A board with these mistakes, at places that a seed chooses; two of one kind are at different places."""
    made = Built(file)
    for kind in kinds:
        made = _another(made, kind, seed)
    return made


def _another(made: Built, kind: str, seed: object) -> Built:
    """The same board with one more mistake."""
    taken = {place for mistake in made.mistakes if mistake.kind == kind for place in mistake.where}
    for turn in range(1000):
        dice = random.Random(f"mistake {kind} {seed}" + (f" again {turn}" if turn else ""))
        more = made.copied()
        where = _MAKERS[kind](more, dice)
        if not taken & set(where):
            more.mistakes.append(Mistake(kind, where))
            return more
    raise ValueError(f"{kind} twice: this board has one place for it")


# -- magnets ------------------------------------------------------------------------------------------------


def _weak(made: Built, dice: random.Random) -> tuple[str, ...]:
    made.kit = MakerKit(dice.choice(WEAK))
    return ()


def _never(made: Built, dice: random.Random) -> tuple[str, ...]:
    made.kit = MakerKit(dice.choice(NEVER))
    return ()


def _wrong_way(made: Built, dice: random.Random) -> tuple[str, ...]:
    """Glued in on their side; or, over sensors that feel one pole, upside down."""
    if dice.random() < 0.6:
        made.kit = MakerKit(made.board.sensor_design or DEFAULT_DESIGN, magnets_on_side=True)
        return ("on its side",)
    made.kit = MakerKit(ONE_WAY, upside_down=True, odd_magnet_rate=0.0)
    return ("upside down",)


# -- diodes, plugs, resistors -------------------------------------------------------------------------------


def _bank(made: Built, dice: random.Random) -> MatrixBank:
    return made.board.banks[dice.choice(sorted(made.board.banks))]


def _diodes(made: Built, dice: random.Random) -> tuple[str, ...]:
    bank = _bank(made, dice)
    turned = [slot for at, slot in made.board.slots_by_contact.items() if at.bank == bank.id]

    def solder(world: World) -> None:
        for slot in turned:
            world.copper.set_diode(slot, SolderedDiode.REVERSED)

    made.then(solder)
    return (f"bank {bank.id}",)


def _diode(made: Built, dice: random.Random) -> tuple[str, ...]:
    slot = dice.choice(sorted(made.board.slots_by_contact.values()))
    made.then(lambda world: world.copper.set_diode(slot, SolderedDiode.REVERSED))
    return (f"slot {slot}",)


def _pins(made: Built, bank: MatrixBank, side: str, pins: Iterable[int]) -> None:
    rewired = replace(bank, rows=tuple(pins)) if side == "rows" else replace(bank, columns=tuple(pins))
    made.board = replace(made.board, banks={**made.board.banks, bank.id: rewired})


def _shifted(made: Built, dice: random.Random) -> tuple[str, ...]:
    """The plug of the rows, or of the columns, sits one pin too far: its last wire ends at none."""
    bank, side = _bank(made, dice), dice.choice(("rows", "columns"))
    pins = bank.rows if side == "rows" else bank.columns
    moved = (*pins[1:], NOWHERE) if dice.random() < 0.5 else (NOWHERE, *pins[:-1])
    _pins(made, bank, side, moved)
    return (f"{side} {bank.id}",)


def _exchanged(made: Built, dice: random.Random) -> tuple[str, ...]:
    """The plug of the rows is where that of the columns belongs, and the other way round."""
    bank = _bank(made, dice)
    for side, pins in (("rows", bank.columns), ("columns", bank.rows)):
        wires = len(bank.rows if side == "rows" else bank.columns)
        _pins(made, made.board.banks[bank.id], side, (*pins, *[NOWHERE] * wires)[:wires])
    return (f"bank {bank.id}",)


def _crossed(made: Built, dice: random.Random) -> tuple[str, ...]:
    """Two wires have changed places."""
    bank, side = _bank(made, dice), dice.choice(("rows", "columns"))
    pins = list(bank.rows if side == "rows" else bank.columns)
    one, other = sorted(dice.sample(range(len(pins)), 2))
    pins[one], pins[other] = pins[other], pins[one]
    _pins(made, bank, side, pins)
    word = side.removesuffix("s")
    return (f"{word} {bank.id}:{one}", f"{word} {bank.id}:{other}")


def _pulled_up(made: Built, dice: random.Random) -> tuple[str, ...]:
    """The columns' resistors lead to 3.3 V rather than to ground."""
    bank, ohm = _bank(made, dice), dice.choice(PULL_UPS)
    made.then(lambda world: world.copper.pull_up(bank.id, ohm))
    return (f"columns {bank.id}",)


def _closed_at_rest(made: Built, dice: random.Random) -> tuple[str, ...]:
    """Reeds that open under a magnet."""
    bank = _bank(made, dice)
    made.then(lambda world: world.copper.close_at_rest(bank.id))
    return (f"bank {bank.id}",)


def _weak_rows(made: Built, dice: random.Random) -> tuple[str, ...]:
    """The kilo-ohms of rows and the ten of columns: one piece is sensed, a full row is not."""
    bank = _bank(made, dice)
    wires = bank.wires._replace(row_ohm=1_500.0, pull_down_ohm=10_000.0)
    made.board = replace(made.board, banks={**made.board.banks, bank.id: replace(bank, wires=wires)})
    return (f"rows {bank.id}",)


def _old_pico(made: Built, dice: random.Random) -> tuple[str, ...]:
    """A Pico 2 of the stepping whose inputs stay high, where the board file says a Pico."""
    bank = _bank(made, dice)
    assert bank.pico is not None
    pico = replace(made.board.picos[bank.pico], chip="rp2350-a2")
    made.board = replace(made.board, picos={**made.board.picos, bank.pico: pico})
    return (f"columns {bank.id}",)


def _pulled_down(made: Built, dice: random.Random) -> tuple[str, ...]:
    """The switches' resistors lead to ground, as those of columns do over reeds."""
    bank = _bank(made, dice)
    made.then(lambda world: world.copper.hold_columns_at(bank.id, 1))
    return (f"columns {bank.id}",)


def _buffers_off(made: Built, dice: random.Random) -> tuple[str, ...]:
    """The buffers have no supply, or are never enabled."""
    bank = _bank(made, dice)
    made.then(lambda world: world.copper.hold_columns_at(bank.id, 0))
    return (f"bank {bank.id}",)


def _loose(made: Built, dice: random.Random) -> tuple[str, ...]:
    """One contact of a plug lets go now and then."""
    bank = _bank(made, dice)
    rows, wires = len(bank.rows), len(bank.rows) + len(bank.columns)
    wire = dice.randrange(wires)

    def let_go(world: World, opens: bool, at: Micros) -> None:
        world.cut(bank.id, wire, opens, at)
        world.plan(at + dice.randint(*LETS_GO[0 if opens else 1]), partial(let_go, world, not opens))

    made.then(lambda world: world.plan(world.now + dice.randint(*LETS_GO[1]), partial(let_go, world, True)))
    return (f"row {bank.id}:{wire}" if wire < rows else f"column {bank.id}:{wire - rows}",)


# -- lamps --------------------------------------------------------------------------------------------------


def _chain(made: Built, dice: random.Random) -> str:
    return dice.choice(sorted(made.board.chains))


def _cut_chain(made: Built, dice: random.Random) -> tuple[str, ...]:
    chain = _chain(made, dice)
    lamp = dice.randrange(made.board.chains[chain].length)
    made.then(lambda world: world.copper.set_alive(chain, lamp))
    return (f"lamp {chain}:{lamp}",)


def _no_ground(made: Built, dice: random.Random) -> tuple[str, ...]:
    chain = _chain(made, dice)
    made.then(lambda world: world.copper.lift_ground(chain))
    return (f"chain {chain}",)


def _no_shifter(made: Built, dice: random.Random) -> tuple[str, ...]:
    """Data of 3.3 V into lamps on a supply of 4.9 to 5.2 V."""
    long = [chain for chain in sorted(made.board.chains) if made.board.chains[chain].length >= LONG]
    chain = made.board.chains[dice.choice(long)]
    wires = chain.wires._replace(has_level_shifter=False, supply_v=round(dice.uniform(4.9, 5.2), 2))
    made.board = replace(made.board, chains={**made.board.chains, chain.id: replace(chain, wires=wires)})
    return (f"chain {chain.id}",)


def _sags(made: Built, dice: random.Random) -> tuple[str, ...]:
    """Thin wires; to few lamps, or over a short way, a joint that is as bad as wires that would be seen."""
    chain = made.board.chains[_chain(made, dice)]
    none, one_ohm = (
        chain_supply(made.board, replace(chain, wires=chain.wires._replace(wire_ohm_per_m=ohm))).even_v
        for ohm in (0.0, 1.0)
    )
    seen = (none - YELLOW_V) / (none - one_ohm)
    wires = chain.wires._replace(wire_ohm_per_m=max(seen, dice.uniform(*THIN_OHM_M)))
    made.board = replace(made.board, chains={**made.board.chains, chain.id: replace(chain, wires=wires)})
    return (f"chain {chain.id}",)


def _white(made: Built, dice: random.Random) -> tuple[str, ...]:
    """Lamps with a white channel, which take four bytes where three are sent."""
    long = [chain for chain in sorted(made.board.chains) if made.board.chains[chain].length > 1]
    chain = dice.choice(long)
    made.then(lambda world: world.copper.add_white(chain))
    return (f"chain {chain}",)


def _red_green(made: Built, dice: random.Random) -> tuple[str, ...]:
    """Other lamps than the board file has, which take green where those take red."""
    chain = made.board.chains[_chain(made, dice)]
    order = chain.colour_order.translate(str.maketrans("RG", "GR"))
    made.board = replace(
        made.board, chains={**made.board.chains, chain.id: replace(chain, colour_order=order)}
    )
    return (f"chain {chain.id}",)


def _left_out(made: Built, dice: random.Random) -> tuple[str, ...]:
    """One lamp is missing, and all behind it come one place early."""
    long = [chain for chain in made.board.chains.values() if chain.length >= LONG]
    chain = dice.choice(long)
    gap = dice.randrange(1, chain.length // 2)
    moved = {
        name: replace(at, index=chain.length - 1 if at.index == gap else at.index - 1)
        for name, at in made.board.lamps.items()
        if at.chain == chain.id and at.index >= gap
    }
    made.board = replace(made.board, lamps={**made.board.lamps, **moved})
    made.then(lambda world: world.copper.set_alive(chain.id, chain.length - 1))
    return (f"lamp {chain.id}:{gap}",)


# -- hands --------------------------------------------------------------------------------------------------


def _no_diodes(made: Built, dice: random.Random) -> tuple[str, ...]:
    """A wire where each diode belongs."""
    bank = _bank(made, dice)
    bare = [slot for at, slot in made.board.slots_by_contact.items() if at.bank == bank.id]

    def solder(world: World) -> None:
        for slot in bare:
            world.copper.set_diode(slot, SolderedDiode.ABSENT)

    made.then(solder)
    return (f"bank {bank.id}",)


def _row_of_diodes(made: Built, dice: random.Random) -> tuple[str, ...]:
    """All diodes of one row the wrong way round."""
    bank = _bank(made, dice)
    row = dice.randrange(len(bank.rows))
    turned = [s for at, s in made.board.slots_by_contact.items() if (at.bank, at.row) == (bank.id, row)]

    def solder(world: World) -> None:
        for slot in turned:
            world.copper.set_diode(slot, SolderedDiode.REVERSED)

    made.then(solder)
    return (f"row {bank.id}:{row}",)


def _counted(made: Built, dice: random.Random) -> tuple[str, ...]:
    """Wires go to the pins that have the numbers of the GPIOs."""
    bank = _bank(made, dice)
    gpio_at = {pin: gpio for gpio, pin in (EDGE_PIN_BY_GPIO if bank.pico else HEADER_PIN_BY_GPIO).items()}
    for side, pins in (("rows", bank.rows), ("columns", bank.columns)):
        _pins(made, made.board.banks[bank.id], side, [gpio_at.get(pin, NOWHERE) for pin in pins])
    return (f"rows {bank.id}", f"columns {bank.id}")


def _long_cable(made: Built, dice: random.Random) -> tuple[str, ...]:
    """Cables that take far longer to discharge than the board file waits."""
    bank = _bank(made, dice)
    wires = bank.wires._replace(cable_pf=float(dice.randint(1400, 1800)))
    made.board = replace(made.board, banks={**made.board.banks, bank.id: replace(bank, wires=wires)})
    return (f"columns {bank.id}",)


def _mirrored(made: Built, dice: random.Random) -> tuple[str, ...]:
    """Lamps and sensors left for right: the template for the top lay on the underside."""
    board = made.board
    width = board.size.x
    at = {(round(space.position.x), round(space.position.y)): space for space in board.spaces.values()}
    other = {
        space.id: at.get((round(width - space.position.x), round(space.position.y)), space)
        for space in board.spaces.values()
    }
    spaces = {
        name: replace(
            space,
            slots=tuple(
                replace(slot, sensor=across.sensor)
                for slot, across in zip(space.slots, other[name].slots, strict=True)
            ),
        )
        for name, space in board.spaces.items()
    }
    lamps = {name: board.lamps[other[name].id if name in other else name] for name in board.lamps}
    made.board = replace(board, spaces=spaces, lamps=lamps)
    return ()


def _no_button_ground(made: Built, dice: random.Random) -> tuple[str, ...]:
    """The ground that all buttons share is off."""
    buttons = tuple(made.board.buttons)

    def lift(world: World) -> None:
        for button in buttons:
            world.jam(button, False, world.now)

    made.then(lift)
    return tuple(f"button {button}" for button in buttons)


# -- Picos --------------------------------------------------------------------------------------------------


def _unpowered(made: Built, dice: random.Random) -> tuple[str, ...]:
    pico = dice.choice(sorted(made.board.picos))
    made.unpowered.add(pico)
    return (f"pico {pico}",)


def _charging(made: Built, dice: random.Random) -> tuple[str, ...]:
    pico = dice.choice(sorted(made.board.picos))
    made.charging_only.add(pico)
    return (f"pico {pico}",)


_MAKERS: Final[dict[str, Callable[[Built, random.Random], tuple[str, ...]]]] = {
    "magnet-weak": _weak,
    "magnet-never": _never,
    "magnet-wrong-way": _wrong_way,
    "diodes-reversed": _diodes,
    "diode-reversed": _diode,
    "plug-shifted": _shifted,
    "wires-crossed": _crossed,
    "ground-missing": _no_ground,
    "pulled-up": _pulled_up,
    "reeds-closed": _closed_at_rest,
    "columns-latch": _old_pico,
    "rows-weak": _weak_rows,
    "pulled-down": _pulled_down,
    "buffers-off": _buffers_off,
    "chain-cut": _cut_chain,
    "shifter-missing": _no_shifter,
    "supply-sags": _sags,
    "connector-loose": _loose,
    "colours-swapped": _red_green,
    "lamps-rgbw": _white,
    "lamp-left-out": _left_out,
    "diodes-absent": _no_diodes,
    "row-diodes-reversed": _row_of_diodes,
    "pins-counted": _counted,
    "plugs-exchanged": _exchanged,
    "settle-short": _long_cable,
    "places-exchanged": _mirrored,
    "buttons-dead": _no_button_ground,
    "pico-unpowered": _unpowered,
    "cable-charging-only": _charging,
}
ON_BUFFERS: Final = ("pulled-down", "buffers-off")
"""Those that only a board can have whose rows all have buffers."""
OF_PARTS: Final = ("reeds-closed", "columns-latch", "rows-weak", "lamps-rgbw")
"""Wrong parts, which hide all else."""
OF_HANDS: Final = (
    "lamp-left-out",
    "diodes-absent",
    "row-diodes-reversed",
    "pins-counted",
    "plugs-exchanged",
    "settle-short",
    "places-exchanged",
    "buttons-dead",
)
"""Wrong all over a row, a bank, a chain or the board, for boards of squares; they hide much else."""
KINDS: Final = tuple(kind for kind in _MAKERS if kind not in (*ON_BUFFERS, *OF_PARTS, *OF_HANDS))
"""Those on boards of reeds."""
OVER_REEDS: Final = ("diodes-reversed", "diode-reversed", "pulled-up")
"""Those that such a board can't have: it has no diodes, and resistors to 3.3 V belong there."""
MAGNETS: Final = ("magnet-weak", "magnet-never", "magnet-wrong-way")
"""Of these a board has one at most."""
TWICE: Final = ("diode-reversed", "plug-shifted", "wires-crossed", "connector-loose")
"""Those that a board of one bank and one chain can have at two places."""
ON_PICOS: Final = ("pico-unpowered", "cable-charging-only")
"""Those that need a Pico; a board has one of them at most."""


def kinds_without_magnets(file: BoardDescription) -> tuple[str, ...]:
    """The mistakes that a board of reeds can have whatever magnets its pieces hold, in their order."""
    kinds = [kind for kind in (*KINDS, *OF_PARTS) if kind not in MAGNETS]
    return tuple(sorted(kind for kind in kinds if file.picos or kind not in (*ON_PICOS, "columns-latch")))
