"""A certificate that the board makes for itself: what it is for, how long it lasts, what it needs."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardumpire.errors import ConfigError
from boardumpire.service import own_certificate as made
from boardumpire.service.config import PageSection
from web.served import CHROMIUM, FLAGS, PHONE, Screen, Served

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl")


def named(certificate: Path) -> str:
    command = ["openssl", "x509", "-noout", "-ext", "subjectAltName", "-in", str(certificate)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_it_is_kept_until_another_name_is_wanted_or_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = made.own_certificate(tmp_path, "127.0.0.1")
    first = certificate.read_bytes()
    assert key.stat().st_mode & 0o777 == 0o600
    assert "DNS:localhost, IP Address:127.0.0.1" in named(certificate)
    made.own_certificate(tmp_path, "127.0.0.1")
    assert certificate.read_bytes() == first
    made.own_certificate(tmp_path, "192.0.2.7", ["board.example"])
    second = certificate.read_bytes()
    assert second != first
    for name in ("DNS:localhost", "IP Address:192.0.2.7", "DNS:board.example"):
        assert name in named(certificate)
    made.own_certificate(tmp_path, "127.0.0.1")
    assert certificate.read_bytes() == second, "a name that it had stays"
    monkeypatch.setattr(made, "RENEWED_DAYS", made.DAYS + 1)
    made.own_certificate(tmp_path, "127.0.0.1")
    assert certificate.read_bytes() != second
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


def test_one_that_is_named_is_taken_as_it_is(tmp_path: Path) -> None:
    links = tmp_path / "links.json"
    for section in (
        PageSection(listen="127.0.0.1:0", links=links),
        PageSection(links=links, https=True),
        PageSection(listen="127.0.0.1:0", links=links, https=True, certificate="mine.pem"),
    ):
        assert made.with_own_certificate(section) == section
    assert list(tmp_path.iterdir()) == []


def test_without_openssl_or_a_place_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "file"
    there.touch()
    with pytest.raises(ConfigError, match=r"https: .*file: .*; make it writable"):
        made.own_certificate(there, "127.0.0.1")
    with pytest.raises(ConfigError, match=r"\[page\] https: .*; name a certificate of yours"):
        made.own_certificate(tmp_path, "127.0.0.1", ["a name,with=comma"])
    monkeypatch.setitem(os.environ, "PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="sudo apt install openssl"):
        made.own_certificate(tmp_path / "new", "127.0.0.1")


@pytest.mark.slow
def test_a_phone_that_trusts_it_stays_awake_and_keeps_the_offline_page(
    tmp_path: Path, screen: Callable[..., Screen]
) -> None:
    """The page's own promises, by https at an address that no browser trusts without it."""
    served = Served(tmp_path, "--https")
    try:
        assert served.origin.startswith("https://127.0.0.1:")
        trusting = ssl.create_default_context(cafile=tmp_path / "key" / "page.pem")
        line = http.client.HTTPSConnection(
            served.origin.removeprefix("https://"), context=trusting, timeout=20
        )
        line.request("GET", "/watch")
        assert line.getresponse().status == 200
        line.close()
        how: dict[str, Any] = {**PHONE, "ignore_https_errors": True}
        red = screen(served.links["red"], **how)
        assert red.page.evaluate("[isSecureContext, 'wakeLock' in navigator]") == [True, True]
        assert red.errors == []
    finally:
        served.close()


@pytest.mark.slow
def test_a_phone_that_trusts_it_can_install_the_page(tmp_path: Path, browser: Any) -> None:
    """What Chromium itself has against installing it, in a profile of its own as people have."""
    (tmp_path / "state").mkdir()
    served = Served(tmp_path / "state", "--https")
    how = {**PHONE, "args": [*FLAGS, "--ignore-certificate-errors"], "executable_path": str(CHROMIUM)}
    profile = browser.browser_type.launch_persistent_context(tmp_path / "profile", **how)
    try:
        page = profile.pages[0]
        page.goto(served.links["red"])
        page.click("button.main")
        page.wait_for_selector("#line.live")
        assert page.evaluate("navigator.serviceWorker.ready.then((one) => one.scope)") == f"{served.origin}/"
        devtools = profile.new_cdp_session(page)
        manifest = devtools.send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        sizes = {icon["purpose"]: icon["sizes"] for icon in json.loads(manifest["data"])["icons"]}
        assert sizes.keys() == {"any", "maskable"}
        page.reload()
        page.wait_for_selector("#line.live")
        served.close()
        page.goto(f"{served.origin}/seat/red")
        assert page.get_by_role("heading").inner_text() == "The board can't be reached"
    finally:
        profile.close()
        if served.process.poll() is None:
            served.close()
