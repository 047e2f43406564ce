"""Hand scripts through the real table: what is told, what lamps show, and how wrong lines are refused."""

import json

import pytest

from boardsim.bench.bench import LAMP_DRIVERS, PIN_LIBRARIES, BenchSettings
from boardsim.script.script import ScriptError, ScriptOutput, ScriptRunner, read_script, run_script
from boardumpire.commands.table_factory import TableFactory
from boardware.description import load_board
from boardware.ports import MS, SECOND
from table.twins import unsealed

BOARD = load_board("quick-battle-8x8")
SEATS = ("red", "blue")
SETUPS = """\
setup red a1=F b1=B a2=B c1=S d1=3 d2=3 e1=2 a3=2 f1=10 h3=9   # ten pieces
setup blue a8=F b8=B a7=B c8=S d8=9 d7=3 e8=2 a6=2 f8=10 h6=3
"""
BATTLE = (
    SETUPS
    + """\
lift h3
place h4
wait 1000
slide h6 h5
wait 1000
tap h4 h5
wait 1000
press confirm
wait 2500
lift h5         # beaten: a 9 met a 3
wait 100
place h5 h4     # the winner goes there
aside
wait 2000
"""
)


def read(text):
    return read_script(text, "test.hands", BOARD, SEATS)


def run(text, *, lamps=False, secret=(), **setting):
    lines = []
    fine = run_script(
        read(text), BenchSettings(**setting), TableFactory(), lines.append, ScriptOutput(lamps, secret)
    )
    assert fine
    return [json.loads(unsealed(line)) for line in lines]


def of_kind(told, kind):
    return [line for line in told if line["kind"] == kind]


@pytest.mark.parametrize("driver", PIN_LIBRARIES)
def test_a_battle_by_hand_is_ruled_and_tidied(driver):
    told = run(BATTLE, driver=driver)
    rulings = of_kind(told, "ruling")
    assert [line["action"] for line in rulings] == [None, None, "h3-h4", "h6-h5", "h4-h5"]
    assert rulings[-1]["events"][0] == {
        "kind": "battle",
        "from": "h4",
        "to": "h5",
        "attacker": "9",
        "defender": "3",
        "result": "attacker",
    }
    chores = [[(chore["do"], chore["space"]) for chore in line["chores"]] for line in of_kind(told, "chores")]
    assert chores == [[("take", "h5")], [("put", "h5")], []]
    assert of_kind(told, "turn")[-1]["to_act"] == ["blue"]


def test_times_never_go_back_and_are_whole_milliseconds():
    told = run(BATTLE, lamps=True, secret=SEATS)
    times = [line["t"] for line in told]
    assert times == sorted(times)
    assert all(isinstance(time, int) for time in times)


@pytest.mark.parametrize("lamp_driver", LAMP_DRIVERS)
def test_lamps_are_told_in_the_words_of_the_legend(lamp_driver):
    told = run(BATTLE, lamps=True, lamp_driver=lamp_driver)
    assert of_kind(told, "lamps-wrong") == []
    shown = [line["on"] for line in of_kind(told, "lamps")]
    lifted = next(on for on in shown if on.get("h3") == "lifted")
    assert lifted["h4"] == "may-go"
    assert any(on.get("h5") == "take" for on in shown)
    assert any(on.get("h5") == "put" for on in shown)
    assert shown[-1] == {"turn-blue": "turn-blue"}


@pytest.mark.parametrize(("ahead", "lit_for", "wrong"), [(0, 3, True), (5, 3, False), (5, 12, True)])
def test_a_lamp_that_answers_before_the_table_is_told_is_wrong_once_it_stays_so(ahead, lit_for, wrong):
    """A Pico lights a hint and tells of the lift then."""
    lines = []
    stage = ScriptRunner(BenchSettings(), TableFactory(), lines.append, ScriptOutput(lamps=True))
    try:
        bench, (chain,) = stage.bench, stage.bench.board.chains.values()
        bench.lamps_ahead = ahead * MS
        bench.start()
        bench.wait(SECOND)
        for at, colours in ((MS, [(0, 90, 0)]), ((1 + lit_for) * MS, [])):
            dark = [(0, 0, 0)] * (chain.length - len(colours))
            bench.world.plan(
                bench.now + at, lambda at, rgb=(*colours, *dark): bench.world.copper.set_chain(chain.id, rgb)
            )
        for _ in range(30):
            bench.wait(MS)
            stage._write_lamps(bench.now)  # nothing else turns the table meanwhile
        told = [json.loads(line) for line in lines]
        assert [len(line["lamps"]) for line in of_kind(told, "lamps-wrong")] == ([1] if wrong else [])
    finally:
        stage.bench.close()


def test_nothing_is_said_of_lamps_unless_asked_for():
    assert of_kind(run(BATTLE), "lamps") == []


def test_what_a_seat_is_told_in_private_is_told_on_request_alone():
    public = run(SETUPS)
    assert all("to" not in line for line in public)
    red = run(SETUPS, secret=("red",))
    assert {line["to"] for line in red if "to" in line} <= {"red"}
    assert [line for line in red if "to" not in line] == public


