"""The wheel of the library alone: it loads the standard library only, and its guide runs as printed."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from library.installed import bare as bare_environment
from library.installed import pip, run, wheels

ROOT = Path(__file__).resolve().parents[2]
GUIDES = (ROOT / "docs" / "program" / "rules-library.md", ROOT / "controller" / "rules" / "README.md")
MEGABYTE = 1_000_000
PLAY = """
import json, random, sys
before = set(sys.modules)
import boardrules
rng = random.Random(5)
for game_id in boardrules.ids():
    game = boardrules.Game(game_id, rng=rng)
    while not game.over:
        game.push(rng.choice(game.legal()))
    for seat in (None, *game.seats):
        game.board(seat), game.view(seat).json()
    boardrules.Game.read(game.record())
    [game.tell(event) for event in game.events]
loaded = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
print(json.dumps({"games": len(boardrules.ids()), "loaded": loaded}))
"""


EVERY = """
import json, pkgutil, sys
import boardrules
for module in pkgutil.walk_packages(boardrules.__path__, "boardrules."):
    __import__(module.name)
print(json.dumps([name for name in sys.modules if not name.startswith("_distutils_hack")]))
"""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (made,) = wheels(tmp_path_factory.mktemp("wheel"), ["boardrules"])
    return made


@pytest.fixture(scope="session")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel and nothing else, not even pip."""
    python = bare_environment(tmp_path_factory.mktemp("bare"))
    pip(python, "install", "--quiet", "--no-index", wheel)
    return python


@pytest.mark.slow
def test_it_brings_nothing_else_and_is_small(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        files = archive.infolist()
        metadata = archive.read(next(file for file in files if file.filename.endswith("/METADATA"))).decode()
    assert {Path(file.filename).parts[0].partition("-")[0] for file in files} == {"boardrules"}
    assert not [file.filename for file in files if file.filename.endswith(".pyc")]
    assert "Requires-Dist" not in metadata
    names = {file.filename for file in files}
    assert "boardrules/py.typed" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    words = sum(file.compress_size for file in files if file.filename.endswith(".mo"))
    assert wheel.stat().st_size - words < 0.53 * MEGABYTE, "with what only programs that learn load"
    assert wheel.stat().st_size < 0.81 * MEGABYTE, "with its sentences in nine languages"


@pytest.mark.slow
def test_it_is_all_that_is_installed(bare: Path) -> None:
    program = "import importlib.metadata as m; print(*[one.name for one in m.distributions()])"
    assert run(bare, "-c", program).split() == ["boardrules"]


@pytest.mark.slow
def test_every_game_is_played_with_the_standard_library_only(bare: Path) -> None:
    told = json.loads(run(bare, "-c", PLAY))
    assert told["games"] == 7
    roots = {name.partition(".")[0] for name in told["loaded"]}
    assert roots - sys.stdlib_module_names - {"__main__"} == {"boardrules"}
    ours = [file for name, file in told["loaded"].items() if name.startswith("boardrules")]
    assert all(str(file).startswith(str(bare.parents[1])) for file in ours), "another one was found"


@pytest.mark.slow
def test_none_of_its_modules_needs_anything_else(bare: Path) -> None:
    told = json.loads(run(bare, "-c", EVERY))
    assert len(told) > 200
    assert {name.partition(".")[0] for name in told} - sys.stdlib_module_names - {"__main__"} == {
        "boardrules"
    }


@pytest.mark.slow
@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_the_examples_of_the_guide_run_as_printed(bare: Path, page: Path) -> None:
    assert run(bare, str(Path(__file__).with_name("guide.py")), str(page)).endswith(" 0 failed\n")


@pytest.mark.slow
def test_a_type_checker_reads_its_types(bare: Path, tmp_path: Path) -> None:
    """mypy finds the types of the installed library, and a slip with them."""
    program = tmp_path / "program.py"
    program.write_text('from boardrules import Game\n\nreveal_type(Game("x").turn)\nGame("x").push(7)\n')
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        f"--python-executable={bare}",
        "--cache-dir=/dev/null",
    ]
    told = subprocess.run([*command, str(program)], cwd=tmp_path, capture_output=True, text=True)
    assert 'Revealed type is "boardrules.identifiers.Seat | None"' in told.stdout, told.stdout + told.stderr
    assert 'Argument 1 to "push"' in told.stdout
    assert "Found 1 error" in told.stdout


def test_a_page_with_a_wrong_example_fails(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```pycon\n>>> 1 + 1\n3\n```\n")
    command = [sys.executable, str(Path(__file__).with_name("guide.py")), str(page)]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 1
    assert "1 examples, 1 failed" in told.stdout
    assert "line 2" in told.stdout
