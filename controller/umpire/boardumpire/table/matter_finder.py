"""Finds what is open at a table: all that a yes, a no or a button may mean at this moment.

`OpenMatters` keeps the list and decides what an answer refers to. Here the list is made, from everything that
may ask: the match (before hands are judged), the tracker, proposals, an offer of the game, what `choose` has
come to, the game's own buttons. Nothing is decided or changed here but since when something has been open, so
`update` may be called as often as somebody has to know. What is looked for only once somebody answers
(`implied_matters`, `game_question_matters`) is asked for by itself.

Lights follow from the same list (`awaited_answer`): what they show is what an answer would be for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from boardrules.core import Action, Seat, Space, State
from boardumpire.lamps import policy, view_marks
from boardumpire.lamps.policy import AwaitedAnswer
from boardumpire.messages import disclosure
from boardumpire.messages.outbox import BoardOutbox
from boardumpire.ruling import proposals
from boardumpire.ruling.umpire import OFFER_KINDS, seat_that_may_say
from boardumpire.table.buttons import ButtonCursor
from boardumpire.table.match import Match
from boardumpire.table.open_matters import (
    BOARD_PERSON,
    BUTTON_MATTER,
    GAME_MATTER,
    IMPLIED_MATTER,
    NO,
    OFFER_MATTER,
    POINTED_MATTER,
    PROPOSAL_MATTER,
    QUESTION_MATTER,
    SIGN_MATTER,
    YES,
    OpenMatter,
    OpenMatters,
    Person,
    shown_matter,
)
from boardumpire.table.open_proposals import SIGNED_ATTACK_CODES, OpenProposal, OpenProposals
from boardumpire.table.presence import BoardPresence
from boardumpire.tracking.questions import TrackerQuestion
from boardware.ports import LampId, Micros

RESIGNATION_REASON = "resignation"
"""The reason of a game's outcome where its loser gave up."""
GAME_QUESTION_NAME = "game"
"""By this a screen names the question of the game that its yes or no is for."""


