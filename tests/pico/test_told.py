"""One cable, the other end of its wire in hand: whatever a Pico says or leaves unsaid, nothing is raised."""

import logging

import pytest

from boardware.description import load_board
from boardware.pico_cable import PicoCable
from boardware.pico_plan import plans_by_pico
from boardware.ports import Tone
from boardwire import wire
from boardwire.framing import frame
from boardwire.link import MAX_QUEUED_PAYLOADS, OPEN, PicoLink
from lit import CYAN_DIM, GREEN, lit

STRANGER = frame(0, wire.encode("stranger", wire.DECLARATION_HASH))
(PLAN,) = plans_by_pico(load_board("quick-battle-8x8-pico")).values()
LAMPS = list(PLAN.lamp_addresses)


class Line:
    """The serial port of a Pico that is played by hand, and who listens to the cable."""

    def __init__(self):
        self.coming = self.gone = b""
        self.troubles, self.slots, self.names = [], [], []
        self.now = 0
        self.pico = PicoLink("1.0.0", PLAN.board.id, PLAN.wiring_hash, PLAN.pico)
        self.cable = PicoCable(PLAN, self, lambda: ["/x"], lambda path: self)
        self.turn()  # the hello is out
        self.pico.receive_data(self.taken())

    def read(self, most):
        data, self.coming = self.coming[:most], self.coming[most:]
        return data

    def write(self, data):
        self.gone += data
        return len(data)

    def close(self):
        pass

    def on_sensor_change(self, at, slot, present):
        self.slots.append((slot, present))

    def on_button(self, at, name, down):
        assert not down, "a lost cable lets go of buttons, it presses none"

    def on_trouble(self, trouble):
        self.troubles.append((trouble.code, trouble.where))

    def taken(self):
        data, self.gone = self.gone, b""
        return data

    def turn(self):
        self.now += 1000
        self.cable.poll(self.now)

    def say(self, *messages, then=b""):
        """The Pico says these and what comes `then`, all in one read."""
        for message in messages:
            self.pico.send(*message)
        self.coming += self.pico.data_to_send(self.now) + then
        self.turn()

    def hear(self):
        """Both ends talk until nothing is left to say; what the Pico was told."""
        told = []
        for _ in range(200):
            self.pico.receive_data(self.taken())
            while (event := self.pico.next_event()) is not None:
                told.append(event)
            self.say()
        return told

    def known(self):
        self.say(("snapshot", 1, b""))
        self.hear()
        assert self.cable.has_reported
        return self


def test_a_session_that_opens_and_ends_in_one_read_is_begun_anew():
    line = Line()
    line.say(then=STRANGER)
    assert line.cable.link.state != OPEN
    line.now += 300_000  # until it says hello again
    line.turn()
    assert ("bright", 128) in line.hear()
    assert line.cable.link.state == OPEN


def test_more_sessions_opened_in_one_read_than_there_is_room_for_greetings():
    line = Line()
    welcome = line.pico.data_to_send(line.now)
    line.coming = (welcome + STRANGER) * 40 + welcome
    for _ in range(4):
        line.turn()
    line.now += 300_000
    line.turn()
    assert ("bright", 128) in line.hear()


@pytest.mark.parametrize("end", [STRANGER, frame(0, b"\xff") + STRANGER])
def test_a_sign_of_life_of_a_session_that_ended_asks_for_nothing(end):
    line = Line().known()
    line.say(("alive", 2, 0x1234), then=end)
    assert line.troubles == [("bank-silent", PLAN.pico)]


def test_a_sign_of_life_that_disagrees_asks_for_a_snapshot():
    line = Line().known()
    line.say(("alive", 2, 0x1234))
    assert line.hear() == [("look",)]


@pytest.mark.parametrize("name", ["placed", "lifted", "ghost"])
def test_a_contact_that_no_bank_has_is_reported_and_dropped(name):
    line = Line().known()
    line.say((name, 2, 60000), ("placed", 3, 0))
    assert line.troubles == [("no-contact", f"{PLAN.pico}:60000")]
    assert line.slots == [(PLAN.contact_slots[0], True)]
    line.say(("alive", 4, 0x1234))
    assert line.hear() == [("look",)]


def lamps_lit(told):
    """What lamps show after all that a Pico was told."""
    shown = {}
    for name, *values in told:
        if name in ("light", "mask"):
            chain, number, lamps = values
            for index in lamps if name == "light" else wire.numbers(lamps):
                shown[chain, index] = number
    return {lamp for lamp, number in shown.items() if number}


