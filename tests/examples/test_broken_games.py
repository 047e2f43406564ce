"""Each of these distributions is broken in one way: a line names it, and all other games play."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.request import urlopen

import pytest

from boardware.description import board_path
from daemon.service import Service
from web.wire import ask, sit_down

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
COMMAND = Path(sys.executable).with_name("boardumpire")
GOOD = "breakthrough"
GAME = """from boardumpire_breakthrough import Breakthrough


class Game(Breakthrough):
    id = "{id}"
    title = "{id}"
{more}

GAME = Game()
"""
BROKEN: Mapping[str, tuple[str, str]] = {
    "missing": ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
    "raises": ('raise RuntimeError("first line\\n second line")\n', "RuntimeError: first line second line"),
    "leaves": ('raise SystemExit("bye")\n', "SystemExit: bye"),
    "other": ("GAME = 7\n", "is 7; expected the GamePackage of that id"),
    "misnamed": (GAME.format(id="another", more=""), "expected the GamePackage of that id"),
    "untitled": (GAME.format(id="untitled", more="    title = None"), "has no title; expected a text"),
    "silent": (
        GAME.format(
            id="silent",
            more='    def about(self):\n        raise KeyError("about")\n\n'
            '    def new(self, options):\n        raise KeyError("new")\n',
        ),
        "game_silent:GAME: KeyError: 'about'",
    ),
}
"""By id what the package of a game holds, and what is said of it where all games are listed."""


def distribution(folder: Path, name: str, entry_points: str | bytes, metadata: str = "") -> None:
    about = folder / f"{name}-1.dist-info"
    about.mkdir()
    data = entry_points.encode() if isinstance(entry_points, str) else entry_points
    (about / "entry_points.txt").write_bytes(data)
    if metadata != "none":
        (about / "METADATA").write_text(metadata or f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")


def brings(game: str, package: str) -> str:
    return f"[boardumpire.games]\n{game} = {package}:GAME\n[boardumpire.boards]\n{game} = {package}.boards\n"


def package_of(folder: Path, name: str, code: str, board: str, game: str) -> None:
    (folder / name / "boards").mkdir(parents=True)
    (folder / name / "__init__.py").write_text(code)
    (folder / name / "boards" / f"{game}-8x8.toml").write_text(board.replace(GOOD, game))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Of processes that find all of them, and one game that is whole."""
    if not EXAMPLES.is_dir():
        pytest.skip("there is no folder examples/ here")
    folder = tmp_path_factory.mktemp("broken")
    whole = EXAMPLES / "breakthrough" / "boardumpire_breakthrough"
    shutil.copytree(whole, folder / whole.name, ignore=shutil.ignore_patterns("__pycache__"))
    board = (whole / "boards" / "breakthrough-8x8.toml").read_text()
    distribution(folder, "whole", brings(GOOD, whole.name))
    for game, (code, _) in BROKEN.items():
        package_of(folder, f"game_{game}", code, board, game)
        distribution(folder, f"dist_{game}", brings(game, f"game_{game}"))
    package_of(folder, "game_thief", 'raise SystemExit("thief")\n', board, "thief")
    distribution(folder, "dist_thief", brings("stratego-classic", "game_thief"))
    unwritten = '    def notations(self):\n        raise KeyError("notations")\n'
    package_of(folder, "game_unwritten", GAME.format(id="unwritten", more=unwritten), board, "unwritten")
    distribution(folder, "dist_unwritten", brings("unwritten", "game_unwritten"))
    for name in ("first", "second"):
        package_of(folder, f"game_{name}", GAME.format(id="twin", more=""), board, "twin")
        distribution(folder, f"dist_{name}", brings("twin", f"game_{name}"))
    distribution(folder, "dist_garbled", "[boardumpire.games]\nno equals sign\n")
    distribution(folder, "dist_latin", "[boardumpire.games]\ncaf\u00e9 = game_x:GAME\n".encode("latin-1"))
    distribution(folder, "dist_valueless", "[boardumpire.games]\nvalueless = not a value!\n")
    distribution(folder, "dist_nameless", brings("nameless", "game_nameless"), metadata="none")
    package_of(folder, "game_nameless", "import no_such_module\n", board, "nameless")
    distribution(folder, "dist_nowhere", "[boardumpire.boards]\nnowhere = no_such.boards\n")
    (folder / "odd_board").mkdir()
    (folder / "odd_board" / "odd-8x8.toml").write_text("games = [")
    distribution(folder, "dist_odd", "[boardumpire.boards]\nodd = odd_board\n")
    (folder / "odd_command.py").write_text('raise SystemExit("no")\n')
    distribution(folder, "dist_command", "[boardumpire.commands]\nodd = odd_command:add\n")
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


