"""The options of Stratego that the dialog for a new game has, as people call them."""

from __future__ import annotations

from typing import Final

from boardrules.package import Offer

_IN_A_ROW = "turns in a row: {n}"
OFFERS: Final = (
    Offer(
        "announce",
        "What everyone learns from a battle",
        (("ranks", "both ranks and who wins"), ("silent", "only who wins")),
    ),
    Offer(
        "reveal_after_battle",
        "A rank shown in a battle",
        (("hide_again", "is hidden again"), ("stay_open", "stays visible on the screens")),
    ),
    Offer(
        "spy_vs_spy",
        "A Spy that attacks a Spy",
        (("tie", "both fall"), ("attacker_wins", "the attacker wins")),
    ),
    Offer(
        "shuttle",
        "A piece may go back and forth between two squares",
        (*((number, _IN_A_ROW) for number in (3, 5, 6)), ("off", "as long as it likes")),
    ),
    Offer(
        "chase",
        "A piece may chase another",
        (
            ("board_repeat", "until the whole position would be as before"),
            ("pair_repeat", "until both pieces would be as before"),
            ("off", "without end"),
        ),
    ),
    Offer(
        "quiet_limit",
        "Turns of both sides without a battle before it is a draw",
        (("off", "no limit"), *((number, "{n}") for number in (40, 60, 100, 200))),
    ),
)
