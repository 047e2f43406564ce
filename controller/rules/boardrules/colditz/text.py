"""Reading what a seat writes: `c12-c13`, `roll`, `play search n4-b8`, `trade dutch rope for key`.

Small and capital letters, blanks and a dash left out are read as in `lenient_parsing`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from boardrules import lenient_parsing
from boardrules.colditz.castle.actions import Command
from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.colditz.legal.table_commands import CLOSE, RESIGN, TIME, WALK_BACK
from boardrules.colditz.state.rules import ColditzRules
from boardrules.colditz.turn.verbs import VERBS
from boardrules.core import CHANCE, CLOCK, Action, BadText, Seat, UnknownSeat

CHANCE_VERBS: Final = ("dice", "deal", "value")
_EXPECTED_TEXTS: Final = (
    "a step like c12-c13, roll, play CARD, claim rope, kit, trade dutch rope for key, end, or another word of"
    " docs/play/rules/escape-from-colditz.md"
)


def parse(text: str, seat: Seat, rules: ColditzRules) -> Action:
    """The action that `seat` writes as `text`, legal or not. Raises `BadText`."""
    if seat not in (*rules.seats, CHANCE, CLOCK):
        raise UnknownSeat(seat, (*rules.seats, CHANCE, CLOCK))
    words = lenient_parsing.words(text)
    head, rest = (words[0], words[1:]) if words else ("", [])
    if seat == CLOCK:
        if words == [CLOSE] or (head == TIME and len(rest) == 1 and rest[0] in rules.seats):
            return Command(seat, *words)
        raise BadText(f"{_quote_if_public(text)} is no action of {seat}; try close, or time and a seat")
    if head in VERBS and (head in CHANCE_VERBS) == (seat == CHANCE):
        return Command(seat, head, *WORD_ORDERERS.get(head, list)(rest))
    if seat == CHANCE:
        raise BadText(
            f"{_quote_if_public(text)} is no action of {seat}; try dice 3 4, deal SEAT CARD or value 5"
        )
    if words in ([RESIGN], [WALK_BACK]):
        return Command(seat, *words)
    node = rules.board.node_by_name
    way = lenient_parsing.split_pair(words, node)
    if way is not None:
        return rules.board.step(seat, node[way[0]], node[way[1]])
    raise BadText(f"{_quote_if_public(text)} is no action of {seat}; try {_EXPECTED_TEXTS}")


def _quote_if_public(text: str) -> str:
    # A card that was mistyped is a secret all the same: it is never repeated.
    return repr(text) if len(text) < 20 and " " not in text else "that"


def _ordered_trade_words(rest: list[str]) -> list[str]:
    """What is given and wanted in the one order that equal trades have."""
    if "for" not in rest:
        return rest
    split = rest.index("for")

    def ordered(goods: list[str]) -> list[str]:
        return sorted(
            goods,
            key=lambda word: EQUIPMENT_KINDS.index(word) if word in EQUIPMENT_KINDS else len(EQUIPMENT_KINDS),
        )

    return [*rest[:1], *ordered(rest[1:split]), "for", *ordered(rest[split + 1 :])]


WORD_ORDERERS: Final[Mapping[str, Callable[[list[str]], list[str]]]] = {
    "trade": _ordered_trade_words,
    "kit": sorted,
}
"""The words of which some may stand in any order, with how they are put into one."""
