"""The pages in docs/proofs: a proof in several parts may be run a part at a time."""

import pytest

import proofs


def report(name, **figures):
    nodeid = f"tests/house/test_proofs.py::{name}"
    properties = list(figures.items())
    return pytest.TestReport(
        nodeid, ("", 0, ""), {}, "passed", None, "call", duration=1.0, user_properties=properties
    )


def test_a_page_of_parts_keeps_the_parts_that_were_not_run_now(tmp_path):
    path, module = tmp_path / "page.md", "tests/house/test_proofs.py"
    path.write_text(proofs.page(module, [report("a[0]", games=1), report("a[1]", games=2)], "one", {}))
    again = proofs.page(module, [report("a[0]", games=3)], "two", proofs.kept(path, {"a[0]"}))
    assert again.count("## a[0]") == again.count("## a[1]") == 1
    assert "| games | 3 |" in again
    assert "| games | 2 |" in again
    assert "| games | 1 |" not in again
    assert again.index("| commit | `two` |") < again.index("| commit | `one` |")
