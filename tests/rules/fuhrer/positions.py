"""Short ways to write games of Fall of the Führer.

All is played on `field.map`, whatever the shipped map is. A line is texts with `;` between, each said by
whoever is to act: `begin("berlin", "leipzig", "ulm", "kiel")`, then `line(state, "stay; roll 1")`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import boardrules
from boardrules.core import CHANCE, CLOCK, Action, BadText, IllegalAction, Refusal
from boardrules.fuhrer import actions
from boardrules.fuhrer.options import OPTION_VALUES
from boardrules.fuhrer.play import FuhrerState
from boardumpire.messages import announce
from rules.telling import says

SPEAKS = "fall-of-the-fuhrer"
TEXTS = announce.sentences(SPEAKS).texts

GAME = "fall-of-the-fuhrer"
FIELD = Path(__file__).with_name("field.map").read_text()

SMALL = """boardumpire-map 1
name Small
city bonn 0 0 Bonn
city ulm 1 0 Ulm
city trier 2 0 Trier
city kiel 3 0 Kiel
city linz 4 0 Linz
city innsbruck 5 0 Innsbruck
city flensburg 6 0 Flensburg
airport bonn innsbruck flensburg
link bonn ulm
link ulm trier
link trier kiel
link kiel linz
link linz innsbruck
link innsbruck flensburg
link flensburg bonn
"""
"""A ring: bonn ulm trier kiel linz innsbruck flensburg. Airports lie together at one end."""


def new(**options: Any) -> FuhrerState:
    """A game before the set-up."""
    state = boardrules.new(GAME, {"map": FIELD, **options})
    assert isinstance(state, FuhrerState)
    return state


def line(state: FuhrerState, texts: str) -> FuhrerState:
    """The state after what is said, all of which must be legal."""
    for text in texts.split(";"):
        state, _ = state.apply(state.parse(text.strip(), state.seats_to_act()[0]))
    return state


def begin(tank: str, spy: str, infantry: str, hitler: str, **options: Any) -> FuhrerState:
    """A game after the set-up."""
    return line(new(**options), f"tank {tank}; spy {spy}; infantry {infantry}; hide {hitler}")


def rest(
    state: FuhrerState, tank: str = "stay", spy: str = "stay", infantry: str = "stay", ask: str = "done"
) -> FuhrerState:
    """The Allies' part of a round: where each goes, by a die that just reaches."""
    for piece, to in ((0, tank), (1, spy), (2, infantry)):
        if state.facts.stage.name == "tank":
            state = line(state, "stay" if to == "stay" else "roll")
            if to == "stay":
                continue
        at = state.facts.city_by_piece[piece]
        die = 1 if to == "stay" else distance(state, at, to)
        state = line(state, f"roll {die}")
        state = line(state, "stay" if to == "stay" else f"{state.facts.rules.board.ids[at]}-{to}")
        if piece == 1:
            state = line(state, ask)
    return state


def drive(state: FuhrerState, *rounds: str, **allies: str) -> FuhrerState:
    """Whole rounds: each what Hitler does, then the Allies as in `rest`."""
    for text in rounds:
        state = rest(line(state, text), **allies)
    return state


def distance(state: FuhrerState, at: int, to: str) -> int:
    """How many links lie between."""
    board = state.facts.rules.board
    return next(die for die in (1, 2, 3) if board.cities_within[at][die] >> board.index[to] & 1)


def texts(state: FuhrerState, seat: str | None = None) -> set[str]:
    """The legal actions as texts."""
    return {str(action) for action in state.legal_actions(seat or state.seats_to_act()[0])}


def goes(state: FuhrerState) -> set[str]:
    """The cities where Hitler's turn may end without a ticket."""
    return {text.removeprefix("go ") for text in texts(state, "hitler") if text.count(" ") == 1}


def events(state: FuhrerState, text: str, seat: str | None = None) -> list[dict[str, Any]]:
    """What happens by an action."""
    found = state.apply(state.parse(text, seat or state.seats_to_act()[0]))[1]
    return [event.json() for event in found]


