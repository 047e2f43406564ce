"""The page over TLS: what a certificate in the configuration changes."""

from __future__ import annotations

import http.client
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from boardumpire.commands import check_config
from boardumpire.errors import ConfigError
from boardumpire.service import config
from daemon.service import Service
from web.served import DUEL, PHONE, Screen


def certificate(directory: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1, signed by itself, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    made, key = directory / "page.pem", directory / "page.key"
    names = ["-subj", "/CN=boardumpire", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subprocess.run([*command, *names, "-keyout", key, "-out", made], check=True, capture_output=True)
    return made, key


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made, key = certificate(tmp_path)
    found = Service(tmp_path)
    with found.config.open("a") as config:
        config.write(f'[page]\nlisten = "127.0.0.1:0"\ncertificate = "{made}"\nkey = "{key}"\n')
    found.start()
    yield found
    found.close()


def _ask(link: str, trusted: Path, method: str, scheme: str = "https") -> http.client.HTTPResponse:
    host, _, path = link.removeprefix("https://").partition("/")
    line = http.client.HTTPSConnection(host, timeout=20, context=ssl.create_default_context(cafile=trusted))
    line.request(method, f"/{path}", headers={"Origin": f"{scheme}://{host}"})
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer


def test_a_seat_sits_down_over_tls_and_its_cookie_stays_there(service: Service) -> None:
    link = service.ask("links")["links"]["red"]
    assert link.startswith("https://127.0.0.1:")
    assert _ask(link, service.directory / "page.pem", "GET").status == 200
    assert _ask(link, service.directory / "page.pem", "POST", "http").status == 403, "another origin"
    seated = _ask(link, service.directory / "page.pem", "POST")
    assert (seated.status, seated.getheader("location")) == (303, "/seat/red")
    assert "secure" in (seated.getheader("set-cookie") or "").lower().split("; ")


def test_plain_http_is_not_answered_where_there_is_a_certificate(service: Service) -> None:
    host = service.ask("links")["links"]["table"].removeprefix("https://").partition("/")[0]
    line = http.client.HTTPConnection(host, timeout=20)
    line.request("GET", "/")
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        line.getresponse()
    line.close()


@pytest.mark.nightly
def test_screens_set_up_and_hear_over_tls(service: Service, screen: Callable[..., Screen]) -> None:
    links = service.ask("links")["links"]
    trusting: dict[str, Any] = {**PHONE, "ignore_https_errors": True}
    seats = {seat: screen(links[seat], **trusting) for seat in DUEL}
    for seat, army in DUEL.items():
        for word in army.split():
            service.do(service.hands.stand, seat, word.partition("=")[0])
        seats[seat].take_kept("stratego-quick-duel", seat, army)
    seats["red"].until_todo("Your turn")
    service.do(service.hands.lift, "d3")
    service.do(service.hands.place, "d4")
    for each in seats.values():
        each.until_told("Red: d3 to d4.")
        assert each.page.evaluate("location.protocol") == "https:"
        assert "encrypted" not in each.page.inner_text("main")
        assert each.errors == []


def test_a_certificate_that_is_not_there_or_not_of_its_key_is_told_before_anybody_plays(
    tmp_path: Path,
) -> None:
    made, key = certificate(tmp_path)
    (tmp_path / "other").mkdir()
    _, strange = certificate(tmp_path / "other")
    path = tmp_path / "boardumpire.toml"

    def said(*pair: Path) -> str:
        words = "".join(
            f'{name} = "{file}"\n' for name, file in zip(("certificate", "key"), pair, strict=False)
        )
        path.write_text(f'format = "boardumpire-config"\nversion = 1\n[page]\n{words}')
        try:
            check_config.load_checked_board(config.read_file(path))
        except ConfigError as error:
            return str(error)
        return ""

    assert said(made, key) == ""
    path.write_text(f'format = "boardumpire-config"\nversion = 1\n[page]\nkey = "{key}"\n')
    with pytest.raises(ConfigError, match=r"\[page\] certificate: found nothing; name the certificate"):
        check_config.load_checked_board(config.read_file(path))
    for pair in ((made, strange), (made,), (key, made), (tmp_path / "none.pem", key), (tmp_path, key)):
        assert said(*pair).startswith(f"{path}:4: [page] certificate: {pair[0]}")
        assert said(*pair).endswith("; name a certificate and its key, both as PEM")
