"""What a Pico shows by itself is not told again; lamps come out as the host wants them, whatever crosses."""

from hypothesis import given, settings
from hypothesis import strategies as st

from boardware.description import load_board
from boardware.pico_lights import PicoLights
from boardware.pico_plan import plans_by_pico
from boardwire.lamps import Chain, Lamps
from lit import CYAN_DIM, GREEN, WHITE_PULSE, lit

(PLAN,) = plans_by_pico(load_board("quick-battle-8x8-pico")).values()
SLOTS = [slot for slot in PLAN.contact_slots if slot is not None][:3]
NAMES = list(PLAN.lamp_addresses)[:4]
SHADES = (GREEN, CYAN_DIM, WHITE_PULSE)


class Pixels:
    """Takes frames."""

    def __setitem__(self, index, colour):
        pass

    def write(self, count, now):
        return 0


class Told(PicoLights):
    """Lights that are told by what is seen."""

    def show(self, codes):
        super().show(lit(codes))

    def prepare_hints(self, codes):
        super().prepare_hints({slot: lit(shown) for slot, shown in codes.items()})


class Pair:
    """Lights and the Pico's own lamps; what either says is on its way until it is carried."""

    def __init__(self):
        self.down, self.up = [], []
        self.sent = 0
        self.lights = Told(PLAN, self.queue)
        self.chain = Chain(Pixels(), PLAN.chains[0].length, 1500)
        self.lamps = Lamps([self.chain])
        self.lights.begin_session()
        self.carry()

    def queue(self, name, *values):
        self.down.append((name, *values))
        self.sent += 1
        return True

    def touch(self, name, contact):
        """A contact of the Pico changes; it tells the host, later."""
        if name == "placed":
            self.lamps.handle_place(contact)
        elif self.lamps.handle_lift(contact, 0):
            name = ("hinted", self.lamps.message_count)
        self.up.append((name, contact))

    def hear(self):
        """The Pico hears the oldest of what was said to it."""
        self.lamps.handle_message(self.down.pop(0), 0)

    def learn(self):
        """The host hears the oldest of what the Pico said."""
        name, contact = self.up.pop(0)
        self.lights.note_contact_changed(contact, lifted=name != "placed")
        if isinstance(name, tuple):
            self.lights.note_hint_followed(contact, name[1])

    def carry(self):
        """All that is on its way arrives, and what the table has looked at is told."""
        while self.up or self.down:
            while self.up:
                self.learn()
            self.lights.send_waiting(looked=True)
            while self.down:
                self.hear()

    def shown(self):
        """What the Pico's lamps show."""
        self.lamps._changed = True
        self.lamps.settle(0)
        names = {at: lamp for lamp, at in PLAN.lamp_addresses.items()}
        return {names[0, index]: light for index, light in self.chain._strip.lights.items()}


def test_what_a_hint_shows_is_not_told_again():
    pair = Pair()
    contact = PLAN.contact_slots.index(SLOTS[0])
    hint = {NAMES[1]: GREEN, NAMES[2]: WHITE_PULSE}
    pair.lights.show({NAMES[0]: CYAN_DIM})
    pair.lights.prepare_hints({SLOTS[0]: hint})
    pair.carry()
    sent = pair.sent
    pair.touch("lifted", contact)
    pair.carry()
    pair.lights.show({NAMES[0]: CYAN_DIM, **hint})
    pair.carry()
    assert pair.sent == sent
    assert pair.shown() == {NAMES[0]: CYAN_DIM, **hint}


def test_what_a_hint_shows_goes_though_the_lights_are_those_of_before():
    pair = Pair()
    pair.lights.show({NAMES[0]: CYAN_DIM})
    pair.lights.prepare_hints({SLOTS[0]: {NAMES[1]: GREEN}})
    pair.carry()
    pair.touch("lifted", PLAN.contact_slots.index(SLOTS[0]))
    pair.carry()
    pair.lights.show({NAMES[0]: CYAN_DIM})
    pair.carry()
    assert pair.shown() == {NAMES[0]: CYAN_DIM}


def test_a_hint_that_was_lit_while_a_light_was_on_its_way_is_told_again():
    pair = Pair()
    hint = {NAMES[1]: GREEN}
    pair.lights.prepare_hints({SLOTS[0]: hint})
    pair.carry()
    pair.lights.show({NAMES[0]: CYAN_DIM})
    pair.lights.prepare_hints({SLOTS[0]: hint})  # armed anew: both are on their way
    pair.touch("lifted", PLAN.contact_slots.index(SLOTS[0]))
    pair.learn()
    pair.lights.show({NAMES[0]: CYAN_DIM, **hint})
    pair.carry()
    assert pair.shown() == {NAMES[0]: CYAN_DIM, **hint}


def test_a_hint_that_was_lit_while_hints_were_armed_anew_goes_with_the_next_lights():
    pair = Pair()
    table = {SLOTS[1]: {NAMES[1]: GREEN}}
    pair.touch("lifted", PLAN.contact_slots.index(SLOTS[0]))
    pair.lights.prepare_hints(table)
    pair.carry()
    pair.touch("lifted", PLAN.contact_slots.index(SLOTS[1]))
    pair.lights.prepare_hints(
        table
    )  # this end takes it for disarmed: `arm` is on its way, and takes nothing away
    pair.carry()
    pair.lights.show({})
    pair.carry()
    assert pair.shown() == {}


