"""What seats say by phone, and what they are answered.

This is the way in for commands: whatever a person says, by a screen or by the board's buttons, comes to one
of the parts that are put together here, and none of them knows this module. Each knows those above it alone:

    BoardPresence     for which seats the board doesn't speak
    OpenProposals     what is proposed, until it is agreed, declined or lapsed
    ButtonCursor      what `choose` has come to
    EarlyAnswers      answers ahead of a seat's turn
    HintRequests      who has asked for a good move
    MatterFinder      all that is open, and since when
    AnswerDispatcher  a yes or no goes to what it is for
    BoardButtons      presses and gestures
    SeatCommands      words of a phone

Each board of a table has its own: a phone speaks to the one where its seat is at home. Proposals and answers
ahead of a turn are the table's.

A phone speaks for its seat alone. While a ruling is being written its words wait. What the table shows is
never changed here: commands change the match, proposals and the cursor, and lights and messages follow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from random import SystemRandom

from boardrules import lenient_parsing, registry
from boardrules.core import BadText, Seat, Space, joined_seats
from boardumpire.errors import SeatError, public_error_text
from boardumpire.messages import announce, disclosure
from boardumpire.messages.outbox import BoardOutbox
from boardumpire.ruling import proposals
from boardumpire.ruling.proposals import SEATING_REQUESTS, SERVICE_REQUESTS
from boardumpire.ruling.umpire import carried_move
from boardumpire.table.answer_dispatcher import AnswerDispatcher
from boardumpire.table.answering import PASS_ALWAYS_COMMAND, PASS_ASK_COMMAND, EarlyAnswers
from boardumpire.table.board_buttons import BoardButtons
from boardumpire.table.buttons import ButtonCursor
from boardumpire.table.hints import HINT_COMMAND, HintRequests
from boardumpire.table.match import ASK_THROW_AGAIN, Match
from boardumpire.table.matter_finder import MatterFinder
from boardumpire.table.open_proposals import OpenProposals, is_attack_waiting
from boardumpire.table.presence import BoardPresence
from boardumpire.tracking import shared_spaces
from boardware.ports import SECOND, LampId, Micros

ATTACK_QUESTION_CODES = ("attack-pending", "attack-counting", "attack-which", "attack-here", "attack-where")
"""Questions that naming the attack answers: nobody else's phone can."""
PROPOSALS_MAX = 3
"""How many proposals a phone may make ..."""
PROPOSALS_PERIOD_US: Micros = 20 * SECOND
"""... within this time: each becomes the newest thing that the others are asked."""


