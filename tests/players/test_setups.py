"""What a player who sets up is offered makes sense: looked at square by square, apart from its drawing."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from boardrules import registry
from boardrules.core import OptionError, Seat
from boardrules.stratego.actions import SEATS, StrategoSetup
from boardrules.stratego.board import board_by_name
from boardrules.stratego.games import GAMES, Stratego
from boardrules.stratego.players.setup_heuristics import SetupZone
from boardrules.stratego.setup import setup_refusal

EACH = [pytest.param(game, seat, id=f"{game.id}-{seat}") for game in GAMES for seat in SEATS]
PRESETS = ("fortress", "open-lanes", "decoy")


def drawn(
    game: Stratego, seat: Seat, seed: int, kept: Mapping[str, str] = {}, **options: object
) -> dict[str, str]:
    return dict(game.suggest_setup(options, seat, "", kept, random.Random(seed)))


class Looked:
    """A set-up, as somebody at the board looks at it: squares by file and row, row 1 at his own edge."""

    def __init__(self, game: Stratego, seat: Seat, setup: Mapping[str, str]) -> None:
        size = self.size = board_by_name(game.board_name).size
        lakes = {"8x8": "c4 c5 f4 f5", "10x10": "c5 d5 c6 d6 g5 h5 g6 h6"}[game.board_name].split()
        self.front = 3 if size == 8 else 4
        self.at = {self._seen(square, seat): rank for square, rank in setup.items()}
        self.lakes = {self._seen(square, seat) for square in lakes}

    def _seen(self, square: str, seat: Seat) -> tuple[int, int]:
        file, row = ord(square[0]) - 96, int(square[1:])
        return (file, row) if seat == "red" else (self.size + 1 - file, self.size + 1 - row)

    def rows(self, *ranks: str) -> list[int]:
        return [row for (_, row), rank in self.at.items() if rank in ranks]

    @property
    def flag(self) -> tuple[int, int]:
        return next(place for place, rank in self.at.items() if rank == "F")

    def beside(self, place: tuple[int, int]) -> Iterator[tuple[int, int]]:
        file, row = place
        for there in ((file - 1, row), (file + 1, row), (file, row - 1), (file, row + 1)):
            if 1 <= there[0] <= self.size and 1 <= there[1] <= self.size and there not in self.lakes:
                yield there

    def outside(self) -> set[tuple[int, int]]:
        """All squares from which a piece can walk to the rows in the middle, if all that moves makes way."""
        look = [(file, self.front + 1) for file in range(1, self.size + 1)]
        seen = set(look) - self.lakes
        while look:
            for there in self.beside(look.pop()):
                if there not in seen and self.at.get(there) not in ("B", "F"):
                    seen.add(there)
                    look.append(there)
        return seen


def judge(game: Stratego, seat: Seat, setup: Mapping[str, str]) -> Looked:
    """All that holds of every set-up that is offered."""
    assert setup_refusal(game.rules_for({}), StrategoSetup(seat, setup.items())) is None
    look = Looked(game, seat, setup)
    file, row = look.flag
    assert row < look.front, "the Flag is in front"
    assert any((file, ahead) in look.at for ahead in range(row + 1, look.front + 1)), "a Scout sees the Flag"
    assert any(place in look.at for place in look.beside(look.flag)), "the Flag is alone"
    out = look.outside()
    assert [place for place, rank in look.at.items() if rank not in "BF" and place not in out] == []
    bombs = {file for (file, row), rank in look.at.items() if rank == "B" and row == look.front}
    assert len(bombs) <= game.army["B"] // 3
    assert not any(file + 1 in bombs for file in bombs)
    for rank in ("2", "3"):
        rows = look.rows(rank)
        assert len(rows) == 1 or (min(rows) < look.front and max(rows) > 1), f"all of {rank} in one row"
    assert look.front not in look.rows("S")
    assert 1 not in look.rows("9", "10")
    left = [rank for (file, _), rank in look.at.items() if rank not in "BF" and 2 * file <= look.size]
    moving = sum(count for rank, count in game.army.items() if rank not in "BF")
    assert moving / 4 <= len(left) <= moving * 3 / 4, "one side is bare"
    return look


@pytest.mark.parametrize(("game", "seat"), EACH)
def test_a_set_up_by_chance_is_one_that_a_club_player_accepts(game: Stratego, seat: Seat) -> None:
    looks = [judge(game, seat, drawn(game, seat, seed)) for seed in range(60)]
    assert len({tuple(sorted(look.at.items())) for look in looks}) == 60, "every seed has its own"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seat"), EACH)
def test_so_it_is_for_thousands_of_seeds(game: Stratego, seat: Seat) -> None:
    looks = [judge(game, seat, drawn(game, seat, seed)) for seed in range(1000)]
    flags = [look.flag for look in looks]
    back = sum(row == 1 for _, row in flags) / len(flags)
    bombed = sum("B" in [look.at.get(place) for place in look.beside(look.flag)] for look in looks) / len(
        looks
    )
    assert 0.6 < back < 0.95
    assert 0.3 < bombed < 0.98
    assert len(set(flags)) >= look_places(game) // 2, "the Flag is not always in the same few places"
    assert len({tuple(sorted(look.at.items())) for look in looks}) > 990


def look_places(game: Stratego) -> int:
    """How many squares a Flag may stand on with sense."""
    size = board_by_name(game.board_name).size
    return size * (2 if size == 8 else 3)


@pytest.mark.parametrize(("game", "seat"), EACH)
def test_the_same_seed_draws_the_same(game: Stratego, seat: Seat) -> None:
    assert drawn(game, seat, 7) == drawn(game, seat, 7) != drawn(game, seat, 8)


@pytest.mark.parametrize(("game", "seat"), EACH)
@pytest.mark.parametrize("name", PRESETS)
def test_what_is_ready_makes_sense_too(game: Stratego, seat: Seat, name: str) -> None:
    setup = dict(game.suggest_setup({}, seat, name, {}, random.Random(1)))
    judge(game, seat, setup)
    assert SetupZone(game.rules_for({}), seat).find_follies(setup) == ()


def test_what_is_ready_is_what_is_named() -> None:
    """A fortress has its Flag in a corner behind Bombs; open lanes have no Bomb in front; a decoy has its
    Bombs on the other side than its Flag."""
    assert all(tuple(game.piece_appearance().presets) == PRESETS for game in GAMES)
    for game in GAMES:
        fort, lanes, decoy = (
            Looked(game, "red", game.suggest_setup({}, "red", name, {}, random.Random(1))) for name in PRESETS
        )
        assert fort.flag[0] in (1, fort.size)
        assert fort.flag[1] == 1
        guards = [fort.at.get(place) for place in fort.beside(fort.flag)]
        assert guards.count("B") == min(2, game.army["B"])
        assert None not in guards
        assert lanes.front not in lanes.rows("B")
        wall = [file for (file, _), rank in decoy.at.items() if rank == "B"]
        far = sum(abs(file - decoy.flag[0]) > decoy.size / 2 for file in wall)
        assert far >= min(2, len(wall))


def test_both_sides_are_offered_the_same_as_each_sees_it() -> None:
    for game in GAMES:
        for name in PRESETS:
            red, blue = (
                Looked(game, seat, game.suggest_setup({}, seat, name, {}, random.Random(1))).at
                for seat in SEATS
            )
            assert red == blue


@pytest.mark.parametrize(("game", "seat"), EACH)
def test_what_stands_already_stays(game: Stratego, seat: Seat) -> None:
    zone = sorted(registry.package(game.id).new({}).zone(seat))
    for seed in range(20):
        whole = drawn(game, seat, seed)
        kept = dict(random.Random(seed).sample(sorted(whole.items()), 4))
        found = drawn(game, seat, seed + 100, kept)
        assert kept.items() <= found.items()
        assert setup_refusal(game.rules_for({}), StrategoSetup(seat, found.items())) is None
    nothing = {zone[0]: "Z", "z9": "F", zone[1]: "F", zone[2]: "F"}
    found = drawn(game, seat, 1, nothing)
    assert found[zone[1]] == "F"
    assert sorted(found.values()) == sorted(drawn(game, seat, 2).values())


@pytest.mark.parametrize("squares", ["a2 b2 c2 d2 e2 f2 g2 h2 a1 b1", "a3 b3 c3 d3 e3 f3 g3 h3 a2 h2 e1"])
def test_a_mask_is_kept_to(squares: str) -> None:
    """Also where it leaves no set-up that makes sense."""
    game, options = GAMES[0], {"setup_mask": squares.split()}
    for seat in SEATS:
        for name in ("", *PRESETS):
            found = game.suggest_setup(options, seat, name, {}, random.Random(3))
            assert setup_refusal(game.rules_for(options), StrategoSetup(seat, found.items())) is None


def test_what_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no set-up 'hedgehog'; try one of fortress, open-lanes, decoy"):
        GAMES[0].suggest_setup({}, "red", "hedgehog", {}, random.Random(1))
    with pytest.raises(ValueError, match="has no set-up to suggest"):
        registry.package("fall-of-the-fuhrer").suggest_setup({}, "hitler", "", {}, random.Random(1))
    with pytest.raises(OptionError):
        GAMES[0].suggest_setup({"shuttle": 99}, "red", "", {}, random.Random(1))
