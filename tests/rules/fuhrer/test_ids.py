"""Every rule has an id, and every id a test."""

from __future__ import annotations

import re

from boardrules.fuhrer.options import DEFAULTS
from boardrules.fuhrer.refusals import RULES_BY_CODE
from rules.fuhrer import id_table


def test_every_id_has_a_test() -> None:
    assert set(id_table.IDS) == set(id_table.tests())


def test_the_page_describes_every_rule_and_option() -> None:
    page = id_table.PAGE.read_text()
    described = set(re.findall(r"\*\*([A-Z]\d+)\*\*", page)) | set(re.findall(r"^\| `(\w+)` \|", page, re.M))
    assert set(id_table.IDS) | set(DEFAULTS) <= described


def test_every_refusal_cites_a_rule() -> None:
    assert set(RULES_BY_CODE.values()) <= set(id_table.IDS)
