"""Clumsy and hostile people through simulated pins: nothing wrong, lost or missed, and few questions"""

import os

import pytest

from boardlab.soak import one_game, soak
from boardlab.soak.one_game import SoakPlan
from boardsim.people.rates import PROFILES
from boardumpire.commands.table_factory import TableFactory

PARTS = 20
"""Each a run of its own, so that a machine can take them one at a time: `test_proof.py::test_...[7]`."""
SEED = 2026


def _soaked(plan, games, part, record_property):
    numbers = range(games * part, games * (part + 1))
    jobs = os.cpu_count() or 1
    report = soak.soak(plan, numbers, TableFactory(), jobs=jobs)
    found = report.json()
    words = f"--game {plan.game} --driver {plan.driver} --wire {plan.wire} --seed {plan.seed}"
    words += f" --kit {plan.kit}" if plan.kit else ""
    words += f" --first {numbers[0]} --games {games}"
    record_property("the same by hand", f"`boardumpire lab soak --profile {plan.profile} {words}`")
    for name in ("games", *one_game.COUNT_NAMES, "unforced"):
        record_property(name, found[name])
    record_property("injected", ", ".join(f"{kind} {count}" for kind, count in found["injected"].items()))
    for name in ("wrong", "lost", "missed", "unforced"):
        record_property(f"{name}, at most an action (95 %)", f"{found['bounds'][name][1]:.2g}")
    record_property("hours at the board", found["virtual_hours"])
    record_property("games a minute", f"{60 * found['games'] / found['seconds']:.0f} in {jobs} processes")
    assert not report.findings
    assert (found["wrong"], found["lost"], found["missed"]) == (0, 0, 0)
    assert found["games"] == games
    assert 1000 * found["unforced"] <= found["actions"]
    return found


def _kinds(found, profile):
    """How many kinds of errors happened, and how many such people make."""
    rated = {kind for kind, rate in PROFILES[profile]._asdict().items() if rate > 0}
    return sum(found["injected"][kind] > 0 for kind in rated), len(rated)


def _clumsy(kit, part, record_property):
    found = _soaked(SoakPlan(profile="clumsy", kit=kit, seed=SEED), 100, part, record_property)
    seen, kinds = _kinds(found, "clumsy")
    assert seen >= kinds - 3, "rare ones may be missing"


def _hostile(kit, part, record_property):
    found = _soaked(SoakPlan(profile="hostile", kit=kit, seed=SEED), 50, part, record_property)
    seen, kinds = _kinds(found, "hostile")
    assert seen >= kinds - 3, "rare ones may be missing"


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(10))
def test_100_clumsy_games_over_reeds_on_end(part, record_property):
    """A tenth of 1,000 Quick Duel games of clumsy people over gpiozero: errors of all kinds."""
    _clumsy("usual", part, record_property)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(10))
def test_100_clumsy_games_over_flat_reeds(part, record_property):
    """The same over reeds that lie flat, 9 mm aside."""
    _clumsy("flat", part, record_property)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(10))
def test_100_clumsy_games_over_hall_switches(part, record_property):
    """The same over Hall switches that spread as far as their data sheet allows."""
    _clumsy("hall", part, record_property)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(6))
def test_50_hostile_games_over_reeds_on_end(part, record_property):
    """A sixth of 300 of people who fiddle and probe: no attack that its owner did not complete."""
    _hostile("usual", part, record_property)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(6))
def test_50_hostile_games_over_flat_reeds(part, record_property):
    """The same over reeds that lie flat, 9 mm aside."""
    _hostile("flat", part, record_property)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(6))
def test_50_hostile_games_over_hall_switches(part, record_property):
    """The same over Hall switches that spread as far as their data sheet allows."""
    _hostile("hall", part, record_property)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(6))
def test_50_games_of_the_fuhrer_over_gpio(part, record_property):
    """A sixth of 300 of Fall of the Führer."""
    _soaked(SoakPlan(game="fall-of-the-fuhrer", seed=SEED), 50, part, record_property)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(PARTS))
def test_50_clumsy_games_over_a_pico_on_a_noisy_wire(part, record_property):
    """A twentieth of 1,000 over the firmware of a Pico, on a cable that spoils a byte in a thousand."""
    plan = SoakPlan(profile="clumsy", driver="pico-sim", wire="noisy", seed=SEED)
    found = _soaked(plan, 50, part, record_property)
    seen, kinds = _kinds(found, "clumsy")
    assert seen >= kinds - 4, "rare ones may be missing"
