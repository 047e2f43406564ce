"""The referee on a pipe: JSON lines in, JSON lines out, whatever comes in."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardrules import english, registry
from boardrules.core import Action, Event, State, View
from boardrules.game import Game
from boardrules.package import Message, Sentences
from boardumpire.commands.referee.referee import Referee, run
from boardumpire.commands.referee.referee_table import GameWithChance
from rules import toy

registry.register(toy.Toy())


class BrokenState(toy.ToyState):
    """A game with mistakes in it: its second throw fails, and so does the look at it."""

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        if self.position.dealt == 1:
            raise KeyError("the mar" + "shal")
        state, events = super().apply(action)
        assert isinstance(state, toy.ToyState)
        return BrokenState(state.position, state.cards), events

    def view(self, seat: str | None) -> View:
        raise IndexError("the mar" + "shal")


class Broken(toy.Toy):
    id = "broken"

    def new(self, options: Mapping[str, Any]) -> State:
        return BrokenState(toy.Position(), (None, None))


registry.register(Broken())
RED = "setup a1=F b1=B c1=B a2=S b2=2 c2=2 d2=3 a3=3 b3=9 d3=10"
BLUE = "setup a8=F b8=B c8=B a7=S b7=2 c7=2 d7=3 a6=3 b6=9 d6=10"
NEW = {"do": "new", "game": "stratego-quick-duel", "options": {}, "seed": 1}


def ask(referee: Referee, **request: Any) -> Any:
    return referee.answer_line(json.dumps(request))


def begun() -> Referee:
    referee = Referee()
    for request in (
        NEW,
        {"do": "act", "seat": "red", "action": RED},
        {"do": "act", "seat": "blue", "action": BLUE},
    ):
        assert ask(referee, **request)["ok"]
    return referee


def test_a_line_in_gives_a_line_out_and_it_goes_on() -> None:
    out = io.StringIO()
    run(Referee(), [json.dumps(NEW) + "\n", "nonsense\n", "\n", '{"do":"legal","seat":"red"}\n'], out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False, True]


def test_a_mistake_in_a_game_is_answered_and_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    referee = Referee()
    assert ask(referee, do="new", game="broken")["to_act"] == ["chance"]
    assert ask(referee, do="act", seat="chance", action="deal north card")["ok"]
    before = ask(referee, do="record")
    for request in (
        {"do": "act", "seat": "chance", "action": "deal south blank"},
        {"do": "view", "seat": None},
    ):
        told = ask(referee, **request)
        assert told["error"]["code"] == "broken-game"
        assert "marshal" not in json.dumps(told) + caplog.text
    assert "KeyError" in caplog.text
    assert ask(referee, do="record") == before
    assert ask(referee, do="new", game="broken", seed=1, at="b")["error"]["code"] == "broken-game"
    assert ask(referee, do="legal", seat="chance", at="b")["error"]["code"] == "no-game"
    assert ask(referee, do="undo")["ok"]


class Odd(Broken):
    id = "odd"

    def new(self, options: Mapping[str, Any]) -> State:
        return OddState(toy.Position(), (None, None))


class OddState(toy.ToyState):
    """Its events are no JSON."""

    def apply(self, action: Action) -> tuple[State, tuple[Event, ...]]:
        state, _ = super().apply(action)
        return state, (Event("deal", (("cards", {1, 2}),)),)


registry.register(Odd())


def test_what_is_no_json_is_answered_and_the_next_line_is_too() -> None:
    out = io.StringIO()
    act = {"do": "act", "seat": "chance", "action": "deal north card"}
    run(
        Referee(),
        [json.dumps(each) + "\n" for each in ({"do": "new", "game": "odd"}, act, {"do": "hello"})],
        out,
    )
    first, second, third = [json.loads(line) for line in out.getvalue().splitlines()]
    assert (first["ok"], second["error"]["code"], third["ok"]) == (True, "broken-game", True)


def test_a_slip_in_a_sentence_shows_its_id() -> None:
    for slip in ("{seat} {from to", "{}", "{seat.x}"):
        said = Sentences({"event move": slip})
        assert english.message_text(Message("event move", {"seat": "red"}, "toy"), said) == "event move"


def test_what_chance_fails_at_takes_the_action_before_it_back() -> None:
    table = GameWithChance(Game(BrokenState(toy.Position(), (None, None))), 7)
    generator = table._generator_state()
    with pytest.raises(KeyError):
        table.act("chance", "deal north card")
    assert (table.game.actions, table._generator_state(), table.undo()) == ((), generator, False)


def test_a_new_game_says_who_is_to_act() -> None:
    assert ask(Referee(), **NEW) == {
        "ok": True,
        "game": "stratego-quick-duel",
        "seats": ["red", "blue"],
        "to_act": ["red", "blue"],
        "events": [],
    }
    assert ask(Referee(), do="new", game="stratego-classic", options={"players": 2})["ok"]


def test_legal_gives_actions_and_says_when_they_are_a_sample() -> None:
    referee = Referee()
    ask(referee, **NEW)
    sample = ask(referee, do="legal", seat="red")
    assert sample["sample"] is True
    assert all(action.startswith("setup ") for action in sample["actions"])
    answer = ask(begun(), do="legal", seat="red")
    assert "a3-a4" in answer["actions"]
    assert "sample" not in answer
    assert answer["table"] == ["resign", "offer-draw"]
    assert ask(begun(), do="legal", seat="blue")["actions"] == []


def test_an_action_gives_events() -> None:
    referee = begun()
    assert ask(referee, do="act", seat="red", action="a3-a4") == {
        "ok": True,
        "events": [{"kind": "move", "seat": "red", "from": "a3", "to": "a4"}],
    }
    ask(referee, do="act", seat="blue", action="a6-a5")
    assert ask(referee, do="act", seat="red", action="a4-a5")["events"] == [
        {"kind": "battle", "from": "a4", "to": "a5", "attacker": "3", "defender": "3", "result": "both"}
    ]
    assert ask(referee, do="act", seat="red", action="resign")["events"][-1] == {
        "kind": "over", "winner": "blue", "reason": "resignation",
    }  # fmt: skip


def test_a_refusal_has_code_rule_and_text() -> None:
    answer = ask(begun(), do="act", seat="red", action="c1-c2")
    assert answer["ok"] is False
    assert answer["refusal"]["code"] == "stratego/own-piece"
    assert answer["refusal"]["rule"] == "Q10"
    assert answer["refusal"]["text"] == "Your own piece is on c2."
    bomb = ask(begun(), do="act", seat="red", action="c1-d1")["refusal"]
    assert (bomb["code"], bomb["public"]) == ("stratego/immovable", "stratego/not-allowed")


def test_views_hide_and_the_truth_does_not() -> None:
    referee = begun()
    assert ask(referee, do="view", seat="blue")["view"]["board"]["a1"]["rank"] == "?"
    assert ask(referee, do="view", seat=None)["view"]["to_act"] == ["red"]
    assert ask(referee, do="truth")["truth"]["board"]["a1"]["rank"] == "F"


def test_a_record_loads_again() -> None:
    referee = begun()
    ask(referee, do="act", seat="red", action="a3-a4")
    text = ask(referee, do="record")["record"]
    other = Referee()
    assert ask(other, do="load", record=text)["to_act"] == ["blue"]
    assert ask(other, do="record")["record"] == text
    assert ask(other, do="truth") == ask(referee, do="truth")


def test_a_take_back_is_carried_out() -> None:
    referee = begun()
    before = ask(referee, do="truth")
    for seat, action in (("red", "a3-a4"), ("red", "ask-take-back"), ("blue", "agree-take-back")):
        assert ask(referee, do="act", seat=seat, action=action)["ok"]
    assert ask(referee, do="truth") == before


ERRORS: list[tuple[str, str, str]] = [
    ("zzz", "bad-json", "'zzz' is not JSON; expected one object a line"),
    ("[1]", "bad-json", "[1] is no object; expected one with a field do"),
    (
        "{}",
        "unknown-verb",
        "do is null; expected one of hello, help, games, options, schema, quit, new, legal, act, undo",
    ),
    ('{"do":["x"]}', "unknown-verb", 'do is ["x"]; expected one of hello,'),
    ('{"do":"truth","x":1}', "unknown-field", "truth: unknown field 'x'; expected at"),
    ('{"do":"hello","x":1}', "unknown-field", "hello: unknown field 'x'; expected no more fields"),
    ('{"do":"truth","do":"new"}', "bad-json", "'do' stands there twice; expected each name once"),
    ('{"do":"truth","at":"b"}', "no-game", "there is no game at 'b' yet; expected new or load first"),
    ('{"do":"help","verb":"fly"}', "unknown-verb", "help: verb is 'fly'; expected one of hello,"),
    (
        '{"do":"position","text":"stratego-duel [1]"}',
        "bad-position",
        "line 1: '[1]' is no object; expected the",
    ),
    (
        '{"do":"position","text":"stratego-duel\\nred ?"}',
        "bad-position",
        "line 2: what red did is hidden here;",
    ),
    (
        '{"do":"position","text":"stratego-duel\\nred a1"}',
        "bad-position",
        "line 2: 'a1' is no action of red;",
    ),
    ('{"do":"position","text":"stratego-duel\\ngreen a1"}', "bad-position", "line 2: unknown seat 'green';"),
    (
        '{"do":"new","game":"chess"}',
        "unknown-game",
        "unknown game 'chess'; try one of escape-from-colditz,",
    ),
    ('{"do":"new","game":5}', "wrong-type", "new: game is 5; expected the id of a game"),
    ('{"do":"new"}', "missing-field", "new: game is missing; expected the id of a game"),
    (
        '{"do":"new","game":"stratego-duel","seed":true}',
        "wrong-type",
        "new: seed is true; expected a whole number",
    ),
    (
        '{"do":"new","game":"stratego-duel","options":{"shuttle":9}}',
        "bad-option",
        "stratego-duel: option shuttle is 9; try one of 3, 5, 6, off",
    ),
    (
        '{"do":"legal","seat":"green"}',
        "unknown-seat",
        "unknown seat 'green'; expected one of red, blue, chance",
    ),
    ('{"do":"view","seat":"clock"}', "unknown-seat", "unknown seat 'clock'; expected one of red, blue"),
    ('{"do":"view"}', "missing-field", "view: seat is missing; expected the name of a seat, or null"),
    (
        '{"do":"act","seat":"red","action":"e2e44"}',
        "bad-action",
        "'e2e44' is no action of red; try",
    ),
    (
        '{"do":"act","seat":"chance","action":"roll 1"}',
        "bad-action",
        "'chance' is no seat here; try one of",
    ),
    ('{"do":"load","record":"x"}', "bad-record", "LINE 1: 'x'; try boardumpire-record 1"),
]


@pytest.mark.parametrize(("line", "code", "text"), ERRORS)
def test_a_wrong_line_says_what_was_expected_and_changes_nothing(line: str, code: str, text: str) -> None:
    referee = begun()
    before = ask(referee, do="truth"), ask(referee, do="record")
    answer = referee.answer_line(line)
    assert answer["ok"] is False
    assert answer["error"]["code"] == code
    assert answer["error"]["text"].startswith(text)
    assert (ask(referee, do="truth"), ask(referee, do="record")) == before


def test_without_a_game_there_is_nothing_to_do() -> None:
    for request in (
        '{"do":"undo"}',
        '{"do":"position"}',
        '{"do":"truth"}',
        '{"do":"legal","seat":"red"}',
        '{"do":"record"}',
    ):
        assert Referee().answer_line(request)["error"]["code"] == "no-game"


def test_with_a_seed_chance_is_played_and_the_record_keeps_it() -> None:
    one, other, third = Referee(), Referee(), Referee()
    for referee, seed in ((one, 5), (other, 5), (third, 6)):
        answer = ask(referee, do="new", game="toy", seed=seed)
        assert [event["kind"] for event in answer["events"]] == ["dealt", "card", "dealt", "card", "roll"]
        for _ in range(6):
            ask(
                referee, do="act", seat=ask(referee, do="view", seat=None)["view"]["to_act"][0], action="rest"
            )
    text = ask(one, do="record")["record"]
    assert text == ask(other, do="record")["record"]
    assert text != ask(third, do="record")["record"]
    loaded = Referee()
    assert ask(loaded, do="load", record=text)["ok"]
    for referee in (one, loaded):
        ask(referee, do="act", seat=ask(referee, do="view", seat=None)["view"]["to_act"][0], action="rest")
    assert ask(loaded, do="record") == ask(one, do="record")


def test_without_a_seed_the_client_plays_chance() -> None:
    referee = Referee()
    assert ask(referee, do="new", game="toy")["to_act"] == ["chance"]
    assert ask(referee, do="legal", seat="chance")["actions"] == ["deal north card", "deal north blank"]
    assert ask(referee, do="act", seat="chance", action="deal north card")["ok"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(["do", "game", "options", "seed", "seat", "action", "record", "x"])
WORDS = st.sampled_from(
    [
        "new",
        "legal",
        "act",
        "view",
        "truth",
        "record",
        "load",
        "red",
        "blue",
        "clock",
        "stratego-duel",
        "resign",
        RED,
    ]
)


@settings(max_examples=4 * settings.default.max_examples)
@given(
    st.lists(
        st.dictionaries(KEYS, WORDS | JSON, max_size=4).map(json.dumps) | st.text(max_size=30), max_size=6
    )
)
def test_no_line_ever_breaks_it(lines: list[str]) -> None:
    out = io.StringIO()
    run(Referee(), [*lines, json.dumps(NEW)], out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(answers) == len(lines) + 1
    assert answers[-1]["ok"] is True
    assert all(answer["ok"] or {"error", "refusal"} & set(answer) for answer in answers)


@pytest.mark.parametrize(
    "line", ["[" * 100_000, "x" * 1_000_001, '{"do":' + "9" * 5000 + "}", '{"do":"\\ud800"}', "\0", "NaN"]
)
def test_monstrous_lines_are_answered(line: str) -> None:
    assert Referee().answer_line(line)["ok"] is False


@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii:strict", "latin-1"])
def test_the_command_speaks_on_standard_streams(encoding: str) -> None:
    said = subprocess.run(
        [Path(sys.executable).with_name("boardumpire"), "referee"],
        input=json.dumps(NEW).encode() + b"\n\xff\xfe\n" + json.dumps(NEW).encode() + b"\n",
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    answers = [json.loads(line) for line in said.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, True]
    assert said.stderr == b""


def test_several_games_go_on_side_by_side() -> None:
    referee = begun()
    ask(referee, do="new", game="fall-of-the-fuhrer", at="b", seed=3)
    assert ask(referee, do="view", seat=None)["view"]["to_act"] == ["red"]
    assert ask(referee, do="view", seat=None, at="b")["view"]["to_act"] == ["allies"]
    assert ask(referee, do="act", seat="red", action="a3-a4")["ok"]
    assert ask(referee, do="new", game="checkers", at="b")["error"]["code"] == "unknown-game"
    assert ask(referee, do="view", seat=None, at="b")["ok"], "what was there is still there"
    for number in range(100):
        answer = ask(referee, do="new", game="stratego-duel", at=f"n{number}")
    assert answer["error"]["code"] == "too-many"


def test_undo_takes_chance_back_too_and_the_dice_fall_again_as_they_did() -> None:
    referee = Referee()
    ask(referee, do="new", game="toy", seed=5)
    before = ask(referee, do="truth")
    assert ask(referee, do="undo")["error"]["code"] == "nothing-to-undo", "what chance dealt stays dealt"
    seat = ask(referee, do="view", seat=None)["view"]["to_act"][0]
    ask(referee, do="act", seat=seat, action="rest")
    after = ask(referee, do="truth")
    assert ask(referee, do="undo")["to_act"] == [seat]
    assert ask(referee, do="truth") == before
    ask(referee, do="act", seat=seat, action="rest")
    assert ask(referee, do="truth") == after


def test_quit_is_the_last_that_is_answered() -> None:
    out = io.StringIO()
    run(Referee(), ['{"do":"hello"}', '{"do":"quit"}', '{"do":"hello"}'], out)
    first, last = map(json.loads, out.getvalue().splitlines())
    assert (first["protocol"], first["seat"], last) == (1, None, {"ok": True})


def test_games_options_and_help_say_what_there_is() -> None:
    referee = Referee()
    assert {"game": "stratego-duel", "title": "Stratego Duel"} in ask(referee, do="games")["games"]
    told = {each["name"]: each for each in ask(referee, do="options", game="stratego-duel")["options"]}
    assert told["announce"]["values"] == ["ranks", "silent"]
    assert told["announce"]["value"] == "ranks"
    fields = ask(referee, do="help", verb="act")["verbs"]["act"]["fields"]
    assert fields["seat"] == {"expected": "the name of a seat", "needed": True, "schema": {"type": "string"}}
    verbs = ask(referee, do="hello")["verbs"]
    assert list(ask(referee, do="help")["verbs"]) == verbs
