"""Armies learnt from tags, by simulated hands, over readers and from pads; whole games on both."""

import json
import random

import pytest

from boardrules import registry
from boardrules.record import record_of
from boardsim.bench.bench import parse_setup
from boardumpire.journal.journal import Store
from boardware.ports import SECOND
from tags.games import BARRAGE, PADS, Told, play, same, with_readers

ARMY = "setup a1=9 b3=3 c1=2 c3=2 e1=F e3=B f2=10 h2=S"
THEIRS = "setup a6=9 b8=3 c6=2 c8=2 e6=F e8=B f7=10 h7=S"
BOARDS = {"readers": with_readers, "pads": lambda: PADS}


def game(seed, longest):
    dice = random.Random(f"tags {seed}")
    state = registry.new(BARRAGE, {})
    actions = []
    while state.outcome is None:
        seat = dice.choice(state.seats_to_act())
        legal = list(state.legal_actions(seat))
        attacks = [each for each in legal if not each.secret and str(each).split("-")[1] in state.layout()]
        action = dice.choice(attacks if attacks and dice.random() < 0.4 else legal)
        if len(actions) >= longest:
            action = state.parse("resign", seat)
        actions.append((seat, str(action)))
        state, _ = state.apply(action)
    return record_of(state, tuple(actions))


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_a_whole_game_comes_out_as_it_went_in_though_nobody_said_a_set_up(board):
    record = game(1, 40)
    player = play(record, BOARDS[board]())
    assert same(record, player) is None
    assert all(ruling["ok"] for ruling in player.tellings.rulings)
    player.bench.close()


@pytest.fixture(params=BOARDS)
def told(request):
    one = Told(BOARDS[request.param](), game=BARRAGE)
    yield one
    one.bench.close()


def own(told, seat):
    board = told.bench.table.view(seat)["board"]
    return {space: piece["rank"] for space, piece in board.items() if piece["seat"] == seat}


@pytest.mark.slow
def test_both_armies_are_known_and_the_game_begins(told):
    told.army("red", ARMY)
    assert told.bench.table.view(None)["ready"] == {"red": True, "blue": False}
    told.army("blue", THEIRS)
    for seat, text in (("red", ARMY), ("blue", THEIRS)):
        assert own(told, seat) == dict(parse_setup(text))
    assert told.faults() == []


@pytest.mark.slow
def test_an_army_that_is_changed_before_the_other_stands_is_learnt_anew(told):
    told.army("red", ARMY)
    told.lift("a1")
    told.place("a2")
    told.wait(6000)
    told.army("blue", THEIRS)
    assert own(told, "red") == {**dict(parse_setup(ARMY.replace("a1", "a2")))}


@pytest.mark.slow
def test_pieces_that_traded_places_in_a_hand_are_told_apart_by_readers_and_asked_for_by_pads(told):
    told.army("red", ARMY)
    told.lift("a1", "f2")
    told.place("f2", "a1")
    told.place("a1", "f2")
    told.wait(6000)
    if told.bench.tags.pieces_over_pads:
        assert own(told, "red")["a1"] == "9"  # as it was said; nobody knows better
        told.lift("a1")
        told.show("pad-red")
        told.place("a1")
        told.lift("f2")
        told.show("pad-red")
        told.place("f2")
        told.wait(6000)
    told.army("blue", THEIRS)
    assert own(told, "red")["a1"] == "10"
    assert own(told, "red")["f2"] == "9"


TRADES = {
    "while the game is set up": ("lift", "place", "cut"),
    "while the power is off": ("cut", "lift", "place"),
    "after the phone said it": ("say", "lift", "place"),
}


