"""An arrest that may still be answered: guard and man stay wherever hands have put them, until it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardsim.hands.gestures import HandManner
from boardsim.people.pawn_players import PawnPlace
from boardsim.world.world import Piece
from boardware.ports import MS
from colditz.evening import Evening

PLAIN: dict[str, Any] = {"bounce": False}
CONDITIONS = {
    "plain": (PLAIN, HandManner()),
    "bounce": ({}, HandManner()),
    "slow": (PLAIN, HandManner((600 * MS, 1500 * MS), speed=(60.0, 120.0))),
    "fast": (PLAIN, HandManner((30 * MS, 80 * MS), speed=(500.0, 900.0))),
    "cut": (PLAIN, HandManner()),
}


FIRST = 19
"""A game in which a man comes to stand on a guard post; in those before it nobody does."""


class Caught:
    """A guard leaves Barracks for the post where a man stands (R089), and his officer holds a card (R068)."""

    def __init__(self, game: Evening, post: str, *, cut: bool) -> None:
        self.game, self.post, self.cut = game, post, cut
        self.machine = False
        """Whether the machine plays the guards."""
        self.man = self._on(PawnPlace(post, "american"))
        self.guard = self._on(PawnPlace("barracks", "security"))

    def _on(self, stand: PawnPlace) -> Piece:
        pawn = self.game.pawn_at(stand)
        assert pawn is not None
        return pawn

    def arrests(self) -> None:
        """Both are taken up, and the guard's officer says that it is an arrest."""
        game = self.game
        game.judge.do_action(game.state.parse(f"barracks-{self.post}", "security"))
        game.lift(self.guard)
        game.lift(self.man)
        game.scene.wait(1200)
        game.scene.say("security", "yes")
        game.scene.wait(800)
        assert game.told("ruling")[-1]["action"] == f"barracks-{self.post}"
        assert game.state.seats_to_act() == ("american",)
        self.quiet()

    def quiet(self) -> None:
        """Nothing is led anywhere, however long it is waited, nor after a power cut."""
        game, told = self.game, len(self.game.messages)
        for again in (False, True):
            if again and self.cut:
                game.scene.bench.kill()
                game.scene.bench.start()
                if self.machine:
                    game.table.assisted_moves.enable()
                game.scene.wait(500)
            game.scene.wait(15_000)
            assert game.table.guidance.corrections == ()
            assert game.table.guidance.overdue_pieces == ()
            assert (
                not game.scene.lamps_with_mark("put")
                | game.scene.lamps_with_mark("take")
                | game.scene.lamps_with_mark("lifted")
            )
        assert [m.kind for m in game.messages[told:] if m.kind in ("fault", "question", "reminder")] == []

    def answered(self) -> None:
        """Nobody plays a card: now both are led where they belong."""
        game = self.game
        game.say(game.state.parse("pass", "american"))
        game.scene.wait(300)
        assert {chore.space for chore in game.table.guidance.corrections} & {"office", "innercells"}
        game.settle()
        assert game.judge.findings == []
        assert game.pawn_at(PawnPlace("office", "security")) is not None
        assert game.pawn_at(PawnPlace("innercells", "american")) is not None


@pytest.fixture(params=CONDITIONS)
def caught(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Caught]:
    setting, manner = CONDITIONS[request.param]
    for seed in range(FIRST, FIRST + 40):
        where = tmp_path / f"{seed}.db" if request.param == "cut" else None
        game = Evening(seed, options={"players": 2}, journal=where, **setting)
        game.scene.hands.manner = manner
        post = posted(game)
        if post is not None:
            yield Caught(game, post, cut=request.param == "cut")
            game.scene.close()
            return
        game.scene.close()
    raise AssertionError("expected a man on a guard post")


def posted(game: Evening) -> str | None:
    """Play until a man stands on a guard post inside and the Security Officer has thrown."""
    game.begin()
    game.deployed()
    game.rolled()
    grid = game.state.facts.rules.board  # type: ignore[attr-defined]
    posts = {grid.space_names[node] for node in grid.inner_posts}
    way = next((a for (_, to), a in sorted(game.carry_actions("american").items()) if to in posts), None)
    if way is None or game.occupied(str(way).partition("-")[2]):
        return None
    game.acts(way)
    game.does("end")
    game.rolled()
    return str(way).partition("-")[2]


@pytest.mark.few(1)
def test_both_stay_in_hands(caught: Caught) -> None:
    caught.arrests()
    caught.answered()


@pytest.mark.few(1)
def test_both_are_put_back_where_they_were(caught: Caught) -> None:
    caught.arrests()
    caught.game.put(caught.man, caught.post)
    caught.game.put(caught.guard, "barracks")
    caught.quiet()
    caught.answered()


@pytest.mark.few(1)
def test_the_guard_stands_where_he_arrested(caught: Caught) -> None:
    caught.arrests()
    caught.game.put(caught.guard, caught.post)
    caught.quiet()
    caught.answered()


@pytest.mark.few(1)
def test_both_go_where_they_will_belong_before_it_is_certain(caught: Caught) -> None:
    caught.arrests()
    game = caught.game
    game.put(caught.guard, "office")
    game.put(caught.man, "innercells")
    caught.quiet()
    game.say(game.state.parse("pass", "american"))
    game.scene.wait(1000)
    assert game.table.guidance.corrections == ()
    assert game.misplaced() is None
    assert game.judge.findings == []


@pytest.mark.few(1)
def test_somebody_else_who_is_moved_is_led_back_alone(caught: Caught) -> None:
    caught.arrests()
    game = caught.game
    other = next(
        pawn
        for pawn, at in game.stands().items()
        if pawn.owner == "security" and game.is_single_pawn_space(at.space)
    )
    home = game.stands()[other].space
    away = next(space for space in game.near(home, 45.0) if not game.occupied(space))
    game.lift(other)
    game.put(other, away)
    game.scene.wait(8000)
    led = {chore.space for chore in game.table.guidance.corrections}
    assert home in led
    assert not led & {caught.post, "barracks"}
    game.lift(other)
    game.put(other, home)
    game.scene.wait(1000)
    caught.quiet()
    caught.answered()


@pytest.mark.few(1)
def test_lamps_alone_say_whose_pawn_goes_where(caught: Caught) -> None:
    """The machine plays the guards. Man and guard are in the same hands, which know nothing but what is lit:
    blue at a side's lamp says whose pawn belongs where blue is, one side after the other."""
    caught.machine = True
    caught.game.table.assisted_moves.request_move("security", ("barracks",), (caught.post,))
    caught.arrests()
    game, held = caught.game, {"american": caught.man, "security": caught.guard}
    game.say(game.state.parse("pass", "american"))
    for _ in range(2):
        game.scene.wait(1000)
        lit = game.scene.lamps_with_mark("put")
        named = {lamp.removeprefix("turn-") for lamp in lit if lamp.startswith("turn-")}
        (space,) = (lamp for lamp in lit if not lamp.startswith("turn-"))
        (side,) = named or held
        game.put(held.pop(side), space)
    game.scene.wait(1000)
    assert game.table.guidance.corrections == ()
    assert game.pawn_at(PawnPlace("innercells", "american")) is caught.man
    assert game.pawn_at(PawnPlace("office", "security")) is caught.guard
    assert game.misplaced() is None
    assert game.judge.findings == []
