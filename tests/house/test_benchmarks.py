"""The table of benchmarks says which gates hold; nothing is measured here."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from boardsim.pico.timing import TimingFigures

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The program of the benchmarks, with figures of its own for the rules."""
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("boardlab.benchmarks.__main__")


@pytest.mark.parametrize(
    ("value", "bound", "gate", "code"),
    [
        (5.0, {"least": 5}, "at least 5: holds", 0),
        (4.9, {"least": 5}, "at least 5: missed", 1),
        (2.0, {"most": 2}, "at most 2: holds", 0),
        (2.1, {"most": 2}, "at most 2: missed", 1),
        (9.0, {}, "", 0),
    ],
)
def test_a_missed_gate_is_told_and_fails_only_where_that_is_wanted(
    main: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    value: float,
    bound: dict[str, float],
    gate: str,
    code: int,
) -> None:
    result = main.BenchmarkResult("plies", value, "x", "how", **bound)
    monkeypatch.setattr(main, "rules", lambda quick: [result])
    assert main.main(["rules"]) == 0
    assert f"| x | {gate} | how |" in capsys.readouterr().out
    assert main.main(["rules", "--gates"]) == code


def test_one_that_breaks_leaves_the_rows_of_the_others(
    main: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(name: str, *, quick: bool) -> Any:
        if name == "lamps":
            raise AssertionError("no lamp was lit")
        return [main.BenchmarkResult(f"row of {name}", 1.0, "x")]

    monkeypatch.setattr(main, "measure_benchmark", measured)
    assert main.main(["lamps", "soak"]) == 1
    told = capsys.readouterr()
    assert "| row of soak |" in told.out
    assert "no lamp was lit" in told.err
    assert told.err.endswith("broken: lamps\n")


def rows(main: Any, ratio: float, least: float) -> list[Any]:
    return [main.BenchmarkResult("plies", ratio, "x", least=least)]


@pytest.mark.parametrize(("ratio", "missed"), [(8.4, False), (7.9, True)])
def test_plain_and_compiled_rules_have_gates_of_their_own(
    main: Any, monkeypatch: pytest.MonkeyPatch, ratio: float, missed: bool
) -> None:
    measured = lambda *words, path=None: rows(main, *((4.4, 4) if path is None else (ratio, 8)))  # noqa: E731
    monkeypatch.setattr(main, "_rules", measured)
    monkeypatch.setattr(main.compiled, "build", lambda: ROOT)
    plain, fast = main.rules()
    assert plain.gate == "at least 4: holds"
    assert (fast.what, fast.missed) == ("plies, compiled", missed)


def test_where_nothing_can_be_compiled_the_gate_is_missed_and_the_reason_is_told(
    main: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "_rules", lambda *words, path=None: rows(main, 4.4, 4))
    monkeypatch.setenv("CC", "no-such-compiler")
    missing = main.rules()[-1]
    assert missing.missed
    assert missing.detail == "not compiled: there is no C compiler (no-such-compiler)"


def test_a_quick_look_at_the_rules_compiles_nothing_and_judges_nothing(
    main: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "_rules", lambda *words, path=None: rows(main, 1.0, 4))
    assert [(row.gate, row.missed) for row in main.rules(quick=True)] == [("", False)]


class Watch:
    """Tells figures of its own."""

    figures = TimingFigures([344], [150], [150], [1200], [2000])

    def __init__(self, image: Path, board: str, *, old: bool) -> None:
        self.opened = 0

    def pulse(self) -> None:
        pass

    def measure(self, lifts: int, *, hints: bool) -> TimingFigures:
        return self.figures


@pytest.fixture
def emulated(main: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark of the emulated Pico, which measures nothing."""
    module = importlib.import_module("boardlab.benchmarks.emulated")
    monkeypatch.setattr(module, "Stopwatch", Watch)
    monkeypatch.setattr(module, "image", lambda: Path("an image"))
    return module


@pytest.mark.parametrize(
    ("field", "most", "missed"),
    [
        ("periods", 1000, 12),
        ("lift_stamp_errors", 250, 12),
        ("place_stamp_errors", 250, 12),
        ("report_times", 2500, 12),
        ("frame_times", 4500, 6),  # with the hint table
        ("frame_times", 8000, 12),
    ],
)
def test_every_promise_of_the_emulated_pico_has_a_gate(
    main: Any, emulated: Any, monkeypatch: pytest.MonkeyPatch, field: str, most: int, missed: int
) -> None:
    """Two boards, lamps idle, pulsing, pulsing after an hour, with hints and without: twelve times each."""
    kept = [0 if field != "frame_times" or most < 8000 else 6, missed]
    for value, expected in zip((most, most + 1), kept, strict=True):
        monkeypatch.setattr(Watch, "figures", Watch.figures._replace(**{field: [value]}))
        assert sum(row.missed for row in emulated.run()) == expected
    assert main.main(["emulated", "--gates"]) == 1
    assert main.main(["emulated"]) == 0


def test_without_an_image_the_gate_of_the_emulated_pico_is_missed(
    main: Any, emulated: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emulated, "image", lambda: None)
    (row,) = emulated.run()
    assert row.missed
    assert "BOARDUMPIRE_UF2" in row.detail
    assert not emulated.run(quick=True)[0].missed
