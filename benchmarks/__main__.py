"""`python -m benchmarks [NAME ...]` runs the benchmarks, all of them unless named, and prints one table."""

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

from benchmarks import compiled
from benchmarks.measure import Result, table

BENCHMARKS = ("rules", "lamps", "process", "page", "pico", "flood", "soak")


def rules(quick: bool = False) -> list[Result]:
    """The rules core, measured by a program of its own; Escape from Colditz with its rules compiled as well,
    where that can be done: its gate is for that."""
    rows = _rules("--quick") if quick else _rules()
    *others, castle = [
        Result(name, row["ratio"], "x python-chess", least=row["least"]) for name, row in rows.items()
    ]
    if quick:
        return [*others, castle._replace(least=None, detail="not compiled: --quick")]
    try:
        fast = _rules("--castle", path=compiled.build())[castle.what]
    except compiled.CannotCompile as error:
        return [*others, castle._replace(detail=f"not compiled: {error}")]
    same = castle._replace(what=f"{castle.what}, its rules compiled", value=fast["ratio"])
    return [*others, castle._replace(least=None, detail="as Python runs them"), same]


def _rules(*words: str, path: Path | None = None) -> dict[str, dict[str, float]]:
    """The rows of `benchmarks/rules.py`, with other packages before the usual ones."""
    program = Path(__file__).with_name("rules.py")
    env = {**os.environ, **({} if path is None else {"PYTHONPATH": str(path)})}
    command = [sys.executable, str(program), "--json", *words]
    told = json.loads(subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout)
    if told["compiled"] != (path is not None):
        raise SystemExit(
            f"other rules were measured than those of {path or 'the sources'}: is PYTHONPATH set?"
        )
    rows: dict[str, dict[str, float]] = told["rows"]
    return rows


def measured(name: str, *, quick: bool) -> list[Result]:
    """The rows of one benchmark."""
    if name == "rules":
        return rules(quick)
    rows: list[Result] = importlib.import_module(f"benchmarks.{name}").run(quick=quick)
    return rows


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
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
    results: list[Result] = []
    broken: list[str] = []
    for name in options.names or BENCHMARKS:
        print(f"measuring {name} ...", file=sys.stderr)
        try:
            results += measured(name, quick=options.quick)
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
