"""Each seat speaks its own language in its own browser, from the first link to the replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from boardumpire.messages.languages import ENGLISH, LANGUAGES, catalogue
from boardumpire.messages.sounds import SOUNDS
from languages.test_catalogues import ENGLISH_WORDS
from web.served import MOVES, Screen, Served

Opener = Callable[..., Screen]

READ = """() => {
  const seen = [document.body.innerText, document.title];
  for (const one of document.querySelectorAll("[aria-label], [title]"))
    seen.push(one.getAttribute("aria-label") ?? "", one.getAttribute("title") ?? "");
  return seen.join("\\n");
}"""
LISTENED = """
const Real = OscillatorNode;
globalThis.played = [];
globalThis.OscillatorNode = class extends Real {
  constructor(audio, how) { super(audio, how); played.push(how.frequency); }
};
"""


def read(seat: Screen) -> str:
    """All that is shown or read aloud but for the list of languages, whose names are their own."""
    seat.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    text: str = seat.page.evaluate(READ)
    return "\n".join(line for line in text.splitlines() if line not in LANGUAGES.values())


def in_english(text: str) -> list[str]:
    return [line for line in text.splitlines() if ENGLISH_WORDS.search(line)]


@pytest.mark.nightly
def test_no_screen_shows_a_word_of_english_in_another_language(served: Served, screen: Opener) -> None:
    table = screen(served.links["table"])
    red = screen(served.links["red"], viewport={"width": 320, "height": 640})
    assert in_english(read(red)), "in English there is something to find"
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        for seat in (red, table):
            seat.speak(language)
            assert in_english(read(seat)) == []
        assert red.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it fits a phone"
        table.page.goto(f"{served.origin}/replay")
        table.page.wait_for_selector("h2")
        assert table.page.inner_text("h2") == catalogue(language).gettext("No game is finished yet")
        assert in_english(read(table)) == []
        table.page.goto(served.origin)
        table.live()


@pytest.mark.slow
def test_a_browser_is_spoken_to_in_its_own_language_from_the_first_link_on(
    served: Served, screen: Opener
) -> None:
    blue = screen(None, locale="de-AT", viewport={"width": 390, "height": 800})
    blue.page.goto(served.links["blue"])
    assert blue.page.inner_text("h1") == "Hinsetzen: Blau"
    blue.page.click("button.main")
    blue.live()
    assert blue.page.inner_text("#todo") == "Blau, stell deine Armee auf"
    other = screen(None, locale="fr-FR")
    other.page.goto(f"{served.origin}/seat/blue")
    assert other.page.inner_text("h1") == "Cette place est prise : Bleu"
    stranger = screen(None, locale="sv-SE")
    stranger.page.goto(f"{served.origin}/link/nothing-of-the-kind-1234")
    assert stranger.page.inner_text("h1") == "This link doesn't work"


@pytest.mark.nightly
def test_a_seat_changes_its_language_in_the_middle_and_loses_nothing(
    served: Served, screen: Opener, playing: dict[str, Screen]
) -> None:
    red, blue = playing["red"], playing["blue"]
    red.speak("ru")
    blue.speak("fr")
    red.until_todo("Твой ход")
    red.until_told("Обе армии на местах. Начинают Красные.")
    origin, _, target = MOVES[0].partition("-")
    red.move(MOVES[0])
    red.until_told(f"Красные: {origin} — {target}.")
    blue.until_told(f"Rouge : {origin} vers {target}.")
    blue.until_todo("À toi de jouer")
    refused = blue.page.evaluate(
        """() => new Promise((done) => {
          const socket = new WebSocket(`ws://${location.host}/socket/blue`);
          socket.onopen = () => {
            socket.send(JSON.stringify({ do: "hello", epoch: null, n: 0, language: "fr" }));
            socket.send(JSON.stringify({ do: "say", id: "x1", text: "ask-take-back" }).padEnd(1024));
          };
          socket.onmessage = ({ data }) => {
            const frame = JSON.parse(data);
            if (frame.kind === "answer") { socket.close(); done(frame); }
          };
        })"""
    )
    assert refused["text"] == catalogue("fr", "stratego-quick-duel").gettext("You have no move to take back.")
    red.page.reload()
    red.live()
    assert red.page.evaluate("document.documentElement.lang") == "ru", "it stays with the seat"
    assert red.errors == []
    assert blue.errors == []


@pytest.mark.nightly
def test_what_was_drafted_is_still_there_in_the_other_language(served: Served, screen: Opener) -> None:
    red = screen(served.links["red"])
    red.drag(red.place('[data-piece="army:F"]'), red.square("a1"))
    red.page.wait_for_selector('[data-piece="draft:a1"]', state="attached")
    red.speak("nl")
    red.page.wait_for_selector('[data-piece="draft:a1"]', state="attached")
    assert "Er ontbreken er nog 9" in red.page.inner_text(".todo")


@pytest.mark.nightly
def test_a_screen_that_may_sound_plays_the_tune_of_what_happened(
    served: Served, screen: Opener, playing: dict[str, Screen]
) -> None:
    blue: Any = playing["blue"]
    blue.page.add_init_script(LISTENED)
    blue.page.reload()
    blue.live()
    playing["red"].move(MOVES[0])
    blue.until_todo("Your turn")
    assert blue.page.evaluate("played") == [], "silent until somebody wants sounds"
    blue.open("More")
    blue.page.check('[data-key="sounds"]')
    blue.until("() => played.length > 0")
    blue.page.evaluate("played.length = 0")
    blue.move(MOVES[1])
    playing["red"].until_todo("Your turn")
    blue.until("() => played.length > 0")
    assert blue.page.evaluate("played") == [tone.pitch_hz for tone in SOUNDS["accepted"].tones]
