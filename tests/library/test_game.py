"""`Game`: what a program does with the rules."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import boardrules
from boardrules import BadText, Game, IllegalAction, UnknownGame, UnknownSeat, english
from boardrules.core import CHANCE, Event, Refusal
from boardrules.game import RefusedAction
from boardrules.package import Message, Sentences
from boardrules.record import RecordError
from rules import contract

RED = "setup a1=F b1=B c1=B d1=2 e1=2 f1=3 g1=3 h1=S a2=9 b3=10"
BLUE = "setup a8=F b8=B c8=B d8=2 e8=2 f8=3 g8=3 h8=S a7=9 b6=10"
GAMES = ("stratego-quick-duel", "stratego-classic", "fall-of-the-fuhrer", "escape-from-colditz")


@pytest.fixture
def duel() -> Game:
    game = Game("stratego-quick-duel")
    game.push(BLUE)  # whose it is shows by where it may be
    game.push(RED)
    return game


def played(game_id: str, seed: int, most: int = 300) -> Game:
    """A random game with some talk, chance acting by itself in every other one."""
    rng = random.Random(f"{game_id} {seed}")
    game = Game(game_id, rng=rng if seed % 2 else None)
    for _ in range(most):
        if game.over:
            break
        talk = [
            action for seat in game.seats for action in game.table_actions(seat) if "take-back" in str(action)
        ]
        if talk and rng.random() < 0.1:
            game.push(rng.choice(talk))
        elif game.turn == CHANCE:
            game.throw(rng)
        else:
            game.push(rng.choice(game.legal()))
    return game


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("game_id", GAMES)
class TestEveryGame:
    def test_popping_all_leads_back_to_where_it_began(self, game_id: str, seed: int) -> None:
        game = played(game_id, seed)
        seen = []
        while True:
            seen.append((game.state, game.events, game.actions))
            try:
                action = game.pop()
            except IndexError:
                break
            assert seen[-1][2][len(game.actions)] == action
            assert seen[-1][1][: len(game.events)] == game.events
        begun = Game(game_id).state if seed % 2 == 0 else game.state
        assert (game.state, bool(game.state.chance())) == (begun, not seed % 2 and CHANCE in game.to_act)
        assert len(seen) > 30

    def test_a_record_is_the_same_game(self, game_id: str, seed: int) -> None:
        game = played(game_id, seed)
        again = Game.read(game.record(seed=seed, date="2026-11-24"))
        assert again.state == game.state
        assert again.events == game.events
        assert again.actions == game.actions
        assert again.record() == game.record()
        again.pop()
        assert again.actions == game.actions[:-1], "one that was read goes on and back"

    def test_a_copy_goes_on_by_itself(self, game_id: str, seed: int) -> None:
        game = played(game_id, seed, 40)
        stood = game.state, game.events
        other = game.copy()
        other.push("resign", game.seats[1])
        assert (game.state, game.events) == stood
        assert other.state != game.state
        other.pop()
        assert (other.state, other.events) == stood

    def test_every_event_has_a_sentence(self, game_id: str, seed: int) -> None:
        game = played(game_id, seed)
        for event in game.events:
            sentence = game.tell(event)
            assert " " in sentence
            assert "{" not in sentence
            assert not sentence.startswith("event ")

    def test_every_refusal_has_a_sentence_and_the_error_has_the_public_one(
        self, game_id: str, seed: int
    ) -> None:
        game = played(game_id, seed, 60)
        rng, refused = random.Random(seed), 0
        actions = [a for state in contract.walk(Game(game_id).state, rng, 60) for a in state.legal_actions(
            state.seats_to_act()[0] if state.seats_to_act() else state.seats[0])]  # fmt: skip
        for action in rng.sample(actions, min(200, len(actions))):
            why = game.why(action)
            if why is None:
                assert action in game.legal(action.seat)
                continue
            refused += 1
            assert " " in why
            assert why.endswith(".")
            assert "{" not in why
            stood = game.state, game.events, game.actions
            with pytest.raises(RefusedAction) as caught:
                game.push(action)
            assert caught.value.sentence == game.why(action, public=True)
            assert str(caught.value).startswith(caught.value.sentence)
            assert (game.state, game.events, game.actions) == stood
            assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        assert refused > 20


@pytest.mark.parametrize("game_id", sorted(boardrules.ids()))
def test_every_code_of_a_refusal_has_a_sentence(game_id: str) -> None:
    package = boardrules.package(game_id)
    said = package.sentences()
    codes = [name for name in said.texts if "/" in name]
    assert len(codes) > 20
    for code in codes:
        params = tuple((name, "1") for name in ("seat", "from", "to", "at", "square", "city", "rank", "card"))
        sentence = english.refusal_text(Refusal(code, "Q01", params), package)
        assert " " in sentence
        assert sentence != code


class TestTexts:
    def test_who_may_do_it_is_meant_where_several_are_to_act(self, duel: Game) -> None:
        assert [action.seat for action in duel.actions] == ["blue", "red"]
        assert duel.turn == "red"

    def test_legal_takes_texts_and_actions(self, duel: Game) -> None:
        legal = duel.legal()
        assert "b3-b4" in legal
        assert "b3-b5" not in legal
        assert "nonsense" not in legal
        assert duel.state.parse("b3-b4", "red") in legal
        assert legal[0] in legal
        assert legal[:2] == tuple(legal)[:2]
        assert len(legal) == len(list(legal)) == 23
        assert legal.whole
        assert repr(duel.legal("blue")) == "<0 actions of blue: >"

    def test_of_a_set_up_some_are_shown_and_none_is_told(self) -> None:
        legal = Game("stratego-quick-duel").legal()
        assert RED in legal
        assert not legal.whole
        assert repr(legal).endswith("setup ..., setup ..., ...>")

    def test_a_slip_is_answered_with_what_is_known_to_everybody(self, duel: Game) -> None:
        with pytest.raises(BadText, match=r"did you mean (.*)\?$") as caught:
            duel.push("b3-b77")
        meant = str(caught.value).partition("did you mean ")[2].rstrip("?").split(" or ")
        public = {f"{step.origin}-{step.target}" for step in duel.state.steps()}
        assert set(meant) <= public
        assert not set(meant) <= {str(action) for action in duel.legal()}, "it would tell that it is a Scout"

    def test_a_slip_in_a_secret_is_not_repeated(self) -> None:
        game = Game("stratego-quick-duel")
        with pytest.raises(BadText) as caught:
            game.push(RED.replace("h1=S", "h11=S"))
        assert "=S" not in str(caught.value).replace("a1=F b1=B", "")

    def test_an_unknown_seat_is_named(self, duel: Game) -> None:
        asks: list[Any] = [duel.legal, duel.table_actions, duel.view, duel.board]
        asks += [lambda seat: duel.push("b3-b4", seat), lambda seat: duel.why("b3-b4", seat)]
        for ask in asks:
            with pytest.raises(UnknownSeat, match="'green' is no seat here; try one of red, blue"):
                ask("green")

    def test_an_action_of_another_seat_or_no_action_at_all_is_refused(self, duel: Game) -> None:
        action = duel.parse("b3-b4")
        with pytest.raises(ValueError, match="the action is one of red, not of 'blue'"):
            duel.push(action, "blue")
        with pytest.raises(TypeError, match="expected an Action, not int"):
            duel.push(7)  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("game_id", "meant"),
        [
            ("stratego", "stratego-"),
            ("colditz", "escape-from-colditz"),
            ("stratego-clasic", "stratego-classic"),
        ],
    )
    def test_an_unknown_game_is_answered_with_one_that_is_like_it(self, game_id: str, meant: str) -> None:
        with pytest.raises(UnknownGame, match=f"unknown game '{game_id}'; .*did you mean {meant}"):
            Game(game_id)

    def test_a_game_over_takes_nothing_more(self, duel: Game) -> None:
        duel.push("resign")
        assert (duel.over, duel.turn, duel.to_act) == (True, None, ())
        assert duel.result == ("blue", "resignation")
        assert len(duel.legal()) == 0
        with pytest.raises(IllegalAction, match="The game is over"):
            duel.push("b3-b4")


class TestTakeBacks:
    def test_an_agreed_one_is_carried_out_and_can_be_popped(self, duel: Game) -> None:
        before = duel.state
        duel.push("b3-b4")
        duel.push("ask-take-back", "red")
        asked = duel.state
        assert [event.kind for event in duel.push("agree-take-back", "blue")] == ["take-back"]
        assert duel.state == before
        duel.pop()
        assert duel.state == asked
        duel.push("agree-take-back", "blue")
        duel.push("b3-c3")
        duel.push("b6-b5")
        duel.push("ask-take-back", "blue")
        duel.push("agree-take-back", "red")
        assert duel.turn == "blue"
        assert [str(action) for action in duel.actions[-5:-2]] == ["agree-take-back", "b3-c3", "b6-b5"]


class TestChance:
    def test_its_weights_are_kept_to(self) -> None:
        """Of a deck most cards are of one kind: they come as often as they are there, within five sigma."""
        game = Game("escape-from-colditz", players=3)
        rng, counts = random.Random(11), dict.fromkeys((str(a) for a, _ in game.state.chance()), 0)
        for _ in range(4000):
            game.throw(rng)
            counts[str(game.pop())] += 1
        whole = sum(weight for _, weight in game.state.chance())
        for action, weight in game.state.chance():
            share = weight / whole
            assert abs(counts[str(action)] - 4000 * share) < 5 * (4000 * share * (1 - share)) ** 0.5

    def test_who_is_to_act_is_told_where_it_is_not_chance(self, duel: Game) -> None:
        with pytest.raises(ValueError, match="chance is not to act; expected red"):
            duel.throw(random.Random(1))

    def test_it_may_draw_to_the_very_end_of_its_range(self) -> None:
        class Last:
            def random(self) -> float:
                return 1 - 2**-53

        game = Game("fall-of-the-fuhrer")
        for text in ("tank berlin", "spy ulm", "infantry kiel", "hide linz", "roll"):
            game.push(text)
        game.throw(Last())
        assert str(game.actions[-1]) == "roll 3"


def test_a_game_begun_from_a_position_has_no_record(duel: Game) -> None:
    game = Game(duel.state)
    game.push("b3-b4")
    assert game.turn == "blue"
    with pytest.raises(ValueError, match="begun from a position"):
        game.record()
    with pytest.raises(TypeError, match="has its options already"):
        Game(duel.state, players=2)


def test_a_record_with_a_move_that_is_not_allowed_names_its_line(duel: Game) -> None:
    duel.push("b3-b4")
    text = duel.record()
    line = text.splitlines().index("red b3-b4") + 1
    with pytest.raises(RecordError, match=f"^LINE {line}: action 3 of red is not allowed"):
        Game.read(text.replace("red b3-b4", "red b3-b5"))


def test_the_repr_of_a_game_tells_no_secret(duel: Game) -> None:
    assert repr(duel) == "<game <stratego-quick-duel: turn 1, red to move>>"
    assert "10" not in repr(duel) + repr(duel.actions) + str(duel).partition("\n")[2].partition("\n  ")[0]


def test_sentences_are_counted_named_and_listed() -> None:
    said = Sentences(
        texts={"event x": "{n} cards for {seat}: {cards}.", "card a": "Ace", "seat red": "Red"},
        singulars={"event x": ("n", "One card for {seat}: {cards}.")},
        name_families={"cards": "card"},
    )
    message = Message("event x", {"n": 2, "seat": "red+blue", "cards": ["a", "b"]})
    assert english.message_text(message, said) == "2 cards for Red + Blue: Ace, b."
    one = Message("event x", {"n": 1, "seat": "red", "cards": "a"})
    assert english.message_text(one, said) == "One card for Red: Ace."
    assert english.message_text(Message("event y"), said) == "event y"
    assert english.message_text(Message("event x", {"n": 2}), said) == "2 cards for {seat}: {cards}."


def test_what_the_library_says_is_what_the_board_says() -> None:
    """One sentence for one thing, whoever asks."""
    from boardumpire.messages import announce

    for game_id in GAMES:
        game = played(game_id, 2)
        for event in (*game.events, *([] if game.over else [Event("resign", (("seat", game.seats[0]),))])):
            assert game.tell(event) == announce.to_sentence(announce.event_message(event, game_id))
