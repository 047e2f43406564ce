"""Chess in two browsers, every piece moved by a finger: pieces are told apart, and all moves go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import boardrules
from web.served import DESKTOP, PHONE, Screen, Served

FEN = "r3k3/6P1/8/8/4p3/8/3P4/4K2R w Kq - 0 1"
DRAWN = """() => Object.fromEntries([...document.querySelectorAll('.touch')]
    .map((e) => [e.dataset.space, e.getAttribute('aria-label')]))"""


@pytest.fixture
def served(tmp_path: Path, installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("PYTHONPATH", str(installed))
    page = Served(tmp_path, "--game", "chess", "--board", "chess-8x8", "--option", f"fen={FEN}")
    yield page
    page.close()


@pytest.mark.nightly
@pytest.mark.usefixtures("games")
def test_castling_en_passant_and_promotion_on_screens(served: Served, screen: Callable[..., Screen]) -> None:
    white, black = screen(served.links["white"], **DESKTOP), screen(served.links["black"], **PHONE)
    white.press("Let the hands do it")
    moves = [
        (white, "d2-d4", "White: d2 to d4."),
        (black, "e4-d3", "Black: e4 takes the pawn on d4 in passing, and stands on d3."),
        (white, "e1-g1", "White castles: the king goes from e1 to g1."),
        (black, "a8-a2", "Black: a8 to a2."),
        (white, "g7-g8", "White: the pawn has come to g8. Which piece does it become?"),
    ]
    for who, move, told in moves:
        who.until_todo("Your turn")
        who.move(move)
        for each in (white, black):
            each.until_told(told)
    white.press("knight")
    black.until_told("White: the pawn on g8 becomes a knight.")
    black.until_todo("Your turn")
    black.until(
        "() => document.querySelector('[data-space=g8]').getAttribute('aria-label').includes('knight')"
    )
    black.move("a2-g2")
    white.until_told("Black: a2 to g2. Check!")
    white.until_todo("Your turn")
    white.move("g1-g2")
    black.until_told("White: g1 takes g2.")
    black.until("() => document.querySelector('[data-space=g2]').getAttribute('aria-label').includes('king')")
    stands = black.page.evaluate(DRAWN)
    assert {at: words for at, words in stands.items() if "empty" not in words} == {
        "d3": "d3, Black's pawn",
        "e8": "e8, Black's king",
        "f1": "f1, White's rook",
        "g2": "g2, White's king",
        "g8": "g8, White's knight",
    }
    drawn = black.page.evaluate(
        "() => [...document.querySelectorAll('.piece.is-stands text')].map((e) => e.textContent)"
    )
    signs = boardrules.package("chess").piece_appearance().signs
    wanted = [signs[kind] for kind in ("pawn", "king", "rook", "king", "knight")]
    assert sorted(drawn) == sorted(wanted)
    for each in (white, black):
        assert each.errors == []
