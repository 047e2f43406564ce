"""A position: what everybody knows, what is hidden, and the actions that both leave."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from boardrules.core import (
    CLOCK,
    Action,
    Event,
    IllegalAction,
    Layout,
    LayoutPiece,
    NeedsHistory,
    Outcome,
    Refusal,
    Seat,
    Space,
    State,
    Step,
    expect_action,
    expect_seat,
    expect_viewer,
)
from boardrules.fuhrer import table_actions
from boardrules.fuhrer.actions import (
    DONE,
    HITLER,
    LIBERATE,
    PIECES,
    ROLL,
    STAY,
    TABLE_WORDS,
    MovePiece,
    PlacePiece,
    SpyQuestion,
    WordAction,
)
from boardrules.fuhrer.ends import side_of_seat
from boardrules.fuhrer.facts import EMPTY_SHEET, FuhrerFacts, HitlerKnowledge, HitlerSheet
from boardrules.fuhrer.movement import TICKETS, PublicTurn
from boardrules.fuhrer.paper_keeper import KEEPERS
from boardrules.fuhrer.refusals import find_refusal
from boardrules.fuhrer.rules import GAME_ID, FuhrerRules
from boardrules.fuhrer.stages import PLACING_STAGES, begin_placing
from boardrules.fuhrer.text import parse
from boardrules.fuhrer.views import FuhrerView, full_json, view_for


class FuhrerState(State):
    """One position."""

    __slots__ = ("_before", "_legal", "facts", "sheet")

    def __init__(
        self, facts: FuhrerFacts, sheet: HitlerSheet, legal: Collection[Action], before: Sequence[int] = ()
    ) -> None:
        self.facts: Final = facts
        """What everybody knows."""
        self.sheet: Final = sheet
        """What Hitler alone knows."""
        self._legal = legal
        """What the seat to act may do: it follows from the other two."""
        self._before = before
        """Where each piece stood before one moved last."""

    # What stands

    @property
    def game_id(self) -> str:
        """As the registry knows the game."""
        return GAME_ID

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Hitler, then the Allied seats in the order of their first pieces (F05)."""
        return self.facts.rules.seats

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with the value in force."""
        return self.facts.rules.options

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; the winner is `hitler` or `allies`."""
        return self.facts.outcome

    def seats_to_act(self) -> tuple[Seat, ...]:
        """One seat, or chance."""
        return self.facts.acting_seats

    def legal_actions(self, seat: Seat) -> Collection[Action]:
        """All that the seat to act may do; nothing for others."""
        if seat in self.facts.acting_seats:
            return self._legal
        expect_seat(seat, self.seats)
        return ()

    def table_actions(self, seat: Seat) -> tuple[WordAction, ...]:
        """What a seat may say now."""
        expect_seat(seat, self.seats)
        return table_actions.available_commands(self.facts, seat)

    def refusal(self, action: Action) -> Refusal | None:
        """Why an action is refused."""
        if action in self._legal:
            return None
        expect_action(action)
        if isinstance(action, WordAction) and (action.seat == CLOCK or action.written_text in TABLE_WORDS):
            return table_actions.find_refusal(self.facts, action)
        return find_refusal(self.facts, self.sheet, action)

    def apply(self, action: Action) -> tuple[FuhrerState, tuple[Event, ...]]:
        """One action, or one thing said."""
        facts, sheet = self.facts, self.sheet
        if action in self._legal:
            result = facts.stage.apply(facts, sheet, action)
        else:
            refusal = self.refusal(action)
            if refusal is not None:
                raise IllegalAction(refusal)
            assert isinstance(action, WordAction)
            result = table_actions.apply_command(facts, sheet, self._legal, action)
            undone = table_actions.seat_to_undo(facts, action)
            if undone is not None:
                raise NeedsHistory(undone, result.events)
        before = self._before if result.facts.city_by_piece == facts.city_by_piece else facts.city_by_piece
        return FuhrerState(result.facts, result.sheet, result.legal_actions, before), result.events

    def parse(self, text: str, seat: Seat) -> Action:
        """An action as written."""
        return parse(text, seat, self.facts.rules)

    def view(self, seat: Seat | None) -> FuhrerView:
        """Public facts, and for Hitler his sheet."""
        expect_viewer(seat, self.seats)
        return view_for(seat, self.facts, self.sheet)

    def layout(self) -> Layout:
        """The Allied pieces, each named by its seat: `allies:tank`. Flags and the token are lamps."""
        facts = self.facts
        cities: dict[Space, tuple[LayoutPiece, ...]] = {}
        for piece in sorted(range(len(facts.city_by_piece)), key=facts.city_by_piece.__getitem__):
            city = facts.rules.board.ids[facts.city_by_piece[piece]]
            cities[city] = (*cities.get(city, ()), self._layout_piece(piece))
        return cities

    def _layout_piece(self, piece: int) -> LayoutPiece:
        return LayoutPiece(self.facts.rules.owners[piece], PIECES[piece])

    def side_of(self, seat: Seat) -> str:
        """F02: the Allies are one side, whoever of them owns a piece."""
        return side_of_seat(seat)

    def last_moved_pieces(self) -> list[LayoutPiece]:
        """The piece that moved last."""
        return [
            self._layout_piece(piece)
            for piece, city in enumerate(self._before)
            if city != self.facts.city_by_piece[piece]
        ]

    def piece_label(self, piece: LayoutPiece) -> str:
        """Its name."""
        return piece.name

    def unchecked_spaces(self) -> frozenset[Space]:
        """Every city while the Allies set up."""
        placing = self.facts.stage in PLACING_STAGES
        return frozenset(self.facts.rules.board.ids if placing else ())

    def setup_placements(self, action: Action) -> Mapping[Space, str]:
        """F03: each piece is stood by itself."""
        if not isinstance(action, PlacePiece):
            return {}
        return {self.facts.rules.board.ids[action.city]: PIECES[action.piece]}

    def public_hints(self) -> dict[str, Any]:
        """`possible`: the cities where Hitler may be by all that everybody knows."""
        return {"possible": list(view_for(None, self.facts, self.sheet).possible_cities)}

    def steps(self) -> tuple[Step, ...]:
        """Where the piece that has rolled may go."""
        ids = self.facts.rules.board.ids
        moves = (action for action in self._legal if isinstance(action, MovePiece))
        return tuple(Step(ids[move.origin], ids[move.target], False) for move in moves)

    def hand_action(self, seat: Seat, origin: str, target: str) -> Action:
        """The move between two cities, or staying where both are one."""
        if origin == target:
            return self.parse("stay", seat)
        return self.parse(f"{origin}-{target}", seat)

    def button_actions(self) -> Mapping[str, Action]:
        """`turn`: the piece stays, or the Spy asks no more. `choose`: the Tank wants to roll."""
        said = (
            {str(action): action for action in self._legal if isinstance(action, WordAction)}
            if self._is_open_turn
            else {}
        )
        end = next((said[word] for word in (LIBERATE, STAY, DONE) if word in said), None)
        found = {} if end is None else {"turn": end}
        return {**found, "choose": said[ROLL]} if ROLL in said else found

    def cursor_actions(self) -> tuple[tuple[str, Action], ...]:
        """The cities that the Spy may ask about, or two of them at once (G5); while the Allies set up the
        cities of the next piece (F03); while the die is to be thrown its faces."""
        ids = self.facts.rules.board.ids
        asks = sorted(
            (action for action in self._legal if isinstance(action, SpyQuestion)),
            key=lambda ask: len(ask.cities),
        )
        faces = (
            self.facts.rules.choices.die_faces if self.facts.rules.choices.die_faces[0] in self._legal else ()
        )
        places = [action for action in self._legal if isinstance(action, PlacePiece)]
        return (
            *((ids[action.city], action) for action in places),
            *((" ".join(ids[city] for city in action.cities), action) for action in asks),
            *((f"die-{action.face}", action) for action in faces),
        )

    @property
    def _is_open_turn(self) -> bool:
        """Whether all that may be done now is done in the open."""
        return self.facts.acting_seats != (HITLER,)

    def chance(self) -> tuple[tuple[Action, int], ...]:
        """F06: each face alike."""
        faces = self.facts.rules.choices.die_faces
        return tuple((face, 1) for face in faces) if faces[0] in self._legal else ()

    def throwers(self) -> tuple[Seat, ...]:
        """F06: the die is the Allies'."""
        return tuple(seat for seat in self.seats if seat != HITLER) if self.chance() else ()

    def winners(self) -> tuple[Seat, ...]:
        """Hitler, or every Allied seat."""
        outcome = self.outcome
        return (
            ()
            if outcome is None
            else tuple(seat for seat in self.seats if side_of_seat(seat) == outcome.winner)
        )

    def truth(self) -> dict[str, Any]:
        """Everything, secrets included."""
        return full_json(self.facts, self.sheet)

    # Values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FuhrerState) and self.facts == other.facts and self.sheet == other.sheet

    def __hash__(self) -> int:
        facts = self.facts
        return hash(
            (facts.round, facts.city_by_piece, facts.flags, facts.die, facts.asked_cities, self.sheet)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return FuhrerState, (self.facts, self.sheet, self._legal)

    def __repr__(self) -> str:
        if self.outcome is not None:
            return f"<{GAME_ID}: {self.outcome.reason}>"
        return f"<{GAME_ID}: round {self.facts.round}, {' '.join(self.facts.acting_seats)} to act>"


def initial_state(rules: FuhrerRules) -> FuhrerState:
    """The empty board: the Allies set up."""
    everywhere = rules.board.all_cities
    facts = FuhrerFacts(
        rules=rules,
        keeper=KEEPERS[rules.is_paper_sheet],
        stage=PLACING_STAGES[0],
        acting_seats=rules.seats_by_piece[0],
        round=0,
        city_by_piece=(),
        flags=0,
        rising_flags=0,
        falling_flags=0,
        die=0,
        asked_cities=(),
        knowledge=HitlerKnowledge(TICKETS, everywhere, everywhere, 0, PublicTurn(0), ()),
        undo_seat=None,
        offering_seat=None,
        outcome=None,
    )
    start = begin_placing(facts, EMPTY_SHEET, ())
    return FuhrerState(start.facts, start.sheet, start.legal_actions)
