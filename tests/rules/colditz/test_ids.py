"""Every rule has an id, and every id a test or a reason."""

from __future__ import annotations

import re

from boardrules.colditz.games import Colditz
from boardrules.colditz.state.refusals import RULES_BY_CODE
from rules.colditz import id_table
from rules.colditz.invariants import CHOICES


def test_every_id_has_a_test_or_a_reason() -> None:
    found = set(id_table.tests())
    assert found <= set(id_table.IDS), "a test cites an id that is none"
    assert not [rule for rule in id_table.IDS if rule not in found and rule not in id_table.REASONS]
    assert not found & set(id_table.REASONS), "an id has a test, and a reason to have none"


def test_the_page_describes_every_rule() -> None:
    page = id_table.PAGE.read_text()
    described = set(re.findall(r"\*\*([A-Z]\d+)\*\*", page)) | set(re.findall(r"^\| `(\w+)` \|", page, re.M))
    assert set(id_table.IDS) - described == set()


def test_every_refusal_cites_a_rule() -> None:
    assert set(RULES_BY_CODE.values()) <= set(id_table.IDS)


def test_every_other_value_of_every_option_is_set_by_a_test_that_cites_it() -> None:
    cited = dict.fromkeys(id_table.OPTIONS, "")
    for file in sorted(id_table.HERE.glob("test_*.py")):
        for part in file.read_text().split("\n@rule(")[1:]:
            marks = part.partition(")")[0]
            for option in id_table.OPTIONS:
                cited[option] += part if f'"{option}"' in marks else ""
    standing = Colditz().new({}).options
    for option, tests in cited.items():
        assert tests, f"no test cites {option}"
        for value in CHOICES[option]:
            if value != standing[option] and not (isinstance(value, int) and value > 1):
                named = option == "do_or_die" and "options=DARE" in tests
                assert named or str(value) in tests, f"no test that cites {option} sets it to {value}"
