"""Finds what is open at a table: all that a yes, a no or a button may mean at this moment.

`OpenMatters` keeps the list and decides what an answer refers to. Here the list is made, from everything that
may ask: the match (before hands are judged), the tracker, proposals, an offer of the game, what `choose` has
come to, the game's own buttons. Nothing is decided or changed here but since when something has been open, so
`look` may be called as often as somebody has to know. What is looked for only once somebody answers
(`implied`, `asked_by_game`) is asked for by itself.

Lights follow from the same list (`awaited`): what they show is what an answer would be for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from boardrules.core import Action, Seat, Space, State
from boardumpire.lamps import policy, view_marks
from boardumpire.lamps.policy import AwaitedAnswer
from boardumpire.messages import disclosure
from boardumpire.messages.outbox import MessageOutbox
from boardumpire.ruling import proposals
from boardumpire.ruling.proposals import SeatProposal
from boardumpire.ruling.umpire import OFFERS, seat_that_answers
from boardumpire.table.buttons import ButtonCursor
from boardumpire.table.match import Match
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
    SIGN,
    YES,
    OpenMatter,
    OpenMatters,
    Person,
    shown,
)
from boardumpire.table.open_proposals import SIGNED, OpenProposals
from boardumpire.table.presence import SeatPresence
from boardumpire.tracking.questions import TrackerQuestion
from boardware.ports import LampId, Micros

RESIGNATION = "resignation"
"""The reason of a game's outcome where its loser gave up."""
GAMES_OWN = "game"
"""By this a screen names the question of the game that its yes or no is for."""


