"""How long a private message is tells nothing in any language: neither what it says nor in which language."""

from __future__ import annotations

import json
import string

import boardrules
from boardrules.core import Refusal
from boardumpire.messages import announce, disclosure
from boardumpire.messages.disclosure import PRIVATE_MESSAGE_BYTES, SeatMessage
from boardumpire.messages.languages import ENGLISH, LANGUAGES
from boardumpire.ruling.umpire import Ruling
from boardware.ports import Micros

LONG = "outside-the-castle-7"
"""No space has a longer name, and ranks and seats are not as long in any language."""
SEATS = ("red", "blue")
AT: Micros = 1_234_000


def params(known: announce.KnownSentence) -> dict[str, str]:
    return {name: LONG for _, name, _, _ in string.Formatter().parse(known.text) if name}


def sizes(messages: list[SeatMessage]) -> dict[str, set[int]]:
    """By seat how many bytes are sent, over all languages."""
    return {
        str(message.seat): {
            len(json.dumps(disclosure.to_json_in_language(message.json(), one))) for one in LANGUAGES
        }
        for message in messages
        if message.seat is not None
    }


def test_every_reason_of_a_refusal_is_sent_in_the_same_number_of_bytes() -> None:
    action = next(iter(boardrules.new("stratego-quick-duel").legal_actions("red")))
    found: dict[str, set[int]] = {seat: set() for seat in SEATS}
    for known in (known for known in announce.all_sentences() if "/" in known.id):
        state = boardrules.new(known.game)
        over = f"{known.id.partition('/')[0]}/not-allowed"
        refusal = Refusal(known.id, "R123", tuple(sorted(params(known).items())), over)
        told = disclosure.refused_messages(AT, Ruling(action, state, (), refusal, (), None), SEATS)
        for seat, size in sizes(told).items():
            found[seat] |= size
    assert {seat: len(size) for seat, size in found.items()} == {"red": 1, "blue": 1}
    assert found["blue"] == {size + len("blue") - len("red") for size in found["red"]}, "but for the name"


def test_a_late_answer_is_sent_in_the_same_number_of_bytes() -> None:
    found: set[int] = set()
    for known in announce.all_sentences():
        if known.singular is None:
            text = announce.to_sentence(announce.Message(known.id, params(known), known.game))
            found |= sizes(disclosure.late_answer_messages(AT, "red", text, SEATS))["red"]
    assert len(found) == 1
    assert PRIVATE_MESSAGE_BYTES <= found.pop() < PRIVATE_MESSAGE_BYTES + 100


def test_a_private_message_is_padded_again_where_a_language_needs_more_than_there_is() -> None:
    (message,) = disclosure.late_answer_messages(AT, "red", announce.sentence_by_id("answer off"), ("red",))
    short = message.json()
    short["pad"] = ""
    grown = disclosure.to_json_in_language(short, "ru")
    assert (len(json.dumps(grown)) - len(json.dumps(short))) % PRIVATE_MESSAGE_BYTES == 0
    assert disclosure.to_json_in_language(short, ENGLISH) == short


def test_public_messages_are_said_in_the_language_and_keep_their_data() -> None:
    said = disclosure.to_json_in_language(disclosure.adjourned_message(AT).json(), "de")
    assert said == {
        "t": 1234,
        "kind": "adjourned",
        "text": "Ihr könnt das Spiel später beenden. Es geht weiter, sobald die Figuren wieder "
        "auf ihren Plätzen stehen.",
    }
    told = disclosure.trouble_message(AT, "lamps-silent", "", "no answer on SPI0").json()
    assert disclosure.to_json_in_language(told, "fr")["text"].endswith(": no answer on SPI0")
