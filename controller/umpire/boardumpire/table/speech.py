"""What seats say, by phone or by the buttons, and what they are answered.

A phone speaks for its seat alone. The buttons speak for whoever is asked, or for the side to move: at one
board the players see to that themselves. They never say yes for a seat whose own screen is open. What an
answer refers to is decided in `open_matters`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from random import SystemRandom
from typing import NamedTuple

from boardrules import lenient_parsing, registry
from boardrules.core import Action, BadText, Seat, Space, State
from boardumpire.errors import SeatError, outward
from boardumpire.lamps import meanings, view_marks
from boardumpire.lamps.meanings import AwaitedAnswer
from boardumpire.messages import announce, secrecy
from boardumpire.messages.outbox import MessageOutbox
from boardumpire.ruling import proposals
from boardumpire.ruling.proposals import LAPSES, SEATING, WISHES, SeatProposal
from boardumpire.ruling.umpire import OFFERS, answerer, carried
from boardumpire.table.answering import ALWAYS, ASK, EarlyAnswers
from boardumpire.table.buttons import ButtonCursor
from boardumpire.table.match import ASK_TAKE_BACK, ASK_THROW_AGAIN, Match
from boardumpire.table.open_matters import (
    BOARD,
    BUTTON,
    GAME,
    IMPLIED,
    NO,
    OFFER,
    POINTED,
    PROPOSAL,
    QUESTION,
    SETTLED,
    SIGN,
    YES,
    OpenMatter,
    OpenMatters,
    Person,
    PlayerInput,
    shown,
)
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.questions import BY_NAME, TrackerQuestion
from boardware.ports import QUICK_PRESS, SECOND, ButtonPressed, ConsoleEvent, LampId, Micros

ATTACKS = ("attack-pending", "attack-counting", "attack-which", "attack-here", "attack-where")
"""Questions that naming the attack answers: nobody else's phone can."""
SIGNED = ("attack-pending", "attack-counting")
"""Those of them that follow the gesture itself. The others are guesses, and often a reed is to blame."""
PROPOSED_MOST = 3
"""How many proposals a phone may make ..."""
PROPOSED_WITHIN: Micros = 20 * SECOND
"""... within this time: each becomes the newest thing that the others are asked."""
RESIGNATION = "resignation"
"""The reason of a game's outcome where its loser gave up."""
GAMES_OWN = "game"
"""By this a screen names the question of the game that its yes or no is for."""


class _OpenProposal(NamedTuple):
    """A proposal that waits for its answers."""

    proposal: SeatProposal
    since: Micros


