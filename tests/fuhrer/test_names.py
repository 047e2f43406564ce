"""Cities are called by their names wherever people read of them, in every language, and by ids nowhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from boardumpire.errors import SeatError, public_error_text
from boardumpire.messages import announce, disclosure
from boardumpire.messages.languages import LANGUAGES
from boardware.ports import SECOND
from fuhrer.hunt import Hunt


def sentences(value: Any) -> Iterator[announce.Sentence]:
    """All that is said in some data."""
    if isinstance(value, announce.Sentence):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from sentences(part)


@pytest.fixture(scope="module")
def hunt() -> Iterator[Hunt]:
    """A hunt in which much was said: of a round, of a piece that goes where it may not, and to Hitler
    alone."""
    hunt = Hunt(1)
    hunt.begin()
    while hunt.state.facts.round < 3:
        hunt.turn()
    bench, hands = hunt.bench, hunt.bench.hands
    pieces = hunt.table.view(None)["pieces"]
    bench.run_until(hands.lift(pieces["infantry"], bench.now))
    bench.run_until(
        hands.place(next(city for city in bench.board.space_names if city not in pieces.values()), bench.now)
    )
    bench.wait(5 * SECOND)
    yield hunt
    bench.close()


def test_cities_are_called_by_their_names(hunt: Hunt) -> None:
    ids = re.compile(rf"\b({'|'.join(hunt.bench.board.space_names)})\b")
    said = [each for message in hunt.messages for each in sentences(message.data)]
    assert {"event went", "event placed", "event answer no", "question who-stands"} <= {
        each.message.id for each in said if each.message
    }
    assert {name for name in hunt.bench.board.space_names.values() for each in said if name in each}
    for each in said:
        assert not ids.search(each), each
    for language in LANGUAGES:
        for message in hunt.messages:
            told = [str(part) for part in announce.translate(message.data.get("text", []), language)]
            assert not any(map(ids.search, told)), told


def test_what_one_seat_is_told_stays_as_long_as_what_the_others_are(hunt: Hunt) -> None:
    way = {"from": "kiel", "to": "saarbrucken"}
    told = announce.to_sentence(announce.Message("fuhrer/too-far", {"die": 1, **way}, "fall-of-the-fuhrer"))
    named = [
        disclosure.with_space_names(message, hunt.bench.board.space_names)
        for message in disclosure.late_answer_messages(0, "hitler", told, hunt.table.seats)
    ]
    assert named[0].data["answer"] == "From Kiel to Saarbrücken is further than the 1 you rolled."
    assert {len(json.dumps(message.data)) for message in named} == {disclosure.PRIVATE_MESSAGE_BYTES}


def test_what_a_seat_is_refused_is_told_by_names(hunt: Hunt) -> None:
    legal = {str(action) for action in hunt.state.legal_actions("hitler")}
    far, name = next(each for each in hunt.bench.board.space_names.items() if f"go {each[0]}" not in legal)
    with pytest.raises(SeatError, match=name) as refused:
        hunt.table.say("hitler", f"go {far}", hunt.bench.now)
    assert announce.translate(public_error_text(refused.value), "de") != str(refused.value)
