"""The game of a table, on however many boards it is played: its state, its journal, what all boards wait for.

Each board has a `Match` of its own, which follows the hands there. A ruling comes from one of them, holds for
all, and leads the hands of each to the new layout. So a board whose hands did not carry the piece is told to
by corrections, and nothing further is ruled on by hands until every board is in order. If the game may run
ahead, hands at one board may do one action more before another board has followed the last one.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Protocol

from boardrules.core import NO_SEAT, Action, Seat, Space, State
from boardumpire.journal.journal import acceptance_note
from boardumpire.messages import disclosure
from boardumpire.messages.outbox import MessageOutbox
from boardumpire.ruling.dice import RealDice
from boardumpire.ruling.umpire import WALK_BACK_ACTION, QuietMoves, Ruling, judge_action
from boardumpire.table.game import TableGame
from boardumpire.table.lost import JournalLossDialog
from boardumpire.tracking.questions import StartQuestion
from boardware.ports import Micros

AGREE_TAKE_BACK = "agree-take-back"
DECLINE_TAKE_BACK = "decline-take-back"
WITHDRAW_TAKE_BACK = "withdraw-take-back"


class MatchObserver(Protocol):
    """Who has to know of each action, such as the clocks."""

    def on_action_pending(self, at: Micros, now: Micros) -> None:
        """An action that was done `at` is about to be written."""

    def on_ruling(self, ruling: Ruling, now: Micros) -> None:
        """A ruling holds."""


class NewRuling(NamedTuple):
    """A ruling that holds from now on, and what was before."""

    ruling: Ruling
    state_before: State
    last_quiet_move: tuple[Space, Space] | None
    """The move that could be taken back before it."""
    rested_at: Micros
    """When the piece came to rest whose carrying was ruled on, or when it was said."""

    @property
    def hands(self) -> tuple[Space, ...]:
        """From where to where hands carried a piece; nothing where one only went straight back."""
        return () if str(self.ruling.action) == WALK_BACK_ACTION else self.ruling.hand_move

    @property
    def spaces_to_lead_back(self) -> tuple[Space, ...]:
        """What was put back to ask for a take-back is not in anybody's hands any more: it is led back."""
        declined = str(self.ruling.action) in (DECLINE_TAKE_BACK, WITHDRAW_TAKE_BACK)
        return self.last_quiet_move if declined and self.last_quiet_move is not None else ()

    @property
    def named_spaces(self) -> Collection[Space]:
        """The spaces whose pieces their owner has named by it."""
        return self.state_before.setup_placements(self.ruling.action).keys()


class GameBoard(Protocol):
    """One board on which the game is played, as the game knows it."""

    @property
    def is_ready(self) -> bool:
        """Whether it is in order and its hands can be followed."""

    @property
    def is_following_hands(self) -> bool:
        """Whether hands are judged as far as it depends on this board."""

    @property
    def is_one_move_behind(self) -> bool:
        """Whether it was in order before the last move, answers, and asks nothing."""

    def note_change(self) -> None:
        """Something has changed that its lights and messages show."""

    def apply_ruling(self, new: NewRuling, now: Micros, *, own: bool) -> None:
        """Lead its hands to a ruling; `own`: its own hands carried that out."""

    def show_refusal(self, ruling: Ruling, now: Micros) -> None:
        """What was tried at it is refused."""

    @property
    def has_silent_bank(self) -> bool:
        """Whether a part of it doesn't answer."""

    @property
    def is_in_order(self) -> bool:
        """Whether it shows the layout of the game."""

    def ask_start_questions(self, now: Micros) -> None:
        """Ask what has to be known of it before hands are judged."""

    def put_away(self, now: Micros) -> None:
        """Its pieces are taken off, and come back by corrections."""


