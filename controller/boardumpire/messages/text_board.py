"""What the board asks of hands, what is wrong, what seats are answered (see `announce`)."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    # What the board asks hands to do, and what is wrong with it
    "chore put": "Put the piece back on {space}.",
    "chore put seat": "Put a piece on {space} ({seat}).",
    "chore take": "Take the piece off {space}: there should be none.",
    "chore take seat": "Clear {space}, then put the right piece there ({seat}).",
    "chore take beaten": "Check that the winner of the battle is on {space}, and lift it once.",
    "chore centre": "Put the piece in the middle of its space, near {space}.",
    "chore ring": "Put the piece on one of the rings of {space}.",
    "fault not-your-turn": "The piece from {first} was moved out of turn: put it back.",
    "fault not-ready": "Not ready yet: {seat}. Put the piece on {first} back, and wait.",
    "fault extra-piece": "There is one piece too many, on {first}.",
    "fault extra-pieces": "There are too many pieces: one extra on each of {spaces}.",
    "fault between-spaces": "A piece is between two spaces: {spaces}.",
    "fault between-rings": "A piece is between the rings of {first}.",
    "fault pieces-down": "Pieces are off their spaces. Please put them back on {spaces}.",
    "fault touch-move": "You touched another piece, so that one has to move: put this one back on {first}.",
    "fault no-attack": "Neither of these pieces can attack the other: {spaces}. Please put them back.",
    "fault muddle": "The board can't tell what happened on {spaces}. Please put the pieces back.",
    "question attack-pending": "Does the piece from {first} attack {rest}? Confirm, or tap it on {first}.",
    "question attack-counting": "{first} attacks {rest} in a moment. Put a piece back to stop it.",
    "question attack-which": "Which of {rest} does the piece from {first} attack? Say which one.",
    "question attack-here": "Does the piece from {first} attack {rest}? If it is still in your hand,"
    " answer no. If it is on top of another, lift it once.",
    "question attack-where": "Which piece does the one from {first} attack: {rest}? Say which one,"
    " or cancel.",
    "question in-hand": "Is the piece from {first} in your hand? If it is on top of another, lift it once.",
    "question who-stands": "Is the right piece on {first}? Confirm, or cancel if it is another one.",
    "question that-piece": "Several pieces were lifted at once: {pieces}."
    " Was it the one from {first} that moved?",
    "question same-places": "These pieces were off the board at once: {spaces}."
    " Is each of them in its place?",
    "question came-from": "Did a piece move here from {first}? ({rest})",
    "question adjourn": "The board is empty. Stop here and finish the game later?",
    "question turned": "The board seems to have been turned round. Play on as it is?",
    "proposal by-hand": "{seat} would like to play {space} without its sensor.",
    "proposal by-hand board": "Play {space} by hand, without its sensor?",
    "proposal stands": "{seat}: the board is wrong; the pieces are where the screens show them. Play on?",
    "proposal by-reed": "{seat} would like to use the sensor of {space} again.",
    "proposal resign": "{seat}: really resign?",
    "proposal adjourn": "{seat} would like to stop here and finish the game later.",
    "proposal new-game": "{seat} would like to start a new game.",
    "proposal new-game board": "Do you want to start a new game?",
    "proposal shut-down board": "Shut the board down? The game is saved.",
    "proposal try-pin board": "Too many wrong PINs were tried. Confirm at the board to try again, or cancel.",
    "proposal move-seat": "Somebody wants to use another device: {seat}. Is it the same person?",
    "proposal sit-down": "Somebody wants to sit down: {seat}. Is that right?",
    "note adjourned": "You can finish the game later. It goes on once the pieces are back in place.",
    "reminder attacked-unfelt": "Only the piece from {space} has been lifted."
    " If it is under attack, confirm.",
    "reminder piece-up": "The piece from {space} has been off the board for a while.",
    "reminder unfelt": "Done, but the board hasn't noticed ({spaces})?"
    " Go there with the turn button, then confirm.",
    "reminder stuck": "The sensor of {spaces} seems stuck: a piece must have left it twice. Play it by hand?",
    "reminder chores": "The board still needs tidying up. Left to do: {count}.",
    "trouble": "There is a fault in the hardware ({code}) at {where}: {detail}",
    "trouble ghost": "The board can't be sure of {where}: {detail}",
    "trouble reed-flutters": "Please check the sensor of {where}: {detail}.",
    "trouble lamps-silent": "The lights aren't working; the game goes on without them: {detail}",
    "trouble lamps-back": "The lights are working again.",
    "trouble bank-silent": "A part of the board isn't answering ({where}); the game waits for it: {detail}",
    "trouble bank-back": "The part of the board that wasn't answering is back: {where}.",
    "trouble house": "That couldn't be done: {detail}",
    # What a seat is answered
    "answer by-hands": "Use the pieces on the board for that.",
    "answer for": "Somebody else has to answer that: {seat}.",
    "answer throw": "Somebody else has to enter that roll: {seat}.",
    "answer no-die": "This game isn't played with a real die.",
    "answer changed": "The question has changed. Look again, and answer the new one.",
    "answer thinking": "The machine is thinking about something else. Try again soon.",
    "answer unasked": "Nobody has asked you anything.",
    "answer waiting": "Another proposal is waiting for an answer.",
    "answer attack-first": "An attack is waiting. Confirm it first, or put the piece back.",
    "answer nothing-wrong": "The board senses nothing wrong.",
    "answer no-space": "{word} needs a space on the board: found {about}.",
    "answer off": "The umpire is off. It will be back in a moment.",
    "answer pin-wrong": "That isn't the table's PIN.",
    "answer pin-prove": "Too many wrong PINs. Press confirm on the board, then try again within a minute.",
    "answer pin-wait": "Too many wrong PINs. Wait a minute, or use the buttons on the board.",
    "answer reload": "This page is older than the umpire. Please reload it.",
    "answer not-over": "The game isn't over. Play it to its end, or resign.",
}
"""Every sentence, by the id of its message."""
