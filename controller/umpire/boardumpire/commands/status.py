"""What a board in service says of itself, for a person at a terminal."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boardumpire.errors import BoardumpireError
from boardumpire.privileges import act_as_owner, open_folder, path_of_open_folder
from boardumpire.service import fault_log
from boardumpire.typed_commands import root_command


def status_text(found: Mapping[str, Any]) -> str:
    """A line for each thing that somebody may have to do something about, after one that says how it is."""
    waits = [f"waits for {part}" for part in found["waits_for"]]
    waits += [f"satellite {name}: {state}" for name, state in sorted(found.get("satellites", {}).items())]
    if "set_up" in found:
        how = f"no board is chosen yet: {setup_instructions(found['set_up'])}"
        return "\n".join([how, *waits[1:]])  # the first says the same
    if "host" in found:
        return "\n".join([f"a further board of the table at {found['host']}", *waits])
    if "over" not in found:
        return "\n".join(["not complete: no game is played until all parts are there", *waits])
    seen = found.get("boards", [found])
    told = [text for board in seen for text in board["text"]]
    told += [asked["text"] for asked in (*(board["question"] for board in seen), found["proposal"]) if asked]
    if found["waits"]:
        told.append(f"the game waits: {found['waits']}")
    told += found["silent"]
    told += [f"the reed of {reed['slot']} flutters" for reed in found["reeds"]]
    return "\n".join(["the game is over" if found["over"] else "a game is played", *told, *waits])


def recent_faults(folder: Path) -> list[str]:
    """What went wrong lately, oldest first, of a service whose journal is in that folder; it need not run.

    Raises `BoardumpireError`.
    """
    try:
        opened = open_folder(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BoardumpireError(f"{folder}: {error.strerror}; try the same command with sudo") from None
    try:
        with act_as_owner(opened):
            return list(fault_log.read(path_of_open_folder(opened)))
    except OSError as error:
        raise BoardumpireError(f"{folder}: {error.strerror}; try the same command with sudo") from None
    finally:
        os.close(opened)


def setup_instructions(set_up: Mapping[str, str]) -> str:
    """How a board that has nothing configured is set up, with the code that the page asks for."""
    if not set_up["page"]:
        return f"type {root_command('setup')}"
    page, code = set_up["page"], set_up["code"]
    if "network" in set_up:
        return (
            f"once this machine is in a network open {page}, its address there, with the code {code};"
            f" or type {root_command('setup')}"
        )
    return f"open {page} in this network, with the code {code}; or type {root_command('setup')}"


def status_json(found: Mapping[str, Any]) -> str:
    """All of it."""
    return json.dumps({key: value for key, value in found.items() if key != "ok"}, indent=2, sort_keys=True)
