"""The simulated header behaves under gpiozero as its own mock does, and its wires end in the copper."""

import pytest
from gpiozero import Button, DigitalInputDevice, DigitalOutputDevice, OutputDevice
from gpiozero.exc import GPIOZeroError, PinFixedPull, PinInvalidPull, PinSetInput
from gpiozero.pins.mock import MockFactory, MockPWMPin
from hypothesis import given
from hypothesis import strategies as st

from boardsim.pins.fake_rpi import CopperGPIO, rpigpio_factory
from boardsim.pins.gpio import CopperFactory
from boardsim.world.copper import Copper
from boardware.description import load_board
from hardware.copper_chip import CopperGpiodFactory

BOARD = load_board("quick-battle-8x8")
BANK = BOARD.banks["reeds"]
FACTORIES = {"copper": CopperFactory, "RPi.GPIO": rpigpio_factory, "gpiod": CopperGpiodFactory}


@pytest.fixture(params=FACTORIES)
def make(request):
    made = []

    def factory(copper):
        made.append(FACTORIES[request.param](copper))
        return made[-1]

    yield factory
    for each in made:
        each.close()


def scan(rows, columns):
    felt = set()
    for number, row in enumerate(rows):
        row.on()
        felt |= {(number, at) for at, column in enumerate(columns) if column.value}
        row.off()
    return felt


def test_gpiozero_devices_scan_the_copper(make):
    copper = Copper(BOARD)
    factory = make(copper)
    rows = [DigitalOutputDevice(pin, pin_factory=factory) for pin in BANK.rows]
    columns = [DigitalInputDevice(pin, pull_up=False, pin_factory=factory) for pin in BANK.columns]
    assert scan(rows, columns) == set()
    copper.set_closed("a1", True)
    copper.set_closed("h8", True)
    assert scan(rows, columns) == {(0, 0), (7, 7)}
    for device in rows + columns:
        device.close()


def test_a_button_pulls_its_pin_to_ground(make):
    copper = Copper(BOARD)
    factory = make(copper)
    button = Button(BOARD.buttons["confirm"].gpio, pull_up=True, pin_factory=factory)
    assert not button.is_pressed
    copper.set_down("confirm", True)
    assert button.is_pressed
    button.close()


def test_the_buzzer_sounds_while_its_pin_is_driven_high(make):
    copper = Copper(BOARD)
    heard = []
    copper.on_buzzer_switched = heard.append
    buzzer = OutputDevice(BOARD.buzzer.gpio, pin_factory=make(copper))
    assert not copper.buzzing()
    buzzer.on()
    buzzer.on()
    assert copper.buzzing()
    buzzer.off()
    buzzer.on()
    buzzer.close()
    assert not copper.buzzing()
    assert heard == [True, False, True, False]


def test_a_pull_is_too_weak_for_the_buzzer(make):
    copper = Copper(BOARD)
    with DigitalInputDevice(BOARD.buzzer.gpio, pull_up=True, pin_factory=make(copper)) as pin:
        assert pin.is_active is False  # a pulled-up input is active when it is low
        assert not copper.buzzing()


def test_two_factories_drive_wires_of_their_own(make):
    copper = Copper(BOARD)
    copper.set_closed("a1", True)
    one, two = make(copper), make(copper)
    with DigitalOutputDevice(BANK.rows[0], pin_factory=one) as row:
        row.on()
        with DigitalInputDevice(BANK.columns[0], pull_up=False, pin_factory=two) as column:
            assert not column.value
        with DigitalInputDevice(BANK.columns[0], pull_up=False, pin_factory=one) as column:
            assert column.value


def test_a_closed_factory_drives_nothing_any_more(make):
    copper = Copper(BOARD)
    copper.set_closed("a1", True)
    factory = make(copper)
    row = factory.pin(BANK.rows[0])
    row.function = "output"
    row.state = 1
    column = factory.pin(BANK.columns[0])
    column.input_with_pull("down")
    assert column.state
    row.close()
    assert not column.state


def answer(pin, what, value):
    try:
        setattr(pin, what, value)
    except GPIOZeroError as error:
        return type(error)
    return pin.function, pin.pull if pin.function == "input" else None, bool(pin.state)


WHATS = st.one_of(
    st.tuples(st.just("function"), st.sampled_from(["input", "output", "alt0"])),
    st.tuples(st.just("pull"), st.sampled_from(["up", "down", "floating", "sideways"])),
    st.tuples(st.just("state"), st.sampled_from([0, 1])),
    st.tuples(st.just("frequency"), st.sampled_from([None, 100])),
)


@pytest.mark.parametrize("way", [CopperFactory, CopperGpiodFactory])
@given(st.sampled_from([17, 23]), st.lists(WHATS, max_size=12))
def test_a_pin_answers_as_gpiozeros_mock_does(way, number, calls):
    ours = way(Copper(BOARD)).pin(number)
    theirs = MockFactory(pin_class=MockPWMPin).pin(number)
    for what, value in calls:
        if what == "frequency" and (theirs.function == "input" or way is CopperGpiodFactory):
            continue  # the mock asserts that this is never done; gpiod has no pulses
        got, wanted = answer(ours, what, value), answer(theirs, what, value)
        if isinstance(wanted, tuple) and wanted[:2] == ("input", "floating"):
            # The mock's floating input keeps the last level it had; a real one reads anything, ours 0.
            assert isinstance(got, tuple)
            assert got[:2] == wanted[:2]
            ours.function = theirs.function = "input"
            ours.pull = theirs.pull = "down"
        else:
            assert got == wanted


def test_pins_that_the_pi_pulls_up_stay_so():
    pin = CopperFactory(Copper(BOARD)).pin(2)
    assert pin.state == 1
    with pytest.raises(PinFixedPull):
        pin.pull = "down"
    with pytest.raises(PinInvalidPull):
        CopperFactory(Copper(BOARD)).pin(17).pull = "sideways"
    with pytest.raises(PinSetInput):
        pin.state = 0
    with pytest.raises(PinSetInput):
        pin.frequency = 50


def test_a_pin_that_pulses_drives_until_it_stops():
    pin = CopperFactory(Copper(BOARD)).pin(17)
    pin.function = "output"
    pin.frequency = 440.0
    pin.state = 0.5
    assert (pin.state, pin.frequency) == (1, 440.0)
    pin.frequency = None
    assert (pin.state, pin.frequency) == (0, None)


def test_rpi_gpio_refuses_what_the_real_one_refuses():
    gpio = CopperGPIO(Copper(BOARD))
    with pytest.raises(RuntimeError, match="setup"):
        gpio.input(17)
    gpio.setup(17, gpio.IN, gpio.PUD_UP)
    assert gpio.input(17) == 1
    with pytest.raises(RuntimeError, match="OUTPUT"):
        gpio.output(17, 1)
    assert gpio.gpio_function(17) == gpio.IN
    gpio.setup(17, gpio.OUT, initial=0)
    gpio.output(17, 1)
    assert gpio.input(17) == 1
    assert gpio.gpio_function(17) == gpio.OUT
    gpio.cleanup()
    with pytest.raises(RuntimeError, match="setup"):
        gpio.input(17)
