"""One end of the wire, without any I/O: bytes in by `receive_data`, events out by `next_event`.

Every message but the greetings is numbered. A frame's SEQ byte holds its own number in the upper four bits
and, in the lower four, the number that this end expects next: that acknowledges all before it. What is not
acknowledged in time is sent again, all of it, oldest first (go back N); what comes out of order is dropped.
So each message is told once and in order, or the session ends. A session begins with `hello`, which only
the host says. MicroPython subset.
"""

from boardwire import wire
from boardwire.errors import LocalProtocolError, RemoteProtocolError
from boardwire.framing import Deframer, frame
from boardwire.moments import rebased, rebased_if_any

WINDOW = 7
"""Frames in flight; numbers run to 16, and half of them less one keeps old and new apart."""
AGAIN_US = 15_000
"""After how long a frame is sent again at first: USB there and back takes 2 ms at most."""
AGAIN_MOST_US = 120_000
PACK = 56
"""Messages share a frame up to here: the longer a frame, the less likely it comes through a bad cable."""
GREET_US = 200_000
"""Between two hellos."""
SILENCE_US = 2_000_000
"""After how long the other end counts as gone."""
QUEUE = 64
"""Payloads that may wait. A Pico that has more to tell sends a snapshot instead."""

# States.
CLOSED, GREETING, OPEN, REFUSED = "closed", "greeting", "open", "refused"

# What may happen. `greet` and `send` are ours; `silence` is the clock's; the others come over the wire.
INPUTS = ("greet", "send", "silence", "hello", "again", "welcome", "mismatch", "stranger", "numbered")

LOCAL, REMOTE = "local error", "remote error"

# Every state with every input: the next state, or whose fault it is. An end that has left a session still
# hears what the other end said before it knew; so most of what comes late is no error, and changes nothing.
# fmt: off
HOST_TABLE: dict[str, tuple[str, ...]] = {
    #          greet     send   silence   hello   again   welcome   mismatch  stranger  numbered
    CLOSED:   (GREETING, LOCAL, CLOSED,   REMOTE, REMOTE, CLOSED,   CLOSED,   CLOSED,   CLOSED),
    GREETING: (GREETING, LOCAL, GREETING, REMOTE, REMOTE, OPEN,     REFUSED,  GREETING, GREETING),
    OPEN:     (GREETING, OPEN,  GREETING, REMOTE, REMOTE, OPEN,     REFUSED,  GREETING, OPEN),
    REFUSED:  (GREETING, LOCAL, REFUSED,  REMOTE, REMOTE, REFUSED,  REFUSED,  REFUSED,  REFUSED),
}
PICO_TABLE: dict[str, tuple[str, ...]] = {
    #          greet     send   silence   hello   again   welcome   mismatch  stranger  numbered
    CLOSED:   (LOCAL,    LOCAL, CLOSED,   OPEN,   OPEN,   REMOTE,   CLOSED,   REMOTE,   CLOSED),
    OPEN:     (LOCAL,    OPEN,  CLOSED,   OPEN,   OPEN,   REMOTE,   CLOSED,   REMOTE,   OPEN),
}
# fmt: on


