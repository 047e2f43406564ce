"""What a driver must do and may do.

All times are integer microseconds of one monotonic clock, passed in by whoever turns the crank: no driver
reads a clock, sleeps or starts a thread. A driver is turned by `step(now)`; it answers when it wants to be
turned next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, NewType, Protocol, runtime_checkable

Micros = int
"""A time or a span in microseconds."""

MS: Micros = 1000
SECOND: Micros = 1_000_000

SlotId = NewType("SlotId", str)
"""Room for one piece: the name of its space, or `space/2` where a space has several slots."""

LampId = str
"""A lamp by what it lights: the name of a space, or of a named lamp (`turn-red`)."""


class SensorChanged(NamedTuple):
    """A slot changed, debounced."""

    at: Micros
    slot: SlotId
    present: bool


QUICK_PRESS_MAX_US: Micros = 200_000
"""How long a button is down at most that is pressed without hesitation."""


class ButtonPressed(NamedTuple):
    """A button was pressed and let go again (debounced): told once it is up. A long press is none:
    `ButtonHeld`."""

    at: Micros
    button: str
    down_time: Micros = 0
    """How long it was down."""


class ButtonHeld(NamedTuple):
    """A button is still down, a good while after it went down. Told once; its release is no press."""

    at: Micros
    button: str
    down_time: Micros = 0
    """How long it has been down."""


ConsoleEvent = ButtonPressed | ButtonHeld


class HardwareTrouble(NamedTuple):
    """The driver noticed something wrong with the hardware. A value, not an exception: play goes on."""

    at: Micros
    code: str
    """Stable: `ghost`, `bank-silent`, `bank-back` ..."""
    where: str
    detail: str = ""


SensorEvent = SensorChanged | HardwareTrouble


ReaderId = str
"""What reads tags: the slot over a reader, or the id of a pad."""


class TagId:
    """What a tag in a piece says it is: 4, 7 or 10 bytes.

    It tells which piece that is, and so its rank: neither `str` nor `repr` shows it, and no log may.
    """

    __slots__ = ("uid",)

    def __init__(self, uid: bytes) -> None:
        self.uid = bytes(uid)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TagId) and other.uid == self.uid

    def __hash__(self) -> int:
        return hash(self.uid)

    def __repr__(self) -> str:
        return "<Tag>"


class TagSeen(NamedTuple):
    """A tag came over a reader, or something came to stand there anew and it is this one."""

    at: Micros
    reader: ReaderId
    tag: TagId


class TagGone(NamedTuple):
    """A tag that was told seen is not over that reader any more."""

    at: Micros
    reader: ReaderId
    tag: TagId


TagEvent = TagSeen | TagGone | HardwareTrouble


class PolledDriver(Protocol):
    """A driver that looks at its pins on a grid of moments: a fixed period from its first `step`."""

    def due(self) -> Micros:
        """When `step` wants to be called next."""

    def due_after(self, at: Micros) -> Micros:
        """The first moment of the grid at or after `at`, never before `due()`."""

    def is_quiet(self) -> bool:
        """Whether nothing bounces and no debounce is open: until the copper changes, looking changes nothing.

        Only virtual time asks: while quiet it jumps to `due_after(next edge)`.
        """


@runtime_checkable
class WakingDriver(Protocol):
    """A driver to which news come by themselves: it is turned as soon as they do, and seldom else."""

    def filenos(self) -> tuple[int, ...]:
        """The file descriptors that become readable when `step` has something to do; they may change."""


@runtime_checkable
class LateDriver(Protocol):
    """A driver that can be open before all that it drives is there."""

    def missing(self) -> str:
        """What has not come yet, and why as far as that is known; empty once all is there. `step` looks."""


@runtime_checkable
class CabledDriver(Protocol):
    """A driver at the end of cables that count what goes wrong on them."""

    def wire_errors(self) -> Mapping[str, Mapping[str, int]]:
        """By the name of what hangs on a cable: frames sent again (`repeated`), and pieces of what came that
        were none (`noise`)."""


@runtime_checkable
class PartialDriver(Protocol):
    """A driver of several parts that knows which of them are silent."""

    def silent_parts(self) -> Mapping[str, str]:
        """Those that have not told what they feel, by id, and why as far as that is known."""


@runtime_checkable
class FlashableDriver(Protocol):
    """A driver of parts that have firmware of their own, and can be lent to whoever puts another on them."""

    def unfit_firmware(self, enough: Callable[[str], bool]) -> Mapping[str, str]:
        """The parts whose firmware can't be used, or is of a version that is not `enough`, by id; and what
        was found."""

    def lend_parts(self, parts: Collection[str], why: str, now: Micros) -> Sequence[str]:
        """Leave those parts to somebody else until `reclaim_parts`; the ports where they may be. They are
        silent meanwhile, and `why` is told."""

    def reclaim_parts(self) -> None:
        """Look for them again."""


class SensorPort(PolledDriver, Protocol):
    """Feels which slots hold a piece."""

    def step(self, now: Micros) -> Sequence[SensorEvent]:
        """Scan if a scan is due. Returns what changed since the last call, oldest first.

        The first call scans at once and brings the whole board into `present`, without events.
        """

    def present(self) -> frozenset[SlotId]:
        """The slots that hold a piece, debounced, as of the last `step`."""

    def close(self) -> None:
        """Release the pins. Closing twice is allowed."""


class Light(NamedTuple):
    """What a lamp shows."""

    mark: str
    """What it means, by its name: for traces."""
    code: int
    """How it looks: colour and pattern, as `boardwire.lights` has them."""


class Tone(NamedTuple):
    """A tone of a sound."""

    pitch_hz: int
    """In Hz, where a buzzer has a choice."""
    ms: int
    """How long it sounds: a multiple of 10, at most 2550."""
    rest_ms: int = 0
    """The silence after it, the same."""


def tone_and_rest_ms(tones: Iterable[Tone]) -> list[int]:
    """Tones and the silences between them in turn, in ms."""
    return [span for tone in tones for span in (tone.ms, tone.rest_ms)][:-1]


class LampPort(Protocol):
    """Shows lights on lamps. Patterns over time and the current cap are the driver's (`boardwire.strip`)."""

    def show(self, lights: Mapping[LampId, Light], now: Micros) -> None:
        """From now on show these lights; all other lamps are dark.

        A lamp that keeps its light keeps the phase of its pattern. Unknown lamps are ignored: a board may
        have fewer lamps than a game could use.
        """

    def prepare_hints(self, hints: Mapping[SlotId, Mapping[LampId, Light]], now: Micros) -> None:
        """For each slot the lights to show on top of the present ones as soon as it is sensed to be lifted.

        A driver that drives the lamps where the sensors are follows them without waiting to be told; others
        ignore them. They hold until other hints, or other lights that are not followed by hints, are given.
        """

    def step(self, now: Micros) -> None:
        """Send the frame of this moment if it differs from the last one sent."""

    def due(self) -> Micros | None:
        """When a pattern changes next; `None` while everything is steady."""

    def take_troubles(self) -> Sequence[HardwareTrouble]:
        """What went wrong with the lamps since the last call, or is right again; oldest first."""

    def close(self) -> None:
        """Dark lamps, then release. Closing twice is allowed."""


