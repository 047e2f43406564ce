"""A game in a distribution of its own brings all there is of a game, and nothing else knows its name."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from web.served import DESKTOP, Screen, Served
from web.wire import ask

BREAKTHROUGH = Path(__file__).resolve().parents[2] / "examples" / "breakthrough"
COMMAND = Path(sys.executable).with_name("boardumpire")
PACKAGE = "everything_of_its_own"

MORE = '''

from boardrules.package import ConfigFile, PieceAppearance


class Everything(Breakthrough):
    """Breakthrough, with whatever a package can bring."""

    def new(self, options: Mapping[str, Any]) -> State:
        """A start that somebody wrote: there is but one."""
        if options.get("start", "usual") != "usual":
            raise OptionError(f"start is {options['start']!r}; try usual", "start")
        return super().new({name: value for name, value in options.items() if name != "start"})

    def config_files(self) -> tuple[ConfigFile, ...]:
        """The start."""
        return (ConfigFile("start", "start", "a start", lambda path, what: path.read_text().strip()),)

    def piece_appearance(self) -> PieceAppearance:
        """A scene of its own."""
        return PieceAppearance(scene="rows")

    def simulated_people_kind(self) -> str:
        """Its own."""
        return "everything"


GAME = Everything()
'''
PEOPLE = '''"""Who plays it on a simulated board."""

import os
from pathlib import Path

from boardsim.people.open_players import OpenPlayers


class People(OpenPlayers):
    """They leave word that they were here."""

    def _set_up(self, seat):
        with Path(os.environ["WORD"]).open("a") as file:
            file.write(f"{seat}\\n")
        super()._set_up(seat)
'''
SCENE = """// How far each side has come.

import { h } from "/dom.js";
import { farthest } from "./far.js";
import { _ } from "/words.js";

export class Scene {
  /** A panel, beside those of every game. */
  parts(view) {
    return [h("p.rows", {}, _("White is in row {row}.", { row: farthest(view.board) }))];
  }
}
"""
FAR = """/** The last row with a pawn of White. */
export function farthest(board) {
  const rows = Object.entries(board).map(([at, { seat }]) => (seat === "white" ? Number(at[1]) : 0));
  return Math.max(...rows);
}
"""
STYLE = ".rows { color: rgb(1, 2, 3); }\n"
WORDS = {
    "de": {
        "White": "Weiß",
        "Black": "Schwarz",
        "{seat}: {from} to {to}.": "{seat}: {from} nach {to}.",
        "White is in row {row}.": "Weiß ist in Reihe {row}.",
        "one more step, and this pawn is across": "noch ein Schritt, und dieser Bauer ist drüben",
    },
    "nl": {"White": "Wit", "Black": "Zwart", "White is in row {row}.": "Wit staat op rij {row}."},
}


def compiled(words: Mapping[str, str]) -> bytes:
    catalog, file = Catalog(), BytesIO()
    for message, string in words.items():
        catalog.add(message, string)
    write_mo(file, catalog)
    return file.getvalue()


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Of processes that find this game: its distribution is written, built and installed as anybody's is."""
    folder = tmp_path_factory.mktemp("written")
    package = folder / PACKAGE
    known = (BREAKTHROUGH / "boardumpire_breakthrough" / "__init__.py").read_text()
    known = known.replace('game_id = "breakthrough"', 'game_id = "everything"')
    known = known.replace('id = "breakthrough"', 'id = "everything"').replace(
        "\nGAME: Final = Breakthrough()", ""
    )
    known = known.replace("from boardrules.core import (", "from boardrules.core import (\n    OptionError,")
    board = (BREAKTHROUGH / "boardumpire_breakthrough" / "boards" / "breakthrough-8x8.toml").read_text()
    project = (BREAKTHROUGH / "pyproject.toml").read_text()
    project = project.replace("boardumpire_breakthrough", PACKAGE).replace(
        "boardumpire-breakthrough", "everything"
    )
    project = project.replace("breakthrough =", "everything =")
    files = {
        "__init__.py": known + MORE,
        "played.py": PEOPLE,
        "page/rows.js": SCENE,
        "page/far.js": FAR,
        "page/rows.css": STYLE,
        "boards/__init__.py": "",
        "boards/everything-8x8.toml": board.replace("breakthrough", "everything"),
    }
    for name, text in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    for language, words in WORDS.items():
        catalogue = package / "locale" / language / "LC_MESSAGES" / "game.mo"
        catalogue.parent.mkdir(parents=True)
        catalogue.write_bytes(compiled(words))
    people = f'[project.entry-points."boardumpire.people"]\neverything = "{PACKAGE}.played:People"\n\n'
    (folder / "pyproject.toml").write_text(project.replace("[tool.hatch", f"{people}[tool.hatch", 1))
    target = tmp_path_factory.mktemp("everything")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    command += ["--no-index", "--disable-pip-version-check", "--target", str(target), str(folder)]
    subprocess.run(command, check=True, timeout=120)
    return {**os.environ, "PYTHONPATH": str(target)}


