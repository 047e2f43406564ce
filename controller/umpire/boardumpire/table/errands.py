"""What hands are asked to do for seats that have none of their own: those that the machine plays.

All of it is public: which piece to lift and where to put it, never what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from boardrules.core import Seat, Space, State
from boardumpire.ruling.umpire import carried_move, carried_piece_name
from boardumpire.table.match import Match
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.events import BoardGuidance
from boardumpire.tracking.questions import MovedHereQuestion, TrackerQuestion
from boardware.ports import LampId, Micros


class AssistedMove(NamedTuple):
    """What hands shall do for one seat."""

    state: State
    """As long as the game stands so a piece is to be carried; pieces are to be stood until they stand."""
    spaces_to_lift: tuple[Space, ...]
    spaces_to_fill: tuple[Space, ...]


class AssistedMoves:
    """Those of one table."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._of: dict[Seat, AssistedMove] = {}
        self._hint: AssistedMove | None = None
        self.is_active = False
        """Whether hands move pieces for somebody: every lift looks at it."""

    def enable(self) -> None:
        """Hands will be asked, if they weren't yet: a machine plays at this table."""
        self.is_active = True
        self._match.note_change()

    def request_move(self, seat: Seat, lift: Sequence[Space], put: Sequence[Space]) -> None:
        """Light what hands shall do for a seat: where a piece shall be lifted, and where one shall be put."""
        self._of[seat] = AssistedMove(self._match.state, tuple(lift), tuple(put))
        self.enable()

    def show_hint(self, way: tuple[Space, Space]) -> None:
        """Light a good move, until the game goes on; not while another piece is up, as its own lamps count
        then."""
        self._hint = AssistedMove(self._match.state, way[:1], way[1:])
        self.enable()

    @property
    def has_open_move(self) -> bool:
        """Whether hands shall do something for a seat, as the game stands."""
        return any(errand.state is self._match.state for errand in self._of.values())

    def requested_move(self, seat: Seat) -> AssistedMove | None:
        """What hands shall do for a seat, as the game stands."""
        errand = self._of.get(seat)
        return errand if errand is not None and errand.state is self._match.state else None

    def apply_to_guidance(self, guidance: BoardGuidance) -> tuple[BoardGuidance, Mapping[LampId, str]]:
        """The guidance without hints to anywhere but where a piece is wanted, and the marks of what is
        wanted. These outrank answers and results that are still shown: half of it would ask for something
        else. A piece is carried once the board is in order: chores may be for the very spaces."""
        state, marks = self._match.state, dict[LampId, str]()
        for seat, errand in self._of.items():
            lift, put = errand.spaces_to_lift, errand.spaces_to_fill
            if errand.state is not state and (lift or seat not in state.seats_to_act()):
                continue
            if _is_carrying_asked(guidance.question, lift + put):
                continue  # an answer is waited for, and lamps say about which space
            felt = self._match.felt_places()
            if not (lift and guidance.corrections):
                marks |= {space: "put" for space in put if lift or space not in felt}
                marks |= {
                    space: "take" for space in lift if space in felt and space not in guidance.lifted_places
                }
            if lift and set(guidance.lifted_places) <= set(lift):
                # Before its piece is up blue alone says where to: where that is never felt hints come before.
                wanted = put if guidance.lifted_places else ()
                hints = {space: attack for space, attack in guidance.hints.items() if space in wanted}
                guidance = guidance._replace(hints=hints)
                marks = {space: mark for space, mark in marks.items() if space not in hints}
        hint = self._hint
        if hint is not None and hint.state is state and not (guidance.corrections or guidance.question):
            (origin,), (target,) = hint.spaces_to_lift, hint.spaces_to_fill
            if not guidance.lifted_places:
                marks |= {origin: "take", target: "put"}
            elif guidance.lifted_places == (origin,):
                marks |= {target: "put"}
        return guidance, marks

    # What an action of a seat needs of hands. Each raises `BadText` for what is no action.

    def origin_and_target(self, seat: Seat, text: str) -> tuple[Space, Space] | None:
        """From where to where hands carry a piece for this action; `None` if it is said."""
        return carried_move(self._match.state, seat, text)

    def carried_piece_name(self, way: tuple[Space, Space], seat: Seat, text: str) -> str:
        """What everybody calls the piece that hands carry for it, where several stand together."""
        state = self._match.state
        return carried_piece_name(state, state.parse(text, seat), way)

    def placed_prints(self, seat: Seat, text: str) -> Mapping[Space, str]:
        """By space what is printed on the pieces that it stands there, as in a set-up."""
        state = self._match.state
        return state.setup_placements(state.parse(text, seat))

    def is_secret(self, seat: Seat, text: str) -> bool:
        """Whether it is hidden from the others."""
        return self._match.state.parse(text, seat).secret

    # How far hands have come

    def unsensed_ends(self, way: tuple[Space, Space]) -> tuple[bool, bool]:
        """Whether nothing feels that a piece leaves there, or that it comes there."""
        position = self._match.tracker.position
        deaf = position.hand_played_places | position.shared_places
        origin, target = shared_spaces.step_of_hands(way, position) or way
        return origin in deaf, target in deaf

    def ask_whether_carried(self, way: tuple[Space, Space], now: Micros) -> bool:
        """Ask people whether a piece was carried there, where nothing feels it: any seat, or the buttons.
        Whether it is asked: nothing else may be open."""
        places = shared_spaces.step_of_hands(
            way, self._match.tracker.position
        ) or shared_spaces.first_places_of_spaces(way)
        return self._match.ask(MovedHereQuestion.from_spaces(places, None), now)

    def is_lifted(self, space: Space) -> bool:
        """Whether a piece of this space is in a hand, as far as that is felt."""
        return space in self._match.guidance.lifted_places or not self.are_occupied([space])

    def are_occupied(self, spaces: Iterable[Space]) -> bool:
        """Whether something is sensed on all of these."""
        return self._match.felt_places().issuperset(spaces)


def _is_carrying_asked(question: TrackerQuestion | None, way: tuple[Space, ...]) -> bool:
    """Whether it is asked if a piece was carried this way."""
    return question is not None and question.code == "moved-here" and question.spaces == way
