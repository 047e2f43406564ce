"""What a player's guide takes from the program: names of pieces, meanings of lamps, words on buttons.

What is not translated yet changes no guide: tests hold guides to what is.

`python -m languages.guides` writes the tables of lamps and sounds anew; so does `make catalogues`. Tests
hold guides to what lamps mean and how they look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import boardrules
from boardumpire.lamps.legend import Legend
from boardumpire.messages import announce
from boardumpire.messages.languages import LANGUAGES, catalogue, translate_in_context
from boardumpire.messages.sounds import SOUNDS
from boardumpire.messages.sounds import describe_rhythm as rhythm
from languages import catalogues

DOCS = Path(__file__).resolve().parents[2] / "docs"
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
    words = catalogue(language, GAMES[0])
    armies = [boardrules.new(game).view(None).json()["army"] for game in GAMES]
    named = {sign: translate_in_context(words, "stratego", name) for sign, name in RANKS.items()}
    rows = [
        f"| {sign} | {name} | {armies[0].get(sign, 0)} | {armies[1].get(sign, 0) or '–'} |"
        for sign, name in named.items()
    ]
    return "\n".join(["| | | 10×10 | 8×8 |", "|---|---|---|---|", *rows])


SHOWN = {
    "stratego": ("stratego-classic", LAMPS),
    "fall-of-the-fuhrer": ("fall-of-the-fuhrer", HUNT_LAMPS),
    "escape-from-colditz": ("escape-from-colditz", CASTLE_LAMPS),
}
"""By guide the game that it is about and the marks in its table."""


@cache
def untranslated(language: str) -> re.Pattern[str]:
    """What that language says in English for the time being."""
    return pattern(catalogues.forms(message.id)[-1] for message, _ in catalogues.missing([language]))


def pattern(sentences: Iterable[str]) -> re.Pattern[str]:
    """Any of these sentences, whatever stands for its parameters."""
    holes = (re.sub(r"\\{\w+\\}", ".+", re.escape(sentence)) for sentence in sentences)
    return re.compile("|".join(holes) or "(?!)")


def agree(language: str, guide: list[str], program: list[str]) -> bool:
    """Whether a guide has what the program says, in its order, but for what is not translated."""
    left = untranslated(language)
    return len(guide) == len(program) and all(
        mine == said or left.fullmatch(said) for mine, said in zip(guide, program, strict=True)
    )


def meanings(language: str, guide: str) -> list[str]:
    """What the lamps in the table of a guide mean."""
    game, names = SHOWN[guide]
    marks = Legend(game).marks
    words = catalogue(language, game).gettext
    both = words("{meaning}; at the end of the game: {end}")
    return [
        both.format(meaning=words(mark.means), end=words(mark.at_end)) if mark.at_end else words(mark.means)
        for mark in (marks[name] for name in names)
    ]


def lamps(language: str, guide: str) -> str:
    """The table of lamps of a guide."""
    game, names = SHOWN[guide]
    words, marks = catalogue(language, game).gettext, Legend(game).marks
    looks = [f"{words(marks[name].colour)}, {words(marks[name].pattern)}" for name in names]
    rows = [f"| {look} | {means} |" for look, means in zip(looks, meanings(language, guide), strict=True)]
    return "\n".join(["| | |", "|---|---|", *rows])


def sounds() -> str:
    """The table of sounds for makers."""
    rows = [f"| `{name}` | {rhythm(sound)} | {sound.meaning} |" for name, sound in SOUNDS.items()]
    return "\n".join(["| sound | tones | meaning |", "|---|---|---|", *rows])


def labels(language: str) -> Iterator[str]:
    """The words on buttons that the guide speaks of, in its order."""
    words = catalogue(language, GAMES[0]).gettext
    yield words("Sit down as {seat}").format(seat=words("Red"))
    for name in (
        "Random",
        "Check",
        "Save …",
        "Ready",
        "Attack",
        "Take back …",
        "Offer a draw",
        "Resign",
        "Watch it again",
        "New game",
    ):
        yield words(name)


def hunt_labels(language: str) -> Iterator[str]:
    """The words on buttons that the guide to Fall of the Führer speaks of, by their numbers there."""
    words = catalogue(language, "fall-of-the-fuhrer").gettext
    yield words("{piece} starts in {place}").format(piece=words("Tank"), place="Berlin")
    yield words("Start in {place}").format(place="Ulm")
    yield words("Move to {place}").format(place="Ulm")
    yield words("Move to {place} with a ticket").format(place="Bonn")
    for name in ("Recapture", "Roll the die", "Wrong roll …", "Stay"):
        yield words(name)
    yield words("Ask about {place}").format(place="Ulm")
    for name in (
        "No more questions",
        "Written down",
        "This is the whole sheet",
        "Notes and help",
        "Show where he may be, from what everyone knows",
        "New game",
    ):
        yield words(name)


def castle_map(language: str) -> str:
    """What its map shows, as a list."""
    words = catalogue(language, "escape-from-colditz").gettext
    return "\n".join(f"- {words(sentence)}" for sentence in CASTLE_MAP)


def castle_rooms(language: str) -> str:
    """What men in its rooms bring, by the signs of the rooms, as a list."""
    words = catalogue(language, "escape-from-colditz").gettext
    rooms = boardrules.new("escape-from-colditz").printed_facts()["rooms"]
    lines = []
    for sentence, signs in CASTLE_ROOMS.items():
        lines.append(f"- {words(sentence)}")
        for sign in signs.split():
            showing = [words(TEXTS[f"castle room {room}"]) for room, shows in rooms.items() if shows == sign]
            lines.append(f"  - {words(TEXTS[f'item {sign}'])} – {', '.join(showing)}")
    return "\n".join(lines)


def castle_labels(language: str) -> Iterator[str]:
    """The words on buttons that the guide to Escape from Colditz speaks of, in its order."""
    words = catalogue(language, "escape-from-colditz").gettext
    for name in (
        "Let the hands do it",
        "The guards are posted",
        "Roll the dice",
        "End the turn",
        "Do you want to respond?",
        "Put an Escape Kit together",
        "Offer a trade",
        "Accept the trade",
        "All line up",
        "New game",
    ):
        yield words(name)


def written(page: str, table: str) -> str:
    """A page with this table in place of the one that has the same first line."""
    head = re.escape(table.splitlines()[0])
    return re.sub(rf"^{head}\n(?:\|.*\n)+", lambda _: f"{table}\n", page, count=1, flags=re.MULTILINE)


def main(docs: Path = DOCS) -> None:
    """Write the tables anew, and say which guides are not written yet."""
    tables = {
        docs / "play" / language / f"{guide}.md": lamps(language, guide)
        for language in LANGUAGES
        for guide in SHOWN
    }
    for path, table in {**tables, docs / "build" / "header.md": sounds()}.items():
        if path.exists():
            path.write_text(written(path.read_text(encoding="utf-8"), table), encoding="utf-8")
        else:
            print(f"{path.relative_to(docs.parent)}: not there yet")


if __name__ == "__main__":
    main()