def told(environment: Mapping[str, str], *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [COMMAND, *words]
    return subprocess.run(command, env={**environment, **more}, capture_output=True, text=True, timeout=120)


CONFIG = """format = "boardumpire-config"
version = 1
[board]
name = "everything-8x8"
[game]
id = "everything"
"""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('start = "usual.txt"', "right: everything on everything-8x8 through gpio"),
        ('start = "odd.txt"', ":7: [game] start: odd.txt: start is 'odd'; try usual"),
        ('strat = "usual.txt"', ":7: [game] strat: unknown key for everything; try one of id, dice,"),
        ('map = "usual.txt"', "machines_resign, start\n"),
    ],
)
@pytest.mark.slow
def test_its_file_is_named_by_a_key_of_its_own(
    environment: Mapping[str, str], tmp_path: Path, line: str, said: str
) -> None:
    (tmp_path / "usual.txt").write_text("usual\n")
    (tmp_path / "odd.txt").write_text("odd\n")
    (tmp_path / "boardumpire.toml").write_text(CONFIG + line + "\n")
    checked = told(environment, "check-config", "--config", str(tmp_path / "boardumpire.toml"))
    assert said in checked.stdout + checked.stderr


@pytest.mark.slow
def test_its_own_people_play_it(environment: Mapping[str, str], tmp_path: Path) -> None:
    word = tmp_path / "word"
    played = told(environment, "lab", "soak", "--game", "everything", "--games", "1", WORD=str(word))
    assert played.returncode == 0, played.stderr
    assert sorted(word.read_text().split()) == ["black", "white"]


@pytest.mark.slow
def test_its_screen_speaks_its_languages_and_has_its_scene(
    environment: Mapping[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    screen: Callable[..., Screen],
) -> None:
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    served = Served(tmp_path, "--game", "everything", "--board", "everything-8x8")
    try:
        white = screen(served.links["white"], locale="de", **DESKTOP)
        white.press("Die Hände sollen es tun")
        panel = white.page.wait_for_selector(".rows")
        assert panel.inner_text() == "Weiß ist in Reihe 2."
        assert panel.evaluate("(one) => getComputedStyle(one).color") == "rgb(1, 2, 3)"
        white.move("a2-a3")
        white.until_told("Weiß: a2 nach a3.")
        white.page.locator(".rows", has_text="Weiß ist in Reihe 3.").wait_for()  # its frame comes later
        legend = white.page.text_content(".legend")
        assert "noch ein Schritt, und dieser Bauer ist drüben" in (legend or "")
        dutch = screen(served.links["black"], locale="nl", **DESKTOP)
        dutch.until("() => document.querySelector('.rows')?.textContent === 'Wit staat op rij 3.'")
        assert white.errors == dutch.errors == []
        assert ask(served.origin, "/game/everything/__init__.py").status == 404
    finally:
        served.close()
