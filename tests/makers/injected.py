"""Boards with one thing wrong, and what a doctor should name."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import NamedTuple

from boardlab.rehearsal.person import Person
from boardsim.world import faults
from boardsim.world.world import World
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.doctor import Doctor
from boardumpire.makers.doctor_facts import Finding
from boardware.parts import BoardDescription

CROSSED = ("rows", "columns", "reeds", "lamps", "buttons", "colours", "neighbour")


class Injection(NamedTuple):
    """One thing that is wrong."""

    what: str
    parts: tuple[str, ...]
    """The parts that have to be named, all of them."""


def crossed(board: BoardDescription, kind: str, dice: random.Random) -> tuple[BoardDescription, Injection]:
    """A board file for which two wires of the real board are crossed."""
    if kind in ("rows", "columns"):
        bank = next(iter(board.banks.values()))
        pins = list(getattr(bank, kind))
        one, other = sorted(dice.sample(range(len(pins)), 2))
        pins[one], pins[other] = pins[other], pins[one]
        wrong = replace(board, banks={bank.id: replace(bank, **{kind: tuple(pins)})})
        word = kind.removesuffix("s")
        return wrong, Injection(kind, (f"{word} {bank.id}:{one}", f"{word} {bank.id}:{other}"))
    if kind == "reeds":
        a, b = dice.sample(sorted(board.slots), 2)
        other = {a: b, b: a}
        spaces = {
            name: replace(
                space,
                slots=tuple(
                    replace(slot, sensor=board.slots[other.get(slot.id, slot.id)].sensor)
                    for slot in space.slots
                ),
            )
            for name, space in board.spaces.items()
        }
        return replace(board, spaces=spaces), Injection(kind, (f"reed {a}", f"reed {b}"))
    if kind == "lamps":
        a, b = dice.sample(sorted(board.spaces), 2)
        lamps = {**board.lamps, a: board.lamps[b], b: board.lamps[a]}
        parts = tuple(f"lamp {board.lamps[each].chain}:{board.lamps[each].index}" for each in (a, b))
        return replace(board, lamps=lamps), Injection(kind, parts)
    if kind == "buttons":
        a, b = dice.sample(sorted(board.buttons), 2)
        one, other = board.buttons[a], board.buttons[b]
        buttons = {**board.buttons, a: replace(one, gpio=other.gpio), b: replace(other, gpio=one.gpio)}
        return replace(board, buttons=buttons), Injection(kind, (f"button {a}", f"button {b}"))
    chain = next(iter(board.chains.values()))
    order = dice.choice([each for each in ("RGB", "BGR", "GBR", "BRG", "RBG") if each != chain.colour_order])
    chains = {**board.chains, chain.id: replace(chain, colour_order=order)}
    return replace(board, chains=chains), Injection(f"order {order}", (f"chain {chain.id}",))


def too_near(world: World, dice: random.Random) -> Injection:
    """A reed that feels the piece on a neighbouring slot too."""
    strong = dice.choice(sorted(world.board.slots))
    here = world.board.slots[strong].position
    near = [
        name
        for name, slot in world.board.slots.items()
        if abs(slot.position.x - here.x) + abs(slot.position.y - here.y) < 60 and name != strong
    ]
    felt = dice.choice(near)
    magnet = world.change_magnets

    def both(slot: str, change: int, at: int) -> None:
        magnet(slot, change, at)
        if slot == strong:
            magnet(felt, change, at)

    world.change_magnets = both  # type: ignore[method-assign]
    return Injection("neighbour", (f"reed {felt}",))


def examined(
    board: BoardDescription, seed: int, kind: str | None = None
) -> tuple[Injection, list[Finding], Person]:
    """One random injection (of a kind), and what the doctor found."""
    dice = random.Random(f"injection {seed}")
    world = World(board, seed=seed)
    kind = kind or dice.choice(CROSSED + faults.KINDS)
    file = board
    if kind == "neighbour":
        injection = too_near(world, dice)
    elif kind in CROSSED:
        file, injection = crossed(board, kind, dice)
    else:
        fault = dice.choice([each for each in faults.every_fault(board) if each.kind == kind])
        faults.inject(world, fault, 0)
        part = fault.kind.partition("-")[0]
        injection = Injection(str(fault), (f"{part} {fault.where}",))
    return (injection, *examine(world, file))


def examine(world: World, file: BoardDescription) -> tuple[list[Finding], Person]:
    """What the doctor finds on a board of which `file` is the board file."""
    person = Person(world, file, Doctor(file).run_steps())
    seen = person.obey()
    return derive_findings(file, seen, person.guide.troubles), person


def named(injection: Injection, findings: list[Finding]) -> bool:
    """Whether every finding is about the injected parts, and all of them are named."""
    parts = [part for finding in findings for part in finding.parts]
    fine = all(set(finding.parts) & set(injection.parts) for finding in findings)
    return fine and set(injection.parts) <= set(parts) and len(findings) <= 2
