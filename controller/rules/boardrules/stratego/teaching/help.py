"""The rules of Stratego in a few words each, for all its games."""

from __future__ import annotations

from typing import Final

from boardrules.stratego.actions import SEATS
from boardrules.teaching import HelpChapter, HelpEntry


def _piece_entry(rank: str, name: str, rules: tuple[str, ...], text: str) -> HelpEntry:
    return HelpEntry(rules, text, name, (SEATS[0], rank))


HELP: Final = (
    HelpChapter(
        "What beats what",
        (
            HelpEntry(
                ("Q17", "Q18", "Q19"),
                "The higher rank wins, and the lower one leaves the board. Two equal ranks both leave.",
            ),
            _piece_entry(
                "10",
                "Field Marshal",
                (),
                "The highest rank. It loses only to a Spy that attacks it, and to a Bomb that it attacks.",
            ),
            HelpEntry(
                (),
                "The ranks from 4 to 9 go one square, and beat every lower rank that they attack.",
                explains=("4", "5", "6", "7", "8", "9"),
            ),
            _piece_entry(
                "S", "Spy", ("Q25",), "Beats the Field Marshal if she attacks. Any other rank beats her."
            ),
            _piece_entry(
                "2",
                "Scout",
                ("Q23", "Q24"),
                "Goes as far as it likes in a straight line, and may attack at the end of it. "
                "If it goes further than one square, everyone knows that it is a Scout.",
            ),
            _piece_entry(
                "3", "Miner", ("Q22",), "The only piece that beats a Bomb: it takes the Bomb's square."
            ),
            _piece_entry(
                "B", "Bomb", ("Q21",), "Never moves. It beats every attacker but the Miner, and stays."
            ),
            _piece_entry("F", "Flag", ("Q20",), "Never moves. Whoever captures it wins."),
        ),
    ),
    HelpChapter(
        "Your turn",
        (
            HelpEntry(("Q07",), "Move one piece one square, or attack with it. You can't pass."),
            HelpEntry(
                ("Q09",),
                "A piece goes forward, back or sideways, never diagonally. Only a Scout goes further than "
                "one square.",
            ),
            HelpEntry(
                ("Q14",),
                "You attack a piece on the next square, never diagonally. Only a Scout attacks from further "
                "away.",
            ),
            HelpEntry(
                ("Q10",), "There is room for one piece on a square. Pieces don't jump over each other."
            ),
            HelpEntry(("Q11",), "No piece goes into a lake or across one."),
            HelpEntry(("Q15",), "Bombs and the Flag never move and never attack."),
            HelpEntry(
                ("Q12",),
                "A piece may go back and forth between the same squares {n} turns in a row. Then move it "
                "elsewhere, or move another one.",
                required_options={"shuttle": (3, 5, 6)},
            ),
            HelpEntry(
                (),
                "A piece may go back and forth between two squares as long as it likes.",
                required_options={"shuttle": ("off",)},
            ),
            HelpEntry(
                ("Q13",),
                "You may not chase a piece for ever on the same squares. Make another move.",
                excluded_options={"chase": ("off",)},
            ),
            HelpEntry(
                (), "A piece may chase another one as long as it likes.", required_options={"chase": ("off",)}
            ),
            HelpEntry(
                ("Q16",),
                "A battle reveals both ranks to everyone. A move that revealed something can't be "
                "taken back.",
                required_options={"announce": ("ranks",)},
            ),
            HelpEntry(
                ("Q16",),
                "Of a battle everyone learns only who wins. A move that revealed something can't be taken "
                "back.",
                required_options={"announce": ("silent",)},
            ),
            HelpEntry(
                ("G7",),
                "The reason for a refusal can tell what a piece is. So only its owner gets to read it.",
            ),
        ),
    ),
    HelpChapter(
        "Signs on the pieces",
        (
            HelpEntry((), "A back without a rank: only its owner knows this piece.", explains=("?",)),
            HelpEntry(
                (),
                "A small arrow: this piece has moved, so it is neither a Bomb nor the Flag.",
                explains=("moved",),
            ),
            HelpEntry((), "An eye: everybody knows the rank of this piece.", explains=("known",)),
        ),
    ),
    HelpChapter(
        "Set-up",
        (
            HelpEntry(("Q04",), "Your army goes on the rows nearest to you."),
            HelpEntry(
                ("Q05",), "Place your whole army, one piece on a square. Your opponent sees only the backs."
            ),
            HelpEntry(
                ("B5",),
                "In this game only some squares may be used for the set-up.",
                excluded_options={"setup_mask": ("whole",)},
            ),
            HelpEntry(("G1",), "Nobody moves before both armies are set up."),
            HelpEntry(("G2",), "You may change your set-up until the other army is ready."),
        ),
    ),
    HelpChapter(
        "The end",
        (
            HelpEntry(("Q26",), "You win if you capture the Flag, or if the other side can't move any more."),
            HelpEntry(
                ("Q27",),
                "You may resign, offer a draw, or ask to take your last move back. Only the other side can "
                "agree.",
            ),
        ),
    ),
)
"""By each rule that Stratego refuses by, one entry; and what signs on a screen's pieces mean."""
