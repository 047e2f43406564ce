"""Every hand script gives the same rulings over the firmware of a Pico as over the Pi's own header."""

import json

import pytest

from boardsim.script.script import ScriptOutput, read_script, run_script
from boardumpire.commands.table_factory import TableFactory
from pico.games import setting
from sim.test_script import BATTLE, BOARD, SETUPS
from table.rows import HANDS, SEATS, Run, read_row
from table.twins import unsealed

ROWS = [read_row(path) for path in sorted(HANDS.glob("*.hands"))]
SAMPLE = ROWS[::5] + [row for row in ROWS if row.name == "turned"]
CONDITIONS = {
    "plain": {},
    "bounce": {"bounce": True},
    "slow": {"pace": "slow"},
    "fast": {"pace": "fast"},
    "fast and bounce": {"pace": "fast", "bounce": True},
}


def told(lines):
    """What was told, its times aside, and what the lamps show at the end.

    Of chores that follow each other the last: contacts that chatter are told one by one, a scan apart or not.
    """
    said, lamps = [], {}
    for line in map(json.loads, map(unsealed, lines)):
        del line["t"]
        if line["kind"] == "lamps":
            lamps = line["on"]
        elif line["kind"] == "chores" and said and said[-1]["kind"] == "chores":
            said[-1] = line
        else:
            said.append(line)
    return said, lamps


def ran(row, journal, **more):
    """A row of tests/hands, whole: what was accepted and told, and the lamps at the end."""
    run = Run(row, journal, **more)
    try:
        _, accepted = run.whole()
    finally:
        run.bench.close()
    return accepted, *told(run.log)


def rulings(row, folder, condition):
    """How many rulings there are in a row, the same over a Pico as over the header."""
    over_pico = ran(row, folder / "pico.db", driver="pico-sim", **condition)
    assert over_pico == ran(row, folder / "header.db", driver="gpio-sim", **condition)
    return len(over_pico[0])


@pytest.mark.few(4)
@pytest.mark.parametrize("row", SAMPLE, ids=lambda row: row.name)
def test_a_row_is_ruled_over_a_pico_as_over_the_header(row, tmp_path):
    assert rulings(row, tmp_path, {})


@pytest.mark.nightly
@pytest.mark.parametrize("condition", CONDITIONS)
def test_every_row_is_ruled_over_a_pico_as_over_the_header(condition, tmp_path, record_property):
    """All of tests/hands: the same rulings and messages in the same order, the same lamps at the end."""
    count = 0
    for row in ROWS:
        folder = tmp_path / row.name
        folder.mkdir()
        count += rulings(row, folder, CONDITIONS[condition])
    record_property("scripts", len(ROWS))
    record_property("seed", 7)
    record_property("rulings", count)


SCRIPTS = {
    "a battle": BATTLE,
    "a move, a refusal": "lift a3\nplace a4\nwait 1500\nlift a4\nplace a5\nwait 3000\nlift a5\nplace a4",
    "out of turn": "lift f8\nplace f7\nwait 3000\nlift f7\nplace f8\nwait 1000",
    "knocked and stood up": "knock a3\nwait 6000\nlift a3\nplace a3\nwait 2000",
    "buttons": "press confirm\npress turn\npress cancel\nwait 500",
    "a button held": "hold cancel 2500\nwait 500",
    "the power fails in a move": "lift a3\nkill\nwait 500\nplace a4\nwait 100\nstart\nwait 2000",
    "hands while it is off": "kill\nlift h3\nplace h4\nstart\nwait 500\nlift h4\nplace h3\nwait 500",
    "a shorted diode": "diode d4 shorted\nlift e1\nplace e2\nwait 1000\ndiode d4 fine\nwait 500",
    "a broken diode": "diode h3 broken\nwait 500\ndiode h3 fine\nwait 500",
    "a reed that sticks": "reed c4 closed\nwait 2000\nreed c4 fine\nwait 1000",
    "quick hands": "hands fast\nbounce off\nlift h3\nplace h4\nwait 1000\nbounce on\nslide h6 h5\nwait 1000",
    "a take-back": "lift h3\nplace h4\nwait 1000\nsay red ask-take-back\nsay blue agree-take-back\nwait 1000",
}


def script_told(script, driver, seed):
    text = script if script.startswith("setup") else SETUPS + "wait 1000\n" + script
    lines = []
    fine = run_script(
        read_script(text, "script", BOARD, SEATS),
        setting(seed=seed)._replace(driver=driver),
        TableFactory(),
        lines.append,
        ScriptOutput(lamps=True, private_seats=SEATS),
    )
    return fine, *told(lines)


@pytest.mark.few(4)
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_gives_the_same_over_a_pico(name):
    fine, said, lamps = script_told(SCRIPTS[name], "pico-sim", 0)
    assert fine
    assert said
    assert (fine, said, lamps) == script_told(SCRIPTS[name], "gpio-sim", 0)


@pytest.mark.nightly
def test_scripts_give_the_same_over_a_pico_however_reeds_chatter(record_property):
    """The scripts of this page with ten seeds of bounce each: told alike, lit alike at the end."""
    for seed in range(10):
        for script in SCRIPTS.values():
            assert script_told(script, "pico-sim", seed) == script_told(script, "gpio-sim", seed)
    record_property("scripts", len(SCRIPTS))
    record_property("seeds", "0 to 9")
