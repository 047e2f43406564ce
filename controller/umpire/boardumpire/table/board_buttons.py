"""What the board's buttons say, pressed or held down.

The buttons speak for whoever is asked, or for the side to move: at one board the players see to that
themselves. They never say yes for a seat whose own screen is open, that the machine plays, or that sits at
another board.

A press goes one of three ways: `confirm` and `cancel` answer (`AnswerDispatcher`); a button that goes through
several things moves the `ButtonCursor` or, where there is none, asks for a hint (`HintRequests`); any other
says what the game has for it (`State.button_actions`). Held down while nothing is asked a button is a gesture
of its own: it resigns, offers a draw, takes back, shuts down. A press that counts for nothing is shown to be
so.
"""

from __future__ import annotations

from boardrules.core import NO_SEAT, Action, BadText, Seat
from boardumpire.errors import SeatError
from boardumpire.ruling import proposals
from boardumpire.ruling.umpire import seat_that_may_say
from boardumpire.table.answer_dispatcher import AnswerDispatcher
from boardumpire.table.answering import EarlyAnswers
from boardumpire.table.buttons import ButtonCursor
from boardumpire.table.hints import HintRequests
from boardumpire.table.match import ASK_TAKE_BACK, ASK_THROW_AGAIN, Match
from boardumpire.table.matter_finder import MatterFinder
from boardumpire.table.open_matters import PlayerInput, shown_matter
from boardumpire.table.open_proposals import OpenProposals
from boardumpire.table.presence import BoardPresence
from boardware.ports import QUICK_PRESS_MAX_US, ButtonPressed, ConsoleEvent, Micros


