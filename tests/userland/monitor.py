"""qemu's own door to a machine: stop it, keep its memory in a file, end it."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from pathlib import Path
from typing import Any

PATIENCE_S = 120.0


class Monitor:
    """A conversation in qemu's machine protocol over a socket that is connected."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._line.settimeout(PATIENCE_S)
        self._rest = b""
        self._read()
        self.ask("qmp_capabilities")

    def ask(self, do: str, **words: Any) -> Any:
        """Have it do something; what it returns. Raises `RuntimeError` where it refuses."""
        asked = {"execute": do, "arguments": {key.replace("_", "-"): value for key, value in words.items()}}
        self._line.sendall(json.dumps(asked).encode() + b"\n")
        while True:
            told = self._read()
            if "error" in told:
                raise RuntimeError(f"{do}: {told['error']['desc']}")
            if "return" in told:
                return told["return"]

    def keep_memory(self, into: Path) -> None:
        """Stop the machine and write its memory and devices to a file. It stays stopped."""
        self.ask("stop")
        self.ask("migrate-set-parameters", max_bandwidth=1 << 34)
        self.ask("migrate", uri=f"exec:cat > {into}")
        deadline = time.monotonic() + PATIENCE_S
        while (state := self.ask("query-migrate"))["status"] != "completed":
            assert state["status"] in ("setup", "active", "device"), state
            assert time.monotonic() < deadline, state
            time.sleep(0.05)

    def go_on(self) -> None:
        """Let a machine go on once its memory is back, and hang up."""
        deadline = time.monotonic() + PATIENCE_S
        while self.ask("query-status")["status"] == "inmigrate":
            assert time.monotonic() < deadline, "its memory does not come back"
            time.sleep(0.05)
        self.ask("cont")
        self._line.close()

    def quit(self) -> None:
        """End qemu in good order, so that its disk is closed, and hang up."""
        with contextlib.suppress(ConnectionError):
            self.ask("quit")
        self._line.close()

    def _read(self) -> dict[str, Any]:
        while b"\n" not in self._rest:
            data = self._line.recv(65536)
            if not data:
                raise ConnectionError("qemu is gone")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        told: dict[str, Any] = json.loads(line)
        return told
