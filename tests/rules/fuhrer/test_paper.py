"""Paper mode (H3): Hitler writes by himself, answers on his honour, and the sheet is audited at the end."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from boardrules.core import Action
from boardrules.fuhrer.actions import (
    HITLER,
    ChooseStart,
    EnteredSheet,
    HitlerTurn,
    Recapture,
    SheetEntry,
    interned_action,
)
from boardrules.fuhrer.play import FuhrerState
from boardrules.fuhrer.sheet_audit import audit
from boardrules.history import GameHistory
from rules import contract
from rules.fuhrer.positions import events, kinds, line, new, possible, random_options, texts, walk, why
from rules.ids import rule


def paper(tank: str, spy: str, infantry: str, **options: Any) -> FuhrerState:
    """A game on paper after the set-up."""
    return line(new(sheet="paper", **options), f"tank {tank}; spy {spy}; infantry {infantry}; written")


def allies(state: FuhrerState, ask: str = "", answers: str = "", here: str = "no") -> FuhrerState:
    """The Allies' part of a round in which all stay; `answers` to what the Spy asks."""
    state = line(state, "roll; roll 1; stay; roll 1; stay")
    for city, answer in zip(ask.split(), answers.split(), strict=True):
        state = line(state, f"ask {city}; {answer}")
    if state.facts.stage.name == "ask":
        state = line(state, "done")
    return line(state, f"roll 1; stay; {here}")


def quiet(state: FuhrerState) -> FuhrerState:
    """As `allies`, without a liberation."""
    tank, other = ("kiel-lubeck", "lubeck-kiel")
    way = tank if state.layout().get("kiel") else other
    return line(state, f"roll; roll 1; {way}; roll 1; stay; done; roll 1; stay; no")


@rule("H3")
def test_the_umpire_knows_no_place_and_hitler_answers() -> None:
    state = line(new(sheet="paper"), "tank kiel; spy ulm; infantry bonn")
    assert texts(state) == {"written"}
    assert why(state, "hide linz") == ("other-sheet", "H3")
    state = line(state, "written; stay; roll 1; stay")
    assert state.truth()["sheet"]["at"] is None
    assert events(state, "ask ulm") == [{"kind": "asked", "at": "ulm"}]
    asked = line(state, "ask ulm")
    assert asked.seats_to_act() == (HITLER,)
    assert texts(asked) == {"yes", "no"}
    assert events(asked, "no") == [{"kind": "answer", "at": "ulm", "thing": "no"}]
    there = line(asked, "yes; ask augsburg")
    assert possible(there) == {"ulm"}
    assert texts(there) == {"no"}
    assert why(there, "yes") == ("contradiction", "F10")
    infantry = line(there, "no; roll 1; stay")
    assert texts(infantry) == {"no"}
    assert line(infantry, "no").facts.round == 2


@rule("H3", "F11")
def test_capture_is_his_to_tell_and_the_sheet_is_asked_for() -> None:
    state = line(paper("kiel", "ulm", "bonn"), "stay; roll 1; stay; done; roll 1; stay")
    assert texts(state) == {"yes", "no"}
    found = line(state, "yes")
    assert found.outcome is None
    assert found.view(None).json()["phase"] == "sheet"
    assert why(found, "sheet bonn bonn") == ("sheet-length", "H3")
    over = line(found, "sheet bonn")
    assert over.outcome == ("allies", "capture")
    assert kinds(found, "sheet bonn") == ["sheet", "audit", "over"]
    assert line(found, "sheet ulm").outcome == ("allies", "sheet")


@rule("H3", "F13", "F20", "F17")
def test_he_places_the_token_and_tells_tickets_and_recaptures() -> None:
    state = quiet(paper("kiel", "ulm", "rostock"))
    assert {"written", "written ticket", "written ticket ticket"} <= texts(state)
    state = quiet(line(state, "written ticket"))
    assert state.view(None).json()["tickets"] == 1
    tokens = {text for text in texts(state) if text.startswith("written token=")}
    assert "written token=bonn" in tokens
    assert "written" not in texts(state)
    assert why(state, "written") == ("contradiction", "F10")
    assert "written token=nurnberg" not in texts(state)  # he flew: no airport is near
    after = line(state, "written token=bonn")
    assert after.view(None).json()["token"] == "bonn"
    assert {"flensburg", "innsbruck"} <= possible(after)
    flagged = line(paper("kiel", "ulm", "rostock"), "stay; roll 1; stay; done; roll 1; stay; no")
    assert events(flagged, "written recapture=kiel")[1] == {"kind": "recaptured", "at": "kiel"}
    assert possible(line(flagged, "written recapture=kiel")) == {"kiel"}