class Link:
    """What both ends have in common. Use `HostLink` or `PicoLink`.

    Events are tuples: the messages of `wire`, and `("opened",)`, `("lost", why)`, `("refused", why)`.
    """

    table: dict[str, tuple[str, ...]] = {}  # noqa: RUF012 - MicroPython has no ClassVar
    speaker = ""
    """Whom this end listens to."""

    def __init__(self) -> None:
        self.state = CLOSED
        self.repeated = 0
        """How many frames were sent again."""
        self._deframer = Deframer()
        self._events: list = []  # type: ignore[type-arg]
        self._greeting = b""
        self._greet_at: int | None = None
        self._heard = False
        self._silent_at: int | None = None
        self._idle_until = 0
        """Until then nothing has to be sent by itself."""
        self._queue: list[bytes] = []
        self._flight: list[bytes] = []
        self._again_us = AGAIN_US
        self._again_at: int | None = None
        self._fresh()

    @property
    def noise(self) -> int:
        """How many pieces of what came were no frame."""
        return self._deframer.noise

    @property
    def eventful(self) -> bool:
        """Whether there is an event that was not told yet."""
        return bool(self._events)

    @property
    def telling(self) -> bool:
        """Whether there is a message that has not gone out yet."""
        return bool(self._queue)

    @property
    def room(self) -> int:
        """How many more messages may be sent before the other end has acknowledged some."""
        return QUEUE - len(self._queue)

    def receive_data(self, data: bytes) -> None:
        """Take what came over the wire, cut anywhere. Raises nothing: `next_event` does."""
        for sequence, payload in self._deframer.receive(data):
            self._heard = True
            self._frame(sequence, payload)

    def next_event(self) -> tuple | None:  # type: ignore[type-arg]
        """The oldest event that was not told yet, or `None`. Raises `RemoteProtocolError`."""
        if not self._events:
            return None
        event = self._events.pop(0)
        if isinstance(event, Exception):
            raise event
        return tuple(event)

    def send(self, name: str, *values: object) -> None:
        """Queue a message. Raises `LocalProtocolError` outside a session, or if too many wait."""
        if self.state != OPEN:
            self._happens("send")
        message = wire.encode(name, *values)
        if name in wire.GREETINGS or len(self._queue) >= QUEUE:
            raise LocalProtocolError(name + " can't be sent now")
        self._put(message)

    def report(self, spare: int, name: str, *numbers: int) -> bool:
        """Queue a message of numbers that are known to fit, unless that leaves less room than `spare` in a
        session; whether it did. What a Pico tells most has to be told fast."""
        if len(self._queue) >= QUEUE - spare:
            return False
        self._put(wire.pack(name, numbers))
        return True

    def _put(self, message: bytes) -> None:
        queue = self._queue
        if queue and len(queue[-1]) + len(message) <= PACK:
            queue[-1] += message
        else:
            queue.append(message)

    def data_to_send(self, now: int) -> bytes:
        """What has to go over the wire at `now`: greetings, frames, what was not acknowledged."""
        if now < self._idle_until and not (self._heard or self._queue or self._owing or self._greeting):
            return b""
        if self._heard or self._silent_at is None or now >= self._silent_at:
            self._listen(now)
        out = self._send(now)
        self._idle_until = 0
        if not out and self.state == OPEN:
            self._idle_until = self.due() or 0
        return out

    def _send(self, now: int) -> bytes:
        out = self._greeting
        self._greeting = b""
        if self.state != OPEN:
            return out
        if self._flight and self._again_at is not None and now >= self._again_at:
            self.repeated += len(self._flight)
            for place, payload in enumerate(self._flight):
                out += self._numbered(self._base + place, payload)
            self._again_us = min(2 * self._again_us, AGAIN_MOST_US)
            self._again_at = now + self._again_us
        while self._queue and len(self._flight) < WINDOW:
            payload = self._queue.pop(0)
            out += self._numbered(self._base + len(self._flight), payload)
            self._flight.append(payload)
        if self._flight and self._again_at is None:
            self._again_at = now + self._again_us
        if self._owing:
            out += self._numbered(self._base + len(self._flight), b"")
        return out

    def due(self) -> int | None:
        """When `data_to_send` has something to do next if nothing comes; `None`: never."""
        first, again, greet = self._silent_at, self._again_at, self._greet_at
        if again is not None and (first is None or again < first):
            first = again
        if greet is not None and (first is None or greet < first):
            first = greet
        return first

    def rebase(self, by: int) -> None:
        """Count moments from a start that is `by` later, at the Pico's end."""
        self._silent_at = rebased_if_any(self._silent_at, by)
        self._again_at = rebased_if_any(self._again_at, by)
        self._idle_until = rebased(self._idle_until, by)

    # Inside

    def _fresh(self) -> None:
        """As at the begin of a session."""
        self._queue = []
        self._flight = []
        self._base = 0
        self._expected = 0
        self._owing = False
        self._again_us = AGAIN_US
        self._again_at = None
        self._idle_until = 0

    def _happens(self, what: str) -> bool:
        """Go on to the next state; whether it is another. What is not allowed raises, or becomes an event."""
        after = self.table[self.state][INPUTS.index(what)]
        if after == LOCAL:
            raise LocalProtocolError(what + " while " + self.state)
        if after == REMOTE:
            self._events.append(RemoteProtocolError(what + " from the " + self.speaker))
            return False
        before, self.state = self.state, after
        return after != before

    def _listen(self, now: int) -> None:
        if self.state in (CLOSED, REFUSED):
            self._silent_at = None
        elif self._heard or self._silent_at is None:
            self._silent_at = now + SILENCE_US
        elif now >= self._silent_at:
            self._silent_at = now + SILENCE_US
            self._lose("silence")
        self._heard = False

    def _lose(self, what: str) -> None:
        if self._happens(what):
            self._fresh()
            self._silent_at = None
            self._events.append(("lost", what))

    def _numbered(self, number: int, payload: bytes) -> bytes:
        self._owing = False
        return frame((number & 15) << 4 | self._expected, payload)

    def _frame(self, sequence: int, payload: bytes) -> None:
        try:
            messages = wire.decode(payload, self.speaker)
        except RemoteProtocolError as error:
            self._events.append(error)
            return
        if messages and messages[0][0] in wire.GREETINGS:
            if len(messages) > 1:
                self._events.append(RemoteProtocolError("a greeting has a frame of its own"))
            else:
                self._greeted(messages[0])
            return
        if self.state != OPEN:
            self._happens("numbered")
            self._astray()
            return
        self._acknowledged(sequence & 15)
        if messages:
            self._owing = True
            if sequence >> 4 == self._expected:
                self._expected = (self._expected + 1) & 15
                self._events += messages

    def _acknowledged(self, number: int) -> None:
        count = (number - self._base) & 15
        if 0 < count <= len(self._flight):
            self._flight = self._flight[count:]
            self._base = number
            self._again_us = AGAIN_US
            self._again_at = None

    def _greeted(self, message: tuple) -> None:  # type: ignore[type-arg]
        raise NotImplementedError

    def _astray(self) -> None:
        """A numbered frame came that belongs to no session."""


