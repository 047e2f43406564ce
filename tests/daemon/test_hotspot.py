"""A Wi-Fi of the board's own: nmcli itself takes what it is told, and who may not do it is told what to type.

Where there is no nmcli the file that it made of these very words (1.42, Debian bookworm) stands in.
"""

from __future__ import annotations

import argparse
import configparser
import io
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from boardumpire.commands import hotspot
from boardumpire.commands.hotspot import (
    CONNECTION_NAME,
    HotspotError,
    NetworkState,
    check_settings,
    plan_steps,
    read_state,
)

PASSWORD = 'at "least; eight'
WANTED = check_settings("My board's", PASSWORD, now=False)
HERE = NetworkState("wlan0", "", hotspot_exists=False)
RECORDED = """
[connection]
id=boardumpire-hotspot
type=wifi
autoconnect-priority=-10
interface-name=wlan0

[wifi]
band=bg
mode=ap
powersave=2
ssid=My board's

[wifi-security]
group=ccmp;
key-mgmt=wpa-psk
pmf=1
pairwise=ccmp;
proto=rsn;
psk=at "least; eight

[ipv4]
method=shared

[ipv6]
addr-gen-mode=default
method=disabled
"""
"""What nmcli 1.42.4 made of the words of `plan_steps`, by `nmcli --offline`."""


def keyfile(text: str) -> dict[str, dict[str, str]]:
    found = configparser.RawConfigParser(strict=True, delimiters=("=",), comment_prefixes=("#",))
    found.read_string(text)
    return {name: dict(found[name]) for name in found.sections() if found[name]}


def test_nmcli_itself_makes_a_wifi_of_these_words() -> None:
    """Offline it needs no service and no right: it checks the words and shows what it would keep."""
    if shutil.which("nmcli") is None:
        pytest.skip("nmcli is not on this machine: apt-get install network-manager")
    (made,) = plan_steps(WANTED, HERE)
    offline = subprocess.run(["nmcli", "--offline", *made.command[1:]], capture_output=True, text=True)
    assert (offline.returncode, offline.stderr) == (0, "")
    found = keyfile(offline.stdout)
    del found["connection"]["uuid"]
    assert found == keyfile(RECORDED)
    changed = plan_steps(WANTED._replace(ssid="other"), HERE._replace(hotspot_exists=True))[0].command
    at = changed.index(CONNECTION_NAME)  # offline it changes what it reads, and is told no name
    again = subprocess.run(
        ["nmcli", "--offline", *changed[1:at], *changed[at + 1 :]],
        input=offline.stdout,
        capture_output=True,
        text=True,
    )
    assert (again.returncode, again.stderr) == (0, "")
    assert keyfile(again.stdout)["wifi"]["ssid"] == "other"


def test_the_words_are_those_of_the_record() -> None:
    """So that a change of them is noticed where there is no nmcli."""
    (made,) = plan_steps(WANTED, HERE)
    words = dict(zip(made.command[3:-1:2], made.command[4::2], strict=True))
    found = keyfile(RECORDED)
    assert words["con-name"] == found["connection"]["id"]
    assert words["ifname"] == found["connection"]["interface-name"]
    assert words["connection.autoconnect-priority"] == found["connection"]["autoconnect-priority"]
    assert words["802-11-wireless-security.psk"] == found["wifi-security"]["psk"] == PASSWORD
    assert words["802-11-wireless.mode"] == found["wifi"]["mode"]
    assert words["ipv4.method"] == found["ipv4"]["method"]


class Machine:
    """What nmcli answers on a machine, in its own form."""

    def __init__(self, devices: str, connections: str = "Home\\:5G\n", refuses: str = "") -> None:
        self.devices, self.connections, self.refuses = devices, connections, refuses
        self.done: list[str] = []

    def __call__(self, words: Sequence[str]) -> str:
        if words[-1] == "device":
            return self.devices
        if words[-1] == "show":
            return self.connections
        if self.refuses:
            raise HotspotError(self.refuses)
        self.done.append(shlex.join(words))
        return ""


PI = "eth0:ethernet:Wired connection 1\nwlan0:wifi:Home\\:5G\nlo:loopback:lo\n"


def given(**more: Any) -> argparse.Namespace:
    usual = {"ssid": "Boardumpire", "password_file": None, "now": False, "off": False, "yes": True}
    return argparse.Namespace(**{**usual, **more})


def said(machine: Machine, **more: Any) -> str:
    out = io.StringIO()
    hotspot.run(given(**more), out, machine)
    return out.getvalue()


def test_what_is_there_is_read_with_colons_in_names() -> None:
    assert read_state(Machine(PI)) == NetworkState("wlan0", "Home:5G", hotspot_exists=False)
    assert read_state(Machine(PI, f"{CONNECTION_NAME}\nlo\n")).hotspot_exists
    with pytest.raises(HotspotError, match="no Wi-Fi"):
        read_state(Machine("eth0:ethernet:lan\n"))


