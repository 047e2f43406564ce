"""Looks of the page for one device: high contrast, large type, the panels on the left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from web.served import DESKTOP, PHONE, Screen, Served
from web.test_axe import too_small, violations

INK = """(what) => {
    const shade = (text) => text.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255)
        .map((each) => each <= .04045 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4)
        .reduce((sum, each, at) => sum + each * [.2126, .7152, .0722][at], 0);
    const style = getComputedStyle(document.querySelector(what));
    const [one, other] = [style.color, getComputedStyle(document.body).backgroundColor].map(shade);
    return (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
}"""
"""The contrast of an element's text with the page."""
SIDES = "['#table', '#side'].map((id) => document.querySelector(id).getBoundingClientRect().x)"
TYPE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_look_holds_on_this_device_alone_and_is_there_before_anything_is_drawn(
    served: Served, screen: Callable[..., Screen], colours: str
) -> None:
    person = screen(served.links["red"], **DESKTOP, color_scheme=colours)
    page = person.page
    board, side = page.evaluate(SIDES)
    assert board < side
    assert page.evaluate(TYPE) == 16
    person.open("More")
    for look in ("High contrast", "Large type", "Left-handed: the panels on the left"):
        page.get_by_label(look).check()
    for _again in range(2):
        board, side = page.evaluate(SIDES)
        assert side < board
        assert page.evaluate(TYPE) == 20
        assert page.evaluate(INK, ".faint") >= 15
        assert page.evaluate(INK, "nav a") >= 7
        assert violations(person, f"{colours}, high contrast") == []
        page.reload()
        page.wait_for_selector("body.contrast.large.left")
        person.live()
        person.open("More")
    other = screen(served.links["blue"], **DESKTOP)
    assert other.page.evaluate(TYPE) == 16
    assert person.errors == other.errors == []


@pytest.mark.slow
def test_large_type_fits_a_phone(served: Served, screen: Callable[..., Screen]) -> None:
    phone = screen(served.links["red"], **PHONE)
    phone.open("More")
    phone.page.get_by_label("Large type").check()
    wide: Any = phone.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    assert too_small(phone) == []


SPACE = "getComputedStyle(document.querySelector('.board .space')).fill"


@pytest.mark.slow
def test_a_board_looks_as_its_device_likes(served: Served, screen: Callable[..., Screen]) -> None:
    """Light and dark squares are told apart, and rings are seen on all of them."""
    person, other = screen(served.links["red"], **DESKTOP), screen(served.links["blue"], **DESKTOP)
    seen = {person.page.evaluate(SPACE)}
    person.open("More")
    for look in ("Walnut", "Slate"):
        person.page.get_by_role("combobox", name="Board").select_option(look)
        seen.add(person.page.evaluate(SPACE))
    assert len(seen) == 3
    chosen = person.page.evaluate(SPACE)
    person.page.reload()
    person.live()
    assert person.page.evaluate(SPACE) == chosen
    assert other.page.evaluate(SPACE) != chosen
    assert violations(person, "slate") == []
    person.open("More")
    person.page.get_by_role("combobox", name="Board").select_option("Green cloth")
    assert person.page.evaluate(SPACE) == other.page.evaluate(SPACE)
    assert person.errors == other.errors == []