class MatterFinder:
    """What is open at one table."""

    def __init__(
        self,
        match: Match,
        outbox: MessageOutbox,
        presence: SeatPresence,
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
        self.open = OpenMatters()
        """What is open, and since when."""
        self.version = 0
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

    def look(self, now: Micros) -> None:
        """Take note of what is open at this moment."""
        if self._state_since[0] is not self._match.state:
            self._state_since = self._match.state, now
        self._proposals.lapse_as_set_up_goes_on(now)
        self.open.update(self._found(), self._match.state.seats, now)
        place = self._cursor.asking
        if place != self._told_place:
            self._told_place = place
            if place is not None:
                self._outbox.add(now, disclosure.place_request(now, *place))

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
        pointed = self._cursor.pointed
        if pointed is not None:
            meaning = (pointed.lamp, str(pointed.action), pointed.hands)
            board = frozenset((None,))
            seats = frozenset(match.state.seats_to_act())
            yield OpenMatter(
                POINTED, "", meaning, seats, tuple(map(Space, pointed.lamp.split())), board, board
            )
        yield from self._game_buttons()

    def _asked_by_board(self, asked: TrackerQuestion) -> OpenMatter:
        """A question of the board: anybody at the board may answer it, and the screens of those asked."""
        awaited = policy.asked_about(asked, self._match.state.seats)
        may = frozenset((None, *awaited.seats))
        kind = SIGN if asked.code in SIGNED else QUESTION
        meaning = (*asked.effect(), asked.named)
        trays = self._match.tracker.position.trays  # they have no lamp
        beside = bool(awaited.spaces) and trays.keys() >= {*awaited.spaces}
        spaces = tuple(space for space in asked.spaces if space not in trays) if beside else awaited.spaces
        return OpenMatter(kind, asked.name(), meaning, awaited.seats, spaces, may, may)

    def _proposal_matter(self, slot: str, proposal: SeatProposal, since: Micros) -> OpenMatter:
        about = Space(proposal.about())
        spaces: tuple[Space, ...] = (about,) if about in self._match.surface.all else ()
        if proposal.kind() == "resign":  # all the pieces that would go
            layout = self._match.state.layout().items()
            spaces = tuple(at for at, there in layout if any(piece.seat == proposal.by for piece in there))
        own, board = self._presence.own_answers(self._match.state.seats), frozenset((BOARD,))
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

    def _offer(self) -> OpenMatter | None:
        """What one seat offers and the other agrees to or declines, as far as the game knows it."""
        match, state = self._match, self._match.state
        if self._offered[0] is not state:
            self._offered = state, None
            for thing in OFFERS:
                who = seat_that_answers(state, f"agree-{thing}")
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
        may = offer.seats if self._presence.answers_itself(who) else offer.seats | {BOARD}
        return offer._replace(yes=may, no=may)

    def _game_buttons(self) -> tuple[OpenMatter, ...]:
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
                    OpenMatter(BUTTON, button, (button, said.seat, str(said), turn, now))
                    for button, said in state.pressed().items()
                ),
            )
        steps = self._cursor.steps("turn")
        game = tuple(each for each in self._buttons[1] if each.name != "turn" or not steps)
        return (*game, OpenMatter(BUTTON, "turn", ("turn", "steps"))) if steps else game

    def awaited(self, now: Micros) -> AwaitedAnswer:
        """Whose answer is waited for: what a yes at the board would be for, else what screens are asked."""
        self.look(now)
        matter = shown(self.open.matters)
        if matter is None:
            return AwaitedAnswer()
        lamps = () if matter.kind == POINTED else self.lamps_of(matter.seats)
        return AwaitedAnswer(matter.seats, matter.spaces, lamps)

    def lamps_of(self, seats: Collection[Seat]) -> tuple[LampId, ...]:
        """The lamps that stand for these seats."""
        state = self._match.state
        return policy.side_lamps(seats, state.seats, state.layout(), self._lamps)

    def how_it_ended(self) -> Mapping[LampId, str]:
        """What the lamps of the sides show once a game is over."""
        state = self._match.state
        if state.outcome is None:
            return {}
        winners = state.winners()
        others = [seat for seat in state.seats if seat not in winners]
        return policy.show_end(
            self.lamps_of(winners), self.lamps_of(others), resigned=state.outcome.reason == RESIGNATION
        )

    def heed_screens(self) -> None:
        """Notice that a screen was opened or closed, where that decides what a yes at the board is for."""
        if self._proposals.items() or self._match.offer.seats or self._cursor.places:
            screens = self._presence.own_answers(self._match.state.seats)
            if screens != self._screens_seen:
                self._screens_seen = screens
                self.version += 1
                self._match.changed()

    def board_asks(self) -> bool:
        """Whether the board waits for what `confirm` says."""
        match = self._match
        asked = match.asks or match.guidance.question or self._cursor.pointed
        return asked is not None or bool(self.implied())

    def implied(self) -> tuple[OpenMatter, ...]:
        """What a yes means while nothing is asked."""
        match = self._match
        found = match.tracker.implied_question() if match.asks is None else None
        if found is None:
            return ()
        may = frozenset((None, *((found.seat,) if found.seat else match.state.seats)))
        since = match.tracker.last_activity
        return (OpenMatter(IMPLIED, found.name(), found.effect(), yes=may, born=since),)

    def asked_by_game(self, seat: Seat | None) -> tuple[OpenMatter, ...]:
        """The question of the game that a seat answers by yes or no.

        Such an answer tells what its seat alone knows (H3), and nothing takes it back: it is that seat's own
        to give, by its phone. The buttons, which anybody presses, never give it.
        """
        if seat is None or self._match.asks is not None:
            return ()
        words = {str(action) for action in game_answers(self._match.state, seat)}
        if not words & {YES, NO}:
            return ()
        own = frozenset((seat,))
        yes, no = (own if word in words else frozenset() for word in (YES, NO))
        return (OpenMatter(GAME, GAMES_OWN, (GAME,), own, (), yes, no, self._state_since[1]),)


def game_answers(state: State, seat: Seat) -> Collection[Action]:
    """What a seat may do where that is yes or no; nothing where there is more to choose from."""
    legal = state.legal_actions(seat) if seat in state.seats else ()
    return legal if len(legal) <= 2 else ()
