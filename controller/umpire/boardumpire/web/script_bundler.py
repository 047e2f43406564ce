"""Scripts as they are sent: each with the modules that it imports, so that a browser asks once for each.

A small board answers a request in some milliseconds and a phone waits for each; eight small modules would be
eight such waits. No tool builds anything: the modules are written one after the other, each in a function of
its own that returns what it exports. Comments and indents stay here: they would be a fifth of what is sent.
What every script uses is sent once, as `shared.js`: the page's own script and a game's have the same modules.

A module is called by its path without `.js`: `dom`, or `game/chess/scene` for a script that a game brings. It
imports modules of the page as `/dom.js` and those beside it as `./map.js`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

SHARED_MODULES = ("dom", "parts", "pieces", "place", "words")
"""The modules that, with those they import, are sent in a script of their own."""

_IMPORT_PATTERN = re.compile(r'^import \{\s+([^}]+?),?\s+\} from "(/[\w/-]+|\./[\w-]+)\.js";\n', re.MULTILINE)
_RENAMED_PATTERN = re.compile(r"(\w+) as (\w+)")
_EXPORT_PATTERN = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_UNSUPPORTED_STATEMENT_PATTERN = re.compile(
    r"^(?:import\b|export\b(?! (?:async )?(?:function|class|const)\b)).*", re.MULTILINE
)
_COMMENT_LINE_PATTERN = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)\n", re.MULTILINE)
_INDENT_PATTERN = re.compile(r"^[ \t]+", re.MULTILINE)
_REMOVABLE_PATTERN = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"""  # a text, as it is
    r"""|[ ]*//[^\n]*|/\*[\s\S]*?\*/"""  # a comment
    r"""|,\s*(?=[)\]}])"""  # what ends a list needs no sign
    r"""|\s*([\[({,;=?:&|<>]+)\s*"""  # what a statement goes on after, or what ends it
    r"""|\s*([)\]}]+)[ ]*"""
    r"""|\s+(?=\.\w)"""
)
"""What `minify` leaves out, and what of it stays."""


def bundle_module(name: str, read: Callable[[str], str], shared: Iterable[str] = SHARED_MODULES) -> str:
    """The module `name` with those it imports before it, and theirs; `read` gives the text of one.

    What `bundle_shared` sends is taken from there. The house's modules import and export in one form only.
    Raises `ValueError` for any other.
    """
    there = dict.fromkeys(_inline_modules(shared, read), "")
    before = dict(there)
    body = _inline_module(name, read, before, last=True)
    used = ", ".join(_module_variable(each) for each in there if f" = {_module_variable(each)};\n" in body)
    return (f'import {{ {used} }} from "/shared.js";\n' if used else "") + body


@lru_cache(maxsize=64)
def minify(text: str) -> str:
    """A script without the spaces, line ends and comments that change nothing in it: a tenth of its bytes.

    It is read as the house's scripts are written: each statement ends with its own sign, no text has a line
    end, and no pattern has a quotation mark or a space in it.
    """
    return _REMOVABLE_PATTERN.sub(r"\1\2\3", text)


def bundle_shared(read: Callable[[str], str], shared: Iterable[str] = SHARED_MODULES) -> str:
    """The script `shared.js`: these modules with those they import, as other scripts take them from it."""
    modules = _inline_modules(shared, read)
    return "".join(modules.values()) + f"export {{ {', '.join(map(_module_variable, modules))} }};\n"


def _inline_modules(names: Iterable[str], read: Callable[[str], str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        if name not in found:
            found[name] = _inline_module(name, read, found)
    return found


def _inline_module(
    name: str, read: Callable[[str], str], before: dict[str, str], *, last: bool = False
) -> str:
    text = _strip_layout(name, read(name))
    for _, path in _IMPORT_PATTERN.findall(text):
        other = _resolve_import(path, name)
        if other not in before:
            before[other] = _inline_module(other, read, before)
    body = _IMPORT_PATTERN.sub(
        lambda found: _taken(found[1], _resolve_import(found[2], name)),
        text,
    )
    found = _UNSUPPORTED_STATEMENT_PATTERN.search(body)
    if found is not None:
        raise ValueError(
            f'{name}.js: {found[0]!r}; expected import {{ a, b }} from "/name.js" or "./name.js",'
            " export of a name"
        )
    if last:
        return "".join(before.values()) + body
    exported = ", ".join(_EXPORT_PATTERN.findall(body))
    return (
        f"const {_module_variable(name)} = (() => {{\n{_EXPORT_PATTERN.sub('', body)}"
        f"return {{ {exported} }};\n}})();\n"
    )


@lru_cache(maxsize=128)
def _strip_layout(name: str, text: str) -> str:
    """A module without comments and indents. Raises `ValueError` for a text that they would be part of."""
    text = _COMMENT_LINE_PATTERN.sub("", text)
    for row in text.splitlines():
        if row.count("`") % 2:
            raise ValueError(f"{name}.js: {row!r}; expected a text in backticks to end on its line")
    return _INDENT_PATTERN.sub("", text)


def _taken(names: str, module: str) -> str:
    """The statement that takes names of a module, as `a, b as c`, from its variable."""
    taken = _RENAMED_PATTERN.sub(r"\1: \2", names)
    return f"const {{ {taken} }} = {_module_variable(module)};\n"


def _resolve_import(path: str, by: str) -> str:
    """The module that `by` imports from that path."""
    folder = by.rpartition("/")[0]
    return path.removeprefix("/") if path.startswith("/") else f"{folder}/{path[2:]}".lstrip("/")


def _module_variable(name: str) -> str:
    """The variable that holds what a module exports."""
    return f"${re.sub(r'[^0-9A-Za-z_]', '_', name)}"
