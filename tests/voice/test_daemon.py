"""A daemon whose voice hangs, dies or speaks rules and lights as one without."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import boardrules
from boardrules.core import ActionSample
from daemon.service import Service
from daemon.test_daemon import first_setup, set_up

HANGS = """
open(os.environ["STARTED"], "a").write(f"{os.getpid()}\\n")
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.pause()
"""
DIES = "open(os.environ['STARTED'], 'a').write('x\\n')\nsys.exit(1)\n"
SPEAKS = "open(os.environ['STARTED'], 'a').write(sys.stdin.read())\n"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path)
    yield made
    made.close()


def begin(service: Service, install: Callable[[str, str], Path], does: str) -> Path:
    """A daemon with this for a voice; what the voice writes."""
    install("aplay", "sys.stdin.buffer.read()\n")
    directory = install("espeak-ng", does)
    config = service.config.read_text()
    service.config.write_text(config + '[voice]\nprogram = "espeak-ng"\nlanguage = "de"\n')
    started = service.directory / "started"
    service.start(PATH=str(directory), STARTED=str(started))
    return started


def asked_until(service: Service, done: Callable[[], bool]) -> None:
    """Until something is so that the daemon does not tell: it is asked again and again."""
    while not done():
        service.ask("view", seat=None)


def move(service: Service) -> None:
    """Red's first move by hand."""
    state = boardrules.new("stratego-quick-duel")
    for seat in ("red", "blue"):
        state, _ = state.apply(state.parse(first_setup(seat), seat))
    legal = state.legal_actions("red")
    assert not isinstance(legal, ActionSample)
    step = next(step for step in state.steps() if state.hand_action("red", step.origin, step.target) in legal)
    service.do(service.hands.lift, step.origin)
    service.do(service.hands.place, step.target)
    action = f"{step.origin}-{step.target}"
    service.until(lambda: any(told.get("action") == action for told in service.messages))
    asked_until(service, lambda: service.ask("status")["marks"] == {"turn-blue": "turn-blue"})


@pytest.mark.slow
@pytest.mark.parametrize("does", [HANGS, DIES], ids=["hangs", "dies"])
def test_a_voice_that_hangs_or_dies_keeps_no_ruling_and_no_lamp_waiting(
    service: Service, install: Callable[[str, str], Path], does: str
) -> None:
    started = begin(service, install, does)
    set_up(service)
    move(service)
    asked_until(service, lambda: started.exists() and started.read_text() != "")
    assert service.end(15) == 0
    if does == HANGS:
        (pid,) = (int(word) for word in started.read_text().split())
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.slow
def test_the_daemon_speaks_the_language_of_its_voice(
    service: Service, install: Callable[[str, str], Path]
) -> None:
    started = begin(service, install, SPEAKS)
    set_up(service)
    asked_until(service, lambda: started.exists() and "Rot beginnt." in started.read_text())
    assert "Both armies" not in started.read_text()


def test_a_voice_that_is_not_there_stops_the_start(service: Service) -> None:
    service.config.write_text(service.config.read_text() + '[voice]\nprogram = "piper"\nmodel = "/no/such"\n')
    with pytest.raises(AssertionError, match="model: no file '/no/such'; give the path of a voice"):
        service.start()
