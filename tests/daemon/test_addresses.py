"""Links name addresses that a phone can open: what the kernel and its library say of interfaces, and what is
made of it."""

from __future__ import annotations

import errno
import json
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import ifaddr
import pytest
from ifaddr import IP, Adapter

from boardumpire.service.addresses import outward_addresses, reachable_addresses
from daemon.service import Service


def adapter(name: str, *addresses: str | tuple[str, int, int]) -> Adapter:
    ips = [IP(address, 24 if isinstance(address, str) else 64, name) for address in addresses]
    return Adapter(name, name, ips)


PI = [
    adapter("lo", "127.0.0.1", ("::1", 0, 0)),
    adapter("docker0", "172.17.0.1"),
    adapter("br-1f2e3d", "172.18.0.1"),
    adapter("veth12ab", ("fe80::1", 0, 7)),
    adapter("usb0", "169.254.7.7"),
    adapter("eth0", "192.0.2.20", ("2001:db8::20", 0, 0), ("fe80::20", 0, 2)),
    adapter("wlan0", "198.51.100.4"),
]


@pytest.mark.parametrize(
    ("first", "with_6", "expected"),
    [
        ("198.51.100.4", False, ["198.51.100.4", "192.0.2.20", "169.254.7.7"]),
        ("", False, ["192.0.2.20", "198.51.100.4", "169.254.7.7"]),
        ("192.0.2.20", True, ["192.0.2.20", "198.51.100.4", "2001:db8::20", "169.254.7.7"]),
    ],
)
def test_the_way_out_comes_first_and_what_leads_to_no_phone_never(
    first: str, with_6: bool, expected: list[str]
) -> None:
    assert outward_addresses(PI, first, with_6=with_6) == expected


def test_a_machine_without_a_network_has_none() -> None:
    assert outward_addresses(PI[:4], "", with_6=True) == []


def test_where_the_kernel_tells_of_no_interfaces_the_way_out_is_all_that_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a sandbox without netlink. Whoever asks for links gets an answer."""

    def refused() -> list[Adapter]:
        raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

    monkeypatch.setattr(ifaddr, "get_adapters", refused)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
            way_out = [asked.getsockname()[0]]
        except OSError:
            way_out = []
    assert reachable_addresses("0.0.0.0") == way_out


def test_one_address_is_that_and_the_machine_itself_is_none() -> None:
    assert reachable_addresses("192.0.2.9") == ["192.0.2.9"]
    assert reachable_addresses("127.0.0.1") == reachable_addresses("::1") == []


UNSHARE = ["unshare", "--map-root-user", "--net", "sh", "-c"]


def lacking() -> str:
    if shutil.which("ip") is None or shutil.which("unshare") is None:
        return "ip or unshare is not on this machine"
    made = subprocess.run([*UNSHARE, "ip link add wlan0 type bridge"], capture_output=True)
    return "" if made.returncode == 0 else "no network of its own may be made here"


def up(name: str, address: str) -> str:
    return (
        f"ip link add {name} type bridge && ip addr add {address}/24 dev {name} && ip link set {name} up && "
    )


ASKED = """
import http.client, json, re, subprocess, sys
words = ["page", "--game", "stratego-quick-duel", "--listen", sys.argv[2], "--state", sys.argv[3]]
served = subprocess.Popen([sys.argv[1], *words], stdout=subprocess.PIPE, text=True)
links = {}
for line in served.stdout:
    found = re.match(r"  ([\\w-]+) +(http\\S+)", line)
    links.update([found.groups()] if found else [])
    if "table" in links:
        break

def ask(link, method="GET", **headers):
    scheme, _, rest = link.partition("://")
    host, _, path = rest.partition("/")
    line = http.client.HTTPConnection(host, timeout=20)
    line.request(method, "/" + path, headers=headers)
    answer = line.getresponse()
    return answer.status, answer.getheader("set-cookie", ""), answer.read().decode()

red, table = links["red"], links["table"]
port = red.rpartition(":")[2].partition("/")[0]
here = f"http://127.0.0.1:{port}"
status, cookie, body = ask(here + "/link/" + table.rpartition("/")[2], "POST", Origin=here)
with_cookie = {"Cookie": cookie.partition(";")[0]}
told = {
    "links": links, "opened": ask(red)[0],
    "join": json.loads(ask(here + "/join.json", **with_cookie)[2])["seats"][0]["link"],
    "code": ask(here + "/qr/red.svg", **with_cookie)[2],
}
served.terminate()
served.wait()
print(json.dumps(told))
"""


def served(tmp_path: Path, setting: str, listen: str = "0.0.0.0:0") -> dict[str, object]:
    """What the page says of itself, asked on its own machine, in a network of its own."""
    (tmp_path / "asked.py").write_text(ASKED)
    command = Path(sys.executable).with_name("boardumpire")
    words = f"{sys.executable} {tmp_path}/asked.py {command} {listen} {tmp_path}/state"
    ran = subprocess.run([*UNSHARE, f"ip link set lo up && {setting}{words}"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    told: dict[str, object] = json.loads(ran.stdout)
    return told


apart = pytest.mark.skipif(bool(lacking()), reason=lacking() or "it is")


@pytest.mark.slow
@apart
def test_in_a_network_links_and_codes_name_its_address(tmp_path: Path) -> None:
    """The Pi's own hotspot: no way into the internet, and a phone at the other side."""
    told = served(tmp_path, up("docker0", "172.17.0.1") + up("wlan0", "10.42.0.1"))
    links = told["links"]
    assert isinstance(links, dict)
    assert all(link.startswith("http://10.42.0.1:") for link in links.values()), links
    assert told["opened"] == 200
    assert told["join"] == links["red"]
    assert "<path" in str(told["code"])


@apart
@pytest.mark.slow
@pytest.mark.parametrize("listen", ["0.0.0.0:0", "127.0.0.1:0"])
def test_where_no_phone_gets_no_code_is_drawn_and_links_are_for_this_machine(
    tmp_path: Path, listen: str
) -> None:
    wired = "" if listen.startswith("0") else up("wlan0", "10.42.0.1")
    told = served(tmp_path, up("docker0", "172.17.0.1") + wired, listen)
    links = told["links"]
    assert isinstance(links, dict)
    assert re.match(r"http://(localhost|127\.0\.0\.1):", links["red"])
    assert told["opened"] == 200
    assert told["join"] is None
    assert "<path" not in str(told["code"])
    assert "Phones can&#x27;t open" in str(told["code"])


@pytest.mark.slow
def test_links_say_so_where_no_phone_opens_them(service: Service) -> None:
    with service.config.open("a") as config:
        config.write('[page]\nlisten = "127.0.0.1:0"\n')
    service.start()
    command = [Path(sys.executable).with_name("boardumpire"), "links", "--config", service.config]
    environ = {"RUNTIME_DIRECTORY": str(service.directory / "run")}
    said = subprocess.run(command, env=environ, capture_output=True, text=True)
    assert said.returncode == 0
    assert "red      http://127.0.0.1:" in said.stdout
    assert said.stderr.startswith("boardumpire: no phone opens these links: ")
