"""Maps as texts: the one that is shipped, and exact errors for others."""

from __future__ import annotations

import pickle
import random
import re
from hashlib import sha256
from pathlib import Path

import pytest

import boardrules
from boardrules import record
from boardrules.core import OptionError
from boardrules.fuhrer import maps
from boardrules.fuhrer.maps import MapError, city_numbers, map_by_text, original_map_text
from rules.fuhrer.positions import FIELD, GAME, SMALL, begin, new, random_options, walk
from rules.ids import rule


@rule("F19", "H4")
def test_the_shipped_map_is_in_one_piece_with_its_three_airports() -> None:
    board = map_by_text("original")
    assert board is map_by_text(original_map_text())
    assert board.space_ids(board.airports) == ("flensburg", "bonn", "innsbruck")
    assert len(board.ids) == 43
    degrees = [cities.bit_count() - 1 for cities in board.neighbours]
    assert min(degrees) >= 2
    for one, other in board.links:  # no link whose loss would cut it
        rest = [pair for pair in board.links if pair != (one, other)]
        reached = {one}
        while True:
            more = {city for pair in rest if reached & set(pair) for city in pair}
            if more <= reached:
                break
            reached |= more
        assert other in reached


@rule("H4")
def test_cities_lie_where_they_are() -> None:
    """Degrees east and north that anybody can look up."""
    board = map_by_text("original")
    for city, east, north in (
        ("berlin", 13.4, 52.5), ("munich", 11.6, 48.1), ("hamburg", 10.0, 53.6), ("cologne", 7.0, 50.9),
        ("innsbruck", 11.4, 47.3), ("flensburg", 9.4, 54.8), ("bonn", 7.1, 50.7), ("linz", 14.3, 48.3),
    ):  # fmt: skip
        at = board.degrees[board.index[city]]
        assert at == pytest.approx((east, north), abs=0.1)
    assert board.names[board.index["cologne"]] == "Köln"


@rule("H4")
def test_neighbours_and_distances() -> None:
    board = map_by_text(FIELD)
    flensburg = board.index["flensburg"]
    assert set(board.space_ids(board.neighbours[flensburg])) == {"flensburg", "kiel", "hamburg"}
    assert board.space_ids(board.cities_within[flensburg][0]) == ("flensburg",)
    rng = random.Random(3)
    for _ in range(200):
        cities = rng.getrandbits(len(board.ids))
        slow = 0
        for city in city_numbers(cities):
            slow |= board.neighbours[city]
        assert board.with_neighbours(cities) == slow
    assert pickle.loads(pickle.dumps(board)) is board


@rule("H4")
def test_a_large_map_has_neighbours_too() -> None:
    count = 70
    cities = "\n".join(f"city c{number} {number} 0" for number in range(count))
    links = "\n".join(f"link c{number} c{(number + 1) % count}" for number in range(count))
    board = map_by_text(f"boardumpire-map 1\nname Ring\n{cities}\n{links}\n")
    assert board.with_neighbours(1 << 69 | 1 << 30) == 1 << 68 | 1 << 69 | 1 | 7 << 29
    state = boardrules.new(GAME, {"map": board.text})
    for _state, _ in walk(state, random.Random(1), 200):  # type: ignore[arg-type]
        pass


@rule("H4", "F19")
def test_a_group_plays_on_its_own_map_and_the_record_holds_it() -> None:
    state = begin("trier", "kiel", "linz", "ulm", map=SMALL)
    actions = (
        ("allies", "tank trier"),
        ("allies", "spy kiel"),
        ("allies", "infantry linz"),
        ("hitler", "hide ulm"),
    )
    written = record.write(record.record_of(state, actions))
    assert record.final_state(record.parse(written)) == state


