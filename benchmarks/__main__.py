"""`python -m benchmarks [NAME ...]` runs the benchmarks, all of them unless named, and prints one table."""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import subprocess
import sys
from pathlib import Path

from benchmarks.measure import Result, table

BENCHMARKS = ("rules", "lamps", "process", "pico", "flood", "soak")


def rules() -> list[Result]:
    """The rules core, measured by a program of its own."""
    program = Path(__file__).with_name("rules.py")
    told = subprocess.run([sys.executable, program, "--json"], capture_output=True, text=True, check=True)
    rows = json.loads(told.stdout).items()
    return [Result(name, row["ratio"], "x python-chess", least=row["least"]) for name, row in rows]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHMARKS)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="fewer slices: shows that it runs, not how fast")
    parser.add_argument("--gates", action="store_true", help="exit with 1 if a gate is missed")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    results: list[Result] = []
    for name in options.names or BENCHMARKS:
        print(f"measuring {name} ...", file=sys.stderr)
        if name == "rules":
            results += rules()
        else:
            results += importlib.import_module(f"benchmarks.{name}").run(quick=options.quick)
    print(f"{platform.machine()}, Python {platform.python_version()}, {platform.system()}\n")
    print(table(results))
    return int(options.gates and any(result.missed for result in results))


if __name__ == "__main__":
    sys.exit(main())
