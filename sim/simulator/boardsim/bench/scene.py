"""What people at a board see and do: pieces, hands, phones, and what the umpire tells them.

They see lamps and messages, never the umpire's state. All they do is written down as lines of a hand script,
each at its moment, so that a run can be done again without them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from boardrules.core import Seat
from boardrules.marks import mark_name
from boardsim.bench.bench import Bench, BenchSettings
from boardsim.bench.table import BenchMessage, BenchTableFactory
from boardsim.hands.gestures import HUMAN, HandGestures, HandManner
from boardsim.hands.hands import space_of
from boardsim.world.physics import PathLeg
from boardsim.world.world import Piece
from boardware.ports import MS, SECOND, Micros

Space = str
OFFER_END_EVENTS = ("agree", "decline", "withdraw", "take-back", "over")
"""What ends an offer ..."""
PLAY_EVENTS = ("move", "battle")
"""... and what does when who was asked plays on."""
PAD_SHOW_MAX_US: Micros = 5 * SECOND
"""How long a piece is held over a pad that doesn't read it."""


class MessageListener:
    """What the umpire has told, as far as people keep it in mind."""

    def __init__(self) -> None:
        self.chores: Sequence[Mapping[str, Any]] = ()
        self.question: Mapping[str, Any] | None = None
        self.offer: str | None = None
        """The seat that waits for an answer to its offer."""
        self.offered = ""
        self.proposal: Mapping[str, Any] | None = None
        self.refused_presses = 0
        """How often a press of a button did not count."""
        self.reminded_spaces: list[Space] = []
        """The squares whose piece people were reminded of."""
        self.to_act: tuple[str, ...] = ()
        self.over = False
        self.shown_pieces = 0
        """How often a pad has read a piece of a set that is known."""

    def hear(self, message: BenchMessage) -> None:
        """Take in what everybody is told."""
        if message.seat is not None:
            return
        kind, data = message.kind, message.data
        if kind == "chores":
            self.chores = data["chores"]
        elif kind == "question":
            self.question = data
        elif kind == "proposal":
            self.proposal = data if data["answer"] == "open" else None
        elif kind == "shown":
            self.shown_pieces += data["seat"] is not None
        elif kind == "reminder":
            self.refused_presses += data["code"].startswith("press-")
            self.reminded_spaces += data["spaces"]
        elif kind in ("turn", "over"):
            self.to_act = tuple(data.get("to_act", ()))
            self.over = kind == "over"
        elif kind == "ruling" and data["ok"]:
            self.question = None
            self._handle_ruling(data["seat"], data["events"])

    def _handle_ruling(self, seat: Seat, events: Sequence[Mapping[str, Any]]) -> None:
        for event in events:
            if event["kind"] == "offer" and "thing" in event:  # a trade is no offer about the game
                self.offer, self.offered = event["seat"], event["thing"]
            elif event["kind"] in OFFER_END_EVENTS or (event["kind"] in PLAY_EVENTS and seat != self.offer):
                self.offer = None


def name_of(question: Mapping[str, Any]) -> str:
    """By this a screen says which question its yes or no is for."""
    return " ".join((question["code"], *question["spaces"]))


