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
from boardwire.moments import rebased, shift_optional_moment

WINDOW_FRAMES = 7
"""Frames in flight; numbers run to 16, and half of them less one keeps old and new apart."""
RETRANSMIT_US = 15_000
"""After how long a frame is sent again at first: USB there and back takes 2 ms at most."""
RETRANSMIT_MAX_US = 120_000
MAX_PACKED_BYTES = 56
"""Messages share a frame up to here: the longer a frame, the less likely it comes through a bad cable."""
HELLO_INTERVAL_US = 200_000
"""Between two hellos."""
SILENCE_TIMEOUT_US = 2_000_000
"""After how long the other end counts as gone."""
MAX_QUEUED_PAYLOADS = 64
"""Payloads that may wait. A Pico that has more to tell sends a snapshot instead."""

# States.
CLOSED, GREETING, OPEN, REFUSED = "closed", "greeting", "open", "refused"

# What may happen. `greet` and `send` are ours; `silence` is the clock's; the others come over the wire.
INPUTS = ("greet", "send", "silence", "hello", "again", "welcome", "mismatch", "stranger", "numbered")

LOCAL_ERROR, REMOTE_ERROR = "local error", "remote error"

# Every state with every input: the next state, or whose fault it is. An end that has left a session still
# hears what the other end said before it knew; so most of what comes late is no error, and changes nothing.
# fmt: off
HOST_TRANSITIONS: dict[str, tuple[str, ...]] = {
      # greet     send         silence   hello         again         welcome  mismatch stranger  numbered
    CLOSED: (
        GREETING, LOCAL_ERROR, CLOSED,   REMOTE_ERROR, REMOTE_ERROR, CLOSED,  CLOSED,  CLOSED,   CLOSED,
    ),
    GREETING: (
        GREETING, LOCAL_ERROR, GREETING, REMOTE_ERROR, REMOTE_ERROR, OPEN,    REFUSED, GREETING, GREETING,
    ),
    OPEN: (
        GREETING, OPEN,        GREETING, REMOTE_ERROR, REMOTE_ERROR, OPEN,    REFUSED, GREETING, OPEN,
    ),
    REFUSED: (
        GREETING, LOCAL_ERROR, REFUSED,  REMOTE_ERROR, REMOTE_ERROR, REFUSED, REFUSED, REFUSED,  REFUSED,
    ),
}
PICO_TRANSITIONS: dict[str, tuple[str, ...]] = {
      # greet        send         silence hello again welcome       mismatch stranger      numbered
    CLOSED: (
        LOCAL_ERROR, LOCAL_ERROR, CLOSED, OPEN, OPEN, REMOTE_ERROR, CLOSED,  REMOTE_ERROR, CLOSED,
    ),
    OPEN: (
        LOCAL_ERROR, OPEN,        CLOSED, OPEN, OPEN, REMOTE_ERROR, CLOSED,  REMOTE_ERROR, OPEN,
    ),
}
# fmt: on


