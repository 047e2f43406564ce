"""What the board asks of hands, what is wrong, what seats are answered (see `boardumpire.announce`)."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    # What the board asks hands to do, and what is wrong with it
    "chore put": "Put the piece back on {space}.",
    "chore put seat": "Put a piece of {seat} on {space}.",
    "chore take": "Take the piece off {space}: none belongs there.",
    "chore take seat": "Take up what is on {space}; then stand the right piece of {seat} there.",
    "chore take beaten": "Take the beaten piece off {space}.",
    "chore centre": "Set the piece in the middle of its space, near {space}.",
    "fault not-your-turn": "The piece from {first} was moved out of turn: it goes back.",
    "fault extra-piece": "There is one piece too many, on {first}.",
    "fault extra-pieces": "There are pieces too many: one on each of {spaces}.",
    "fault between-spaces": "A piece stands between two spaces: {spaces}.",
    "fault pieces-down": "Pieces are off their spaces. Please stand them back on {spaces}.",
    "fault touch-move": "A piece that was touched has to be moved: put the piece back on {first}.",
    "fault no-attack": "Neither of these pieces can attack the other: {spaces}. Please put them back.",
    "fault muddle": "The board cannot tell what happened on {spaces}. Please put the pieces back.",
    "question attack-here": "Does the piece from {first} attack {rest}? Confirm or cancel.",
    "question attack-where": "Which piece does the one from {first} attack: {rest}? Say so, or put it back.",
    "question who-stands": "Does the right piece stand on {first}? Confirm, or cancel if it is another one.",
    "question that-piece": "Pieces were in the air together: {spaces}. Did the one from {first} move?",
    "question same-places": "These pieces were in the air together: {spaces}. Does each stand where it was?",
    "question came-from": "Did a piece move here from {first}? ({rest})",
    "question adjourn": "The board is empty. Shall the game be adjourned?",
    "question turned": "The board seems to be turned half round. Shall it be played as it stands?",
    "proposal by-hand": "{seat} proposes to play {space} by hand, without its sensor.",
    "proposal by-reed": "{seat} proposes to trust the sensor of {space} again.",
    "proposal resign": "{seat}: really resign?",
    "proposal adjourn": "{seat} proposes to adjourn.",
    "proposal new-game": "{seat} proposes a new game.",
    "note adjourned": "The game is adjourned. It goes on once the pieces stand again.",
    "reminder piece-up": "The piece of {space} has been in the air for a while.",
    "trouble": "The hardware is in trouble ({code}) at {where}: {detail}",
    "trouble ghost": "The board cannot be sure of {where}: {detail}",
    "trouble reed-flutters": "The reed of {where} needs looking after: {detail}.",
    "trouble lamps-silent": "The lamps do not answer; the game goes on in the dark: {detail}",
    "trouble lamps-back": "The lamps are back.",
    "trouble journal": "The journal cannot be written, so the game stands still: {detail}",
    # What a seat is answered
    "answer still": "the journal can't be written: the game stands still",
    "answer by-hands": "that is done with the pieces on the board",
    "answer for": "that is for {seat} to answer",
    "answer unasked": "nothing was asked of you",
    "answer waiting": "another proposal waits for its answer",
    "answer no-space": "{word} needs a space of the board: found {about}",
    "answer off": "the umpire is off: it comes back in a moment",
    "answer not-over": "the game is not over: play it to its end, or resign it",
}
"""Every sentence, by the id of its message."""