def trade(army, what, board, folder):
    """The pieces of c1 and c3 trade places once red's army is learnt; all that others can see of it."""
    folder.mkdir()
    told = Told(board, game=BARRAGE, journal=folder / "journal.db")
    told.army("red", army)
    for step in what:
        if step == "say":
            told.bench.say("red", army)
        elif step == "lift":
            told.lift("c1", "c3")
        elif step == "place":
            for space, origin in (("c1", "c3"), ("c3", "c1")):
                if told.bench.tags.pieces_over_pads:
                    told.bench.run_until(
                        told.bench.tags.show(told.bench.hands, "pad-red", told.bench.now, (origin,))
                    )
                told.place(space, origin)
        else:
            told.bench.kill()
            told.bench.start()
        told.wait(1000 if step == "lift" else 6000)
    seen = [(m.at, m.seat, m.kind, len(json.dumps(m.data))) for m in told.messages]
    told.bench.close()
    store = Store.open_read_only(folder / "journal.db")
    written = [len(entry.text) for entry in store.public_entries(1)]
    store.close()
    return seen, told.lit, written


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "what"), [*(("readers", what) for what in TRADES), ("pads", "after the phone said it")]
)
def test_nobody_sees_whether_two_pieces_that_trade_places_before_the_game_are_alike(board, what, tmp_path):
    alike, unlike = ARMY, ARMY.replace("c3=2", "c3=B").replace("e3=B", "e3=2")
    one = trade(alike, TRADES[what], BOARDS[board](), tmp_path / "alike")
    assert one == trade(unlike, TRADES[what], BOARDS[board](), tmp_path / "unlike")


def test_a_wrong_army_is_refused_in_public_without_its_reason_and_with_it_to_its_owner(told):
    told.army("red", ARMY.replace("h2=S", "h2=B"))  # two Bombs: the other game of the board has as many
    refused = [m for m in told.messages if m.kind == "ruling" and not m.data["ok"]]
    assert [(m.seat, m.data["refusal"]["code"]) for m in refused] == [(None, "stratego/setup-refused")]
    private = [m for m in told.messages if m.kind == "private" and "refusal" in m.data]
    assert [m.data["refusal"]["code"] for m in private if m.seat == "red"] == ["stratego/setup-army"]
    # Nobody can tell by their length whose says more.
    assert [m.data["refusal"]["code"] for m in private if m.seat == "blue"] == ["stratego/setup-refused"]
    assert told.bench.table.view(None)["ready"] == {"red": False, "blue": False}
    told.army("blue", THEIRS)
    assert told.bench.table.view(None)["ready"] == {"red": False, "blue": True}


def test_a_stranger_in_an_army_makes_no_set_up(told):
    told.army("red", ARMY.replace("h2=S", "h2=X"))
    assert told.bench.table.view(None)["ready"]["red"] is False


@pytest.mark.slow
def test_a_piece_with_a_broken_tag_makes_no_set_up_and_the_phone_still_can(told):
    bench = told.bench
    for space, label in parse_setup(ARMY)[:-1]:
        if bench.tags.pieces_over_pads:
            bench.run_until(bench.tags.take_and_show(bench.hands, "pad-red", "red", label, bench.now))
            bench.run_until(bench.hands.place(space, bench.now))
        else:
            bench.run_until(bench.hands.stand("red", space, bench.now, label))
    bench.run_until(bench.hands.stand("red", "h2", bench.now, "S"))
    bench.tags.box.remove_tag(bench.world.standing()["h2"][0])
    bench.wait(30 * SECOND)
    if bench.tags.pieces_over_pads:
        assert bench.table.view(None)["ready"]["red"] is False
    bench.say("red", ARMY)
    assert bench.table.view(None)["ready"]["red"] is True


def test_the_pad_says_by_its_lamp_that_it_waits_and_the_zone_where_the_piece_may_stand():
    told = Told(PADS, game=BARRAGE)
    bench = told.bench
    assert bench.table.marks["pad-red"] == bench.table.marks["pad-blue"] == "put"
    bench.run_until(bench.tags.take_and_show(bench.hands, "pad-red", "red", "10", bench.now))
    lit = {space for space, mark in bench.table.marks.items() if mark == "may-go"}
    assert lit == {f + r for f in "abcdefgh" for r in "123"}
    bench.run_until(bench.hands.place("a1", bench.now))
    told.wait(100)
    assert "may-go" not in bench.table.marks.values()
    shown = [m.data for m in told.messages if m.kind == "shown"]
    text = "Red showed a piece. You can put it on the board now."
    assert shown == [{"pad": "pad-red", "seat": "red", "text": text}]
    bench.run_until(bench.tags.take_and_show(bench.hands, "pad-red", "red", "joker", bench.now))
    told.wait(100)
    assert [m.data["seat"] for m in told.messages if m.kind == "shown"] == ["red", None]
    assert bench.table.marks["pad-red"] == "refused"
    bench.close()
