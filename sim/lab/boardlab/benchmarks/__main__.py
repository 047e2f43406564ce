"""`python -m boardlab.benchmarks [NAME ...]` runs benchmarks, all unless named, and prints one table."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
import traceback
from pathlib import Path

from boardlab.benchmarks import compiled
from boardlab.benchmarks.measure import BenchmarkResult, table

BENCHMARKS = (
    "rules",
    "lamps",
    "start",
    "process",
    "page",
    "pico",
    "emulated",
    "flood",
    "thinking",
    "soak",
    "written",
    "ruled",
)


def rules(quick: bool = False) -> list[BenchmarkResult]:
    """The rules core, measured by a program of its own: as Python runs it, and compiled where that can be
    done. Either has its gates. Quick: not compiled, and nothing is judged."""
    if quick:
        return [row._replace(least=None, detail="quick") for row in _rules("--quick")]
    plain = _rules()
    try:
        directory = compiled.build()
    except compiled.CannotCompile as error:
        return [
            *plain,
            BenchmarkResult(
                "the same, compiled", 0.0, "x python-chess", least=1, detail=f"not compiled: {error}"
            ),
        ]
    return [*plain, *(row._replace(what=f"{row.what}, compiled") for row in _rules(path=directory))]


def _rules(*words: str, path: Path | None = None) -> list[BenchmarkResult]:
    """The rows of `sim/lab/boardlab/benchmarks/rules.py`, with other packages before the usual ones."""
    program = Path(__file__).with_name("rules.py")
    env = {**os.environ, **({} if path is None else {"PYTHONPATH": str(path)})}
    command = [sys.executable, str(program), "--json", *words]
    told = json.loads(subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout)
    if told["compiled"] != (path is not None):
        raise SystemExit(
            f"other rules were measured than those of {path or 'the sources'}: is PYTHONPATH set?"
        )
    return [
        BenchmarkResult(name, row["ratio"], "x python-chess", least=row["least"])
        for name, row in told["rows"].items()
    ]


def measure_benchmark(name: str, *, quick: bool) -> list[BenchmarkResult]:
    """The rows of one benchmark."""
    if name == "rules":
        return rules(quick)
    rows: list[BenchmarkResult] = importlib.import_module(f"boardlab.benchmarks.{name}").run(quick=quick)
    return rows


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        allow_abbrev=False, prog="python -m boardlab.benchmarks", description=__doc__
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHMARKS)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="fewer slices: shows that it runs, not how fast")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--gates", action="store_true", help="exit with 1 if a gate is missed")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    results: list[BenchmarkResult] = []
    broken: list[str] = []
    for name in options.names or BENCHMARKS:
        print(f"measuring {name} ...", file=sys.stderr)
        try:
            results += measure_benchmark(name, quick=options.quick)
        except Exception:  # the others are measured all the same
            traceback.print_exc()
            broken.append(name)
    if options.json:
        print(json.dumps([{**row._asdict(), "missed": row.missed} for row in results]))
    else:
        print(f"{platform.machine()}, Python {platform.python_version()}, {platform.system()}\n")
        print(table(results))
    if broken:
        print(f"broken: {', '.join(broken)}", file=sys.stderr)
        return 1
    return int(options.gates and any(result.missed for result in results))


if __name__ == "__main__":
    sys.exit(main())
