"""Boots the firmware of the folder it is started in: `boot.py STANDINS HEARS TELLS`. MicroPython subset."""

import sys

_standins = sys.argv[1]
sys.path[:] = [_standins, ".", "lib"] + [path for path in sys.path if path not in ("", ".")]
if sys.implementation.name == "cpython":
    sys.path.insert(0, _standins + "/cpython")

try:
    import main  # noqa: F401 - importing it is what booting does
except KeyboardInterrupt:
    import simwire

    simwire.tell("interrupted", simwire.world())
