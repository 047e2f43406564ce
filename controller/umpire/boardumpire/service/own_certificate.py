"""A certificate that the board makes for itself, so that browsers in its network are spoken to by https.

Nobody signs it but its own key. A browser warns once on each device. Where the file is installed as trusted
it warns no more, and keeps the page for when the board can't be reached, too. `openssl` makes it: who lacks
the command is told to install it.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from boardumpire.errors import BoardumpireError, ConfigError
from boardumpire.service.addresses import reachable_addresses
from boardumpire.service.config import PageSection, parse_listen_address
from boardware.files import replace_file

DAYS = 800
"""How long it is valid: Apple's devices take no more than 825 days."""
RENEWED_DAYS = 30
"""How many days before its end another one is made."""
_SECONDS_PER_DAY = 24 * 3600
_PATIENCE_S = 60.0


def own_certificate(folder: Path, listen_address: str, more_names: Iterable[str] = ()) -> tuple[Path, Path]:
    """The certificate and its key in that folder, made anew where they are missing, end soon, or lack a name
    or an address by which the machine is reached now. Names that it had it keeps.

    Raises `ConfigError` where it can't be made or kept.
    """
    certificate, key, known = (folder / name for name in ("page.pem", "page.key", "page.names"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        had = known.read_text(encoding="utf-8").split() if known.is_file() else []
        wanted = list(dict.fromkeys([*had, *_names(listen_address), *more_names]))
        there = certificate.is_file() and key.is_file()
        if not there or wanted != had or not lasts(certificate, RENEWED_DAYS):
            _make(certificate, key, wanted)
            replace_file(known, ("\n".join(wanted) + "\n").encode(), 0o644)
    except OSError as error:
        raise ConfigError(f"[page] https: {folder}: {error.strerror}; make it writable") from None
    return certificate, key


def with_own_certificate(section: PageSection) -> PageSection:
    """The section with a certificate beside the links, where one is to be made. Raises `ConfigError`."""
    where = parse_listen_address(section.listen) if section.listen else None
    if where is None or section.certificate or not section.https:
        return section
    certificate, key = own_certificate(section.links.parent, where[0], section.names.split())
    return replace(section, certificate=str(certificate), key=str(key))


def _names(listen_address: str) -> list[str]:
    """By what browsers reach this machine."""
    host = socket.gethostname().partition(".")[0].lower()
    found = ["localhost", "127.0.0.1", "::1", *([host, f"{host}.local"] if host.isascii() and host else [])]
    with contextlib.suppress(BoardumpireError):
        found += reachable_addresses(listen_address)
    if not ipaddress.ip_address(listen_address).is_unspecified:
        found.append(listen_address)
    return found


def lasts(certificate: Path, days: int) -> bool:
    """Whether it is valid for that many days yet. Raises `ConfigError` without openssl."""
    command = ["x509", "-checkend", str(days * _SECONDS_PER_DAY), "-noout", "-in", str(certificate)]
    return _openssl(command).returncode == 0


def _make(certificate: Path, key: Path, names: Iterable[str]) -> None:
    """Raises `ConfigError` where it fails, `OSError` where it can't be written."""
    subject = ",".join(f"{'IP' if _is_address(name) else 'DNS'}:{name}" for name in names)
    with tempfile.TemporaryDirectory(dir=certificate.parent) as folder:
        made, made_key = Path(folder, "made"), Path(folder, "key")
        command = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        command += ["-days", str(DAYS), "-subj", "/CN=Boardumpire", "-addext", f"subjectAltName={subject}"]
        command += ["-addext", "extendedKeyUsage=serverAuth"]
        ended = _openssl([*command, "-keyout", str(made_key), "-out", str(made)])
        if ended.returncode:
            lines = ended.stderr.decode("utf-8", "replace").strip().splitlines() or ["openssl failed"]
            raise ConfigError(f"[page] https: {lines[-1]}; name a certificate of yours in [page] instead")
        replace_file(key, made_key.read_bytes(), 0o600)
        replace_file(certificate, made.read_bytes(), 0o644)


def _openssl(words: list[str]) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("openssl")
    if program is None:
        raise ConfigError(
            "[page] https: there is no openssl to make a certificate with; sudo apt install openssl, or name"
            " a certificate of yours in [page]"
        )
    environ = {**os.environ, "LC_ALL": "C"}
    try:
        return subprocess.run(
            [program, *words], capture_output=True, stdin=subprocess.DEVNULL, env=environ, timeout=_PATIENCE_S
        )
    except subprocess.TimeoutExpired:
        raise ConfigError("[page] https: openssl takes too long; start again") from None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
