"""docs/program/protocol.md, made from the declaration of the wire: `python -m boardware.pico_protocol`."""

from __future__ import annotations

from boardwire import framing, lights, link, wire
from boardwire.station import ALIVE_INTERVAL_US, BOUNCE_WAIT_US, DARK_TIMEOUT_US, MAX_KEPT_PRESSES

_STATE_TABLES = (("The host's end", link.HOST_TRANSITIONS), ("The Pico's end", link.PICO_TRANSITIONS))


def protocol_page() -> str:
    """The whole page."""
    return "\n\n".join([_introduction(), _messages_section(), _lights_section(), _states_section()]) + "\n"


def _introduction() -> str:
    silence_s = link.SILENCE_TIMEOUT_US // 1_000_000
    return f"""# The wire between host and Pico

**In short.** The host and each Pico exchange small numbered messages over a USB serial line. Lost or broken
frames are sent again; a session that can't go on begins anew with a snapshot. The Pico knows contacts,
colours and tones, and nothing of a game. Sections: [frames](#frames), [order and loss](#order-and-loss),
[sessions](#sessions), [messages](#messages), [lights and sounds](#lights-and-sounds), [states](#states).

`python -m boardware.pico_protocol` writes this page from `boardwire`, and a test compares. Version
{wire.VERSION}, hash `{wire.DECLARATION_HASH:08x}`. The hash covers messages, how a light is read, levels of
patterns, and lengths of tones. Both ends compare it when they greet, and refuse each other by name and
version.

## Frames

{_docstring(framing)}

## Order and loss

{_docstring(link)}

| | |
|---|---|
| frames in flight | {link.WINDOW_FRAMES} |
| sent again after | {link.RETRANSMIT_US // 1000} ms, doubled up to {link.RETRANSMIT_MAX_US // 1000} ms |
| hello again after | {link.HELLO_INTERVAL_US // 1000} ms |
| sign of life of a Pico | every {ALIVE_INTERVAL_US // 1000} ms, acknowledged by the host |
| silence ends a session after | {silence_s} s: players are told, lamps are dimmed |
| lamps of a silent host go dark after | {DARK_TIMEOUT_US // 1_000_000} s |

## Sessions

- A session begins with `hello` and `welcome`. Then the Pico sends a `snapshot`, once no contact bounces and
  after {BOUNCE_WAIT_US // 1000} ms at most. The host sends `bright`, `dark` and the lights of the moment.
- A Pico with more reports than room drops them, and sends a snapshot once there is room.
- A Pico remembers presses and releases until they are acknowledged, also the last {MAX_KEPT_PRESSES}
  without a host, and sends them after the next snapshot. The host ignores what it has heard before, and
  presses from before its program first heard of this Pico.
- A pulled cable is noticed at once. Silence on an open port means nothing for
  {silence_s} s, {link.SILENCE_TIMEOUT_US // ALIVE_INTERVAL_US} signs of life: a busy Pi or a slow card
  would otherwise dim the lights in the middle of a move.
- A lift that an armed hint answers is reported as `hinted`, and the host sends no lights that the hint
  shows: 14 bytes to the host, 6 back. Without hints a lift takes 19 bytes to the host. Any light ends a
  hint. As one may be on its way, `hinted` says how many messages of lights the Pico had heard; if the host
  has sent more, it sends its lights anyway.
- Times are microseconds of the Pico's clock and wrap. The host maps them to its own by the least delay it
  saw. A lift has the moment at which its contact opened. A placing has the moment at which it was sure: 5
  ms after the contact closed, and 20 ms after its last lift. Both are true to 0.25 ms, but for bouncing
  that is shorter than a scan: a lift may then be reported up to 1.4 ms late (simulated reeds; 95 of 100
  under 0.8 ms)."""


def _docstring(module: object) -> str:
    text = (module.__doc__ or "").replace(" MicroPython subset.", "")
    lines = [f"    {line.strip()}" if line.startswith("    ") else line for line in text.strip().splitlines()]
    return "\n".join(lines)


def _messages_section() -> str:
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
    (
        lights.SWEEP,
        f"the first lamp of a sweep; up to {lights.SWEEP + lights.MAX_SWEEP_PLACE} the lamps after it",
    ),
)


def _lights_section() -> str:
    rows = [f"| {pattern:x} | {told} | {_levels_text(pattern)} |" for pattern, told in _PATTERNS]
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


def _levels_text(pattern: int) -> str:
    """Its levels, each with how often it comes."""
    runs: list[list[int]] = []
    for level in lights.LEVELS[pattern]:
        if runs and runs[-1][0] == level:
            runs[-1][1] += 1
        else:
            runs.append([level, 1])
    told = " ".join(f"{level}×{count}" if count > 1 else str(level) for level, count in runs)
    return told + (" and again" if pattern in lights.CYCLIC_PATTERNS else "")


def _states_section() -> str:
    parts = [
        "## States",
        "",
        f"`{link.LOCAL_ERROR}`: this end may not; `{link.REMOTE_ERROR}`: the other end may not.",
    ]
    for title, table in _STATE_TABLES:
        parts += ["", f"### {title}", "", "| state | " + " | ".join(link.INPUTS) + " |"]
        parts.append("|---|" + "---|" * len(link.INPUTS))
        parts += [f"| **{state}** | " + " | ".join(row) + " |" for state, row in table.items()]
    return "\n".join(parts)


if __name__ == "__main__":
    print(protocol_page(), end="")
