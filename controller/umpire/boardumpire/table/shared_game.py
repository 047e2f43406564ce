"""The game of a table, on however many boards it is played: its state, its journal, what all boards wait for.

Each board has a `Match` of its own, which follows the hands there. A ruling comes from one of them, holds for
all, and leads the hands of each to the new layout. So a board whose hands did not carry the piece is told to
by corrections, and nothing further is ruled on by hands until every board is in order.
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
    was: State
    last: tuple[Space, Space] | None
    """The move that could be taken back before it."""
    rested: Micros
    """When the piece came to rest whose carrying was ruled on, or when it was said."""

    @property
    def hands(self) -> tuple[Space, ...]:
        """From where to where hands carried a piece; nothing where one only went straight back."""
        return () if str(self.ruling.action) == WALK_BACK_ACTION else self.ruling.hand_move

    @property
    def owed(self) -> tuple[Space, ...]:
        """What was put back to ask for a take-back is not in anybody's hands any more: it is led back."""
        declined = str(self.ruling.action) in (DECLINE_TAKE_BACK, WITHDRAW_TAKE_BACK)
        return self.last if declined and self.last is not None else ()

    @property
    def said(self) -> Collection[Space]:
        """The spaces whose pieces their owner has named by it."""
        return self.was.setup_placements(self.ruling.action).keys()


class GameBoard(Protocol):
    """One board on which the game is played, as the game knows it."""

    @property
    def ready(self) -> bool:
        """Whether it is in order and its hands can be followed."""

    @property
    def followed(self) -> bool:
        """Whether hands are judged as far as it depends on this board."""

    def note_change(self) -> None:
        """Something has changed that its lights and messages show."""

    def follow(self, new: NewRuling, now: Micros, *, own: bool) -> None:
        """Lead its hands to a ruling; `own`: its own hands carried that out."""

    def show_refusal(self, ruling: Ruling, now: Micros) -> None:
        """What was tried at it is refused."""

    @property
    def in_order(self) -> bool:
        """Whether it shows the layout of the game."""

    def ask_first(self, now: Micros) -> None:
        """Ask what has to be known of it before hands are judged."""

    def put_away(self, now: Micros) -> None:
        """Its pieces are taken off, and come back by corrections."""


