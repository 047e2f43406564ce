"""Says aloud what everybody is told, through `espeak-ng` or `piper`, if one is installed.

The crank hands over what it told and goes on: a thread of its own puts it into words and runs the programs.
While something is spoken only the newest waits; what it overtakes is never said. A program that hangs is
killed, one that dies is logged once, and neither is waited for by anything that judges or lights.

Only what everybody is told is ever spoken.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boardumpire.errors import ConfigError
from boardumpire.messages import announce
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.config import Config, VoiceSection
from boardumpire.supervision import BACKOFF, Backoff, describe, start_thread

SPEECH_MAX_S = 30.0
"""No sentence takes so long: whatever still runs then hangs."""
BATTLE_EVENT_KIND = "battle"

log = logging.getLogger("boardumpire")

Command = tuple[str, ...]


def check_voice_programs(config: Config) -> tuple[Command, ...]:
    """The programs that a configuration wants, one piped into the next. Raises `ConfigError`."""
    section, place = config.voice, config.origin.locate
    if not section.program:
        return ()
    if section.program == "piper" and not section.model:
        raise ConfigError(f"{place('voice', 'model')}: found nothing; give the path of a voice for piper")
    if section.model and not _is_file(section.model):
        raise ConfigError(f"{place('voice', 'model')}: no file {section.model!r}; give the path of a voice")
    commands = speech_commands(section)
    for key, command in zip(("program", "player"), commands, strict=True):
        if shutil.which(command[0]) is None:
            raise ConfigError(f"{place('voice', key)}: {command[0]!r} is not installed on this machine")
    return commands


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # too long for a path, or with a byte that none has
        return False


def speech_commands(section: VoiceSection) -> tuple[Command, Command]:
    """What makes a sound of the text that comes in, and what plays it."""
    made = {
        "espeak-ng": ("espeak-ng", "-v", section.language, "--stdin", "--stdout"),
        "piper": ("piper", "-m", section.model, "-f", "-"),
    }[section.program]
    on = ("-D", section.device) if section.device else ()
    return made, (section.player, *on, "-q", "-")


def spoken_text(messages: Sequence[SeatMessage], language: str, tunes: bool) -> str:
    """What is to be said of messages that were told together; nothing of what only one seat is told.

    `tunes`: who won a battle is told by a tune, as the board of 1982 did it, and not in words.
    """
    said = [text for message in messages if message.seat is None for text in _message_texts(message, tunes)]
    return " ".join(str(text) for text in announce.translate(said, language))


def _message_texts(message: SeatMessage, tunes: bool) -> list[str]:
    data: Mapping[str, Any] = message.data
    match message.kind:
        case "ruling" if data["ok"]:
            told = zip(data["events"], data["text"], strict=True)
            return [text for event, text in told if not (tunes and event["kind"] == BATTLE_EVENT_KIND)]
        case "ruling":
            return [data["refusal"]["text"]]
        case "fault" | "question" | "proposal" | "adjourned" | "shown" | "over":
            return [data["text"]]
    return []


class Voice:
    """One voice, speaking one thing at a time."""

    def __init__(
        self,
        commands: Sequence[Command],
        language: str,
        tunes: bool = False,
        longest_s: float = SPEECH_MAX_S,
        backoff: Backoff = BACKOFF,
    ) -> None:
        """`backoff`: when it goes on after an error."""
        self.trouble = ""
        """Why nothing was said last; empty if all was."""
        self._commands, self._language, self._tunes = commands, language, tunes
        self.text_max_s = longest_s
        """How long the next text may take."""
        self._wake = threading.Condition()
        self._next: tuple[SeatMessage, ...] = ()
        self._ended = False
        self._programs = threading.Lock()
        """Held while programs start: never by whoever tells."""
        self._running: list[subprocess.Popen[bytes]] = []
        self._warned = False
        self._closing = threading.Event()
        self._thread = start_thread(self._run, "voice", self._closing, backoff)

    def speak(self, messages: Sequence[SeatMessage]) -> None:
        """Say these next, instead of whatever still waits to be said. Returns at once."""
        public = tuple(
            message for message in messages if message.seat is None and _message_texts(message, self._tunes)
        )
        if public:
            with self._wake:
                self._next = public
                self._wake.notify()

    def close(self) -> None:
        """Fall silent in the middle of a word. Closing twice is allowed."""
        self._closing.set()
        with self._wake:
            self._ended = True
            self._next = ()
            self._wake.notify()
        with self._programs:
            for process in self._running:
                process.kill()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._wake:
                while not (self._next or self._ended):
                    self._wake.wait()
                if self._ended:
                    return
                messages, self._next = self._next, ()
            try:
                text = spoken_text(messages, self._language, self._tunes)
                if text:
                    self._speak_text(text)
            except Exception as error:
                self.trouble = f"the voice: {describe(error)}"
                raise

    def _speak_text(self, text: str) -> None:
        """Run the programs to their end, or to the longest time."""
        try:
            if self._start_programs():
                self._feed_text(text)
                for process in reversed(self._running):
                    process.wait(self.text_max_s)
            why = next((f"ended with {each.returncode}" for each in self._running if each.returncode), "")
        except (OSError, MemoryError) as error:
            why = str(error) or type(error).__name__
        except subprocess.TimeoutExpired:
            why = f"had to be ended after {self.text_max_s:g} s"
        finally:
            self._end_programs()
        self.trouble = f"the voice, {self._commands[0][0]}: {why}" if why else ""
        if why and not self._warned and not self._ended:
            self._warned = True
            log.warning("%s; the game goes on without it", self.trouble)

    def _start_programs(self) -> bool:
        """Start all programs; whether they run, and the voice was not closed meanwhile."""
        source: Any = subprocess.PIPE
        for command in self._commands:
            last = command is self._commands[-1]
            with self._programs:
                if self._ended:
                    return False
                process = subprocess.Popen(
                    command,
                    stdin=source,
                    stdout=subprocess.DEVNULL if last else subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl+C in a terminal is for the daemon
                )
                self._running.append(process)
            if source is not subprocess.PIPE:
                source.close()  # the program before it shall notice when this one is gone
            source = process.stdout
        return True

    def _feed_text(self, text: str) -> None:
        stdin = self._running[0].stdin
        assert stdin is not None
        with contextlib.suppress(BrokenPipeError), stdin:
            stdin.write(text.encode() + b"\n")

    def _end_programs(self) -> None:
        """End what still runs, and forget it."""
        with self._programs:
            running, self._running = self._running, []
        for process in running:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(BrokenPipeError):
                        pipe.close()