@rule("H4")
def test_the_text_of_a_shipped_map_never_changes_under_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records and journals have its name alone: whoever tunes it gives it another."""
    for name, digest in maps.SHIPPED_SHA256.items():
        assert sha256(maps.shipped_map_text(name).encode()).hexdigest() == digest
    (tmp_path / "original.map").write_text(
        original_map_text().replace(" berlin\n", "\n", 1), encoding="utf-8"
    )
    monkeypatch.setattr(maps, "__file__", str(tmp_path / "maps.py"))
    with pytest.raises(
        MapError, match=r"original\.map was changed .* give the changed map a name of its own"
    ):
        maps.shipped_map_text.__wrapped__("original")


def test_the_map_that_the_page_has_as_an_example_is_one() -> None:
    page = (Path(__file__).parents[3] / "docs" / "play" / "rules" / "fall-of-the-fuhrer.md").read_text(
        encoding="utf-8"
    )
    (example,) = re.findall(r"```\n(boardumpire-map 1\n.*?)```", page, re.DOTALL)
    assert map_by_text(example).ids == ("bonn", "ulm", "kiel", "trier")


WRONG = [
    ("", "LINE 1: ''; try boardumpire-map 1"),
    ("boardumpire-map 2", "LINE 1: boardumpire-map 2 is newer than boardumpire-map 1, the newest known here"),
    ("boardumpire-map 0", "LINE 1: boardumpire-map 0 never was; try boardumpire-map 1"),
    ("boardumpire-board 1", "LINE 1: 'boardumpire-board 1'; try boardumpire-map 1"),
    ("+road ulm trier", "LINE 18: 'road ulm trier'; try name, city, airport or link"),
    ("+city ulm 1 2 Ulm", "LINE 18: a second city ulm; try one"),
    ("+city wien 16", "LINE 18: city 'wien 16'; try an id, degrees east and north, and a name"),
    (
        "+city wien x 48 Wien",
        "LINE 18: city 'wien x 48 Wien'; try an id, degrees east and north, and a name",
    ),
    ("+city wien 16 148 Wien", "LINE 18: wien at 16 148; try at most 180 degrees east, 90 north"),
    ("+city wien nan 48 Wien", "LINE 18: wien at nan 48; try at most 180 degrees east, 90 north"),
    ("+city Wien 16 48 Wien", "LINE 18: id 'Wien'; try small letters and digits, a letter first"),
    ("+city wien 16 48 Wien", "LINE 18: no way from bonn to wien; add links until all hangs together"),
    ("+link ulm", "LINE 18: link 'ulm'; try two cities or more"),
    ("+link ulm ulm", "LINE 18: ulm is linked to itself; link it to another city"),
    ("+link trier ulm", "LINE 18: a second link between trier and ulm; try one"),
    ("+link ulm rome", "LINE 18: unknown city 'rome'; try one that a line above names"),
    ("+airport rome", "LINE 18: unknown city 'rome'; try one that a line above names"),
    ("+name Large", "LINE 18: a second line 'name'; try one"),
    ("+city wien 16 48 Ulm", "LINE 18: a second city named Ulm; try names that differ"),
    ("+city wien 16 48 W\x1b[31m", "LINE 18: name 'W\\x1b[31m'; try signs that can be read"),
    (
        f"+city wien 16 48 {'W' * 61}",
        f"LINE 18: name {'W' * 20!r}... of 61 signs; try at most 60",
    ),
    ("-name Small", "LINE 16: no line 'name'; try one"),
    (
        "-airport bonn innsbruck flensburg+airport ulm",
        "LINE 17: one airport; give the map none, or two or more",
    ),
]


@rule("H4")
@pytest.mark.parametrize(("change", "message"), WRONG)
def test_what_is_wrong_with_a_map_is_told_with_its_line(change: str, message: str) -> None:
    text = change
    if change[:1] in "+-" and change:
        gone, _, more = change.removeprefix("-").partition("+")
        text = SMALL.replace(f"{gone}\n", "") if change[0] == "-" else SMALL
        text += more
    with pytest.raises(MapError) as caught:
        map_by_text(text)
    assert str(caught.value) == message
    with pytest.raises(OptionError) as refused:
        new(map=text)
    assert str(refused.value) == f"{GAME}: option map: {message}"
    assert refused.value.option == "map"


@rule("H4")
def test_too_few_and_too_many_cities() -> None:
    head = "boardumpire-map 1\nname Ring\n"
    with pytest.raises(MapError, match="3 cities; try at least 4"):
        map_by_text(head + "".join(f"city c{number} 0 0\n" for number in range(3)))
    with pytest.raises(MapError, match="LINE 6: all cities lie in one place; give them places that differ"):
        map_by_text(head + "".join(f"city c{number} 0 0\n" for number in range(4)))
    with pytest.raises(MapError, match="LINE 131: city c128 is one too many; try at most 128"):
        map_by_text(head + "".join(f"city c{number} 0 0\n" for number in range(129)))


@rule("H4")
def test_random_games_run_on_any_map() -> None:
    for seed in range(8):
        rng = random.Random(seed)
        for state, _ in walk(new(**random_options(rng, map=SMALL)), rng):
            assert state.facts.knowledge.possible_marks
