"""Smugglers: five a side on 5 x 5 squares; two of them carry gold, which nobody else knows.

S1. Each side stands a smuggler on each square of its own row. Two carry gold (G), three sand (S).
    Both set up unseen, then White begins.
S2. A smuggler goes one square straight on, to an empty square.
S3. It takes one square diagonally on. What the taken one carried is then told to all.
S4. From the other side's own row it may leave the board, and what it carried is told to all.
S5. Who brings gold off the board wins. Who has lost both gold pieces has lost, and so has who can't move.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardrules import lenient_parsing, schema
from boardrules.core import (
    Action,
    BadText,
    Event,
    IllegalAction,
    Layout,
    LayoutPiece,
    Outcome,
    Refusal,
    Seat,
    Space,
    State,
    Step,
    View,
    expect_action,
    expect_seat,
    expect_viewer,
)
from boardrules.open_game import DataView, TextAction, no_options
from boardrules.package import GamePackage, Message, PieceAppearance, Sentences
from boardrules.players import Chance, ErringPlayer, GamePlayers, Player, PlayerLevel

ID: Final = "smugglers"
WHITE: Final = Seat("white")
BLACK: Final = Seat("black")
SEATS: Final = (WHITE, BLACK)
FILES: Final = "abcde"
RANKS: Final = "12345"
SQUARES: Final = frozenset(file + rank for file in FILES for rank in RANKS)
ZONES: Final = tuple(tuple(Space(file + rank) for file in FILES) for rank in "15")
OFF: Final = Space("off")
RESIGN: Final = "resign"
GOLD, SAND = "G", "S"
ARMY: Final = {GOLD: 2, SAND: 3}
THINGS: Final = {GOLD: "gold", SAND: "sand"}
TEXTS: Final = {
    "about": "Five smugglers a side, two of them with gold. Bring one with gold over the board and off it.",
    "seat white": "White",
    "seat black": "Black",
    "act leave": "Leave the board with the smuggler on {from}",
    "event setup": "{seat} has set up.",
    "event start": "Both have set up. White begins.",
    "event move": "{seat}: {from} to {to}.",
    "event take gold": "{seat}: {from} takes {to}, which carried gold.",
    "event take sand": "{seat}: {from} takes {to}, which carried sand.",
    "event leave gold": "{seat}: the smuggler from {from} leaves the board with gold.",
    "event leave sand": "{seat}: the smuggler from {from} leaves the board with nothing but sand.",
    "event resign": "{seat} resigned.",
    "space off": "the table beside the board",
    "won gold": "{winner} has brought gold off the board and wins.",
    "won no-gold": "{winner} has taken all the gold and wins.",
    "won no-move": "{winner} wins: the other side can't move.",
    "won resignation": "{winner} won by resignation.",
    "smugglers/over": "The game is over.",
    "smugglers/not-your-turn": "It isn't your turn: {seat}.",
    "smugglers/setup-first": "Both sides have to set up first.",
    "smugglers/setup-done": "The set-up is over.",
    "smugglers/setup-refused": "The set-up was refused.",
    "smugglers/setup-square": "A set-up takes each square of your own row once.",
    "smugglers/setup-cargo": "A set-up has two pieces with gold and three with sand.",
    "smugglers/no-smuggler": "No smuggler of yours stands on {from}.",
    "smugglers/no-way": "A smuggler can't go from {from} to {to}.",
    "smugglers/unknown": "There is no such action.",
}

Standing = tuple[Space, Seat, str, str]
"""A piece: where it stands, whose it is, where it was set up, and what it carries."""
Setups = tuple[tuple[str, ...] | None, tuple[str, ...] | None]
"""By side what its pieces carry, from file a on; nothing where it has not set up."""


class SetupAction(TextAction):
    """A set-up, which the other side may not read."""

    __slots__ = ()
    secret = True

    def __repr__(self) -> str:
        return "setup ..."

    def placements(self) -> dict[Space, str]:
        """By square what stands there carries."""
        pairs = [word.partition("=") for word in self.text.split()[1:]]
        return {Space(at): cargo for at, _, cargo in pairs}

    def square_names(self) -> list[str]:
        """The squares as written."""
        return [word.partition("=")[0] for word in self.text.split()[1:]]


def setup_of(seat: Seat, cargo: tuple[str, ...]) -> SetupAction:
    """The set-up with this cargo, from file a on."""
    return SetupAction(seat, _setup_text(dict(zip(ZONES[SEATS.index(seat)], cargo, strict=True))))


def _setup_text(pieces: Mapping[Space, str]) -> str:
    return " ".join(["setup", *(f"{at}={cargo}" for at, cargo in sorted(pieces.items()))])


ALL_CARGOS: Final = tuple(
    tuple(GOLD if at in golden else SAND for at in range(5)) for golden in itertools.combinations(range(5), 2)
)


class SmugglersState(State):
    """Who has set up, where smugglers stand, what each carries, and who is to move."""

    __slots__ = ("_outcome", "gone", "pieces", "setups", "side")
    game_id = ID
    seats = SEATS
    options: Mapping[str, Any] = {"players": 2}

    def __init__(
        self,
        setups: Setups = (None, None),
        pieces: tuple[Standing, ...] = (),
        side: int = 0,
        gone: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
        outcome: Outcome | None = None,
    ) -> None:
        """`gone`: by side what its pieces carried that were taken."""
        self.setups, self.pieces, self.side, self.gone, self._outcome = setups, pieces, side, gone, outcome

    # Values

    def _key(self) -> tuple[Any, ...]:
        return self.setups, self.pieces, self.side, self.gone, self._outcome

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SmugglersState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<{ID}: {' and '.join(self.seats_to_act()) or 'nobody'} to act>"

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self._outcome

    @property
    def is_setup(self) -> bool:
        """Whether somebody has to set up still."""
        return None in self.setups

    # What is seen

    def _facts(self, seat: Seat | None, all_known: bool = False) -> dict[str, Any]:
        phase = "over" if self._outcome else "setup" if self.is_setup else "play"
        known = self.pieces
        if self.is_setup and seat is not None:
            cargo = self.setups[SEATS.index(seat)]
            known = tuple(
                (at, seat, at, each)
                for at, each in zip(ZONES[SEATS.index(seat)], cargo or (), strict=cargo is not None)
            )
        board = {
            at: {"seat": owner, "rank": cargo if all_known or owner == seat else "?"}
            for at, owner, _, cargo in sorted(known)
        }
        facts: dict[str, Any] = {
            "game": ID,
            "seat": seat,
            "to_act": list(self.seats_to_act()),
            "phase": phase,
            "board": board,
            "captured": {each: list(gone) for each, gone in zip(SEATS, self.gone, strict=True)},
        }
        if self.is_setup:
            facts["army"] = dict(ARMY)
            facts["ready"] = {each: setup is not None for each, setup in zip(SEATS, self.setups, strict=True)}
        if self._outcome is not None:
            facts["outcome"] = self._outcome._asdict()
        return facts

    def view(self, seat: Seat | None) -> View:
        """What a seat may know: its own cargo."""
        expect_viewer(seat, SEATS)
        facts = self._facts(seat)
        return DataView(seat, facts, json.dumps(facts, indent=2))

    def truth(self) -> dict[str, Any]:
        """Everything."""
        setups = {
            seat: None if setup is None else list(setup)
            for seat, setup in zip(SEATS, self.setups, strict=True)
        }
        return {**self._facts(None, all_known=True), "setups": setups}

    def labels(self, seat: Seat) -> Mapping[Space, str]:
        """The seat's own cargo."""
        return {
            Space(at): piece["rank"]
            for at, piece in self._facts(seat)["board"].items()
            if piece["seat"] == seat
        }

    # What stands

    def layout(self) -> Layout:
        """By square its smuggler, told from others by where it was set up; nothing in the set-up."""
        return {at: (LayoutPiece(owner, name),) for at, owner, name, _ in sorted(self.pieces)}

    def trays(self) -> Layout:
        """Steps may lead off the board."""
        return {OFF: ()}

    def zone(self, seat: Seat) -> frozenset[Space]:
        """S1."""
        return frozenset(ZONES[SEATS.index(seat)]) if self.is_setup and seat in SEATS else frozenset()

    def unchecked_spaces(self) -> frozenset[Space]:
        """Both rows, until both are ready."""
        return frozenset(itertools.chain(*ZONES)) if self.is_setup else frozenset()

    def setup_text(self, pieces: Mapping[Space, str]) -> str:
        """`setup a1=G b1=S`."""
        return _setup_text(pieces)

    def setup_placements(self, action: Action) -> Mapping[Space, str]:
        """Its cargo by square."""
        return action.placements() if isinstance(action, SetupAction) else {}

    # What may be done

    def seats_to_act(self) -> tuple[Seat, ...]:
        """Who has not set up; then the side to move."""
        if self._outcome is not None:
            return ()
        if self.is_setup:
            return tuple(seat for seat, setup in zip(SEATS, self.setups, strict=True) if setup is None)
        return (SEATS[self.side],)

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """All ten set-ups, as long as one is missing; then the moves by S2 to S4."""
        expect_seat(seat, SEATS)
        if seat not in SEATS or self._outcome is not None:
            return ()
        if self.is_setup:
            return tuple(setup_of(seat, cargo) for cargo in ALL_CARGOS)
        return tuple(_moves(self.pieces, self.side)) if seat == SEATS[self.side] else ()

    def table_actions(self, seat: Seat) -> tuple[Action, ...]:
        """Giving up, once both have set up."""
        expect_seat(seat, SEATS)
        playing = seat in SEATS and self._outcome is None and not self.is_setup
        return (TextAction(seat, RESIGN),) if playing else ()

    def steps(self) -> tuple[Step, ...]:
        """What hands may do: all moves are public."""
        if self._outcome is not None or self.is_setup:
            return ()
        theirs = {at for at, owner, _, _ in self.pieces if owner != SEATS[self.side]}
        ways = [_way(action) for action in _moves(self.pieces, self.side)]
        return tuple(Step(one, to, False, (to,) if to in theirs else ()) for one, to in ways)

    def hand_action(self, seat: Seat, origin: Space, target: Space) -> Action:
        """From a square to another one, or off the board."""
        return self.parse(f"{origin}-{target}", seat)

    def parse(self, text: str, seat: Seat) -> Action:
        """`setup a1=G b1=S ...`, `a1-a2`, `a5-off`, `resign`."""
        expect_seat(seat, SEATS)
        words = lenient_parsing.words(text)
        if words[:1] == ["setup"]:
            pairs = [word.partition("=") for word in words[1:]]
            if not pairs or not all(at in SQUARES and each.upper() in ARMY for at, _, each in pairs):
                raise BadText("no set-up; try setup a1=G b1=S c1=G d1=S e1=S")
            return SetupAction(seat, " ".join(["setup", *sorted(f"{at}={c.upper()}" for at, _, c in pairs)]))
        if words == [RESIGN]:
            return TextAction(seat, RESIGN)
        way = lenient_parsing.split_pair(words, {*SQUARES, OFF})
        if way is None:
            raise BadText(f"{text!r} is no action; try a1-a2, a5-{OFF}, {RESIGN} or a set-up")
        return TextAction(seat, "-".join(way))

    def refusal(self, action: Action) -> Refusal | None:
        """The first rule that is against it."""
        expect_action(action)
        seat = action.seat
        if self._outcome is not None:
            return Refusal(f"{ID}/over", "S5")
        if seat not in SEATS:
            return Refusal(f"{ID}/unknown", "S1")
        if isinstance(action, SetupAction):
            return self._setup_refusal(action)
        if self.is_setup:
            return Refusal(f"{ID}/setup-first", "S1")
        if str(action) == RESIGN:
            return None
        if seat != SEATS[self.side]:
            return Refusal(f"{ID}/not-your-turn", "S1", (("seat", seat),))
        if action in self.legal_actions(seat):
            return None
        origin, target = _way(action)
        where = (("from", origin), ("to", target))
        if origin not in {at for at, owner, _, _ in self.pieces if owner == seat}:
            return Refusal(f"{ID}/no-smuggler", "S2", where)
        return Refusal(f"{ID}/no-way", "S2", where)

    def _setup_refusal(self, action: SetupAction) -> Refusal | None:
        if not self.is_setup:
            return Refusal(f"{ID}/setup-done", "S1")
        public = f"{ID}/setup-refused"
        if sorted(action.square_names()) != sorted(ZONES[SEATS.index(action.seat)]):
            return Refusal(f"{ID}/setup-square", "S1", (), public)
        if Counter(action.placements().values()) != ARMY:
            return Refusal(f"{ID}/setup-cargo", "S1", (), public)
        return None

    # What happens

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The next position and what happened. Raises `IllegalAction`."""
        refusal = self.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)
        if isinstance(action, SetupAction):
            return self._apply_setup(action)
        seat, side = action.seat, SEATS.index(action.seat)
        if str(action) == RESIGN:
            event = Event(RESIGN, (("seat", seat),))
            return self._end(self.pieces, self.gone, SEATS[1 - side], "resignation", event)
        origin, target = _way(action)
        own = next(piece for piece in self.pieces if piece[0] == origin)
        other = next((piece for piece in self.pieces if piece[0] == target), None)
        rest = tuple(piece for piece in self.pieces if piece not in (own, other))
        where = (("seat", seat), ("from", origin), ("to", target))
        if target == OFF:
            event = Event("leave", (*where, ("thing", THINGS[own[3]])))
            if own[3] == GOLD:
                return self._end(rest, self.gone, seat, "gold", event)
            return self._next(rest, self.gone, event)
        pieces = tuple(sorted((*rest, (target, *own[1:]))))
        if other is None:
            return self._next(pieces, self.gone, Event("move", where))
        event = Event("take", (*where, ("thing", THINGS[other[3]])))
        white, black = self.gone
        gone = (white, (*black, other[3])) if side == 0 else ((*white, other[3]), black)
        if gone[1 - side].count(GOLD) == ARMY[GOLD]:
            return self._end(pieces, gone, seat, "no-gold", event)
        return self._next(pieces, gone, event)

    def _apply_setup(self, action: SetupAction) -> tuple[State, tuple[Event, ...]]:
        side = SEATS.index(action.seat)
        placed = action.placements()
        cargo = tuple(placed[at] for at in ZONES[side])
        setups = (cargo, self.setups[1]) if side == 0 else (self.setups[0], cargo)
        told = Event("setup", (("seat", action.seat),))
        if None in setups:
            return SmugglersState(setups), (told,)
        pieces = tuple(
            sorted(
                (at, seat, at, each)
                for seat, zone, setup in zip(SEATS, ZONES, setups, strict=True)
                for at, each in zip(zone, setup or (), strict=True)
            )
        )
        return SmugglersState(setups, pieces), (told, Event("start", ()))

    def _next(self, pieces: tuple[Standing, ...], gone: Any, event: Event) -> tuple[State, tuple[Event, ...]]:
        if not _moves(pieces, 1 - self.side):
            return self._end(pieces, gone, SEATS[self.side], "no-move", event)
        return SmugglersState(self.setups, pieces, 1 - self.side, gone), (event,)

    def _end(
        self, pieces: tuple[Standing, ...], gone: Any, winner: Seat, reason: str, event: Event
    ) -> tuple[State, tuple[Event, ...]]:
        over = Event("over", (("winner", winner), ("reason", reason)))
        return SmugglersState(self.setups, pieces, self.side, gone, Outcome(winner, reason)), (event, over)


def _way(action: Action) -> tuple[Space, Space]:
    origin, _, target = str(action).partition("-")
    return Space(origin), Space(target)


def _moves(pieces: tuple[Standing, ...], side: int) -> list[Action]:
    """S2 to S4."""
    seat = SEATS[side]
    found: list[Action] = []
    owners = {at: owner for at, owner, _, _ in pieces}
    for origin, owner in sorted(owners.items()):
        if owner != seat:
            continue
        if origin[1] == "51"[side]:
            found.append(TextAction(seat, f"{origin}-{OFF}"))
            continue
        file, rank = FILES.index(origin[0]), int(origin[1]) + (1 - 2 * side)
        for at in (file - 1, file, file + 1):
            if not 0 <= at < 5:
                continue
            target = Space(f"{FILES[at]}{rank}")
            there = owners.get(target)
            if (at == file and there is None) or (at != file and there not in (None, seat)):
                found.append(TextAction(seat, f"{origin}-{target}"))
    return found


def choose_simply(view: Any, legal: Sequence[Action], chance: Chance) -> Action:
    """Off with gold, else take, else go on where nobody takes it; gold rather than sand."""
    facts = view.json()
    actions = list(legal)
    if facts["phase"] != "play":
        return actions[chance.randrange(len(actions))]
    board, seat = facts["board"], facts["seat"]
    on = 1 if seat == WHITE else -1

    def worth(action: Action) -> int:
        origin, target = _way(action)
        gold = board[origin]["rank"] == GOLD
        if target == OFF:
            return 100 if gold else 1
        file, rank = FILES.index(target[0]), int(target[1]) + on
        watchers = [f"{FILES[at]}{rank}" for at in (file - 1, file + 1) if 0 <= at < 5]
        danger = any(board.get(at, {"seat": seat})["seat"] != seat for at in watchers)
        return 30 * (target in board) - (40 if gold else 5) * danger + (8 if gold else 5)

    best = max(map(worth, actions))
    choices = [action for action in actions if worth(action) == best]
    return choices[chance.randrange(len(choices))]


def make_player(seat: Seat, level: PlayerLevel) -> Player:
    """A player of a level."""
    return ErringPlayer(choose_simply, level.settings["errs"])


class Smugglers(GamePackage):
    """The game with all that belongs to it."""

    id = ID
    title = "Smugglers"

    def new(self, options: Mapping[str, Any]) -> State:
        """S1."""
        no_options(self.id, options)
        return SmugglersState()

    def about(self) -> Message:
        """What it is about."""
        return Message("about", {}, self.id)

    def schema(self) -> Mapping[str, Any]:
        """What its views hold."""
        piece = schema.fields({"seat": schema.TEXT, "rank": schema.TEXT})
        return schema.view(
            {
                "phase": schema.TEXT,
                "board": schema.by_name(piece),
                "captured": schema.by_name(schema.list_of(schema.TEXT)),
            },
            {"army": schema.by_name(schema.NUMBER), "ready": schema.by_name(schema.BOOLEAN)},
        )

    def sentences(self) -> Sentences:
        """What the game says."""
        return Sentences(TEXTS)

    def space_names(self, state: State) -> Mapping[Space, Message]:
        """What people call the place beside the board."""
        return {OFF: Message("space off", {}, self.id)}

    def armies(self) -> Mapping[Seat, Mapping[str, int]]:
        """Both alike."""
        return dict.fromkeys(SEATS, ARMY)

    def suggest_setup(
        self, options: Mapping[str, Any], seat: Seat, preset: str, kept: Mapping[Space, str], chance: Chance
    ) -> Mapping[Space, str]:
        """Drawn by chance, around what is kept."""
        if preset:
            raise ValueError(f"{self.id} has no set-up {preset!r}")
        zone = ZONES[SEATS.index(seat)]
        fitting = [
            cargo
            for cargo in ALL_CARGOS
            if all(cargo[zone.index(at)] == each for at, each in kept.items() if at in zone)
        ] or list(ALL_CARGOS)
        return dict(zip(zone, fitting[chance.randrange(len(fitting))], strict=True))

    def piece_appearance(self) -> PieceAppearance:
        """Gold and sand."""
        return PieceAppearance(names={GOLD: "Gold", SAND: "Sand"}, context=ID)

    def players(self) -> GamePlayers:
        """Two levels."""
        levels = (PlayerLevel("1", 1, {"errs": 0.4}), PlayerLevel("2", 1, {"errs": 0.0}))
        return GamePlayers(levels, make_player)

    def simulated_people_kind(self) -> str:
        """They set up by hand, and who takes stands there."""
        return "open"


GAME: Final = Smugglers()