NAMED = {
    **{f"dist_{game}": said for game, (_, said) in BROKEN.items()},
    "dist_thief": "game stratego-classic: that of dist_thief is left out; boardrules brings",
    "dist_second": "game twin: that of dist_second is left out; dist_first brings",
    "dist_garbled": "entry_points.txt can't be read",
    "dist_latin": "entry_points.txt can't be read: UnicodeDecodeError",
    "dist_valueless": "game valueless of dist_valueless",
    "dist_nameless": "ModuleNotFoundError: No module named 'no_such_module'",
}
"""By distribution what a line says of it where all games are listed."""


def told(environment: Mapping[str, str], *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *words], env=environment, capture_output=True, text=True, timeout=120, input=given
    )


def lines_about(said: str, name: str) -> list[str]:
    return [line for line in said.splitlines() if name in line]


def test_the_referee_lists_the_games_that_are_whole(environment: Mapping[str, str]) -> None:
    lists = '{"do": "games"}\n{"do": "games"}\n'
    begins = "".join(
        json.dumps({"do": "new", "game": game}) + "\n"
        for game in (GOOD, "twin", "stratego-classic", "leaves")
    )
    answered = told(environment, "referee", given=lists + begins)
    first, _, *begun = [json.loads(line) for line in answered.stdout.splitlines()]
    assert {GOOD, "twin", "stratego-classic", "escape-from-colditz"} <= {
        each["game"] for each in first["games"]
    }
    assert not {"valueless", "nameless", *BROKEN} & {each["game"] for each in first["games"]}
    assert [each["ok"] for each in begun] == [True, True, True, False]
    assert begun[3]["error"]["code"] == "unknown-game"
    for name, said in NAMED.items():
        (line,) = lines_about(answered.stderr, name)
        assert said in line
    assert "Traceback" not in answered.stderr


@pytest.mark.slow
def test_a_board_is_checked(environment: Mapping[str, str]) -> None:
    for board in ("breakthrough-8x8", "quick-battle-8x8"):
        checked = told(environment, "board", "check", board)
        assert checked.returncode == 0, checked.stderr
        assert "Traceback" not in checked.stderr
        assert len(lines_about(checked.stderr, "dist_leaves")) == 1
    broken = told(environment, "board", "check", "leaves-8x8")
    assert "leaves is installed, but can't begin" in broken.stdout


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stratego-quick-duel", GOOD])
def test_clumsy_people_play(environment: Mapping[str, str], game: str) -> None:
    played = told(environment, "lab", "soak", "--game", game, "--games", "1")
    assert played.returncode == 0, played.stderr


def test_a_broken_game_is_refused_in_one_line(environment: Mapping[str, str]) -> None:
    refused = told(environment, "lab", "soak", "--game", "leaves", "--games", "1")
    assert refused.returncode == 2
    (line,) = lines_about(refused.stderr, "SystemExit")
    assert "game leaves of dist_leaves: game_leaves:GAME: SystemExit: bye" in line


@pytest.mark.parametrize("words", [("--help",), ("record", "convert", "--help"), ("lab", "--help")])
def test_commands_are_there(environment: Mapping[str, str], words: tuple[str, ...]) -> None:
    asked = told(environment, *words)
    assert asked.returncode == 0
    assert "usage:" in asked.stdout
    assert "Traceback" not in asked.stderr


