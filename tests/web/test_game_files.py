"""A game's package brings files for its page: they have addresses of their own, and nothing else has one."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardrules import registry
from boardumpire.web import board_description
from boardumpire.web.game_files import game_files
from web.test_guards import Toy, served
from web.wire import ask

MODULE = """
from rules.toy import Toy
from boardrules.package import PieceAppearance


class Brought(Toy):
    id = "brought"

    def piece_appearance(self):
        return PieceAppearance(scene="scene")


GAME = Brought()
"""
FILES = {
    "scene.js": 'import { h } from "/dom.js";\nimport { way } from "./ways.js";\n\n'
    "// Why.\nexport class Scene {\n  title = h(way);\n}\n",
    "ways.js": 'export const way = "p";\n',
    "scene.css": "/* Why. */\n.toy {\n  fill: red;\n}\n",
    "secret.py": "SECRET = 1\n",
    ".hidden.js": "SECRET\n",
}
KINDS = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package of a game that this process knows, with a page."""
    package = tmp_path / "brought_game"
    page = package / "page"
    (page / "deeper").mkdir(parents=True)
    (package / "__init__.py").write_text(MODULE)
    for name, text in FILES.items():
        (page / name).write_text(text)
    (page / "deeper" / "far.js").write_text("SECRET\n")
    (package / "beside.js").write_text("SECRET\n")
    (page / "leads.js").symlink_to(package / "beside.js")
    monkeypatch.syspath_prepend(tmp_path)
    registry.register(importlib.import_module("brought_game").GAME)
    yield package
    registry._registered_games.pop("brought")
    registry.package.cache_clear()
    sys.modules.pop("brought_game")


@pytest.fixture
def toy() -> Iterator[Toy]:
    with served() as opened:
        yield opened


def test_a_screen_is_told_where_the_scene_of_its_game_is(brought: Path) -> None:
    looks = board_description.piece_looks("brought")
    assert (looks["scene"], looks["style"]) == ("/game/brought/scene.js", "/game/brought/scene.css")
    (brought / "page" / "scene.css").unlink()
    assert "style" not in board_description.piece_looks("brought")
    assert board_description.piece_looks("stratego-classic").get("scene") is None


def test_its_files_are_sent_as_those_of_the_page_are(brought: Path, toy: Toy) -> None:
    origin = toy.server.origin
    for name, kind in (("scene.js", "js"), ("scene.css", "css")):
        answer, pages = (
            ask(origin, f"/game/brought/{name}"),
            ask(origin, f"/style.{kind}" if kind == "css" else "/main.js"),
        )
        assert (answer.status, answer.headers["content-type"]) == (200, KINDS[kind])
        for header in ("cache-control", "vary", "x-content-type-options", "cross-origin-resource-policy"):
            assert answer.headers[header] == pages.headers[header]
        again = ask(origin, f"/game/brought/{name}", If_None_Match=answer.headers["etag"])
        assert again.status == 304
    assert ask(origin, "/game/brought/scene.css").text == "\n.toy{fill: red;}"


def test_a_scene_is_sent_with_what_lies_beside_it_and_takes_the_pages_modules(
    brought: Path, toy: Toy
) -> None:
    sent = ask(toy.server.origin, "/game/brought/scene.js").text
    assert sent.startswith('import{$dom}from "/shared.js";')
    assert 'const way="p";' in sent
    assert "Why" not in sent


@pytest.mark.parametrize(
    "path",
    [
        *("brought/secret.py", "brought/.hidden.js", "brought/far.js", "brought/deeper/far.js"),
        *("brought/leads.js", "brought/beside.js", "brought/../beside.js", "brought/..%2fbeside.js"),
        *("brought/%2e%2e/beside.js", "brought/..%5cbeside.js", "brought/scene.js%00.css", "brought/"),
        *("nobody/scene.js", "..%2fbrought/scene.js", "brought%2fpage/scene.js"),
    ],
)
def test_nothing_else_has_an_address(brought: Path, toy: Toy, path: str) -> None:
    answer = ask(toy.server.origin, f"/game/{path}")
    assert answer.status in (400, 404)
    assert "SECRET" not in answer.text


def test_files_of_the_page_are_no_files_of_a_game_and_the_other_way_round(brought: Path, toy: Toy) -> None:
    origin = toy.server.origin
    assert ask(origin, "/game/brought/main.js").status == 404
    assert ask(origin, "/scene.css").status == 404
    assert ask(origin, "/ways.js").status == 404


def test_a_game_without_a_folder_and_one_that_nobody_has_bring_nothing(brought: Path) -> None:
    shutil.rmtree(brought / "page")
    assert [dict(game_files(game)) for game in ("brought", "nobody")] == [{}, {}]
    assert "game/escape-from-colditz/castle.js" in game_files("escape-from-colditz")