class MatterFinder:
    """What is open at one board of a table."""

    def __init__(
        self,
        match: Match,
        outbox: BoardOutbox,
        presence: BoardPresence,
        proposals: OpenProposals,
        cursor: ButtonCursor,
        lamps: Collection[LampId],
    ) -> None:
        """`lamps`: those that the board has."""
        self._match = match
        self._outbox = outbox
        self._presence = presence
        self._proposals = proposals
        self._cursor = cursor
        self._lamps = lamps
        self.open_matters = OpenMatters()
        """What is open, and since when."""
        self.screens_version = 0
        """How often screens were opened or closed where that decides what a yes at the board is for."""
        self._screens_seen: frozenset[Seat] = frozenset()
        self._told_place: tuple[str, Space] | None = None
        """The piece and the space that were asked about last, as a set-up goes on."""
        self._buttons: tuple[State | None, tuple[OpenMatter, ...]] = None, ()
        """What the game's buttons mean, and in which state."""
        self._offered: tuple[State | None, OpenMatter | None] = None, None
        """What is offered, and in which state."""
        self._state_since: tuple[State | None, Micros] = None, 0
        """The state of the game, and since when it stands."""

    def update(self, now: Micros) -> None:
        """Take note of what is open at this moment."""
        if self._state_since[0] is not self._match.state:
            self._state_since = self._match.state, now
        self._proposals.lapse_as_set_up_goes_on(now)
        self.open_matters.update(self._find_matters(), self._match.state.seats, now)
        place = self._cursor.placing_question
        if place != self._told_place:
            self._told_place = place
            if place is not None:
                self._outbox.add(now, disclosure.place_request(now, *place))

    def _find_matters(self) -> Iterator[OpenMatter]:
        match = self._match
        asked = match.own_question or match.guidance.question
        if asked is not None:
            yield self._board_question_matter(asked)
        if match.is_settling_loss:
            return
        for slot, opened in self._proposals.items():
            yield self._proposal_matter(slot, opened)
        offer = self._offer_matter()
        if offer is not None:
            yield offer
        pointed = self._cursor.pointed_option
        if pointed is not None:
            meaning = (pointed.lamp, str(pointed.action), pointed.hand_move)
            board = frozenset((None,))
            seats = frozenset(match.state.seats_to_act())
            yield OpenMatter(
                POINTED_MATTER, "", meaning, seats, tuple(map(Space, pointed.lamp.split())), board, board
            )
        yield from self._button_matters()

    def _seats_asked(self) -> tuple[Seat, ...]:
        """Whom a question of the board is for, if it isn't for one seat: those at home there."""
        seats = self._match.state.seats
        return (
            seats
            if self._match.is_settling_loss
            else tuple(seat for seat in seats if seat in self._match.home)
        )

    def _board_question_matter(self, asked: TrackerQuestion) -> OpenMatter:
        """A question of the board: anybody at the board may answer it, and the screens of those asked."""
        awaited = policy.awaited_by_question(asked, self._seats_asked())
        may = frozenset((None, *awaited.seats))
        kind = SIGN_MATTER if asked.code in SIGNED_ATTACK_CODES else QUESTION_MATTER
        meaning = (*asked.effect_of_yes(), asked.sentence_parameters)
        trays = self._match.tracker.position.trays  # they have no lamp
        beside = bool(awaited.spaces) and trays.keys() >= {*awaited.spaces}
        spaces = tuple(space for space in asked.spaces if space not in trays) if beside else awaited.spaces
        return OpenMatter(kind, asked.answer_key(), meaning, awaited.seats, spaces, may, may)

    def _proposal_matter(self, slot: str, opened: OpenProposal) -> OpenMatter:
        proposal, since = opened.proposal, opened.since
        about, here = Space(proposal.subject()), opened.match is self._match
        spaces: tuple[Space, ...] = (about,) if here and about in self._match.orientation.all_spaces else ()
        if proposal.kind() == "resign":  # all the pieces that would go
            layout = self._match.state.layout().items()
            spaces = tuple(at for at, there in layout if any(piece.seat == proposal.by for piece in there))
        own, board = self._presence.own_answers(self._match.state.seats), frozenset((BOARD_PERSON,))
        no: frozenset[Person] = frozenset(
            seat for seat in self._match.state.seats if proposals.may_answer(proposal, seat, False)
        )
        yes: frozenset[Person] = proposal.seats_asked
        if proposals.may_accept_at_board(proposal, own, self._presence.away):
            yes |= board
        if proposals.may_decline_at_board(proposal, own):
            no |= board
        meaning = (slot, proposal.request, since)
        return OpenMatter(
            PROPOSAL_MATTER, proposal.request, meaning, proposal.seats_asked, spaces, yes, no, since, slot
        )

    def _offer_matter(self) -> OpenMatter | None:
        """What one seat offers and the other agrees to or declines, as far as the game knows it."""
        match, state = self._match, self._match.state
        if self._offered[0] is not state:
            self._offered = state, None
            for thing in OFFER_KINDS:
                who = seat_that_may_say(state, f"agree-{thing}")
                if who is not None:
                    meaning = (thing, who)
                    matter = OpenMatter(
                        OFFER_MATTER, f"agree-{thing}", meaning, frozenset((who,)), match.awaited_offer.spaces
                    )
                    self._offered = state, matter
                    break
        offer = self._offered[1]
        if offer is None:
            return None
        (who,) = offer.seats
        may = offer.seats if self._presence.answers_itself(who) else offer.seats | {BOARD_PERSON}
        return offer._replace(may_say_yes=may, may_say_no=may)

    def _button_matters(self) -> tuple[OpenMatter, ...]:
        """What the buttons do that are neither yes nor no."""
        state = self._match.state
        if self._buttons[0] is not state:
            view = disclosure.view_of(state, None)
            marks = view_marks.view_marks(state.game_id, view, self._lamps)
            turn = frozenset(each for each in marks.items() if each[0].startswith("turn-"))
            now = frozenset(lamp for lamp, mark in marks.items() if mark == "now")
            self._buttons = (
                state,
                tuple(
                    OpenMatter(BUTTON_MATTER, button, (button, said.seat, str(said), turn, now))
                    for button, said in state.button_actions().items()
                ),
            )
        steps = self._cursor.is_moved_by("turn")
        game = tuple(each for each in self._buttons[1] if each.name != "turn" or not steps)
        return (*game, OpenMatter(BUTTON_MATTER, "turn", ("turn", "steps"))) if steps else game

    def awaited_answer(self, now: Micros) -> AwaitedAnswer:
        """Whose answer is waited for: what a yes at the board would be for, else what screens are asked."""
        self.update(now)
        matter = shown_matter(self.open_matters.matters)
        if matter is None:
            return AwaitedAnswer()
        lamps = () if matter.kind == POINTED_MATTER else self.side_lamps(matter.seats)
        return AwaitedAnswer(matter.seats, matter.spaces, lamps)

    def side_lamps(self, seats: Collection[Seat]) -> tuple[LampId, ...]:
        """The lamps that stand for these seats."""
        state = self._match.state
        return policy.side_lamps(seats, state.seats, state.layout(), self._lamps)

    def end_marks(self) -> Mapping[LampId, str]:
        """What the lamps of the sides show once a game is over."""
        state = self._match.state
        if state.outcome is None:
            return {}
        winners = state.winners()
        others = [seat for seat in state.seats if seat not in winners]
        return policy.end_marks(
            self.side_lamps(winners),
            self.side_lamps(others),
            resigned=state.outcome.reason == RESIGNATION_REASON,
        )

    def note_screen_changes(self) -> None:
        """Notice that a screen was opened or closed, where that decides what a yes at the board is for."""
        if self._proposals.items() or self._match.awaited_offer.seats or self._cursor.placing_actions:
            screens = self._presence.own_answers(self._match.state.seats)
            if screens != self._screens_seen:
                self._screens_seen = screens
                self.screens_version += 1
                self._match.note_change()

    def is_board_asking(self) -> bool:
        """Whether the board waits for what `confirm` says."""
        match = self._match
        asked = match.own_question or match.guidance.question or self._cursor.pointed_option
        return asked is not None or bool(self.implied_matters())

    def implied_matters(self) -> tuple[OpenMatter, ...]:
        """What a yes means while nothing is asked."""
        match = self._match
        found = match.tracker.implied_question() if match.own_question is None else None
        if found is None:
            return ()
        may = frozenset((None, *((found.seat,) if found.seat else self._seats_asked())))
        since = match.tracker.last_activity
        return (
            OpenMatter(
                IMPLIED_MATTER, found.answer_key(), found.effect_of_yes(), may_say_yes=may, open_since=since
            ),
        )

    def game_question_matters(self, seat: Seat | None) -> tuple[OpenMatter, ...]:
        """The question of the game that a seat answers by yes or no.

        Such an answer tells what its seat alone knows (H3), and nothing takes it back: it is that seat's own
        to give, by its phone. The buttons, which anybody presses, never give it.
        """
        if seat is None or self._match.own_question is not None:
            return ()
        words = {str(action) for action in yes_no_actions(self._match.state, seat)}
        if not words & {YES, NO}:
            return ()
        own = frozenset((seat,))
        yes, no = (own if word in words else frozenset() for word in (YES, NO))
        return (
            OpenMatter(
                GAME_MATTER, GAME_QUESTION_NAME, (GAME_MATTER,), own, (), yes, no, self._state_since[1]
            ),
        )


def yes_no_actions(state: State, seat: Seat) -> Collection[Action]:
    """What a seat may do where that is yes or no; nothing where there is more to choose from."""
    legal = state.legal_actions(seat) if seat in state.seats else ()
    return legal if len(legal) <= 2 else ()
