"""Makes the traces in tests/traces anew that the simulator can make: `python tests/makers/make_traces.py`.

Each is a hand script of tests/hands played over one driver. Traces that makers sent are left alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))

from boardsim.bench.bench import BenchSettings  # noqa: E402
from boardsim.script.script import read_script, run_script  # noqa: E402
from boardsim.world.kits import MakerKit  # noqa: E402
from boardumpire.commands.table_factory import TableFactory  # noqa: E402
from boardumpire.makers.measure import Measurement  # noqa: E402
from boardumpire.makers.traces.traced_guide import traced_guide_factory  # noqa: E402
from boardware.description import load_board  # noqa: E402
from boardware.physics.design import DEFAULT_DESIGN  # noqa: E402
from makers.ruler import Ruler, on_pins  # noqa: E402

MADE = {"attack": "gpio-sim", "slide": "pico-sim", "turned": "rpigpio-sim", "gestures-draw": "gpio-sim"}


def made(name: str, driver: str) -> str:
    """The trace of a hand script."""
    path = ROOT / "tests" / "hands" / f"{name}.hands"
    board = "quick-battle-8x8-pico" if driver == "pico-sim" else "quick-battle-8x8"
    commands = read_script(path.read_text(), path.name, load_board(board), ("red", "blue"))
    tables: list[list[str]] = []

    def begin() -> Callable[[str], object]:
        tables.append([])
        return tables[-1].append

    factory = TableFactory().traced(begin, driver)
    run_script(commands, BenchSettings(board=board, driver=driver), factory, lambda line: None)
    return "".join(tables[-1])  # a script that kills begins again


def measured() -> str:
    """The trace of a person with a ruler who measures a board."""
    board = load_board("quick-battle-8x8")
    lines: list[str] = []
    measure = Measurement(board)
    make = traced_guide_factory(measure, lines.append, "gpio-sim")
    kit = MakerKit(board.sensor_design or DEFAULT_DESIGN, odd_magnet_rate=0.0)
    Ruler(board, measure.run_steps(), kit, seed=2, opened=on_pins, make=make).obey()
    return "".join(lines)


def main() -> None:
    path = ROOT / "tests" / "traces" / "measure.trace"
    path.write_text(measured())
    print(f"wrote {path.relative_to(ROOT)}")
    for name, driver in MADE.items():
        path = ROOT / "tests" / "traces" / f"{name}.trace"
        path.write_text(made(name, driver))
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
