"""`python -m benchmarks [NAME ...]` runs the benchmarks, all of them unless named, and prints one table."""

from __future__ import annotations

import argparse
import importlib
import platform
import sys

from benchmarks.measure import Result, table

BENCHMARKS = ("rules", "lamps", "process")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHMARKS)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="fewer slices: shows that it runs, not how fast")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    results: list[Result] = []
    for name in options.names or BENCHMARKS:
        print(f"measuring {name} ...", file=sys.stderr)
        results += importlib.import_module(f"benchmarks.{name}").run(quick=options.quick)
    print(f"{platform.machine()}, Python {platform.python_version()}, {platform.system()}\n")
    print(table(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
