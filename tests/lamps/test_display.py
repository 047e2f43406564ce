"""The display: which marks go to the lamps, when, and for which way round the board lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from boardumpire.lamps.display import LightDisplay
from boardumpire.lamps.legend import Legend
from boardumpire.lamps.orientation import BoardOrientation
from boardumpire.lamps.policy import (
    FINALE_DELAY_US,
    FINALE_FRAME_US,
    AwaitedAnswer,
    LightShow,
    Marks,
    finale_frame_shows,
)
from boardumpire.tracking.events import BoardGuidance, Correction
from boardumpire.tracking.model import PublicPosition
from boardware.description import load_board
from boardware.ports import HardwareTrouble, LampId, Light, Micros, SensorChanged, SensorEvent, SlotId

BOARD, SLOTS = load_board("quick-battle-8x8"), load_board("fall-of-the-fuhrer-slots")
NOTHING = BoardGuidance((), (), {}, None)
POSITION = PublicPosition({"a1": "red", "h8": "blue"}, frozenset(), frozenset({"red"}), {"a1": {"a2": False}})
LIFT = SensorChanged(7, "a1", False)


class Lamps:
    """Lamps that keep what they were told."""

    def __init__(self) -> None:
        self.shown: list[dict[LampId, str]] = []
        self.sent: list[Micros] = []
        self.ahead: dict[SlotId, dict[LampId, str]] = {}

    def show(self, lights: Mapping[LampId, Light], now: Micros) -> None:
        self.shown.append({lamp: light.mark for lamp, light in lights.items()})

    def prepare_hints(self, hints: Mapping[SlotId, Mapping[LampId, Light]], now: Micros) -> None:
        self.ahead = {
            slot: {lamp: light.mark for lamp, light in lights.items()} for slot, lights in hints.items()
        }

    def step(self, now: Micros) -> None:
        self.sent.append(now)

    def due(self) -> Micros | None:
        return None

    def take_troubles(self) -> Sequence[HardwareTrouble]:
        return ()

    def close(self) -> None:
        pass


class Made:
    """A display over such lamps."""

    def __init__(self, *, turned: bool = False) -> None:
        self.lamps = Lamps()
        self.surface = BoardOrientation(BOARD, turned=turned)
        self.display = LightDisplay(self.lamps, self.surface, Legend("stratego-quick-duel"))

    def frame(self, guidance: BoardGuidance = NOTHING, now: Micros = 0, first: Marks = {}) -> None:  # noqa: B006
        self.display.show_frame(guidance, (), AwaitedAnswer(), now, first)


LIFTED = NOTHING._replace(lifted_places=("a1",))


def test_the_same_marks_are_shown_once() -> None:
    made = Made()
    made.frame(LIFTED, 1)
    made.frame(LIFTED, 2)
    made.frame(NOTHING, 3)
    assert made.lamps.shown == [{"a1": "lifted"}, {}]


def test_a_board_goes_dark_at_once() -> None:
    made = Made()
    made.frame(LIFTED, 1)
    made.display.darken(2)
    made.display.darken(3)
    assert made.lamps.shown == [{"a1": "lifted"}, {}]


def test_a_result_is_shown_until_it_fades() -> None:
    made = Made()
    assert made.display.due() is None
    made.display.add_show(None)
    made.display.add_show(LightShow({"a1": "refused"}, 100))
    made.display.add_show(LightShow({"b1": "refused"}, 50))
    assert made.display.due() == 50
    made.frame(now=49)
    assert not made.display.drop_expired_shows(49)
    assert made.display.drop_expired_shows(50)
    assert made.display.due() == 100
    made.frame(now=50)
    assert made.display.drop_expired_shows(100)
    assert not made.display.drop_expired_shows(101)
    made.frame(now=101)
    assert made.lamps.shown == [{"a1": "refused", "b1": "refused"}, {"a1": "refused"}, {}]


def test_a_first_lift_is_answered_ahead_on_top_of_what_is_shown() -> None:
    made = Made()
    made.frame(first={"turn-red": "turn-red"})
    made.display.precompute_hints(POSITION, NOTHING, 0)
    assert made.lamps.ahead == {"a1": {"a1": "lifted", "a2": "may-go"}, "h8": {"h8": "lifted"}}
    made.display.apply_precomputed_hints([LIFT], 7)
    assert made.lamps.shown[-1] == {"turn-red": "turn-red", "a1": "lifted", "a2": "may-go"}
    assert made.display.marks == made.lamps.shown[-1]
    assert made.lamps.sent == [7], "nothing is waited for"


@pytest.mark.parametrize(
    "events",
    [
        [LIFT, SensorChanged(8, "h8", False)],
        [SensorChanged(7, "a1", True)],
        [SensorChanged(7, "b1", False)],
        [HardwareTrouble(7, "ghost", "a1", "a corner")],
    ],
)
def test_only_one_lift_that_was_foreseen_is_answered_ahead(events: list[SensorEvent]) -> None:
    made = Made()
    made.display.precompute_hints(POSITION, NOTHING, 0)
    made.display.apply_precomputed_hints(events, 8)
    assert made.lamps.shown == []


def test_nothing_is_foreseen_without_a_position_while_a_result_is_shown_or_chores_are_open() -> None:
    made = Made()
    made.display.precompute_hints(POSITION, NOTHING, 0)
    made.display.precompute_hints(None, NOTHING, 1)
    assert made.lamps.ahead == {}
    made.display.precompute_hints(
        POSITION, NOTHING._replace(corrections=(Correction("put", "b1", "red"),)), 2
    )
    assert made.lamps.ahead == {}
    made.display.add_show(LightShow({"a1": "refused"}, 100))
    made.display.precompute_hints(POSITION, NOTHING, 3)
    assert made.lamps.ahead == {}
    made.display.drop_expired_shows(100)
    made.display.precompute_hints(POSITION, NOTHING, 100)
    assert made.lamps.ahead.keys() == {"a1", "h8"}


def test_on_a_board_that_is_turned_round_a1_is_h8() -> None:
    made = Made(turned=True)
    made.frame(LIFTED, first={"turn-red": "turn-red"})
    assert made.lamps.shown == [{"h8": "lifted", "turn-red": "turn-red"}]
    made.display.precompute_hints(POSITION, NOTHING, 1)
    assert made.lamps.ahead == {"h8": {"h8": "lifted", "h7": "may-go"}, "a1": {"a1": "lifted"}}
    made.surface.rotate()
    made.display.precompute_hints(POSITION, NOTHING, 2)
    assert made.lamps.ahead == {"a1": {"a1": "lifted", "a2": "may-go"}, "h8": {"h8": "lifted"}}


def test_slots_are_spaces_of_the_game_whichever_way_round() -> None:
    surface = BoardOrientation(BOARD)
    assert surface.occupied_spaces(["a1", "c2"]) == surface.occupied_places(["a1", "c2"]) == {"a1", "c2"}
    assert (surface.occupied_slot_count("a1", ["a1"]), surface.occupied_slot_count("a1", ["a2"])) == (1, 0)
    surface.rotate()
    assert surface.occupied_spaces(["a1", "c2"]) == {"h8", "f7"}
    assert surface.single_slot("h8") == "a1"
    assert surface.occupied_slot_count("h8", ["a1"]) == 1


def test_a_space_of_several_slots_counts_them() -> None:
    surface = BoardOrientation(SLOTS)
    assert surface.slot_counts["kiel"] == 2
    assert surface.single_slot("kiel") is None
    assert surface.occupied_places(["kiel/2", "kiel", "bremen"]) == {"kiel", "kiel+1", "bremen"}
    assert surface.occupied_spaces(["kiel/2"]) == {"kiel"}
    assert surface.occupied_slot_count("kiel", ["kiel/2", "kiel", "bremen"]) == 2
    assert BoardOrientation(BOARD).slot_counts == {}


def test_a_map_can_not_be_turned_round() -> None:
    surface = BoardOrientation(SLOTS, turned=True)
    assert surface.space_of_slot("kiel") == "kiel"
    assert not surface.fits_only_turned(["kiel"], {"bremen"})


def test_a_surface_knows_its_spaces_and_where_they_lie() -> None:
    surface = BoardOrientation(BOARD)
    assert surface.all_spaces == surface.space_positions_mm.keys() == BOARD.spaces.keys()
    middle = BOARD.spaces["c2"].position
    assert surface.space_positions_mm["c2"] == (middle.x, middle.y)


def test_it_is_noticed_that_a_board_lies_the_other_way_round_and_only_then() -> None:
    surface = BoardOrientation(BOARD)
    assert surface.fits_only_turned(["h8", "g8"], {"a1", "b1"})
    assert not surface.fits_only_turned(["a1", "b1"], {"a1", "b1"})
    assert not surface.fits_only_turned(["a1", "h8"], {"a1", "h8"}), "it fits either way"
    assert not surface.fits_only_turned(["h8"], {"a1", "b1"})
    assert not surface.fits_only_turned([], set())


def test_places_of_a_space_light_the_one_lamp_of_it() -> None:
    assert BoardOrientation(BOARD).board_lamps({"a1+1": "put"}) == {"a1": "put"}


def test_a_finale_comes_step_by_step_and_goes() -> None:
    made = Made()
    made.display.add_shows(finale_frame_shows([{"a1": "put"}, {"b1": "put"}], 10))
    first, second, end = (10 + FINALE_DELAY_US + FINALE_FRAME_US * step for step in range(3))
    seen = []
    for now in (10, first - 1, first, second - 1, second, end):
        changed = made.display.drop_expired_shows(now)
        made.frame(now=now)
        seen.append((changed, dict(made.display.marks), made.display.due()))
    assert seen == [
        (False, {}, first),
        (False, {}, first),
        (True, {"a1": "put"}, second),
        (False, {"a1": "put"}, second),
        (True, {"b1": "put"}, end),
        (True, {}, None),
    ]