class SharedGame:
    """One game under way. The boards join it, and it changes by its methods alone."""

    def __init__(self, game: TableGame, outbox: MessageOutbox) -> None:
        resumed = game.resumed_game
        self.ledger = game.pending_writes
        self.adjourned = False
        """Whether the game was put away: every board is dark."""
        self.moves = resumed.quiet_moves or QuietMoves()
        """The moves that their owners may put back."""
        self.boards: list[GameBoard] = []
        self._fold = game.history
        self._outbox = outbox
        self._throw = game.dice
        self._by: tuple[GameBoard | None, Micros] = None, 0
        """From which board the action came that is being written, and when its piece came to rest."""
        self._actors: set[Seat] = set()
        """The seats whose actions have held since somebody asked."""
        self._witness: MatchObserver | None = None
        self._told_turn: State | None = None
        self._mended = resumed.was_journal_repaired
        self._lost = JournalLossDialog(resumed.journal_losses, self.state.seats)

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self._fold.state

    @property
    def turns(self) -> int:
        """How many actions the game that stands has had."""
        return self._fold.turn_count

    @property
    def loss(self) -> StartQuestion | None:
        """What is asked about what the journal has lost: nothing else can be done before."""
        return self._lost.question

    @property
    def real_dice(self) -> bool:
        """Whether people throw, and say what they threw."""
        return isinstance(self._throw, RealDice)

    @property
    def followed(self) -> bool:
        """Whether hands are judged, but for what boards have to put in order."""
        return all(board.followed for board in self.boards)

    @property
    def ready(self) -> bool:
        """Whether every board is in order."""
        return all(board.ready for board in self.boards)

    def others_ready(self, board: GameBoard) -> bool:
        """Whether every board but this one is in order."""
        return all(other.ready for other in self.boards if other is not board)

    def witnessed(self, by: MatchObserver) -> None:
        """From now on `by` hears of each action before it is written, and of each ruling that holds."""
        self._witness = by

    def changed(self) -> None:
        """Something has changed that the lights and messages of all boards show."""
        for board in self.boards:
            board.note_change()

    def take_actors(self) -> set[Seat]:
        """The seats whose actions have held since the last call."""
        actors, self._actors = self._actors, set()
        return actors

    def tell_turn(self, now: Micros) -> None:
        """Tell whose turn it is, once every board shows that state."""
        written = not (self.ledger.is_writing_ruling or self.ledger.is_writing_end)
        shown = all(board.in_order for board in self.boards)
        if shown and written and self._told_turn is not self.state:
            self._told_turn = self.state
            self._outbox.add(now, disclosure.turn_message(now, self.state))

    # Before hands are judged

    def start(self, now: Micros) -> None:
        """Ask what has to be known first: how to go on after a loss, and then how boards lie."""
        if self._mended:
            self._outbox.add(now, disclosure.trouble_message(now, "journal-mended", "", ""))
        self._ask(now)

    def _ask(self, now: Micros) -> None:
        if self.loss is not None:
            self._outbox.add(now, disclosure.question_message(now, self.loss))
            return
        for board in self.boards:
            board.ask_first(now)

    def answer_loss(self, seats: Collection[Seat], now: Micros, *, yes: bool) -> None:
        """Take the answer of these seats to what is asked about the journal."""
        self.changed()
        loss = self._lost.answer(seats, yes=yes)
        if loss is not None:
            by = next(iter(seats)) if len(seats) == 1 else NO_SEAT
            self.note(by, acceptance_note(loss), now)
        self._ask(now)

    def put_away(self, now: Micros) -> None:
        """Everything is held until a piece is set down again."""
        self.adjourned = True
        for board in self.boards:
            board.put_away(now)
        self.changed()
        self._outbox.add(now, disclosure.adjourned_message(now))
        self.note(NO_SEAT, "adjourned", now)

    def take_out(self) -> None:
        """It goes on."""
        self.adjourned = False
        self.changed()

    # Rulings

    def throw(self, now: Micros) -> None:
        """Where chance is to act and every board is in order, throw for it, as often as it is."""
        while self.ready and self.followed and (faces := self.state.chance()):
            if self.real_dice and not faces[0][0].secret:
                return
            self.rule(faces[self._throw([weight for _, weight in faces])][0], (), now)

    def rule(
        self,
        action: Action,
        hands: tuple[Space, ...],
        now: Micros,
        by: GameBoard | None = None,
        rested: Micros | None = None,
    ) -> None:
        """Judge an action; `hands` is (origin, target) where those at the board `by` carried it out, and
        `rested` when the piece came to rest."""
        ruling = judge_action(self.state, action, (hands[0], hands[1]) if hands else None)
        self.changed()
        if ruling.refusal is not None:
            self._refuse(ruling, now, by)
            return
        self._by = by, rested or now
        if self._witness is not None:
            self._witness.on_action_pending(self._by[1], now)
        self.ledger.write(ruling, now)
        self.settle(now)

    def _refuse(self, ruling: Ruling, now: Micros, by: GameBoard | None) -> None:
        self._outbox.add(now, *disclosure.refused_messages(now, ruling, self.state.seats))
        tried = "a secret action" if ruling.action.secret else str(ruling.action)
        self.note(ruling.action.seat, f"refused {tried}", now)
        if by is not None:
            by.show_refusal(ruling, now)

    def settle(self, now: Micros) -> None:
        """Once the entry is durable the ruling holds and is told."""
        if self.ledger.check_writable(now):
            self.changed()
        self._tell_troubles(now)
        before = self.ledger.is_writing_ruling, self.ledger.is_writing_end
        ruling = self.ledger.take_durable_ruling()
        if ruling is not None:
            self._conclude(ruling, now)
        self.ledger.settle_ending()
        if before != (self.ledger.is_writing_ruling, self.ledger.is_writing_end):
            self.changed()
        self._tell_troubles(now)

    def _tell_troubles(self, now: Micros) -> None:
        for code, detail in self.ledger.take_troubles():
            self._outbox.add(now, disclosure.trouble_message(now, code, "", detail))

    def _conclude(self, ruling: Ruling, now: Micros) -> None:
        (by, rested), was = self._by, self.state
        self.adjourned = False  # also where a phone has said it: boards would stay dark and show no end
        self._fold.push(ruling.action)
        self._actors |= {ruling.action.seat} & {*self.state.seats}
        outcome = self.state.outcome
        if outcome is not None:
            self.ledger.finish(outcome, now)
        self._outbox.add(now, *disclosure.accepted_messages(now, ruling, self.state.seats))
        new = NewRuling(ruling, was, self.moves.last_move, rested)
        battle = any(event.kind == "battle" for event in ruling.events)
        # What leaves the board, or comes to it, can't be put back so that sensors tell.
        battle = battle or not was.trays().keys().isdisjoint(ruling.hand_move)
        self.moves.note_accepted(str(ruling.action), new.hands, self.turns, battle=battle)
        for board in self.boards:
            board.follow(new, now, own=board is by)
        if self._witness is not None:
            self._witness.on_ruling(ruling, now)

    # Notes

    def note(self, seat: Seat, text: str, now: Micros, *, secret: bool = False) -> None:
        """Note in the journal what is no action; that of a game that has ended takes no more."""
        if self.state.outcome is None:
            self.ledger.note(seat, text, now, secret=secret)
