"""What just happened is told above the board: all of it, with the pieces that it is about, on every seat."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import boardrules
from boardrules.colditz.bots.simple_players import choose_by_odds
from boardrules.core import CHANCE, Action
from boardware.description import load_board
from web.castle import PositionDesk, played
from web.served import DUEL, MOVES, Screen
from web.test_frame import Toy
from web.test_one_view import GAMES, SIZES

TOLD = """() => {
    const banner = document.querySelector(".banner");
    const seen = (one) => { const box = one.getBoundingClientRect(), here = banner.getBoundingClientRect();
        return box.top >= here.top - 1 && box.bottom <= here.bottom + 1
            && box.left >= here.left - 1 && box.right <= here.right + 1; };
    return {
        lines: [...banner.querySelectorAll("p")].map((one) => one.textContent),
        cut: [...banner.querySelectorAll("p, .drawn")].filter((one) => !seen(one)).length,
        drawn: [...banner.querySelectorAll(".drawn")].map((one) => [
            one.querySelector(".of")?.getAttribute("class").split(" ")[1] ?? "",
            one.textContent, one.classList.contains("falls")]),
    };
}"""
"""What stands in the banner, what of it is out of sight; by piece its seat, its face, whether it falls."""


NOBODY = {"unmark", "open", "collapse"}
"""Events that are about no piece and no card."""


class Live:
    """A page over a game that goes on, with a phone for each seat."""

    def __init__(self, game: str, screen: Callable[..., Screen], **options: Any) -> None:
        self.draws = random.Random(4)
        first = (
            next(played(7, rounds=25, do_or_die="classic"))[0]
            if game == "escape-from-colditz"
            else boardrules.new(game, options)
        )
        self.desk = PositionDesk(first, board=load_board(GAMES[game][0]))
        self.page = Toy(self.desk)
        wide, high = SIZES[0]
        how: dict[str, Any] = {"viewport": {"width": wide, "height": high}, "has_touch": True}
        self.phones = {seat: screen(self.page.link(seat), **how, is_mobile=True) for seat in self.desk.seats}

    def does(self, action: Action) -> list[str]:
        """Do it, wait until every phone has it; the kinds of events that everybody was told."""

        async def act() -> None:
            self.desk.do(action)
            self.page.page.screen_hub.send_messages(self.desk.take_messages())

        before = len(self.desk.events)
        asyncio.run_coroutine_threadsafe(act(), self.page.loop).result(20)
        for seat, phone in self.phones.items():
            phone.until_view(self.desk.view(seat))
        return self.desk.events[before:]

    def banner(self, seat: str) -> dict[str, Any]:
        told: dict[str, Any] = self.phones[seat].page.evaluate(TOLD)
        return told

    def close(self) -> None:
        self.page.close()
        assert [error for each in self.phones.values() for error in each.errors] == []


def actions(at: Live) -> Iterator[Action]:
    """A whole game at random; men of the castle are led by simple players."""
    while at.desk.state.outcome is None:
        (seat,) = at.desk.state.seats_to_act()
        if seat == CHANCE:
            faces = at.desk.state.chance()
            yield at.draws.choices([face for face, _ in faces], [weight for _, weight in faces])[0]
        elif at.desk.state.game_id == "escape-from-colditz":
            view: Any = at.desk.state.view(seat)
            yield choose_by_odds(view, at.desk.state.legal_actions(seat), at.draws)
        else:
            yield at.draws.choice(
                [each for each in at.desk.state.legal_actions(seat) if str(each) != "resign"]
            )


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("game", "options", "wanted"),
    [
        (
            "fall-of-the-fuhrer",
            {"players": 3},
            {"placed", "hidden", "rolled", "went", "stayed", "moved", "token", "answer", "captured"},
        ),
        (
            "escape-from-colditz",
            {},
            {"card", "dice", "move", "play", "take", "arrest", "release", "discard", "appel", "line-up"},
        ),
    ],
)
def test_whatever_happens_is_told_whole_with_what_it_is_about(
    game: str, options: dict[str, Any], wanted: set[str], screen: Callable[..., Screen]
) -> None:
    """On a small phone nothing of it is cut. The first of each kind of event is looked at, on every seat;
    whoever isn't asked isn't spoken to."""
    at, seen, wrong = Live(game, screen, **options), set[str](), list[str]()
    try:
        for action in actions(at):
            kinds = {*at.does(action)} - {"calendar", "turn", "round", "ready", "over"}
            if seen >= wanted:
                break
            if kinds <= seen:
                continue
            seen |= kinds
            for seat in at.desk.seats:
                told = at.banner(seat)
                bare = not told["drawn"] and not kinds <= NOBODY
                if not told["lines"] or told["cut"] or bare:
                    wrong.append(f"{action} {sorted(kinds)} {seat}: {told}")
                said = at.phones[seat].page.inner_text(".todo")
                spoken_to = re.search(r"\byour?\b", re.sub("“.*?”", "", said), re.IGNORECASE)
                if spoken_to and seat not in at.desk.state.seats_to_act() and at.desk.state.outcome is None:
                    wrong.append(f"{action} {seat} is not asked, but told: {said}")
    finally:
        at.close()
    assert not wrong, "\n".join(wrong)
    assert seen >= wanted


@pytest.mark.slow
def test_moves_and_battles_are_drawn_as_each_seat_knows_them(screen: Callable[..., Screen]) -> None:
    at = Live("stratego-quick-duel", screen)
    try:
        for seat, army in DUEL.items():
            at.does(at.desk.state.parse(f"setup {army}", seat))
        at.does(at.desk.state.parse(MOVES[0], "red"))
        assert at.banner("red")["drawn"] == [["red", "9", False]], "one's own piece by its face"
        assert at.banner("blue")["drawn"] == [["red", "", False]], "the enemy's from behind"
        at.does(at.desk.state.parse(MOVES[1], "blue"))
        at.does(at.desk.state.parse(MOVES[2], "red"))
        for seat in DUEL:
            assert at.banner(seat)["drawn"] == [["red", "9", False], ["blue", "S", True]]
            assert at.banner(seat)["cut"] == 0
        for number, move in enumerate(MOVES[3:], 3):
            at.does(at.desk.state.parse(move, ("red", "blue")[number % 2]))
        for seat in DUEL:
            told = at.banner(seat)
            assert told["lines"] == ["a3 attacks a8: a Scout (2) beats the Flag and takes its square."], (
                "the end: once"
            )
            assert told["cut"] == 0
            assert told["drawn"] == [["red", "2", False], ["blue", "", True]]
            assert at.phones[seat].page.locator(".banner .second path.ink").count() == 1, "a Flag, drawn"
    finally:
        at.close()
