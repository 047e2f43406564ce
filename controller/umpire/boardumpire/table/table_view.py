"""What lights and messages show of a board of a table at this moment.

Nothing here is changed by hand: what is shown follows from the match, the commands that are open, the moves
that hands make for a machine, tags and clocks. Each of these says by a number how often it has changed
(`Match.version`, `OpenProposals.version`, `MatterFinder.screens_version`), and a state of the game never
changes. So what was derived holds as long as its numbers and its state are the same ones, and nobody who
changes something has to know what is derived from it:

    a frame of lights, messages of guidance   Match.version, or something on the display has run its time
    whose answer is waited for                state, question, chores, proposals, open screens; always anew
                                              while `choose` or a set-up points at something
    what the game shows by itself             state

Moments matter: they are public. So nothing here may come sooner or later for what a secret is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boardrules.core import Seat, State
from boardumpire.lamps import view_marks
from boardumpire.lamps.display import LightDisplay
from boardumpire.lamps.policy import (
    AwaitedAnswer,
    corrections_in_turn,
    has_mixed_corrections,
    missing_part_lights,
)
from boardumpire.messages import disclosure
from boardumpire.messages.outbox import BoardOutbox
from boardumpire.table.errands import AssistedMoves
from boardumpire.table.match import Match
from boardumpire.table.seat_commands import SeatCommands
from boardumpire.table.tag_watch import TagWatch
from boardumpire.table.timekeeper import Timekeeper
from boardumpire.tracking.events import BoardGuidance
from boardware.parts import LampAt
from boardware.ports import LampId, Micros


class TableView:
    """The lights and the messages of guidance of one board."""

    def __init__(
        self,
        match: Match,
        commands: SeatCommands,
        assisted: AssistedMoves,
        display: LightDisplay,
        outbox: BoardOutbox,
        lamps: Mapping[LampId, LampAt],
        tags: TagWatch | None,
        time: Timekeeper | None,
    ) -> None:
        """`lamps`: those that the board has."""
        self._match = match
        self._commands = commands
        self._assisted = assisted
        self._display = display
        self._outbox = outbox
        self._lamps = lamps
        self._tags = tags
        self._time = time
        self._version = 0
        """Which version of the match was shown last."""
        self._told_chores: tuple[object, ...] = ()
        self._shown: tuple[State | None, Mapping[LampId, str], Iterable[Seat]] = None, {}, ()
        """What the game shows and whose turn it is, and of which state."""
        self._awaited: tuple[tuple[object, ...], AwaitedAnswer] = (), AwaitedAnswer()
        """Whose answer is waited for, and of which moment."""

    @property
    def awaited_answer(self) -> AwaitedAnswer:
        """Whose answer the lights wait for."""
        return self._awaited[1]

    def step(self, now: Micros) -> None:
        """Tell and show what has changed."""
        version = self._match.version
        fresh = version != self._version
        if fresh and not self._match.is_adjourned:
            self._send_guidance(now)
        self._version = version
        self._show_lights(now, fresh=fresh)

    def _send_guidance(self, now: Micros) -> None:
        match = self._match
        chores = match.guidance.corrections
        if chores != self._told_chores:
            self._told_chores = chores
            self._outbox.add(now, disclosure.corrections_message(now, chores))
        match.game.announce_turn(now)

    def _show_lights(self, now: Micros, *, fresh: bool) -> None:
        match, guidance = self._match, self._match.guidance
        if self._display.drop_expired_shows(now) or fresh:
            awaited = self._update_awaited_answer(guidance, now)
            if match.is_adjourned and not awaited.seats:
                self._display.darken(now)
            else:
                tags = {} if self._tags is None else self._tags.marks()
                _, shown, to_act = self._game_marks(now)
                if not match.game.may_hands_act(match):
                    to_act = ()  # first another board is put in order
                wanted: Mapping[LampId, str] = {}
                if self._assisted.is_active:
                    guidance, wanted = self._assisted.apply_to_guidance(guidance)
                if self._assisted.is_active or (
                    guidance.corrections and has_mixed_corrections(guidance, match.state.layout())
                ):
                    guidance, sides = corrections_in_turn(guidance, match.state.layout(), self._lamps)
                    wanted = {**sides, **wanted}
                first = {**shown, **tags}
                if match.game.is_other_silent(match):
                    first = {**first, **missing_part_lights(self._lamps)}
                if self._time is not None:
                    first = {**first, **self._time.marks(awaited.seats, now)}
                self._display.show_frame(guidance, to_act, awaited, now, first, wanted)
            foreseen = match.is_judging and not (self._assisted.is_active and self._assisted.has_open_move)
            position = match.tracker.position if foreseen else None
            self._display.precompute_hints(position, guidance, now)

    def _update_awaited_answer(self, guidance: BoardGuidance, now: Micros) -> AwaitedAnswer:
        """Whose answer is waited for. Every lift comes by here, and most of them change nothing of it."""
        state, commands = self._match.state, self._commands
        setting_up = bool(
            commands.cursor.placing_actions
            or (commands.proposals.open_proposals and state.unchecked_spaces())
        )
        pointing = commands.cursor.pressed_state is state or setting_up
        counts = commands.proposals.version, commands.matters.screens_version
        of = (state, guidance.question, guidance.corrections, guidance.overdue_pieces, counts, pointing)
        if pointing or of != self._awaited[0]:
            self._awaited = of, commands.matters.awaited_answer(now)
        return self._awaited[1]

    def _game_marks(self, now: Micros) -> tuple[State | None, Mapping[LampId, str], Iterable[Seat]]:
        """What the game shows, from the view that everybody has, and whose turn it is."""
        state = self._match.state
        if self._shown[0] is not state:
            lamps, view = self._lamps, disclosure.view_of(state, None)
            shown = view_marks.view_marks(state.game_id, view, lamps)
            known = {lamp: mark for lamp, mark in shown.items() if lamp in lamps}
            known.update(self._commands.matters.end_marks())
            before = self._shown[0]
            if before is not None and before.outcome is None and state.outcome is not None:
                self._display.add_shows(view_marks.finale_shows(state.game_id, view, lamps, now))
            self._shown = state, known, tuple(state.seats_to_act())
        return self._shown
