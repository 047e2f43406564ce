"""Screens that speak different languages: each reads its own, and what is hidden stays hidden in all."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardumpire.messages.languages import LANGUAGES
from boardumpire.web.screen_hub import ScreenHub
from table.twins import begun, setups, shared_play, unsealed
from web.desks import BenchDesk, Ear
from web.test_twins import Watched


class Mixed(Watched):
    """Two screens of each kind, every one in a language of its own."""

    def __init__(self, setup: dict[str, str], seed: int, options: dict[str, Any]) -> None:
        self.second = {audience: Ear("192.0.2.2") for audience in (None, "red", "blue")}
        super().__init__(setup, seed, options)

    def _turned(self, now: int) -> None:
        new = self.room is None
        if new:
            for ear, language in zip(
                (*self.ears.values(), *self.second.values()),
                ("ru", "de", "fr", "nl", "da", "en"),
                strict=True,
            ):
                ear.language = language
        super()._turned(now)
        if new and self.room is not None:
            for audience, ear in self.second.items():
                self.room.enter(audience, ear, None, 0)


def play(setup: dict[str, str], moves: list[tuple[str, str, str]], seed: int, announce: str) -> Mixed:
    game = Mixed(setup, seed, {"announce": announce})
    for _, origin, target in moves:
        game.carry(origin, target)
    return game


def private(ear: Ear) -> list[int]:
    frames = [(json.loads(text), len(text)) for text in ear.texts]
    return [
        size - len(str(frame["n"]))
        for frame, size in frames
        if frame.get("told", {}) and frame["kind"] == "told" and frame["told"]["kind"] == "private"
    ]


@pytest.mark.parametrize("announce", ["ranks", "silent"])
def test_twin_games_send_the_same_bytes_in_every_language(announce: str) -> None:
    first, second = setups(7)
    options = {"announce": announce}
    moves = shared_play(begun(first, options), begun(second, options), 7, 8)
    one, two = (play(setup, moves, 7, announce) for setup in (first, second))
    for game in (one, two):
        game.bench.close()
    for mine, other in ((one.ears, two.ears), (one.second, two.second)):
        assert len(mine[None].texts) > 20
        for audience in (None, "red"):  # red, whose own ranks are equal
            sent = [[unsealed(text) for text in ears[audience].texts] for ears in (mine, other)]
            assert sent[0] == sent[1]
        assert [len(text) for text in mine["blue"].texts] == [len(text) for text in other["blue"].texts]
    sizes = [
        private(ear) for ear in (one.ears["red"], one.second["red"], one.ears["blue"], one.second["blue"])
    ]
    assert sizes[0]
    assert sizes[0] == sizes[1], "as long in German as in Danish"
    assert sizes[2] == sizes[3] == [size + 1 for size in sizes[0]], "and as long for blue, but for its name"
    said = [json.loads(text) for text in one.ears[None].texts]
    rulings = [
        frame["told"].get("text")
        for frame in said
        if frame["kind"] == "told" and frame["told"]["kind"] == "ruling"
    ]
    assert ["Красные: расстановка готова."] in rulings


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_comes_late_or_comes_back_reads_all_in_one_language(language: str) -> None:
    setup, _ = setups(3)
    moves = shared_play(begun(setup, {}), begun(setup, {}), 3, 4)
    game = play(setup, moves, 3, "ranks")
    assert game.room is not None
    late, back = Ear("192.0.2.3"), Ear("192.0.2.3")
    late.language = back.language = language
    game.room.enter("red", late, None, 0)
    game.room.enter("red", back, "same", 2)
    (snapshot,) = map(json.loads, late.texts)
    frames = [json.loads(text) for text in back.texts]
    anew = [
        frame["told"]
        for frame in frames
        if frame["kind"] == "told" and frame["told"]["kind"] not in ("chores", "turn")
    ]
    assert anew
    assert [told["text"] for told in snapshot["told"] if "text" in told][
        -len([told for told in anew if "text" in told]) :
    ] == [told["text"] for told in anew if "text" in told]
    english = "Both armies are set up. Red goes first."
    found = json.dumps(snapshot, ensure_ascii=False)
    assert (english in found) == (language == "en")
    game.bench.close()


def test_an_epoch_in_another_language_is_still_the_same_game() -> None:
    """Frames are numbered alike in all languages: a screen may change its own and miss nothing."""
    setup, _ = setups(3)
    game = Watched(setup, 3, {})
    assert isinstance(game.room, ScreenHub)
    ear = Ear("192.0.2.5")
    ear.language = "it"
    game.room.enter(None, ear, "same", 0)
    numbers = [json.loads(text)["n"] for text in ear.texts if json.loads(text)["kind"] != "here"]
    assert numbers == list(range(1, len(numbers) + 1))
    assert BenchDesk(game.bench).has_table
    game.bench.close()
