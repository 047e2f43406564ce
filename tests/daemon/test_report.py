"""`boardumpire report`: useful, without secrets, equal for twin games."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import boardumpire
import boardware
from boardsim.bench.bench import Bench, BenchSettings
from boardumpire import cli
from boardumpire.commands import report
from boardumpire.commands.table_factory import TableFactory
from boardumpire.errors import BoardumpireError
from boardumpire.makers.machine import Machine
from boardumpire.makers.traces.recorder import TraceRecorder
from boardumpire.makers.traces.tracing import open_traced_table
from boardumpire.messages.disclosure import trouble_message
from boardumpire.supervision import describe
from daemon.service import Service
from daemon.test_waits import free_port
from table.twins import begun, setups

HEAD = 'format = "boardumpire-config"\nversion = 1\n'
PASSWORD, PIN = "correct-horse", "7391735"


def made(tmp_path: Path, text: str = "", log: str = "", trace: str | None = None) -> str:
    """The report of a board with this configuration, on a machine that is no Pi."""
    path = tmp_path / "board.toml"
    path.write_text(HEAD + text)
    return report.report_text(path, {"STATE_DIRECTORY": str(tmp_path)}, log, trace, Machine(tmp_path))


def test_a_report_says_what_runs_and_how_it_is_configured(tmp_path: Path) -> None:
    text = '[board]\nname = "quick-battle-8x8-pico"\n[drivers]\nsensors = "pico"\nlamps = "pico-lamps"\n'
    found = made(tmp_path, text + 'console = "pico-console"\n[tracker]\nsettle_ms = 90\n')
    for line in (
        "boardumpire-report 1",
        "boardumpire 1.0.0",
        "model: not a Raspberry Pi",
        "[board] name = quick-battle-8x8-pico",
        "[drivers] sensors = pico",
        "[tracker] settle_ms = 90",
        "[page] listen: not set",
        "check-config: right",
        "check-config: Picos: 1 to do",
        "service: no board in service answers",
        "none found",
    ):
        assert re.search(f"^{re.escape(line)}", found, re.MULTILINE), f"{line}\n{found}"


def test_a_report_names_the_model_of_a_pi(tmp_path: Path) -> None:
    folder = tmp_path / "proc" / "device-tree"
    folder.mkdir(parents=True)
    (folder / "model").write_text("Raspberry Pi Zero 2 W Rev 1.0\0")
    assert "\nmodel Raspberry Pi Zero 2 W Rev 1.0\n" in made(tmp_path)


SECRETS: dict[str, Any] = {
    "[page]\npin": PIN,
    "[mqtt]\nuser": "somebody",
    "[mqtt]\npassword": PASSWORD,
    "[mqtt]\nbroker": "broker.at.home",
    "[page]\nnames": "board.at.home",
    "[page]\nlisten": "192.0.2.7:8017",
    "[page]\nmdns": "our-board",
    "[game.players]\nred": "Ada",
    "[machine]\nupdate": "curl --user me",
    "[board]\nname": "/home/ada/board.toml",
    "[drivers]\ntags": PASSWORD,
    "[drivers]\nsensors": PASSWORD,
    "[game]\nid": PASSWORD,
    "[sensors]\nport": "/dev/serial/by-id/ada",
    "[journal]\nkey": "key/ada",
    f"[page]\n{PASSWORD}": "true",
    f"[{PASSWORD}]\npin": "x",
    f"[game.options]\n{PASSWORD}": PASSWORD,
    f"[sensors]\n{PASSWORD}": PASSWORD,
}
"""By section and key what stands there and may not be in a report."""


@pytest.mark.parametrize("where", SECRETS)
def test_a_report_holds_no_value_that_may_be_secret(where: str, tmp_path: Path) -> None:
    found = made(tmp_path, f'{where} = "{SECRETS[where]}"\n')
    for secret in (str(SECRETS[where]), PASSWORD, str(tmp_path)):
        assert secret not in found or secret in ("true", "x"), found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[page]\npin = "73917x5"\n', "line 4 [page] pin"),
        ("[page]\npin = 7391735\n", "line 4 [page] pin"),
        ('[page]\npin = "7391735\n', "line 4"),
        ('[page]\npni = "7391735"\n', "line 4 [page] another key"),
        ("[tracker]\nsettle_ms = 7391735\n", "line 4 [tracker] settle_ms"),
        ('[sensors]\npni = "7391735"\n', "line 4 [sensors] another key"),
        ("[game.options]\nshuffle = 7391735\n", "line 4 [game] options"),
        ("[trakcer]\n", "line 3"),
    ],
)
def test_of_a_refused_configuration_a_report_tells_the_place_alone(
    text: str, said: str, tmp_path: Path
) -> None:
    """`check-config` quotes what it found, which may be the secret."""
    found = made(tmp_path, text)
    assert f"\ncheck-config: refused: {said}\n" in found
    assert "73917" not in found


def test_a_configuration_that_is_not_there_is_no_traceback(tmp_path: Path) -> None:
    found = report.report_text(tmp_path / "none.toml", {}, "", None, Machine(tmp_path))
    assert "\ncheck-config: refused\n" in found


LOG = f"""\
INFO the board is open event=open board=x game=stratego-quick-duel journal=/home/ada/journal.sqlite
INFO {PASSWORD} came to the page
WARNING Please check the sensor of a1: {PASSWORD}. event=fault code=reed-flutters
WARNING Please check the sensor of a2: {PASSWORD}. event=fault code=reed-flutters
WARNING {PASSWORD} event=fault code={PASSWORD}
WARNING {PASSWORD} event={PASSWORD}
ERROR the page has failed: OSError: {PASSWORD} at page.py:12, because of KeyError at room.py:9; again in 1 s
ERROR a Pico has failed: StrangeThing at pico.py:3
<3>the firmware of a Pico event=firmware
<3>Traceback (most recent call last):
<3>  File "/home/ada/boardumpire/service/firmware_updater.py", line 70, in renew
<3>    raise ValueError("{PASSWORD}")
<3>ValueError: setup a1=F {PASSWORD}
"""


def test_of_a_log_a_report_holds_events_kinds_of_errors_and_lines_of_code(tmp_path: Path) -> None:
    found = made(tmp_path, log=LOG)
    assert found.partition("== faults")[2].splitlines()[1:] == [
        "open",
        "fault reed-flutters (2 times)",
        "fault another code",
        "failed: OSError KeyError page.py:12 room.py:9",
        "failed: pico.py:3",
        "firmware",
        "firmware_updater.py:70",
        "ValueError (2 times)",
    ]


def test_an_error_as_supervision_logs_it_is_found(tmp_path: Path) -> None:
    try:
        raise RuntimeError(PASSWORD) from KeyError(PIN)
    except RuntimeError as error:
        line = f"ERROR work has failed: {describe(error)}; it is started again in 1 s"
    found = made(tmp_path, log=line)
    assert re.search(r"^failed: RuntimeError KeyError test_report\.py:\d+$", found, re.MULTILINE), found


def calls(package: Any) -> Iterable[ast.AST]:
    """Every node of every module of a package."""
    for path in Path(package.__file__).parent.rglob("*.py"):
        yield from ast.walk(ast.parse(path.read_text()))


@pytest.mark.slow
def test_all_events_and_codes_that_a_service_logs_are_on_the_list() -> None:
    events, codes = set(), set()
    for node in (*calls(boardumpire), *calls(boardware)):
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            events |= {
                value.value
                for key, value in pairs
                if isinstance(key, ast.Constant) and key.value == "event" and isinstance(value, ast.Constant)
            }
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
            ("HardwareTrouble", "secrecy.trouble")
        ):
            codes |= {each.value for each in node.args[1:2] if isinstance(each, ast.Constant)}
    assert events >= {"open", "fault"}
    assert events <= report.LOG_EVENTS | {"setup"}
    assert codes >= {"bank-silent", "bank-refused"}
    lines = [
        f"x event=fault code={trouble_message(0, str(code), '', '').data['code']}" for code in sorted(codes)
    ]
    assert "another code" not in "".join(report.fault_lines("\n".join(lines)))


def traced(setup: dict[str, str]) -> str:
    """The trace, with its secrets open, of a game that has begun, and in which a piece was carried."""
    lines: list[str] = []

    def opening(**parts: Any) -> Any:
        return open_traced_table(
            **parts, recorder=TraceRecorder(lines.append, open_=True), sensors="gpio-sim"
        )

    bench = Bench(BenchSettings(seed=4), TableFactory(opening))
    bench.start()
    for seat, text in setup.items():
        bench.set_up(seat, text)
    state = begun(setup)
    step = next(step for step in state.steps() if not step.attack)
    bench.run_until(bench.hands.lift(step.origin, bench.now))
    bench.wait(1_000_000)
    bench.run_until(bench.hands.place(step.target, bench.now))
    bench.wait(3_000_000)
    bench.close()
    return "".join(lines)


def test_of_a_trace_a_report_holds_sensors_and_lights(tmp_path: Path) -> None:
    """Its secrets were open: ranks and what was said stay out of the report, and twins give the same."""
    texts = []
    for setup in setups(5):
        trace = traced(setup)
        assert "=F" in trace
        texts.append(made(tmp_path, trace=trace).partition("== trace")[2])
    assert texts[0] == texts[1]
    words = {line.split()[0] for line in texts[0].splitlines()[1:]}
    assert words == report.TRACE_WORDS - {"check", "pressed", "held"}
    assert "setup" not in texts[0]


def test_what_is_no_trace_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BoardumpireError, match="--trace:1: "):
        made(tmp_path, trace="boardumpire-record 1\n")


@pytest.mark.slow
def test_a_report_takes_the_next_free_name_for_its_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("boardumpire-report.txt", "boardumpire-report-2.txt", "boardumpire-report-3.txt"):
        assert cli.main(["report"]) == 0
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
        out, err = capsys.readouterr()
        assert out.startswith(f"{name}: written")
        assert "no log was found; try" in err
    (tmp_path / "there").symlink_to("elsewhere")
    for name in ("boardumpire-report.txt", "there"):
        assert cli.main(["report", "--into", name]) == 2
        assert capsys.readouterr().err == f"boardumpire: {name}: it exists already; try another name\n"
    assert cli.main(["report", "--into", "none/x"]) == 2
    assert "try --into with another folder" in capsys.readouterr().err


@pytest.mark.slow
def test_reports_of_twin_services_are_equal_and_hold_no_secret(tmp_path: Path) -> None:
    """Armies on the same squares, with other ranks on Blue's; a PIN and a password are configured."""
    texts = []
    for number, setup in enumerate(setups(5)):
        folder = tmp_path / str(number)
        folder.mkdir()
        page = f'[page]\nlisten = "127.0.0.1:{free_port()}"\nmdns = ""\npin = "{PIN}"\n'
        service = Service(folder, config=f'{page}[mqtt]\npassword = "{PASSWORD}"\n')
        try:
            service.start()
            for seat, text in setup.items():
                for word in text.split()[1:]:
                    service.do(service.hands.stand, seat, word.partition("=")[0])
                service.ask("say", seat=seat, text=text)
            service.until(lambda: any(told.get("to_act") == ["red"] for told in service.messages))  # noqa: B023
            links = service.ask("links")["links"]
            environ = {
                "STATE_DIRECTORY": str(folder / "state"),
                "RUNTIME_DIRECTORY": str(folder / "run"),
            }
            found = report.report_text(service.config, environ, service.log, None, Machine(Path("/")))
        finally:
            service.close()
        assert "\nservice: a game is played\n" in found
        assert "\nopen\n" in found
        for secret in (PIN, PASSWORD, str(folder), *(link.rpartition("/")[2] for link in links.values())):
            assert secret not in found.replace("watch", "") or secret == "watch", secret
        assert not re.search(r"\b[a-h][1-8]=", found), "ranks"
        texts.append(found)
    assert texts[0] == texts[1]
