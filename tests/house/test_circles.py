"""No module waits for another that waits for it: imports for types and inside functions count as well."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import distributions

FOLDERS = (*distributions.folders(), distributions.ROOT / "tests")


def modules() -> dict[str, Path]:
    """Every module of the tree, by its name; the tests' own among them."""
    found = {}
    for folder in FOLDERS:
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(found: dict[str, Path]) -> dict[str, set[str]]:
    """Which modules each one names in an import, wherever that stands."""
    graph = {}
    for name, path in found.items():
        named = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}:{node.lineno}: imports here are absolute"
                inside = {f"{node.module}.{alias.name}" for alias in node.names}
                named |= (inside & found.keys()) or {str(node.module)}
        graph[name] = named & found.keys() - {name}
    return graph


def in_circles(graph: dict[str, set[str]]) -> set[str]:
    """The modules that come back to themselves."""

    def beyond(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = list(graph[start])
        while ahead:
            name = ahead.pop()
            if name not in seen:
                seen.add(name)
                ahead += graph[name]
        return seen

    return {name for name in graph if name in beyond(name)}


@pytest.mark.slow
def test_no_module_stands_in_a_circle() -> None:
    assert in_circles(imports(modules())) == set()


def test_a_circle_is_found() -> None:
    assert in_circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {"b", "c"}
