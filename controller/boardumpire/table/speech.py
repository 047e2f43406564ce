"""What seats say, by phone or by the buttons, and what they are answered.

A phone speaks for its seat alone. The buttons speak for whoever is asked, or for the side to move: at one
board the players see to that themselves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from random import SystemRandom

from boardrules import registry, typed
from boardrules.core import Action, BadText, Seat, Space, State
from boardumpire.errors import SeatError, outward
from boardumpire.lamps import meanings
from boardumpire.lamps.meanings import Awaited
from boardumpire.messages import announce, secrecy
from boardumpire.messages.outbox import Outbox
from boardumpire.ruling import proposals
from boardumpire.ruling.proposals import Proposal
from boardumpire.ruling.umpire import OFFERS, answerer, carried
from boardumpire.table.answering import ALWAYS, ASK, Answering
from boardumpire.table.buttons import Pointer
from boardumpire.table.match import ASK_TAKE_BACK, ASK_THROW_AGAIN, Match
from boardumpire.tracking import stacks
from boardware.ports import ConsoleEvent, Micros, Pressed

ATTACKS = ("attack-pending", "attack-counting", "attack-which", "attack-here", "attack-where")
"""Questions that naming the attack answers: nobody else's phone can."""
SIGNED = ("attack-pending", "attack-counting")
"""Those of them that follow the gesture itself. The others are guesses, and often a reed is to blame."""


