"""What must hold at every moment of an evening."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from boardrules.identifiers import CHANCE
from boardumpire.journal.journal import JournalEntry
from boardumpire.messages.disclosure import SeatMessage
from boardumpire.service.clock import loop_time_s
from boardumpire.tracking.events import CorrectionKind
from evenings.service import Service

SETTLED_S = 30
"""What is wrong on the board for so long, while it is said to be in order, was ruled wrongly."""

CHORES_LIT = "put", "take", "asks"
"""What lamps show where something has to be put right, or is asked about first."""
SHOWN_S = 10
"""For so long lamps may show something else there, such as who has won a battle."""

LOST = "journal-mended", "journal-lost"
"""What is said of a journal that is damaged: what a power cut leaves of it is whole."""


def _sets_up(state: Any, seat: str) -> bool:
    """Whether pieces stand on the board before the seat says so."""
    return bool(state.zone(seat)) or any(
        state.setup_placements(action) for action in state.legal_actions(seat)[:1]
    )


class Oracles:
    """Those of one service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._odd: tuple[object, object, float] = None, None, 0.0
        self._unlit: tuple[Mapping[str, str], float] = {}, 0.0
        """What words ask for and no lamp shows, and since when."""
        self._announced: list[list[Any]] = []
        """The public events of each ruling of this game, as they were announced."""
        self._table: Any = None
        self._number = 0
        """The game that is announced."""
        self.games = 1
        """How many games anybody has asked for."""
        service.listeners.append(self._hear)

    def _hear(self, messages: Sequence[SeatMessage]) -> None:
        daemon = self._service.daemon
        if not daemon.has_table:
            return
        ruled = [
            message.data["events"]
            for message in messages
            if message.seat is None and message.kind == "ruling" and message.data["ok"]
        ]
        if daemon.table is not self._table:
            self._table = daemon.table
            self._another(len(ruled))
        self._announced += ruled
        for message in messages:
            assert message.data.get("code") not in LOST, message.data
        self._lights_say_what_sentences_say(daemon.table)

    def _another(self, announcing: int) -> None:
        """A table was opened: with the game that went on, or with one that somebody has asked for.

        So many of its rulings are being announced at this moment.
        """
        number = self._game()
        if number != self._number:
            self._number, self._announced = number, []
            return
        self.kept()
        written = self._written()
        before = len(written) - announcing
        acted = [
            entry.seat for entry in self._actions()[len(self._announced) : before] if entry.seat != CHANCE
        ]
        # Chance throws as often as it is to act before anything is announced, as when each draws a card.
        assert len(acted) <= 1, f"rulings of {acted} are written and not announced: more than one at a time"
        self._announced = written[:before]

    def _lights_say_what_sentences_say(self, table: Any) -> None:
        """Of what is asked for in words something is lit.

        Lights ask for the pieces of one side at a time.
        """
        chores = {
            chore.space: chore.kind
            for chore in table.guidance.corrections
            if chore.space in table.board.lamps
        }
        if table._match.is_adjourned:  # the board is dark until it feels something
            chores = {}
        unlit = chores if all(table.marks.get(space) not in CHORES_LIT for space in chores) else {}
        if not unlit or not self._unlit[0]:
            self._unlit = unlit, loop_time_s()
        assert not unlit or loop_time_s() - self._unlit[1] < SHOWN_S, (
            f"the words ask for {chores}, and nothing of it is lit: {dict(table.marks)}"
        )

    def look(self, table: Any) -> None:
        """The board is as the game has it, where it is said to be in order; and what words ask for is lit."""
        self._lights_say_what_sentences_say(table)
        state, guidance = table.full_state, table.guidance
        open_ = guidance.question is not None or guidance.lifted_places or self._service.board.fingers.grips
        setting_up = any(_sets_up(state, seat) for seat in state.seats_to_act())
        # A piece that is felt on two spaces may be two: people are told so after a while without a touch.
        open_ = open_ or any(chore.kind is CorrectionKind.CENTRE for chore in guidance.corrections)
        if open_ or setting_up or not table.is_calm or state.outcome is not None:
            self._odd = None, None, loop_time_s()
            return
        odd = self._differs(state)
        if (state, odd) != self._odd[:2]:
            self._odd = state, odd, loop_time_s()
        assert not odd or loop_time_s() - self._odd[2] < SETTLED_S, (
            f"the board is said to be in order, and is not (expected, found): {odd}"
        )

    def _differs(self, state: Any) -> Mapping[str, Any]:
        """By space the owners of the pieces that belong there and that stand there, where these differ.

        Pieces that an answer is awaited about may lie in hands, however long somebody thinks about it.
        """
        board = self._service.board
        space_of = {slot.id: name for name, space in board.world.board.spaces.items() for slot in space.slots}
        found: dict[str, list[str]] = {}
        for slot, pieces in board.world.standing().items():
            for piece in pieces:
                found.setdefault(space_of[slot], []).append(piece.owner)
        expected = {space: sorted(each.seat for each in there) for space, there in state.layout().items()}
        return {
            space: (expected.get(space), found.get(space))
            for space in sorted({*expected, *found} - state.unsettled_spaces())
            if expected.get(space, []) != sorted(found.get(space, []))
        }

    def kept(self) -> None:
        """All that was announced of this game is in its journal, in that order."""
        self._game()
        assert self._service.daemon._store.unaccepted_losses() == []
        written, announced = self._written(), json.loads(json.dumps(self._announced))
        assert written[: len(announced)] == announced, (
            f"{len(announced)} rulings were announced, and the journal of {len(written)} has others"
        )

    def _written(self) -> list[list[Any]]:
        """The public events of each ruling of this game, as the journal has them."""
        return [json.loads(entry.public_events) for entry in self._actions()]

    def _actions(self) -> list[JournalEntry]:
        """The actions of this game, as the journal has them."""
        entries = self._service.daemon._store.entries(self._game())
        return [entry for entry in entries if entry.kind == "action"]

    def _game(self) -> int:
        """The number of the game begun last, which somebody has asked for."""
        number: int = self._service.daemon._store.games()[-1].number
        assert number <= self.games, f"game {number} begins, and {self.games} were asked for"
        return number
