"""What a seat that the machine plays answers the board, and which seats and levels there are."""

from __future__ import annotations

import pytest

import boardrules
from boardumpire.commands import computer_players
from boardumpire.errors import ConfigError
from boardumpire.table.errands import AssistedMove
from boardumpire.tracking.questions import AdjournQuestion, AttackPendingQuestion, make_question

DUEL = "stratego-quick-duel"


class TestAnswers:
    """What a seat of the machine says to what the board asks: hands have done what they were asked to do."""

    ERRAND = AssistedMove(boardrules.new(DUEL), ("a3",), ("a4",))

    @pytest.mark.parametrize(
        ("code", "spaces", "said"),
        [
            ("attack-pending", ("a3", "a4"), "yes attack-pending a3 a4"),
            ("attack-pending", ("b3", "b4"), "no attack-pending b3 b4"),
            ("attack-which", ("a3", "a4", "b3"), "a3-a4"),
            ("attack-which", ("b3", "b4", "c3"), "no attack-which b3 b4 c3"),
            ("moved-here", ("a3", "a4"), "yes moved-here a3 a4"),
            ("that-piece", ("a3", "a4", "b3"), "yes that-piece a3 a4 b3"),
            ("that-piece", ("b3", "a4", "a3"), "no that-piece b3 a4 a3"),
            ("in-hand", ("a3",), "yes in-hand a3"),
            ("same-places", ("a3", "b3"), "yes same-places a3 b3"),
            ("who-stands", ("a3", "b3"), "yes who-stands a3 b3"),
        ],
    )
    def test_while_a_piece_is_to_be_carried(self, code: str, spaces: tuple[str, ...], said: str) -> None:
        assert (
            computer_players.choose_answer(make_question(code, spaces, "red"), "red", self.ERRAND, "a3-a4")
            == said
        )

    def test_what_nobody_was_asked_to_do_was_not_done(self) -> None:
        asked = AttackPendingQuestion("a3", "a4", "red")
        assert computer_players.choose_answer(asked, "red", None, "a3-a4") == "no attack-pending a3 a4"
        assert (
            computer_players.choose_answer(
                AttackPendingQuestion("a3", "a4", "blue"), "red", self.ERRAND, "a3-a4"
            )
            is None
        )
        assert computer_players.choose_answer(AdjournQuestion(), "red", None, "") is None


def test_a_seat_or_a_level_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match="try one of red, blue"):
        computer_players.check_machine_seats(DUEL, {}, {"green": "1"})
    with pytest.raises(ConfigError, match="no player '9'; try one of 1, 2"):
        computer_players.check_machine_seats(DUEL, {}, {"red": "9"})


@pytest.mark.parametrize("game", boardrules.ids())
def test_every_game_has_somebody_to_play_against(game: str) -> None:
    assert computer_players.playable_levels(game)
    assert not {"random", "greedy"} & set(computer_players.playable_levels(game))
