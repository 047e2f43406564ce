"""Games are what they were: rules, views, lamps and records of seeded games, to the last byte"""

from __future__ import annotations

import json

import pytest

from house import same_games

EXPECTED = json.loads(same_games.EXPECTED.read_text())
FEW, MANY = same_games.COUNTS


@pytest.mark.slow
@pytest.mark.parametrize("kind", same_games.KINDS)
def test_the_first_games_are_the_same(kind):
    assert same_games.fingerprint(kind, FEW) == EXPECTED[kind][str(FEW)]


@pytest.mark.nightly
@pytest.mark.parametrize("kind", same_games.KINDS)
def test_200_games_are_the_same(kind, record_property):
    """200 seeded games of a kind, by many options: events, views, lamps and records have the known hash."""
    found = same_games.fingerprint(kind, MANY)
    record_property("games", MANY)
    record_property("SHA-256", found)
    assert found == EXPECTED[kind][str(MANY)]
