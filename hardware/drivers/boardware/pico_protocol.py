"""docs/program/protocol.md, made from the declaration of the wire: `python -m boardware.pico_protocol`."""

from __future__ import annotations

from boardwire import framing, lights, link, wire
from boardwire.station import ALIVE_US, BOUNCE_US, DARK_US, KEPT

_TABLES = (("The host's end", link.HOST_TABLE), ("The Pico's end", link.PICO_TABLE))


def document() -> str:
    """The whole page."""
    return "\n\n".join([_head(), _messages(), _lights(), _states()]) + "\n"


def _head() -> str:
    return f"""# The wire between host and Pico

Made by `python -m boardware.pico_protocol` from `boardwire`; a test holds it to that. Version {wire.VERSION},
hash `{wire.HASH:08x}`: both ends compare the hash when they greet, and refuse each other by name and version.
It is the hash of all that a Pico makes something of: the messages, how a light is read, the levels of
patterns, how long a sound's tones are.

## Frames

{_docstring(framing)}

## Order and loss

{_docstring(link)}

| | |
|---|---|
| frames in flight | {link.WINDOW} |
| sent again after | {link.AGAIN_US // 1000} ms, doubled up to {link.AGAIN_MOST_US // 1000} ms |
| hello again after | {link.GREET_US // 1000} ms |
| sign of life of a Pico | every {ALIVE_US // 1000} ms, acknowledged by the host |
| silence ends a session after | {link.SILENCE_US // 1_000_000} s: players are told, lamps are dimmed |
| lamps of a silent host go dark after | {DARK_US // 1_000_000} s |

A session begins with `hello` and `welcome`; then the Pico sends a `snapshot`, once no contact bounces and
after {BOUNCE_US // 1000} ms at most, and the host `bright`, `dark` and the lights of the moment.
A Pico that has too much to tell of its contacts drops its reports and sends a snapshot once there is room.

No snapshot tells of a button that was pressed and let go. So a Pico remembers presses and releases until they
are acknowledged, the last {KEPT} of them also while there is no host, and tells them after the first snapshot
of the next session. The host knows by their times which of them it has heard, and ignores what was pressed
before its program first heard of this Pico.

A cable that is pulled is noticed at once: its port is gone, or gives an error. Silence on a port that is open
means nothing before {link.SILENCE_US // 1_000_000} s, as long as {link.SILENCE_US // ALIVE_US} signs of life.
A Pi that is busy, or waits for a slow card, can be quiet for a good part of that, and to end a session for it
would dim the lamps in the middle of a move.

A lift that an armed hint answers is told as `hinted`, and the host says no lights that the hint shows: 14
bytes to the host, 6 back. Any light takes what a hint shows away. One may be on its way while the Pico
follows a hint, so the Pico says how many messages of lamps it had heard; if the host has said more, it tells
its lights as ever. Without hints a lift is 19 bytes to the host; lights and acknowledgements back are 27 in
the first turn of a game ([benchmark](../understand/performance.md)).

Times are microseconds of the Pico's clock and wrap; the host maps them to its own by the least delay it
saw. A lift is told with the moment at which its contact opened, a place with the one at which it was sure:
5 ms after the contact closed, and 20 ms after its last lift. Both are true to 0.25 ms. A reed bounces as it
opens, and what is shorter than a look is not seen. So a lift may be told with a later opening. With the
simulation's reeds that is less than 0.8 ms after the first one in 95 of 100 lifts, and 1.4 at most (an
estimate)."""


def _docstring(module: object) -> str:
    text = (module.__doc__ or "").replace(" MicroPython subset.", "")
    lines = [f"    {line.strip()}" if line.startswith("    ") else line for line in text.strip().splitlines()]
    return "\n".join(lines)


def _messages() -> str:
    rows = [
        f"| {number} | {who} | `{line}` | {meaning} |"
        for number, (who, line, meaning) in enumerate(wire.MESSAGES, 1)
    ]
    return "\n".join(
        [
            "## Messages",
            "",
            "`u8`, `u16`, `u32`: whole numbers, little end first. `s`, `b`: text and bytes behind their",
            "length in one byte. A frame holds one message or several; `hello`, `welcome` and `stranger`",
            "stand alone and are not numbered.",
            "",
            "| number | said by | message | meaning |",
            "|---:|---|---|---|",
            *rows,
        ]
    )


_PATTERNS = (
    (lights.STEADY, "steady"),
    (lights.DIM, "dim"),
    (lights.PULSE, "rises and falls"),
    (lights.BLINK, "blinks"),
    (lights.ALTERNATE, "brighter and dimmer in turn"),
    (lights.FLASHES, "flashes three times, then dark"),
    (lights.SWEEP, f"the first lamp of a sweep; up to {lights.SWEEP + lights.SWEPT} the lamps after it"),
)


def _lights() -> str:
    rows = [f"| {pattern:x} | {told} | {_drawn(pattern)} |" for pattern, told in _PATTERNS]
    return "\n".join(
        [
            "## Lights and sounds",
            "",
            _docstring(lights),
            "",
            "So another colour, a new mark or a new sound needs no new firmware; a new pattern does.",
            "",
            f"Levels are those of each {lights.BEAT_US // 1000} ms, {lights.FULL} is full.",
            "",
            "| pattern | | levels |",
            "|---|---|---|",
            *rows,
        ]
    )


def _drawn(pattern: int) -> str:
    """Its levels, each with how often it comes."""
    runs: list[list[int]] = []
    for level in lights.LEVELS[pattern]:
        if runs and runs[-1][0] == level:
            runs[-1][1] += 1
        else:
            runs.append([level, 1])
    told = " ".join(f"{level}×{count}" if count > 1 else str(level) for level, count in runs)
    return told + (" and again" if pattern in lights.CYCLES else "")


def _states() -> str:
    parts = ["## States", "", f"`{link.LOCAL}`: this end may not; `{link.REMOTE}`: the other end may not."]
    for title, table in _TABLES:
        parts += ["", f"### {title}", "", "| state | " + " | ".join(link.INPUTS) + " |"]
        parts.append("|---|" + "---|" * len(link.INPUTS))
        parts += [f"| **{state}** | " + " | ".join(row) + " |" for state, row in table.items()]
    return "\n".join(parts)


if __name__ == "__main__":
    print(document(), end="")