class ConsolePort(PolledDriver, Protocol):
    """Buttons and a buzzer. A board without buttons has a console that is always quiet."""

    def step(self, now: Micros) -> Sequence[ConsoleEvent]:
        """Buttons pressed, and held for long, since the last call, oldest first. Plays the buzzer on."""

    def sound(self, tones: Sequence[Tone], now: Micros) -> None:
        """Play these from the first look after `now` on; what plays is cut at once.

        A board without a buzzer ignores it.
        """

    def next_own_change(self) -> Micros | None:
        """The moment of the grid at which `step` next changes something by itself, be the copper as it is:
        a tone begins or ends, a button has been down for long. `None` if there is none; never before `due()`.

        `is_quiet()` speaks of contacts alone, so virtual time jumps no further than this.
        """

    def close(self) -> None:
        """Release the pins. Closing twice is allowed."""


class TagPort(Protocol):
    """Reads the tags in pieces: over the squares, or on pads that they are shown to.

    A read that fails says nothing: a tag is gone once several in a row missed it, and no read makes anything
    else wait. A reader that doesn't answer is told as `HardwareTrouble("reader-mute")`, then `reader-back`.
    """

    def step(self, now: Micros) -> Sequence[TagEvent]:
        """What was read since the last call, oldest first. The first calls tell what is there already."""

    def watch(self, readers: Collection[ReaderId]) -> None:
        """Until told otherwise look at these more often than at others: something may come there."""

    def due(self) -> Micros | None:
        """When `step` wants to be called next."""

    def close(self) -> None:
        """Release the readers. Closing twice is allowed."""


class Ports(NamedTuple):
    """The open drivers of one board."""

    sensors: SensorPort
    lamps: LampPort
    console: ConsolePort
    tags: TagPort | None = None
    """`None`: pieces have no tags here."""

    def close(self) -> None:
        """Close all, lamps last so that they go dark on purpose."""
        if self.tags is not None:
            self.tags.close()
        self.sensors.close()
        self.console.close()
        self.lamps.close()
