"""Runs the long proofs (`pytest -m prove`) and keeps what they found in docs/proofs.json and docs/proofs.md.

A proof is a test marked `prove`. Its docstring says in a sentence what it proves; with pytest's own
`record_property` it tells its seed and its figures (`record_property("seed", 7)`). Beside the figures stands
the hash of all sources that it imports or names by their path, without docstrings and comments: once one of
them has changed the proof is stale, and `make prove` runs it again. With arguments it runs what they name;
`make prove ARGS=--list` only says what is stale. Parts of a proof may run one after the other: each is kept
in build/ as soon as it has passed, and they add up while their sources are the same.
"""

from __future__ import annotations

import ast
import datetime
import hashlib
import json
import platform
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
INDEX, PAGE = "docs/proofs.json", "docs/proofs.md"
PARTS = "build/proof-parts.json"
"""What parts of proofs found whose other parts have not run yet."""
FOLDERS = ("controller", "hardware", "firmware", "sim", "tests")
WORDS = {".po", ".mo", ".pot", ".md"}
"""Kinds of files beside the sources that no proof hangs on."""
ALSO = {
    "tests/userland/machine.py": ("tests/userland/conftest.py",),
    "tests/userland/packages.py": ("package", "systemd"),
    "tests/userland/guide.py": ("docs/makers/install.md",),
}
"""What else a module hangs on without an import: files, and folders whole."""
SAME = ("seed", "scripts", "steps a run, at most")
"""Numbers that are the same for every part of a proof. All others are added up."""