class Link:
    """What both ends have in common. Use `HostLink` or `PicoLink`.

    Events are tuples: the messages of `wire`, and `("opened",)`, `("lost", why)`, `("refused", why)`.
    """

    table: dict[str, tuple[str, ...]] = {}  # noqa: RUF012 - MicroPython has no ClassVar
    peer = ""
    """Whom this end listens to."""

    def __init__(self) -> None:
        self.state = CLOSED
        self.retransmitted_count = 0
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
        self._again_us = RETRANSMIT_US
        self._again_at: int | None = None
        self._reset_session()

    @property
    def noise_count(self) -> int:
        """How many pieces of what came were no frame."""
        return self._deframer.noise_count

    @property
    def has_events(self) -> bool:
        """Whether there is an event that was not told yet."""
        return bool(self._events)

    @property
    def has_unsent_messages(self) -> bool:
        """Whether there is a message that has not gone out yet."""
        return bool(self._queue)

    @property
    def room(self) -> int:
        """How many more messages may be sent before the other end has acknowledged some."""
        return MAX_QUEUED_PAYLOADS - len(self._queue)

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
            self._apply_input("send")
        message = wire.encode(name, *values)
        if name in wire.GREETINGS or len(self._queue) >= MAX_QUEUED_PAYLOADS:
            raise LocalProtocolError(name + " can't be sent now")
        self._put(message)

    def try_send_numbers(self, spare: int, name: str, *numbers: int) -> bool:
        """Queue a message of numbers that are known to fit, unless that leaves less room than `spare` in a
        session; whether it did. What a Pico tells most has to be told fast."""
        if len(self._queue) >= MAX_QUEUED_PAYLOADS - spare:
            return False
        self._put(wire.pack_numbers(name, numbers))
        return True

    def _put(self, message: bytes) -> None:
        queue = self._queue
        if queue and len(queue[-1]) + len(message) <= MAX_PACKED_BYTES:
            queue[-1] += message
        else:
            queue.append(message)

    def data_to_send(self, now: int) -> bytes:
        """What has to go over the wire at `now`: greetings, frames, what was not acknowledged."""
        if now < self._idle_until and not (self._heard or self._queue or self._owing or self._greeting):
            return b""
        if self._heard or self._silent_at is None or now >= self._silent_at:
            self._check_silence(now)
        out = self._frames_to_send(now)
        self._idle_until = 0
        if not out and self.state == OPEN:
            self._idle_until = self.due() or 0
        return out

    def _frames_to_send(self, now: int) -> bytes:
        out = self._greeting
        self._greeting = b""
        if self.state != OPEN:
            return out
        if self._flight and self._again_at is not None and now >= self._again_at:
            self.retransmitted_count += len(self._flight)
            for place, payload in enumerate(self._flight):
                out += self._numbered_frame(self._base + place, payload)
            self._again_us = min(2 * self._again_us, RETRANSMIT_MAX_US)
            self._again_at = now + self._again_us
        while self._queue and len(self._flight) < WINDOW_FRAMES:
            payload = self._queue.pop(0)
            out += self._numbered_frame(self._base + len(self._flight), payload)
            self._flight.append(payload)
        if self._flight and self._again_at is None:
            self._again_at = now + self._again_us
        if self._owing:
            out += self._numbered_frame(self._base + len(self._flight), b"")
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
        self._silent_at = shift_optional_moment(self._silent_at, by)
        self._again_at = shift_optional_moment(self._again_at, by)
        self._idle_until = rebased(self._idle_until, by)

    # Inside

    def _reset_session(self) -> None:
        """As at the begin of a session."""
        self._queue = []
        self._flight = []
        self._base = 0
        self._expected = 0
        self._owing = False
        self._again_us = RETRANSMIT_US
        self._again_at = None
        self._idle_until = 0

    def _apply_input(self, what: str) -> bool:
        """Go on to the next state; whether it is another. What is not allowed raises, or becomes an event."""
        after = self.table[self.state][INPUTS.index(what)]
        if after == LOCAL_ERROR:
            raise LocalProtocolError(what + " while " + self.state)
        if after == REMOTE_ERROR:
            self._events.append(RemoteProtocolError(what + " from the " + self.peer))
            return False
        before, self.state = self.state, after
        return after != before

    def _check_silence(self, now: int) -> None:
        if self.state in (CLOSED, REFUSED):
            self._silent_at = None
        elif self._heard or self._silent_at is None:
            self._silent_at = now + SILENCE_TIMEOUT_US
        elif now >= self._silent_at:
            self._silent_at = now + SILENCE_TIMEOUT_US
            self._end_session("silence")
        self._heard = False

    def _end_session(self, what: str) -> None:
        if self._apply_input(what):
            self._reset_session()
            self._silent_at = None
            self._events.append(("lost", what))

    def _numbered_frame(self, number: int, payload: bytes) -> bytes:
        self._owing = False
        return frame((number & 15) << 4 | self._expected, payload)

    def _frame(self, sequence: int, payload: bytes) -> None:
        try:
            messages = wire.decode(payload, self.peer)
        except RemoteProtocolError as error:
            self._events.append(error)
            return
        if messages and messages[0][0] in wire.GREETINGS:
            if len(messages) > 1:
                self._events.append(RemoteProtocolError("a greeting has a frame of its own"))
            else:
                self._handle_greeting(messages[0])
            return
        if self.state != OPEN:
            self._apply_input("numbered")
            self._handle_stray_frame()
            return
        self._handle_acknowledgement(sequence & 15)
        if messages:
            self._owing = True
            if sequence >> 4 == self._expected:
                self._expected = (self._expected + 1) & 15
                self._events += messages

    def _handle_acknowledgement(self, number: int) -> None:
        count = (number - self._base) & 15
        if 0 < count <= len(self._flight):
            self._flight = self._flight[count:]
            self._base = number
            self._again_us = RETRANSMIT_US
            self._again_at = None

    def _handle_greeting(self, message: tuple) -> None:  # type: ignore[type-arg]
        raise NotImplementedError

    def _handle_stray_frame(self) -> None:
        """A numbered frame came that belongs to no session."""


