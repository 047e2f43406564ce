"""The debounce as timelines: one sign a look, 1 ms apart; `~` is closed, `_` open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwire.debounce import EagerLiftDeferredPlace

LOOK = 1000


def told(copper: str, place_ms: int = 3, lockout_ms: int = 5) -> str:
    """What is told at each look of a contact that starts open."""
    debounce = EagerLiftDeferredPlace(1, place_ms * LOOK, lockout_ms * LOOK)
    out = ""
    for number, sign in enumerate(copper):
        before = debounce.told[0]
        changed = debounce.update(0, int(sign == "~"), number * LOOK)
        assert changed == before ^ debounce.told[0]
        out += "~" if debounce.told[0] else "_"
    return out


@pytest.mark.parametrize(
    ("copper", "answer"),
    [
        # a clean place is told once it was closed for 3 ms, a clean lift at once
        ("__~~~~~~____", "_____~~~____"),
        # bounce at the place: the time starts anew with every open look
        ("_~_~~_~~~~~~", "_________~~~"),
        # chatter that never lasts is never told
        ("_~~_~~_~~~_~~_", "______________"),
        # exactly the time is enough, one look less is not
        ("_~~~~____", "____~____"),
        ("_~~~_____", "_________"),
        # bounce at the lift: one lift, the rest is suppressed
        ("~~~~~_~_~__~___", "___~~__________"),
        # a magnet that leaves slowly closes the reed again for 4 ms: still one lift, the lockout is 5
        ("~~~~~_~~~~______", "___~~___________"),
        # closed again for good: told when the lockout is over, if the place time is too
        ("~~~~~_~~~~~~~", "___~~_____~~~"),
        ("~~~~~____~~~~", "___~~_______~"),
        # a glitch of one look is a lift and a place: the price of being eager
        ("~~~~~~_~~~~~~~~", "___~~~_____~~~~"),
    ],
)
def test_a_contact_is_told_as_drawn(copper: str, answer: str) -> None:
    assert told(copper) == answer


def test_the_first_look_tells_nothing() -> None:
    debounce = EagerLiftDeferredPlace(2)
    debounce.begin(1, 0b101)
    assert debounce.update(1, 0b101, 0) == 0
    assert debounce.told == [0, 0b101]
    assert debounce.quiet()


def test_contacts_of_a_row_do_not_disturb_each_other() -> None:
    debounce = EagerLiftDeferredPlace(1, 3000, 5000)
    debounce.begin(0, 0b001)
    assert debounce.update(0, 0b010, 0) == 0b001
    assert debounce.update(0, 0b110, 1000) == 0
    assert debounce.update(0, 0b110, 3000) == 0b010
    assert debounce.update(0, 0b110, 4000) == 0b100
    assert debounce.told == [0b110]


def test_quiet_is_false_exactly_while_a_place_waits() -> None:
    debounce = EagerLiftDeferredPlace(1, 2000, 50_000)
    seen = []
    for number, sign in enumerate("_~~~~_~__"):
        debounce.update(0, int(sign == "~"), number * LOOK)
        seen.append(debounce.quiet())
    assert seen == [True, False, False, True, True, True, False, True, True]


looks = st.lists(st.integers(0, 0b1111), max_size=60)


@given(looks, st.integers(0, 0b1111), st.integers(0, 8), st.integers(0, 12))
def test_after_any_bouncing_the_output_is_the_input_once_that_is_steady(
    bouncing: list[int], end: int, place_ms: int, lockout_ms: int
) -> None:
    debounce = EagerLiftDeferredPlace(1, place_ms * LOOK, lockout_ms * LOOK)
    for number, mask in enumerate([*bouncing, *[end] * (place_ms + lockout_ms + 1)]):
        debounce.update(0, mask, number * LOOK)
    assert debounce.told == [end]
    assert debounce.quiet()


@given(looks, st.integers(0, 8), st.integers(0, 12))
def test_what_is_told_alternates_and_a_place_rests_on_steady_looks(
    copper: list[int], place_ms: int, lockout_ms: int
) -> None:
    debounce = EagerLiftDeferredPlace(1, place_ms * LOOK, lockout_ms * LOOK)
    state = 0
    for number, mask in enumerate(copper):
        changed = debounce.update(0, mask, number * LOOK)
        state ^= changed
        assert state == debounce.told[0]  # every change told once, none twice
        placed = changed & state
        for look in copper[max(0, number - place_ms) : number + 1]:
            assert placed & ~look == 0
        assert (changed & ~state) & mask == 0  # a lift is told only of a contact that is open
        assert state & ~mask == 0  # and never later than the look that sees it


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_each_real_change_is_told_exactly_once_however_it_bounces(rests: list[int], random) -> None:  # type: ignore[no-untyped-def]
    """Rests of at least 30 ms between changes; each change bounces for up to 4 ms."""
    copper, state = [0], 0
    for rest in rests:
        state ^= 1
        copper += [random.choice((0, 1)) for _ in range(random.randrange(4))]
        copper += [state] * (30 + rest)
    debounce = EagerLiftDeferredPlace(1)
    changes = sum(debounce.update(0, mask, number * LOOK) for number, mask in enumerate(copper))
    assert changes == len(rests)
