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

SHARED = ("dom", "parts", "pieces", "place", "words")
"""The modules that, with those they import, are sent in a script of their own."""

_IMPORT = re.compile(r'^import \{\s+([^}]+?),?\s+\} from "(/[\w/-]+|\./[\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import\b|export\b(?! (?:async )?(?:function|class|const)\b)).*", re.MULTILINE)
_NOTE = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)\n", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_SPACE = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"""  # a text, as it is
    r"""|[ ]*//[^\n]*|/\*[\s\S]*?\*/"""  # a comment
    r"""|,\s*(?=[)\]}])"""  # what ends a list needs no sign
    r"""|\s*([\[({,;=?:&|<>]+)\s*"""  # what a statement goes on after, or what ends it
    r"""|\s*([)\]}]+)[ ]*"""
    r"""|\s+(?=\.\w)"""
)
"""What `dense` leaves out, and what of it stays."""


def whole(name: str, read: Callable[[str], str], shared: Iterable[str] = SHARED) -> str:
    """The module `name` with those it imports before it, and theirs; `read` gives the text of one.

    What `together` sends is taken from there. The house's modules import and export in one form only. Raises
    `ValueError` for any other.
    """
    there = dict.fromkeys(_all(shared, read), "")
    before = dict(there)
    body = _inlined(name, read, before, last=True)
    used = ", ".join(_bound(each) for each in there if f" = {_bound(each)};\n" in body)
    return (f'import {{ {used} }} from "/shared.js";\n' if used else "") + body


def dense(text: str) -> str:
    """A script without the spaces, line ends and comments that change nothing in it: a tenth of its bytes.

    It is read as the house's scripts are written: each statement ends with its own sign, no text has a line
    end, and no pattern has a quotation mark or a space in it.
    """
    return _SPACE.sub(r"\1\2\3", text)


def together(read: Callable[[str], str], shared: Iterable[str] = SHARED) -> str:
    """The script `shared.js`: these modules with those they import, as other scripts take them from it."""
    modules = _all(shared, read)
    return "".join(modules.values()) + f"export {{ {', '.join(map(_bound, modules))} }};\n"


def _all(names: Iterable[str], read: Callable[[str], str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        if name not in found:
            found[name] = _inlined(name, read, found)
    return found


def _inlined(name: str, read: Callable[[str], str], before: dict[str, str], *, last: bool = False) -> str:
    text = _NOTE.sub("", read(name))
    for row in text.splitlines():
        if row.count("`") % 2:
            raise ValueError(f"{name}.js: {row!r}; expected a text in backticks to end on its line")
    text = _INDENT.sub("", text)
    for _, path in _IMPORT.findall(text):
        other = _imported(path, name)
        if other not in before:
            before[other] = _inlined(other, read, before)
    body = _IMPORT.sub(lambda found: f"const {{ {found[1]} }} = {_bound(_imported(found[2], name))};\n", text)
    found = _OTHER.search(body)
    if found is not None:
        raise ValueError(
            f'{name}.js: {found[0]!r}; expected import {{ a, b }} from "/name.js" or "./name.js",'
            " export of a name"
        )
    if last:
        return "".join(before.values()) + body
    exported = ", ".join(_EXPORT.findall(body))
    return f"const {_bound(name)} = (() => {{\n{_EXPORT.sub('', body)}return {{ {exported} }};\n}})();\n"


def _imported(path: str, by: str) -> str:
    """The module that `by` imports from that path."""
    folder = by.rpartition("/")[0]
    return path.removeprefix("/") if path.startswith("/") else f"{folder}/{path[2:]}".lstrip("/")


def _bound(name: str) -> str:
    """The variable that holds what a module exports."""
    return f"${re.sub(r'[^0-9A-Za-z_]', '_', name)}"
