"""Parts that are all of a wrong kind are one finding, and the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardlab.rehearsal.person import Person
from boardlab.rehearsal.touch import Touch
from boardrules.identifiers import Seat
from boardsim.world.copper import DARK
from boardsim.world.mistakes import built
from boardsim.world.physics import FootMagnet
from boardumpire.cli import main
from boardumpire.makers.diagnosis import derive_findings
from boardumpire.makers.doctor import STAGES, Doctor
from boardumpire.makers.power import under_voltage
from boardware.parts import BoardDescription
from makers.mistaken import HEADER, MAP, PICO, TWO_PICOS, examine


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("board", [HEADER, PICO, MAP, TWO_PICOS], ids=lambda board: board.id)
def test_reeds_that_open_under_a_magnet_are_told_from_resistors_to_a_supply(board: BoardDescription) -> None:
    """All seems closed on the empty board: one piece tells which of the two it is."""
    for seed in range(2):
        found = examine(["reeds-closed"], seed, board)
        assert found.first_right, found.told()
        assert not found.blamed, found.told()
        text = found.findings[0].text()
        assert "normally closed" in text
        other = examine(["pulled-up"], seed, board)
        assert other.first_right, other.told()
        assert "Likely cause: The columns' resistors lead to 3.3 V" in other.findings[0].text()


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("board", [PICO, TWO_PICOS], ids=lambda board: board.id)
def test_a_pico_2_of_the_first_stepping_is_one_finding(board: BoardDescription) -> None:
    """Its columns stay high once a reed was closed: that is no reed that sticks, nor sixty of them."""
    for seed in range(2):
        found = examine(["columns-latch"], seed, board)
        assert found.first_right, found.told()
        assert not found.blamed, found.told()
        assert not [one for one in found.findings if one.code.startswith("reed-")], found.told()


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("board", [HEADER, PICO], ids=lambda board: board.id)
def test_rows_that_carry_one_piece_and_not_all_are_found_by_full_rows(board: BoardDescription) -> None:
    """1.5 kOhm a row and 10 kOhm a column: each piece alone is sensed, and a full row loses some."""
    found = examine(["rows-weak"], 1, board, pieces=8)
    assert found.first_right, found.told()
    assert not found.blamed, found.told()
    assert "Its resistor is too large" in found.findings[0].text()
    assert not examine([], 1, board, pieces=8).findings


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("board", [HEADER, PICO, MAP, TWO_PICOS], ids=lambda board: board.id)
def test_lamps_with_a_white_channel_are_one_finding(board: BoardDescription) -> None:
    """They take four bytes where three are sent: nothing is dead, and no lamp is to be changed alone."""
    for seed in range(2):
        found = examine(["lamps-rgbw"], seed, board)
        assert found.first_right, found.told()
        assert not found.blamed, found.told()


@pytest.mark.slow
def test_full_rows_of_weak_magnets_blame_no_resistor() -> None:
    for seed in range(2):
        found = examine(["magnet-weak"], seed, pieces=8)
        assert found.findings, found.told()
        assert not found.blamed, found.told()


@pytest.mark.slow
def test_stages_run_alone() -> None:
    """Each asks what is its own; rows without the walk believe the board file."""
    kinds = {
        stage: {
            (ask.kind, ask.expected_sign.code.partition(" ")[0] if ask.expected_sign else "")
            for ask in examine([], 1, PICO, pieces=8, stages=(stage,)).person.asks
        }
        for stage in STAGES
    }
    both = {("arrive", ""), ("answer", "emptied")}
    assert kinds["matrix"] == both | {("watch", "")}
    assert kinds["power"] == both  # no simulated Pi says what it gets
    assert kinds["buttons"] == both | {("press", ""), ("answer", "heard")}
    assert kinds["rows"] == both | {("answer", "pieces"), ("answer", "filled"), ("watch", "")}
    assert ("place", "") in kinds["squares"]
    assert ("answer", "any-dark") in kinds["lamps"]
    assert not any(kind in ("place", "press") for kind, _ in kinds["lamps"])
    found = examine(["rows-weak"], 1, PICO, pieces=8, stages=("rows",))
    assert found.first_right, found.told()


@pytest.mark.slow
def test_a_piece_with_a_weak_magnet_is_found_among_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece once over one square; where none is weak nothing is found."""
    assert not examine([], 2, pieces=6, stages=("pieces",)).findings
    stood = []

    def weak(self: Touch, owner: str, space: str, now: int) -> int:
        piece = self.world.new_piece(Seat(owner))
        stood.append(piece)
        if len(stood) in (3, 5):
            self.physics.magnets[piece] = FootMagnet(0.05)
        return self._gestures.place_from_box(piece, self._slot(space), now)

    monkeypatch.setattr(Touch, "stand", weak)
    found = examine([], 2, pieces=6, stages=("pieces",)).findings
    assert [(one.code, one.parts) for one in found] == [("piece-weak", ("piece 3", "piece 5"))]


def alarm(folder: Path, name: str, on: str) -> Path:
    sensor = folder / "hwmon0"
    sensor.mkdir()
    (sensor / "name").write_text(f"{name}\n")
    (sensor / "in0_lcrit_alarm").write_text(f"{on}\n")
    return folder


@pytest.mark.parametrize(
    ("name", "on", "said"), [("rpi_volt", "1", True), ("rpi_volt", "0", False), ("cpu_thermal", "1", None)]
)
def test_the_kernel_of_a_pi_says_whether_its_voltage_sagged(
    name: str, on: str, said: bool | None, tmp_path: Path
) -> None:
    assert under_voltage(alarm(tmp_path, name, on)) is said
    assert under_voltage(tmp_path / "nothing") is None


@pytest.mark.parametrize("lit", [0, 40])
def test_a_supply_that_sags_as_all_lamps_go_on_is_told(lit: int) -> None:
    """`lit`: so many lamps the supply carries; with 0 it is too weak all the time."""
    made = built(HEADER, (), 1)
    person: list[Person] = []

    def sagged() -> bool:
        shown = person[0].world.copper.lamps().values() if person else ()
        return sum(colour != DARK for colour in shown) >= lit

    check = Doctor(HEADER, stages=("power",), sagged=sagged).run_steps()
    person.append(Person(made.world(1), HEADER, check))
    (found,) = derive_findings(HEADER, person[0].obey(), ())
    assert (found.code, found.parts) == ("pi-undervoltage", ("supply",))
    assert ("with all lamps dark" in found.seen) == (lit == 0)


def test_a_stage_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["doctor", "hands"])
    assert (
        "'hands': no stage; try one of matrix, power, buttons, lamps, squares, rows, pieces"
        in capsys.readouterr().err
    )
