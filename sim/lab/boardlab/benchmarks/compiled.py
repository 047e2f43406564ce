"""The rules of all games as machine code, for whoever plays them hundreds of thousands of times.

    python -m boardlab.benchmarks.compiled                      # into build/compiled, some two minutes
    PYTHONPATH=build/compiled python my_search.py

mypyc makes C of the very sources that Python runs otherwise. It takes a C compiler and Python's headers; a
table needs neither (docs/understand/performance.md).
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
PACKAGE = ROOT / "controller" / "rules" / "boardrules"
BUILD_PATH = ROOT / "build" / "compiled"

OPEN_CLASS_TEMPLATE = r"""@mypyc_attr(allow_interpreted_subclasses=True)
class \1:
    def __getstate__(self) -> object:
        names = type(self).__dict__.get("__mypyc_attrs__")
        if names is None:
            return object.__getstate__(self)
        return None, {name: getattr(self, name) for name in names if hasattr(self, name)}
"""
"""How a class of the core begins, so that games that aren't compiled can inherit from it.

What mypyc would put in as `__getstate__` forgets what a class that isn't compiled adds: copies are empty.
"""
UNCOMPILED_MODULES = {
    "colditz": frozenset(
        {
            "art", "board_file", "board_reader", "buttons", "check", "command_choice", "datafile",
            "escape_paths", "escape_planner", "escape_routes", "face", "games", "guard_planner",
            "labels", "levels", "officer_planner", "options", "plan", "refusals", "scenery", "signs",
            "simple_players", "text", "text_board", "walk_plans",
        }
    ),
    "fuhrer": frozenset(
        {
            "allied_policy", "art", "belief_state", "board_file", "bounded_cache", "encoding", "games",
            "hitler_policy", "levels", "map_file", "options", "refusals", "sheet_audit",
            "simple_allies", "simple_players", "text", "text_board",
        }
    ),
    "stratego": frozenset(
        {
            "art", "beliefs", "encoding", "games", "gravon_notation", "guess_search", "hidden_battles",
            "levels", "neutral_notation", "options", "piece_values", "public_steps", "quick_games",
            "refusals", "sampling_player", "setup", "setup_counts", "setup_generator", "setup_habits",
            "simple_players", "text", "text_board",
        }
    ),
}  # fmt: skip
"""By game what is used seldom, or to draw and explain: it would only take longer to compile."""

TRANSLATE = """
import sys
from mypyc.build import mypycify
extensions = mypycify(sys.argv[2:], opt_level=sys.argv[1], debug_level="0")
"""
COMPILE = """
from setuptools import setup
setup(name="compiled", ext_modules=extensions, script_args=["--quiet", "build_ext", "--inplace"])
"""
_FINAL_FIELD = re.compile(r"^(    \w+: )Final\[(.+)\]( = .*)?$", re.MULTILINE)


class CannotCompile(Exception):  # noqa: N818 - said to people as it is
    """What is missing, or what the compiler said."""


def modules() -> list[str]:
    """The modules that are compiled, as paths within the directory."""
    return ["boardrules/core.py"] + [
        f"boardrules/{path.relative_to(PACKAGE)}"
        for game, seldom in UNCOMPILED_MODULES.items()
        for path in sorted((PACKAGE / game).rglob("*.py"))
        if path.stem not in seldom | {"__init__", "__main__"}
    ]


def translate(directory: Path, *, then: str = "", level: str = "1") -> None:
    """Make C of the rules in this directory. Raises `CannotCompile` with what mypyc said. `level`: how much
    the C compiler makes of it, of "0" to "3".

    Beside what is made there stand links to the sources, so that what is not compiled is always today's.
    """
    shutil.copytree(
        PACKAGE,
        directory / "boardrules",
        ignore=shutil.ignore_patterns("__pycache__"),
        copy_function=os.symlink,
    )
    for module in modules():
        path = directory / module
        text = path.read_text()
        wanted = plain_dataclasses(open_core_classes(text) if path.name == "core.py" else text)
        if wanted != text:
            path.unlink()
            path.write_text(wanted)
    command = [sys.executable, "-c", TRANSLATE + then, level, *modules()]
    told = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if told.returncode:
        print(told.stdout[-4000:], told.stderr[-4000:], sep="", file=sys.stderr)
        wrong = [line for line in (told.stdout + told.stderr).splitlines() if "error" in line.lower()]
        raise CannotCompile(f"mypyc or the C compiler refused it: {(wrong or ['it did not say why'])[0]}")


def plain_dataclasses(module: str) -> str:
    """A module whose dataclasses mypyc can compile.

    A compiled class has slots as it is: a dataclass with slots would be made anew. Its `Final` attributes
    can't be written by the `__init__` that `dataclass` makes.
    """
    return _FINAL_FIELD.sub(r"\1\2\3", module.replace("@dataclass(slots=True, ", "@dataclass("))


def open_core_classes(core: str) -> str:
    """The core with its classes open to games that are not compiled.

    They are not `ABC` there. Classes that mypyc makes share a cache with their base: once one action was of a
    kind, `isinstance` in what is not compiled would take every action to be of that kind.
    """
    imported = "from abc import"
    text = core.replace(imported, f"from mypy_extensions import mypyc_attr\n{imported}", 1)
    text = re.sub(r"^class (\w+)\(ABC\):\n", OPEN_CLASS_TEMPLATE, text, flags=re.MULTILINE)
    state = "class State(RulesState):"
    return text.replace(state, f"@mypyc_attr(allow_interpreted_subclasses=True)\n{state}")


def missing_build_tool() -> str | None:
    """What this machine lacks to compile, if anything."""
    compiler = (shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "") or ["cc"])[0]
    headers = Path(sysconfig.get_path("include"))
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    if not (headers / "Python.h").exists():
        return f"Python's headers are not there ({headers}/Python.h)"
    return None


def build(directory: Path = BUILD_PATH, *, level: str = "1") -> Path:
    """Compile the rules into a directory for `PYTHONPATH`, unless that was done with the very same sources.
    With `level` "0" that is soon done, and what is made is slower.

    It is there whole or not at all. Raises `CannotCompile` where something is missing for it.
    """
    lacking = missing_build_tool()
    if lacking is not None:
        raise CannotCompile(lacking)
    stamp, now = directory / "sources", f"{_digest()} {level}"
    try:
        if not stamp.is_file() or stamp.read_text() != now:
            print("compiling the rules: some two minutes ...", file=sys.stderr)
            directory.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=directory.parent, ignore_cleanup_errors=True) as made:
                translate(Path(made), then=COMPILE, level=level)
                (Path(made) / stamp.name).write_text(now)
                shutil.rmtree(directory, ignore_errors=True)
                Path(made).rename(directory)
    except OSError as error:
        raise CannotCompile(f"{directory}: {error.strerror or error}") from None
    return directory


def _digest() -> str:
    """Changes with the sources, with where they are (links lead there), and with what compiles them."""
    digest = hashlib.sha256(f"{PACKAGE} {sys.version} {importlib.metadata.version('mypy')}".encode())
    for path in (Path(__file__), *sorted(PACKAGE.rglob("*.*"))):
        if "__pycache__" not in path.parts:
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def main() -> int:
    try:
        directory = build()
    except CannotCompile as error:
        print(f"not compiled: {error}", file=sys.stderr)
        return 1
    print(f"PYTHONPATH={directory.relative_to(ROOT)} (of today's sources: run this again when they change)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
