"""A voice says what everybody hears, newest first, and whatever becomes of it nobody waits."""

from __future__ import annotations

import logging
import os
import shutil
import threading
import wave
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

import boardrules
from boardrules.core import State
from boardumpire.errors import ConfigError
from boardumpire.messages import disclosure
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.messages.languages import LANGUAGES
from boardumpire.ruling.umpire import judge_action
from boardumpire.service import voice
from boardumpire.service.config import Config, VoiceSection
from boardumpire.service.voice import Voice
from boardumpire.tracking.events import BoardFault, FaultCode
from rules.armies import at

AT = 1_000_000

SPEAKS = """
with open(os.environ["SAID"], "a") as said:
    print(sys.argv[1:], sys.stdin.read().strip(), file=said)
"""
WAITS = """
said = open(os.environ["SAID"], "a")
print(sys.stdin.read().strip(), file=said, flush=True)
os.open(os.environ["GATE"], os.O_RDONLY)
"""
HANGS = """
open(os.environ["PID"], "w").write(str(os.getpid()))
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.pause()
"""
KEEPS = """
played = os.environ["PLAYED"]
open(played + ".part", "wb").write(sys.stdin.buffer.read())
os.rename(played + ".part", played)
"""
PLAYS = "sys.stdin.buffer.read()\n"


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, install: Callable[[str, str], Path]) -> Path:
    """What a stand-in wrote down; PATH has stand-ins alone."""
    for name in ("SAID", "GATE", "PID"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("PATH", str(install("aplay", PLAYS)))
    return tmp_path / "said"


def speaking(language: str = "en", tunes: bool = False, longest_s: float = 60.0) -> Voice:
    section = VoiceSection(program="espeak-ng", language=language)
    return Voice(voice.check_voice_programs(Config(voice=section)), language, tunes, longest_s)


def battle(announce: str = "ranks") -> list[SeatMessage]:
    """A battle that was ruled on."""
    state: State = at("9 a3, F h1", "2 a4, 3 h7, F h8", announce=announce)
    return disclosure.accepted_messages(
        AT, judge_action(state, state.parse("a3-a4", "red"), ("a3", "a4")), state.seats
    )


def fault(space: str) -> SeatMessage:
    return disclosure.fault_message(AT, BoardFault(FaultCode.EXTRA_PIECE, (space,)))


def spoken_by_the_end(teller: Voice, path: Path, wanted: int) -> list[str]:
    """Wait for so many lines, then close."""
    done = threading.Event()
    while not (path.exists() and len(path.read_text().splitlines()) >= wanted):
        done.wait(0.01)
    teller.close()
    return path.read_text().splitlines()


def test_what_everybody_is_told_is_said_in_the_language_of_the_voice() -> None:
    assert voice.spoken_text(battle(), "en", False) == (
        "a3 attacks a4: the General (9) beats a Scout (2) and takes its square."
    )
    assert voice.spoken_text(battle(), "nl", False) == (
        "a3 valt a4 aan: de Generaal (9) verslaat een Verkenner (2) en neemt het veld in."
    )
    assert voice.spoken_text([fault("b2")], "de", False) == "Auf b2 steht eine Figur zu viel."
    assert voice.spoken_text([disclosure.corrections_message(AT, [])], "de", False) == "", (
        "chores are for the lamps"
    )


def test_where_tunes_tell_who_won_the_voice_does_not() -> None:
    assert voice.spoken_text(battle("silent"), "en", False) == (
        "a3 attacks a4: the attacker wins and takes the square."
    )
    assert voice.spoken_text(battle("silent"), "en", True) == ""
    over = [*battle("silent"), disclosure.adjourned_message(AT)]
    assert voice.spoken_text(over, "en", True).startswith("You can finish the game later.")


def test_nothing_that_one_seat_alone_is_told_is_ever_said() -> None:
    state = boardrules.new("stratego-quick-duel")
    private = disclosure.late_answer_messages(AT, "red", "the Spy is on b2", state.seats)
    assert voice.spoken_text(private, "en", False) == ""
    tried = at("B a3, 9 c2, F h1", "2 h7, F h8")
    refused = disclosure.refused_messages(
        AT, judge_action(tried, tried.parse("a3-a4", "red"), ("a3", "a4")), tried.seats
    )
    assert "Bomb" in str(refused), "its owner hears why"
    assert voice.spoken_text(refused, "en", False) == "That is not allowed."
    silent = battle("silent")
    assert "General" not in voice.spoken_text(silent, "en", False)


def test_a_program_is_fed_with_the_sentence(said: Path, install: Callable[[str, str], Path]) -> None:
    install("espeak-ng", SPEAKS)
    teller = speaking("it")
    teller.speak([fault("b2")])
    assert spoken_by_the_end(teller, said, 1) == [
        "['-v', 'it', '--stdin', '--stdout'] C’è una pedina di troppo, in b2."
    ]


def test_what_was_overtaken_is_never_said(
    said: Path, tmp_path: Path, install: Callable[[str, str], Path]
) -> None:
    install("espeak-ng", WAITS)
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    teller = speaking()
    teller.speak([fault("a1")])
    done = threading.Event()
    while not (said.exists() and said.read_text()):
        done.wait(0.01)
    for space in ("b1", "c1", "d1"):
        teller.speak([fault(space)])  # while a1 is still being said
    for _ in range(2):
        os.close(os.open(gate, os.O_WRONLY))  # a sentence comes to its end
    assert spoken_by_the_end(teller, said, 2) == [
        "There is one piece too many, on a1.",
        "There is one piece too many, on d1.",
    ]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def started(path: Path) -> int:
    done = threading.Event()
    while not (path.exists() and path.read_text()):
        done.wait(0.01)
    return int(path.read_text())


def test_one_that_hangs_keeps_nobody_waiting_and_goes_with_the_daemon(
    said: Path, tmp_path: Path, install: Callable[[str, str], Path]
) -> None:
    install("espeak-ng", HANGS)
    teller = speaking()
    teller.speak([fault("a1")])
    pid = started(tmp_path / "pid")
    for _ in range(1000):
        teller.speak([fault("b1")])  # would never return if it waited for the voice
    assert alive(pid)
    teller.close()
    teller.close()
    assert not alive(pid)


def test_one_that_takes_too_long_is_ended_and_the_next_is_tried(
    said: Path, tmp_path: Path, install: Callable[[str, str], Path], caplog: pytest.LogCaptureFixture
) -> None:
    install("espeak-ng", HANGS)
    teller = speaking(longest_s=0.2)
    teller.speak([fault("a1")])
    done = threading.Event()
    while "had to be ended after 0.2 s" not in teller.trouble:  # perhaps before it has written its number
        done.wait(0.01)
    number = (tmp_path / "pid").read_text() if (tmp_path / "pid").exists() else ""
    assert not (number and alive(int(number)))
    install("espeak-ng", SPEAKS)
    teller.text_max_s = 60.0
    teller.speak([fault("b1")])
    assert len(spoken_by_the_end(teller, said, 1)) == 1
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "had to be ended after 0.2 s" in caplog.text


@pytest.mark.parametrize("does", ["sys.exit(3)", "os.kill(os.getpid(), signal.SIGSEGV)"])
def test_one_that_dies_is_told_once(
    said: Path, install: Callable[[str, str], Path], caplog: pytest.LogCaptureFixture, does: str
) -> None:
    install("espeak-ng", f"open(os.environ['SAID'], 'a').write('x\\n')\n{does}")
    teller = speaking()
    done = threading.Event()
    for times in range(1, 4):
        teller.speak([fault("a1")])
        while not (said.exists() and len(said.read_text().splitlines()) == times):
            done.wait(0.01)
    teller.close()
    assert len(caplog.records) <= 1
    assert "the game goes on without it" in caplog.text


def test_a_voice_that_was_never_asked_ends() -> None:
    Voice((("espeak-ng",), ("aplay",)), "en").close()


def test_each_wrong_voice_is_named(said: Path, install: Callable[[str, str], Path], tmp_path: Path) -> None:
    def wrong(**section: str) -> str:
        with pytest.raises(ConfigError) as caught:
            voice.check_voice_programs(Config(voice=VoiceSection(**section)))
        return str(caught.value)

    assert voice.check_voice_programs(Config()) == ()
    assert wrong(program="espeak-ng") == "[voice] program: 'espeak-ng' is not installed on this machine"
    install("espeak-ng", SPEAKS)
    assert wrong(program="espeak-ng", player="mplayer") == (
        "[voice] player: 'mplayer' is not installed on this machine"
    )
    assert wrong(program="piper") == ("[voice] model: found nothing; give the path of a voice for piper")
    model = tmp_path / "voice.onnx"
    assert wrong(program="piper", model=str(model)).endswith("give the path of a voice")
    assert wrong(program="piper", model="/" + 5000 * "x").endswith("give the path of a voice")
    assert wrong(program="piper", model="a\0b").endswith("give the path of a voice")
    model.touch()
    assert wrong(program="piper", model=str(model)).endswith("'piper' is not installed on this machine")
    install("piper", SPEAKS)
    commands = voice.check_voice_programs(Config(voice=VoiceSection(program="piper", model=str(model))))
    assert commands == (("piper", "-m", str(model), "-f", "-"), ("aplay", "-q", "-"))
    assert voice.speech_commands(VoiceSection("espeak-ng", device="plughw:CARD=Device"))[1] == (
        *("aplay", "-D", "plughw:CARD=Device", "-q", "-"),
    )


@pytest.mark.few(2)
@pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed (make system-tools)"
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_real_espeak_ng_speaks_every_language(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, install: Callable[[str, str], Path]
) -> None:
    """Only the loudspeaker is a stand-in: it keeps what it was given to play."""
    played = tmp_path / "played.wav"
    monkeypatch.setenv("PLAYED", str(played))
    directory = install("aplay", KEEPS)
    monkeypatch.setenv("PATH", f"{directory}:{os.environ['PATH']}")
    teller = speaking(language)
    teller.speak(battle())
    done = threading.Event()
    while not played.exists():
        done.wait(0.01)
    teller.close()
    with wave.open(BytesIO(played.read_bytes())) as sound:
        assert sound.getnchannels() == 1
        rate = sound.getframerate()
    assert played.stat().st_size > 2 * rate, "more than a second of 16 bits"
