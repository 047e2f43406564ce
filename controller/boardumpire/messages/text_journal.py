"""What people are told of the journal: that it waits, was damaged, what is lost (`announce`)."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "trouble journal": "The journal cannot be written, so the game has stopped until the board is "
    "restarted: {detail}",
    "trouble journal-room": "There is no room left on the disk, so the game waits."
    " It goes on by itself once there is room.",
    "trouble journal-waits": "The journal cannot be written just now, so the game waits and tries again:"
    " {detail}",
    "trouble journal-back": "The journal can be written again: the game goes on.",
    "trouble journal-mended": "The journal was damaged. It was mended from its second copy: nothing is lost.",
    "question lost-actions": "The journal was damaged: actions {first} to {last} of game {number} are lost."
    " Go on without them?",
    "question lost-action": "The journal was damaged: action {first} of game {number} is lost."
    " Go on without it?",
    "question lost-game": "The journal was damaged: game {number} is lost. Go on without it?",
    "question lost-end": "The journal was damaged: the end of game {number} is lost. Go on without it?",
    "question lost-perhaps": "The journal was damaged: whatever was done after action {kept} of game"
    " {number} may be lost. Go on with the game as it stands?",
    "answer still": "The journal can't be written. The game has stopped until the board is restarted.",
    "answer waits": "The journal can't be written just now. Try again once the game goes on.",
    "answer lost-first": "The journal was damaged. Everyone has to agree first how to go on.",
}
"""Every sentence, by the id of its message."""