def test_it_is_said_what_is_done_and_phones_join_by_a_code(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("at least eight\n")
    machine = Machine(PI)
    told = said(machine, now=True, password_file=tmp_path / "password")
    assert told.startswith(
        "- make a Wi-Fi called Boardumpire at wlan0\n- bring it up now; the machine leaves Home:5G\n"
    )
    assert "its password is at least eight" in told
    assert "http://10.42.0.1:8080" in told
    assert "█" in told
    assert [line.split()[1:3] for line in machine.done] == [["connection", "add"], ["connection", "up"]]


def test_without_a_file_a_password_is_made_that_nobody_guesses() -> None:
    first, second = (said(Machine(PI)) for _ in range(2))
    made = [text.partition("its password is ")[2].split()[0] for text in (first, second)]
    assert made[0] != made[1]
    assert all(len(each) == hotspot.PASSWORD_LENGTH for each in made)


def test_who_may_not_do_it_is_told_what_to_type_and_a_shell_reads_it_back() -> None:
    machine = Machine(PI, refuses="Error: Failed to add connection: Insufficient privileges.")
    with pytest.raises(
        HotspotError, match="you may not do that: type sudo boardumpire hotspot, or:"
    ) as caught:
        said(machine, now=True)
    first, second = [line.strip() for line in str(caught.value).splitlines()[1:]]
    assert shlex.split(first)[:4] == ["sudo", "nmcli", "connection", "add"]
    assert second == f"sudo nmcli connection up {CONNECTION_NAME}"
    other = Machine(PI, refuses="Error: 802-11-wireless.band: bad.")
    with pytest.raises(HotspotError, match="bad"):
        said(other)


def test_nothing_is_done_unless_somebody_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(PI)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert said(machine, yes=False).endswith("Nothing was done.\n")
    assert machine.done == []


def test_it_is_taken_away_again() -> None:
    machine = Machine(PI)
    said(machine, off=True)
    assert machine.done == [f"nmcli connection delete {CONNECTION_NAME}"]


@pytest.mark.parametrize(
    ("ssid", "password", "error"),
    [
        ("", PASSWORD, "1 to 32 bytes"),
        (33 * "x", PASSWORD, "1 to 32 bytes"),
        ("a\nb", PASSWORD, "1 to 32 bytes"),
        ("x", "short", "8 to 63"),
        ("x", "sämtliche", "8 to 63"),
        ("x", 64 * "y", "8 to 63"),
    ],
)
def test_what_no_wifi_takes_is_refused(ssid: str, password: str, error: str) -> None:
    with pytest.raises(HotspotError, match=error):
        check_settings(ssid, password, now=False)


def test_signs_that_mean_something_in_the_code_are_told_apart() -> None:
    assert (
        hotspot.wifi_qr_text(check_settings("a;b", 'x:"\\,yyyy', now=False))
        == 'WIFI:T:WPA;S:a\\;b;P:x\\:\\"\\\\\\,yyyy;;'
    )


def test_a_radio_that_is_off_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "sys/class/rfkill/rfkill0"
    folder.mkdir(parents=True)
    assert hotspot.radio_block_hint(tmp_path) == ""
    (folder / "type").write_text("wlan\n")
    (folder / "soft").write_text("1\n")
    assert "do_wifi_country" in hotspot.radio_block_hint(tmp_path)
    (folder / "soft").write_text("0\n")
    assert hotspot.radio_block_hint(tmp_path) == ""


@pytest.mark.parametrize(
    ("known", "values", "expected"),
    [
        ("", {}, []),
        ("", {"Home:5G": "0 (default)"}, ["Home:5G 802-11-wireless.powersave"]),
        (
            CONNECTION_NAME,
            {CONNECTION_NAME: "0 (default)"},
            [f"{CONNECTION_NAME} {hotspot.PMF_SETTING}", f"{CONNECTION_NAME} {hotspot.POWER_SAVING_SETTING}"],
        ),
    ],
)
def test_check_config_names_what_makes_a_wifi_slow_or_keeps_it_down(
    known: str, values: dict[str, str], expected: list[str]
) -> None:
    """Since Trixie a hotspot with protected frames does not come up on small Pis."""
    off = {hotspot.PMF_SETTING: "1 (disable)\n", hotspot.POWER_SAVING_SETTING: "2 (disable)\n"}

    def answers(words: Sequence[str]) -> str:
        if words[1] == "-g":
            return values.get(words[-1], off[words[2]])
        return Machine(PI, f"{known}\nHome\\:5G\n")(words)

    seen = hotspot.wifi_findings(answers)
    typed = [shlex.split(each.remedy_command)[4:6] for each in seen if each.remedy_command]
    assert [" ".join(words) for words in typed] == expected
    if not values:
        assert [each.as_line() for each in seen] == ["ok     Wi-Fi Home:5G: as phones want it"]
    assert hotspot.wifi_findings(lambda words: hotspot.run_nmcli(["/no/such/nmcli"])) == []
