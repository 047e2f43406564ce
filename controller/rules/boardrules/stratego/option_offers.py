"""The options of Stratego that the dialog for a new game has, as people call them."""

from __future__ import annotations

from typing import Final

from boardrules.package import OptionOffer

_TURNS_LABEL = "{n} turns in a row"
OFFERS: Final = (
    OptionOffer(
        "announce",
        "What everyone learns from a battle",
        (("ranks", "both ranks and who wins"), ("silent", "only who wins")),
        help="If only the winner is announced, no battle shows a rank: remember who beat whom.",
    ),
    OptionOffer(
        "reveal_after_battle",
        "A rank shown in a battle",
        (("hide_again", "is hidden again"), ("stay_open", "stays visible on the screens")),
        help="Must you remember the ranks you have seen, or may you look them up?",
    ),
    OptionOffer(
        "spy_vs_spy",
        "A Spy that attacks a Spy",
        (("tie", "both leave the board"), ("attacker_wins", "the attacker wins")),
        help="What happens when a Spy attacks a Spy?",
    ),
    OptionOffer(
        "shuttle",
        "How often a piece may go back and forth between two squares",
        (*((number, _TURNS_LABEL) for number in (3, 5, 6)), ("off", "as long as it likes")),
        help="Stops a piece moving back and forth for ever.",
    ),
    OptionOffer(
        "shuttle_scout",
        "A Scout moves back and forth",
        (
            ("border", "whenever it crosses the same line between two squares"),
            ("same_endpoints", "only between the same two squares"),
        ),
        help="Scouts go far, so they could move back and forth for ever without stopping on the same square.",
    ),
    OptionOffer(
        "chase",
        "A piece may chase another",
        (
            ("board_repeat", "until the whole position would be as before"),
            ("pair_repeat", "until both pieces would be as before"),
            ("off", "for ever"),
        ),
        help="Stops a piece chasing another one for ever.",
    ),
    OptionOffer(
        "chase_undo_exception",
        "A chasing piece that goes straight back",
        ((True, "is always allowed to"), (False, "is judged as any other move")),
        help="Going back to where the last threat came from then never counts as chasing.",
    ),
    OptionOffer(
        "quiet_limit",
        "After how many turns without a battle the game is a draw",
        (("off", "no limit"), *((number, "{n}") for number in (40, 60, 100, 200))),
        help="Ends a game in which nobody dares to attack.",
    ),
)
