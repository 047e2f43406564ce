"""Checks of the service itself: its unit, user, certificate and broker, and files that it ignores."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

from boardumpire import typed_commands
from boardumpire.commands.file_access import unit_settings
from boardumpire.makers.machine_checks import MachineFinding
from boardumpire.service import own_certificate
from boardumpire.service.config import OVERRIDES_FOLDER, Config

_BROKER_TIMEOUT_S = 3.0
_OWN_UNITS, _SHIPPED_UNITS = "etc/systemd/system", "usr/lib/systemd/system"


def account_problems(root: Path) -> list[MachineFinding]:
    """Users and groups of the installed unit that the machine lacks: systemd starts no service then."""
    unit, found = unit_settings(root), []
    groups = f"{unit.get('Group', '')} {unit.get('SupplementaryGroups', '')}"
    wanted = {"passwd": unit.get("User", ""), "group": groups}
    for name, asked in wanted.items():
        known = _first_words(root / "etc" / name)
        for each in dict.fromkeys(asked.split()):
            if known and each not in known and not each.isdigit():
                kind = "user" if name == "passwd" else "group"
                do = f"sudo systemd-sysusers, then: sudo systemctl restart {typed_commands.unit_name()}"
                found.append(MachineFinding(f"there is no {kind} {each}, which the service runs as", do))
    return found


def _first_words(path: Path) -> set[str]:
    try:
        return {line.partition(":")[0] for line in path.read_text(errors="replace").splitlines()}
    except OSError:
        return set()


def unit_problems(root: Path) -> Iterator[MachineFinding]:
    """Why systemd would not start the installed service, now or with the next boot."""
    name = typed_commands.unit_name()
    shipped = f"{name.partition('@')[0]}{'@' if '@' in name else ''}.service"
    if not (root / _SHIPPED_UNITS / shipped).exists():
        return
    own = root / _OWN_UNITS / f"{name}.service"
    if own.is_symlink() and os.readlink(own) == os.devnull:
        yield MachineFinding("service: it is masked", f"sudo systemctl unmask {name}")
    elif not any((root / _OWN_UNITS).glob(f"*.wants/{name}.service")):
        yield MachineFinding(
            "service: it doesn't start with the machine", f"sudo systemctl enable --now {name}"
        )


def ignored_files(config: Config) -> Iterator[MachineFinding]:
    """Files beside the owner's configuration whose name keeps them from being read."""
    folder = config.origin.path.parent / OVERRIDES_FOLDER if config.origin.path is not None else None
    try:
        names = sorted(os.listdir(folder)) if folder is not None else []
    except OSError:
        return
    for name in names:
        # What editors and dpkg leave behind is meant to be left aside.
        if not name.endswith((".toml", "~", ".bak", ".dpkg-old", ".dpkg-dist")) and name[:1] not in ".#":
            path = f"{folder}/{name}"
            text = f"configuration: {path} is not read, as its name doesn't end with .toml"
            yield MachineFinding(text, f"sudo mv {path} {folder}/{name.partition('.')[0]}.toml")


def certificate_problems(config: Config) -> Iterator[MachineFinding]:
    """Whether the page's certificate has ended: browsers refuse the page then."""
    certificate = Path(config.page.certificate)
    if not config.page.certificate or shutil.which("openssl") is None or not os.access(certificate, os.R_OK):
        return
    if not own_certificate.lasts(certificate, days=0):
        text = f"{config.origin.locate('page', 'certificate')}: {certificate} has expired"
        yield MachineFinding(text, "name a newer one there, or leave it to [page] https = true")


def broker_findings(config: Config) -> Iterator[MachineFinding]:
    """Whether the broker of MQTT takes a connection."""
    if not config.mqtt.broker:
        return
    try:
        socket.create_connection(config.mqtt.address, _BROKER_TIMEOUT_S).close()
    except OSError as error:
        why = error.strerror or str(error)
        do = "see whether it runs and its firewall lets this machine in; the game goes on without it"
        yield MachineFinding(f"[mqtt] broker: {config.mqtt.broker} can't be reached ({why})", do)
    else:
        yield MachineFinding(f"MQTT: {config.mqtt.broker}")
