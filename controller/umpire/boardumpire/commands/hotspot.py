"""`boardumpire hotspot`: a Wi-Fi of the board's own where there is none, made by NetworkManager.

What is going to be done is said first, and asked. Who may not do it is told what to type.
"""

from __future__ import annotations

import argparse
import re
import secrets
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from boardumpire.errors import BoardumpireError
from boardumpire.makers.machine_checks import MachineFinding

CONNECTION_NAME = "boardumpire-hotspot"
"""What NetworkManager calls it."""
ADDRESS = "10.42.0.1"
"""What NetworkManager gives a machine that shares its network (`ipv4.method shared`)."""
PASSWORD_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of a password that is made: none that is read for another."""
PASSWORD_LENGTH = 12
NMCLI_TIMEOUT_S = 60.0
NOT_ALLOWED_PATTERN = re.compile(
    r"not authorized|insufficient privileges|permission denied|access denied", re.I
)


class HotspotError(BoardumpireError):
    """It can't be made: why, and what to type."""


class HotspotSettings(NamedTuple):
    """What the Wi-Fi is to be."""

    ssid: str
    password: str
    bring_up_now: bool
    """Whether it comes up at once; by itself it does whenever no network that the machine knows is near."""


class NetworkState(NamedTuple):
    """What NetworkManager says."""

    wifi_device: str
    """The Wi-Fi of the machine."""
    connected_network: str
    """The network that it is in now."""
    hotspot_exists: bool
    """Whether the hotspot was made before."""


class HotspotStep(NamedTuple):
    """One thing to do."""

    text: str
    command: tuple[str, ...]

    def sudo_command(self) -> str:
        """As somebody who may not do it would type it with sudo."""
        return shlex.join(("sudo", *self.command))


RunCommand = Callable[[Sequence[str]], str]
"""Runs a command; its output. Raises `HotspotError`."""


def check_settings(ssid: str, password: str, *, now: bool) -> HotspotSettings:
    """Checked as Wi-Fi wants it (IEEE 802.11, WPA2 with a passphrase). Raises `HotspotError`."""
    if not ssid.isprintable() or not 1 <= len(ssid.encode()) <= 32:
        raise HotspotError(
            f"--ssid {ssid!r}: not the name of a network; try 1 to 32 bytes of letters and digits"
        )
    if not (8 <= len(password) <= 63 and password.isascii() and password.isprintable()):
        raise HotspotError("the password does not do; try 8 to 63 plain letters, digits and signs")
    return HotspotSettings(ssid, password, now)


def plan_steps(wants: HotspotSettings, found: NetworkState) -> list[HotspotStep]:
    """What there is to do."""
    shape = (
        *("connection.autoconnect", "yes", "connection.autoconnect-priority", "-10"),
        *("802-11-wireless.mode", "ap", "802-11-wireless.band", "bg", "802-11-wireless.ssid", wants.ssid),
        *("802-11-wireless-security.key-mgmt", "wpa-psk", "802-11-wireless-security.proto", "rsn"),
        *("802-11-wireless-security.pairwise", "ccmp", "802-11-wireless-security.group", "ccmp"),
        *("802-11-wireless-security.psk", wants.password),
        # Small Pis do not come up with protected management frames; saving power makes phones wait.
        *(PMF_SETTING, "disable", POWER_SAVING_SETTING, "disable"),
        *("ipv4.method", "shared", "ipv6.method", "disabled"),
    )
    if found.hotspot_exists:
        made = HotspotStep(
            f"change the Wi-Fi {CONNECTION_NAME} at {found.wifi_device}: it is called {wants.ssid}",
            (
                "nmcli",
                "connection",
                "modify",
                CONNECTION_NAME,
                "connection.interface-name",
                found.wifi_device,
                *shape,
            ),
        )
    else:
        made = HotspotStep(
            f"make a Wi-Fi called {wants.ssid} at {found.wifi_device}",
            (
                *("nmcli", "connection", "add", "type", "wifi", "con-name", CONNECTION_NAME),
                *("ifname", found.wifi_device, "ssid", wants.ssid, *shape),
            ),
        )
    if not wants.bring_up_now:
        return [made]
    leaves = (
        f"; the machine leaves {found.connected_network}"
        if found.connected_network not in ("", CONNECTION_NAME)
        else ""
    )
    return [made, HotspotStep(f"bring it up now{leaves}", ("nmcli", "connection", "up", CONNECTION_NAME))]


PMF_SETTING, POWER_SAVING_SETTING = "802-11-wireless-security.pmf", "802-11-wireless.powersave"
_SETTING_OFF_VALUES = {PMF_SETTING: "1", POWER_SAVING_SETTING: "2"}
"""What NetworkManager has where these are off (`nmcli -g`; words may follow)."""
_SETTING_HARMS = {
    PMF_SETTING: "protected management frames keep it down on small Pis",
    POWER_SAVING_SETTING: "power saving makes phones wait",
}
LIST_DEVICES_COMMAND = ("nmcli", "-t", "-f", "DEVICE,TYPE,CONNECTION", "device")
LIST_CONNECTIONS_COMMAND = ("nmcli", "-t", "-f", "NAME", "connection", "show")


def read_state(run: RunCommand) -> NetworkState:
    """What there is. Raises `HotspotError` where there is no Wi-Fi, or no NetworkManager."""
    devices = [_split_nmcli_line(line) for line in run(LIST_DEVICES_COMMAND).splitlines()]
    wifi = [fields for fields in devices if len(fields) == 3 and fields[1] == "wifi"]
    if not wifi:
        raise HotspotError("this machine has no Wi-Fi that NetworkManager knows: see nmcli device")
    known = [_split_nmcli_line(line)[0] for line in run(LIST_CONNECTIONS_COMMAND).splitlines()]
    return NetworkState(wifi[0][0], wifi[0][2], CONNECTION_NAME in known)


