"""What `docs/build/install.md` has a maker type, in its order: commands, and lines of the configuration."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from userland.machine import Machine

PAGE = Path(__file__).parents[2] / "docs" / "build" / "install.md"


CONFIG = "/etc/boardumpire/boardumpire.toml"


class Typed(NamedTuple):
    """One thing to do."""

    heading: str
    command: str
    """Empty where the configuration is edited."""
    settings: dict[str, dict[str, str]]


def steps() -> list[Typed]:
    """All of the page."""
    found, heading = [], ""
    blocks = r"^## ([^\n]*)$|^```(\w+)\n(.*?)^```"
    for match in re.finditer(blocks, PAGE.read_text(), re.M | re.S):
        title, kind, text = match.groups()
        if title is not None:
            heading = title
        elif kind == "toml":
            found.append(Typed(heading, "", tomllib.loads(text)))
        elif kind == "console":
            lines = (line for line in text.splitlines() if line.startswith("$ "))
            found += [Typed(heading, line[2:].partition(" #")[0].strip(), {}) for line in lines]
    return found


def follow_settings(machine: Machine) -> dict[str, dict[str, str]]:
    """Write into the machine's configuration what the page says of a board on a Pico; what that is."""
    (settings,) = (step.settings for step in steps() if step.settings)
    text = edited(machine.run(f"cat {CONFIG}").told, settings)
    machine.run(f"cat > {CONFIG} <<'END'\n{text}END")
    return settings


def edited(config: str, settings: dict[str, dict[str, str]]) -> str:
    """The configuration once a maker has changed these keys where they stand."""
    lines, section = [], ""
    left = {(name, key) for name, keys in settings.items() for key in keys}
    for line in config.splitlines():
        if found := re.match(r"\[(.*)\]", line):
            section = found[1]
        key = line.partition("=")[0].strip()
        if (section, key) in left:
            left.discard((section, key))
            line = f'{key} = "{settings[section][key]}"'
        lines.append(line)
    assert not left, f"{left} can't be found in the configuration"
    return "\n".join(lines) + "\n"
