"""What the machine under the board is told to do: shut down, bring the program up to date.

The daemon is nobody special: whether its user may is up to the machine, by a rule of polkit for example.
"""

from __future__ import annotations

import shlex
import subprocess

from boardumpire.errors import BoardumpireError

TIMEOUT_S = 20.0
"""How long a command may take: shutting down begins at once, an update runs on by itself."""


def run_command(command: str, what: str) -> None:
    """Run a configured command to its end. Raises `BoardumpireError` where there is none, or it fails."""
    words = shlex.split(command)
    if not words:
        raise BoardumpireError(f"[machine] {what}: nothing is configured")
    try:
        ended = subprocess.run(words, capture_output=True, timeout=TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BoardumpireError(f"[machine] {what}: {words[0]} can't be run: {error}") from None
    if ended.returncode != 0:
        said = ended.stderr.decode(errors="replace").strip().splitlines()
        raise BoardumpireError(f"[machine] {what}: {said[-1] if said else f'exit code {ended.returncode}'}")