class HostLink(Link):
    """The host's end of the wire to one Pico."""

    table = HOST_TABLE
    speaker = wire.PICO

    def __init__(self, board: str, plan: int, pico: str) -> None:
        """What the Pico has to say it is: made for this board, wired so, this one of its Picos."""
        super().__init__()
        self._wanted = (board, plan, pico)
        self._session = 0
        self.version = ""
        """Of the firmware that answered last."""

    def greet(self, now: int) -> None:
        """Begin a session."""
        self._happens("greet")
        self._begin(now)

    def ask_for_prompt(self) -> None:
        """Ask the Pico, whatever wire it speaks, to leave it to MicroPython's prompt. It doesn't answer."""
        self._greeting = frame(0, wire.encode("maintain"))

    def data_to_send(self, now: int) -> bytes:
        """As `Link.data_to_send`; says hello again while nobody answers."""
        if self._greet_at is not None and now >= self._greet_at:
            self._hello(now)
        out = super().data_to_send(now)
        if self.state == GREETING and self._greet_at is None:  # lost just now
            self._begin(now)
            out += self._greeting
            self._greeting = b""
        return out

    def _begin(self, now: int) -> None:
        self._fresh()
        # Another number than last time, also after this program was started anew.
        self._session = (self._session + 1 + now % 65521) & 0xFFFF
        self._hello(now)

    def _hello(self, now: int) -> None:
        self._greet_at = now + GREET_US
        self._greeting = frame(0, wire.encode("hello", self._session, wire.HASH))

    def _greeted(self, message: tuple) -> None:  # type: ignore[type-arg]
        if message[0] == "stranger":
            if self.state == OPEN:
                self._lose("stranger")
            else:
                self._happens("stranger")
            return
        _, session, hash_, version, board, plan, pico = message
        if session != self._session and self.state != CLOSED:
            return  # an answer to an earlier hello
        why = self._amiss(hash_, version, board, plan, pico)
        changed = self._happens("mismatch" if why else "welcome")
        if not changed:
            return
        self._greet_at = None
        if why:
            self._events.append(("refused", why))
        elif self.state == OPEN:
            self.version = version
            self._events.append(("opened",))

    def _amiss(self, hash_: int, version: str, board: str, plan: int, pico: str) -> str:
        """Why this Pico can't be spoken to; nothing if it can."""
        if hash_ != wire.HASH:
            told = "firmware " + version + " speaks another wire than this program (version "
            return told + str(wire.VERSION) + "): flash it"
        if (board, pico) != (self._wanted[0], self._wanted[2]):
            wanted = self._wanted[2] + " of " + self._wanted[0]
            return "it is " + pico + " of board " + board + ", expected " + wanted
        if plan != self._wanted[1]:
            return "it is wired for another version of board " + board + ": flash it"
        return ""


class PicoLink(Link):
    """The Pico's end."""

    table = PICO_TABLE
    speaker = wire.HOST

    def __init__(self, version: str, board: str, plan: int, pico: str) -> None:
        self._unheard: list[bytes] = []
        super().__init__()
        self._me = (version, board, plan, pico)
        self._session: int | None = None

    def take_unheard(self) -> list[tuple]:  # type: ignore[type-arg]
        """The presses and releases of sessions that were lost, sent or waiting, but never acknowledged."""
        unheard, self._unheard = self._unheard, []
        messages = [message for payload in unheard for message in wire.decode(payload, wire.PICO)]
        return [message for message in messages if message[0] in ("pressed", "released")]

    def _fresh(self) -> None:
        self._unheard += self._flight + self._queue
        super()._fresh()

    def _greeted(self, message: tuple) -> None:  # type: ignore[type-arg]
        if message[0] == "maintain":
            self._events.append(message)
            return
        _, session, hash_ = message
        version, board, plan, pico = self._me
        self._greeting = frame(0, wire.encode("welcome", session, wire.HASH, version, board, plan, pico))
        if hash_ != wire.HASH:
            if self._happens("mismatch"):
                self._fresh()
                self._events.append(("lost", "mismatch"))
            return
        if self.state == OPEN and session == self._session:
            self._happens("again")
            return
        if self.state == OPEN:
            self._events.append(("lost", "hello"))
        self._happens("hello")
        self._fresh()
        self._session = session
        self._silent_at = None
        self._events.append(("opened",))

    def _astray(self) -> None:
        self._greeting = frame(0, wire.encode("stranger", wire.HASH))
