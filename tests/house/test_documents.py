"""The documents say what is so: links lead somewhere, commands exist, every skip and lock is in order."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from hypothesis import settings

import distributions

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PAGES = sorted(
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "*.md", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    if (ROOT / name).exists()
)
TRANSLATED_OR_MADE = re.compile(r"docs/play/(?!en/)[a-z]{2}/|hardware/made/")
MOST_WORDS = 60_000
"""All English documents together: whoever adds a page shortens others."""
LINK = re.compile(r"!?\[[^]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def slug(heading: str) -> str:
    """The anchor that a Markdown page gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    return {slug(line.lstrip("#")) for line in page.read_text().splitlines() if line.startswith("#")}


def shell_lines(page: Path) -> list[str]:
    """The commands in a page's console blocks, one a line, prompts and comments gone."""
    blocks = re.findall(r"```(?:console|sh)\n(.*?)```", page.read_text(), re.DOTALL)
    return [
        line.removeprefix("$ ").partition(" #")[0].strip()
        for block in blocks
        for line in block.splitlines()
        if line.strip()
    ]


def test_english_documents_are_not_longer_than_one_reads() -> None:
    pages = [page for page in PAGES if not TRANSLATED_OR_MADE.match(page.relative_to(ROOT).as_posix())]
    words = {page.relative_to(ROOT).as_posix(): len(page.read_text().split()) for page in pages}
    longest = sorted(words, key=words.__getitem__)[-10:]
    assert len(pages) > 50
    assert sum(words.values()) <= MOST_WORDS, f"the longest are {', '.join(longest)}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_inside_the_house_leads_to_a_file_and_a_heading_that_exist(page: Path) -> None:
    broken = []
    for target in LINK.findall(CODE.sub("", page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        target = re.sub(r"^\.\./\.\./issues/new(?:/choose|\?template=)", ".github/ISSUE_TEMPLATE/", target)
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        if there.is_relative_to(EXAMPLES) and not EXAMPLES.is_dir():
            continue  # nothing needs the examples, so whoever does without them has links to them alone
        if not there.exists() or (anchor and anchor not in anchors(there)):
            broken.append(target)
    assert not broken


def test_every_make_command_in_the_documents_is_a_target_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        word
        for page in PAGES
        for block in CODE.findall(page.read_text())
        for word in re.findall(r"(?:^|[`$]) ?make ([a-z-]+)", block, re.MULTILINE)
    }
    assert named
    assert named <= targets


def test_every_boardumpire_command_in_the_documents_is_one_that_the_program_has() -> None:
    from boardumpire.cli import main

    lines = {line for page in PAGES for line in shell_lines(page) if line.startswith("boardumpire ")}
    assert lines
    for line in sorted(lines):
        command = [word for word in line.split()[1:3] if re.fullmatch(r"[a-z]+", word)][:1]
        with pytest.raises(SystemExit) as stopped:
            main([*command, "--help"])
        assert stopped.value.code == 0, line


@functools.cache
def sources() -> list[str]:
    """The text of every module of the distributions."""
    return [path.read_text() for folder in distributions.folders() for path in folder.rglob("*.py")]


@functools.cache
def classes() -> dict[str, set[str]]:
    """By the name of a class the names that its body and the heads of its bases bring."""
    found: dict[str, set[str]] = {}
    for node in (node for text in sources() for node in ast.walk(ast.parse(text))):
        if isinstance(node, ast.ClassDef):
            names = found.setdefault(node.name, set())
            names |= {base.id for base in node.bases if isinstance(base, ast.Name)}
            names |= {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            names |= {
                each.target.id
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            }
    return found


def has(owner: str, member: str) -> bool:
    """Whether a class or one of its bases defines something of this name."""
    names = classes().get(owner, set())
    return member in names or any(has(base, member) for base in names & classes().keys() - {owner})


def is_there(name: str) -> bool:
    """Whether it is a module, a group of entry points, a file of ours, or a member of a class. Else it is
    something that this test knows nothing of."""
    first, *rest = name.split(".")
    if first in distributions.projects():
        (at,) = (folder / first for folder in distributions.folders() if (folder / first).is_dir())
        at = at.joinpath(*rest)
        return at.is_dir() or at.with_suffix(".py").exists() or any(f'"{name}"' in each for each in sources())
    if rest == ["py"]:
        return any(True for part in (*distributions.PARTS, "tests") for _ in (ROOT / part).rglob(name))
    packages = [path for folder in distributions.folders() for path in folder.glob(f"board*/{first}")]
    if rest[0] not in ("svg", "toml") and any((path / "__init__.py").exists() for path in packages):
        return any((path / rest[0]).with_suffix(".py").exists() for path in packages)
    return not re.fullmatch(r"[A-Z]\w*[a-z]\.\w+", name) or has(first, rest[0])


@pytest.mark.slow
def test_modules_and_methods_that_the_documents_name_are_there() -> None:
    dotted = re.compile(r"`([A-Za-z_]+(?:\.[a-z_]+)+)(?:\(\))?`")
    gone = {
        f"{page.relative_to(ROOT)}: {name}"
        for page in PAGES
        for name in dotted.findall(page.read_text())
        if not is_there(name)
    }
    assert not gone


def test_make_without_a_target_tells_every_target_that_a_person_may_want() -> None:
    shown = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in ("play", "test", "check", "nightly", "bench", "lock"):
        assert f"make {target} " in shown


@pytest.mark.parametrize("name", ["dev.txt", "play.txt", "pi.txt", "cluster.txt", "docs.txt", "adapters.txt"])
def test_the_lock_pins_every_package_with_hashes_and_names_no_place(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text()
    entries = re.split(r"\n(?=[a-z])", text)
    assert all(re.match(r"[a-z0-9.-]+==\S+( ; [^\\]+)? \\\n    --hash=sha256:", entry) for entry in entries)
    assert not re.search(r"://|--index|--find-links|--trusted|/(home|root|tmp|opt)/", text)


@pytest.mark.parametrize("name", ["dev", "play", "pi", "cluster", "docs"])
def test_a_lock_holds_every_dependency_and_none_of_our_own(name: str) -> None:
    folder = ROOT / "requirements"
    text = (folder / f"{name}.txt").read_text()
    locked = set(re.findall(r"^([a-z0-9.-]+)==", text, re.MULTILINE))
    wanted = re.findall(r"^[a-z].*", (folder / f"{name}.in").read_text(), re.MULTILINE)
    names = {each for requirement in wanted for each in distributions.needed(requirement)}
    assert ({"mkdocs-material", "towncrier"} if name == "docs" else {"gpiozero", "pynacl"}) <= names
    assert names <= locked
    assert not locked & distributions.projects().keys()


def test_make_and_the_locks_know_every_distribution() -> None:
    folders = {folder.relative_to(ROOT).as_posix() for folder in distributions.folders()}
    (line,) = re.findall(r"^DISTRIBUTIONS := (.*)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(line.split()) == folders
    own = (ROOT / "requirements" / "own.in").read_text()
    assert set(re.findall(r"^-e \./(.*)", own, re.MULTILINE)) == folders
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert set(settings["mypy"]["mypy_path"]) == folders
    assert set(settings["ruff"]["src"]) == {*folders, "tests"}
    assert set(settings["mypy"]["packages"]) == set(settings["importlinter"]["root_packages"])
    assert set(settings["mypy"]["packages"]) == distributions.projects().keys()


def test_nobody_is_told_to_install_our_names_from_an_index() -> None:
    """Whose they are there is not ours to say: messages name the package, a wheel's file or the checkout."""
    ours = "|".join([*distributions.projects()])
    asked = rf"pip install[^\n]*[\s'\"](?:{ours})(?:\[|['\"`\s]|$)"
    listed = ["git", "grep", "-InP", asked, "--", ".", ":!tests", ":!CHANGELOG.md"]
    told = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True)
    assert (told.returncode, told.stdout) == (1, ""), told.stdout + told.stderr


def test_no_property_depends_on_how_fast_the_machine_is() -> None:
    assert settings().deadline is None