def test_a_lift_without_a_hint_disarms_nothing():
    """Something that the umpire doesn't mind is taken away, and then a piece that may move."""
    pair = Pair()
    table = {slot: {NAMES[1]: GREEN} for slot in SLOTS[:2]}
    pair.lights.prepare_hints(table)
    pair.carry()
    other, hinted = (PLAN.contact_slots.index(slot) for slot in (SLOTS[2], SLOTS[0]))
    pair.touch("lifted", other)
    pair.carry()
    sent = pair.sent
    pair.lights.prepare_hints(table)
    assert pair.sent == sent, "the Pico is armed as before"
    pair.touch("lifted", hinted)
    assert pair.up[0][0][0] == "hinted"
    pair.carry()
    pair.lights.show({NAMES[1]: GREEN})
    assert pair.sent == sent, "it shows that already"


def test_what_is_foreseen_no_more_after_a_lift_without_a_hint_is_forgotten():
    pair = Pair()
    pair.lights.prepare_hints({SLOTS[0]: {NAMES[1]: GREEN}})
    pair.carry()
    pair.touch("lifted", PLAN.contact_slots.index(SLOTS[2]))
    pair.carry()
    pair.lights.prepare_hints({})
    pair.carry()
    pair.touch("lifted", PLAN.contact_slots.index(SLOTS[0]))
    assert pair.up[0][0] == "lifted"


def test_what_is_foreseen_no_more_once_a_piece_is_back_is_not_followed():
    """The Pico follows its hint and stays armed; meanwhile the umpire wants something else."""
    pair = Pair()
    pair.lights.prepare_hints({SLOTS[0]: {NAMES[1]: GREEN}})
    pair.carry()
    contact = PLAN.contact_slots.index(SLOTS[0])
    for name in ("lifted", "placed"):
        pair.touch(name, contact)
        pair.carry()
    pair.lights.prepare_hints({})
    pair.carry()
    pair.touch("lifted", contact)
    assert pair.up[0][0] == "lifted"


def test_what_a_hint_shows_goes_with_a_snapshot_that_tells_of_the_lift():
    pair = Pair()
    pair.lights.show({NAMES[0]: CYAN_DIM})
    pair.lights.prepare_hints({SLOTS[0]: {NAMES[1]: GREEN}})
    pair.carry()
    pair.touch("lifted", PLAN.contact_slots.index(SLOTS[0]))
    pair.up.clear()  # there was no room for that report
    pair.lights.note_contact_changed(None)
    pair.lights.show({NAMES[0]: CYAN_DIM})
    pair.lights.prepare_hints({})
    pair.carry()
    assert pair.shown() == {NAMES[0]: CYAN_DIM}


def test_after_another_hand_the_table_is_armed_again_and_not_told_again():
    """What a piece means while another is in the air is not foreseen. The Pico keeps what it has of hints."""
    pair = Pair()
    table = {slot: {NAMES[1]: GREEN} for slot in SLOTS[:2]}
    pair.lights.prepare_hints(table)
    pair.carry()
    other, hinted = (PLAN.contact_slots.index(slot) for slot in (SLOTS[1], SLOTS[0]))
    pair.touch("lifted", other)
    pair.touch("lifted", hinted)
    assert pair.up[1] == ("lifted", hinted), "another hand was first"
    pair.carry()
    for contact in (hinted, other):
        pair.touch("placed", contact)
        pair.carry()
    sent = pair.sent
    pair.lights.prepare_hints(table)
    assert [name for name, *_ in pair.down] == ["arm"]
    assert pair.sent == sent + 1
    pair.carry()
    pair.touch("lifted", hinted)
    assert pair.up[0][0][0] == "hinted"


shown = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(SHADES), max_size=3)
steps = st.one_of(
    st.tuples(st.just("show"), shown),
    st.tuples(st.just("foresee"), st.dictionaries(st.sampled_from(SLOTS), shown, max_size=2)),
    st.tuples(st.just("touch"), st.sampled_from(SLOTS)),
    st.tuples(st.sampled_from(("hear", "learn", "carry", "snapshot")), st.none()),
)


@given(st.lists(steps, max_size=40))
@settings(max_examples=4 * settings.default.max_examples, deadline=None)
def test_lamps_come_out_as_the_host_wants_them_whatever_crosses_on_the_wire(happened):
    pair, wanted, up = Pair(), {}, set()
    for what, value in happened:
        if what == "show":
            wanted = value
            pair.lights.show(wanted)
        elif what == "foresee":
            pair.lights.prepare_hints(value)
        elif what == "touch":
            pair.touch("placed" if value in up else "lifted", PLAN.contact_slots.index(value))
            up ^= {value}
        elif what == "hear" and pair.down:
            pair.hear()
        elif what == "learn" and pair.up:
            pair.learn()
        elif what == "carry":
            pair.carry()
        elif what == "snapshot":  # it tells of all that happened before it
            pair.up.clear()
            pair.lights.note_contact_changed(None)
    pair.carry()
    if pair.lamps._lifted is None:
        assert pair.shown() == wanted
    pair.lights.show(wanted)
    pair.carry()
    assert pair.shown() == wanted
