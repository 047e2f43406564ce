"""The options of Escape from Colditz that the dialog for a new game has, as people call them."""

from __future__ import annotations

from typing import Final

from boardrules.package import Offer

_TOGETHER = "men of all nations together: {n}"
OFFERS: Final = (
    Offer("rounds", "Rounds", numbers=(1, 50)),  # as many as the round track of the board has
    Offer(
        "start_kits",
        "Escape Kits",
        ((True, "each officer starts with one"), (False, "none at the start")),
    ),
    Offer(
        "common_target",
        "Who has won",
        (("off", "whoever gets two men out"), *((number, _TOGETHER) for number in range(2, 7))),
    ),
    Offer(
        "draw_on",
        "What lets you draw a card",
        (
            ("any_throw", "any roll of 5 or less"),
            ("first_throw", "a first roll of 5 or less"),
            ("final_total", "a total of 5 or less"),
            ("classic-3-7-11", "a total of 3, 7 or 11"),
        ),
    ),
    Offer(
        "do_or_die",
        "Do or Die",
        (("off", "not played"), ("classic", "a card for each officer")),
    ),
    Offer("answer_seconds", "Seconds to answer (0: no limit)", numbers=(0, 600)),
)
