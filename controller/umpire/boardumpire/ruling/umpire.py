"""Judges an action on a state. Pure: the state and the action in, a ruling out."""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from boardrules.core import NO_SEAT, Action, Event, IllegalAction, NeedsHistory, Refusal, Seat, Space, State
from boardumpire.tracking import shared_spaces
from boardumpire.tracking.model import Place, PublicPosition


class Ruling(NamedTuple):
    """What the umpire says to an action."""

    action: Action
    state: State
    """The state that holds from now on; the old one where the action is refused, or takes something back."""
    events: tuple[Event, ...]
    refusal: Refusal | None
    hand_move: tuple[Space, ...]
    """(origin, target) where hands carried the action out; empty where they did not."""
    winner_space: Space | None
    """Where a piece was beaten and another now belongs: only the winner may stand here."""
    commitment: str | None = None
    """Of a secret action, once it is written: the digest that is told now and proved at the end."""


def judge_action(state: State, action: Action, hands: tuple[Space, Space] | None = None) -> Ruling:
    """Rule on `action`; `hands` is (origin, target) where hands carried it out on the board."""
    try:
        after, events = state.apply(action)
    except NeedsHistory as agreed:  # whoever holds the game's history carries it out
        return Ruling(action, state, agreed.events, None, hands or (), None)
    except IllegalAction as error:
        return Ruling(action, state, (), error.refusal, hands or (), None)
    return Ruling(action, after, events, None, hands or (), battle_winner_space(state, after, hands))


def carried_move(state: State, seat: Seat, text: str) -> tuple[Space, Space] | None:
    """(origin, target) of an action written as `text`; `None` for one that hands don't carry out."""
    if seat not in state.seats_to_act():  # it can only say something, and its own words are no moves
        return None
    # Most texts name both ends: those steps are asked about first.
    for step in sorted(state.steps(), key=lambda each: each.origin not in text or each.target not in text):
        if str(state.hand_action(seat, step.origin, step.target)) == text:
            return step.origin, step.target
    return None


def carried_piece_name(state: State, action: Action, way: tuple[Space, Space]) -> str:
    """What everybody calls the piece that hands carry `way` for a legal `action`, without its seat; empty
    where that isn't told by the layout."""
    there = state.layout().get(way[0], ())
    if len(there) < 2:
        return ""  # it needs no name
    after = state.apply(action)[0].layout()
    gone = [piece for piece in there if piece not in after.get(way[0], ())]
    return gone[0].name if len(gone) == 1 else ""


def battle_winner_space(before: State, after: State, hands: tuple[Space, Space] | None) -> Space | None:
    """Where a battle carried out by `hands` took a piece and another one now belongs, if anywhere."""
    if hands is None or any(step.takes for step in before.steps() if (step.origin, step.target) == hands):
        return None  # whoever takes stands there already
    stood, stands = before.layout().get(hands[1]), after.layout().get(hands[1])
    return hands[1] if stood and stands and not set(stood) <= set(stands) else None


def replaced_spaces(before: State, after: State) -> frozenset[Space]:
    """Where one piece belongs now and another one did before, as where a capture is taken back: nobody can
    feel which of them stands there."""
    was, now = before.layout(), after.layout()
    return frozenset(space for space, there in now.items() if was.get(space, there) != there)


def spaces_changing_side(before: State, after: State) -> frozenset[Space]:
    """Where pieces are all alike: the spaces where a piece of one side belongs now and one of another did
    before. Nobody can feel whether that has left already."""
    was, now = (before.layout(), after.layout()) if after.has_interchangeable_pieces else ({}, {})
    return frozenset(
        space
        for space, pieces in now.items()
        if len(pieces) == len(was.get(space, ())) == 1 and pieces[0].seat != was[space][0].seat
    )