def wifi_findings(run: RunCommand) -> list[MachineFinding]:
    """What NetworkManager's settings do to phones: of the hotspot, and of the Wi-Fi that the machine is in.
    Empty where there is no NetworkManager, or no Wi-Fi."""
    try:
        found = read_state(run)
        names: dict[str, tuple[str, ...]] = (
            {CONNECTION_NAME: (PMF_SETTING, POWER_SAVING_SETTING)} if found.hotspot_exists else {}
        )
        if found.connected_network not in ("", CONNECTION_NAME):
            names[found.connected_network] = (POWER_SAVING_SETTING,)
        return [each for name, settings in names.items() for each in _setting_findings(name, settings, run)]
    except HotspotError:
        return []


def _setting_findings(name: str, settings: Sequence[str], run: RunCommand) -> list[MachineFinding]:
    seen = []
    for setting in settings:
        value = run(("nmcli", "-g", setting, "connection", "show", name)).split()[:1]
        if value != [_SETTING_OFF_VALUES[setting]]:
            typed = shlex.join(("sudo", "nmcli", "connection", "modify", name, setting, "disable"))
            seen.append(MachineFinding(f"Wi-Fi {name}: {_SETTING_HARMS[setting]}", typed))
    return seen or [MachineFinding(f"Wi-Fi {name}: as phones want it")]


def _split_nmcli_line(line: str) -> list[str]:
    r"""A line of `nmcli -t`: parted by `:`, with `\:` and `\\` for the signs themselves."""
    found, escaped = [""], False
    for sign in line:
        if sign == ":" and not escaped:
            found.append("")
        elif sign == "\\" and not escaped:
            escaped = True
            continue
        else:
            found[-1] += sign
        escaped = False
    return found


def radio_block_hint(root: Path = Path("/")) -> str:
    """What to type where the radio is off, as it is on a Pi without a country; empty where it isn't."""
    for folder in sorted(root.glob("sys/class/rfkill/rfkill*")):
        try:
            kind, soft = ((folder / name).read_text().strip() for name in ("type", "soft"))
        except OSError:
            continue
        if kind == "wlan" and soft == "1":
            return (
                "the Wi-Fi is off: sudo raspi-config nonint do_wifi_country GB (your country),"
                " or: sudo rfkill unblock wlan"
            )
    return ""


def wifi_qr_text(wants: HotspotSettings) -> str:
    """What a phone photographs to join, as cameras of phones know it."""
    ssid, password = (re.sub(r'([\\;,:"])', r"\\\1", text) for text in (wants.ssid, wants.password))
    return f"WIFI:T:WPA;S:{ssid};P:{password};;"


def run_nmcli(words: Sequence[str]) -> str:
    """Run it. Raises `HotspotError`."""
    try:
        ended = subprocess.run(words, capture_output=True, text=True, timeout=NMCLI_TIMEOUT_S, check=False)
    except FileNotFoundError:
        raise HotspotError("there is no nmcli here: sudo apt install network-manager") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HotspotError(f"nmcli can't be run: {type(error).__name__}") from None
    if ended.returncode != 0:
        raise HotspotError((ended.stderr.strip() or ended.stdout.strip() or "nmcli failed").splitlines()[-1])
    return ended.stdout


def run(given: argparse.Namespace, out: TextIO = sys.stdout, run_command: RunCommand = run_nmcli) -> None:
    """Say what is to be done, ask, do it. Raises `HotspotError`."""
    if given.off:
        run_command(("nmcli", "connection", "delete", CONNECTION_NAME))
        out.write(f"{CONNECTION_NAME} is taken away.\n")
        return
    wants = check_settings(given.ssid, _read_or_make_password(given.password_file), now=given.now)
    if off := radio_block_hint():
        raise HotspotError(off)
    todo = plan_steps(wants, read_state(run_command))
    out.write("".join(f"- {step.text}\n" for step in todo))
    if not wants.bring_up_now:
        out.write("It comes up by itself whenever no network that this machine knows is near.\n")
    if not given.yes and not _ask_confirmation(out):
        out.write("Nothing was done.\n")
        return
    for number, step in enumerate(todo):
        try:
            run_command(step.command)
        except HotspotError as error:
            if not NOT_ALLOWED_PATTERN.search(str(error)):
                raise
            typed = "\n".join(f"  {each.sudo_command()}" for each in todo[number:])
            raise HotspotError(f"you may not do that: type sudo boardumpire hotspot, or:\n{typed}") from None
    _print_join_details(wants, out)


def _ask_confirmation(out: TextIO) -> bool:
    out.write("Shall that be done? [yes/no] ")
    out.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _read_or_make_password(path: Path | None) -> str:
    if path is None:
        return "".join(secrets.choice(PASSWORD_LETTERS) for _ in range(PASSWORD_LENGTH))
    try:
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise HotspotError(f"--password-file {path}: can't be read: {reason}; try another file") from None


def _print_join_details(wants: HotspotSettings, out: TextIO) -> None:
    out.write(
        f"Done. The Wi-Fi is called {wants.ssid}, its password is {wants.password}\n"
        f"In it the page is http://{ADDRESS}:8080 where [page] listen is 0.0.0.0:8080\n"
    )
    try:
        import segno
    except ImportError:
        return
    out.write("Phones that photograph this join it:\n")
    segno.make(wifi_qr_text(wants), error="l", micro=False).terminal(out, compact=True)
