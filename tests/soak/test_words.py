"""What simulated people say beside the board."""

from __future__ import annotations

import pytest

from boardlab.soak import soak
from boardlab.soak.one_game import SoakPlan
from boardumpire.commands.table_factory import TableFactory


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("number", [3, 9])
def test_nobody_withdraws_an_offer_that_an_attack_has_declined(number: int) -> None:
    """Whoever asks for his move back just after the sign of an attack is told no with the attack."""
    report = soak.soak(SoakPlan(profile="pusher", seed=911), range(number, number + 1), TableFactory())
    assert report.findings == []
    assert report.injected["words"] > 0
