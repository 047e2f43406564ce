"""Hand scripts that the power cuts off anywhere, and people who then do what is asked and nothing else."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from boardsim.bench.bench import BARE, SENSING_DELAY_US, BenchSettings
from boardsim.hands.hands import HeldPiece, space_of
from boardsim.script.script import ScriptCommand, ScriptRunner
from boardsim.world.world import Piece
from boardumpire.commands.table_factory import TableFactory
from boardumpire.ruling.umpire import seat_that_may_say
from boardumpire.table.match import DOUBT_NOTE_PREFIX
from boardware.ports import MS, SECOND
from table.rows import Row

Space = str
KEPT, SWAPPED = "kept", "swapped"
"""What hands do with the pieces in them while the power is off: keep them, or set them down exchanged."""
PATIENCE = 80
"""How many things people do before they call it endless."""
CALM = 3
"""For how many seconds nothing may be asked before people take the board for in order."""


class Cut(NamedTuple):
    """Where a script is cut off: after a command, by its number."""

    row: Row
    at: int

    @property
    def commands(self) -> list[ScriptCommand]:
        return [each for scene in self.row.scenes for each in scene if isinstance(each, ScriptCommand)]

    def __str__(self) -> str:
        return f"{self.row.name}:{self.commands[self.at].line}"


def cuts(row: Row) -> list[Cut]:
    """After each command while the power is on."""
    found, on = [], True
    for number, command in enumerate(Cut(row, 0).commands):
        on = {"kill": False, "start": True}.get(command.verb, on)
        if on:
            found.append(Cut(row, number))
    return found


class Obedient:
    """People who were cut off. They know their pieces by rank, answer truthfully, and do what is asked."""

    def __init__(self, cut: Cut, journal: Path) -> None:
        self.cut = cut
        self._journal = journal
        self.asked: list[str] = []
        """What they were asked since the power came back."""
        self.done: list[str] = []
        self._ruled = ""
        self._careless = True
        setting = BenchSettings(
            driver=BARE,
            journal=journal,
            table=cut.row.table,
            options=cut.row.options,
            bounce=False,
            seed=7,
        )
        self.stage = ScriptRunner(setting, TableFactory(), self._hear)
        self.bench = self.stage.bench

    def _hear(self, line: str) -> None:
        told = json.loads(line)
        if told["kind"] == "ruling" and told["ok"]:
            self._ruled = told["action"] or ""
        elif told["kind"] == "question":
            self.asked.append(told["code"])

    def play(self, off: str | None) -> bool:
        """Play until the cut; `off` is what hands do while the power is off, `None` that it stays on. Whether
        hands did anything then."""
        self.bench.start()
        for command in self.cut.commands[: self.cut.at + 1]:
            self.stage.do(command)
        self.asked.clear()
        if off is not None:
            moved = off == SWAPPED and self._set_down()
            if self.bench.table is not None:
                self.bench.kill()
            self.bench.start()
            return moved
        return False

    @property
    def _match(self) -> Any:
        assert self.bench.table is not None
        return self.bench.table._match  # type: ignore[attr-defined]

    @property
    def board(self) -> dict[Space, tuple[str, str]]:
        """By space whose piece the game has there, and its rank; nothing before both armies stand."""
        truth = self._match.state.truth()
        return {space: (piece["seat"], piece["rank"]) for space, piece in truth.get("board", {}).items()}

    def standing(self) -> dict[Space, Piece]:
        """The uppermost piece of each space that has not fallen, by the space's name in the game."""
        stands, fallen = self.bench.world.standing().items(), self.bench.world.fallen()
        upright = {slot: [piece for piece in pieces if piece not in fallen] for slot, pieces in stands}
        return {self._named(space_of(slot)): pieces[-1] for slot, pieces in upright.items() if pieces}

    def _named(self, space: Space) -> Space:
        return self._match.orientation._board_space(space)  # type: ignore[no-any-return]

    def right(self, space: Space, of: Space | None = None) -> bool:
        """Whether the piece of `of` (that of the space itself) stands on a space."""
        piece = self.standing().get(space)
        return piece is not None and (piece.owner, piece.label) == self.board.get(of or space)

    def wrong(self) -> list[Space]:
        """Where another piece stands than the game has there, or none."""
        return [
            space for space in self.board.keys() - self._match.hand_played_spaces if not self.right(space)
        ]

    def doubts_noted(self) -> list[str]:
        """What the journal was told of doubt, in order."""
        with closing(sqlite3.connect(self._journal)) as journal:
            rows = journal.execute(
                "SELECT text FROM entries WHERE text LIKE ? ORDER BY seq", (f"{DOUBT_NOTE_PREFIX}%",)
            )
            return [text.removeprefix(DOUBT_NOTE_PREFIX).strip() for (text,) in rows]

    # While the power is off

    def _set_down(self) -> bool:
        """Set the pieces of one side that the game still has each down in the next one's place; after a
        battle the loser in the winner's. Whether there were any."""
        hands, board = self.bench.hands, self.board
        self.bench.kill()
        held = [each for each in hands.held if each.origin and not self.bench.world.pieces_on(each.origin)]
        fought = [each for each in held if each.origin in self._ruled.split("-")]
        if len(fought) == 2:
            target = self._ruled.split("-")[1]
            fought.sort(key=lambda each: each.piece[:2] == board.get(target))  # the loser first
            self._place(fought, [target, self._ruled.split("-")[0]])
            return True
        there = [each for each in held if board.get(each.origin or "") == each.piece[:2]]
        sides = [[each for each in there if each.piece.owner == seat] for seat in ("red", "blue")]
        several = [side for side in sides if len(side) > 1]
        for side in several:
            self._place(side, [each.origin or "" for each in (*side[1:], side[0])])
        return bool(several)

    def _place(self, held: Sequence[HeldPiece], spaces: Sequence[Space]) -> None:
        hands = self.bench.hands
        for each, space in zip(held, spaces, strict=True):
            hands.held.sort(key=lambda other, each=each: other is each)
            self.bench.run_until(hands.place(space, self.bench.now))

    # What people do

    def obey(self) -> bool:
        """Do what is asked until nothing is. False if that has no end."""
        calm = 0
        for _ in range(PATIENCE):
            self.bench.wait(SENSING_DELAY_US)
            if self._answer() or self._correct() or self._put_back():
                calm = 0
                continue
            if calm >= (CALM if not self._match.guidance.corrections else 4 * CALM):
                return not self._match.guidance.corrections
            calm += 1
            self.bench.wait(SECOND)
        return False

    def _answer(self) -> bool:
        table: Any = self.bench.table
        asked = self._match.guidance.question
        offered = table.newest_proposal or seat_that_may_say(self._match.state, "decline-take-back")
        if asked is None and not offered:
            return False
        yes = asked is not None and not table.newest_proposal and self._true(asked)
        self.done.append(f"{'yes' if yes else 'no'} to {asked or offered}")
        self.bench.wait(1100 * MS)  # nobody answers what has just come up
        self.bench.run_until(self.bench.hands.press("confirm" if yes else "cancel", self.bench.now))
        return True

    def _true(self, asked: Any) -> bool:
        match asked.code, asked.spaces:
            case "same-places", spaces:
                return all(self.right(space) for space in spaces)
            case "that-piece" | "came-from" | "moved-here", (origin, target, *_):
                return self.right(target, of=origin)
            case "in-hand", (origin,):
                return any(
                    (held.piece.owner, held.piece.label) == self.board[origin]
                    for held in self.bench.hands.held
                )
            case "who-stands", (space, _):
                return self.right(space)
            case "turned", _:
                return self.bench.world.turned
        return False

    def _correct(self) -> bool:
        """Do one correction: what comes off first."""
        for chore in sorted(
            self._match.guidance.corrections, key=lambda each: (each.kind != "take", each.space)
        ):
            if self._named(chore.space) in self.bench.world.stuck_reeds():
                self.bench.say("red", f"by-hand {chore.space}")
                self.bench.say("blue", "yes")
                return True
            done = {"take": self._take, "put": self._put, "centre": self._centre}[chore.kind]
            if done(chore.space):
                self.done.append(f"{chore.kind} {chore.space}")
                return True
        return False

    def _put_back(self) -> bool:
        """Put back what the lights show as lifted."""
        return any(self._put(space) for space in self._match.guidance.lifted_places)

    def _take(self, space: Space) -> bool:
        if space not in self.standing():
            return self._centre(space)  # what is sensed there stands on the border
        self.bench.run_until(self.bench.hands.lift(self._named(space), self.bench.now))
        return True

    def _centre(self, space: Space) -> bool:
        world = self.bench.world
        across = [
            slot for slot, (*_, piece) in world.standing().items() if piece in world.straddling_pieces()
        ]
        for slot in across[:1]:
            self.bench.run_until(self.bench.hands.centre(slot, self.bench.now))
        return bool(across)

    def _put(self, space: Space) -> bool:
        """Set down a piece of the side that belongs there, out of the hands or from beside the board: once,
        where several are held that the game still has, another one than the right one."""
        hands, wanted = self.bench.hands, self.board.get(space)
        if wanted is None or space in self.standing():
            return False
        for slot, pieces in self.bench.world.standing().items():
            on_another = len(pieces) > 1 and pieces[-1][:2] == wanted
            if on_another or pieces[-1] in self.bench.world.fallen():
                self.bench.run_until(hands.lift(slot, self.bench.now))
                return True
        off = [*(held.piece for held in hands.held), *hands.beside]
        fit = [piece for piece in off if (piece.owner, piece.label) == wanted]
        missing = {self.board[other] for other in self.board if not self.right(other)}
        others = [
            piece
            for piece in (held.piece for held in hands.held)
            if piece.owner == wanted[0] and (piece.owner, piece.label) in missing - {wanted}
        ]
        piece = next(iter([*others, *fit] if self._careless else [*fit, *others]), None)
        if piece is None:
            return False
        self._careless = self._careless and piece in fit
        if piece in hands.beside:
            self.bench.run_until(hands.fetch(piece, self.bench.now))
        hands.held.sort(key=lambda held: held.piece == piece)
        self.bench.run_until(hands.place(self._named(space), self.bench.now))
        return True


def exchanged(cut: Cut, off: str, folder: Path) -> str | None:
    """What is wrong once people have obeyed after a cut; `None` if every piece stands where the game has it,
    or the same would be wrong without the cut."""
    found = _tried(cut, off, folder / "cut.db")
    if found is not None and off == KEPT and _tried(cut, None, folder / "whole.db") is not None:
        return None
    return found


def _tried(cut: Cut, off: str | None, journal: Path) -> str | None:
    people = Obedient(cut, journal)
    try:
        if not people.play(off) and off == SWAPPED:
            return None  # the same as if they were kept
        if people._match.state.outcome is not None or people.bench.world.stuck_reeds():
            return None  # it is over; or a reed lies, of which people are told later
        ended = people.obey()
        wrong = people.wrong()
        return (
            f"{cut} {off}: {'' if ended else 'no end, '}{wrong} wrong: {people.done}"
            if wrong or not ended
            else None
        )
    finally:
        people.bench.close()
