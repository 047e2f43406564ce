"""What people are told of the journal: that it waits, was damaged, what is lost (`announce`)."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "trouble journal": "The game can't be saved, so it has stopped until the board is restarted: {detail}",
    "trouble journal-room": "There is no room left on the disk, so the game waits."
    " It goes on by itself once there is room.",
    "trouble journal-waits": "The game can't be saved just now, so it waits and tries again: {detail}",
    "trouble journal-back": "The game can be saved again, and goes on.",
    "trouble journal-mended": "The game log was damaged, but a second copy was kept: nothing is lost.",
    "question lost-actions": "The game log was damaged: actions {first} to {last} of game {number} are "
    "lost. Go on without them?",
    "question lost-action": "The game log was damaged: action {first} of game {number} is lost. Go on "
    "without it?",
    "question lost-game": "The game log was damaged: game {number} is lost. Go on without it?",
    "question lost-end": "The game log was damaged: the end of game {number} is lost. Go on without it?",
    "question lost-all": "The game log was damaged: all games may be lost. Go on without them?",
    "question lost-perhaps": "The game log was damaged: whatever was done after action {kept} of game "
    "{number} may be lost. Go on with the game as it is?",
    "answer still": "The game can't be saved. It has stopped until the board is restarted.",
    "answer waits": "The game can't be saved just now. Try again once it goes on.",
    "answer lost-first": "The game log was damaged. First everyone has to agree how to go on.",
}
"""Every sentence, by the id of its message."""
