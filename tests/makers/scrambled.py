"""Boards whose board file says where things are in a scrambled order."""

from __future__ import annotations

import random
import re
from functools import partial
from pathlib import Path
from typing import Any

from boardlab.rehearsal.person import Person
from boardsim.pico.picos import SimPicos
from boardsim.world.world import World
from boardumpire.makers.board_file_edit import write_edited_board
from boardumpire.makers.calibrate import Calibration, CalibrationResult
from boardware.description import board_path, load_board
from boardware.parts import BoardDescription

__all__ = ["Path", "calibrated", "same", "scrambled", "write_edited_board"]

File = tuple[Path, BoardDescription]


def scrambled(name: str, seed: int, folder: Path, *, reeds: bool = False) -> tuple[World, File]:
    """A shipped board, and a file of it with the pins of rows and columns, and all lamps, in random order.

    On Picos, where pins of columns have to be neighbours, the numbers of rows and columns are exchanged
    instead. `reeds`: every single reed is somewhere else too.
    """
    dice = random.Random(f"scrambled {seed}")
    board = load_board(name)
    text = board_path(name).read_text()
    if board.picos or reeds:
        text = _exchanged(text, board, dice, each=reeds)
    else:
        for key in ("rows", "columns"):
            text = re.sub(rf"(?m)^{key} = \[(.*?)\]", partial(_shuffled, key, dice), text)
    text = _other_lamps(text, dice)
    path = folder / f"{name}-{seed}.toml"
    path.write_text(text)
    return World(board, seed=seed), (path, load_board(path))


def _shuffled(key: str, dice: random.Random, found: re.Match[str]) -> str:
    numbers = found[1].split(", ")
    return f"{key} = [{', '.join(dice.sample(numbers, len(numbers)))}]"


def _exchanged(text: str, board: BoardDescription, dice: random.Random, *, each: bool) -> str:
    found = re.findall(r"sensor = \[(.*?)\]", text)
    if each:
        new = dict(zip(found, dice.sample(found, len(found)), strict=True))
    else:
        new = {}
        for bank in board.banks.values():
            rows = dice.sample(range(len(bank.rows)), len(bank.rows))
            columns = dice.sample(range(len(bank.columns)), len(bank.columns))
            for old in found:
                *named, row, column = old.split(", ")
                if named in ([], [f'"{bank.id}"']):
                    new[old] = ", ".join([*named, str(rows[int(row)]), str(columns[int(column)])])
    return re.sub(r"sensor = \[(.*?)\]", lambda match: f"sensor = [{new[match[1]]}]", text)


def _other_lamps(text: str, dice: random.Random) -> str:
    found = re.findall(r"lamp = (\[.*?\]|\d+)", text)
    new = dict(zip(found, dice.sample(found, len(found)), strict=True))
    return re.sub(r"lamp = (\[.*?\]|\d+)", lambda match: f"lamp = {new[match[1]]}", text)


def calibrated(world: World, file: File, picos: SimPicos | None = None) -> tuple[CalibrationResult, Person]:
    """What a person led by lamps learns of the board with that board file."""
    person = Person(world, file[1], Calibration(file[1]).run_steps(), picos, pieces=1)
    learnt = person.obey()
    return learnt, person


def wiring(board: BoardDescription) -> dict[str, Any]:
    """Of every space and named lamp the pins and the lamps that they really are."""
    wires: dict[str, Any] = {f"lamp {lamp}": at for lamp, at in board.lamps.items()}
    for at, slot in board.slots_by_contact.items():
        bank = board.banks[at.bank]
        wires[f"reed {slot}"] = (bank.pico, bank.rows[at.row], bank.columns[at.column])
    return wires


def same(one: BoardDescription, other: BoardDescription) -> bool:
    """Whether two board files describe the same wires."""
    return wiring(one) == wiring(other)
