"""The index of proofs: it names proofs that there are, and knows when their sources have changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import proofs


def report(name: str, outcome: Any = "passed", **figures: object) -> pytest.TestReport:
    """A test of this module as pytest reports it."""
    properties = list(figures.items())
    return pytest.TestReport(
        f"tests/loops.py::{name}", ("", 0, ""), {}, outcome, None, "call",
        duration=1.0, user_properties=properties,
    )  # fmt: skip


def test_the_page_shows_the_index_and_every_proof_in_it_is_there() -> None:
    index = proofs.read()
    assert (proofs.ROOT / proofs.PAGE).read_text() == proofs.page(index), "write it again: `make prove`"
    for proof in index:
        module, name = proof.partition("::")[0], proof.split("::")[-1]
        assert name in proofs.claims(proofs.ROOT / module)[1], f"{proof} is gone"


def test_figures_of_parts_are_added_up_or_span_a_range() -> None:
    parts = [
        {"games": 50, "rate": 0.1, "seed": 7, "how": "a"},
        {"games": 60, "rate": 0.3, "seed": 7, "how": "b"},
    ]
    assert proofs.together(parts) == {"games": 110, "rate": "0.1 to 0.3", "seed": 7}


def test_counts_are_added_up_when_all_parts_have_the_same_count() -> None:
    parts = [{"games": 50, "seed": 7}, {"games": 50, "seed": 7}]
    assert proofs.together(parts) == {"games": 100, "seed": 7}


def test_what_a_part_tells_again_and_again_is_added_up_too() -> None:
    part = report("a")
    part.user_properties[:] = [("kills", 1), ("seconds", 2.5), ("kills", 1), ("seconds", 4.0)]
    kept = proofs.entry("tests/loops.py", [part], "one")
    assert kept["figures"] == {"kills": 2, "seconds": "2.5 to 4.0"}


def test_one_part_that_failed_fails_the_proof() -> None:
    kept = proofs.entry("tests/loops.py", [report("a[0]"), report("a[1]", "failed")], "one")
    assert (kept["result"], kept["parts"], kept["seconds"]) == ("failed", 2, 2.0)


def test_parts_that_ran_one_after_the_other_add_up_while_their_sources_are_the_same() -> None:
    first = proofs.add({}, [report("a[0]", games=1)], "one", "abc")
    both = proofs.add(first, [report("a[1]", games=1)], "two", "abc")
    kept = proofs.entry("tests/loops.py", [*both.values()], "one; two")
    assert (kept["parts"], kept["seconds"], kept["figures"]) == (2, 2.0, {"games": 2})
    assert len(proofs.add(both, [report("a[0]", "failed")], "three", "abc")) == 1, "what failed is not kept"
    assert len(proofs.add(both, [report("a[0]")], "three", "def")) == 1, "nor what ran on other sources"


def test_a_proof_of_which_some_parts_ran_says_how_many(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(proofs, "PARTS", str(tmp_path / "parts.json"))
    proof = "tests/loops.py::a"
    wanted = {f"{proof}[{number}]" for number in range(2)}

    def ran(*reports: pytest.TestReport, whole: Any = None) -> Any:
        found = proofs.some(proof, reports, wanted, whole, "one")
        return None if found is None else found["result"]

    assert ran(report("a[0]")) == "1 of 2 parts passed"
    assert ran(report("a[1]")) == "passed"
    whole = {"result": "passed", "sources": proofs.hash_of("tests/loops.py")}
    assert ran(report("a[1]"), whole=whole) is None, "more is known of it"
    assert ran(report("a[1]", "failed"), whole=whole) == "failed"
    assert ran(report("a[0]")) == "1 of 2 parts passed"


def test_a_part_that_has_passed_is_kept_before_the_others_have_run(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(proofs, "PARTS", str(tmp_path / "parts.json"))
    notes, proof = proofs.Notes("one"), "tests/loops.py::a"
    notes.parts[proof] = {f"{proof}[0]", f"{proof}[1]"}
    notes.parts[f"{proof}b"] = {f"{proof}b"}
    for each in (report("a[0]", games=3), report("a[1]", "failed"), report("ab")):
        notes.pytest_runtest_logreport(each)
    (kept,) = proofs.read_parts().items()
    assert (kept[0], kept[1].user_properties, kept[1].commit) == (f"{proof}[0]", [["games", 3]], "one")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small house: a test that imports a module, which imports another and what is plugged in."""
    files = {
        "pyproject.toml": '[project.entry-points."x.drivers"]\ngpio = "rooms.pins:open"\n',
        "controller/rooms/__init__.py": "",
        "controller/rooms/low.py": "",
        "controller/rooms/map.txt": "a",
        "controller/rooms/mid.py": "from importlib.metadata import entry_points\nfrom rooms import low\n",
        "controller/rooms/pins.py": "",
        "controller/rooms/named.py": "",
        "controller/rooms/boot/main.py": "from rooms import started\n",
        "controller/rooms/boot/deep/board.toml": "",
        "controller/rooms/started.py": "",
        "controller/other/__init__.py": "",
        "tests/a/test_a.py": "def test():\n    from rooms.mid import x\n    'controller/rooms/named.py'\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in ("hardware", "firmware", "sim"):
        (tmp_path / name).mkdir()
    return tmp_path


HANGS_ON = ("low.py", "mid.py", "pins.py", "map.txt", "named.py")
HANDED_ON = ("boot/main.py", "boot/deep/board.toml", "started.py")
"""What a package reads, or hands on to a Pico, and what that imports."""


@pytest.mark.parametrize("changed", [*HANGS_ON, *HANDED_ON])
def test_a_proof_is_stale_once_anything_that_it_hangs_on_has_changed(tree: Path, changed: str) -> None:
    before = proofs.hash_of("tests/a/test_a.py", tree)
    (tree / "controller/other/__init__.py").write_text("# nothing that it imports")
    assert proofs.hash_of("tests/a/test_a.py", tree) == before
    (tree / "controller/rooms" / changed).write_text("changed = 1")
    assert proofs.hash_of("tests/a/test_a.py", tree) != before


@pytest.mark.slow
def test_a_proof_over_a_pico_hangs_on_what_it_boots() -> None:
    sources = proofs.sources_of("tests/pico/test_life.py")
    boot = sorted((proofs.ROOT / "firmware/boardwire/boot").glob("*.py"))
    assert len(boot) > 5
    assert set(boot) <= set(sources)
    assert set((proofs.ROOT / "hardware/boardware/boards").glob("*.toml")) <= set(sources)


@pytest.mark.slow
def test_a_proof_in_a_whole_machine_hangs_on_package_units_and_the_page_that_is_followed() -> None:
    sources = {
        str(path.relative_to(proofs.ROOT)) for path in proofs.sources_of("tests/userland/test_unit.py")
    }
    assert {"package/scripts/postinst", "package/update.sh", "systemd/boardumpire.service"} <= sources
    assert "docs/makers/install.md" in sources


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["-k", "docs", "tests/house", "-x"], ["tests/house"]),
        (["tests/house/test_proofs.py::test_a[tests]", "-k", "a or b"], ["tests/house/test_proofs.py"]),
        (["--list", "tests/pico"], ["tests/pico"]),
        (["-p", "no:cacheprovider"], []),
    ],
)
def test_words_of_options_are_no_files(arguments: list[str], files: list[str]) -> None:
    assert proofs.files_named(arguments) == files


def test_words_about_a_source_make_no_proof_stale(tree: Path) -> None:
    path = tree / "controller/rooms/low.py"
    path.write_text("def low() -> int:\n    return 1\n")
    before = proofs.hash_of("tests/a/test_a.py", tree)
    path.write_text('"""About."""\n\n\ndef low() -> int:  # why\n    """One."""\n    return 1\n')
    assert proofs.hash_of("tests/a/test_a.py", tree) == before
    path.write_text("def low() -> int:\n    return 2\n")
    assert proofs.hash_of("tests/a/test_a.py", tree) != before


def test_what_never_ran_failed_or_has_other_sources_is_run_again() -> None:
    module = "tests/loops.py"
    fine = proofs.entry(module, [report("a")], "one")
    index = {
        f"{module}::a": fine,
        f"{module}::b": fine | {"result": "failed"},
        f"{module}::c": fine | {"sources": "others"},
    }
    names = [f"{module}::{name}" for name in "abcd"]
    assert proofs.stale(names, json.loads(json.dumps(index))) == names[1:]
