"""How two versions change places on a Pico's flash: all or nothing, whenever the power goes.

What is to be done is written down first, as a program `swap.py`: before it has its name nothing has changed,
and once it has, `boot.py` finishes it at every boot, before anything of either version runs. Each of its
steps is one that the file system does wholly or not at all, and can be found done.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import boardwire

BOOT_FOLDER: Final = Path(boardwire.__file__).parent / "boot"
"""What lies beside the package on a Pico, and runs it."""
GENERATED_FILES: Final = ("pins.py", "version.json")
"""What is made for each Pico, by its board and by this version."""
ROOT_FILES: Final = tuple(sorted({path.name for path in BOOT_FOLDER.glob("*.py")} - set(GENERATED_FILES)))
"""Every file of that folder, but what is made."""
REMOVED_FILES: Final = ("sio.py",)
"""What versions before this one had there: of those before 0.2."""
SWAPPED_FILES: Final = ("boardwire", *ROOT_FILES, *GENERATED_FILES, *REMOVED_FILES)
"""What changes places, and whatever else comes with another version."""
CLEAR_PROGRAM = """
import os
def there(name):
    try:
        os.stat(name)
        return True
    except OSError:
        return False
def clear(name):
    if not there(name): return
    if os.stat(name)[0] & 0x4000:
        for inner in os.listdir(name): clear(name + "/" + inner)
        os.rmdir(name)
    else: os.remove(name)
"""
BOOT_PROGRAM = """
try:
    import swap
except ImportError:
    pass
except Exception as error:
    print("swap:", error)
"""
"""`boot.py` of a Pico: the same for every version."""

# SOURCE is the folder of the version that comes, HAS the parts that it has, PARTS those that either may have.
# The old one gathers in `aside`; once that has become `before`, nothing is left to do but to forget all this.
_SWAP_PROGRAM = (
    CLEAR_PROGRAM
    + """
def place(part): return "lib/boardwire" if part == "boardwire" else part
if there("aside"):
    for part in PARTS:
        coming = there(SOURCE + "/" + part)
        if (coming or part not in HAS) and there(place(part)): os.rename(place(part), "aside/" + part)
        if coming: os.rename(SOURCE + "/" + part, place(part))
    clear(SOURCE)
    if os.listdir("aside"):
        clear("before")
        os.rename("aside", "before")
    else: os.rmdir("aside")
clear("swap.py")
"""
)
_BEGIN_SWAP_PROGRAM = (
    CLEAR_PROGRAM
    + f"PARTS = {SWAPPED_FILES}"
    + """
def write(name, text):
    with open(name + ".tmp", "w") as file: file.write(text)
    os.rename(name + ".tmp", name)
def finish():
    with open("swap.py") as file: exec(file.read(), {})
if there("swap.py"): finish()
if not there("lib"): os.mkdir("lib")
clear("aside")
write("boot.py", BOOT)
has = os.listdir(SOURCE)
parts = list(PARTS) + [part for part in has if part not in PARTS]
os.mkdir("aside")
write("swap.py", "SOURCE = " + repr(SOURCE) + "; PARTS = " + repr(parts) + "; HAS = " + repr(has) + SWAP)
finish()
print("swapped")
"""
)


def swap_program(source: str) -> str:
    """The program that has the version in the folder `source` take the place of the one that is there."""
    return f"SOURCE = {source!r}\nBOOT = {BOOT_PROGRAM!r}\nSWAP = {_SWAP_PROGRAM!r}\n{_BEGIN_SWAP_PROGRAM}"