@rule("H3")
@pytest.mark.parametrize(
    ("sheet", "code", "number"),
    [
        ("linz linz passau", None, 0),
        ("linz passau kiel", "way", 3),
        ("munich munich munich", "token", 1),
        ("linz salzburg munich", "answer", 3),
        ("linz bonn bonn", "way", 2),
    ],
)
def test_a_sheet_is_audited_move_by_move(sheet: str, code: str | None, number: int) -> None:
    state = quiet(paper("kiel", "munich", "rostock"))
    state = quiet(line(state, "written"))
    state = line(
        state, "written token=linz; roll; roll 1; stay; roll 1; stay; ask munich; no; done; roll 1; stay; no"
    )
    state, _ = state.apply(state.parse("resign", "allies"))
    assert state.view(None).json()["phase"] == "sheet"
    found = audit(state.facts.rules, state.facts.knowledge.log, sheet.split())
    assert (found and (found.code, found.round)) == (code and (code, number))
    over, told = state.apply(state.parse(f"sheet {sheet}", HITLER))
    said = told[1].json()
    assert said["thing"] == (code or "holds")
    assert over.outcome == (("hitler", "resignation") if code is None else ("allies", "sheet"))
    if code is not None:
        assert (said["round"], said["at"]) == (number, sheet.split()[number - 1])


@rule("H3")
def test_a_recapture_elsewhere_is_found_out() -> None:
    state = line(paper("kiel", "ulm", "rostock"), "stay; roll 1; stay; done; roll 1; stay; no")
    state = line(state, "written recapture=kiel")
    found = audit(state.facts.rules, state.facts.knowledge.log, ["hamburg", "hamburg"])
    assert found is not None
    assert (found.code, found.round) == ("recapture", 2)
    assert audit(state.facts.rules, state.facts.knowledge.log, ["kiel", "kiel"]) is None


@rule("H3")
def test_who_gives_up_or_runs_out_of_time_enters_no_sheet() -> None:
    state = paper("kiel", "ulm", "rostock")
    for seat, text in ((HITLER, "resign"), ("clock", "time hitler")):
        assert state.apply(state.parse(text, seat))[0].outcome is not None
    early = new(sheet="paper")
    assert early.apply(early.parse("resign", "allies"))[0].outcome == ("hitler", "resignation")
    waiting, _ = state.apply(state.parse("time allies", "clock"))
    assert waiting.outcome is None
    assert waiting.apply(waiting.parse("resign", HITLER))[0].outcome == ("allies", "resignation")


@rule("H3")
def test_while_the_sheet_is_awaited_nothing_else_changes_who_has_won() -> None:
    caught = paper("kiel", "ulm", "rostock")
    caught = allies(caught, here="yes")
    fled = paper("kiel", "ulm", "rostock")
    fled, _ = fled.apply(fled.parse("time allies", "clock"))
    for state in (caught, fled):
        assert state.view(None).json()["phase"] == "sheet"
        assert why(state, "resign", "allies")[0] == "over"
        assert state.table_actions("clock") == ()
        assert not [say for say in state.table_actions("allies") if str(say) == "resign"]
    assert caught.apply(caught.parse("resign", HITLER))[0].outcome == ("allies", "capture"), "as it was"


def as_paper(state: FuhrerState, played: list[tuple[FuhrerState, Action]]) -> list[str]:
    """What an honest Hitler on paper says, of a game that the umpire kept."""
    board, said = state.facts.rules.board, []
    for at, action in played:
        if isinstance(action, ChooseStart):
            said.append("written")
        elif isinstance(action, HitlerTurn | Recapture):
            sheet = at.apply(action)[0].sheet
            late = at.facts.round - 3
            token = sheet.entries[late] if late >= 0 else None
            origins = action.origins if isinstance(action, HitlerTurn) else ()
            taken = at.sheet.city if isinstance(action, Recapture) else None
            said.append(str(interned_action(SheetEntry, board, HITLER, origins, taken, token)))
        else:
            said.append(str(action))
            after = at.apply(action)[1]
            said += [str(dict(event.data)["thing"]) for event in after if event.kind == "answer"]
            if at.facts.stage.name == "move" and at.facts.stage.piece == 2:
                said.append("yes" if any(event.kind == "captured" for event in after) else "no")
    return said


