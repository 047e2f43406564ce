"""What a board counts of itself: right, readable by Prometheus, equal for twin games, not for everybody."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette

from boardsim.bench.bench import Bench
from boardumpire.service import metrics
from boardumpire.service.config import parse_networks
from boardumpire.service.metrics import Histogram, Metrics
from boardumpire.web import health
from boardware.ports import ConsolePort, LampPort, Ports, SensorPort
from daemon.pico_service import PicoService
from daemon.service import Service
from daemon.test_daemon import set_up
from daemon.test_waits import free_port
from loops import run as run_alone
from table.twins import Witness, begun, setups, shared_play

SAMPLE = re.compile(r'[a-z_]+(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? (\+Inf|[0-9.]+)')
"""A line of the text format, version 0.0.4, as far as it is used here."""


def counts(text: str) -> dict[str, float]:
    """The samples, by name and labels; refuses what Prometheus would."""
    found: dict[str, float] = {}
    typed: set[str] = set()
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            name = line.split()[2]
            assert name not in typed, "all samples of one name stand together"
            typed.add(name)
        elif not line.startswith("# HELP "):
            assert SAMPLE.fullmatch(line), line
            name, _, value = line.rpartition(" ")
            assert name not in found
            base = re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", name)
            assert base in typed or name.partition("{")[0] in typed, line
            found[name] = float(value)
    assert text.endswith("\n")
    return found


class Counting(Bench):
    """A bench whose table is counted, as the daemon counts its own."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.metrics = Metrics(lambda: self.now)

    def open_drivers(self) -> tuple[SensorPort, LampPort, ConsolePort]:
        ports = self.metrics.wrap_ports(Ports(*super().open_drivers()))
        return ports.sensors, ports.lamps, ports.console


class Counted(Witness):
    made = Counting
    bench: Counting

    def _told(self, message: Any) -> None:
        super()._told(message)
        self.bench.metrics.count_messages([message])


def _counted(setup: dict[str, str], moves: list[tuple[str, str, str]], seed: int, announce: str) -> str:
    game = Counted(setup, seed, {"announce": announce})
    for _, origin, target in moves:
        game.carry(origin, target)
    text = game.bench.metrics.format_text(missing=0, turning=True)
    game.bench.close()
    return text