class SeatCommands:
    """Hears the seats of one match."""

    def __init__(self, match: Match, outbox: MessageOutbox, lamps: Collection[LampId] = ()) -> None:
        """`lamps`: those that the board has."""
        self._match = match
        self._lamps = lamps
        self._outbox = outbox
        self.pointer = ButtonCursor(match, self._by_hand)
        self._said: deque[tuple[Seat, str]] = deque()
        self.answering = EarlyAnswers(match)
        """What is answered at the same time by several, or until further notice."""
        self.helped: frozenset[Seat] = frozenset()
        """Seats whose own screen is shown what follows from what everybody knows."""
        self.screen_open: Callable[[Seat], bool] = lambda seat: False
        """Whether a screen of that seat is open: then the board's buttons never say yes for it."""
        self.machines: set[Seat] = set()
        """Seats that the machine plays: it answers for them itself, and nobody does at the board."""
        self.pointer.speaks_for = lambda seat: not self._answers_itself(seat)
        self.pointer.machines = self.machines
        self._told_place: tuple[str, Space] | None = None
        """The piece and the space that were asked about last, as a set-up goes on."""
        self.open = OpenMatters()
        """What is open, and since when."""
        self._proposals: dict[str, _OpenProposal] = {}
        """What is proposed and not answered yet, by its slot."""
        self.count = 0
        """How often that has changed."""
        self._screens_seen: frozenset[Seat] = frozenset()
        self._proposed: deque[tuple[Micros, Seat]] = deque()
        """When phones made proposals."""
        self._buttons: tuple[State | None, tuple[OpenMatter, ...]] = None, ()
        """What the game's buttons mean, and in which state."""
        self._offered: tuple[State | None, OpenMatter | None] = None, None
        """What is offered, and in which state."""
        self._state_since: tuple[State | None, Micros] = None, 0
        """The state of the game, and since when it stands."""
        self.wish: SeatProposal | None = None
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
        plain = " ".join(lenient_parsing.words(text))
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
        if action == self._match.state.straight_back(seat):
            raise SeatError(announce.say("answer by-hands"))
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
        return answers or bool(self._match.blind & set(hands)) or shared_spaces.is_unseen(hands, position)

    # What is open

    @property
    def proposals(self) -> tuple[SeatProposal, ...]:
        """What is proposed and not answered yet, oldest first."""
        return tuple(each.proposal for each in sorted(self._proposals.values(), key=lambda each: each.since))

    def look(self, now: Micros) -> None:
        """Take note of what is open at this moment."""
        if self._state_since[0] is not self._match.state:
            self._state_since = self._match.state, now
        self._lapse_as_set_up_goes_on(now)
        self.open.update(self._found(), self._match.state.seats, now)
        place = self.pointer.asking
        if place != self._told_place:
            self._told_place = place
            if place is not None:
                self._outbox.tell(now, secrecy.asks_place(now, *place))

    def _lapse_as_set_up_goes_on(self, now: Micros) -> None:
        """Hands that go on setting up don't shut the board down: their `confirm` means that they are
        ready."""
        if not self._match.state.free_spaces():
            return
        for proposal, since in list(self._proposals.values()):
            own = proposal.word() == "shut-down" and not proposal.by
            if own and self._match.tracker.last_activity > since:
                self._lapse(proposal, now)

    def _found(self) -> Iterator[OpenMatter]:
        match = self._match
        asked = match.asks or match.guidance.question
        if asked is not None:
            yield self._asked_by_board(asked)
        if match.settling:
            return
        for slot, (proposal, since) in self._proposals.items():
            yield self._proposal_matter(slot, proposal, since)
        offer = self._offer()
        if offer is not None:
            yield offer
        pointed = self.pointer.pointed
        if pointed is not None:
            meaning = (pointed.lamp, str(pointed.action), pointed.hands)
            board = frozenset((None,))
            seats = frozenset(match.state.seats_to_act())
            yield OpenMatter(POINTED, "", meaning, seats, tuple(pointed.lamp.split()), board, board)
        yield from self._game_buttons()

    def _asked_by_board(self, asked: TrackerQuestion) -> OpenMatter:
        """A question of the board: anybody at the board may answer it, and the screens of those asked."""
        awaited = meanings.asks(asked, self._match.state.seats)
        may = frozenset((None, *awaited.seats))
        kind = SIGN if asked.code in SIGNED else QUESTION
        meaning = (*asked.effect(), asked.named)
        return OpenMatter(kind, asked.name(), meaning, awaited.seats, awaited.spaces, may, may)

    def _proposal_matter(self, slot: str, proposal: SeatProposal, since: Micros) -> OpenMatter:
        about = proposal.about()
        spaces: tuple[Space, ...] = (about,) if about in self._match.surface.all else ()
        if proposal.word() == "resign":  # all the pieces that would go
            layout = self._match.state.layout().items()
            spaces = tuple(
                at for at, there in layout if any(p.partition(":")[0] == proposal.by for p in there)
            )
        own, board = self._own_answers(), frozenset((BOARD,))
        no: frozenset[Person] = frozenset(
            seat for seat in self._match.state.seats if proposals.may_answer(proposal, seat, False)
        )
        yes: frozenset[Person] = proposal.asked
        if proposals.counts_at_board(proposal, own):
            yes |= board
        if proposals.may_decline_at_board(proposal, own):
            no |= board
        meaning = (slot, proposal.thing, since)
        return OpenMatter(PROPOSAL, proposal.thing, meaning, proposal.asked, spaces, yes, no, since, slot)

    def _own_answers(self) -> frozenset[Seat]:
        """The seats for which the board's buttons don't speak."""
        return frozenset(seat for seat in self._match.state.seats if self._answers_itself(seat))

    def _answers_itself(self, seat: Seat) -> bool:
        """Whether nobody at the board answers for that seat: its screen is open, or the machine plays it."""
        return seat in self.machines or self.screen_open(seat)

    def heed_screens(self) -> None:
        """Notice that a screen was opened or closed, where that decides what a yes at the board is for."""
        if self._proposals or self._match.offer.seats or self.pointer.places:
            screens = self._own_answers()
            if screens != self._screens_seen:
                self._screens_seen = screens
                self.count += 1
                self._match.changed()

    def _offer(self) -> OpenMatter | None:
        """What one seat offers and the other agrees to or declines, as far as the game knows it."""
        match, state = self._match, self._match.state
        if self._offered[0] is not state:
            self._offered = state, None
            for thing in OFFERS:
                who = answerer(state, f"agree-{thing}")
                if who is not None:
                    meaning = (thing, who)
                    matter = OpenMatter(
                        OFFER, f"agree-{thing}", meaning, frozenset((who,)), match.offer.spaces
                    )
                    self._offered = state, matter
                    break
        offer = self._offered[1]
        if offer is None:
            return None
        (who,) = offer.seats
        may = offer.seats if self._answers_itself(who) else offer.seats | {BOARD}
        return offer._replace(yes=may, no=may)

    def _game_buttons(self) -> tuple[OpenMatter, ...]:
        """What the buttons do that are neither yes nor no."""
        state = self._match.state
        if self._buttons[0] is not state:
            view = secrecy.view(state, None)
            marks = view_marks.of_view(state.game_id, view, self._lamps)
            turn = frozenset(each for each in marks.items() if each[0].startswith("turn-"))
            now = frozenset(lamp for lamp, mark in marks.items() if mark == "now")
            self._buttons = (
                state,
                tuple(
                    OpenMatter(BUTTON, button, (button, said.seat, str(said), turn, now))
                    for button, said in state.pressed().items()
                ),
            )
        steps = self.pointer.steps("turn")
        game = tuple(each for each in self._buttons[1] if each.name != "turn" or not steps)
        return (*game, OpenMatter(BUTTON, "turn", ("turn", "steps"))) if steps else game

    def awaited(self, now: Micros) -> AwaitedAnswer:
        """Whose answer is waited for: what a yes at the board would be for, else what screens are asked."""
        self.look(now)
        matter = shown(self.open.matters)
        if matter is None:
            return AwaitedAnswer()
        lamps = () if matter.kind == POINTED else self._lamps_of(matter.seats)
        return AwaitedAnswer(matter.seats, matter.spaces, lamps)

    def _lamps_of(self, seats: Collection[Seat]) -> tuple[LampId, ...]:
        state = self._match.state
        return meanings.side_lamps(seats, state.seats, state.layout(), self._lamps)

    def how_it_ended(self) -> Mapping[LampId, str]:
        """What the lamps of the sides show once a game is over."""
        state = self._match.state
        if state.outcome is None:
            return {}
        winners = state.winners()
        others = [seat for seat in state.seats if seat not in winners]
        return meanings.of_end(
            self._lamps_of(winners), self._lamps_of(others), resigned=state.outcome.reason == RESIGNATION
        )

    # Buttons

    def press(self, event: ConsoleEvent, now: Micros) -> None:
        """A button was pressed or held; what counts for nothing is shown to be so."""
        ledger, button = self._match.ledger, event.button
        answers = button in ("confirm", "cancel")
        if ledger.broken or ledger.waits:
            self._refuse_press("still" if ledger.broken else "waits", now)
            return
        if self._match.settling and not answers:
            self._refuse_press("lost-first", now)
            return
        if ledger.writing:
            self._refuse_press("changed", now)
            return
        self.look(now)
        # A slow finger meant what was asked when a quick one would have been up again, one that stays down
        # what was asked when it went down.
        meant_at = now - max(0, event.span - (QUICK_PRESS if isinstance(event, ButtonPressed) else SETTLED))
        if not isinstance(event, ButtonPressed) and not self._held_as_pressed(button):
            self._gesture(button, now)
        elif answers:
            self._answer(None, button == "confirm", now, meant_at=meant_at)
        else:
            self._press_game(button, now, meant_at)

    def _held_as_pressed(self, button: str) -> bool:
        """Whether holding a button means what pressing it means: slow fingers answer what is asked."""
        match button:
            case "confirm":  # or what may have been done unfelt, which a sentence tells people to confirm
                return shown(self.open.matters) is not None or bool(self._implied())
            case "cancel":
                return shown(self.open.matters) is not None
            case "turn":
                return not self._shuts_down() and self.pointer.steps(button)
            case _:
                return True

    def _shuts_down(self) -> bool:
        """Whether holding `turn` asks to shut the board down."""
        state = self._match.state
        resigning = any(each.word() == "resign" for each in self.proposals)
        return resigning or state.outcome is not None or self._match.adjourned or not state.layout()

    def _press_game(self, button: str, now: Micros, meant_at: Micros) -> None:
        """A short press of a button that is neither yes nor no; `meant_at` as for answers."""
        said = self._match.state.pressed().get(button)
        if self.pointer.steps(button):
            self.pointer.press(now)
            return
        if said is None or self._is_own_answer(said.seat):
            self._refuse_press("unasked" if said is None else self._why_own([said.seat]), now)
            return
        verdict = self.open.meant(PlayerInput(None, button), meant_at)
        if verdict.matter is None:
            self._refuse_press("changed", now)
        elif self.answering.take(said.seat, str(said), now):
            self.open.restart(button, now)
        elif self._hands_busy(said.seat):
            self._refuse_press("busy", now)
        else:
            self.open.restart(button, now)
            self._rule(said, now)

    def _is_own_answer(self, seat: Seat) -> bool:
        """Whether what a button would say is for that seat itself to say: it is the machine's turn, or its
        screen is open and shows what it is asked."""
        return seat in self.machines or (seat in self._match.state.asked() and self._answers_itself(seat))

    def _why_own(self, seats: Collection[Seat]) -> str:
        """Why the board doesn't answer for these seats."""
        return "machine" if self.machines.issuperset(seats) else "own-screen"

    def _rule(self, action: Action, now: Micros) -> None:
        """Do what a button says. What the rules refuse is shown to be so at the lamp of its side."""
        refused = self._match.state.refusal(action) is not None
        self._match.rule(action, (), now)
        if refused:
            self._match.flash(self._lamps_of((action.seat,)), now)

    def _try(self, seat: Seat, word: str, now: Micros) -> None:
        """Do what a held button says; a game that has no such word shows that it counts for nothing."""
        try:
            action = self._match.state.parse(word, seat)
        except BadText:
            self._match.flash(self._lamps_of((seat,)), now)
            return
        self._rule(action, now)

    def _hands_busy(self, seat: Seat) -> bool:
        """Whether a piece of that seat is up, or the board asks it about its pieces: first things first."""
        guidance, owners = self._match.guidance, self._match.tracker.position.owners
        question = guidance.question
        asked = question is not None and question.seat == seat
        return asked or any(owners.get(space, seat) == seat for space in guidance.lifted)

    def _refuse_press(self, why: str, now: Micros) -> None:
        """A press counts for nothing: say so, by lights too."""
        match = self._match
        matter = shown(self.open.matters)
        seats = matter.seats if matter is not None else frozenset(match.state.seats_to_act())
        lamps = (*self._lamps_of(seats), *(() if matter is None else matter.spaces))
        if why != "unasked":  # lights alone say that nobody waits for it
            self._outbox.tell(now, secrecy.press_refused(now, why, match.state.seats_to_act()))
        match.flash(lamps, now)

    def _gesture(self, button: str, now: Micros) -> None:
        """A button held down while nothing is asked, for those who play without a phone;
        docs/understand/tracker.md lists them."""
        match, mover = self._match, self._speaks_for()
        if button == "turn" and self._shuts_down():
            for proposal in self.proposals:
                if proposal.word() == "resign":
                    self._lapse(proposal, now)
            self.ask_for("", "shut-down", now)
            return
        if button == "confirm" and match.state.outcome is not None:
            self.ask_for("", "new-game", now)
            return
        if mover not in match.state.seats:
            self._refuse_press("machine" if match.mover() in self.machines else "unasked", now)
        elif shown(self.open.matters) is not None:
            self._refuse_press("busy", now)
        elif button == "cancel":
            self._open(proposals.propose(mover, "resign", match.state.seats), now)
        elif button == "confirm":
            self._try(mover, "offer-draw", now)
        elif button == "turn" and match.real_dice and answerer(match.state, ASK_THROW_AGAIN) == mover:
            self._try(mover, ASK_THROW_AGAIN, now)
        elif button == "turn":
            self._try(self._may_take_back(mover), ASK_TAKE_BACK, now)

    def _speaks_for(self) -> Seat:
        """For whom a held button speaks: the side to move, or the only one that isn't the machine's."""
        mover = self._match.mover()
        if mover not in self.machines:
            return mover
        people = [seat for seat in self._match.state.seats if seat not in self.machines]
        return people[0] if len(people) == 1 else ""

    def _may_take_back(self, mover: Seat) -> Seat:
        """The seat that did what can be taken back: where several could, another one than the mover."""
        state = self._match.state
        others = [seat for seat in state.seats if seat != mover and seat not in self.machines]
        may = [
            seat
            for seat in (*others, mover)
            if any(str(action) == ASK_TAKE_BACK for action in state.table_actions(seat))
        ]
        return (*may, mover)[0]

    def suspect(self, now: Micros) -> None:
        """Ask everybody whether to play by hand a space whose reed must be stuck."""
        free = "" not in self._proposals and not self._attack_waits()
        space = self._match.take_suspected() if free else None
        if space is not None:
            self._by_hand(space, now)

    def _by_hand(self, space: Space, now: Micros) -> None:
        self.ask_for("", f"by-hand {space}", now, all_of_them=True)

    # Answers

    def _answer(
        self, seat: Seat | None, yes: bool, now: Micros, about: str = "", meant_at: Micros | None = None
    ) -> None:
        """Yes or no, from a phone or (`None`) by a button, to whatever it refers to.

        `about` names what is answered, as the phone showed it; it may have changed since. `meant_at`: as of
        when it is judged what is asked, if not now.
        """
        match = self._match
        match.changed()
        self.look(now)
        more = (*self._asked_by_game(seat), *self._implied())
        answer = PlayerInput(seat, YES if yes else NO, about)
        verdict = self.open.meant(answer, now if meant_at is None else meant_at, *more)
        matter = verdict.matter
        if matter is None:
            waits = seat is None and yes and verdict.refusal == "unasked" and match.state.free_spaces()
            self._refuse_answer(seat, "not-ready" if waits else verdict.refusal, now)
            return
        match matter.kind:
            case _ if match.asks is not None:
                match.answered(seat, yes=yes, now=now)
            case "proposal":
                self._decide(self._proposals[matter.by].proposal, seat, yes, now)
            case "offer":
                self._answer_offer(matter, yes, now)
            case "pointed":
                self.pointer.answer(yes, now)
            case "game":
                self._answer_game(seat, yes, now)
                self.open.restart(seat, now)
            case _:
                self._answer_tracker(yes, now)
        self._acted(matter, now)

    def _acted(self, matter: OpenMatter, now: Micros) -> None:
        """Something was answered: who does that doesn't think of resigning any more."""
        for proposal in self.proposals:
            if proposal.word() == "resign" and proposal.by in matter.seats and matter.kind != PROPOSAL:
                self._lapse(proposal, now)

    def _refuse_answer(self, seat: Seat | None, why: str, now: Micros) -> None:
        if seat is None:
            asked = shown(self.open.matters)
            if why == "own-screen" and asked is not None:
                why = self._why_own(asked.seats)
            self._refuse_press(why, now)
            return
        question = self._match.guidance.question
        if why == "unasked" and question is not None and question.seat not in (None, seat):
            raise SeatError(announce.say("answer for", seat=question.seat))
        raise SeatError(announce.say(f"answer {why}"))

    def _attack_waits(self) -> bool:
        """Whether an attack waits for its sign: then only the mover proposes anything."""
        question = self._match.guidance.question
        return question is not None and question.code in SIGNED

    def _board_asks(self) -> bool:
        """Whether the board waits for what `confirm` says."""
        match = self._match
        asked = match.asks or match.guidance.question or self.pointer.pointed
        return asked is not None or bool(self._implied())

    def _answer_tracker(self, yes: bool, now: Micros) -> None:
        asked = self._match.guidance.question
        if asked is not None and asked.code in BY_NAME and yes:  # it takes more than a yes
            self._refuse_press("busy", now)
            return
        told = self._match.tracker.answer_question(yes, now)
        if asked is not None and asked.code == "adjourn" and yes:
            self._adjourn(now)
        elif told is not None:
            self._match.told(told, now)

    def _implied(self) -> tuple[OpenMatter, ...]:
        """What a yes means while nothing is asked."""
        match = self._match
        found = match.tracker.implied_question() if match.asks is None else None
        if found is None:
            return ()
        may = frozenset((None, *((found.seat,) if found.seat else match.state.seats)))
        since = match.tracker.last_activity
        return (OpenMatter(IMPLIED, found.name(), found.effect(), yes=may, born=since),)

    def _asked_by_game(self, seat: Seat | None) -> tuple[OpenMatter, ...]:
        """The question of the game that a seat answers by yes or no.

        Such an answer tells what its seat alone knows (H3), and nothing takes it back: it is that seat's own
        to give, by its phone. The buttons, which anybody presses, never give it.
        """
        if seat is None or self._match.asks is not None:
            return ()
        words = {str(action) for action in _answers(self._match.state, seat)}
        if not words & {YES, NO}:
            return ()
        own = frozenset((seat,))
        yes, no = (own if word in words else frozenset() for word in (YES, NO))
        return (OpenMatter(GAME, GAMES_OWN, (GAME,), own, (), yes, no, self._state_since[1]),)

    def _answer_game(self, seat: Seat | None, yes: bool, now: Micros) -> None:
        answers = () if seat is None else _answers(self._match.state, seat)
        action = next((each for each in answers if str(each) == (YES if yes else NO)), None)
        if action is not None:
            self._match.rule(action, (), now)

    def _answer_offer(self, offer: OpenMatter, yes: bool, now: Micros) -> None:
        word = offer.name if yes else offer.name.replace("agree", "decline", 1)
        (who,) = offer.seats
        self._match.rule(self._match.state.parse(word, who), (), now)

    # Proposals

    def _propose(self, seat: Seat, word: str, about: str, now: Micros) -> None:
        thing = f"{word} {about}".strip()
        if word in ("by-hand", "by-reed") and about not in self._match.surface.all:
            raise SeatError(announce.say("answer no-space", word=repr(word), about=repr(about)))
        if word == "stands" and not self._match.wrong:
            raise SeatError(announce.say("answer nothing-wrong"))
        if word not in WISHES and self._match.state.outcome is not None:
            self.check(seat, "resign")  # the game says that it is over
        asked = self._match.guidance.question
        if self._attack_waits() and asked is not None and asked.seat != seat:
            raise SeatError(announce.say("answer attack-first"))
        while self._proposed and now - self._proposed[0][0] >= PROPOSED_WITHIN:
            self._proposed.popleft()
        if sum(by == seat for _, by in self._proposed) >= PROPOSED_MOST:
            raise SeatError(announce.say("answer proposed-often"))
        self._proposed.append((now, seat))
        self._open(proposals.propose(seat, thing, self._match.state.seats), now)

    def ask_for(self, by: Seat, thing: str, now: Micros, *, all_of_them: bool = False) -> bool:
        """Propose what is for the house to do, to the other seats or to `all_of_them`; `by` is empty for
        whoever is at the board. `False` where that has to wait: for another one of its kind, or, where
        somebody asks for a seat, for an answer at the board, as that would be taken for his."""
        proposal = proposals.propose(by, thing, self._match.state.seats, all_of_them=all_of_them)
        seating = proposal.word() in SEATING
        if proposals.slot(proposal) in self._proposals or (seating and self._board_asks()):
            return False
        self._open(proposal, now)
        return True

    def _open(self, proposal: SeatProposal, now: Micros) -> None:
        """A proposal is made. It takes the place of an older one of the same seat."""
        self._match.changed()
        slot = proposals.slot(proposal)
        before = self._proposals.pop(slot, None)
        if before is not None:
            self._outbox.tell(now, secrecy.proposal(now, before.proposal, "lapsed"))
        self._proposals[slot] = _OpenProposal(proposal, now)
        self.count += 1
        self._outbox.tell(now, secrecy.proposal(now, proposal))

    def _lapse(self, proposal: SeatProposal, now: Micros) -> None:
        self._match.changed()
        del self._proposals[proposals.slot(proposal)]
        self.count += 1
        self._outbox.tell(now, secrecy.proposal(now, proposal, "lapsed"))

    def step(self, now: Micros) -> None:
        """Let lapse what nobody has answered, and what its seat has thought no more of."""
        self.pointer.lapse(now)
        acted = self._match.take_actors()
        question = self._match.guidance.question
        for slot, (proposal, since) in list(self._proposals.items()):
            house = proposal.word() in (*SEATING, *proposals.AT_THE_BOARD)
            played = bool(acted) and not house and (proposal.by in acted or not proposal.by)
            asked = (
                proposal.word() == "resign"
                and question is not None
                and question.seat in (None, proposal.by)
                and (self._match.tracker.question_since() or 0) > since
            )
            over = self._match.state.outcome is not None and proposal.word() not in WISHES
            if slot in self._proposals and (now >= since + LAPSES or played or asked or over):
                self._lapse(proposal, now)

    def due(self) -> Micros | None:
        """When the next proposal lapses, or what the buttons point at."""
        lapse = [each.since + LAPSES for each in self._proposals.values()]
        pointed = self.pointer.due()
        return min(lapse if pointed is None else [*lapse, pointed], default=None)

    def _decide(self, proposal: SeatProposal, seat: Seat | None, yes: bool, now: Micros) -> None:
        left = proposals.agreed(proposal, seat, self._own_answers())
        slot = proposals.slot(proposal)
        since = self._proposals.pop(slot).since
        self.count += 1
        if not yes:
            self._outbox.tell(now, secrecy.proposal(now, proposal, "declined"))
        elif not left.asked:
            self._outbox.tell(now, secrecy.proposal(now, left, "agreed"))
            self._carry_out(left, now)
        else:
            self._proposals[slot] = _OpenProposal(left, since)
            self._outbox.tell(now, secrecy.proposal(now, left, agrees=seat))

    def _carry_out(self, proposal: SeatProposal, now: Micros) -> None:
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
                self._adjourn(now)
            case "resign":
                self._match.rule(self._match.state.parse("resign", proposal.by), (), now)
            case word if word in WISHES:
                self.wish = proposal

    def _adjourn(self, now: Micros) -> None:
        """The game is put away, and nobody resigns a board that is dark."""
        for proposal in self.proposals:
            if proposal.word() == "resign":
                self._lapse(proposal, now)
        self._match.adjourn(now)

    def _play_by_hand(self, blind: frozenset[Space], proposal: SeatProposal, now: Micros) -> None:
        self._match.note(proposal.by, f"agreed {proposal.thing}", now)
        self._match.by_hand(blind, now, ())


def _answers(state: State, seat: Seat) -> Collection[Action]:
    """What a seat may do where that is yes or no; nothing where there is more to choose from."""
    legal = state.legal_actions(seat) if seat in state.seats else ()
    return legal if len(legal) <= 2 else ()