class BoardButtons:
    """The buttons of one board."""

    def __init__(
        self,
        match: Match,
        presence: BoardPresence,
        proposals: OpenProposals,
        cursor: ButtonCursor,
        early: EarlyAnswers,
        matters: MatterFinder,
        answers: AnswerDispatcher,
        hints: HintRequests,
    ) -> None:
        self._match = match
        self._presence = presence
        self._proposals = proposals
        self._cursor = cursor
        self._early = early
        self._matters = matters
        self._answers = answers
        self._hints = hints

    def press(self, event: ConsoleEvent, now: Micros) -> None:
        """A button was pressed or held; what counts for nothing is shown to be so."""
        ledger, button = self._match.pending_writes, event.button
        answers = button in ("confirm", "cancel")
        if ledger.is_broken or ledger.write_block:
            self._answers.refuse_press("still" if ledger.is_broken else "waits", now)
            return
        if self._match.is_settling_loss and not answers:
            self._answers.refuse_press("lost-first", now)
            return
        if ledger.is_writing_ruling:
            self._answers.refuse_press("changed", now)
            return
        self._matters.update(now)
        # A slow finger, and one that stays, meant what was asked when a quick one would have been up again.
        meant_at = now - max(0, event.down_time - QUICK_PRESS_MAX_US)
        if not isinstance(event, ButtonPressed) and not self._is_hold_like_press(button):
            if self._matters.open_matters.has_changed_at_board(now - event.down_time):
                self._answers.refuse_press(
                    "changed", now
                )  # it went down as an answer to what is asked no more
            else:
                self._apply_hold_gesture(button, now)
        elif answers:
            self._answers.answer(None, button == "confirm", now, meant_at=meant_at)
        else:
            self._press_game(button, now, meant_at)

    def _is_hold_like_press(self, button: str) -> bool:
        """Whether holding a button means what pressing it means: slow fingers answer what is asked."""
        match button:
            case "confirm":  # or what may have been done unfelt, which a sentence tells people to confirm
                return shown_matter(self._matters.open_matters.matters) is not None or bool(
                    self._matters.implied_matters()
                )
            case "cancel":
                return shown_matter(self._matters.open_matters.matters) is not None
            case "turn":
                return not self._can_ask_shut_down() and self._cursor.is_moved_by(button)
            case _:
                return True

    def _can_ask_shut_down(self) -> bool:
        """Whether holding `turn` asks to shut the board down."""
        state = self._match.state
        resigning = bool(self._proposals.resignations_by(state.seats))
        return resigning or state.outcome is not None or self._match.is_adjourned or not state.layout()

    def _press_game(self, button: str, now: Micros, meant_at: Micros) -> None:
        """A short press of a button that is neither yes nor no; `meant_at` as for answers."""
        said = self._match.state.button_actions().get(button)
        if self._cursor.is_moved_by(button):
            if not self._cursor.has_options and self._hints.may_ask(self._represented_seat()):
                self._ask_hint(now)
            else:
                self._cursor.press(now)
            return
        if said is None or self._is_own_answer(said.seat):
            self._answers.refuse_press(
                "unasked" if said is None else self._presence.why_not_board([said.seat]), now
            )
            return
        verdict = self._matters.open_matters.find_meaning(PlayerInput(None, button), meant_at)
        if verdict.matter is None:
            self._answers.refuse_press("changed", now)
        elif self._early.keep_answer(said.seat, str(said), now):
            self._matters.open_matters.restart_settling(button, now)
        elif self._has_busy_hands(said.seat):
            self._answers.refuse_press("busy", now)
        else:
            self._matters.open_matters.restart_settling(button, now)
            self._rule_action(said, now)

    def _ask_hint(self, now: Micros) -> None:
        """Ask for a good move, as there is nothing to choose from."""
        try:
            self._hints.ask(self._represented_seat(), now)
        except SeatError:  # one is on its way
            self._answers.refuse_press("busy", now)

    def _is_own_answer(self, seat: Seat) -> bool:
        """Whether what a button would say is for that seat itself to say: nobody here plays it, or its screen
        is open and shows what it is asked."""
        return seat in self._presence.absent or (
            seat in self._match.state.possible_answers() and self._presence.answers_itself(seat)
        )

    def _rule_action(self, action: Action, now: Micros) -> None:
        """Do what a button says. What the rules refuse is shown to be so at the lamp of its side."""
        refused = self._match.state.refusal(action) is not None
        self._match.rule_action(action, (), now)
        if refused:
            self._match.flash_lamps(self._matters.side_lamps((action.seat,)), now)

    def _rule_command(self, seat: Seat, word: str, now: Micros) -> None:
        """Do what a held button says; a game that has no such word shows that it counts for nothing."""
        try:
            action = self._match.state.parse(word, seat)
        except BadText:
            self._match.flash_lamps(self._matters.side_lamps((seat,)), now)
            return
        self._rule_action(action, now)

    def _has_busy_hands(self, seat: Seat) -> bool:
        """Whether a piece of that seat is up, or the board asks it about its pieces: first things first."""
        guidance, owners = self._match.guidance, self._match.tracker.position.owners
        question = guidance.question
        asked = question is not None and question.seat == seat
        return asked or any(owners.get(space, seat) == seat for space in guidance.lifted_places)

    def _apply_hold_gesture(self, button: str, now: Micros) -> None:
        """A button held down while nothing is asked, for those who play without a phone;
        docs/understand/tracker.md lists them."""
        match, mover = self._match, self._represented_seat()
        if button == "turn" and self._can_ask_shut_down():
            for proposal in self._proposals.resignations_by(match.state.seats):
                self._proposals.lapse(proposal, now)
            self._propose_at_board("shut-down", now)
            return
        if button == "confirm" and match.state.outcome is not None:
            self._propose_at_board("new-game", now)
            return
        if mover not in match.state.seats:
            mover = match.mover()
            absent = mover in self._presence.absent
            self._answers.refuse_press(self._presence.why_not_board([mover]) if absent else "unasked", now)
        elif shown_matter(self._matters.open_matters.matters) is not None:
            self._answers.refuse_press("busy", now)
        elif button == "cancel":
            self._proposals.open_proposal(
                proposals.make_proposal(mover, "resign", match.state.seats), now, match
            )
        elif button == "confirm":
            self._rule_command(mover, "offer-draw", now)
        elif (
            button == "turn"
            and match.has_real_dice
            and seat_that_may_say(match.state, ASK_THROW_AGAIN) == mover
        ):
            self._rule_command(mover, ASK_THROW_AGAIN, now)
        elif button == "turn":
            self._rule_command(self._take_back_seat(mover), ASK_TAKE_BACK, now)

    def _propose_at_board(self, request: str, now: Micros) -> None:
        """Propose something in the board's name, which proposes one thing at a time."""
        if not self._proposals.propose_request(NO_SEAT, request, now, self._match):
            self._answers.refuse_press("busy", now)

    def _represented_seat(self) -> Seat:
        """For whom a held button speaks: the side to move, or the only one that sits here."""
        mover, absent = self._match.mover(), self._presence.absent
        if mover not in absent:
            return mover
        people = [seat for seat in self._match.state.seats if seat not in absent]
        return people[0] if len(people) == 1 else NO_SEAT

    def _take_back_seat(self, mover: Seat) -> Seat:
        """The seat that did what can be taken back: where several could, another one than the mover."""
        state = self._match.state
        others = [seat for seat in state.seats if seat != mover and seat not in self._presence.absent]
        may = [
            seat
            for seat in (*others, mover)
            if any(str(action) == ASK_TAKE_BACK for action in state.table_actions(seat))
        ]
        return (*may, mover)[0]
