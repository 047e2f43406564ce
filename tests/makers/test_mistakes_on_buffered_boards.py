"""What makers get wrong on boards of Hall switches: no advice is for reeds and diodes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardsim.world.copper import Copper
from boardsim.world.kits import KITS
from boardsim.world.mistakes import KINDS, MAGNETS, ON_BUFFERS, ON_PICOS, OVER_REEDS
from boardumpire.makers.bare_board import contact_id
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.observations import Observations, StrongMagnetTest
from boardware.parts import BufferedWiring, MatrixWires
from makers.mistaken import HEADER, examine

BANK = replace(HEADER.banks["reeds"], wires=MatrixWires(buffered_wiring=BufferedWiring()), settle_us=200)
BUFFERED = replace(HEADER, banks={"reeds": BANK}, sensor_design=KITS["hall"].design)
OF_WIRES = [kind for kind in KINDS if kind not in (*OVER_REEDS, *MAGNETS, *ON_PICOS)]
CONTACTS = [contact_id(at) for at in HEADER.slots_by_contact]


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", [*ON_BUFFERS, *OF_WIRES])
def test_a_mistake_on_a_board_with_buffers_is_named_first_and_nothing_else_is_blamed(kind: str) -> None:
    found = examine([kind], "buffered", BUFFERED)
    assert found.first_right, found.told()
    assert found.blamed == [], found.told()
    assert not any(part.startswith("diode") for one in found.findings for part in one.parts)


def test_a_board_with_buffers_and_nothing_wrong_is_called_healthy() -> None:
    assert examine([], "buffered", BUFFERED).findings == []


def test_columns_that_seem_closed_are_never_to_be_pulled_down() -> None:
    """Over reeds resistors lead from columns to ground, here from switches to 3.3 V: else all seem closed."""
    (buffered,) = derive_findings(BUFFERED, Observations(closed_when_empty=frozenset(CONTACTS)))
    assert buffered.code == "pulled-down"
    assert "from each switch's output to 3.3 V" in buffered.check
    assert "to ground, or leave them out" not in buffered.text()
    (reeds,) = derive_findings(HEADER, Observations(closed_when_empty=frozenset(CONTACTS)))
    assert reeds.code == "pulled-up"
    (one,) = derive_findings(
        BUFFERED, Observations(closed_when_empty=frozenset(f"reeds:{row},3" for row in range(8)))
    )
    assert (one.code, one.parts) == ("column-high", ("column reeds:3",))


@pytest.mark.few(2)
@pytest.mark.parametrize("unfelt", [CONTACTS, CONTACTS[::3], CONTACTS[:1]])
@pytest.mark.parametrize("strong", [True, False])
def test_nothing_that_is_said_of_switches_not_felt_is_of_diodes(unfelt: list[str], strong: bool) -> None:
    felt = {name: None if name in unfelt else name for name in CONTACTS}
    found = derive_findings(
        BUFFERED,
        Observations(
            sensed_contacts=felt, magnet_tests={name: StrongMagnetTest(strong, strong) for name in unfelt}
        ),
    )
    assert found
    for each in found:
        assert not any(part.startswith("diode") for part in each.parts)
        assert "iode" not in each.text()
        assert "ampere-turns" not in each.text()


def test_reeds_have_no_buffers() -> None:
    with pytest.raises(ValueError, match="bank reeds: it has no buffers"):
        Copper(HEADER).hold_columns_at("reeds", 1)
