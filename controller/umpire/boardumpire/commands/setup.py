"""`boardumpire setup`: the first start of a board, led at a terminal. The page asks the same questions."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TextIO

from boardumpire.commands import check_config
from boardumpire.commands.satellite import pair_machine
from boardumpire.commands.status import setup_instructions, status_text
from boardumpire.errors import BoardumpireError
from boardumpire.makers.bare_board import bare_board
from boardumpire.makers.doctor import Doctor
from boardumpire.makers.report import as_text, make_report
from boardumpire.makers.setup.questions import DOCTOR_QUESTION, HANDS_DOCTOR_ANSWER, SetupError, SetupQuestion
from boardumpire.makers.setup.session import OtherMachines, SetupSession
from boardumpire.makers.terminal import UserQuitError, run_check_at_terminal
from boardumpire.service import config, control, drivers
from boardumpire.service.config import Config
from boardumpire.service.mdns import find_hosts
from boardumpire.typed_commands import root_command, unit_name
from boardware.errors import BoardwareError

BACK_KEY = "b"
TABLE_OPEN_TIMEOUT_S = 60.0
"""How long a service may take until there is a table, or it says what it waits for."""
PART_ANSWER_TIMEOUT_S = 10.0
"""How long a part, such as a Pico that boots anew, may take to answer before a person is told that it is
missing."""


def run(given: argparse.Namespace, out: TextIO = sys.stdout) -> None:
    """Lead through the set-up. Answers come from standard input. Raises `BoardumpireError`."""
    path = given.config or config.default_path(os.environ)
    session = SetupSession(
        path,
        os.environ,
        check_config.load_checked_board,
        port=given.port,
        others=OtherMachines(find_hosts, pair_machine),
    )
    socket = config.load(path if path.exists() else None, os.environ).control.socket
    served = _setup_page_status(socket)
    if not path.parent.is_dir():
        raise SetupError(f"{path.parent}: no such folder; try --config with a file in another folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise SetupError(f"{path} can't be written by you: {root_command('setup')}")
    if served:
        _print_lines(out, f"The page asks the same: {setup_instructions(served)}", "")
    _print_lines(out, "Looks for what is there ...")
    session.look_for_hardware()
    _ask_all(session, out)
    if session.was_abandoned:
        _print_lines(out, "Nothing was written.")
    elif not served:
        _print_lines(
            out, f"The board is set up. It plays once it is started: sudo systemctl start {unit_name()}"
        )
    else:
        control.send_request(socket, {"do": "chosen"})
        _show_links(socket, out)


def _setup_page_status(socket: Path) -> dict[str, str] | None:
    """What a service that is being set up says of its page; `None` where none runs.

    Raises `SetupError` for one that has a board.
    """
    if not check_config.is_board_running(socket):
        return None
    found: dict[str, str] | None = control.send_request(socket, {"do": "status"}).get("set_up")
    if found is None:
        raise SetupError(f"the board is in service: sudo systemctl stop {unit_name()}, then again")
    return found


def _print_lines(out: TextIO, *lines: str) -> None:
    out.write("".join(f"{line}\n" for line in lines))
    out.flush()


def _ask_all(session: SetupSession, out: TextIO) -> None:
    told = 0
    while (asked := session.next_question()) is not None:
        value = _ask_choice(asked, out)
        try:
            if value == BACK_KEY:
                session.undo_answer()
            else:
                _carry_out_effect(session, session.submit_answer(asked.id, value), asked.id, value, out)
        except (BoardumpireError, BoardwareError) as error:
            if isinstance(error, UserQuitError) and asked.id != DOCTOR_QUESTION:
                raise
            _print_lines(out, f"  {error}")
        for line in session.log_lines[told:]:
            _print_lines(out, f"  {line}")
        told = len(session.log_lines)


def _carry_out_effect(session: SetupSession, effect: str, id_: str, value: str, out: TextIO) -> None:
    match effect:
        case "look":
            _print_lines(out, "Looks again ...")
            session.look_for_hardware()
        case "flash":
            _print_lines(out, "Takes a minute ...")
            session.flash_pico(id_, value)
        case "doctor":
            _run_doctor(session.draft_config(), value == HANDS_DOCTOR_ANSWER, out)
        case "write":
            session.write_config(value)
        case "pair":
            _print_lines(out, "Pairs ...")
            session.pair_machine(value)


def _ask_choice(asked: SetupQuestion, out: TextIO) -> str:
    """What a person chooses. Raises `UserQuitError` at the end of the input."""
    _print_lines(out, "", *(f"  {note}" for note in asked.notes), asked.text)
    for number, choice in enumerate(asked.choices, 1):
        note = f"  ({choice.note})" if choice.note else ""
        _print_lines(out, f"  {number}  {choice.text}{note}")
    numbers = f"1 to {len(asked.choices)}" if asked.choices else ""
    ways = ", ".join(each for each in (numbers, asked.entry, f"{BACK_KEY} for back", "q to leave") if each)
    while True:
        out.write(f"{ways} [1] " if asked.choices else f"{ways}: ")
        out.flush()
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not line or word == "q":
            raise UserQuitError("left before the end; nothing was written")
        if word == BACK_KEY:
            return BACK_KEY
        if not word and asked.choices:
            return asked.choices[0].value
        if word.isdecimal() and len(word) < 4 and 0 < int(word) <= len(asked.choices):
            return asked.choices[int(word) - 1].value
        if word and asked.entry:
            return line.strip()


def _run_doctor(found: Config, hands: bool, out: TextIO) -> None:
    """The doctor over the board as it is going to be."""
    board = check_config.load_checked_board(found)
    ports = drivers.open_ports(bare_board(board), found, tags=False, wait=False)
    try:
        seen, guide = run_check_at_terminal(ports, Doctor(board, hands=hands).run_steps(), out)
    finally:
        ports.close()
    _print_lines(out, as_text(make_report(board, seen, guide.troubles, found.lamps)))


def _show_links(socket: Path, out: TextIO) -> None:
    """The link of the table with its code to photograph, once the service has opened it."""
    begun = time.monotonic()
    while True:
        waited_s = time.monotonic() - begun
        try:
            found = control.send_request(socket, {"do": "status"})
            if "host" in found or "over" in found:
                break
            if found["waits_for"] and "set_up" not in found and waited_s > PART_ANSWER_TIMEOUT_S:
                break
        except BoardumpireError:
            pass  # between the set-up and the table nobody listens
        if waited_s > TABLE_OPEN_TIMEOUT_S:
            raise SetupError("the service has not begun with it: journalctl -u boardumpire")
        time.sleep(0.1)
    if "host" in found:
        _print_lines(out, "", status_text(found))
        return
    _print_lines(out, "", "The board is set up.", *(f"It waits for {part}" for part in found["waits_for"]))
    if "over" not in found:
        _print_lines(out, f"Once that is there, this tells its links: {root_command('links')}")
        return
    try:
        links = control.send_request(socket, {"do": "links", "renew": None})
    except BoardumpireError:
        return  # without a page
    table = links["links"]["table"]
    _print_lines(
        out,
        "The table is open. Every phone that photographs this sees it, and seats can be taken there:",
        table,
    )
    if not links["alone"]:
        import segno

        segno.make(table, error="l", micro=False).terminal(out, compact=True)
    _print_lines(out, f"The PIN for a new game and settings is {links['links']['pin']}.")
