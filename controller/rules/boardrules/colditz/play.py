"""The contract of the core, kept by `ColditzPosition` and by what looks at it: views, hands, buttons,
texts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from boardrules.colditz.castle.actions import Command, PawnStep
from boardrules.colditz.deck.hidden_cards import HiddenCards
from boardrules.colditz.legal import listing, table_commands
from boardrules.colditz.legal.public_steps import hand_step, public_steps
from boardrules.colditz.legal.seat_carries import turn_carry_steps
from boardrules.colditz.legal.table_commands import WALK_BACK
from boardrules.colditz.legal.unlisted import all_listed
from boardrules.colditz.legal_actions import ColditzLegalActions
from boardrules.colditz.position import ColditzPosition
from boardrules.colditz.state import buttons
from boardrules.colditz.state.facts import AFTER_ROLL, ColditzFacts
from boardrules.colditz.state.scenery import printed_facts
from boardrules.colditz.text import parse
from boardrules.colditz.views import ColditzView, full_json, layout, unsettled_spaces
from boardrules.core import (
    CLOCK,
    Action,
    Event,
    Layout,
    LayoutPiece,
    NeedsHistory,
    Outcome,
    Refusal,
    Seat,
    Space,
    State,
    expect_seat,
    expect_viewer,
    split_seats,
)
from boardrules.core import (
    Step as Hand,
)
from boardrules.history import TAKE_BACK


class ColditzState(State):
    """A position of Escape from Colditz, as the core knows positions."""

    __slots__ = ("_before", "_hands", "_walked", "facts", "position", "secrets")

    has_interchangeable_pieces = True

    def __init__(
        self,
        facts: ColditzFacts,
        secrets: HiddenCards,
        position: ColditzPosition | None = None,
        walked: PawnStep | None = None,
        before: Sequence[int] = (),
    ) -> None:
        self.position: Final = ColditzPosition(facts, secrets) if position is None else position
        self.facts: Final = facts
        """What everybody at the table knows."""
        self.secrets: Final = secrets
        """What is hidden."""
        self._walked = walked
        """The walk that was just made and cost nothing but points: it may be put straight back (G22)."""
        self._before = before
        """Where each pawn stood before any moved last."""
        self._hands: tuple[Hand, ...] | None = None
        """What hands may do, once it was asked."""

    # What stands

    @property
    def game_id(self) -> str:
        """As the registry knows the game."""
        return "escape-from-colditz"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """R001, R021: the Security Officer, then the officers clockwise from his left."""
        return self.facts.rules.seats

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with the value in force."""
        return self.facts.rules.options

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.facts.table.outcome

    def seats_to_act(self) -> tuple[Seat, ...]:
        """Who is asked, or whose turn it is."""
        return self.position.to_act()

    # What may be done

    def legal_actions(self, seat: Seat) -> Collection[Action]:
        """The seat's actions; see `ColditzLegalActions` for what is listed of them."""
        listed = self.position.actions(seat)
        if not listed:
            expect_seat(seat, self.seats)
        return listed if seat == CLOCK else ColditzLegalActions(self, seat, listed)

    def lists_all(self, seat: Seat) -> bool:
        """Whether `legal_actions` lists all that a seat may do."""
        return all_listed(self.facts, self.secrets, seat)

    def table_actions(self, seat: Seat) -> tuple[Command, ...]:
        """Leaving; and the clock's telling whose time is up."""
        expect_seat(seat, self.seats)
        return table_commands.available_commands(self.facts, seat)

    def refusal(self, action: Action) -> Refusal | None:
        """Why an action is refused."""
        if isinstance(action, Command) and action == self.straight_back_action(action.seat):
            return None
        return self.position.refusal(action)

    # What comes of it

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The position after an action."""
        walked = self._walked
        if (
            walked is not None
            and isinstance(action, Command)
            and action == self.straight_back_action(action.seat)
        ):
            names = walked.board.space_names
            ways = ("from", names[walked.target]), ("to", names[walked.origin])
            raise NeedsHistory(action.seat, (Event(TAKE_BACK, (("seat", action.seat), *ways)),))
        position, events = self.position.apply(action)
        facts = position.facts
        before = self._before if facts.node_by_pawn == self.facts.node_by_pawn else self.facts.node_by_pawn
        walked = self._walk_if_undoable(action, facts, events)
        return ColditzState(facts, position.secrets, position, walked, before), events

    def _walk_if_undoable(
        self, action: Action, after: ColditzFacts, events: Sequence[Event]
    ) -> PawnStep | None:
        """The action, if it was a walk that only cost points (G22)."""
        turn = self.facts.turn
        quiet = (
            turn.phase == after.turn.phase == AFTER_ROLL
            and turn.side == after.turn.side
            and not (self.facts.tasks or after.tasks or after.table.outcome)
            and all(event.kind == "move" for event in events)
        )
        return action if quiet and isinstance(action, PawnStep) else None

    def straight_back_action(self, seat: Seat) -> Command | None:
        """G22: the walk just made doesn't count."""
        walked = self._walked
        return Command(seat, WALK_BACK) if walked is not None and walked.seat == seat else None

    def chance(self) -> tuple[tuple[Action, int], ...]:
        """Dice, draws, values."""
        return self.position.chance()

    def throwers(self) -> tuple[Seat, ...]:
        """The officer for whom is thrown, drawn or dealt."""
        tasks = self.facts.tasks
        return (self.facts.rules.seats[tasks[-1].data[0]],) if tasks and self.chance() else ()

    # What people write and see

    def parse(self, text: str, seat: Seat) -> Action:
        """The action of a text; see docs/play/rules/escape-from-colditz.md for what there is."""
        return parse(text, seat, self.facts.rules)

    def view(self, seat: Seat | None) -> ColditzView:
        """What a seat may know."""
        expect_viewer(seat, self.seats)
        return ColditzView(seat, self.facts, self.position.knowledge[seat])

    def layout(self) -> Layout:
        """Who stands where; men in tunnels on the circles above them."""
        return layout(self.facts)

    def side_of(self, seat: Seat) -> str:
        """The guards, or the men of all nations."""
        return "guards" if seat == self.facts.rules.seats[0] else "men"

    def last_moved_pieces(self) -> list[LayoutPiece]:
        """The pawns that moved last."""
        facts = self.facts
        return [
            facts.rules.pieces[pawn]
            for pawn, node in enumerate(self._before)
            if node != facts.node_by_pawn[pawn]
        ]

    def possible_answers(self) -> Mapping[Seat, Collection[Action]]:
        """R068: all who may answer are asked at once."""
        return listing.answers_by_seat(self.facts, self.secrets)

    def answer_delays_others(self) -> bool:
        """R068: in the own turn nobody is hurried."""
        facts = self.facts
        return bool(facts.tasks) and facts.tasks[-1].side != facts.turn.side

    def may_ever_pass(self, seat: Seat) -> bool:
        """Whoever is in the game may be asked for an answer."""
        facts = self.facts
        side = facts.rules.side_by_seat.get(seat, -1)
        return side >= 0 and facts.table.outcome is None and not facts.table.left_sides >> side & 1

    def unsettled_spaces(self) -> frozenset[Space]:
        """Guard and man of an arrest that may still be answered."""
        return unsettled_spaces(self.facts)

    def steps(self) -> tuple[Hand, ...]:
        """What hands may do, whatever the officers hold."""
        if self._hands is None:
            self._hands = public_steps(self.facts)
        return self._hands

    def hand_action(self, seat: Seat, origin: Space, target: Space) -> Action:
        """The step that carrying a pawn from space to space means."""
        return hand_step(self.facts, seat, origin, target)

    def printed_facts(self) -> dict[str, Any]:
        """What lies between circles, and the texts of the cards."""
        return printed_facts(self.facts.rules)

    def carry_actions(self, seat: Seat) -> Mapping[Space, Mapping[Space, Action]]:
        """Where exactly a seat may carry its pawns."""
        turn = self.facts.turn
        side = self.facts.rules.side_by_seat.get(seat, -1)
        if side >= 0 and side != (self.facts.tasks[-1].side if self.facts.tasks else turn.side):
            return {}  # whoever isn't to act carries nothing
        if self.facts.tasks or turn.phase != AFTER_ROLL or self.outcome is not None:
            return super().carry_actions(seat)
        return turn_carry_steps(self.facts, self.secrets.gear[side], side)

    def button_actions(self) -> Mapping[str, Action]:
        """What short presses of buttons say."""
        return buttons.button_actions(self.facts)

    def cursor_actions(self) -> tuple[tuple[str, Action], ...]:
        """What the buttons step through."""
        return buttons.cursor_actions(self.facts)

    def is_agreement(self, action: Action) -> bool:
        """The yes to a trade."""
        return str(action) == buttons.ACCEPT

    def winners(self) -> tuple[Seat, ...]:
        """The guards, or the officers who have won together (R145, R152)."""
        named = () if self.outcome is None else split_seats(self.outcome.winner or "")
        return tuple(seat for seat in self.seats if seat in named)

    def truth(self) -> dict[str, Any]:
        """Everything."""
        return full_json(self.facts, self.secrets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ColditzState) or self._walked != other._walked:
            return False
        return self.facts == other.facts and self.secrets == other.secrets

    def __hash__(self) -> int:
        return hash((self.facts, self.secrets, self._walked))

    def __reduce__(self) -> tuple[Any, ...]:
        return ColditzState, (self.facts, self.secrets, None, self._walked)

    def __repr__(self) -> str:
        facts = self.facts
        return f"<{self.game_id}: round {facts.table.round}, {facts.rules.seats[facts.turn.side]}>"