class SeatCommands:
    """Hears the seats that are at home at one board, and its buttons."""

    def __init__(
        self,
        match: Match,
        outbox: BoardOutbox,
        presence: BoardPresence,
        proposals: OpenProposals,
        answering: EarlyAnswers,
        lamps: Collection[LampId] = (),
    ) -> None:
        """`lamps`: those that the board has."""
        self._match = match
        self._outbox = outbox
        self.presence = presence
        self.proposals = proposals
        self.cursor = ButtonCursor(match, self.proposals, self.presence)
        self.early_answers = answering
        """What is answered at the same time by several, or until further notice."""
        self.matters = MatterFinder(match, outbox, self.presence, self.proposals, self.cursor, lamps)
        self._answers = AnswerDispatcher(
            match, outbox, self.presence, self.proposals, self.cursor, self.matters
        )
        self.hints = HintRequests(match, outbox, presence)
        """Who has asked for a good move."""
        self.buttons = BoardButtons(
            match,
            self.presence,
            self.proposals,
            self.cursor,
            self.early_answers,
            self.matters,
            self._answers,
            self.hints,
        )
        self.seats_with_help: frozenset[Seat] = frozenset()
        """Seats whose own screen is shown what follows from what everybody knows."""
        self.commands_count = 0
        """How often something was said or asked for: after that the table looks at everything again."""
        self._said: deque[tuple[Seat, str]] = deque()
        """What was said while a ruling was being written."""
        self._proposed: deque[tuple[Micros, Seat]] = deque()
        """When phones made proposals."""

    def say(self, seat: Seat, text: str, now: Micros) -> None:
        """Do what a seat says, or keep it until what is being written is durable. Raises `SeatError`."""
        self.commands_count += 1
        if self._match.pending_writes.is_broken:
            raise SeatError(announce.sentence_by_id("answer still"))
        if self._match.pending_writes.write_block:
            raise SeatError(announce.sentence_by_id("answer waits"))
        if self._match.pending_writes.is_writing_ruling:
            self._said.append((seat, text))
            return
        plain = " ".join(lenient_parsing.words(text))
        word, _, about = " ".join(text.split()).partition(" ")
        word = word.lower()  # what it is about may be a space, and those of a board may have capitals
        if self._match.is_settling_loss and word not in ("yes", "no"):
            raise SeatError(announce.sentence_by_id("answer lost-first"))
        thrown = next((face for face in self._match.possible_throws() if str(face) == plain), None)
        if thrown is not None:
            throwers = self._match.state.throwers()
            if seat not in throwers:
                raise SeatError(announce.sentence_by_id("answer throw", seat=joined_seats(throwers)))
            self._match.rule_action(thrown, (), now)
            return
        if word in ("yes", "no"):
            self._answers.answer(seat, word == "yes", now, about)
        elif word in ("by-hand", "by-reed", "adjourn", "stands"):
            self._propose(seat, word, about, now)
        elif plain in (PASS_ALWAYS_COMMAND, PASS_ASK_COMMAND):
            self.early_answers.set_standing_pass(seat, plain)
        elif word == "help" and about in ("on", "off"):
            self.seats_with_help = (
                self.seats_with_help | {seat} if about == "on" else self.seats_with_help - {seat}
            )
            self._outbox.add(now, *disclosure.late_answer_messages(now, seat, "", self._match.state.seats))
        elif plain == HINT_COMMAND:
            self.hints.ask(seat, now)
        elif word == "new-game":
            if self._match.state.outcome is None:
                raise SeatError(announce.sentence_by_id("answer not-over"))
            self._propose(seat, word, "", now)
        else:
            self._submit_action(seat, text, now)

    def execute_held_commands(self, now: Micros) -> None:
        """Hear what was said while a ruling was being written; what is wrong with it is told in private."""
        while self._said and not self._match.pending_writes.is_writing_ruling:
            seat, text = self._said.popleft()
            try:
                self.say(seat, text, now)
            except SeatError as error:
                seats = self._match.state.seats
                self._outbox.add(
                    now, *disclosure.late_answer_messages(now, seat, public_error_text(error), seats)
                )

    def check(self, seat: Seat, text: str) -> None:
        """Raise the `SeatError` that saying it would raise, and do nothing."""
        try:
            action = self._match.state.parse(text, seat)
        except BadText as error:
            raise SeatError(str(error)) from None
        if str(action) in self.early_answers.possible_answers(seat):
            return
        refusal = self._match.state.refusal(action)
        if refusal is not None:
            raise SeatError(disclosure.refusal_text(refusal, self._match.state), refusal.rule)

    def suggest_set_up(self, seat: Seat, preset: str, text: str) -> Mapping[Space, str]:
        """A set-up that the game has ready as `preset`, else one by chance around what stands (`text`).

        It is nobody's until the seat says it. Raises `SeatError` where nothing is set up, or there is no
        such preset.
        """
        state = self._match.state
        if not state.zone(seat):
            raise SeatError(announce.sentence_by_id("answer no-set-up"))
        try:
            kept = state.setup_placements(state.parse(text, seat)) if text else {}
            package = registry.package(state.game_id)
            return package.suggest_setup(state.options, seat, preset, kept, SystemRandom())
        except (BadText, ValueError) as error:
            raise SeatError(str(error)) from None

    def _submit_action(self, seat: Seat, text: str, now: Micros) -> None:
        if self.early_answers.keep_answer(seat, text, now):
            return
        self.check(seat, text)
        action = self._match.state.parse(text, seat)
        if str(action) == ASK_THROW_AGAIN and not self._match.has_real_dice:
            raise SeatError(announce.sentence_by_id("answer no-die"))
        if action == self._match.state.straight_back_action(seat):
            raise SeatError(announce.sentence_by_id("answer by-hands"))
        hands = carried_move(self._match.state, seat, str(action)) or ()
        if hands and not self._may_declare(hands):
            raise SeatError(announce.sentence_by_id("answer by-hands"))
        self._match.rule_action(action, hands, now)

    def _may_declare(self, hands: tuple[Space, ...]) -> bool:
        """Whether a phone may say what hands do: where the board asks, or can't feel it."""
        asked, position = self._match.guidance.question, self._match.tracker.position
        answers = (
            asked is not None
            and asked.code in ATTACK_QUESTION_CODES
            and asked.spaces[0] == hands[0]
            and hands[1] in asked.spaces
        )
        return (
            answers
            or bool(self._match.hand_played_spaces & set(hands))
            or shared_spaces.is_step_unsensed(hands, position)
        )

    def _propose(self, seat: Seat, word: str, about: str, now: Micros) -> None:
        thing = f"{word} {about}".strip()
        if word in ("by-hand", "by-reed") and about not in self._match.orientation.all_spaces:
            raise SeatError(announce.sentence_by_id("answer no-space", word=repr(word), about=repr(about)))
        if word == "stands" and not self._match.differing_spaces:
            raise SeatError(announce.sentence_by_id("answer nothing-wrong"))
        if word not in SERVICE_REQUESTS and self._match.state.outcome is not None:
            self.check(seat, "resign")  # the game says that it is over
        asked = self._match.guidance.question
        if is_attack_waiting(self._match) and asked is not None and asked.seat != seat:
            raise SeatError(announce.sentence_by_id("answer attack-first"))
        while self._proposed and now - self._proposed[0][0] >= PROPOSALS_PERIOD_US:
            self._proposed.popleft()
        if sum(by == seat for _, by in self._proposed) >= PROPOSALS_MAX:
            raise SeatError(announce.sentence_by_id("answer proposed-often"))
        self._proposed.append((now, seat))
        self.proposals.open_proposal(
            proposals.make_proposal(seat, thing, self._match.state.seats), now, self._match
        )

    def propose_request(self, by: Seat, thing: str, now: Micros, *, all_of_them: bool = False) -> bool:
        """Propose what is for the service to do, to the other seats or to `all_of_them`; `by` is empty for
        whoever is at the board. `False` where that has to wait: for another one of its kind, or, where
        somebody asks for a seat, for an answer at the board, as that would be taken for his."""
        self.commands_count += 1
        if thing.partition(" ")[0] in SEATING_REQUESTS and self.matters.is_board_asking():
            return False
        return self.proposals.propose_request(by, thing, now, self._match, all_of_them=all_of_them)
