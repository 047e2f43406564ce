"""Scripts are sent with what they import."""

from __future__ import annotations

from pathlib import Path

import pytest

import boardsim.page
import boardumpire.web
from boardumpire.web.modules import together, whole

STATIC = [Path(package.__path__[0]) / "static" for package in (boardumpire.web, boardsim.page)]


def read(name: str) -> str:
    (found,) = [folder / f"{name}.js" for folder in STATIC if (folder / f"{name}.js").exists()]
    return found.read_text(encoding="utf-8")


def test_each_module_is_there_once_and_before_who_needs_it() -> None:
    files = {
        "far": "export const a = 1;\n",
        "near": 'import { a } from "/far.js";\nexport function b() { return a; }\nconst own = 2;\n',
        "main": 'import { b } from "/near.js";\nimport { a } from "/far.js";\nexport class C {}\nb(a);\n',
    }
    assert whole("main", files.__getitem__, ()) == (
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
    assert "const { a,\nb } = $far;\na(b);\n" in whole("main", files.__getitem__, ())


def test_comments_and_indents_are_not_sent() -> None:
    files = {
        "main": "// What it is.\n\n/**\n * Adds.\n * @param {number} a\n */\nconst add = (a) => {\n"
        "  // one more\n  return a + 1; // here\n};\nconst page = 'http://x';\n"
        "/** @type {any} */ (page).a();\n/** More. */\n"
    }
    assert whole("main", files.__getitem__, ()) == (
        "\nconst add = (a) => {\nreturn a + 1; // here\n};\nconst page = 'http://x';\n"
        "/** @type {any} */ (page).a();\n"
    )
    with pytest.raises(ValueError, match="backticks to end on its line"):
        whole("main", {"main": "const a = `x\n  y`;\n"}.__getitem__, ())


@pytest.mark.parametrize(
    "line",
    ['import "/x.js";', 'import * as x from "/x.js";', "export default 1;", 'export { a } from "/x.js";'],
)
def test_any_other_form_is_named(line: str) -> None:
    with pytest.raises(ValueError, match=r"odd\.js: '(im|ex)port"):
        whole("odd", {"odd": line + "\n"}.__getitem__, ())


def test_what_several_scripts_use_is_sent_once() -> None:
    files = {
        "far": "export const a = 1;\n",
        "near": 'import { a } from "/far.js";\nexport const b = a;\n',
        "own": "export const c = 3;\n",
        "main": 'import { a } from "/far.js";\nimport { c } from "/own.js";\na(c);\n',
        "alone": 'import { c } from "/own.js";\nc();\n',
    }
    assert together(files.__getitem__, ["near"]) == (
        "const $far = (() => {\nconst a = 1;\nreturn { a };\n})();\n"
        "const $near = (() => {\nconst { a } = $far;\nconst b = a;\nreturn { b };\n})();\n"
        "export { $far, $near };\n"
    )
    assert whole("main", files.__getitem__, ["near"]) == (
        'import { $far } from "/shared.js";\nconst $own = (() => {\nconst c = 3;\nreturn { c };\n})();\n'
        "const { a } = $far;\nconst { c } = $own;\na(c);\n"
    )
    assert "shared" not in whole("alone", files.__getitem__, ["near"])


@pytest.mark.parametrize("name", ["main", "replay", "hands", "castle", "hunt", "makers"])
def test_the_pages_own_scripts_ask_for_nothing_but_what_is_shared(name: str) -> None:
    first, *rest = whole(name, read).split("\n")
    assert first.endswith(' from "/shared.js";')
    assert not any(line.startswith("import ") for line in rest)
    assert "import " not in together(read)