@rule("H3", "H5")
def test_an_honest_game_on_paper_goes_as_the_umpire_would_have_it() -> None:
    for seed in range(12):
        rng = random.Random(seed)
        options = random_options(rng, sheet="umpire")
        start = new(**options)
        played = list(walk(start, rng, 400))
        last = played[-1][0].apply(played[-1][1])[0]
        state = new(**{**options, "sheet": "paper"})
        for text in as_paper(start, played):
            state = line(state, text)
        assert state.facts.knowledge == last.facts.knowledge
        assert state.facts.city_by_piece == last.facts.city_by_piece
        if last.outcome is not None:
            entries = " ".join(last.truth()["sheet"]["entries"])
            assert state.apply(state.parse(f"sheet {entries}", HITLER))[0].outcome == last.outcome


@rule("H3")
def test_random_games_on_paper_never_get_stuck_and_some_sheet_always_holds() -> None:
    for seed in range(15):
        rng = random.Random(seed)
        for state, action in walk(new(**random_options(rng, sheet="paper")), rng):
            assert state.facts.knowledge.possible_marks
            if isinstance(action, EnteredSheet):
                assert audit(state.facts.rules, state.facts.knowledge.log, action.entries) is None
        rng = random.Random(seed)
        states = [state for state, _ in walk(new(**random_options(rng, sheet="paper")), rng)]
        contract.check_state(rng.choice(states))
        contract.check_state(states[-1])


@pytest.mark.nightly
def test_random_sheets(record_property: Callable[[str, object], None]) -> None:
    """A sheet with an entry changed is judged as replaying the game with it by the rules judges it."""
    same = wrong = 0
    for seed in range(100):
        rng = random.Random(seed)
        options = random_options(rng, sheet="umpire", first_round="allies_only")
        played = list(walk(new(**options), rng))
        last = played[-1][0].apply(played[-1][1])[0]
        ids = last.facts.rules.board.ids
        for _ in range(20):
            entries = list(last.truth()["sheet"]["entries"])
            entries[rng.randrange(len(entries))] = rng.choice(ids)
            holds = audit(last.facts.rules, last.facts.knowledge.log, entries) is None
            assert holds == replays(options, played, entries)
            same, wrong = same + holds, wrong + (not holds)
    record_property("seeds", "0 to 99")
    record_property("sheets that hold", same)
    record_property("sheets that do not", wrong)


def replays(options: dict[str, Any], played: list[tuple[FuhrerState, Action]], entries: list[str]) -> bool:
    """Whether a game with this way is legal and tells the same."""
    state = new(**options)
    board, left = state.facts.rules.board, list(entries)
    for at, action in played:
        if isinstance(action, ChooseStart | HitlerTurn | Recapture):
            city = board.index[left.pop(0)]
            if isinstance(action, ChooseStart):
                action = interned_action(ChooseStart, board, HITLER, city)
            elif isinstance(action, HitlerTurn):
                action = interned_action(HitlerTurn, board, HITLER, city, action.origins)
            elif state.sheet.city != city:
                return False
        if state.refusal(action) is not None:
            return False
        after, told = state.apply(action)
        expected = at.apply(action)[1] if at.refusal(action) is None else None
        heard = [event for event in told if event.kind != "sheet"]
        if expected is not None and heard != [event for event in expected if event.kind != "sheet"]:
            return False
        if after.facts.knowledge.log != at_log(at, played):
            return False
        state = after
    return True


def at_log(at: FuhrerState, played: list[tuple[FuhrerState, Action]]) -> tuple[object, ...]:
    """What had been said once the action at this state was done."""
    place = next(count for count, (state, _) in enumerate(played) if state is at)
    state, action = played[place]
    return state.apply(action)[0].facts.knowledge.log


def take_back(game: GameHistory) -> None:
    """Hitler asks for his last answer, and the Allies agree."""
    game.push_text(HITLER, "ask-take-back")
    game.push_text("allies", "agree-take-back")


LAST = 24


def asked_of_infantry(number: int = 1) -> FuhrerState:
    """Infantry has ended its turn of that round on Bonn; by his tokens Hitler is in Linz."""
    state = paper("kiel", "ulm", "bonn")
    for late in range(2, number + 1):
        state = line(allies(state), "written token=linz" if late > 2 else "written")
    moving = line(state, "roll; roll 1; stay" if number > 1 else "stay")
    return line(moving, "roll 1; stay; done; roll 1; stay")


