"""Two links over a bad wire: each message is told once and in order, or the session ends."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire import wire
from boardwire.errors import LocalProtocolError, ProtocolError, RemoteProtocolError
from boardwire.framing import SYNC, frame
from boardwire.link import (
    CLOSED,
    GREETING,
    HELLO_INTERVAL_US,
    HOST_TRANSITIONS,
    INPUTS,
    LOCAL_ERROR,
    MAX_PACKED_BYTES,
    MAX_QUEUED_PAYLOADS,
    OPEN,
    PICO_TRANSITIONS,
    REFUSED,
    REMOTE_ERROR,
    RETRANSMIT_MAX_US,
    RETRANSMIT_US,
    SILENCE_TIMEOUT_US,
    WINDOW_FRAMES,
    HostLink,
    PicoLink,
)

MS = 1000


def pair(**other):
    me = {"board": "b", "plan": 7, "pico": "p"} | other
    return HostLink("b", 7, "p"), PicoLink("0.1", **me)


def events(link):
    told = []
    while (event := link.next_event()) is not None:
        told.append(event)
    return told


def pass_on(host, pico, now, rounds=3):
    for _ in range(rounds):
        pico.receive_data(host.data_to_send(now))
        host.receive_data(pico.data_to_send(now))


def opened(**other):
    host, pico = pair(**other)
    host.greet(0)
    pass_on(host, pico, 0)
    assert events(host) == events(pico) == [("opened",)]
    return host, pico


def test_a_session_opens_and_messages_pass_both_ways():
    host, pico = opened()
    assert host.version == "0.1"
    pico.send("lifted", 5, 1)
    pico.send("placed", 6, 2)
    host.send("look")
    pass_on(host, pico, MS)
    assert events(host) == [("lifted", 5, 1), ("placed", 6, 2)]
    assert events(pico) == [("look",)]
    assert host.data_to_send(2 * MS) == pico.data_to_send(2 * MS) == b""


def test_a_lift_takes_no_more_than_twenty_bytes_with_its_acknowledgement():
    host, pico = opened()
    pico.send("lifted", 0x12345678, 63)
    report = pico.data_to_send(MS)
    host.receive_data(report)
    assert len(report) + len(host.data_to_send(MS)) <= 20


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"pico": "north"}, "it is north of board b, expected p of b"),
        ({"board": "c"}, "it is p of board c"),
        ({"plan": 8}, "wired for another version of board b: flash it"),
    ],
)
def test_another_pico_is_refused_by_name(other, why):
    host, pico = pair(**other)
    host.greet(0)
    pass_on(host, pico, 0)
    ((kind, told),) = events(host)
    assert (kind, host.state) == ("refused", REFUSED)
    assert why in told
    assert host.data_to_send(10**9) == b""


def test_another_wire_is_refused_by_name_and_version(monkeypatch):
    host, pico = pair()
    host.greet(0)
    hello = host.data_to_send(0)
    monkeypatch.setattr(wire, "DECLARATION_HASH", wire.DECLARATION_HASH ^ 1)
    pico.receive_data(hello)
    welcome = pico.data_to_send(0)
    assert (pico.state, events(pico)) == (CLOSED, [])
    monkeypatch.undo()
    host.receive_data(welcome)
    ((kind, why),) = events(host)
    assert kind == "refused"
    assert "firmware 0.1 speaks another wire" in why


def test_hello_is_said_again_until_somebody_answers():
    host, pico = pair()
    host.greet(0)
    assert host.data_to_send(0)
    assert host.data_to_send(HELLO_INTERVAL_US - 1) == b""
    assert host.due() == HELLO_INTERVAL_US
    pico.receive_data(host.data_to_send(HELLO_INTERVAL_US))
    host.receive_data(pico.data_to_send(HELLO_INTERVAL_US))
    assert events(host) == [("opened",)]


def test_what_is_lost_is_sent_again_and_told_once():
    host, pico = opened()
    pico.send("lifted", 1, 1)
    lost = pico.data_to_send(MS)
    pico.send("placed", 2, 1)
    out_of_order = pico.data_to_send(2 * MS)
    host.receive_data(out_of_order)
    assert events(host) == []
    pico.receive_data(host.data_to_send(2 * MS))
    assert pico.due() == MS + RETRANSMIT_US
    again = pico.data_to_send(MS + RETRANSMIT_US)
    host.receive_data(again + again + lost)
    assert events(host) == [("lifted", 1, 1), ("placed", 2, 1)]
    pico.receive_data(host.data_to_send(20 * MS))
    assert pico.data_to_send(10**6) == b""
    assert pico.retransmitted_count == 2


def test_what_nobody_acknowledges_is_sent_again_ever_more_slowly():
    _, pico = opened()
    pico.send("lifted", 1, 1)
    pico.data_to_send(0)
    now, waits = 0, []
    for _ in range(5):
        waits.append(pico.due() - now)
        now = pico.due()
        assert pico.data_to_send(now - 1) == b""
        assert pico.data_to_send(now)
    assert waits == [
        RETRANSMIT_US,
        2 * RETRANSMIT_US,
        4 * RETRANSMIT_US,
        RETRANSMIT_MAX_US,
        RETRANSMIT_MAX_US,
    ]
    assert pico.retransmitted_count == 5


def test_once_it_is_acknowledged_the_next_is_sent_again_as_soon_as_the_first():
    host, pico = opened()
    pico.send("lifted", 1, 1)
    pico.data_to_send(0)
    host.receive_data(pico.data_to_send(RETRANSMIT_US))
    pico.receive_data(host.data_to_send(RETRANSMIT_US))
    pico.send("placed", 2, 1)
    assert pico.data_to_send(20 * MS)
    assert pico.due() == 20 * MS + RETRANSMIT_US
    assert pico.data_to_send(19 * MS + RETRANSMIT_US) == b""


def test_no_more_frames_than_the_window_holds_wait_for_their_acknowledgement():
    host, pico = opened()
    texts = [str(number) * MAX_PACKED_BYTES for number in range(WINDOW_FRAMES + 2)]
    for text in texts:
        pico.send("log", text)
    told = []
    for count in (WINDOW_FRAMES, 2):
        host.receive_data(pico.data_to_send(MS))
        told.append(events(host))
        assert len(told[-1]) == count
        assert pico.data_to_send(MS) == b""
        pico.receive_data(host.data_to_send(MS))
    assert [text for each in told for _, text in each] == texts


def test_nothing_of_an_old_session_goes_into_a_new_one():
    host, pico = opened()
    host.send("look")
    assert host.data_to_send(0)
    assert host.data_to_send(RETRANSMIT_US), "sent again, and twice as long until it is once more"
    host.send("dark")
    host.greet(50 * MS)
    pass_on(host, pico, 50 * MS)
    assert events(host) == [("opened",)]
    assert events(pico) == [("lost", "hello"), ("opened",)]
    assert host.room == MAX_QUEUED_PAYLOADS
    host.send("look")
    assert host.data_to_send(60 * MS)
    assert host.data_to_send(60 * MS + RETRANSMIT_US - 1) == b""
    pico.receive_data(host.data_to_send(60 * MS + RETRANSMIT_US))
    assert events(pico) == [("look",)]


def test_an_answer_to_an_earlier_hello_opens_nothing():
    host, pico = pair()
    host.greet(0)
    pico.receive_data(host.data_to_send(0))
    late = pico.data_to_send(0)
    host.greet(MS)
    host.data_to_send(MS)
    host.receive_data(late)
    assert events(host) == []
    assert host.state == GREETING


def test_a_late_double_of_a_hello_changes_nothing():
    host, pico = pair()
    host.greet(0)
    hello = host.data_to_send(0)
    pico.receive_data(hello)
    host.receive_data(pico.data_to_send(0))
    pico.send("lifted", 1, 1)
    host.receive_data(pico.data_to_send(MS))
    pico.receive_data(hello)
    pass_on(host, pico, 2 * MS)
    pico.send("placed", 2, 1)
    pass_on(host, pico, 3 * MS)
    assert events(host) == [("opened",), ("lifted", 1, 1), ("placed", 2, 1)]


def test_a_pico_that_booted_anew_is_greeted_at_once():
    host, _ = opened()
    fresh = PicoLink("0.1", "b", 7, "p")
    host.send("look")
    pass_on(host, fresh, 50 * MS)
    pass_on(host, fresh, 51 * MS)
    assert events(host) == [("lost", "stranger"), ("opened",)]
    assert fresh.state == OPEN


def test_silence_ends_a_session_on_both_ends():
    host, pico = opened()
    assert host.data_to_send(SILENCE_TIMEOUT_US) != b""
    assert events(host) == [("lost", "silence")]
    assert host.state == GREETING
    pico.data_to_send(MS)
    pico.data_to_send(SILENCE_TIMEOUT_US + MS)
    assert events(pico) == [("lost", "silence")]
    assert pico.state == CLOSED


def test_a_host_that_was_started_anew_begins_another_session():
    _, pico = opened()
    pico.send("lifted", 1, 1)
    other = HostLink("b", 7, "p")
    other.greet(77)
    pass_on(other, pico, 78)
    assert events(pico) == [("lost", "hello"), ("opened",)]
    assert events(other) == [("opened",)]


def test_what_may_not_be_sent_is_our_own_fault():
    host, pico = opened()
    with pytest.raises(LocalProtocolError):
        host.send("hello", 1, 2)
    for _ in range(MAX_QUEUED_PAYLOADS):
        pico.send("log", "x" * 200)
    assert pico.room == 0
    with pytest.raises(LocalProtocolError):
        pico.send("log", "x" * 200)


def test_a_greeting_that_is_not_alone_is_refused():
    host, _ = opened()
    host.receive_data(frame(0, wire.encode("stranger", 1) + wire.encode("log", "x")))
    with pytest.raises(RemoteProtocolError):
        host.next_event()
    assert host.state == OPEN


# Every state with every input


def inputs(link):
    """What makes each input happen to a link."""
    host = isinstance(link, HostLink)
    session = link._session or 0

    def greeted(name, *values):
        link.receive_data(frame(0, wire.encode(name, *values)))

    def welcome(plan):
        greeted("welcome", session, wire.DECLARATION_HASH, "0.1", "b", plan, "p")

    def hello(session, hash_=wire.DECLARATION_HASH):
        greeted("hello", session, hash_)

    def silence():
        link.data_to_send(0)
        link.data_to_send(SILENCE_TIMEOUT_US)

    return {
        "greet": lambda: link.greet(0) if host else link._apply_input("greet"),
        "send": lambda: link.send("look" if host else "log", *([] if host else ["x"])),
        "silence": silence,
        "hello": lambda: hello(session + 1),
        "again": lambda: hello(session),
        "welcome": lambda: welcome(7),
        "mismatch": lambda: welcome(8) if host else hello(session, 1),
        "stranger": lambda: greeted("stranger", wire.DECLARATION_HASH),
        "numbered": lambda: link.receive_data(
            frame(0, wire.encode("log", "x") if host else wire.encode("look"))
        ),
    }


def brought_to(side, state):
    host, pico = pair(plan=8) if state == REFUSED else pair()
    if state != CLOSED:
        host.greet(0)
    if state in (OPEN, REFUSED):
        pass_on(host, pico, 0)
    link = host if side == "host" else pico
    assert link.state == state
    events_of(link)
    return link


def events_of(link):
    """All events, errors too."""
    told = []
    while True:
        try:
            event = link.next_event()
        except ProtocolError as error:
            event = (error,)
        if event is None:
            return told
        told.append(event)


PAIRS = [
    *itertools.product(["host"], HOST_TRANSITIONS, INPUTS),
    *itertools.product(["pico"], PICO_TRANSITIONS, INPUTS),
]


@pytest.mark.parametrize(("side", "state", "what"), PAIRS)
def test_every_state_with_every_input(side, state, what):
    link = brought_to(side, state)
    expected = (HOST_TRANSITIONS if side == "host" else PICO_TRANSITIONS)[state][INPUTS.index(what)]
    if expected == LOCAL_ERROR:
        with pytest.raises(LocalProtocolError):
            inputs(link)[what]()
    else:
        inputs(link)[what]()
    told = events_of(link)
    assert link.state == (state if expected in (LOCAL_ERROR, REMOTE_ERROR) else expected)
    assert any(isinstance(event[0], RemoteProtocolError) for event in told) == (expected == REMOTE_ERROR)


ROWS = st.one_of(
    st.tuples(st.just("input"), st.sampled_from(INPUTS)),
    st.tuples(st.just("bytes"), st.binary(max_size=20)),
    st.tuples(st.just("frame"), st.binary(max_size=20)),
    st.tuples(st.just("time"), st.integers(0, SILENCE_TIMEOUT_US)),
)


@settings(max_examples=2 * settings.default.max_examples, deadline=None)
@given(st.sampled_from(["host", "pico"]), st.lists(ROWS, max_size=12))
def test_no_way_through_the_states_ends_in_another_error(side, rows):
    host, pico = pair()
    link = host if side == "host" else pico
    now = 0
    for kind, what in rows:
        try:
            if kind == "input":
                inputs(link)[what]()
            elif kind == "time":
                now += what
                link.data_to_send(now)
            else:
                link.receive_data(what if kind == "bytes" else frame(what[0] if what else 0, what))
        except LocalProtocolError:
            assert kind == "input"
        events_of(link)
        assert link.state in link.table


# A wire that does what it likes


def spoil(dice, data, rate):
    out = bytearray()
    for byte in data:
        match dice.random():
            case chance if chance < rate:
                out.append(byte ^ 1 << dice.randrange(8))
            case chance if chance < 1.5 * rate:
                continue
            case chance if chance < 2 * rate:
                out += bytes([byte, byte])
            case _:
                out.append(byte)
    return bytes(out)


@pytest.mark.parametrize("seed", range(20))
def test_over_a_bad_wire_each_message_is_told_once_and_in_order(seed):
    dice = random.Random(seed)
    host, pico = opened()
    sent = {host: [], pico: []}
    told = {host: [], pico: []}
    now = 0
    while now < 3_000 * MS or (now < 20_000 * MS and told != sent):
        now += 5 * MS
        for link, other in ((host, pico), (pico, host)):
            if now < 3_000 * MS and link.state == OPEN and dice.random() < 0.3:
                message = (
                    ("bright", dice.randint(1, 255)) if link is host else ("placed", now, dice.randint(0, 63))
                )
                link.send(*message)
                sent[link].append(message)
            other.receive_data(spoil(dice, link.data_to_send(now), 0.01))
            told[link] += events(other)
    assert told == sent
    assert host.noise_count
    assert pico.retransmitted_count


def fuzz(count, seed):
    """That many bytes, rubbish in good frames among them, into both ends; how often the other was blamed."""
    dice = random.Random(seed)
    blamed = 0
    for make in (lambda: opened()[0], lambda: opened()[1]):
        link = make()
        left = count // 2
        while left > 0:
            size = dice.randint(1, 400)
            left -= size
            data = bytearray(dice.randbytes(size))
            while dice.random() < 0.7:
                data += frame(dice.randrange(256), dice.randbytes(dice.randint(0, 12)))
            if dice.random() < 0.3:
                data += SYNC
            link.receive_data(bytes(data))
            while True:
                try:
                    if link.next_event() is None:
                        break
                except RemoteProtocolError:
                    blamed += 1
            link.data_to_send(0)
            if link.state != OPEN and dice.random() < 0.1:
                link = make()
    return blamed


def test_fuzz_raises_nothing_but_the_other_ends_fault():
    assert fuzz(400_000, 1)


@pytest.mark.nightly
def test_ten_million_bytes_of_fuzz(record_property):
    """Ten million random bytes, with well-framed rubbish between, raise nothing but RemoteProtocolError."""
    record_property("seed", 7)
    record_property("bytes", 10_000_000)
    record_property("blamed on the other end", fuzz(10_000_000, 7))