class SharedGame:
    """One game under way. The boards join it, and it changes by its methods alone."""

    def __init__(self, game: TableGame, outbox: MessageOutbox) -> None:
        resumed = game.resumed_game
        self.pending_writes = game.pending_writes
        self.is_adjourned = False
        """Whether the game was put away: every board is dark."""
        self.quiet_moves = resumed.quiet_moves or QuietMoves()
        """The moves that their owners may put back."""
        self.boards: list[GameBoard] = []
        self._history = game.history
        self._outbox = outbox
        self._dice = game.dice
        self._runs_ahead = game.timing.runs_ahead
        self._pending_source: tuple[GameBoard | None, Micros] = None, 0
        """From which board the action came that is being written, and when its piece came to rest."""
        self._actors: set[Seat] = set()
        """The seats whose actions have held since somebody asked."""
        self._observer: MatchObserver | None = None
        self._announced_state: State | None = None
        self._was_journal_repaired = resumed.was_journal_repaired
        self._loss_dialog = JournalLossDialog(resumed.journal_losses, self.state.seats)

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self._history.state

    @property
    def turn_count(self) -> int:
        """How many actions the game that stands has had."""
        return self._history.turn_count

    @property
    def loss_question(self) -> StartQuestion | None:
        """What is asked about what the journal has lost: nothing else can be done before."""
        return self._loss_dialog.question

    @property
    def has_real_dice(self) -> bool:
        """Whether people throw, and say what they threw."""
        return isinstance(self._dice, RealDice)

    @property
    def is_following_hands(self) -> bool:
        """Whether hands are judged, but for what boards have to put in order."""
        return all(board.is_following_hands for board in self.boards)

    @property
    def is_ready(self) -> bool:
        """Whether every board is in order."""
        return all(board.is_ready for board in self.boards)

    def may_hands_act(self, board: GameBoard) -> bool:
        """Whether hands at this board may act, as far as the others are concerned."""
        return all(self._is_near(other) for other in self.boards if other is not board)

    def _is_near(self, board: GameBoard) -> bool:
        """Whether nobody has to wait for that board."""
        return board.is_ready or (self._runs_ahead and board.is_one_move_behind)

    def is_other_silent(self, board: GameBoard) -> bool:
        """Whether a board other than this one doesn't answer."""
        return any(other.has_silent_bank for other in self.boards if other is not board)

    def set_observer(self, by: MatchObserver) -> None:
        """From now on `by` hears of each action before it is written, and of each ruling that holds."""
        self._observer = by

    def note_change(self) -> None:
        """Something has changed that the lights and messages of all boards show."""
        for board in self.boards:
            board.note_change()

    def take_actors(self) -> set[Seat]:
        """The seats whose actions have held since the last call."""
        actors, self._actors = self._actors, set()
        return actors

    def announce_turn(self, now: Micros) -> None:
        """Tell whose turn it is, once every board shows that state."""
        written = not (self.pending_writes.is_writing_ruling or self.pending_writes.is_writing_end)
        shown = all(board.is_in_order for board in self.boards)
        if shown and written and self._announced_state is not self.state:
            self._announced_state = self.state
            self._outbox.add(now, disclosure.turn_message(now, self.state))

    # Before hands are judged

    def start(self, now: Micros) -> None:
        """Ask what has to be known first: how to go on after a loss, and then how boards lie."""
        if self._was_journal_repaired:
            self._outbox.add(now, disclosure.trouble_message(now, "journal-mended", "", ""))
        self._ask_start_questions(now)

    def _ask_start_questions(self, now: Micros) -> None:
        if self.loss_question is not None:
            self._outbox.add(now, disclosure.question_message(now, self.loss_question))
            return
        for board in self.boards:
            board.ask_start_questions(now)

    def answer_loss(self, seats: Collection[Seat], now: Micros, *, yes: bool) -> None:
        """Take the answer of these seats to what is asked about the journal."""
        self.note_change()
        loss = self._loss_dialog.answer(seats, yes=yes)
        if loss is not None:
            by = next(iter(seats)) if len(seats) == 1 else NO_SEAT
            self.note(by, acceptance_note(loss), now)
        self._ask_start_questions(now)

    def put_away(self, now: Micros) -> None:
        """Everything is held until a piece is set down again."""
        self.is_adjourned = True
        for board in self.boards:
            board.put_away(now)
        self.note_change()
        self._outbox.add(now, disclosure.adjourned_message(now))
        self.note(NO_SEAT, "adjourned", now)

    def resume_game(self) -> None:
        """It goes on."""
        self.is_adjourned = False
        self.note_change()

    # Rulings

    def act_for_chance(self, now: Micros) -> None:
        """Where chance is to act and no board is waited for, throw for it, as often as it is."""
        while (
            all(map(self._is_near, self.boards))
            and self.is_following_hands
            and (faces := self.state.chance())
        ):
            if self.has_real_dice and not faces[0][0].secret:
                return
            self.rule_action(faces[self._dice([weight for _, weight in faces])][0], (), now)

    def rule_action(
        self,
        action: Action,
        hands: tuple[Space, ...],
        now: Micros,
        by: GameBoard | None = None,
        rested: Micros | None = None,
    ) -> None:
        """Judge an action; `hands` is (origin, target) where those at the board `by` carried it out, and
        `rested_at` when the piece came to rest."""
        ruling = judge_action(self.state, action, (hands[0], hands[1]) if hands else None)
        self.note_change()
        if ruling.refusal is not None:
            self._announce_refusal(ruling, now, by)
            return
        self._pending_source = by, rested or now
        if self._observer is not None:
            self._observer.on_action_pending(self._pending_source[1], now)
        self.pending_writes.write(ruling, now)
        self.settle_writes(now)

    def _announce_refusal(self, ruling: Ruling, now: Micros, by: GameBoard | None) -> None:
        self._outbox.add(now, *disclosure.refused_messages(now, ruling, self.state.seats))
        tried = "a secret action" if ruling.action.secret else str(ruling.action)
        self.note(ruling.action.seat, f"refused {tried}", now)
        if by is not None:
            by.show_refusal(ruling, now)

    def settle_writes(self, now: Micros) -> None:
        """Once the entry is durable the ruling holds and is told."""
        if self.pending_writes.check_writable(now):
            self.note_change()
        self._announce_troubles(now)
        before = self.pending_writes.is_writing_ruling, self.pending_writes.is_writing_end
        ruling = self.pending_writes.take_durable_ruling()
        if ruling is not None:
            self._apply_ruling(ruling, now)
        self.pending_writes.settle_ending()
        if before != (self.pending_writes.is_writing_ruling, self.pending_writes.is_writing_end):
            self.note_change()
        self._announce_troubles(now)

    def _announce_troubles(self, now: Micros) -> None:
        for code, detail in self.pending_writes.take_troubles():
            self._outbox.add(now, disclosure.trouble_message(now, code, "", detail))

    def _apply_ruling(self, ruling: Ruling, now: Micros) -> None:
        (by, rested), was = self._pending_source, self.state
        self.is_adjourned = False  # also where a phone has said it: boards would stay dark and show no end
        self._history.push(ruling.action)
        self._actors |= {ruling.action.seat} & {*self.state.seats}
        outcome = self.state.outcome
        if outcome is not None:
            self.pending_writes.finish(outcome, now)
        self._outbox.add(now, *disclosure.accepted_messages(now, ruling, self.state.seats))
        new = NewRuling(ruling, was, self.quiet_moves.last_move, rested)
        battle = any(event.kind == "battle" for event in ruling.events)
        # What leaves the board, or comes to it, can't be put back so that sensors tell.
        battle = battle or not was.trays().keys().isdisjoint(ruling.hand_move)
        self.quiet_moves.note_accepted(str(ruling.action), new.hands, self.turn_count, battle=battle)
        for board in self.boards:
            board.apply_ruling(new, now, own=board is by)
        if self._observer is not None:
            self._observer.on_ruling(ruling, now)

    # Notes

    def note(self, seat: Seat, text: str, now: Micros, *, secret: bool = False) -> None:
        """Note in the journal what is no action; that of a game that has ended takes no more."""
        if self.state.outcome is None:
            self.pending_writes.note(seat, text, now, secret=secret)
