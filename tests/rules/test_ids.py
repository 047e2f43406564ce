"""Every rule has an id, and every id a test or a reason."""

from __future__ import annotations

import re

import pytest

from boardrules.stratego.refusals import RULES_BY_CODE
from rules import id_table


@pytest.mark.slow
def test_every_id_has_a_test_or_a_reason() -> None:
    found = set(id_table.tests())
    assert found <= set(id_table.IDS), "a test cites an id that is none"
    missing = [rule for rule in id_table.IDS if rule not in found and rule not in id_table.REASONS]
    assert not missing


def test_the_page_describes_every_rule() -> None:
    page = id_table.PAGE.read_text()
    described = set(re.findall(r"\*\*([A-Z]\d+)\*\*", page)) | set(re.findall(r"^\| `(\w+)` \|", page, re.M))
    assert set(id_table.IDS) - described == set()


def test_every_refusal_cites_a_rule() -> None:
    assert set(RULES_BY_CODE.values()) <= set(id_table.IDS)
