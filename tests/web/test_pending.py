"""An attack that waits for its owner's sign: his own screen has the buttons, nobody else's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from web.served import DUEL, PHONE, SMALL_PHONE, Screen, Served, play
from web.test_bench import choose
from web.wire import Socket

ATTACK, NO = '[data-key="yes"]', '[data-key="no"]'


@pytest.fixture
def phones(served: Served, screen: Callable[..., Screen]) -> dict[str, Screen]:
    seats = {"red": screen(served.links["red"], **SMALL_PHONE), "blue": screen(served.links["blue"], **PHONE)}
    for seat, army in DUEL.items():
        seats[seat].take_kept("stratego-quick-duel", seat, army)
    seats["red"].until_todo("Your turn")
    return seats


@pytest.fixture
def hands(served: Served, phones: dict[str, Screen]) -> Iterator[Socket]:
    """Hands of no screen's: what they hold up waits."""
    cookies = [f"{each['name']}={each['value']}" for each in phones["blue"].context.cookies()]
    socket = Socket(served.origin, "/hands", cookie="; ".join(cookies))
    yield socket
    socket.close()


def held_up(hands: Socket, *spaces: str) -> None:
    """Lift what stands on these squares and keep it up."""
    world = hands.latest("world")
    numbers = {piece["slot"]: piece["id"] for piece in world["pieces"] if piece["is"] == "stands"}
    for space in spaces:
        hands.send(json.dumps({"do": "grab", "piece": numbers[space], "lift": True}))


def in_sight(screen: Screen, selector: str) -> bool:
    """Whether it is on the screen as it is, big enough for a thumb."""
    box = screen.page.locator(selector).bounding_box()
    size = screen.page.viewport_size
    assert box is not None
    assert size is not None
    return box["height"] >= 40 and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


@pytest.mark.slow
def test_the_owner_says_on_his_phone_that_he_attacks(phones: dict[str, Screen], hands: Socket) -> None:
    red, blue = phones["red"], phones["blue"]
    held_up(hands, "h3", "h6")
    red.page.wait_for_selector(ATTACK)
    assert red.page.inner_text(f".todo {ATTACK}") == "Attack"
    assert red.page.inner_text(f".todo {NO}") == "Don't attack"
    assert in_sight(red, f".todo {ATTACK}"), "nobody has to look for it"
    blue.until_todo("Waiting for an answer: Red.")
    assert blue.page.locator(f".todo {ATTACK}").count() == 0, "it is not Blue's to say"
    assert not blue.page.locator(".history").get_by_text("attacks").count()
    red.press("Attack")
    for each in phones.values():
        each.until_told("h3 attacks h6")
        assert each.errors == []


@pytest.mark.slow
def test_he_says_that_he_does_not_and_nothing_has_happened(phones: dict[str, Screen], hands: Socket) -> None:
    red = phones["red"]
    held_up(hands, "h3", "h6")
    red.page.wait_for_selector(ATTACK)
    red.press("Don't attack")
    red.until("() => !document.querySelector('.todo [data-key=\"yes\"]')")
    for each in phones.values():
        assert "attacks" not in each.page.inner_text(".history")


@pytest.mark.slow
def test_which_of_two_he_attacks_he_says_by_name(phones: dict[str, Screen], hands: Socket) -> None:
    red = phones["red"]
    play(phones, ["d3-d4", "e6-e5", "d4-d5", "h6-h5"])
    red.until_todo("Your turn")
    held_up(hands, "d5", "d6", "e5")
    red.page.get_by_role("button", name="e5", exact=True).wait_for()
    assert red.page.locator(".todo button").all_inner_texts() == ["d6", "e5", "Don't attack"]
    assert phones["blue"].page.locator(".todo button").count() == 0
    red.press("e5")
    for each in phones.values():
        each.until_told("d5 attacks e5")
        assert each.errors == []


@pytest.mark.slow
def test_whether_it_is_in_his_hand_he_says_in_these_words(phones: dict[str, Screen], hands: Socket) -> None:
    red, blue = phones["red"], phones["blue"]
    held_up(hands, "h3")
    red.press("Don't attack")
    red.until_todo("in your hand?")
    assert red.page.locator(".todo button").all_inner_texts() == ["In my hand", "I have put it down"]
    blue.until_todo("Waiting for an answer: Red.")
    assert blue.page.locator(".todo button").count() == 0
    red.press("In my hand")
    blue.until("() => !document.querySelector('.todo').innerText.includes('in the hand?')")
    assert red.errors == blue.errors == []


@pytest.mark.slow
def test_who_asked_for_a_take_back_may_think_better_of_it(phones: dict[str, Screen]) -> None:
    red, blue = phones["red"], phones["blue"]
    play(phones, ["d3-d4"])
    red.press("Take back …")
    red.page.locator("dialog").get_by_role("button", name="Take back …").click()
    blue.page.get_by_role("button", name="Let them take it back", exact=True).wait_for()
    red.press("Don't take it back after all")
    blue.page.get_by_role("button", name="Let them take it back", exact=True).wait_for(state="detached")
    blue.until_todo("Your turn")
    assert red.errors == blue.errors == []


@pytest.mark.nightly
def test_all_seats_agree_that_the_pieces_stand_as_shown(playing: dict[str, Screen]) -> None:
    red, blue = playing["red"], playing["blue"]
    red.open("More")
    choose(red, "h3")
    red.press("Reed is dead")
    red.until_todo("attack h6?")
    red.page.get_by_text("Something wrong on the board?").click()
    red.press("The pieces are as shown")
    red.until_todo("Waiting for an answer: Blue.")
    blue.until_todo("the pieces are where the screens show them")
    blue.press("Yes")
    red.until_todo("Your turn")
    play(playing, ["e3-e4"])
    assert red.errors == blue.errors == []


@pytest.mark.nightly
def test_he_names_none_of_two_and_nothing_has_happened(phones: dict[str, Screen], hands: Socket) -> None:
    red = phones["red"]
    play(phones, ["d3-d4", "e6-e5", "d4-d5", "h6-h5"])
    red.until_todo("Your turn")
    held_up(hands, "d5", "d6", "e5")
    red.page.get_by_role("button", name="e5", exact=True).wait_for()
    red.press("Don't attack")
    red.until("() => !document.querySelector('.todo [data-key=\"no\"]')")
    for each in phones.values():
        assert "d5 attacks" not in each.page.inner_text(".history")
        assert each.errors == []
