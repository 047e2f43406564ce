"""What main.py imports is there: after a flash, after an update, and wherever the power went during one."""

import ast
import shutil
from pathlib import Path

import pytest

from boardware import pico_flash
from boardware.description import load_board
from boardware.pico_plan import plans_by_pico
from boardware.pico_swap import REMOVED_FILES, ROOT_FILES, SWAPPED_FILES, swap_program
from pico.test_swap import boots, pytestmark, run  # noqa: F401 - it needs a MicroPython as they do

BUILT_IN = {"array", "binascii", "gc", "machine", "micropython", "os", "rp2"}
BUILT_IN |= {"select", "struct", "sys", "time", "uctypes"}
"""Modules of MicroPython for a Pico that the firmware uses."""
PLANS = [
    plan
    for name in ("quick-battle-8x8-pico", "quick-battle-8x8-readers")
    for plan in plans_by_pico(load_board(name)).values()
]


def imported(source: Path) -> set[str]:
    """Whatever a file imports, also inside functions."""
    names = set()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
            if node.module == "boardwire":
                names |= {f"boardwire.{alias.name}" for alias in node.names}
    return names


def missing(flash: Path) -> set[str]:
    """What main.py's imports reach and is neither on the flash nor built in."""
    absent, seen, names = set(), set(), {"main"}
    while names:
        name = names.pop()
        if name in seen or name in BUILT_IN:
            continue
        seen.add(name)
        parts = name.split(".")
        folder = flash / "lib" if parts[0] == "boardwire" else flash
        file = folder.joinpath(*parts).with_suffix(".py")
        if len(parts) == 1 and not file.is_file():
            file = folder / name / "__init__.py"
        if file.is_file():
            names |= imported(file)
        else:
            absent.add(name)
    return absent


def put(flash: Path, plan=PLANS[0]) -> None:
    """A flash as it is after an earlier one; only the package has another place than it is sent to."""
    pico_flash.stage_firmware(flash, plan)
    (flash / "lib").mkdir()
    (flash / "boardwire").rename(flash / "lib" / "boardwire")


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_a_file_that_is_absent_is_noticed(tmp_path):
    put(tmp_path / "flash")
    assert missing(tmp_path / "flash") == set()
    (tmp_path / "flash" / "speed.py").unlink()
    (tmp_path / "flash" / "lib" / "boardwire" / "pads.py").unlink()
    assert missing(tmp_path / "flash") == {"speed", "boardwire.pads"}


def test_no_part_is_named_twice():
    assert len(set(SWAPPED_FILES)) == len(SWAPPED_FILES)
    assert not set(ROOT_FILES) & set(REMOVED_FILES)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.board.id)
def test_everything_that_is_sent_finds_its_place(tmp_path, plan):
    flash = tmp_path / "flash"
    flash.mkdir()
    pico_flash.stage_firmware(flash / "new", plan)
    assert run(flash, swap_program("new"))
    (flash / "boot.py").unlink()
    put(tmp_path / "wanted", plan)
    assert files(flash) == files(tmp_path / "wanted")
    assert not missing(flash)


def updated(flash: Path, steps: int) -> bool:
    """Cut an update after so many steps, boot, look, and go back; whether the power held."""
    put(flash)
    (flash / "strobe.py").write_text("import older\n")
    (flash / "sio.py").write_text("")
    (flash / "main.py").write_text("import strobe, sio, clock\n")
    (flash / "older.py").write_text("")
    for name in ("speed.py", "fast.py"):
        (flash / name).unlink()
    assert missing(flash) == set()
    pico_flash.stage_firmware(flash / "new", PLANS[0])
    (flash / "new" / "later.py").write_text("")  # a file that this package knows nothing of
    (flash / "new" / "main.py").write_text((flash / "new" / "main.py").read_text() + "import later\n")
    over = run(flash, swap_program("new"), steps)
    assert boots(flash)
    assert missing(flash) == set()
    assert not over or (flash / "later.py").exists()
    if not (flash / "before").exists():
        shutil.rmtree(flash / "new", ignore_errors=True)
        pico_flash.stage_firmware(flash / "new", PLANS[0])
        assert run(flash, swap_program("new"))
        assert missing(flash) == set()
    assert run(flash, swap_program("before"))
    assert missing(flash) == set()
    assert (flash / "sio.py").exists()
    assert not (flash / "speed.py").exists()
    return over


@pytest.mark.parametrize("steps", [9, 17, 22])
def test_an_update_that_is_cut_leaves_all_that_is_imported(tmp_path, steps):
    """Over a version that had a file more and lacked two of those that come, and forth and back again."""
    assert not updated(tmp_path / "flash", steps)


@pytest.mark.slow
def test_an_update_that_is_cut_anywhere_leaves_all_that_is_imported(tmp_path):
    """Wherever the power goes during an update of a Pico, all that its main.py imports is there afterwards,
    also once it has gone back to the version before."""
    steps = 0
    while not updated(tmp_path / str(steps), steps):
        steps += 1
    assert steps > 20
