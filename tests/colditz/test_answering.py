"""Who may answer one event is asked at the same time; "pass until I say otherwise" is an answer, too."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from boardumpire.commands.table_factory import TableFactory
from boardumpire.table.answering import ANSWER_WINDOW_MIN_US
from boardware.ports import MS, SECOND, Micros
from colditz.evening import Evening

Said = tuple[int, str, str]
"""How many milliseconds after the window opened who says what."""


def window(
    options: dict[str, Any] = {},  # noqa: B006
    seed: int = 0,
    cards: str = "",
    factory: Callable[[TableFactory], Any] = lambda factory: factory,
) -> Evening:
    """Three players; the Security Officer plays a card that both officers may answer."""
    for number in range(seed, seed + 60):
        game = Evening(
            number,
            options={"players": 3, "answer_seconds": 20, **options},
            table={"limited": True},
            factory=factory,
        )
        game.begin()
        game.deployed()
        for _ in range(2):
            game.rolled()
            game.does("end")
        game.rolled()
        state: Any = game.state
        for action in state.legal_actions("security"):
            if str(action).startswith("play ") and len(state.apply(action)[0].possible_answers()) == 2:
                game.say(action)
                game.scene.wait(100)
                assert len(game.state.possible_answers()) == 2
                return game
        game.scene.close()
    raise AssertionError("expected a card that both may answer")


def asked(game: Evening) -> list[str]:
    """Whom the table asks still, as everybody sees it."""
    return list((game.table.view(None)["open"] or {}).get("asked", ()))


def told(said: Sequence[Said], **more: Any) -> tuple[list[tuple[Micros, str]], Evening]:
    """What everybody and the Security Officer were told from the window on, and when."""
    game = window(**more)
    begun, heard = game.scene.now, len(game.messages)
    for after, seat, text in said:
        game.scene.run_until(begun + after * MS)
        assert game.scene.say(seat, text) is None
    game.scene.run_until(begun + 30 * SECOND)
    public = [
        (message.at, json.dumps(message.data, sort_keys=True))
        for message in game.messages[heard:]
        if message.seat in (None, "security")
    ]
    game.scene.close()
    return public, game


def passes(heard: list[tuple[Micros, str]]) -> list[tuple[str, Micros]]:
    rulings = [(at, json.loads(text)) for at, text in heard if '"action": "pass"' in text]
    return [(data["seat"], at) for at, data in rulings]


def test_all_are_asked_at_once_and_see_it() -> None:
    game = window()
    first, second = asked(game)
    for seat in (first, second):
        assert "pass" in game.table.choices(seat)["acts"]
        assert game.scene.lamps_with_mark("asks") >= {f"turn-{first}", f"turn-{second}"}
    assert game.table.view(None)["open"]["asked"] == [first, second]
    assert game.scene.say("security", "pass") is not None
    game.scene.close()


def test_the_second_may_answer_first_and_is_not_asked_again() -> None:
    heard, _ = told([(500, "british", "pass"), (6000, "american", "pass")])
    (one, at), (two, then) = passes(heard)
    assert (one, two) == ("american", "british")
    assert at == then


def test_they_have_one_limit_between_them() -> None:
    game = window()
    left = game.table.answer_deadlines.json(game.scene.now)["left_ms"]
    game.scene.wait(left + 200)
    assert asked(game) == []
    game.scene.close()


def test_nothing_tells_a_standing_pass_from_one_that_was_said() -> None:
    """Told at the same moments, in the same words, whoever has said it before or says it in time."""
    by_hand = [(400, "american", "pass"), (900, "british", "pass")]
    other_way = [(700, "british", "pass"), (2500, "american", "pass")]
    standing = [(10, "american", "pass-always"), (20, "british", "pass-always")]
    mixed = [(10, "american", "pass-always"), (1500, "british", "pass")]
    games = [told(said)[0] for said in (by_hand, other_way, standing, mixed)]
    assert len(passes(games[0])) == 2
    assert all(each == games[0] for each in games[1:])


def test_what_is_said_is_never_told_before_the_least_time() -> None:
    game = window()
    begun = game.scene.now
    game.scene.say("american", "pass-always")
    game.scene.say("british", "pass")
    game.scene.run_until(begun + ANSWER_WINDOW_MIN_US - 200 * MS)
    assert len(asked(game)) == 2
    game.scene.wait(400)
    assert asked(game) == []
    game.scene.close()


def test_a_standing_pass_is_taken_back_at_any_time() -> None:
    game = window()
    assert "pass-always" in game.table.choices("american")["says"]
    game.scene.say("american", "pass-always")
    assert "pass-ask" in game.table.choices("american")["says"]
    game.scene.wait(1000)
    game.scene.say("american", "pass-ask")
    game.scene.say("british", "pass")
    game.scene.wait(6000)
    assert asked(game)[0] == "american"
    game.scene.close()
