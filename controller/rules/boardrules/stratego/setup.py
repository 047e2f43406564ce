"""The hidden set-up: each seat on its own, changed at will until both are in (Q05, G1, G2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol

from boardrules.core import (
    CLOCK,
    Action,
    ActionSample,
    Event,
    IllegalAction,
    Layout,
    Outcome,
    Refusal,
    Seat,
    Space,
    State,
    View,
    expect_action,
    expect_seat,
    expect_viewer,
)
from boardrules.stratego import table_actions
from boardrules.stratego.actions import SEATS, TABLE_ACTIONS, StrategoMove, StrategoSetup, TableAction
from boardrules.stratego.board import CAPTURED_SQUARE
from boardrules.stratego.facts import RevealedRanks, StrategoFacts, initial_hidden_ranks
from boardrules.stratego.pieces import RANK_BY_SIGN, SCOUT, UNKNOWN
from boardrules.stratego.play import state_of_result
from boardrules.stratego.refusals import make_refusal
from boardrules.stratego.rules import StrategoRules
from boardrules.stratego.text import parse
from boardrules.stratego.turns import begin_first_turn

SAMPLE_SIZE: Final = 12


class Sampler(Protocol):
    """Where a random set-up takes its chance from: `random.Random` is one."""

    def sample(self, population: list[Space], k: int) -> list[Space]:
        """`k` of them in random order."""


def draw_setup(rules: StrategoRules, seat: Seat, draws: Sampler) -> StrategoSetup:
    """A set-up of `seat` with every piece on a random square it may use."""
    spaces = list(rules.board.spaces_of_mask(rules.setup_masks[SEATS.index(seat)]))
    army = [rank for rank, count in rules.army.items() for _ in range(count)]
    return StrategoSetup(seat, zip(draws.sample(spaces, len(army)), army, strict=True))


class _FixedShuffler:
    """A fixed row of shuffles, the same on every machine: a linear congruence, no chance in it."""

    def __init__(self, start: int) -> None:
        self.state = start

    def sample(self, population: list[Space], k: int) -> list[Space]:
        """`k` of `population`."""
        left = list(population)
        picked = []
        for _ in range(k):
            self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            picked.append(left.pop((self.state >> 33) % len(left)))
        return picked


class SetupSample(ActionSample):
    """Every set-up of a seat; iterating gives `SAMPLE_SIZE` of them, always the same."""

    __slots__ = ("rules", "seat")

    def __init__(self, rules: StrategoRules, seat: Seat) -> None:
        self.rules = rules
        self.seat = seat

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, StrategoSetup)
            and action.seat == self.seat
            and setup_refusal(self.rules, action) is None
        )

    def __iter__(self) -> Iterator[Action]:
        for number in range(SAMPLE_SIZE):
            yield draw_setup(self.rules, self.seat, _FixedShuffler(number + 1))

    def __len__(self) -> int:
        return SAMPLE_SIZE


def setup_refusal(rules: StrategoRules, setup: StrategoSetup) -> Refusal | None:
    """All that is wrong with a set-up: told to its owner alone; the public hears only that it was refused."""
    if _is_valid_setup(rules, setup):
        return None
    first, *others = _setup_faults(rules, setup)
    return first._replace(public_code="stratego/setup-refused", further_refusals=tuple(others))


def _is_valid_setup(rules: StrategoRules, setup: StrategoSetup) -> bool:
    """Whether the squares are allowed ones, no two alike, and the ranks the army."""
    squares, mask = rules.board.squares, 0
    for square, _ in setup.pieces:
        mask |= 1 << squares.get(square, CAPTURED_SQUARE)
    if setup.seat not in SEATS or mask & ~rules.setup_masks[SEATS.index(setup.seat)]:
        return False
    ranks = sorted([RANK_BY_SIGN.get(rank, UNKNOWN) for _, rank in setup.pieces])
    return mask.bit_count() == len(ranks) and ranks == rules.sorted_ranks


def _setup_faults(rules: StrategoRules, setup: StrategoSetup) -> list[Refusal]:
    """By square and by rank what is wrong: at least one thing, as the set-up doesn't fit."""
    if setup.seat not in SEATS:
        return [make_refusal("stratego/unknown-action")]
    squares = [square for square, _ in setup.pieces]
    ranks = [rank for _, rank in setup.pieces]
    faults = []
    for square in dict.fromkeys(squares):
        code = _square_fault_code(rules, SEATS.index(setup.seat), square)
        if code is not None:
            faults.append(make_refusal(code, square=square))
        if squares.count(square) > 1:
            faults.append(make_refusal("stratego/setup-doubled", square=square))
    for rank in dict.fromkeys((*RANK_BY_SIGN, *ranks)):
        given, expected = ranks.count(rank), rules.army.get(rank, 0)
        if given != expected:
            numbers = {"given": str(given), "expected": str(expected)}
            faults.append(make_refusal("stratego/setup-army", rank=rank, **numbers))
    return faults


