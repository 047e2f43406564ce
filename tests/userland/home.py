"""Images beyond a clean Debian, kept in `build/userland`: boards at home, and one frozen in mid-game.

At home all that `docs/build/install.md` says was typed, for a board on a Pico. In mid-game two people have
set up and moved; the Pico's cable is out: whoever lets the machine go on has pieces and a Pico of their own.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from userland import guide, image, packages
from userland.board import FarBoard
from userland.following import from_the_first_line
from userland.machine import Machine
from userland.play import Guests

ROOT = Path(__file__).parents[2]
PACKED = ("controller", "hardware", "firmware", "sim", "package", "systemd", "requirements", "pyproject.toml")
"""What a package is made of."""
HERE = Path(__file__).parent
FOLLOWED = "followed.txt"
"""Beside the image: what was typed, and what came back."""
MOVES = 6
"""How many moves the frozen game has."""


def package(arch: str = "amd64", pythons: tuple[str, ...] = ("3.11",), *more: str) -> Path:
    """The package, for Debian 12 unless said otherwise; `more` are options. Raises `packages.NoWheels`."""
    kind = "-".join(("package", arch, *pythons, *more))
    folder = _kept(kind, _digest(_sources()), lambda folder: packages.built(folder, arch, pythons, *more))
    (made,) = folder.glob("*.deb")
    return made


def at_home(debian: Path, package: Path) -> Path:
    """A machine in which the page on installing was followed, switched off in good order."""

    def make(folder: Path) -> None:
        board = FarBoard(folder, Machine(folder, debian, [package]))
        try:
            board.machine.on()
            (folder / FOLLOWED).write_text(str(from_the_first_line(board, package)))
            board.machine.off()
        finally:
            board.close()
        for name in ("vmlinuz", "initrd.img"):
            (folder / name).symlink_to((debian / name).resolve())

    names = ("guide.py", "following.py")
    key = _digest([*(HERE / name for name in names), guide.PAGE])
    return _kept("home", f"{debian.name}-{package.parent.name}-{key}", make)


def in_mid_game(home: Path) -> Path:
    """A machine with the board installed, frozen in a game."""

    def make(folder: Path) -> None:
        (folder / "run").mkdir()
        board = FarBoard(folder / "run", Machine(folder / "run", home))
        try:
            board.machine.on()
            board.put_in()
            board.start()
            guests = Guests(board, seed=1)
            guests.sit_down()
            guests.set_up()
            guests.moves(MOVES)
            guests.freeze(folder)
        finally:
            board.close()
        shutil.rmtree(folder / "run")

    names = ("machine.py", "play.py")
    return _kept("game", f"{home.name}-{_digest(HERE / name for name in names)}", make)


def goes_on(board: FarBoard, seed: int) -> Guests:
    """Let the frozen machine of a board go on, with other people at it who know what was told."""
    guests = Guests(board, seed)
    go_on_with(guests)
    return guests


def go_on_with(guests: Guests) -> None:
    """Let the frozen machine of their board go on with these people at it."""
    board = guests.service
    board.machine.on()
    guests.take_over(board.machine.image)
    board.plug_usb()
    board.start()
    guests.pick_up()


def _kept(kind: str, key: str, make: Callable[[Path], None]) -> Path:
    """The folder of that kind and key, made if it isn't there; others of the kind go."""
    folder = image.BUILT / f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"
    image.BUILT.mkdir(parents=True, exist_ok=True)
    with (image.BUILT / f"lock-{kind}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            for old in image.BUILT.glob(f"{kind}-????????????"):
                shutil.rmtree(old)
            with tempfile.TemporaryDirectory(dir=image.BUILT, prefix="making-") as making:
                make(Path(making))
                folder.mkdir()
                for each in Path(making).iterdir():
                    each.rename(folder / each.name)
    return folder


def _sources() -> Iterable[Path]:
    listed = subprocess.run(["git", "ls-files", *PACKED], cwd=ROOT, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def _digest(files: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for path in files:
        found.update(f"{path.relative_to(ROOT)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()
