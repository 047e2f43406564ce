"""What people are told: a message id and its parameters -> a sentence.

Every sentence is whole and its parameters are named, so that a catalogue in another language can order them
as it likes. The table is closed: what the games can say has a sentence here, and tests hold that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from boardrules.core import Event, Outcome, Refusal
from boardumpire import announce_colditz, announce_fuhrer, announce_tags

Catalogue = Callable[[str], str]
"""English sentence -> the same in another language, as `gettext` does."""


class Message(NamedTuple):
    """Something to tell, in no language yet."""

    id: str
    params: Mapping[str, str] = {}


TEXTS: Mapping[str, str] = {
    # Names that take the place of parameters
    "seat red": "Red",
    "seat blue": "Blue",
    "rank ?": "a hidden piece",
    "rank S": "the Spy",
    "rank 2": "a Scout (2)",
    "rank 3": "a Miner (3)",
    "rank 4": "a Sergeant (4)",
    "rank 5": "a Lieutenant (5)",
    "rank 6": "a Captain (6)",
    "rank 7": "a Major (7)",
    "rank 8": "a Colonel (8)",
    "rank 9": "the General (9)",
    "rank 10": "the Marshal (10)",
    "rank B": "a Bomb",
    "rank F": "the Flag",
    # What happened
    "event setup": "{seat} has set up.",
    "event start": "Both armies stand. Red begins.",
    "event move": "{seat}: {from} to {to}.",
    "event told": "The piece on {at} has shown itself as {rank}.",
    "event battle attacker": "{from} attacks {to}: {attacker} beats {defender} and takes its square.",
    "event battle defender": "{from} attacks {to}: {attacker} falls, {defender} stays.",
    "event battle both": "{from} attacks {to}: {attacker} meets {defender}, both fall.",
    "event silent attacker": "{from} attacks {to}: the attacker wins and takes the square.",
    "event silent defender": "{from} attacks {to}: the attacker falls, the defender stays.",
    "event silent both": "{from} attacks {to}: both fall.",
    "event blocked": "{seat} has only moves left that the rules against repetition refuse ({rules}).",
    "event offer draw": "{seat} offers a draw.",
    "event offer take-back": "{seat} asks to take the last move back.",
    "event agree draw": "{seat} agrees to the draw.",
    "event decline draw": "{seat} declines the draw.",
    "event decline take-back": "{seat} does not let the move be taken back.",
    "event take-back": "The last move of {seat} is taken back.",
    "event resign": "{seat} resigns.",
    "event time": "The time of {seat} has run out.",
    # How it ended
    "won flag": "{winner} has captured the Flag and wins.",
    "won no-move": "{winner} wins: the other side cannot move any more.",
    "won resignation": "{winner} wins by resignation.",
    "won time": "{winner} wins on time.",
    "draw no-move": "A draw: neither side can move.",
    "draw quiet-limit": "A draw: too many turns without a battle.",
    "draw agreed": "A draw by agreement.",
    # Why not
    "stratego/over": "The game is over.",
    "stratego/setup-first": "Both armies must be set up before the first move.",
    "stratego/setup-done": "The set-up is closed: both armies stand.",
    "stratego/setup-doubled": "Two pieces are on {square}; a square holds one.",
    "stratego/setup-zone": "{square} is outside your set-up zone.",
    "stratego/setup-mask": "{square} may not be used for the set-up.",
    "stratego/setup-army": "Your army has {expected} of rank {rank}; this set-up has {given}.",
    "stratego/setup-refused": "The set-up is not right yet; its owner has been told why.",
    "stratego/not-your-turn": "It is not the turn of {seat}.",
    "stratego/no-piece": "There is no piece on {from}.",
    "stratego/not-your-piece": "The piece on {from} is not yours.",
    "stratego/no-pass": "A turn has to move or attack; {from} to {to} does neither.",
    "stratego/lake": "{to} is a lake.",
    "stratego/own-piece": "Your own piece stands on {to}.",
    "stratego/diagonal": "Pieces move straight; {from} to {to} is not one straight line.",
    "stratego/diagonal-attack": "Pieces attack straight; {from} to {to} is not one straight line.",
    "stratego/lake-between": "A lake lies between {from} and {to}.",
    "stratego/piece-between": "A piece stands between {from} and {to}.",
    "stratego/immovable": "Bombs and the Flag never move; the one on {from} stays.",
    "stratego/too-far": "Only a Scout goes further than one square; {from} to {to} is too far.",
    "stratego/attack-too-far": "Only a Scout attacks from further away; {from} to {to} is too far.",
    "stratego/back-and-forth": "The piece on {from} has gone back and forth as often as it may.",
    "stratego/chase": "{from} to {to} would repeat the chase; something else has to be done.",
    "stratego/not-allowed": "That is not allowed.",
    "stratego/unknown-action": "This game has no such action.",
    "stratego/offer-open": "An offer of {seat} waits for its answer.",
    "stratego/no-offer": "There is no such offer to answer.",
    "stratego/own-offer": "An offer is answered by the other side.",
    "stratego/setup-resign": "That can be said once both armies stand.",
    "stratego/nothing-to-take-back": "You have no last move to take back.",
    "stratego/told": "A move that told something cannot be taken back.",
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
    **announce_tags.TEXTS,
    **announce_fuhrer.TEXTS,
    **announce_colditz.TEXTS,
}
"""Every sentence, by the id of its message."""


def refused(refusal: Refusal, public: bool = False) -> Message:
    """The message of a refusal: to whoever acted, or what everybody may hear."""
    if public and refusal.public is not None:
        return Message(refusal.public, _public_params(refusal))
    return Message(refusal.code, dict(refusal.params))


def _public_params(refusal: Refusal) -> dict[str, str]:
    """Where hands were: everybody saw that."""
    return {name: value for name, value in refusal.params if name in ("seat", "from", "to")}


def happened(event: Event) -> Message:
    """The message of an event."""
    data = dict(event.data)
    if event.kind == "battle":
        kind = "battle" if "attacker" in data else "silent"
        return Message(f"event {kind} {data.pop('result')}", data)
    if event.kind == "over":
        return ended(Outcome(data["winner"], data["reason"]))
    thing = f" {data.pop('thing')}" if "thing" in data else ""
    return Message(f"event {event.kind}{thing}", data)


def ended(outcome: Outcome) -> Message:
    """The message of how a game ended."""
    if outcome.winner is None:
        return Message(f"draw {outcome.reason}")
    return Message(f"won {outcome.reason}", {"winner": outcome.winner})


_NAMED: Mapping[str, str] = {
    "seat": "seat",
    "winner": "seat",
    "attacker": "rank",
    "defender": "rank",
    "rank": "rank",
    "piece": "piece",
    "card": "card",
    "item": "item",
    "to": "seat",
}
"""Parameters whose values have names of their own, and under which."""


def text(message: Message, catalogue: Catalogue = str) -> str:
    """The sentence of a message, in the language of the catalogue. Raises `KeyError` for an unknown id."""
    params: dict[str, Any] = dict(message.params)
    for name, family in _NAMED.items():
        if name == "winner" and "+" in str(params.get(name)):  # seats that win together
            params[name] = " + ".join(catalogue(TEXTS[f"{family} {one}"]) for one in params[name].split("+"))
        known = TEXTS.get(f"{family} {params[name]}") if name in params else None
        # In a set-up's refusal the rank is a sign of the player's own text, not a piece that was met.
        if known is not None and message.id != "stratego/setup-army":
            params[name] = catalogue(known)
    for name, value in params.items():
        if isinstance(value, (list, tuple)):
            params[name] = ", ".join(map(str, value))
    return catalogue(TEXTS[message.id]).format(**params)


def sound(kind: str, data: Mapping[str, Any]) -> str | None:
    """What the buzzer plays (a name of `boardwire.sounds`) with a message that everybody hears, if anything.

    Who won a battle is heard, which ranks met is not: as the electronic board of 1982 did it.
    """
    if kind == "ruling":
        if not data["ok"]:
            return "refused"
        if any(event["kind"] == "offer" for event in data["events"]):
            return "attention"
        results = [event["result"] for event in data["events"] if event["kind"] == "battle"]
        return _BATTLE_SOUNDS[results[0]] if results else "accepted"
    return _SOUNDS.get(kind)


_BATTLE_SOUNDS = {"attacker": "attacker-stands", "defender": "defender-stands", "both": "both-fall"}
_SOUNDS = {"fault": "fault", "question": "attention", "proposal": "attention", "over": "over"}