def public_position(
    state: State,
    spaces: frozenset[Space],
    last: tuple[Space, Space] | None = None,
    hand_played_spaces: frozenset[Space] = frozenset(),
    places: Mapping[Space, tuple[float, float]] = {},
    slot_counts: Mapping[Space, int] = {},
    *,
    boxed: bool = False,
    known: Mapping[Space, shared_spaces.KnownPieces] = {},
) -> PublicPosition:
    """The public side of `state`, as the tracker needs it, on a board with these `spaces`.

    `last` is the quiet move that may be put back, `hand_played_spaces` are the spaces played by hand,
    `places` says where the spaces lie, `slot_counts` how many slots those have that have several; `boxed`:
    nothing has been played yet; `known`: what is known to stand in spaces of several slots. Of other spaces
    those pieces count as standing there that came there first.
    """
    if state.outcome is not None:
        return PublicPosition({}, shared_spaces.all_places(spaces, slot_counts), frozenset(), {})
    movers = frozenset(state.seats_to_act())
    new = state.last_moved_pieces()
    layout = {at: tuple(sorted(held, key=new.__contains__)) for at, held in state.layout().items()}
    placed = shared_spaces.assign_places(
        layout, movers, slot_counts, known, alike=state.has_interchangeable_pieces
    )
    owners = {where: piece.seat for where, piece in placed.pieces.items()}
    steps: dict[Place, dict[Place, bool]] = {}
    takes, also = {}, {}
    many, of_space = shared_spaces.count_pieces(owners), dict[Space, list[Place]]()
    for step in state.steps():
        target, origins = shared_spaces.target_of_step(step, many), of_space.get(step.origin)
        if origins is None:
            origins = of_space[step.origin] = shared_spaces.origins_of_step(step.origin, owners, many, movers)
        for origin in origins if state.has_interchangeable_pieces else origins[:1]:
            steps.setdefault(origin, {})[target] = step.attack
            if step.takes:
                takes[origin, target] = frozenset(shared_spaces.first_places_of_spaces(step.takes))
            if step.companion_moves:
                also[origin, target] = tuple(
                    (shared_spaces.place_of(one), shared_spaces.place_of(other))
                    for one, other in step.companion_moves
                )
    every: set[Place] = {*owners, *chain.from_iterable(steps.values())}
    crowded = shared_spaces.crowded_places(every, slot_counts)
    unfelt = crowded | frozenset(shared_spaces.first_places_of_spaces(hand_played_spaces))
    unfelt |= {where for where in every if shared_spaces.space_of(where) in hand_played_spaces}
    trays = {
        shared_spaces.place_of(tray): pieces[0].seat if pieces else NO_SEAT
        for tray, pieces in state.trays().items()
    }
    unfelt |= trays.keys()
    waiting = seat_that_may_say(state, "agree-take-back") is not None
    shared = shared_spaces.shared_places(owners, crowded)
    free = shared_spaces.all_places(state.unchecked_spaces(), slot_counts)
    unsettled = state.unsettled_spaces()
    resting = frozenset(where for where in every if shared_spaces.space_of(where) in unsettled)
    hints = {
        origin: {to: attack or (origin, to) in takes for to, attack in steps[origin].items()}
        for origin in dict.fromkeys(chain((origin for origin, _ in takes), _leave(steps, trays)))
    }
    for origin in _leave(steps, trays):  # where it lies may have no lamp, so its own says it
        hints[origin][origin] = False
    kinds = {
        shared_spaces.place_of(space): pieces[0]
        for space, pieces in state.layout().items()
        if len(pieces) == 1
    }
    lie = {shared_spaces.place_of(space): middle for space, middle in places.items()}
    everybody = {*placed.pieces.values(), *placed.leaving_pieces.values()}
    prints = {piece: printed for piece in everybody if (printed := state.piece_label(piece))}
    return PublicPosition(
        owners,
        free,
        movers,
        steps,
        shared_spaces.first_places_of_way(last),
        unfelt,
        waiting,
        lie,
        crowded,
        shared,
        state.has_interchangeable_pieces,
        resting,
        takes,
        also,
        kinds,
        hints,
        boxed,
        _declared_owners(state, owners, free),
        placed.pieces,
        prints,
        slot_counts,
        placed.off_slot_places,
        trays,
        placed.leaving_pieces,
        {seat: state.side_of(seat) for seat in state.seats},
    )


def _leave(steps: Mapping[Place, Mapping[Place, bool]], trays: Container[Place]) -> list[Place]:
    """The pieces that may leave the board for a tray."""
    return [
        origin
        for origin, targets in steps.items()
        if origin not in trays and any(target in trays for target in targets)
    ]


