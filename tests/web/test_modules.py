"""Scripts are sent with what they import."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import boardsim.page
import boardumpire.web
from boardumpire.web.game_files import game_files
from boardumpire.web.script_bundler import bundle_module, bundle_shared, minify

ROOT = Path(__file__).parents[2]
STATIC = [Path(package.__path__[0]) / "static" for package in (boardumpire.web, boardsim.page)]


GAMES = ("escape-from-colditz", "fall-of-the-fuhrer")
OF_GAMES = {path: file for game in GAMES for path, file in game_files(game).items() if path.endswith(".js")}
"""By its address each script that a game brings."""


def read(name: str) -> str:
    if name.startswith("game/"):
        return OF_GAMES[f"{name}.js"].read_text(encoding="utf-8")
    (found,) = [folder / f"{name}.js" for folder in STATIC if (folder / f"{name}.js").exists()]
    return found.read_text(encoding="utf-8")


def test_each_module_is_there_once_and_before_who_needs_it() -> None:
    files = {
        "far": "export const a = 1;\n",
        "near": 'import { a } from "/far.js";\nexport function b() { return a; }\nconst own = 2;\n',
        "main": 'import { b } from "/near.js";\nimport { a } from "/far.js";\nexport class C {}\nb(a);\n',
    }
    assert bundle_module("main", files.__getitem__, ()) == (
        "const $far = (() => {\nconst a = 1;\nreturn { a };\n})();\n"
        "const $near = (() => {\nconst { a } = $far;\nfunction b() { return a; }\nconst own = 2;\n"
        "return { b };\n})();\n"
        "const { b } = $near;\nconst { a } = $far;\nexport class C {}\nb(a);\n"
    )


def test_an_import_may_take_several_lines() -> None:
    files = {
        "far": "export const a = 1;\nexport const b = 2;\n",
        "main": 'import {\n  a,\n  b,\n} from "/far.js";\na(b);\n',
    }
    assert "const { a,\nb } = $far;\na(b);\n" in bundle_module("main", files.__getitem__, ())


def test_a_name_that_is_taken_by_another_one_is_found() -> None:
    texts = {
        "a": "export const x = 1;\n",
        "b": 'import { x as mine } from "/a.js";\nexport const y = mine;\n',
    }
    assert "const { x: mine } = $a;" in bundle_module("b", texts.__getitem__, ())


def test_a_script_of_a_game_imports_what_lies_beside_it_and_modules_of_the_page() -> None:
    files = {
        "map": "export const of_page = 1;\n",
        "game/new-game/map": 'import { of_page } from "/map.js";\nexport const own = of_page;\n',
        "game/new-game/scene": 'import { own } from "./map.js";\nexport class Scene { is = own; }\n',
    }
    assert bundle_module("game/new-game/scene", files.__getitem__, ()) == (
        "const $map = (() => {\nconst of_page = 1;\nreturn { of_page };\n})();\n"
        "const $game_new_game_map = (() => {\nconst { of_page } = $map;\nconst own = of_page;\n"
        "return { own };\n})();\n"
        "const { own } = $game_new_game_map;\nexport class Scene { is = own; }\n"
    )


def test_comments_and_indents_are_not_sent() -> None:
    files = {
        "main": "// What it is.\n\n/**\n * Adds.\n * @param {number} a\n */\nconst add = (a) => {\n"
        "  // one more\n  return a + 1; // here\n};\nconst page = 'http://x';\n"
        "/** @type {any} */ (page).a();\n/** More. */\n"
    }
    assert bundle_module("main", files.__getitem__, ()) == (
        "\nconst add = (a) => {\nreturn a + 1; // here\n};\nconst page = 'http://x';\n"
        "/** @type {any} */ (page).a();\n"
    )
    with pytest.raises(ValueError, match="backticks to end on its line"):
        bundle_module("main", {"main": "const a = `x\n  y`;\n"}.__getitem__, ())


@pytest.mark.parametrize(
    "line",
    ['import "/x.js";', 'import * as x from "/x.js";', "export default 1;", 'export { a } from "/x.js";'],
)
def test_any_other_form_is_named(line: str) -> None:
    with pytest.raises(ValueError, match=r"odd\.js: '(im|ex)port"):
        bundle_module("odd", {"odd": line + "\n"}.__getitem__, ())


def test_what_several_scripts_use_is_sent_once() -> None:
    files = {
        "far": "export const a = 1;\n",
        "near": 'import { a } from "/far.js";\nexport const b = a;\n',
        "own": "export const c = 3;\n",
        "main": 'import { a } from "/far.js";\nimport { c } from "/own.js";\na(c);\n',
        "alone": 'import { c } from "/own.js";\nc();\n',
    }
    assert bundle_shared(files.__getitem__, ["near"]) == (
        "const $far = (() => {\nconst a = 1;\nreturn { a };\n})();\n"
        "const $near = (() => {\nconst { a } = $far;\nconst b = a;\nreturn { b };\n})();\n"
        "export { $far, $near };\n"
    )
    assert bundle_module("main", files.__getitem__, ["near"]) == (
        'import { $far } from "/shared.js";\nconst $own = (() => {\nconst c = 3;\nreturn { c };\n})();\n'
        "const { a } = $far;\nconst { c } = $own;\na(c);\n"
    )
    assert "shared" not in bundle_module("alone", files.__getitem__, ["near"])


@pytest.mark.parametrize(
    "name", ["main", "replay", "hands", "makers", *(path.removesuffix(".js") for path in OF_GAMES)]
)
def test_the_pages_own_scripts_ask_for_nothing_but_what_is_shared(name: str) -> None:
    first, *rest = bundle_module(name, read).split("\n")
    assert first.endswith(' from "/shared.js";')
    assert not any(line.startswith("import ") for line in rest)
    assert "import " not in bundle_shared(read)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("const a = (b) => {\n  f(\n    b,\n  );\n};\n", "const a=(b)=>{f(b);};"),
        ("f(`a, b : ${c}`, 'x = y', \"( 1 )\");", "f(`a, b : ${c}`,'x = y',\"( 1 )\");"),
        ("a = b; // why, (\nc = d + +e;", "a=b;\nc=d + +e;"),
        ("all\n  .filter((a) => a)\n  .map((b) => b)", "all.filter((a)=>a).map((b)=>b)"),
        ("if (a) b(/** @type {any} */ (c));\nelse d[0] = 'http://x';", "if(a)b((c));else d[0]='http://x';"),
    ],
)
def test_spaces_that_change_nothing_are_not_sent(text: str, sent: str) -> None:
    assert minify(text) == sent


TREES = """
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
const { parse } = createRequire(`${process.cwd()}/`)("acorn");
const place = ["start", "end"];
const shown = (key, value) =>
  place.includes(key) ? undefined : value instanceof RegExp ? `${value}` : value;
const tree = (text) => JSON.stringify(parse(text, { ecmaVersion: "latest", sourceType: "module" }), shown);
for (const [name, text, sent] of JSON.parse(readFileSync(0, "utf8")))
  if (tree(text) !== tree(sent)) console.log(name);
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("node") or not (ROOT / "node_modules" / "acorn").exists(),
    reason="reads scripts with acorn under node, which `make check` installs",
)
def test_every_script_that_is_sent_is_read_as_it_is_written() -> None:
    """A parser that is not ours makes the same tree of both."""
    names = sorted(file.stem for folder in STATIC for file in folder.glob("*.js"))
    names += [path.removesuffix(".js") for path in OF_GAMES]
    texts = [(name, bundle_module(name, read)) for name in names] + [("shared", bundle_shared(read))]
    asked = json.dumps([(name, text, minify(text)) for name, text in texts])
    command = ["node", "--input-type=module", "--eval", TREES]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert len(names) > 20
    assert sum(len(minify(text)) for _, text in texts) < 0.93 * sum(len(text) for _, text in texts)
