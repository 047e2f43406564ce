"""The power may go at any step while two versions change places: what boots then is one of them, whole."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from boardware.pico_swap import SWAPPED_FILES, swap_program

pytestmark = pytest.mark.skipif(
    find_spec("micropython_unix") is None, reason="no MicroPython for this machine"
)

# Everything that changes the file system is a step; when none is left, the power is gone.
CUT = """
import os, sys
from os import stat, listdir
left = LEFT
def step(do):
    def done(*given):
        global left
        if left == 0:
            print("power gone")
            sys.exit()
        left -= 1
        do(*given)
    return done
rename, remove, rmdir, mkdir = [step(do) for do in (os.rename, os.remove, os.rmdir, os.mkdir)]
"""


def run(flash, program, steps=-1):
    """Have a MicroPython run it over that flash until so many steps are done; whether the power held."""
    (flash / "cutos.py").write_text(CUT.replace("LEFT", str(steps)))
    program = program.replace("import os", "import cutos as os")
    ran = subprocess.run(
        [sys.executable, "-m", "micropython_unix", "-c", "import sys; sys.path.insert(0, '')\n" + program],
        cwd=flash,
        capture_output=True,
        text=True,
    )
    (flash / "cutos.py").unlink()
    assert "Traceback" not in ran.stdout + ran.stderr, ran.stderr
    return "power gone" not in ran.stdout


def put(folder, text, parts):
    for part in parts:
        if part == "boardwire":
            (folder / part).mkdir(parents=True)
            for name in ("link.py", "wire.py", text + ".py"):
                (folder / part / name).write_text(text)
        else:
            folder.mkdir(exist_ok=True)
            (folder / part).write_text(text)


def found(folder, lib=""):
    """What of a version is there."""
    out = {}
    for part in SWAPPED_FILES:
        path = folder / (lib + part if part == "boardwire" else part)
        if path.is_dir():
            out[part] = {inner.name: inner.read_text() for inner in sorted(path.iterdir())}
        elif path.exists():
            out[part] = path.read_text()
    return out


def version(text, parts):
    whole = dict.fromkeys(sorted(("link.py", "wire.py", text + ".py")), text)
    return {part: whole if part == "boardwire" else text for part in SWAPPED_FILES if part in parts}


def boots(flash, steps=-1):
    return not (flash / "boot.py").exists() or run(flash, (flash / "boot.py").read_text(), steps)


OLDER = tuple(part for part in SWAPPED_FILES if part != "tags.py")
"""A version that has no such part."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "here", "comes", "first"),
    [
        ("new", OLDER, SWAPPED_FILES, False),
        ("before", SWAPPED_FILES, OLDER, False),
        ("new", (), SWAPPED_FILES, True),
    ],
    ids=["flash", "back", "first"],
)
def test_what_boots_is_one_version_whole_wherever_the_power_went(tmp_path, source, here, comes, first):
    old, new = version("old", here), version("new", comes)
    seen, steps, over = set(), 0, False
    while not over:
        flash = tmp_path / str(steps)
        flash.mkdir()
        if here:
            put(flash, "old", [part for part in here if part != "boardwire"])
            put(flash / "lib", "old", ["boardwire"])
        put(flash / source, "new", comes)
        if source == "new" and not first:
            put(flash / "before", "past", SWAPPED_FILES)
        over = run(flash, swap_program(source), steps)
        if (flash / "swap.py").exists():
            boots(flash, steps % 5)  # the power goes once more while it is finished
        assert boots(flash)
        now = found(flash, "lib/")
        assert now in (old, new)
        seen.add("new" if now == new else "old")
        if now == new:
            assert found(flash / "before") == old
            assert not (flash / "aside").exists()
            assert not (flash / source).exists() or source == "before"
        assert not (flash / "swap.py").exists()
        if now == old and steps % 4 == 0:  # and flashing it again works
            assert run(flash, swap_program(source))
            assert found(flash, "lib/") == new
        steps += 1
    assert seen == {"old", "new"}
    assert steps > 10