@pytest.mark.slow
def test_twin_games_count_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Games that differ in hidden ranks alone, on a machine that has no figures of its own."""
    monkeypatch.setattr(metrics, "PROC_FOLDER", tmp_path)

    @settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(seed=st.integers(0, 2**32), announce=st.sampled_from(["ranks", "silent"]))
    def compare(seed: int, announce: str) -> None:
        first, second = setups(seed)
        options = {"announce": announce}
        moves = shared_play(begun(first, options), begun(second, options), seed, turns=12)
        one, two = (_counted(setup, moves, seed, announce) for setup in (first, second))
        assert one == two
        found = counts(one)
        ruled = found["boardumpire_rulings_total"] + found["boardumpire_refusals_total"]
        assert ruled == len(moves) + 2, "each try on the board, and both set-ups"
        assert found["boardumpire_lift_to_lamp_seconds_count"] >= len(moves)

    compare()


def test_a_histogram_counts_up_to_each_bound_and_loses_nothing() -> None:
    told = Histogram((0.1, 0.5))
    for seconds in (0.05, 0.1, 0.3, 7.0):
        told.observe(seconds)
    assert list(told.format_lines("it")) == [
        'it_bucket{le="0.1"} 2',
        'it_bucket{le="0.5"} 3',
        'it_bucket{le="+Inf"} 4',
        "it_sum 7.450000",
        "it_count 4",
    ]


def test_memory_is_told_in_whole_megabytes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "fd").mkdir()
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "1").mkdir()
    monkeypatch.setattr(metrics, "PROC_FOLDER", tmp_path)
    monkeypatch.setattr(metrics.os, "sysconf", lambda name: 4096)
    for pages, size in ((255, 1), (256, 1), (257, 2), (512, 2)):
        (tmp_path / "statm").write_text(f"9999 {pages} 1 1 0 1 0\n")
        found = counts(Metrics(lambda: 0).format_text(missing=0, turning=True))
        assert found["process_resident_memory_bytes"] == size << 20
        assert (found["process_open_fds"], found["process_threads"]) == (0, 1)


class _Well:
    def problem(self) -> str:
        return ""

    def metrics(self) -> str:
        return "x 1\n"


@pytest.mark.parametrize(
    ("client", "named", "status"),
    [
        ("127.0.0.1", "", 200),
        ("::1", "", 200),
        ("192.0.2.1", "", 403),
        ("2001:db8::1", "", 403),
        ("192.0.2.1", "192.0.2.1", 200),
        ("192.0.2.77", "10.0.0.0/8 192.0.2.0/24", 200),
        ("192.0.3.77", "10.0.0.0/8 192.0.2.0/24", 403),
        ("::ffff:192.0.2.1", "192.0.2.1", 200),
        ("::ffff:192.0.2.1", "", 403),
        ("", "0.0.0.0/0", 403),
    ],
)
def test_counts_are_for_the_machine_and_whom_it_names_and_health_is_for_all(
    client: str, named: str, status: int
) -> None:
    app = Starlette(routes=list(health.health_routes(_Well(), parse_networks(named) or ())))

    async def asked(path: str) -> int:
        told: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            told.append(message)

        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [],
            "http_version": "1.1",
            "scheme": "http",
            "server": ("here", 80),
            "client": (client, 1) if client else None,
        }
        await app(scope, receive, send)
        return int(told[0]["status"])

    assert run_alone(asked("/metrics")) == status
    assert run_alone(asked("/healthz")) == 200


@pytest.mark.parametrize("text", ["everybody", "192.0.2.1/24", "1.2.3", "192.0.2.1,192.0.2.2"])
def test_who_may_read_them_is_written_as_addresses(text: str) -> None:
    assert parse_networks(text) is None


def fetched(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[tuple[PicoService, int]]:
    port = free_port()
    service = PicoService(tmp_path, config=f'[page]\nlisten = "127.0.0.1:{port}"\nmdns = ""\n')
    yield service, port
    service.close()


@pytest.mark.slow
def test_a_board_in_service_counts_what_happens_and_says_whether_it_is_well(
    counted: tuple[PicoService, int],
) -> None:
    """From a Pico that is not there yet to a move, over a cable that loses bytes."""
    service, port = counted
    service.start()
    status, said = fetched(port, "/healthz")
    assert (status, said[:21]) == (503, "waits for pico: Pico ")
    found = counts(fetched(port, "/metrics")[1])
    assert (found["boardumpire_missing_parts"], found["boardumpire_turning"]) == (1, 1)
    pico = service.picos.picos_by_name["pico"]
    pico.to_host.faults = pico.to_host.faults._replace(lose=0.01)
    service.plug("pico")
    service.until(lambda: "over" in service.status())
    set_up(service)
    service.do(service.hands.lift, "b2")
    service.do(service.hands.place, "b3")
    service.until(lambda: any(told.get("action") == "b2-b3" for told in service.messages))
    assert fetched(port, "/healthz") == (200, "ok\n")
    found = counts(fetched(port, "/metrics")[1])
    assert found["boardumpire_rulings_total"] == 3
    assert found["boardumpire_refusals_total"] == 0
    assert found["boardumpire_missing_parts"] == 0
    assert found["boardumpire_journal_write_seconds_count"] >= 3
    assert 0 < found["boardumpire_journal_write_seconds_sum"] < 60
    assert found["boardumpire_lift_to_lamp_seconds_count"] == 1
    assert 10 << 20 < found["process_resident_memory_bytes"] < 100 << 20
    noise = 'boardumpire_wire_errors_total{pico="pico",kind="noise"}'
    for _ in range(100):  # its signs of life go on
        then = service.now + 200_000
        service.until(lambda: service.now >= then, wake_at=then)  # noqa: B023
        if counts(fetched(port, "/metrics")[1])[noise]:
            return
    raise AssertionError("a cable that loses a byte in a hundred is not told")


@pytest.mark.slow
def test_log_and_counts_of_twin_services_differ_in_times_alone(tmp_path: Path) -> None:
    """Armies on the same squares, with other ranks on Blue's; links and PIN are nowhere in them."""
    seen = []
    for number, setup in enumerate(setups(5)):
        port = free_port()
        folder = tmp_path / str(number)
        folder.mkdir()
        service = Service(folder, config=f'[page]\nlisten = "127.0.0.1:{port}"\nmdns = ""\n')
        try:
            service.start()
            for seat, text in setup.items():
                for word in text.split()[1:]:
                    service.do(service.hands.stand, seat, word.partition("=")[0])
                service.ask("say", seat=seat, text=text)
            begun_ = lambda: any(told.get("to_act") == ["red"] for told in service.messages)  # noqa: B023, E731
            service.until(begun_)
            links = service.ask("links")["links"]
            found = counts(fetched(port, "/metrics")[1])
            log = service.log.replace(str(folder), "here")
        finally:
            service.close()
        for secret in {link.rpartition("/")[2] for link in links.values()} - {"watch"}:
            assert not re.search(rf"\b{re.escape(secret)}\b", log), "three links, and the PIN"
        timed = re.compile(r"_seconds_(bucket|sum)|process_|lift_to_lamp")
        seen.append((log, {name: count for name, count in found.items() if not timed.search(name)}))
    assert seen[0] == seen[1]
    assert seen[0][1]["boardumpire_rulings_total"] == 2


def test_each_satellite_is_counted_by_its_name() -> None:
    said = Metrics(lambda: 0).format_text(missing=0, turning=True, satellites={"north": True, "b": False})
    assert 'boardumpire_satellite_connected{satellite="north"} 1\n' in said
    assert 'boardumpire_satellite_connected{satellite="b"} 0\n' in said
    assert "satellite" not in Metrics(lambda: 0).format_text(missing=0, turning=True)
