"""Players, set-up and order (F01 to F05)."""

from __future__ import annotations

import pytest

from boardrules.core import OptionError
from rules.fuhrer.positions import begin, drive, events, kinds, line, new, rest, standing, texts, why
from rules.ids import rule


@rule("F01", "F02", "G18", "X4", "allied_split")
@pytest.mark.parametrize(
    ("options", "seats", "owners"),
    [
        ({}, ("hitler", "allies"), ("allies", "allies", "allies")),
        ({"players": 3}, ("hitler", "tank-spy", "infantry"), ("tank-spy", "tank-spy", "infantry")),
        (
            {"players": 3, "allied_split": "tank_infantry"},
            ("hitler", "tank-infantry", "spy"),
            ("tank-infantry", "spy", "tank-infantry"),
        ),
        (
            {"players": 3, "allied_split": "spy_infantry"},
            ("hitler", "tank", "spy-infantry"),
            ("tank", "spy-infantry", "spy-infantry"),
        ),
        ({"players": 4}, ("hitler", "tank", "spy", "infantry"), ("tank", "spy", "infantry")),
    ],
)
def test_two_to_four_players_share_the_pieces(
    options: dict[str, object], seats: tuple[str, ...], owners: tuple[str, ...]
) -> None:
    state = new(**options)
    assert state.seats == seats
    assert tuple(state.view(None).json()["owners"].values()) == owners
    for piece, owner in zip(("tank", "spy", "infantry"), owners, strict=True):
        assert state.seats_to_act() == (owner,)
        state = line(state, f"{piece} {('berlin', 'ulm', 'kiel')[('tank', 'spy', 'infantry').index(piece)]}")


@rule("F01")
@pytest.mark.parametrize("players", [0, 1, 5, "2", None])
def test_other_numbers_of_players_are_refused(players: object) -> None:
    with pytest.raises(OptionError, match=r"players is .*; try one of 2, 3, 4"):
        new(players=players)


@rule("F03", "G19")
def test_the_allies_set_up_openly_in_order_then_hitler_in_secret() -> None:
    state = new(players=4)
    assert why(state, "spy berlin", "spy") == ("setup-order", "G19")
    assert why(state, "tank berlin", "spy") == ("not-your-turn", "F05")
    assert why(state, "hide berlin", "hitler") == ("not-your-turn", "F05")
    assert why(state, "roll", "tank") == ("setup-first", "F03")
    assert events(state, "tank berlin") == [{"kind": "placed", "piece": "tank", "at": "berlin"}]
    state = line(state, "tank berlin; spy ulm; infantry kiel")
    assert standing(state) == {
        "berlin": ("tank:tank",),
        "ulm": ("spy:spy",),
        "kiel": ("infantry:infantry",),
    }
    assert state.view("hitler").json()["pieces"] == {"tank": "berlin", "spy": "ulm", "infantry": "kiel"}
    assert state.seats_to_act() == ("hitler",)
    action = state.parse("hide linz", "hitler")
    assert action.secret
    assert "linz" not in repr(action)
    _, told = state.apply(action)
    assert all("linz" not in str(event.json()) for event in told)


@rule("F03", "G1")
def test_hitler_may_start_anywhere_on_allied_cities_too() -> None:
    state = line(new(), "tank berlin; spy ulm; infantry kiel")
    assert {f"hide {city}" for city in state.facts.rules.board.ids} == texts(state)
    found = rest(line(state, "hide kiel"))
    assert found.outcome == ("allies", "capture")
    assert found.facts.round == 1


@rule("X3", "start_cities")
def test_the_three_start_cities_differ_unless_any_will_do() -> None:
    state = line(new(), "tank berlin")
    assert why(state, "spy berlin") == ("city-taken", "X3")
    assert "spy berlin" not in texts(state)
    shared = line(new(start_cities="any"), "tank berlin; spy berlin; infantry berlin; hide kiel")
    assert standing(shared) == {"berlin": ("allies:tank", "allies:spy", "allies:infantry")}


@rule("F04", "X1", "X2", "first_round")
def test_in_round_one_only_the_allies_move() -> None:
    state = begin("berlin", "ulm", "kiel", "linz")
    assert state.facts.round == 1
    assert state.seats_to_act() == ("allies",)
    assert state.truth()["sheet"]["entries"] == ["linz"]
    after = rest(state)
    assert (after.facts.round, after.seats_to_act()) == (2, ("hitler",))


@rule("X1", "X2", "first_round")
def test_with_hitler_too_round_one_is_a_whole_round() -> None:
    state = begin("berlin", "ulm", "kiel", "linz", first_round="hitler_too")
    assert (state.facts.round, state.seats_to_act()) == (1, ("hitler",))
    assert state.truth()["sheet"]["entries"] == []
    state = line(state, "go passau")
    assert state.truth()["sheet"]["entries"] == ["passau"]
    assert state.seats_to_act() == ("allies",)
    state = drive(rest(state), "go passau")
    assert "token" in kinds(state, "go linz")
    assert events(state, "go linz")[1] == {"kind": "token", "at": "passau"}


@rule("F05", "G16")
def test_the_order_is_hitler_tank_spy_infantry_whoever_holds_them() -> None:
    state = rest(begin("berlin", "ulm", "kiel", "linz", players=3, allied_split="tank_infantry"))
    order = []
    for text in ("go linz", "stay", "roll 1", "stay", "done", "roll 1", "stay"):
        order.append((state.seats_to_act()[0], state.view(None).json()["piece"]))
        told = kinds(state, text)
        state = line(state, text)
    assert order == [
        ("hitler", None),
        ("tank-infantry", "tank"),
        ("chance", "spy"),
        ("spy", "spy"),
        ("spy", "spy"),
        ("chance", "infantry"),
        ("tank-infantry", "infantry"),
    ]
    assert told[-1] == "calendar"
    assert state.facts.round == 3
    assert why(state, "stay", "spy") == ("not-your-turn", "F05")