class Notes:
    """A pytest plugin that keeps which proofs there are, and what those that ran reported."""

    def __init__(self, commit: str = "") -> None:
        """`commit`: what runs; then each part that passes is kept at once, whatever becomes of the others."""
        self.commit = commit
        self._hashes: dict[str, str] = {}
        self.parts: dict[str, set[str]] = {}
        """By proof (`tests/x/test_y.py::test_z`) the ids of its parts."""
        self.reports: dict[str, list[pytest.TestReport]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            if item.get_closest_marker("prove"):
                self.parts.setdefault(proof_of(item.nodeid), set()).add(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.skipped or report.failed:
            proof = proof_of(report.nodeid)
            self.reports.setdefault(proof, []).append(report)
            if self.commit and report.passed and len(self.parts.get(proof, ())) > 1:
                module = proof.partition("::")[0]
                if module not in self._hashes:
                    self._hashes[module] = hash_of(module)
                keep(proof, [report], self.commit, self._hashes[module])


class Part(NamedTuple):
    """What is known of a part of a proof that ran."""

    outcome: str
    duration: float
    user_properties: list[tuple[str, object]]
    commit: str
    sources: str


def proof_of(nodeid: str) -> str:
    """The name of the proof that a test is, or is a part of."""
    return nodeid.partition("[")[0]


def git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


# Sources


def module_files(root: Path) -> dict[str, Path]:
    """Every module under `root`, the tests' own among them, by its name."""
    found = {}
    for folder in FOLDERS:
        for path in (root / folder).rglob("*.py"):
            parts = path.relative_to(root / folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def named_in(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a source names: the modules, and names in modules, that it imports; and sources by their path."""
    modules, paths = set(), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith(".py"):
            paths.add(node.value)
    return frozenset(modules), frozenset(paths)


def plugged_in(root: Path) -> set[str]:
    """The modules that are reached by entry points alone."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    groups = [project.get("scripts", {}), *project.get("entry-points", {}).values()]
    return {where.partition(":")[0] for group in groups for where in group.values()}


def sources_of(module: str, root: Path = ROOT) -> list[Path]:
    """The files that a test module hangs on: what it imports or names by its path, and what that does in
    turn, with their data."""
    files, points = module_files(root), plugged_in(root)
    seen: dict[Path, None] = {}
    ahead = [root / module]
    while ahead:
        path = ahead.pop()
        if path in seen:
            continue
        seen[path] = None
        named, paths = named_in(path.read_text())
        if "importlib.metadata" in named:
            named |= points
        ahead += [files[name] for name in named if name in files]
        ahead += [root / each for each in paths if (root / each).is_file()]
        ahead += [each for each in _within(path.parent) if each.suffix == ".py"]
        for name in ALSO.get(str(path.relative_to(root)), ()):
            for each in (root / name, *(root / name).rglob("*")):
                if each.suffix == ".py":
                    ahead.append(each)
                elif each.is_file() and each.suffix != ".pyc":
                    seen[each] = None
    return sorted({*seen, *_data_beside(seen)})


def _data_beside(paths: Iterable[Path]) -> Iterable[Path]:
    for folder in {path.parent for path in paths}:
        yield from (
            path
            for path in [*folder.glob("*"), *_within(folder)]
            if path.is_file() and path.suffix not in WORDS | {".py", ".pyc", ".so"}
        )


@cache
def _within(folder: Path) -> tuple[Path, ...]:
    """All files in those folders of a package that are no packages: what it reads or hands on rather than
    imports, such as board files, and what a Pico boots."""
    if not (folder / "__init__.py").exists():
        return ()
    inner = [each for each in folder.iterdir() if each.is_dir() and each.name != "__pycache__"]
    return tuple(
        path
        for each in inner
        if not (each / "__init__.py").exists()
        for path in each.rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    )


def hash_of(module: str, root: Path = ROOT) -> str:
    """A hash of all that a test module hangs on. Docstrings and comments of Python's sources don't count."""
    found = hashlib.sha256()
    for path in sources_of(module, root):
        found.update(f"{path.relative_to(root)}\0".encode())
        content = path.read_bytes()
        found.update(program(content) if path.suffix == ".py" else hashlib.sha256(content).digest())
    return found.hexdigest()[:16]


@cache
def program(source: bytes) -> bytes:
    """A hash of what a source does: its syntax without docstrings, comments and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, [each for each in block if not _is_text(each)])
    return hashlib.sha256(ast.dump(tree).encode()).digest()


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


# The index


def read() -> dict[str, dict[str, Any]]:
    """What is known of each proof."""
    path = ROOT / INDEX
    return json.loads(path.read_text()) if path.exists() else {}


def stale(parts: Iterable[str], index: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The proofs that never ran, failed, or whose sources have changed since."""
    hashes: dict[str, str] = {}
    found = []
    for proof in sorted(parts):
        module = proof.partition("::")[0]
        known = index.get(proof)
        if module not in hashes:
            hashes[module] = hash_of(module)
        if known is None or known["result"] != "passed" or known["sources"] != hashes[module]:
            found.append(proof)
    return found


def together(figures: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """All figures of a proof in one, of each part and of each time that a part told one: counts are added up,
    measured numbers span a range."""
    found: dict[str, Any] = {}
    for name in dict.fromkeys(name for each in figures for name in each):
        values = [each[name] for each in figures if name in each]
        if name not in SAME and all(type(value) is int for value in values):
            found[name] = sum(values)
        elif len({str(value) for value in values}) == 1:
            found[name] = values[0]
        elif all(isinstance(value, int | float) for value in values):
            found[name] = f"{min(values)} to {max(values)}"
    return found


def entry(module: str, reports: Sequence[pytest.TestReport | Part], commit: str) -> dict[str, Any]:
    """What is kept of a proof that ran."""
    results = [report.outcome for report in reports]
    return {
        "result": next((each for each in ("failed", "skipped") if each in results), "passed"),
        "commit": commit,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "parts": len(reports),
        "seconds": round(sum(report.duration for report in reports), 1),
        "figures": together([{name: value} for report in reports for name, value in report.user_properties]),
        "sources": hash_of(module),
    }


def add(
    parts: Mapping[str, Part], reports: Sequence[pytest.TestReport], commit: str, sources: str
) -> dict[str, Part]:
    """The parts of a proof that ran on these sources, with those that have run now."""
    known = {name: part for name, part in parts.items() if part.sources == sources}
    for report in reports:
        known.pop(report.nodeid, None)
        if report.outcome == "passed":
            figures = [*report.user_properties]
            known[report.nodeid] = Part(report.outcome, report.duration, figures, commit, sources)
    return known


def some(
    proof: str,
    reports: Sequence[pytest.TestReport],
    wanted: set[str],
    whole: Mapping[str, Any] | None,
    commit: str,
) -> dict[str, Any] | None:
    """What is kept of a proof of which only some parts have run now, with those that ran before; `None` if
    what is known of it is more."""
    module = proof.partition("::")[0]
    sources = hash_of(module)
    failed = any(report.outcome == "failed" for report in reports)
    if whole is not None and whole["sources"] == sources and whole["result"] == "passed" and not failed:
        return None
    known = keep(proof, reports, commit, sources)
    if not known and not failed:
        return None
    commits = "; ".join(sorted({part.commit for part in known.values()})) or commit
    found = entry(module, [*known.values()], commits)
    if failed:
        found["result"] = "failed"
    elif set(known) != wanted:
        found["result"] = f"{len(known)} of {len(wanted)} parts passed"
    return found


def keep(proof: str, reports: Sequence[pytest.TestReport], commit: str, sources: str) -> dict[str, Part]:
    """Keep what parts of a proof reported; all that is known of it on these sources."""
    parts = read_parts()
    known = add({name: parts[name] for name in parts if proof_of(name) == proof}, reports, commit, sources)
    write_parts({name: parts[name] for name in parts if proof_of(name) != proof} | known)
    return known


def read_parts() -> dict[str, Part]:
    """What is kept of parts whose proofs are not whole yet."""
    path = ROOT / PARTS
    kept = json.loads(path.read_text()) if path.exists() else {}
    return {name: Part(*part) for name, part in kept.items()}


def write_parts(parts: Mapping[str, Part]) -> None:
    """Keep them."""
    path = ROOT / PARTS
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(parts, indent=1, default=str) + "\n")


def claims(path: Path) -> tuple[str, dict[str, str]]:
    """The first sentences of a module's docstring and, for each of its functions, the docstring."""
    tree = ast.parse(path.read_text())
    functions = {
        node.name: " ".join((ast.get_docstring(node) or "").split())
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    about = (ast.get_docstring(tree) or path.stem).split("\n\n")[0]
    return " ".join(about.split()).rstrip("."), functions


def page(index: Mapping[str, Mapping[str, Any]]) -> str:
    """The index in Markdown."""
    lines = [
        "# What was proved, when and from which sources",
        "",
        "Written by `make prove`; not edited by hand. `make prove ARGS=...` with the first column",
        "runs it again; `make prove ARGS=--list` says which are older than the sources that they hang on.",
    ]
    modules: dict[str, list[str]] = {}
    for proof in sorted(index):
        modules.setdefault(proof.partition("::")[0], []).append(proof)
    for module, proofs in modules.items():
        about, sentences = claims(ROOT / module)
        lines += ["", f"## {about}", "", "| proof | figures | run |", "|---|---|---|"]
        for proof in proofs:
            known, name = index[proof], proof.split("::")[-1]
            figures = "; ".join(f"{key}: {value}" for key, value in known["figures"].items())
            sentence = sentences.get(name, "").replace("|", "\\|")
            run = f"{known['result']}, {known['seconds']} s, `{known['commit']}`, {known['date']}"
            run += "" if known["sources"] else ", sources not kept: stale"
            lines.append(f"| `{proof}` {sentence} | {figures.replace('|', chr(92) + '|')} | {run} |")
    return "\n".join(lines) + "\n"


def write(index: Mapping[str, Mapping[str, Any]]) -> None:
    """Keep the index, and show it."""
    text = json.dumps(dict(sorted(index.items())), indent=1, ensure_ascii=False, default=str)
    (ROOT / INDEX).write_text(text + "\n")
    (ROOT / PAGE).write_text(page(json.loads(text)))


def files_named(arguments: Sequence[str]) -> list[str]:
    """The files and folders among pytest's arguments: not its options, nor the expression after `-k`."""
    pairs = zip(["", *arguments], arguments, strict=False)
    words = [word.partition("::")[0] for before, word in pairs if before not in ("-k", "-m")]
    return [word for word in words if not word.startswith("-") and (ROOT / word).exists()]


def main(arguments: list[str]) -> int:
    known = read()
    every = Notes()
    named = files_named(arguments)
    pytest.main(["-m", "prove", "--collect-only", "-qq", "--no-header", *named], plugins=[every])
    old = stale(every.parts, known)
    if "--list" in arguments or not (arguments or old):
        print("\n".join(["", f"{len(old)} of {len(every.parts)} proofs are stale:", *old]))
        return 0
    dirty = " and changes not committed" if git("status", "--porcelain", "--", ".", ":!docs") else ""
    commit = git("rev-parse", "--short=12", "HEAD") + dirty
    notes = Notes(commit)
    code = pytest.main(["-m", "prove", *(arguments or old)], plugins=[notes])
    # Another run may have kept something meanwhile.
    index = {proof: each for proof, each in read().items() if named or proof in every.parts}
    for proof, reports in notes.reports.items():
        wanted = every.parts.get(proof, set())
        if {report.nodeid for report in reports} < wanted:
            found = some(proof, reports, wanted, index.get(proof), commit)
            if found is not None:
                index[proof] = found
        elif all(report.outcome == "skipped" for report in reports):
            print(f"{proof}: skipped, so what was known of it is kept")
        else:
            index[proof] = entry(proof.partition("::")[0], reports, commit)
    write(index)
    print(f"wrote {PAGE}")
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