def _declared_owners(state: State, stands: Mapping[Place, Seat], free: frozenset[Place]) -> dict[Place, Seat]:
    """Where in the zones that may be changed still the seats have said that their pieces stand."""
    if not free:
        return {}
    said = {shared_spaces.place_of(space): seat for seat in state.seats for space in state.labels(seat)}
    return {where: seat for where, seat in {**said, **stands}.items() if where in free}


WALK_BACK_ACTION = "walk-back"
"""What a seat says by putting a piece straight back (`State.straight_back_action`): hands alone say it."""
OFFER_KINDS = ("take-back", "throw-again", "draw")
"""What one seat may offer and the other agrees to or declines."""


class QuietMoves:
    """The move that its owner may put back, (origin, target), as of each turn of the game that stands."""

    def __init__(self) -> None:
        self._after: dict[int, tuple[Space, Space] | None] = {}
        """By number of turns the last move, as of then."""
        self._turns = 0

    @property
    def last_move(self) -> tuple[Space, Space] | None:
        """The quiet move made last."""
        return self._after.get(self._turns)

    def note_accepted(self, words: str, hands: tuple[Space, ...], turns: int, *, battle: bool) -> None:
        """The action `words` was accepted; `turns` stand after it. `hands` is (origin, target) of a move.

        What is only said changes nothing, but that a take-back which was declined or withdrawn isn't asked
        for again. After one that was agreed the turn before may be put back in its turn.
        """
        last = self.last_move
        self._turns = turns
        if hands:
            self._after[turns] = None if battle else (hands[0], hands[1])
        elif words in ("decline-take-back", "withdraw-take-back"):
            self._after[turns] = None
        elif words not in ("agree-take-back", WALK_BACK_ACTION):
            self._after[turns] = last


def move_of_action(
    before: State, seat: Seat, words: str, last: tuple[Space, Space] | None, *, secret: bool
) -> tuple[Space, Space] | None:
    """How a piece is carried by an action, `last` being the move that may be taken back."""
    if secret:
        return None
    if words == "agree-take-back":
        return None if last is None else (last[1], last[0])
    return carried_move(before, seat, words)


class _SeatsByWordCache:
    """Who may say what about a game, kept of the state that was asked about last: a turn asks many times."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._by_word: Mapping[str, Seat] = {}

    def seats_by_word(self, state: State) -> Mapping[str, Seat]:
        """By word the first seat that may say it."""
        if state is not self._state:
            seats = reversed(state.seats)
            self._by_word = {str(word): seat for seat in seats for word in state.table_actions(seat)}
            self._state = state
        return self._by_word


_seats_by_word_cache = _SeatsByWordCache()


def seat_that_may_say(state: State, word: str) -> Seat | None:
    """The seat that may say `word` about the game now, such as `agree-draw`, if there is one."""
    return _seats_by_word_cache.seats_by_word(state).get(word)


# Events that lamps, sounds and timelines have signs for, whichever game tells them. A game may call its
# events what it likes: one of such a kind that has not got these fields is an event as any other.

BATTLE_RESULTS: Final = ("attacker", "defender", "both")
"""Who won a battle; `both` have fallen."""


def battle_result(kind: str, data: Mapping[str, Any]) -> str | None:
    """The `result` of an event `battle`, one of `BATTLE_RESULTS`; `None` if it is nothing of the kind."""
    result = data.get("result") if kind == "battle" else None
    return result if isinstance(result, str) and result in BATTLE_RESULTS else None


def battle_spaces(kind: str, data: Mapping[str, Any]) -> tuple[Space, Space] | None:
    """`from` and `to` of such an event: where the attacker came from, and where the defender stood."""
    ends = data.get("from"), data.get("to")
    if battle_result(kind, data) is None or not all(isinstance(end, str) for end in ends):
        return None
    return Space(str(ends[0])), Space(str(ends[1]))


def space_answer(kind: str, data: Mapping[str, Any]) -> tuple[Space, bool] | None:
    """What an event `answer` says about a space (`at`): whether its `thing` is `yes` or `no`."""
    at, thing = data.get("at"), data.get("thing")
    if kind != "answer" or not isinstance(at, str) or thing not in ("yes", "no"):
        return None
    return Space(at), thing == "yes"