@rule("H6")
@pytest.mark.parametrize("said", ["yes", "no"])
def test_an_answer_to_infantry_is_taken_back_by_agreement_and_asked_again(said: str) -> None:
    asked = asked_of_infantry()
    game = GameHistory(asked)
    game.push_text(HITLER, said)
    assert game.state.outcome is None
    assert why(game.state, "agree-take-back", "allies") == ("no-offer", "H1")
    game.push_text(HITLER, "ask-take-back")
    assert why(game.state, "agree-take-back", HITLER) == ("own-offer", "H1")
    declined, _ = game.state.apply(game.state.parse("decline-take-back", "allies"))
    assert declined.facts.round == game.state.facts.round
    game.push_text("allies", "agree-take-back")
    assert game.state == asked
    assert texts(game.state) == {"yes", "no"}
    assert game.state.facts.knowledge.possible_marks == asked.facts.knowledge.possible_marks
    assert why(game.state, "ask-take-back", HITLER) == ("nothing-to-take-back", "H1")


@rule("H6", "F22")
def test_an_answer_that_ends_the_game_is_taken_back_until_the_sheet_is_entered() -> None:
    for state, said in ((asked_of_infantry(), "yes"), (asked_of_infantry(LAST), "no")):
        game = GameHistory(state)
        game.push_text(HITLER, said)
        assert game.state.view(None).json()["phase"] == "sheet"
        entered = " ".join(["linz"] * state.facts.round)
        over, _ = game.state.apply(game.state.parse(f"sheet {entered}", HITLER))
        assert over.outcome is not None
        assert why(over, "ask-take-back", HITLER)[0] == "over"  # everybody has seen the sheet
        game.push_text(HITLER, "ask-take-back")
        assert over == game.state.apply(game.state.parse(f"sheet {entered}", HITLER))[0]
        game.push_text("allies", "agree-take-back")
        assert game.state == state
    resigned, _ = asked_of_infantry().apply(asked_of_infantry().parse("resign", "allies"))
    assert why(resigned, "ask-take-back", HITLER) == ("nothing-to-take-back", "H1")


@rule("H6", "F09")
@pytest.mark.parametrize("questions", ["one_by_one", "both_first"])
def test_an_answer_to_the_spy_is_taken_back_whatever_the_allies_did_after_it(questions: str) -> None:
    start = line(paper("kiel", "ulm", "bonn", spy_questions=questions), "stay; roll 1; stay")
    both = questions == "both_first"
    asked = line(start, "ask ulm augsburg" if both else "ask ulm")
    game = GameHistory(asked)
    rest = [] if both else ["ask augsburg"]
    for text in ("yes", *rest, "no", "roll 1", "stay"):
        seat = game.state.seats_to_act()[0]
        game.push_text(seat, text)
        if seat == HITLER:
            mistaken = game.state
        assert "ask-take-back" in {str(said) for said in game.state.table_actions(HITLER)}, text
        back = game.copy()
        take_back(back)
        before = asked if text == "yes" or text == "ask augsburg" else line(asked, "; ".join(("yes", *rest)))
        assert back.state == before, text
        take_back_all(back)
        assert back.state == asked, text
    assert mistaken.facts.knowledge.possible_marks != asked.facts.knowledge.possible_marks
    assert texts(game.state) == {"no"}  # by his first answer he can't be where Infantry is
    take_back(game)
    take_back(game)
    assert texts(line(game.state, "no; " + ("no" if both else "done") + "; roll 1; stay")) == {"yes", "no"}


def take_back_all(game: GameHistory) -> None:
    """Hitler takes back one answer after the other."""
    while "ask-take-back" in {str(said) for said in game.state.table_actions(HITLER)}:
        take_back(game)


@rule("H6", "H1")
def test_a_wrong_die_is_entered_again_beside_an_answer_that_can_be_taken_back() -> None:
    game = GameHistory(line(paper("kiel", "ulm", "bonn"), "stay; roll 1; stay; ask ulm; no; done"))
    thrown = game.state
    game.push_text("chance", "roll 1")
    game.push_text("allies", "ask-throw-again")
    game.push_text(HITLER, "agree-throw-again")
    assert game.state == thrown
    game.push_text("chance", "roll 2")
    (told,) = game.push_text(HITLER, "ask-take-back")
    assert told.json() == {"kind": "offer", "seat": HITLER, "thing": "take-back"}
    assert why(game.state, "agree-throw-again", "allies") == ("no-offer", "H1")
    assert game.state.view(None).json()["offer"] == {"seat": HITLER, "thing": "take-back"}


@rule("H6", "H1")
def test_what_is_no_answer_is_taken_back_as_before() -> None:
    state = line(paper("kiel", "ulm", "bonn"), "stay; roll 1; stay")
    assert why(line(state, "ask ulm"), "ask-take-back", "allies") == ("nothing-to-take-back", "H1")
    assert why(line(state, "done; roll 1; stay"), "ask-take-back", HITLER) == ("nothing-to-take-back", "H1")
