"""What seats have proposed and nobody has answered yet, from the moment it is said until it is done.

A proposal is one of `ruling.proposals`: resigning, playing a space without its sensor, putting the game away,
a new game. Each waits in a *slot*: one for each seat, one for the board. It leaves its slot in one of four
ways, and each of them is told once: a newer one of its seat takes its place, it lapses, somebody declines it,
or the last of those asked agrees. Then it is carried out, on the match or, where it is for the service
(`SERVICE_REQUESTS`), by whoever takes it (`take_agreed_request`).

Nothing else of the table is changed from here. `version` counts the changes: what is derived from proposals
is derived anew when that number is another one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from boardrules.core import NO_SEAT, Seat, Space
from boardumpire.messages import disclosure
from boardumpire.messages.outbox import MessageOutbox
from boardumpire.ruling import proposals
from boardumpire.ruling.proposals import LAPSES_AFTER_US, SEATING_REQUESTS, SERVICE_REQUESTS, SeatProposal
from boardumpire.table.match import Match
from boardumpire.table.presence import BoardPresence
from boardumpire.table.shared_game import SharedGame
from boardware.ports import Micros

SIGNED_ATTACK_CODES = ("attack-pending", "attack-counting")
"""Questions of an attack that follow the gesture itself. The others are guesses, and often a sensor is to
blame."""


class OpenProposal(NamedTuple):
    """A proposal that waits for its answers."""

    proposal: SeatProposal
    since: Micros
    match: Match
    """The board at which it was made: there it is carried out."""


class OpenProposals:
    """The proposals of one table."""

    def __init__(self, game: SharedGame, matches: Sequence[Match], outbox: MessageOutbox) -> None:
        """`matches`: of each board."""
        self._game = game
        self._matches = matches
        self._outbox = outbox
        self._pending: dict[str, OpenProposal] = {}
        """By slot."""
        self.version = 0
        """How often what is open has changed."""
        self._agreed_request: SeatProposal | None = None
        """What was agreed on and is for the service to do, until it is taken."""

    @property
    def open_proposals(self) -> tuple[SeatProposal, ...]:
        """What is proposed and not answered yet, oldest first."""
        return tuple(each.proposal for each in sorted(self._pending.values(), key=lambda each: each.since))

    def items(self) -> tuple[tuple[str, OpenProposal], ...]:
        """Each with its slot (`proposals.proposal_slot`)."""
        return tuple(self._pending.items())

    def proposal_in_slot(self, slot: str) -> SeatProposal:
        """The proposal that is open in this slot. Raises `KeyError`."""
        return self._pending[slot].proposal

    def resignations_by(self, by: Collection[Seat]) -> tuple[SeatProposal, ...]:
        """Those by which these seats think of resigning."""
        return tuple(each for each in self.open_proposals if each.kind() == "resign" and each.by in by)

    def propose_request(
        self, by: Seat, thing: str, now: Micros, match: Match, *, all_of_them: bool = False
    ) -> bool:
        """Propose something at the board of `match`, to the other seats or to `all_of_them`; `by` is empty
        for whoever is there. `False` where that has to wait for another one of its kind."""
        proposal = proposals.make_proposal(by, thing, self._game.state.seats, all_of_them=all_of_them)
        if proposals.proposal_slot(proposal) in self._pending:
            return False
        self.open_proposal(proposal, now, match)
        return True

    def propose_suspected_space(self, now: Micros) -> None:
        """Ask everybody whether to play by hand a space whose reed must be stuck."""
        for match in self._matches:
            free = "" not in self._pending and not is_attack_waiting(match)
            space = match.take_suspected_space() if free else None
            if space is not None:
                self.propose_by_hand(space, now, match)

    def propose_by_hand(self, space: Space, now: Micros, match: Match) -> bool:
        """Ask everybody whether to play a space of that board without its sensor; as `propose_request`."""
        return self.propose_request(NO_SEAT, f"by-hand {space}", now, match, all_of_them=True)

    def open_proposal(self, proposal: SeatProposal, now: Micros, match: Match) -> None:
        """A proposal is made at the board of `match`. It takes the place of an older one of the same seat."""
        self._game.note_change()
        slot = proposals.proposal_slot(proposal)
        before = self._pending.pop(slot, None)
        if before is not None:
            self._outbox.add(now, disclosure.proposal_message(now, before.proposal, "lapsed"))
        self._pending[slot] = OpenProposal(proposal, now, match)
        self.version += 1
        self._outbox.add(now, disclosure.proposal_message(now, proposal))

    def lapse(self, proposal: SeatProposal, now: Micros) -> None:
        """A proposal waits no more."""
        self._game.note_change()
        del self._pending[proposals.proposal_slot(proposal)]
        self.version += 1
        self._outbox.add(now, disclosure.proposal_message(now, proposal, "lapsed"))

    def lapse_as_set_up_goes_on(self, now: Micros) -> None:
        """Hands that go on setting up don't shut the board down: their `confirm` means that they are
        ready."""
        if not self._game.state.unchecked_spaces():
            return
        for proposal, since, match in list(self._pending.values()):
            own = proposal.kind() == "shut-down" and not proposal.by
            if own and match.tracker.last_activity > since:
                self.lapse(proposal, now)

    def take_agreed_request(self) -> SeatProposal | None:
        """What was agreed on and is for the service to do: once."""
        agreed, self._agreed_request = self._agreed_request, None
        return agreed

    def step(self, now: Micros) -> None:
        """Let lapse what nobody has answered, and what its seat has thought no more of."""
        acted = self._game.take_actors()
        for slot, (proposal, since, match) in list(self._pending.items()):
            question = match.guidance.question
            house = proposal.kind() in (*SEATING_REQUESTS, *proposals.BOARD_ONLY_REQUESTS)
            played = bool(acted) and not house and (proposal.by in acted or not proposal.by)
            asked = (
                proposal.kind() == "resign"
                and question is not None
                and question.seat in (None, proposal.by)
                and (match.tracker.question_since() or 0) > since
            )
            over = self._game.state.outcome is not None and proposal.kind() not in SERVICE_REQUESTS
            if slot in self._pending and (now >= since + LAPSES_AFTER_US or played or asked or over):
                self.lapse(proposal, now)

    def due(self) -> Micros | None:
        """When the next proposal lapses."""
        return min((each.since + LAPSES_AFTER_US for each in self._pending.values()), default=None)

    def apply_answer(
        self, proposal: SeatProposal, seat: Seat | None, yes: bool, now: Micros, presence: BoardPresence
    ) -> None:
        """Take the answer of a seat, or (`None`) of the board with this `presence`. What all have agreed to
        is done."""
        own = presence.own_answers(self._game.state.seats)
        left = proposals.after_yes(proposal, seat, own, presence.away)
        slot = proposals.proposal_slot(proposal)
        before = self._pending.pop(slot)
        self._game.note_change()
        self.version += 1
        if not yes:
            self._outbox.add(now, disclosure.proposal_message(now, proposal, "declined"))
        elif not left.seats_asked:
            self._outbox.add(now, disclosure.proposal_message(now, left, "agreed"))
            self._carry_out(left, before.match, now)
        else:
            self._pending[slot] = before._replace(proposal=left)
            self._outbox.add(now, disclosure.proposal_message(now, left, agrees=seat))

    def _carry_out(self, proposal: SeatProposal, at: Match, now: Micros) -> None:
        match proposal.kind():
            case "by-hand":
                self._play_by_hand(at, at.hand_played_spaces | {Space(proposal.subject())}, proposal, now)
            case "by-reed":
                self._play_by_hand(at, at.hand_played_spaces - {Space(proposal.subject())}, proposal, now)
            case "stands":
                for space in at.differing_spaces:
                    at.note(proposal.by, f"agreed by-hand {space}", now)
                at.set_hand_played_spaces(at.hand_played_spaces | at.differing_spaces, now)
            case "adjourn":
                self.adjourn(now)
            case "resign":
                at.rule_action(at.state.parse("resign", proposal.by), (), now)
            case word if word in SERVICE_REQUESTS:
                self._agreed_request = proposal

    def adjourn(self, now: Micros) -> None:
        """The game is put away, and nobody resigns a board that is dark."""
        for proposal in self.resignations_by(self._game.state.seats):
            self.lapse(proposal, now)
        self._game.put_away(now)

    def _play_by_hand(self, at: Match, blind: frozenset[Space], proposal: SeatProposal, now: Micros) -> None:
        at.note(proposal.by, f"agreed {proposal.request}", now)
        at.set_hand_played_spaces(blind, now, ())


def is_attack_waiting(match: Match) -> bool:
    """Whether an attack waits for its sign: then only the mover proposes anything."""
    question = match.guidance.question
    return question is not None and question.code in SIGNED_ATTACK_CODES
