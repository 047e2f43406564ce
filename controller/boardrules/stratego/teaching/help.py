"""The rules of Stratego in a few words each, for all its games."""

from __future__ import annotations

from typing import Final

from boardrules.stratego.actions import SEATS
from boardrules.teaching import Chapter, Entry


def _piece(rank: str, name: str, rules: tuple[str, ...], text: str) -> Entry:
    return Entry(rules, text, name, (SEATS[0], rank))


HELP: Final = (
    Chapter(
        "What beats what",
        (
            Entry(
                ("Q17", "Q18", "Q19"),
                "The higher rank wins, and the lower one leaves the board. Two equal ranks both leave.",
            ),
            _piece(
                "10", "Field Marshal", (), "10 is the highest rank. Only the Spy can beat it, if she attacks."
            ),
            _piece("S", "Spy", ("Q25",), "Beats the Field Marshal if she attacks. Any other rank beats her."),
            _piece(
                "2",
                "Scout",
                ("Q23", "Q24"),
                "Goes as far as it likes in a straight line, and may attack at the end of it. "
                "If it goes further than one square, everyone knows that it is a Scout.",
            ),
            _piece("3", "Miner", ("Q22",), "The only piece that beats a Bomb: it takes the Bomb's square."),
            _piece("B", "Bomb", ("Q21",), "Never moves. It beats every attacker but the Miner, and stays."),
            _piece("F", "Flag", ("Q20",), "Never moves. Whoever captures it wins."),
        ),
    ),
    Chapter(
        "Your turn",
        (
            Entry(("Q07",), "Move one piece one square, or attack with it. You can't pass."),
            Entry(
                ("Q09",),
                "A piece goes forward, back or sideways, never diagonally. Only a Scout goes further than "
                "one square.",
            ),
            Entry(
                ("Q14",),
                "You attack a piece on the next square, never diagonally. Only a Scout attacks from further "
                "away.",
            ),
            Entry(("Q10",), "There is room for one piece on a square. Pieces don't jump over each other."),
            Entry(("Q11",), "No piece goes into a lake or across one."),
            Entry(("Q15",), "Bombs and the Flag never move and never attack."),
            Entry(
                ("Q12",),
                "A piece may not go back and forth between the same squares for ever. Move it elsewhere, or "
                "move another one.",
            ),
            Entry(
                ("Q13",),
                "You may not chase a piece for ever on the same squares. Make another move.",
            ),
            Entry(
                ("Q16",),
                "A battle shows what met. A move that showed something can't be taken back.",
            ),
            Entry(
                ("G7",),
                "The reason for a refusal can tell what a piece is. So only its owner gets to read it.",
            ),
        ),
    ),
    Chapter(
        "Signs on the pieces",
        (
            Entry((), "A small arrow: this piece has moved, so it is neither a Bomb nor the Flag."),
            Entry((), "An eye: everybody knows the rank of this piece."),
        ),
    ),
    Chapter(
        "Set-up",
        (
            Entry(("Q04",), "Your army goes on the rows nearest to you."),
            Entry(
                ("Q05",), "Place your whole army, one piece on a square. Your opponent sees only the backs."
            ),
            Entry(("B5",), "In this game only some squares may be used for the set-up."),
            Entry(("G1",), "Nobody moves before both armies are set up."),
            Entry(("G2",), "You may change your set-up until the other army is ready."),
        ),
    ),
    Chapter(
        "The end",
        (
            Entry(("Q26",), "You win if you capture the Flag, or if the other side can't move any more."),
            Entry(
                ("Q27",),
                "You may resign, offer a draw, or ask to take your last move back. Only the other side can "
                "agree.",
            ),
        ),
    ),
)
"""By each rule that Stratego refuses by, one entry; and what signs on a screen's pieces mean."""
