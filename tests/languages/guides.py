"""What a player's guide takes from the program: names of pieces, meanings of lamps, words on buttons."""

from __future__ import annotations

from collections.abc import Iterator

import boardrules
from boardumpire.messages import announce
from boardumpire.messages.languages import catalogue, in_context
from boardwire import marks

TEXTS = announce.sentences("escape-from-colditz").texts

RANKS = {
    "10": "Field Marshal", "9": "General", "8": "Colonel", "7": "Major", "6": "Captain", "5": "Lieutenant",
    "4": "Sergeant", "3": "Miner", "2": "Scout", "S": "Spy", "B": "Bomb", "F": "Flag",
}  # fmt: skip
"""Signs of the rules and what people call them."""
LAMPS = (
    "may-go", "may-attack", "lifted", "put", "take", "refused", "attacker-stands", "defender-stands",
    "both-fall", "asks", "turn-red", "turn-blue",
)  # fmt: skip
"""What Stratego shows."""
HUNT_LAMPS = (
    *(
        "may-go",
        "held",
        "rising",
        "falling",
        "token",
        "held-token",
        "asks",
        "is-here",
        "not-here",
        "was-not-here",
    ),
    *("now", "past", "ticket", "die", "to-move", "attacker-stands", "defender-stands"),
)
"""What Fall of the Führer shows."""
CASTLE_LAMPS = (
    *("may-go", "may-attack", "put", "take", "way-out", "detected", "now", "past", "die", "to-move", "asks"),
    "attacker-stands",
)
"""What Escape from Colditz shows."""
CASTLE_MAP = (
    "Guard post: any man here may be arrested; guards come here from Barracks",
    "Safe circle: nobody can be arrested here",
    "Searchlight: men may not stay here",
    "Walkway: guards may not stay here",
    "Door: you need a Key",
    "Inspection Point: you need a Pass",
    "Target: a man who reaches it with an Escape Kit has escaped",
    "Staff car: with its card, you drive out",
)
"""What its map shows, as the page says it."""
CASTLE_ROOMS = {
    "Two of your men in rooms with the same symbol: you take that card": "rope key pass cutter",
    "One of your men in a room with each of these symbols: you put an Escape Kit together": (
        "food documents compass disguise"
    ),
}
"""What rooms are for, by the signs in them."""
GAMES = ("stratego-classic", "stratego-quick-duel")


def pieces(language: str) -> str:
    """How many pieces of each rank an army has, as a table: classic, and Quick Duel."""
    words = catalogue(language)
    armies = [boardrules.new(game).view(None).json()["army"] for game in GAMES]
    named = {sign: in_context(words, "stratego", name) for sign, name in RANKS.items()}
    rows = [
        f"| {sign} | {name} | {armies[0].get(sign, 0)} | {armies[1].get(sign, 0) or '–'} |"
        for sign, name in named.items()
    ]
    return "\n".join(["| | | 10×10 | 8×8 |", "|---|---|---|---|", *rows])


def lamps(language: str, names: tuple[str, ...] = LAMPS) -> str:
    """What lamps mean (those of Stratego, unless named), as a table."""
    words = catalogue(language).gettext
    rows = [
        f"| {words(hue)}, {words(pattern)} | {words(meaning)} |"
        for hue, pattern, meaning in (marks.LEGEND[name] for name in names)
    ]
    return "\n".join(["| | |", "|---|---|", *rows])


def labels(language: str) -> Iterator[str]:
    """The words on buttons that the guide speaks of, in its order."""
    words = catalogue(language).gettext
    yield words("Sit down: {seat}").format(seat=words("Red"))
    for name in (
        "Random",
        "Check",
        "Save …",
        "Ready",
        "Take back …",
        "Offer a draw",
        "Resign",
        "Watch it again",
        "New game",
    ):
        yield words(name)


def hunt_lamps(language: str) -> str:
    """What lamps of Fall of the Führer mean, as a table."""
    return lamps(language, HUNT_LAMPS)


def hunt_labels(language: str) -> Iterator[str]:
    """The words on buttons that the guide to Fall of the Führer speaks of, by their numbers there."""
    words = catalogue(language).gettext
    yield words("{piece} starts in {place}").format(piece=words("Tank"), place="Berlin")
    yield words("Start in {place}").format(place="Ulm")
    yield words("Move to {place}").format(place="Ulm")
    yield words("Move to {place} with a ticket").format(place="Bonn")
    for name in ("Recapture", "Roll the die", "Wrong roll …", "Stay"):
        yield words(name)
    yield words("Ask about {place}").format(place="Ulm")
    for name in (
        "Stop asking",
        "Written down",
        "This is the whole sheet",
        "Notes and help",
        "Show where he may be, from what everyone knows",
        "New game",
    ):
        yield words(name)


def castle_lamps(language: str) -> str:
    """What lamps of Escape from Colditz mean, as a table."""
    return lamps(language, CASTLE_LAMPS)


def castle_map(language: str) -> str:
    """What its map shows, as a list."""
    words = catalogue(language).gettext
    return "\n".join(f"- {words(sentence)}" for sentence in CASTLE_MAP)


def castle_rooms(language: str) -> str:
    """What men in its rooms bring, by the signs of the rooms, as a list."""
    words = catalogue(language).gettext
    rooms = boardrules.new("escape-from-colditz").scenery()["rooms"]
    lines = []
    for sentence, signs in CASTLE_ROOMS.items():
        lines.append(f"- {words(sentence)}")
        for sign in signs.split():
            showing = [words(TEXTS[f"castle room {room}"]) for room, shows in rooms.items() if shows == sign]
            lines.append(f"  - {words(TEXTS[f'item {sign}'])} – {', '.join(showing)}")
    return "\n".join(lines)


def castle_labels(language: str) -> Iterator[str]:
    """The words on buttons that the guide to Escape from Colditz speaks of, in its order."""
    words = catalogue(language).gettext
    for name in (
        "Let the hands do it",
        "The guards are posted",
        "Roll the dice",
        "End the turn",
        "Do you answer?",
        "Put an Escape Kit together",
        "Offer a trade",
        "Accept the trade",
        "All line up",
        "New game",
    ):
        yield words(name)