def _square_fault_code(rules: StrategoRules, side: int, square: str) -> str | None:
    """The code of why a side may not use a square."""
    board = rules.board
    if square not in board.squares or not board.zones[side] >> board.squares[square] & 1:
        return "stratego/setup-zone"
    return None if rules.setup_masks[side] >> board.squares[square] & 1 else "stratego/setup-mask"


class SetupState(State):
    """Before the first turn: which seats have set up is public, how they did is not."""

    __slots__ = ("_outcome", "_rules", "_setups")

    def __init__(
        self,
        rules: StrategoRules,
        setups: tuple[StrategoSetup | None, StrategoSetup | None] = (None, None),
        outcome: Outcome | None = None,
    ) -> None:
        self._rules = rules
        self._setups = setups
        self._outcome = outcome

    @property
    def rules(self) -> StrategoRules:
        """What is fixed for the whole game."""
        return self._rules

    @property
    def setups(self) -> tuple[StrategoSetup | None, StrategoSetup | None]:
        """By side the set-up that is in."""
        return self._setups

    @property
    def game_id(self) -> str:
        """As the registry knows the game."""
        return self._rules.game_id

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Q01."""
        return SEATS

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with the value in force."""
        return self._rules.options

    @property
    def outcome(self) -> Outcome | None:
        """Set only where time ran out (E5)."""
        return self._outcome

    def seats_to_act(self) -> tuple[Seat, ...]:
        """The seats whose set-up is missing."""
        missing = zip(SEATS, self._setups, strict=True)
        return () if self._outcome else tuple(seat for seat, setup in missing if setup is None)

    def legal_actions(self, seat: Seat) -> SetupSample | tuple[()]:
        """Every set-up, also for a seat that is ready and waits (G2)."""
        expect_seat(seat, SEATS)
        return SetupSample(self._rules, seat) if seat in SEATS and self._outcome is None else ()

    def table_actions(self, seat: Seat) -> tuple[TableAction, ...]:
        """Only the clock has something to say."""
        expect_seat(seat, SEATS)
        return TABLE_ACTIONS[CLOCK] if seat == CLOCK and self._outcome is None else ()

    def refusal(self, action: Action) -> Refusal | None:
        """Why an action is refused."""
        expect_action(action)
        if isinstance(action, TableAction):
            return self._table_refusal(action)
        if self._outcome is not None:
            return make_refusal("stratego/over")
        if isinstance(action, StrategoSetup):
            return setup_refusal(self._rules, action)
        return make_refusal(
            "stratego/setup-first" if isinstance(action, StrategoMove) else "stratego/unknown-action"
        )

    def _table_refusal(self, say: TableAction) -> Refusal | None:
        if say not in TABLE_ACTIONS.get(say.seat, ()):
            return make_refusal("stratego/unknown-action")
        if self._outcome is not None:
            return make_refusal("stratego/over")
        return None if say.seat == CLOCK else make_refusal("stratego/setup-resign")  # Q27

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        """A set-up comes in or is changed; with the second one the game begins."""
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        if isinstance(action, TableAction):
            outcome, events = table_actions.time_up(Seat(action.words.removeprefix("time ")))
            return SetupState(self._rules, self._setups, outcome), events
        assert isinstance(action, StrategoSetup)
        told = (Event("setup", (("seat", action.seat),)),)
        red, blue = self._setups
        red, blue = (action, blue) if action.seat == SEATS[0] else (red, action)
        if red is None or blue is None:
            return SetupState(self._rules, (red, blue)), told
        return begin_play(self._rules, dict(red.pieces), dict(blue.pieces), (*told, Event("start", ())))

    def parse(self, text: str, seat: Seat) -> Action:
        """A set-up, a move or a table action as written."""
        return parse(text, seat, self._rules.board)

    def view(self, seat: Seat | None) -> View:
        """Who is ready, and the seat's own set-up."""
        expect_viewer(seat, SEATS)
        own = None if seat is None else self._setups[SEATS.index(seat)]
        ready = tuple(setup is not None for setup in self._setups)
        return SetupView(seat, self._rules, ready, own, self._outcome)

    def layout(self) -> Layout:
        """Nothing yet: the zones are free."""
        return {}

    def zone(self, seat: Seat) -> frozenset[Space]:
        """The squares that the seat may set up on (G4), as long as set-ups may be changed (G2)."""
        if seat not in SEATS or self._outcome is not None:
            return frozenset()
        return frozenset(self.rules.board.spaces_of_mask(self.rules.setup_masks[SEATS.index(seat)]))

    def setup_text(self, pieces: Mapping[Space, str]) -> str:
        """`setup a1=F b1=B`."""
        return " ".join(["setup", *(f"{square}={rank}" for square, rank in sorted(pieces.items()))])

    def setup_placements(self, action: Action) -> Mapping[Space, str]:
        """The ranks of a set-up."""
        return dict(action.pieces) if isinstance(action, StrategoSetup) else {}

    def labels(self, seat: Seat) -> Mapping[Space, str]:
        """The set-up that the seat has sent in."""
        setup = self.setups[SEATS.index(seat)]
        return {} if setup is None else dict(setup.pieces)

    def unchecked_spaces(self) -> frozenset[Space]:
        """Both zones: either army may still be changed (G2)."""
        zones = self._rules.board.zones
        return (
            frozenset(self._rules.board.spaces_of_mask(zones[0] | zones[1]))
            if self._outcome is None
            else frozenset()
        )

    def hand_action(self, seat: Seat, origin: str, target: str) -> StrategoMove:
        """The move between the two squares: refused for now (G1)."""
        return self._rules.board.named_move(seat, origin, target)

    def truth(self) -> dict[str, Any]:
        """Everything, secrets included."""
        armies = {
            seat: None if setup is None else dict(setup.pieces)
            for seat, setup in zip(SEATS, self._setups, strict=True)
        }
        return {**self.view(None).json(), "setups": armies, "options": dict(self._rules.options)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SetupState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self._rules, self._setups, self._outcome

    def __reduce__(self) -> tuple[Any, ...]:
        return SetupState, self._key()

    def __repr__(self) -> str:
        return f"<{self.game_id}: set-up, waiting for {' and '.join(self.seats_to_act()) or 'nobody'}>"


class SetupView(View):
    """The set-up as one seat, or the spectator, may know it."""

    __slots__ = ("outcome", "own_setup", "ready", "rules")

    def __init__(
        self,
        seat: Seat | None,
        rules: StrategoRules,
        ready: tuple[bool, ...],
        own: StrategoSetup | None,
        outcome: Outcome | None,
    ) -> None:
        super().__init__(seat)
        self.rules = rules
        self.ready = ready
        self.own_setup = own
        self.outcome = outcome

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats whose set-up is missing."""
        waiting = tuple(seat for seat, ready in zip(SEATS, self.ready, strict=True) if not ready)
        return waiting if self.outcome is None else ()

    def json(self) -> dict[str, Any]:
        """`ready` by seat, `board` with the seat's own pieces, and what its army has to be."""
        pieces = () if self.own_setup is None else self.own_setup.pieces
        json: dict[str, Any] = {
            "game": self.rules.game_id,
            "seat": self.seat,
            "to_act": list(self.to_act),
            "phase": "setup" if self.outcome is None else "over",
            "turn": 0,
            "ready": dict(zip(SEATS, self.ready, strict=True)),
            "army": dict(self.rules.army),
            "board": {
                square: {"seat": self.seat, "rank": rank, "moved": False, "known": False}
                for square, rank in sorted(pieces, key=lambda piece: self.rules.board.squares[piece[0]])
            },
            "captured": {seat: [] for seat in SEATS},
            "battles": [],
            "last": None,
            "offer": None,
        }
        if self.outcome is not None:
            json["outcome"] = self.outcome._asdict()
        return json

    def text(self) -> str:
        """The board with the seat's own set-up."""
        from boardrules.stratego.text_board import board_text

        return board_text(self.json(), self.rules.board)

    def comparison_key(self) -> tuple[object, ...]:
        """All that it holds beside its seat."""
        return self.rules, self.ready, self.own_setup, self.outcome

    def __repr__(self) -> str:
        return f"<view of {self.seat or 'the spectator'}: set-up>"


def begin_play(
    rules: StrategoRules,
    red: Mapping[str, str],
    blue: Mapping[str, str],
    events: tuple[Event, ...] = (),
    side: int = 0,
) -> tuple[State, tuple[Event, ...]]:
    """The position with these pieces (square -> rank) and `side` to move; E6 may end it at once."""
    squares = rules.board.squares
    armies = [
        sorted((squares[square], RANK_BY_SIGN[rank]) for square, rank in army.items()) for army in (red, blue)
    ]
    places = bytes(square for army in armies for square, _ in army)
    ranks = bytes(rank for army in armies for _, rank in army)
    reds, blank = len(red), bytes(len(ranks))
    scouts = (ranks[:reds].count(SCOUT), ranks[reds:].count(SCOUT))
    masks = [rules.board.mask_of_names(army) for army in (red, blue)]
    start = rules.shuttle_rule.initial_run
    facts = StrategoFacts(
        rules=rules,
        square_by_piece=places,
        own_squares=masks[side],
        enemy_squares=masks[1 - side],
        side=side,
        ply=0,
        reached_squares=0,
        revealed=RevealedRanks(places, reds, scouts, blank, blank, (), 0),
        last_move=None,
        previous_own_move=None,
        own_run=start,
        foe_run=start,
        chase=(),
        foe_chase=(),
        has_revealed=True,
        offer=None,
        outcome=None,
    )
    assert CAPTURED_SQUARE not in places
    return state_of_result(begin_first_turn(facts, initial_hidden_ranks(ranks, reds), events))