class Voices:
    """Hears the seats of one match."""

    def __init__(self, match: Match, outbox: Outbox) -> None:
        self._match = match
        self._outbox = outbox
        self._pointer = Pointer(match, self._by_hand)
        self._said: deque[tuple[Seat, str]] = deque()
        self.answering = Answering(match)
        """What is answered at the same time by several, or until further notice."""
        self.helped: frozenset[Seat] = frozenset()
        """Seats whose own screen is shown what follows from what everybody knows."""
        self.proposal: Proposal | None = None
        """What a seat has proposed and the others have not answered yet."""
        self._proposed: Micros = 0
        """When something was proposed last."""
        self.wish: Proposal | None = None
        """What was agreed on and is for the house to do, until it is taken."""

    # Phones

    def say(self, seat: Seat, text: str, now: Micros) -> None:
        """Do what a seat says, or keep it until what is being written is durable. Raises `SeatError`."""
        if self._match.ledger.broken:
            raise SeatError(announce.say("answer still"))
        if self._match.ledger.waits:
            raise SeatError(announce.say("answer waits"))
        if self._match.ledger.writing:
            self._said.append((seat, text))
            return
        plain = " ".join(typed.words(text))
        word, _, about = " ".join(text.split()).partition(" ")
        word = word.lower()  # what it is about may be a space, and those of a board may have capitals
        if self._match.settling and word not in ("yes", "no"):
            raise SeatError(announce.say("answer lost-first"))
        thrown = next((face for face in self._match.throws() if str(face) == plain), None)
        if thrown is not None:
            throwers = self._match.state.throwers()
            if seat not in throwers:
                raise SeatError(announce.say("answer throw", seat="+".join(throwers)))
            self._match.rule(thrown, (), now)
            return
        if word in ("yes", "no"):
            self._answer(seat, word == "yes", now, about)
        elif word in ("by-hand", "by-reed", "adjourn", "stands"):
            self._propose(seat, word, about, now)
        elif plain in (ALWAYS, ASK):
            self.answering.standing(seat, plain)
        elif word == "help" and about in ("on", "off"):
            self.helped = self.helped | {seat} if about == "on" else self.helped - {seat}
            self._outbox.tell(now, *secrecy.answers(now, seat, "", self._match.state.seats))
        elif word == "new-game":
            if self._match.state.outcome is None:
                raise SeatError(announce.say("answer not-over"))
            self._propose(seat, word, "", now)
        else:
            self._act(seat, text, now)

    def hear_held(self, now: Micros) -> None:
        """Hear what was said while a ruling was being written; what is wrong with it is told in private."""
        while self._said and not self._match.ledger.writing:
            seat, text = self._said.popleft()
            try:
                self.say(seat, text, now)
            except SeatError as error:
                seats = self._match.state.seats
                self._outbox.tell(now, *secrecy.answers(now, seat, outward(error), seats))

    def check(self, seat: Seat, text: str) -> None:
        """Raise the `SeatError` that saying it would raise, and do nothing."""
        try:
            action = self._match.state.parse(text, seat)
        except BadText as error:
            raise SeatError(str(error)) from None
        if str(action) in self.answering.answers(seat):
            return
        refusal = self._match.state.refusal(action)
        if refusal is not None:
            raise SeatError(secrecy.refusal_text(refusal, self._match.state), refusal.rule)

    def suggest(self, seat: Seat, preset: str, text: str) -> Mapping[Space, str]:
        """A set-up that the game has ready as `preset`, else one by chance around what stands (`text`).

        It is nobody's until the seat says it. Raises `SeatError` where nothing is set up, or there is no
        such preset.
        """
        state = self._match.state
        if not state.zone(seat):
            raise SeatError(announce.say("answer no-set-up"))
        try:
            kept = state.placed(state.parse(text, seat)) if text else {}
            package = registry.package(state.game_id)
            return package.suggest(state.options, seat, preset, kept, SystemRandom())
        except (BadText, ValueError) as error:
            raise SeatError(str(error)) from None

    def _act(self, seat: Seat, text: str, now: Micros) -> None:
        if self.answering.take(seat, text, now):
            return
        self.check(seat, text)
        action = self._match.state.parse(text, seat)
        if str(action) == ASK_THROW_AGAIN and not self._match.real_dice:
            raise SeatError(announce.say("answer no-die"))
        hands = carried(self._match.state, seat, str(action)) or ()
        if hands and not self._may_declare(hands):
            raise SeatError(announce.say("answer by-hands"))
        self._match.rule(action, hands, now)

    def _may_declare(self, hands: tuple[Space, ...]) -> bool:
        """Whether a phone may say what hands do: where the board asks, or can't feel it."""
        asked, position = self._match.guidance.question, self._match.tracker.position
        answers = (
            asked is not None
            and asked.code in ATTACKS
            and asked.spaces[0] == hands[0]
            and hands[1] in asked.spaces
        )
        return answers or bool(self._match.blind & set(hands)) or stacks.unseen(hands, position)

    # Buttons

    def press(self, event: ConsoleEvent, now: Micros) -> None:
        """A button was pressed or held; nothing comes of it while a ruling is being written."""
        ledger = self._match.ledger
        if ledger.writing or ledger.broken or ledger.waits:
            return
        if self._match.settling and not (
            isinstance(event, Pressed) and event.button in ("confirm", "cancel")
        ):
            return
        if not isinstance(event, Pressed):
            self._gesture(event.button, now)
        elif event.button in ("confirm", "cancel"):
            self._answer(None, event.button == "confirm", now)
        else:
            said = self._match.state.pressed().get(event.button)
            if said is None or not self.answering.take(said.seat, str(said), now):
                self._pointer.press(event.button, now)

    def _gesture(self, button: str, now: Micros) -> None:
        """A button held down, for those who play without a phone; docs/tracker.md lists them."""
        match, mover = self._match, self._match.mover()
        over = match.state.outcome is not None
        resigning = self.proposal is not None and self.proposal.word() == "resign"
        if button == "turn" and (resigning or over or match.adjourned or not match.state.layout()):
            self.proposal = None
            self.ask_for("", "shut-down", now)
            return
        if button == "confirm" and over:
            self.ask_for("", "new-game", now)
        if self.proposal is not None or self._attack_waits() or mover not in match.state.seats:
            return
        if button == "cancel":
            self._propose(mover, "resign", "", now)
        elif button == "confirm":
            self._match.try_word(mover, "offer-draw", now)
        elif button == "turn" and match.real_dice and answerer(match.state, ASK_THROW_AGAIN) == mover:
            match.try_word(mover, ASK_THROW_AGAIN, now)
        elif button == "turn":
            others = [seat for seat in self._match.state.seats if seat != mover]
            self._match.try_word(others[0], ASK_TAKE_BACK, now)

    def suspect(self, now: Micros) -> None:
        """Ask everybody whether to play by hand a space whose reed must be stuck."""
        free = self.proposal is None and not self._attack_waits()
        space = self._match.take_suspected() if free else None
        if space is not None:
            self._by_hand(space, now)

    def _by_hand(self, space: Space, now: Micros) -> None:
        self.ask_for("", f"by-hand {space}", now, all_of_them=True)

    # Answers

    def _answer(self, seat: Seat | None, yes: bool, now: Micros, about: str = "") -> None:
        """Yes or no, from a phone or (`None`) by a button: to a proposal, a question, or an offer.

        `about` names what is answered, as the phone showed it; it may have changed since.
        """
        match = self._match
        match.changed()
        proposal, question = self.proposal, match.guidance.question
        asked = match.asks or question
        if about and (asked is None or about != asked.name()):
            self._answer_proposal(seat, yes, now, about)
        elif match.asks is not None:
            match.answered(seat, yes=yes, now=now)
        elif not about and proposal is not None and self._meant(proposal, seat, yes, now):
            self._decide(proposal, seat, yes, now)
        elif question is not None and question.seat not in (None, seat) and seat is not None:
            raise SeatError(announce.say("answer for", seat=question.seat))
        elif question is not None:
            if about or not match.tracker.swapped(now):
                self._answer_tracker(yes, now)
            elif seat is not None:
                raise SeatError(announce.say("answer changed"))
        elif seat is None and self._pointer.answer(yes, now):
            return
        elif not self._answer_offer(seat, yes, now) and not self._answer_game(seat, yes, now):
            if seat is not None and seat not in match.state.seats_to_act():
                raise SeatError(announce.say("answer unasked"))
            self._answer_tracker(yes, now)

    def _answer_proposal(self, seat: Seat | None, yes: bool, now: Micros, about: str) -> None:
        """Yes or no to the proposal that the answer names, and to nothing else."""
        proposal = self.proposal
        if proposal is None or about != proposal.thing:
            raise SeatError(announce.say("answer changed"))
        if not proposals.may_answer(proposal, seat, yes):
            raise SeatError(announce.say("answer unasked"))
        self._decide(proposal, seat, yes, now)

    def _meant(self, proposal: Proposal, seat: Seat | None, yes: bool, now: Micros) -> bool:
        """Whether an answer that names nothing is meant for what is proposed.

        It is not where it may be for what was asked before, by somebody who can't have seen the proposal yet.
        """
        match = self._match
        if self._attack_last():
            # An answer that can't have seen the attack yet is for the proposal. Later the sign is the mover's
            # own: nobody takes it from him by proposing something beforehand.
            seen = now - (match.tracker.asked_since() or 0) >= match.tracker.timing.swap
            return not seen and proposals.may_answer(proposal, seat, yes)
        asked = match.guidance.question is not None or bool(match.offer.seats)
        if (asked or self._pointer.pointed is not None) and now - self._proposed < match.tracker.timing.swap:
            return False
        return proposals.may_answer(proposal, seat, yes)

    def _attack_waits(self) -> bool:
        """Whether an attack waits for its sign: then only the mover proposes anything."""
        question = self._match.guidance.question
        return question is not None and question.code in SIGNED

    def _attack_last(self) -> bool:
        """Whether an attack waits that came up after what is proposed."""
        return self._attack_waits() and (self._match.tracker.asked_since() or 0) >= self._proposed

    def _answer_tracker(self, yes: bool, now: Micros) -> None:
        asked = self._match.guidance.question
        told = self._match.tracker.answer(yes, now)
        if asked is not None and asked.code == "adjourn" and yes:
            self._match.adjourn(now)
        elif told is not None:
            self._match.told(told, now)

    def _answer_game(self, seat: Seat | None, yes: bool, now: Micros) -> bool:
        """Yes or no as an action of the game, where that asks `seat`.

        Such an answer tells what its seat alone knows (H3), and nothing takes it back: it is that seat's own
        to give, by its phone. The buttons, which anybody presses, never give it.
        """
        if seat is None:
            return False
        answers = _answers(self._match.state, seat)
        action = next((each for each in answers if str(each) == ("yes" if yes else "no")), None)
        if action is not None:
            self._match.rule(action, (), now)
        return action is not None

    def _answer_offer(self, seat: Seat | None, yes: bool, now: Micros) -> bool:
        for thing in OFFERS:
            word = f"{'agree' if yes else 'decline'}-{thing}"
            who = answerer(self._match.state, word)
            if who is not None and seat in (None, who):
                self._match.rule(self._match.state.parse(word, who), (), now)
                return True
        return False

    def awaited(self) -> Awaited:
        """Whose answer is waited for, as `_answer` takes it."""
        match, proposal, question = self._match, self.proposal, self._match.guidance.question
        if proposal is not None and match.asks is None and not self._attack_last():
            about = proposal.about()
            return Awaited(proposal.asked, (about,) if about in match.surface.all else ())
        pointed = self._pointer.pointed
        if question is None and pointed is not None:
            return Awaited(frozenset(match.state.seats_to_act()), tuple(pointed.lamp.split()))
        return match.offer if question is None else meanings.asks(question, match.state.seats)

    # Proposals

    def _propose(self, seat: Seat, word: str, about: str, now: Micros) -> None:
        thing = f"{word} {about}".strip()
        if word in ("by-hand", "by-reed") and about not in self._match.surface.all:
            raise SeatError(announce.say("answer no-space", word=repr(word), about=repr(about)))
        if word == "stands" and not self._match.wrong:
            raise SeatError(announce.say("answer nothing-wrong"))
        if self.proposal is not None:
            raise SeatError(announce.say("answer waiting"))
        asked = self._match.guidance.question
        if self._attack_waits() and asked is not None and asked.seat != seat:
            raise SeatError(announce.say("answer attack-first"))
        self._match.changed()
        self.proposal, self._proposed = proposals.propose(seat, thing, self._match.state.seats), now
        self._outbox.tell(now, secrecy.proposal(now, self.proposal))

    def ask_for(self, by: Seat, thing: str, now: Micros, *, all_of_them: bool = False) -> None:
        """Propose what is for the house to do, to the other seats or to `all_of_them`; `by` is empty for
        whoever is at the board."""
        if self.proposal is None:
            self._match.changed()
            seats = self._match.state.seats
            self.proposal = proposals.propose(by, thing, seats, all_of_them=all_of_them)
            self._proposed = now
            self._outbox.tell(now, secrecy.proposal(now, self.proposal))

    def _decide(self, proposal: Proposal, seat: Seat | None, yes: bool, now: Micros) -> None:
        left = proposals.agreed(proposal, seat)
        self.proposal = left if yes and left.asked else None
        if not yes:
            self._outbox.tell(now, secrecy.proposal(now, proposal, "declined"))
        elif not left.asked:
            self._outbox.tell(now, secrecy.proposal(now, left, "agreed"))
            self._carry_out(left, now)
        else:
            self._outbox.tell(now, secrecy.proposal(now, left, agrees=seat))

    def _carry_out(self, proposal: Proposal, now: Micros) -> None:
        match proposal.word():
            case "by-hand":
                self._play_by_hand(self._match.blind | {proposal.about()}, proposal, now)
            case "by-reed":
                self._play_by_hand(self._match.blind - {proposal.about()}, proposal, now)
            case "stands":
                for space in self._match.wrong:
                    self._match.note(proposal.by, f"agreed by-hand {space}", now)
                self._match.by_hand(self._match.blind | self._match.wrong, now)
            case "adjourn":
                self._match.adjourn(now)
            case "resign":
                self._match.rule(self._match.state.parse("resign", proposal.by), (), now)
            case word if word in proposals.WISHES:
                self.wish = proposal

    def _play_by_hand(self, blind: frozenset[Space], proposal: Proposal, now: Micros) -> None:
        self._match.note(proposal.by, f"agreed {proposal.thing}", now)
        self._match.by_hand(blind, now, ())


def _answers(state: State, seat: Seat) -> Collection[Action]:
    """What a seat may do where that is yes or no; nothing where there is more to choose from."""
    legal = state.legal_actions(seat) if seat in state.seats else ()
    return legal if len(legal) <= 2 else ()