def kinds(state: FuhrerState, text: str) -> list[str]:
    """The kinds of what happens."""
    return [str(event["kind"]) for event in events(state, text)]


def refusal(state: FuhrerState, text: str, seat: str | None = None) -> Refusal:
    """Why an action is refused; it must be."""
    action = state.parse(text, seat or state.seats_to_act()[0])
    found = state.refusal(action)
    assert found is not None
    with pytest.raises(IllegalAction) as caught:
        state.apply(action)
    assert caught.value.refusal == found
    for public in (False, True):
        assert says(announce.refusal_message(found, SPEAKS, public=public))
    return found


def why(state: FuhrerState, text: str, seat: str | None = None) -> tuple[str, str]:
    """Code and rule of a refusal."""
    found = refusal(state, text, seat)
    return found.code.removeprefix("fuhrer/"), found.rule


def flags(state: FuhrerState) -> list[str]:
    """The liberated cities."""
    shown: list[str] = state.view(None).json()["flags"]
    return shown


def possible(state: FuhrerState) -> set[str]:
    """Where Hitler may be, as everybody can know."""
    return set(state.view(None).possible_cities)


def city_of(state: FuhrerState) -> str:
    """Where Hitler is."""
    return str(state.truth()["sheet"]["at"])


def random_options(rng: random.Random, **fixed: Any) -> dict[str, Any]:
    """Any options that go together."""
    options: dict[str, Any] = {name: rng.choice(values) for name, values in OPTION_VALUES.items()}
    options |= {"map": rng.choice((FIELD, SMALL))} | fixed
    if options["liberation"] == "declared":
        options["tank_roll"] = "optional"
    return options


def walk(
    state: FuhrerState, rng: random.Random, longest: int = 10**6
) -> Iterator[tuple[FuhrerState, Action]]:
    """A random game: states, each with the action that is taken there."""
    for _ in range(longest):
        if state.outcome is not None:
            return
        action = rng.choice(list(state.legal_actions(state.seats_to_act()[0])))
        yield state, action
        state, _ = state.apply(action)


def attempts(state: Any, rng: random.Random) -> Iterator[Action]:
    """Actions of every kind by every seat, most of them not allowed."""
    ids: Sequence[str] = state.facts.rules.board.ids
    airport = ids[0]
    seats = (*state.seats, CHANCE, CLOCK)
    for _ in range(30):
        one, other, third = (rng.choice(ids) for _ in range(3))
        piece = rng.randrange(3)
        if state.facts.city_by_piece[piece : piece + 1]:
            one = rng.choice((one, ids[state.facts.city_by_piece[piece]]))
        tried = (
            f"{one}-{other}", f"{one}-{one}", f"ask {one}", f"ask {one} {third}", f"tank {one}", f"spy {one}",
            f"infantry {one}", f"hide {one}", f"go {one}", f"go {one} ticket", f"go {one} ticket ticket",
            f"go {one} ticket={airport}", "recapture", "written", f"written token={one}",
            f"written ticket recapture={other}", f"sheet {one} {other}", "roll 1", "roll 3", "time hitler",
            *actions.GAME_WORDS, *actions.TABLE_WORDS,
        )  # fmt: skip
        for text in rng.sample(tried, 6):
            for seat in seats:
                try:
                    yield state.parse(text, seat)
                except BadText:
                    continue
    yield boardrules.new("stratego-quick-duel").hand_action("red", "a1", "a2")
    foreign = boardrules.new(GAME, {"map": SMALL if state.options["map"] != SMALL else FIELD})
    yield foreign.parse("kiel-linz", "allies")


def standing(state: FuhrerState) -> dict[str, tuple[str, ...]]:
    """By city the pieces there, as texts: `allies:tank`."""
    return {city: tuple(map(str, there)) for city, there in state.layout().items()}
