"""Scripts as they are sent: each with the modules that it imports, so that a browser asks once.

A small board answers a request in some milliseconds and a phone waits for each; eight small modules would be
eight such waits. No tool builds anything: the modules are written one after the other, each in a function of
its own that returns what it exports. Comments and indents stay here: they would be a fifth of what is sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_IMPORT = re.compile(r'^import \{\s+([^}]+?),?\s+\} from "/(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import\b|export\b(?! (?:async )?(?:function|class|const)\b)).*", re.MULTILINE)
_NOTE = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)\n", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def whole(name: str, read: Callable[[str], str]) -> str:
    """The module `name` with those it imports before it, and theirs; `read` gives the text of one.

    The house's modules import and export in one form only. Raises `ValueError` for any other.
    """
    return _inlined(name, read, {}, last=True)


def _inlined(name: str, read: Callable[[str], str], before: dict[str, str], *, last: bool = False) -> str:
    text = _NOTE.sub("", read(name))
    for row in text.splitlines():
        if row.count("`") % 2:
            raise ValueError(f"{name}.js: {row!r}; expected a text in backticks to end on its line")
    text = _INDENT.sub("", text)
    for _, other in _IMPORT.findall(text):
        if other not in before:
            before[other] = _inlined(other, read, before)
    body = _IMPORT.sub(r"const { \1 } = $\2;\n", text)
    found = _OTHER.search(body)
    if found is not None:
        raise ValueError(
            f'{name}.js: {found[0]!r}; expected import {{ a, b }} from "/name.js", export of a name'
        )
    if last:
        return "".join(before.values()) + body
    exported = ", ".join(_EXPORT.findall(body))
    return f"const ${name} = (() => {{\n{_EXPORT.sub('', body)}return {{ {exported} }};\n}})();\n"