class BenchScene:
    """A bench with real magnets over it, hands, phones and ears."""

    def __init__(
        self,
        setting: BenchSettings,
        factory: BenchTableFactory,
        manner: HandManner = HUMAN,
    ) -> None:
        self.listener = MessageListener()
        self.listeners = [self.listener.hear]
        self.bench = Bench(setting, factory, told=self._told)
        self.world = self.bench.world
        self.physics = self.bench.physics
        self.hands = HandGestures(
            self.physics, random.Random(f"hands {setting.seed}"), manner, self._write_path_line
        )
        self.lines: list[tuple[Micros, str]] = []
        """What was done, by its moment, as lines of a hand script."""
        self.beside: list[Piece] = []

    def _told(self, message: BenchMessage) -> None:
        for listener in self.listeners:
            listener(message)

    # -- time ----------------------------------------------------------------------------------------------

    @property
    def now(self) -> Micros:
        """The virtual time."""
        return self.bench.now

    def run_until(self, end: Micros) -> None:
        """Let time pass until `end`."""
        self.bench.run_until(-(-end // MS) * MS)

    def wait(self, ms: int) -> None:
        """Let so many milliseconds pass."""
        self.run_until(self.now + ms * MS)

    # -- phones and buttons --------------------------------------------------------------------------------

    def say(self, seat: Seat, text: str) -> str | None:
        """Say it on a seat's phone; what the phone answers if it can't be said."""
        self.write_script_line(self.now, f"say {seat} {text}")
        try:
            self.bench.say(seat, text)
        except ValueError as error:
            return str(error)
        return None

    def press(self, button: str, span_ms: int = 150) -> None:
        """Press a button of the board, and let it go."""
        self.write_script_line(self.now, f"button {button} {span_ms}")
        self.world.plan(self.now, partial(self.world.set_button, button, True))
        self.world.plan(self.now + span_ms * MS, partial(self.world.set_button, button, False))
        self.wait(span_ms + 60)

    def lamps_with_mark(self, mark: str) -> set[str]:
        """The lamps that show a mark now."""
        table = self.bench.table
        return {lamp for lamp, shown in table.marks.items() if mark_name(shown) == mark} if table else set()

    def question_lamps(self) -> frozenset[tuple[str, str]]:
        """The lamps (mark, name) that show what the board asks, or that an attack waits for its sign."""
        marks = ("asks", "attack-waits", "attack-counts")
        return frozenset((mark, lamp) for mark in marks for lamp in self.lamps_with_mark(mark))

    def is_meant_dark(self, lamp: str) -> bool:
        """Whether a lamp is meant to show nothing now."""
        table = self.bench.table
        return table is None or not table.marks.get(lamp)

    # -- pieces --------------------------------------------------------------------------------------------

    def top_piece_on(self, space: Space) -> Piece | None:
        """The uppermost piece on a square, fallen or not."""
        for slot in self.world.board.spaces[space].slots:
            pieces = self.world.pieces_on(slot.id)
            if pieces:
                return pieces[-1]
        return None

    def space_of_piece(self, piece: Piece) -> Space | None:
        """The square on which a piece rests."""
        slot = self.physics.resting_slots.get(piece)
        return None if slot is None else space_of(slot)

    def held_pieces(self) -> list[Piece]:
        """The pieces in hands."""
        return [piece for piece in self.physics.positions if piece not in self.physics.resting_slots]

    def closed_reed_spaces(self) -> set[Space]:
        """The squares whose reed is closed by a magnet or sticks closed: what sensors could feel."""
        copper = self.world.copper
        return {space_of(slot) for slot in self.physics.sensors if copper.closed(slot)}

    def centre_unsensed_piece(self, piece: Piece, space: Space) -> bool:
        """Nothing came of a piece that was set down. If nothing feels it either it stands badly; it is pushed
        to the middle, as people do. Whether it was."""
        if self.physics.sensors_closed_by(piece):
            return False
        self.run_until(self.hands.centre(piece, space, self.now))
        return True

    def put_beside_board(self, piece: Piece) -> None:
        """Put a piece beside the board."""
        if piece in self.physics.resting_slots:
            self.run_until(self.hands.lift(piece, self.now))
        self.run_until(self.hands.put_aside(piece, self.now))
        self.physics.remove(piece)
        self.beside.append(piece)

    def bring_to_space(self, piece: Piece, space: Space) -> None:
        """Set a piece down on a square, wherever it is now."""
        if piece in self.beside:
            self.beside.remove(piece)
            self.run_until(self.hands.place_from_box(piece, space, self.now))
            return
        if piece in self.physics.resting_slots:
            self.run_until(self.hands.lift(piece, self.now))
        self.run_until(self.hands.put(piece, space, self.now))

    def pad(self, seat: Seat) -> str | None:
        """The pad of a seat, or any; `None` on a board without."""
        pads = list(self.world.board.pads) if self.bench.tags is not None else []
        return next((pad for pad in pads if pad.endswith(seat)), next(iter(pads), None))

    def show(self, piece: Piece, pad: str) -> None:
        """Hold a piece over a pad until the umpire says that it was read, or for some seconds."""
        tags = self.bench.tags
        assert tags is not None
        begin, before, end = self.now, self.listener.shown_pieces, self.now + PAD_SHOW_MAX_US
        tags.put_over_pad(pad, piece)
        while self.listener.shown_pieces == before and self.now < end:
            self.wait(100)
        tags.remove_from_pad(pad, piece)
        name = f"{piece.owner}/{piece.label}/{piece.number}"
        self.write_script_line(begin, f"over {pad} {name} {(self.now - begin) // MS}")

    # -- the script ----------------------------------------------------------------------------------------

    def write_script_line(self, at: Micros, line: str) -> None:
        """Write down what is done at a moment."""
        self.lines.append((at, line))

    def _write_path_line(self, piece: Piece, legs: Sequence[PathLeg], at: Micros, falls: bool) -> None:
        points = " ".join(f"{leg.span // MS}:{leg.to.x:g},{leg.to.y:g},{leg.to.z:g}" for leg in legs)
        name = f"{piece.owner}/{piece.label}/{piece.number}"
        self.write_script_line(at, f"path {name} {points}{' falls' if falls else ''}")

    def script(self) -> str:
        """All that was done, as a hand script."""
        out, now = [], 0
        for at, line in sorted(self.lines, key=lambda each: each[0]):
            if at > now:
                out.append(f"wait {(at - now) // MS}")
                now = at
            out.append(line)
        return "\n".join(out) + "\n"

    def close(self) -> None:
        """Switch off."""
        self.bench.close()
