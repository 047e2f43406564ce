"""What the emulated Pi runs for a game: the daemon, and a way to its control socket from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import agent

from boardumpire.cli import main

ADDRESS = "10.0.2.15/24"
"""The one that QEMU's own network gives its guest."""
ADAPTERS = Path("/sys/class/net")


def open_network() -> None:
    """Bring up the adapter in the USB port, once the kernel has found it."""
    while not (found := [path.name for path in ADAPTERS.iterdir() if path.name != "lo"]):
        time.sleep(0.2)
    for words in (["addr", "add", ADDRESS, "dev", found[0]], ["link", "set", found[0], "up"]):
        subprocess.run(["busybox", "ip", *words], check=True)


if __name__ == "__main__":
    os.environ["STATE_DIRECTORY"] = "/var/lib/boardumpire"
    os.environ["RUNTIME_DIRECTORY"] = "/run/boardumpire"
    open_network()
    threading.Thread(target=agent.carry_control, daemon=True).start()
    sys.exit(main(["run", "--config", "/board.toml"]))
