"""Takes a yes or no, by a phone or by the buttons, to what it is for.

An answer goes three steps. `MatterFinder` looks what is open; `OpenMatters.find_meaning` says which of it the
answer refers to, or why to nothing; `answer` hands it to whoever asked: the match, the tracker, the
proposals, the cursor of the buttons, or the game. A phone is told what is wrong by a `SeatError`, a button by
lights.
"""

from __future__ import annotations

from boardrules.core import Seat
from boardumpire.errors import SeatError
from boardumpire.messages import announce, disclosure
from boardumpire.messages.outbox import BoardOutbox
from boardumpire.table.buttons import ButtonCursor
from boardumpire.table.match import Match
from boardumpire.table.matter_finder import MatterFinder, yes_no_actions
from boardumpire.table.open_matters import NO, PROPOSAL_MATTER, YES, OpenMatter, PlayerInput, shown_matter
from boardumpire.table.open_proposals import OpenProposals
from boardumpire.table.presence import BoardPresence
from boardumpire.tracking.questions import NAMED_ANSWER_CODES
from boardware.ports import Micros


class AnswerDispatcher:
    """Takes the answers at one table."""

    def __init__(
        self,
        match: Match,
        outbox: BoardOutbox,
        presence: BoardPresence,
        proposals: OpenProposals,
        cursor: ButtonCursor,
        matters: MatterFinder,
    ) -> None:
        self._match = match
        self._outbox = outbox
        self._presence = presence
        self._proposals = proposals
        self._cursor = cursor
        self._matters = matters

    def answer(
        self, seat: Seat | None, yes: bool, now: Micros, about: str = "", meant_at: Micros | None = None
    ) -> None:
        """Yes or no, from a phone or (`None`) by a button, to whatever it refers to.

        `about` names what is answered, as the phone showed it; it may have changed since. `meant_at`: as of
        when it is judged what is asked, if not now.
        """
        match = self._match
        match.note_change()
        self._matters.update(now)
        more = (*self._matters.game_question_matters(seat), *self._matters.implied_matters())
        answer = PlayerInput(seat, YES if yes else NO, about)
        verdict = self._matters.open_matters.find_meaning(
            answer, now if meant_at is None else meant_at, *more
        )
        matter = verdict.matter
        if matter is None:
            waits = seat is None and yes and verdict.refusal == "unasked" and match.state.unchecked_spaces()
            self._refuse_answer(seat, "not-ready" if waits else verdict.refusal, now)
            return
        match matter.kind:
            case "question" if match.own_question is not None:
                match.answer_own_question(seat, yes=yes, now=now)
            case "question" if match.is_asking_about_unfelt_move:
                match.answer_unfelt_move(now, yes=yes)
            case "proposal":
                self._proposals.apply_answer(
                    self._proposals.proposal_in_slot(matter.slot), seat, yes, now, self._presence
                )
            case "offer":
                self._answer_offer(matter, yes, now)
            case "pointed":
                if not self._cursor.answer(yes, now):
                    self.refuse_press("busy", now)
            case "game":
                self._answer_game(seat, yes, now)
                self._matters.open_matters.restart_settling(seat, now)
            case _:
                self._answer_tracker(yes, now)
        self._lapse_own_resignations(matter, now)

    def _lapse_own_resignations(self, matter: OpenMatter, now: Micros) -> None:
        """Something was answered: who does that doesn't think of resigning any more."""
        for proposal in (
            self._proposals.resignations_by(matter.seats) if matter.kind != PROPOSAL_MATTER else ()
        ):
            self._proposals.lapse(proposal, now)

    def _refuse_answer(self, seat: Seat | None, why: str, now: Micros) -> None:
        if seat is None:
            asked = shown_matter(self._matters.open_matters.matters)
            if why == "own-screen" and asked is not None:
                why = self._presence.why_not_board(asked.seats)
            self.refuse_press(why, now)
            return
        question = self._match.guidance.question
        if why == "unasked" and question is not None and question.seat not in (None, seat):
            raise SeatError(announce.sentence_by_id("answer for", seat=question.seat))
        raise SeatError(announce.sentence_by_id(f"answer {why}"))

    def refuse_press(self, why: str, now: Micros) -> None:
        """A press counts for nothing: say so, by lights too."""
        match = self._match
        matter = shown_matter(self._matters.open_matters.matters)
        seats = matter.seats if matter is not None else frozenset(match.state.seats_to_act())
        lamps = (*self._matters.side_lamps(seats), *(() if matter is None else matter.spaces))
        if why != "unasked":  # lights alone say that nobody waits for it
            self._outbox.add(now, disclosure.press_refused_message(now, why, match.state.seats_to_act()))
        match.flash_lamps(lamps, now)

    def _answer_tracker(self, yes: bool, now: Micros) -> None:
        asked = self._match.guidance.question
        if asked is not None and asked.code in NAMED_ANSWER_CODES and yes:  # it takes more than a yes
            self.refuse_press("busy", now)
            return
        told = self._match.tracker.answer_question(yes, now)
        if asked is not None and asked.code == "adjourn" and yes:
            self._proposals.adjourn(now)
        elif told is not None:
            self._match.handle_tracker_event(told, now)

    def _answer_game(self, seat: Seat | None, yes: bool, now: Micros) -> None:
        answers = () if seat is None else yes_no_actions(self._match.state, seat)
        action = next((each for each in answers if str(each) == (YES if yes else NO)), None)
        if action is not None:
            self._match.rule_action(action, (), now)

    def _answer_offer(self, offer: OpenMatter, yes: bool, now: Micros) -> None:
        word = offer.name if yes else offer.name.replace("agree", "decline", 1)
        (who,) = offer.seats
        self._match.rule_action(self._match.state.parse(word, who), (), now)
