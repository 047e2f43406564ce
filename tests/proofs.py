"""Runs the long proofs (`pytest -m prove`) and writes each module's into docs/proofs/.

A proof is a test marked `prove`. Its docstring says in a sentence what it proves; with pytest's own
`record_property` it tells its seed and its figures (`record_property("seed", 7)`).
"""

from __future__ import annotations

import ast
import datetime
import platform
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "proofs"


class Notes:
    """A pytest plugin that keeps what the proofs reported."""

    def __init__(self) -> None:
        self.reports: list[pytest.TestReport] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.skipped or report.failed:
            self.reports.append(report)


def git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def claims(path: Path) -> tuple[str, dict[str, str]]:
    """The module's docstring and, for each of its functions, the docstring."""
    tree = ast.parse(path.read_text())
    functions = {
        node.name: ast.get_docstring(node) or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    return ast.get_docstring(tree) or path.stem, functions


def kept(path: Path, run: set[str]) -> dict[str, str]:
    """The sections of a page that tell of proofs that were not run now, by their names."""
    if not path.exists():
        return {}
    sections = path.read_text().split("\n## ")[1:]
    named = {section.partition("\n")[0]: section.partition("\n")[2] for section in sections}
    return {name: text for name, text in named.items() if name not in run}


def page(
    module: str, reports: list[pytest.TestReport], commit: str, others: dict[str, str] | None = None
) -> str:
    """One page of proofs, in Markdown; `others` are sections of earlier runs of other parts of it."""
    about, sentences = claims(ROOT / module)
    lines = [
        f"# {about.splitlines()[0].rstrip('.')}",
        "",
        "Written by `make prove`; not edited by hand.",
        "",
        f"- command: `make prove ARGS={shlex.quote(module)}`",
        f"- commit: `{commit}`",
        f"- date: {datetime.datetime.now(datetime.UTC).date().isoformat()}",
        f"- machine: {platform.machine()}, Python {platform.python_version()}",
    ]
    for report in reports:
        name = report.nodeid.partition("::")[2]
        sentence = sentences.get(name.partition("[")[0], "")
        lines += ["", f"## {name}", ""]
        if sentence:
            lines += [sentence, ""]
        lines += [
            "| | |",
            "|---|---|",
            f"| result | **{report.outcome}** |",
            f"| took | {report.duration:.1f} s |",
        ]
        if others is not None:
            lines += [f"| commit | `{commit}` |"]
        lines += [f"| {key} | {value} |" for key, value in report.user_properties]
    for name, text in sorted((others or {}).items()):
        lines += ["", f"## {name}", text.rstrip()]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    notes = Notes()
    code = pytest.main(["-m", "prove", *arguments], plugins=[notes])
    dirty = " and changes not committed" if git("status", "--porcelain", "--", ".", ":!docs/proofs") else ""
    commit = git("rev-parse", "--short=12", "HEAD") + dirty
    modules: dict[str, list[pytest.TestReport]] = {}
    for report in notes.reports:
        modules.setdefault(report.nodeid.partition("::")[0], []).append(report)
    PAGES.mkdir(parents=True, exist_ok=True)
    in_parts = any("::" in word for word in arguments)
    for module, reports in modules.items():
        name = (
            Path(module)
            .with_suffix("")
            .as_posix()
            .removeprefix("tests/")
            .replace("/", "-")
            .replace("test_", "")
        )
        path = PAGES / f"{name}.md"
        run = {report.nodeid.partition("::")[2] for report in reports}
        path.write_text(page(module, reports, commit, kept(path, run) if in_parts else None))
        print(f"wrote docs/proofs/{name}.md")
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
