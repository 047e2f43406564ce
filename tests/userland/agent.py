"""Runs in a machine, as root, by its own Python: does what the test asks over a virtio port, or over TCP
where there is none.

Beside that it carries the bytes of a Pico between the test and the gadget's end of a USB cable, and those of
the control socket between a TCP port and the daemon. Nothing of Boardumpire is imported here.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import threading
import time
import tty

ASKED = "/dev/virtio-ports/room"
PICO = "/dev/virtio-ports/pico"
GADGET = "/dev/ttyGS0"
CONTROL = "/run/boardumpire/control.sock"
CONTROL_PORT = 7001
ASKED_PORT = 7002


def answer() -> None:
    """Run one command after the other and tell code and output."""
    port = os.open(ASKED, os.O_RDWR)
    rest = b""
    while True:
        data = os.read(port, 65536)
        if not data:
            time.sleep(0.05)  # nobody at the other end
            continue
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            told = json.dumps(_ran(json.loads(line))).encode() + b"\n"
            while told:
                told = told[os.write(port, told) :]


def answer_network() -> None:
    """The same over TCP, for one test at a time."""
    server = socket.create_server(("0.0.0.0", ASKED_PORT))
    while True:
        asking, _ = server.accept()
        with asking, asking.makefile("rw") as lines, contextlib.suppress(OSError):
            for line in lines:
                lines.write(json.dumps(_ran(json.loads(line))) + "\n")
                lines.flush()


def _ran(asked: dict[str, str]) -> dict[str, object]:
    shell = ["/bin/bash", "-c", asked["run"]]
    environ = {**os.environ, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"}
    ran = subprocess.run(
        shell,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environ,
        cwd="/root",
    )
    return {"id": asked["id"], "code": ran.returncode, "told": ran.stdout.decode(errors="replace")}


def carry_pico() -> None:
    """Carry bytes both ways while the gadget is plugged in."""
    far = os.open(PICO, os.O_RDWR)
    while True:
        with contextlib.suppress(OSError):
            near = os.open(GADGET, os.O_RDWR | os.O_NOCTTY)
            try:
                tty.setraw(near)
                while True:
                    for ready in select.select([near, far], [], [])[0]:
                        data = os.read(ready, 4096)
                        if not data and ready == near:
                            raise OSError("the cable was pulled")
                        if not data:
                            time.sleep(0.02)
                        os.write(far if ready == near else near, data)
            finally:
                os.close(near)
        time.sleep(0.05)


def carry_control() -> None:
    """Let the test speak on the control socket."""
    server = socket.create_server(("0.0.0.0", CONTROL_PORT))
    while True:
        far, _ = server.accept()
        near = socket.socket(socket.AF_UNIX)
        try:
            near.connect(CONTROL)
        except OSError:
            near.close()
            far.close()
            continue
        for one, other in ((far, near), (near, far)):
            threading.Thread(target=_pass_on, args=(one, other), daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    for each in (one, other):
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


if __name__ == "__main__":
    threading.Thread(target=carry_control, daemon=True).start()
    if os.path.exists(ASKED):
        threading.Thread(target=carry_pico, daemon=True).start()
        answer()
    else:
        answer_network()
