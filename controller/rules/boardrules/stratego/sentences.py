"""The sentences of Stratego, by the id of their message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.package import Sentences

TEXTS: Mapping[str, str] = {
    "about": "Two armies of hidden pieces on {size} by {size} squares, {pieces} a side. Find the "
    "enemy's Flag, and guard your own.",
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
    "rank 10": "the Field Marshal (10)",
    "rank B": "a Bomb",
    "rank F": "the Flag",
    "rule Q12": "two-square rule",
    "rule Q13": "chasing rule",
    "rule Q12 Q13": "two-square rule and chasing rule",
    # What happened
    "event setup": "{seat} has finished setting up.",
    "event start": "Both armies are set up. Red goes first.",
    "event told": "It moved more than one square: the piece on {at} is {rank}.",
    "event battle attacker": "{from} attacks {to}: {attacker} beats {defender} and takes its square.",
    "event battle defender": "{from} attacks {to}: {defender} beats {attacker} and stays.",
    "event battle both": "{from} attacks {to}: {attacker} meets {defender}, and both leave the board.",
    "event silent attacker": "{from} attacks {to}: the attacker wins and takes the square.",
    "event silent defender": "{from} attacks {to}: the defender wins and stays.",
    "event silent both": "{from} attacks {to}: both pieces leave the board.",
    "event blocked": "{seat} has no move left that the rules against repetition allow ({rules}).",
    # How it ended
    "won flag": "{winner} has captured the Flag and wins.",
    "won no-move": "{winner} wins: {loser} can't move any more.",
    "draw no-move": "A draw: neither side can move.",
    "draw quiet-limit": "A draw: too many turns without a battle.",
    # What buttons say besides
    "button confirm": "With two pieces up: the attack.",
    "button confirm held": "Offer a draw.",
    "button turn held": "Ask to take the last move back.",
    # Why not
    "stratego/over": "The game is over.",
    "stratego/setup-first": "Both armies must be set up before the first move.",
    "stratego/setup-done": "Both armies are set up; nobody can change a set-up now.",
    "stratego/setup-doubled": "Two pieces are on {square}; there is room for one.",
    "stratego/setup-zone": "{square} is outside your set-up zone.",
    "stratego/setup-mask": "You can't use {square} for your set-up.",
    "stratego/setup-army": "Rank {rank}: your army has {expected}, you have placed {given}.",
    "stratego/setup-refused": "The set-up isn't right yet; only its owner's screen shows why.",
    "stratego/not-your-turn": "It isn't your turn: {seat}.",
    "stratego/no-piece": "There is no piece on {from}.",
    "stratego/not-your-piece": "The piece on {from} isn't yours.",
    "stratego/no-pass": "On your turn, move or attack; {from} to {to} is neither.",
    "stratego/lake": "{to} is a lake.",
    "stratego/own-piece": "Your own piece is on {to}.",
    "stratego/diagonal": "Pieces move in a straight line; {from} to {to} isn't one.",
    "stratego/diagonal-attack": "Pieces attack in a straight line; {from} to {to} isn't one.",
    "stratego/lake-between": "There is a lake between {from} and {to}.",
    "stratego/piece-between": "There is a piece between {from} and {to}.",
    "stratego/immovable": "Bombs and the Flag never move; the one on {from} stays.",
    "stratego/too-far": "Only a Scout may move more than one square; {from} to {to} is too far.",
    "stratego/attack-too-far": "Only a Scout may attack from further away; {from} to {to} is too far.",
    "stratego/back-and-forth": "The piece on {from} has gone back and forth as often as it may.",
    "stratego/chase": "{from} to {to} would repeat the chase; make another move.",
    "stratego/not-allowed": "That is not allowed.",
    "stratego/unknown-action": "You can't do that in this game.",
    "stratego/offer-open": "An offer is waiting for an answer ({seat}).",
    "stratego/no-offer": "There is no offer to answer.",
    "stratego/own-offer": "Only your opponent can answer an offer.",
    "stratego/setup-resign": "Wait until both armies are set up.",
    "stratego/nothing-to-take-back": "You have no move to take back.",
    "stratego/told": "A move that gave something away can't be taken back.",
}
NAME_FAMILIES: Final = {
    "seat": "seat",
    "winner": "seat",
    "rules": "rule",
    "attacker": "rank",
    "defender": "rank",
    "rank": "rank",
}

SENTENCES: Final = Sentences(
    TEXTS,
    name_families=NAME_FAMILIES,
    # In a set-up's refusal the rank is a sign of the player's own text, not a piece that was met.
    literal_ids=frozenset({"stratego/setup-army"}),
)
