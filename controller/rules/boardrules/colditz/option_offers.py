"""The options of Escape from Colditz that the dialog for a new game has, as people call them."""

from __future__ import annotations

from typing import Final

from boardrules.package import OptionOffer

_COMMON_TARGET_LABEL = "men of all nations together: {n}"
OFFERS: Final = (
    OptionOffer(
        "rounds",
        "Rounds",
        number_range=(1, 99),
        help="The game ends after this many rounds: the more, the better for the officers. For a "
        "balanced game take 17 rounds with two players, 20 with three, 27 with four, 32 with five, 36 with "
        "six.",
        depends_on_players=True,
    ),
    OptionOffer(
        "start_kits",
        "Escape Kits",
        ((True, "each officer starts with one"), (False, "none at the start")),
        help="Nobody escapes without an Escape Kit. If you have to find one first, the game takes longer.",
    ),
    OptionOffer(
        "common_target",
        "Who wins",
        (("off", "whoever gets two men out"), *((number, _COMMON_TARGET_LABEL) for number in range(2, 7))),
        help="Officers play against each other, or all together against the Security Officer.",
    ),
    OptionOffer(
        "draw_on",
        "What lets you draw a card",
        (
            ("any_throw", "any roll of 5 or less"),
            ("first_throw", "a first roll of 5 or less"),
            ("final_total", "a total of 5 or less"),
            ("classic-3-7-11", "a total of 3, 7 or 11"),
        ),
        help="Low rolls bring cards. The more rolls count, the more cards are in the game.",
    ),
    OptionOffer(
        "do_or_die",
        "Do or Die",
        (("off", "not played"), ("classic", "a card for each officer")),
        help="Once a game, each officer may stake everything on one man's run.",
    ),
    OptionOffer(
        "answer_seconds",
        "Seconds to answer (0: no limit)",
        number_range=(0, 600),
        help="How long players may think when they are asked about a card or an arrest.",
    ),
)