class HostLink(Link):
    """The host's end of the wire to one Pico."""

    table = HOST_TRANSITIONS
    peer = wire.PICO

    def __init__(self, board: str, plan: int, pico: str) -> None:
        """What the Pico has to say it is: made for this board, wired so, this one of its Picos."""
        super().__init__()
        self._wanted = (board, plan, pico)
        self._session = 0
        self.version = ""
        """Of the firmware that answered last."""

    def greet(self, now: int) -> None:
        """Begin a session."""
        self._apply_input("greet")
        self._start_session(now)

    def ask_for_prompt(self) -> None:
        """Ask the Pico, whatever wire it speaks, to leave it to MicroPython's prompt. It doesn't answer."""
        self._greeting = frame(0, wire.encode("maintain"))

    def data_to_send(self, now: int) -> bytes:
        """As `Link.data_to_send`; says hello again while nobody answers."""
        if self._greet_at is not None and now >= self._greet_at:
            self._queue_hello(now)
        out = super().data_to_send(now)
        if self.state == GREETING and self._greet_at is None:  # lost just now
            self._start_session(now)
            out += self._greeting
            self._greeting = b""
        return out

    def _start_session(self, now: int) -> None:
        self._reset_session()
        # Another number than last time, also after this program was started anew.
        self._session = (self._session + 1 + now % 65521) & 0xFFFF
        self._queue_hello(now)

    def _queue_hello(self, now: int) -> None:
        self._greet_at = now + HELLO_INTERVAL_US
        self._greeting = frame(0, wire.encode("hello", self._session, wire.DECLARATION_HASH))

    def _handle_greeting(self, message: tuple) -> None:  # type: ignore[type-arg]
        if message[0] == "stranger":
            if self.state == OPEN:
                self._end_session("stranger")
            else:
                self._apply_input("stranger")
            return
        _, session, hash_, version, board, plan, pico = message
        if session != self._session and self.state != CLOSED:
            return  # an answer to an earlier hello
        why = self._mismatch_reason(hash_, version, board, plan, pico)
        changed = self._apply_input("mismatch" if why else "welcome")
        if not changed:
            return
        self._greet_at = None
        if why:
            self._events.append(("refused", why))
        elif self.state == OPEN:
            self.version = version
            self._events.append(("opened",))

    def _mismatch_reason(self, hash_: int, version: str, board: str, plan: int, pico: str) -> str:
        """Why this Pico can't be spoken to; nothing if it can."""
        if hash_ != wire.DECLARATION_HASH:
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

    table = PICO_TRANSITIONS
    peer = wire.HOST

    def __init__(self, version: str, board: str, plan: int, pico: str) -> None:
        self._unheard: list[bytes] = []
        super().__init__()
        self._me = (version, board, plan, pico)
        self._session: int | None = None

    def take_unacknowledged_presses(self) -> list[tuple]:  # type: ignore[type-arg]
        """The presses and releases of sessions that were lost, sent or waiting, but never acknowledged."""
        unheard, self._unheard = self._unheard, []
        messages = [message for payload in unheard for message in wire.decode(payload, wire.PICO)]
        return [message for message in messages if message[0] in ("pressed", "released")]

    def _reset_session(self) -> None:
        self._unheard += self._flight + self._queue
        super()._reset_session()

    def _handle_greeting(self, message: tuple) -> None:  # type: ignore[type-arg]
        if message[0] == "maintain":
            self._events.append(message)
            return
        _, session, hash_ = message
        version, board, plan, pico = self._me
        self._greeting = frame(
            0, wire.encode("welcome", session, wire.DECLARATION_HASH, version, board, plan, pico)
        )
        if hash_ != wire.DECLARATION_HASH:
            if self._apply_input("mismatch"):
                self._reset_session()
                self._events.append(("lost", "mismatch"))
            return
        if self.state == OPEN and session == self._session:
            self._apply_input("again")
            return
        if self.state == OPEN:
            self._events.append(("lost", "hello"))
        self._apply_input("hello")
        self._reset_session()
        self._session = session
        self._silent_at = None
        self._events.append(("opened",))

    def _handle_stray_frame(self) -> None:
        self._greeting = frame(0, wire.encode("stranger", wire.DECLARATION_HASH))