def test_records_are_converted_and_verified(environment: Mapping[str, str], tmp_path: Path) -> None:
    begin = (
        '{"do":"new","game":"breakthrough"}\n{"do":"act","seat":"white","action":"a2-a3"}\n{"do":"record"}\n'
    )
    answers = told(environment, "referee", given=begin).stdout.splitlines()
    (tmp_path / "game.record").write_text(json.loads(answers[-1])["record"])
    converted = told(environment, "record", "convert", str(tmp_path / "game.record"))
    assert converted.returncode == 0, converted.stderr
    assert "white a2-a3" in converted.stdout
    assert len(lines_about(converted.stderr, "game unwritten: KeyError: 'notations'")) == 1


CONFIG = """format = "boardumpire-config"
version = 1
[board]
name = "{board}"
[game]
id = "{game}"
"""


def test_a_configuration_is_checked(environment: Mapping[str, str], tmp_path: Path) -> None:
    path = tmp_path / "boardumpire.toml"
    path.write_text(CONFIG.format(board="quick-battle-8x8", game="stratego-quick-duel"))
    right = told(environment, "check-config", "--config", str(path))
    assert "right: stratego-quick-duel on quick-battle-8x8" in right.stdout, right.stderr
    path.write_text(CONFIG.format(board="raises-8x8", game="raises"))
    wrong = told(environment, "check-config", "--config", str(path))
    assert wrong.returncode != 0
    assert "RuntimeError: first line second line" in wrong.stderr
    assert "Traceback" not in wrong.stderr


@pytest.fixture
def page(environment: Mapping[str, str], tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    words = ["page", "--listen", "127.0.0.1:0", "--state", str(tmp_path / "state")]
    process = subprocess.Popen(
        [COMMAND, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    yield process
    process.terminate()
    process.communicate(timeout=30)


@pytest.mark.slow
def test_the_start_page_offers_the_games_that_are_whole(page: subprocess.Popen[str]) -> None:
    assert page.stdout is not None
    origin = next(word for line in page.stdout for word in line.split() if word.startswith("http://"))
    with urlopen(origin, timeout=30) as answer:
        shown = answer.read().decode()
    for game in ("stratego-classic", GOOD, "twin"):
        assert f"?game={game}" in shown
    for game in BROKEN:
        assert f"?game={game}" not in shown
    for game in ("stratego-classic", GOOD):
        with urlopen(f"{origin.rstrip('/')}/?game={game}", timeout=30) as answer:
            assert "<form" in answer.read().decode()


SERVED = """
[board]
name = "{board}"
[game]
id = "stratego-quick-duel"
[page]
listen = "127.0.0.1:0"
"""


@pytest.fixture
def service(environment: Mapping[str, str], tmp_path: Path) -> Iterator[Service]:
    """A board that carries games which can't begin, too, serves one that can."""
    board = tmp_path / "board.toml"
    text = board_path("quick-battle-8x8").read_text()
    board.write_text(text.replace('games = ["', 'games = ["leaves", "no-such-game", "silent", "', 1))
    service = Service(tmp_path, board=str(board), config=SERVED.format(board=board))
    service.start(**{name: environment[name] for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")})
    yield service
    service.close()


@pytest.mark.slow
def test_the_daemon_serves_the_games_that_are_whole(service: Service, environment: Mapping[str, str]) -> None:
    assert service.status()["ok"]
    there = {
        **environment,
        "STATE_DIRECTORY": str(service.directory / "state"),
        "RUNTIME_DIRECTORY": str(service.directory / "run"),
    }
    links = told(there, "links", "--config", str(service.config))
    red = next(line.split()[1] for line in links.stdout.splitlines() if line.startswith("red "))
    origin = "http://" + red.removeprefix("http://").partition("/")[0]
    cookie = sit_down(origin, red)
    for shown in ("/seat/red", "/table.json"):
        assert ask(origin, shown, cookie=cookie).status == 200
    assert service.log.count("SystemExit") == 1
    assert service.log.count("unknown game 'no-such-game'") == 1
    assert "Traceback" not in service.log
    listed = told(there, "record", "list", "--config", str(service.config))
    assert listed.returncode == 0, listed.stderr
