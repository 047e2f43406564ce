"""The sentences of Fall of the Führer, by the id of their message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boardrules.package import Sentences

TEXTS: Mapping[str, str] = {
    "about": "Hitler hides and moves unseen from city to city. Tank, Spy and Infantry have 24 rounds "
    "to find him.",
    # Names that take the place of parameters
    "seat hitler": "Hitler",
    "seat allies": "The Allies",
    "seat tank": "Tank",
    "seat spy": "Spy",
    "seat infantry": "Infantry",
    "seat tank-spy": "Tank and Spy",
    "seat tank-infantry": "Tank and Infantry",
    "seat spy-infantry": "Spy and Infantry",
    "piece tank": "Tank",
    "piece spy": "Spy",
    "piece infantry": "Infantry",
    # What is printed on the map, in its legend and on what is cut out
    "print title": "Fall of the Führer",
    "print city": "City: several pieces may stand here",
    "print airport": "Airport: with a ticket, Hitler flies from here to another airport",
    "print way": "Road, drawn as a railway: one step, for all pieces and for Hitler",
    "print calendar": "Calendar: two rounds a month, each with its light",
    "print turn": "Light: it is this seat's or this piece's turn",
    "print die": "The die: as many lights as it shows",
    "print ticket": "Tickets that Hitler has left",
    "print flag": "Flag: this city is liberated",
    "print token": "Token: Hitler was here two rounds ago",
    "print north sea": "North Sea",
    "print baltic": "Baltic Sea",
    "print rhine": "Rhine",
    "print elbe": "Elbe",
    "print oder": "Oder",
    "print danube": "Danube",
    "print main": "Main",
    "print weser": "Weser",
    "print a ticket": "Ticket",
    "print a flag": "Flag",
    "print a token": "Token",
    # What happened
    "event placed": "{piece} starts in {at}.",
    "event hidden": "Hitler has chosen where he starts.",
    "event calendar": "Round {round} of 24.",
    "event moved": "Hitler has made his move of round {round}.",
    "event ticket": "Hitler has used a ticket; {left} left.",
    "event flight": "Hitler has used a ticket in {from}; {left} left.",
    "event recaptured": "Hitler recaptures {at}.",
    "event lowered": "The flag of {at} is taken down.",
    "event token": "Two rounds ago Hitler was in {at}.",
    "event rolled": "{piece} rolled {die}.",
    "event went": "{piece} moves from {from} to {to}.",
    "event stayed": "{piece} stays.",
    "event liberated": "{at} is liberated.",
    "event liberating": "{at} is being liberated.",
    "event asked": "The Spy asks about {at}.",
    "event answer yes": "Hitler is in {at}.",
    "event answer no": "Hitler is not in {at}.",
    "event captured": "The Infantry finds Hitler in {at}.",
    "event offer throw-again": "{seat} asked to enter the roll again: it was wrong.",
    "event decline throw-again": "{seat} said that the roll counts.",
    "event take-back throw-again": "The roll is taken back. Please enter what the die shows.",
    "event sheet": "Hitler's way, round by round: {entries}.",
    "event audit holds": "The sheet is correct: it fits everything that was said.",
    "event audit way": "The sheet is wrong: nothing that was announced in round {round} leads to {at}.",
    "event audit answer": "The sheet is wrong: it has {at} in round {round}, but an answer said otherwise.",
    "event audit token": "The sheet is wrong: it has {at} in round {round}, but the token was elsewhere.",
    "event audit recapture": "The sheet is wrong: it has {at} in round {round}, not the city that was "
    "recaptured.",
    # How it ended
    "won capture": "The Allies win: Infantry has captured Hitler.",
    "won escaped": "Hitler wins: nobody caught him in 24 rounds.",
    "won sheet": "The Allies win: the sheet is wrong.",
    # What buttons say besides
    "button turn": "The piece stays, or the turn ends.",
    "button turn held": "Ask to take the last move back.",
    "button choose": "Roll.",
    # Why not
    "clash tank-rolls-or-declares": "A Tank that always rolls can't say instead of rolling that it liberates"
    " its city: please change one of the two options.",
    "fuhrer/over": "The game is over.",
    "fuhrer/unknown-action": "You can't do that in this game.",
    "fuhrer/not-your-turn": "It isn't your turn: {seat}.",
    "fuhrer/not-now": "That can't be done now.",
    "fuhrer/setup-first": "Wait until all pieces are set up and Hitler has chosen where he starts.",
    "fuhrer/setup-order": "{piece} can't be set up now.",
    "fuhrer/city-taken": "{at} has a piece already; the three start in different cities.",
    "fuhrer/roll-first": "Roll the die first.",
    "fuhrer/no-roll": "You can't roll the die now.",
    "fuhrer/not-there": "{piece} isn't in {from}.",
    "fuhrer/no-way": "Move to another city, or choose to stay.",
    "fuhrer/too-far": "From {from} to {to} is further than the {die} you rolled.",
    "fuhrer/nothing-to-liberate": "You can't liberate anything like that.",
    "fuhrer/ask-too-far": "{at} is too far from the Spy to ask about.",
    "fuhrer/asked-already": "The Spy has asked about {at} already.",
    "fuhrer/one-by-one": "The Spy asks about one city at a time.",
    "fuhrer/trapped": "{at} is liberated: you can only stay, or recapture it.",
    "fuhrer/out-of-reach": "You can't reach {to} like that in one turn.",
    "fuhrer/no-ticket": "You can't use that many tickets; {left} left.",
    "fuhrer/tell-origin": "Name the airport a flight leaves from, or leave it out, as this game's rule says.",
    "fuhrer/no-flag": "There is no flag where you are.",
    "fuhrer/not-allowed": "That is not allowed.",
    "fuhrer/other-sheet": "In this game Hitler's route is kept the other way.",
    "fuhrer/contradiction": "That doesn't fit what was said before.",
    "fuhrer/sheet-length": "The sheet needs one city for each round that was played.",
    "fuhrer/offer-open": "A question is waiting for an answer ({seat}).",
    "fuhrer/no-offer": "There is nothing to answer.",
    "fuhrer/own-offer": "Only the other side can answer that.",
    # What a board asks whose spaces hold more pieces than can be sensed
    "question moved-here": "Is the piece from {first} on {rest} now, beside another? Confirm or cancel.",
    "question moved-where": "Where is the piece from {first} now: {rest}? Say so, or put it back.",
    "fuhrer/nothing-to-take-back": "You can only take back the last thing you did,"
    " and only if nothing followed from it.",
    "fuhrer/nothing-to-throw-again": "You can only enter a roll again before its piece has moved.",
}
NAME_FAMILIES: Final = {"seat": "seat", "winner": "seat", "piece": "piece"}

SENTENCES: Final = Sentences(TEXTS, name_families=NAME_FAMILIES)