def test_a_refused_phone_is_told_and_its_reason_in_private_alone():
    script = "setup red a1=F b1=B\n"
    (line,) = of_kind(run(script), "phone")
    assert line == {"t": line["t"], "kind": "phone", "seat": "red", "ok": False}
    (line,) = of_kind(run(script, secret=("red",)), "phone")
    assert line["text"]


def test_silent_battles_tell_no_ranks():
    told = run(BATTLE, options={"announce": "silent"})
    (battle,) = [
        event for line in of_kind(told, "ruling") for event in line["events"] if event["kind"] == "battle"
    ]
    assert "attacker" not in battle
    assert battle["result"] == "attacker"


@pytest.mark.slow
def test_the_same_seed_tells_the_same_and_chatter_changes_no_ruling():
    assert run(BATTLE, seed=3, lamps=True) == run(BATTLE, seed=3, lamps=True)
    rulings = {
        tuple(str(line["action"]) for line in of_kind(run(BATTLE, seed=seed, bounce=bounce), "ruling"))
        for seed in range(4)
        for bounce in (True, False)
    }
    assert len(rulings) == 1


def test_a_power_cut_loses_nothing_and_the_game_goes_on(tmp_path):
    script = SETUPS + "lift h3\nplace h4\nwait 1000\nkill\nwait 5000\nstart\nslide h6 h5\nwait 1000\n"
    for journal in (None, tmp_path / "journal.db"):
        told = run(script, journal=journal)
        assert [line["action"] for line in of_kind(told, "ruling")] == [None, None, "h3-h4", "h6-h5"]
        assert [line["to_act"] for line in of_kind(told, "turn")][-3:] == [["blue"], ["blue"], ["red"]]


def test_hands_that_move_while_the_power_is_off_are_led_back():
    script = SETUPS + "kill\nlift h3\nplace h4\nstart\nwait 500\nlift h4\nplace h3\nwait 500\n"
    chores = [
        [(chore["do"], chore["space"]) for chore in line["chores"]] for line in of_kind(run(script), "chores")
    ]
    assert chores[0] == [("put", "h3"), ("take", "h4")]
    assert chores[-1] == []


def test_a_slow_hand_and_still_contacts_can_be_asked_for_in_the_script():
    told = run(SETUPS + "hands slow\nbounce off\nlift h3\nplace h4\nbounce on\nhands fast\nwait 1000\n")
    fast = run(SETUPS + "lift h3\nplace h4\nwait 1000\n")
    assert told[-1]["t"] > fast[-1]["t"] + 1500


def test_a_broken_diode_looks_like_a_lifted_piece():
    told = run(SETUPS + "diode h3 broken\nwait 500\n", lamps=True)
    assert of_kind(told, "lamps")[-1]["on"]["h3"] == "lifted"


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("lift", "1: 0 words after 'lift'; try 'lift SPACE'"),
        ("\n# fine\nlift z9", "3: found 'z9'; try a space of quick-battle-8x8 in 'lift SPACE'"),
        ("jump a1", "1: unknown verb 'jump'; try one of setup, say, lift"),
        ("lift a1 a2", "1: 2 words after 'lift'; try 'lift SPACE'"),
        ("wait long", "1: found 'long'; try whole milliseconds in 'wait MILLISECONDS'"),
        ("wait -3", "1: found '-3'; try whole milliseconds"),
        ("press bell", r"1: found 'bell'; try a button of quick-battle-8x8 \(confirm, cancel, turn\)"),
        ("hold turn", "1: 1 words after 'hold'; try 'hold BUTTON MILLISECONDS'"),
        ("hold turn long", "1: found 'long'; try whole milliseconds in 'hold BUTTON MILLISECONDS'"),
        ("hold bell 2500", "1: found 'bell'; try a button of quick-battle-8x8"),
        ("say green yes", r"1: found 'green'; try a seat \(red, blue\)"),
        ("setup red a1", "1: found 'a1'; try SPACE=PIECE"),
        ("hands quick", r"1: found 'quick'; try a pace \(human, slow, fast, usual\)"),
        ("bounce maybe", "1: found 'maybe'; try on or off"),
        ("reed a1 burnt", "1: found 'burnt'; try open, closed or fine in 'reed SLOT STATE'"),
        ("fetch red", "1: no piece of red beside the board"),
        ("diode a1 burnt", "1: found 'burnt'; try fine, absent, broken or shorted"),
        ("lift a3", "1: no piece on a3"),
        ("stand red a3\nlift a3\nplace a4\nlift a3", "4: no piece on a3"),
        ("stand red a3\nlift a3\nplace a4 a2", "3: no piece from a2 in the hands"),
        ("start", "1: 'start', but the table is on here"),
        ("kill\nsay red resign", "2: 'say', but the table is off here; put 'start' before it"),
    ],
)
def test_a_wrong_line_is_refused_before_anything_runs(script, complaint):
    with pytest.raises(ScriptError, match=f"^test.hands:{complaint}"):
        read(script)


def test_every_verb_is_documented():
    from boardsim.script import script

    for verb in script.VERBS:
        assert f"\n    {verb}" in script.__doc__