def test_a_pico_that_acknowledges_nothing_is_told_the_latest_lights_and_hints_once_it_does():
    line = Line().known()
    slots = [slot for slot in PLAN.contact_slots if slot is not None]
    for turn in range(600):
        shown = lit(
            {LAMPS[(turn + 3 * place) % len(LAMPS)]: code for place, code in enumerate((GREEN, CYAN_DIM))}
        )
        hints = {slots[turn % 8]: lit({LAMPS[turn % len(LAMPS)]: GREEN})}
        line.cable.show(shown, line.now)
        line.cable.prepare_hints(hints, line.now)
        line.cable.play_sound([Tone(880, 80)])
        line.cable.flush(line.now)
        line.now += 300
    assert line.cable.link.room <= MAX_QUEUED_PAYLOADS - 60
    told = line.hear()
    assert lamps_lit(told) == {PLAN.lamp_addresses[lamp] for lamp in shown}
    last = max(place for place, event in enumerate(told) if event[0] == "forget")
    epoch = told[last][1]
    chain, index = PLAN.lamp_addresses[LAMPS[599 % len(LAMPS)]]
    number, lamps = GREEN, wire.bits([index], PLAN.chains[chain].length)
    after = [event for event in told[last + 1 :] if event[0] in ("hint", "arm", "light", "mask")]
    contact = PLAN.contact_slots.index(slots[599 % 8])
    assert after[0] == ("hint", contact, chain, number, lamps)
    assert after[-1] == ("arm", epoch)  # no light comes after it: that would disarm the hints


def test_hints_that_wait_are_dropped_when_a_hand_touches_the_board():
    line = Line().known()
    slot = PLAN.contact_slots[5]
    while line.cable.link.room:
        line.cable.link.send("sound", b"x" * 61)
    line.cable.prepare_hints({slot: lit({LAMPS[0]: GREEN})}, line.now)
    line.say(("placed", 2, 0))
    assert not {"arm", "hint"} & {event[0] for event in line.hear()}


def test_a_full_link_is_closed_all_the_same():
    line = Line().known()
    while line.cable.link.room:
        line.cable.link.send("sound", b"x" * 61)
    line.cable.close()
    assert line.cable.path == ""


def test_a_line_of_the_picos_log_is_one_harmless_line_of_ours(caplog):
    line = Line().known()
    with caplog.at_level(logging.INFO, "boardumpire.pico"):
        line.say(("log", "all\r\nERROR \x1b[31mwell"))
    assert caplog.messages == [f"{PLAN.pico}: all\\r\\nERROR \\x1b[31mwell"]


NONSENSE = {
    "invalid": lambda line, number: line.say(then=frame(0, bytes([0xFF, number & 0xFF]))),
    "contacts": lambda line, number: line.say(("placed", number, 200 + number % 50)),
    "disagreement": lambda line, number: line.say(("alive", number, 0x1234)),
    "log": lambda line, number: line.say(("log", f"nonsense {number}")),
    "sessions": lambda line, number: line.say(then=STRANGER),
    "refusals": lambda line, number: line.say(
        then=frame(0, wire.encode("welcome", line.cable.link._session, number, "1", "x", 1, "y"))
    ),
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_a_pico_that_talks_nonsense_for_a_minute_writes_few_lines(kind, caplog):
    """Each kind once, then counted: there were 90,000 lines a minute, and as many faults for people."""
    caplog.set_level(logging.INFO)
    line = Line().known()
    line.troubles.clear()
    for number in range(9_000):
        line.now += 3000
        if line.cable.link.state == OPEN or kind == "refusals":
            NONSENSE[kind](line, number)
        line.pico.receive_data(line.taken())
        while line.pico.next_event() is not None:
            pass
        line.say()
        if line.cable.link.state == OPEN and not line.cable.is_reporting:
            line.say(("snapshot", number, b""))
    assert line.now < 60_000_000
    assert len(caplog.records) <= 25, caplog.text[:1000]
    if kind != "sessions":
        assert len(line.troubles) <= 2 * 60 / 0.4
    caplog.clear()
    line.now += 60_000_000
    line.cable._warn("invalid", line.now, "%s sent an invalid message", "pico")
    if kind == "invalid":
        assert "more like it before" in caplog.text
