"""The land under the map: cities lie on it, rivers pass their cities, nothing leaves the board."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist

import pytest

from boardrules import registry, svg
from boardrules.fuhrer.drawing import germany, land
from boardrules.fuhrer.drawing.silhouettes import SILHOUETTES, silhouette_path
from boardrules.fuhrer.maps import map_by_text
from boardrules.shapes import Oval, Point, Polyline, Rectangle, TextShape
from boardumpire.drawing.geometry import board_geometry, print_language
from boardumpire.drawing.screen import board_svg, rotate_geometry
from boardware.description import load_board

GAME = "fall-of-the-fuhrer"
BOARDS = ("fall-of-the-fuhrer", "fall-of-the-fuhrer-slots")
ORIGINAL = map_by_text("original")
DEGREES = dict(zip(ORIGINAL.ids, ORIGINAL.degrees, strict=True))
PASSES = {
    "rhine": "freiburg karlsruhe mannheim koblenz bonn cologne",
    "elbe": "dresden magdeburg hamburg",
    "oder": "stettin",
    "danube": "ulm regensburg passau linz",
    "main": "wurzburg frankfurt",
    "weser": "bremen",
    "neckar": "stuttgart mannheim",
    "spree": "cottbus berlin",
    "isar": "munich",
    "inn": "innsbruck passau",
    "moselle": "trier koblenz",
}
"""Cities that lie on a river, as everybody who has been there knows."""
NEAR = 26.0
"""mm: the circle of a city (40 mm) is about a quarter of a degree high; Freiburg lies beside the Rhine."""
AT_SEA = {"Heligoland Bight": (7.9, 54.1), "Bay of Kiel": (10.5, 54.6), "off Bornholm": (14.0, 54.8)}
ABROAD = {
    "Amsterdam": (5.4, 52.1),
    "Zürich": (8.54, 47.37),
    "Strasbourg": (7.65, 48.55),
    "Luxembourg": (6.0, 49.65),
    "Ribe": (8.8, 55.3),
    "Liège": (5.57, 50.64),
}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("turned", [False, True])
def test_every_city_is_inside_the_coast_and_the_borders(name: str, turned: bool) -> None:
    there = board_geometry(load_board(name), str)
    there = rotate_geometry(there) if turned else there
    at = land.fit_projection(there, DEGREES)
    assert at is not None
    coast, borders = at.project_outline(land.mainland_outline()), at.project_outline(land.reich_outline())
    for city, degrees in DEGREES.items():
        place = there.places[city]
        assert dist(at.to_board(*degrees), (place.x, place.y)) < 0.1, f"{city}: the land goes with its cities"
        assert within((place.x, place.y), coast), city
        assert within((place.x, place.y), borders), city


def within(point: Point, outline: Sequence[Point]) -> bool:
    """Whether a point is inside a closed outline."""
    inside = False
    for (ax, ay), (bx, by) in pairwise([*outline, outline[0]]):
        if (ay > point[1]) != (by > point[1]) and point[0] < ax + (point[1] - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def test_seas_and_neighbours_are_where_they_are() -> None:
    at = land.fit_projection(board_geometry(load_board(GAME), str), DEGREES)
    assert at is not None
    coast, borders = at.project_outline(land.mainland_outline()), at.project_outline(land.reich_outline())
    for name, degrees in AT_SEA.items():
        assert not within(at.to_board(*degrees), coast), name
    for name, degrees in ABROAD.items():
        assert within(at.to_board(*degrees), coast), name
        assert not within(at.to_board(*degrees), borders), name


@pytest.mark.parametrize("name", BOARDS)
def test_rivers_pass_their_cities(name: str) -> None:
    there = board_geometry(load_board(name), str)
    at = land.fit_projection(there, DEGREES)
    assert at is not None
    courses = {**germany.RIVERS, **germany.STREAMS}
    scale = there.width / 553
    for river, cities in PASSES.items():
        course = at.project_outline(land.smooth(courses[river][1]))
        for city in cities.split():
            place = there.places[city]
            assert min(dist((place.x, place.y), point) for point in course) < NEAR * scale, (river, city)


@pytest.mark.parametrize("name", BOARDS)
def test_nothing_of_the_picture_leaves_the_board(name: str) -> None:
    there = board_geometry(load_board(name), str)
    seen = land.visible_frame(there)
    for shape in registry.package(GAME).art({}).screen(there, print_language("en")):
        points: tuple[Point, ...]
        match shape:
            case Polyline(points):
                pass
            case Oval(x, y, across, up):
                points = ((x - across / 2, y - up / 2), (x + across / 2, y + up / 2))
            case Rectangle(x, y, width, height):
                points = ((x, y), (x + width, y + height))
            case TextShape(x, y):
                points = ((x, y),)
        for x, y in points:
            assert seen.left <= x + 0.01, shape
            assert x - 0.01 <= seen.right, shape
            assert seen.low <= y + 0.01, shape
            assert y - 0.01 <= seen.high, shape


def test_a_turned_picture_keeps_its_names_upright() -> None:
    there = board_geometry(load_board(GAME), str)
    art = registry.package(GAME).art({})
    upright = [each for each in art.screen(there, print_language("en")) if isinstance(each, TextShape)]
    turned = [
        each
        for each in art.screen(rotate_geometry(there), print_language("en"))
        if isinstance(each, TextShape)
    ]
    assert {each.text for each in turned} == {each.text for each in upright}
    assert not any(each.rotation_degrees for each in turned)
    city, name = there.places["berlin"], next(each for each in turned if each.text == "Berlin")
    assert dist((name.x, name.y), (there.width - city.x, there.height - city.y)) < 40


def test_a_map_of_elsewhere_has_no_such_land() -> None:
    there = board_geometry(load_board(GAME), str)
    assert land.fit_projection(there, {}) is None
    assert land.fit_projection(there, {"berlin": (13.4, 52.5), "kiel": (10.1, 54.3)}) is None, (
        "two cities are too few"
    )
    assert land.fit_projection(there, {**DEGREES, "berlin": (151.2, -33.9)}) is None
    assert land.fit_projection(there, {**DEGREES, "nowhere": (10.0, 50.0)}) is None, (
        "a city that this board hasn't got"
    )
    assert land.fit_projection(there, {city: (east, 50.0) for city, (east, _) in DEGREES.items()}) is None
    cities = {"bonn": 151, "ulm": 152, "kiel": 150, "trier": 149}
    lines = [f"city {city} {east} -33 {city.title()}" for city, east in cities.items()]
    other = "\n".join(
        ["boardumpire-map 1", "name Far", *lines, "airport bonn ulm", "link bonn ulm kiel trier"]
    )
    shapes = list(registry.package(GAME).art({"map": other}).screen(there, print_language("en")))
    assert shapes, "cities and lines are drawn all the same"


def test_a_picture_speaks_the_language_of_its_screen() -> None:
    board = load_board(GAME)
    assert "Nordsee" in board_svg(board, GAME, {}, "de")
    assert "North Sea" in board_svg(board, GAME, {}, "en")
    assert board_svg(load_board("quick-battle-8x8"), "stratego-quick-duel", {}, "en") == ""


def test_silhouettes_fit_on_their_piece() -> None:
    for name, polygons in SILHOUETTES.items():
        for x, y in (point for polygon in polygons for point in polygon):
            assert abs(x) <= 14, name
            assert abs(y) <= 14, name
        assert silhouette_path(name).startswith("M")
        assert silhouette_path(name).count("Z") == len(polygons)


def test_lines_and_areas_are_cut_at_the_edge() -> None:
    seen = land.MapFrame(0, 0, 10, 10)
    assert set(land.clip_area(((-5, -5), (15, -5), (15, 5), (-5, 5)), seen)) == {
        (0, 0),
        (10, 0),
        (10, 5),
        (0, 5),
    }
    assert land.clip_area(((20, 20), (30, 20), (30, 30)), seen) == ()
    assert list(land.visible_runs(((-5, 5), (15, 5)), seen)) == [((0, 5), (10, 5))]
    across = list(land.visible_runs(((2, 2), (2, 15), (8, 15), (8, 2)), seen))
    assert across == [((2, 2), (2, 10)), ((8, 10), (8, 2))]
    assert list(land.visible_runs(((11, 0), (20, 5)), seen)) == []


def test_a_picture_is_small() -> None:
    """A phone asks for it once. Bytes, compressed."""
    import gzip

    drawn = board_svg(load_board(GAME), GAME, {}, "de")
    assert svg.svg([], 1, 1)
    assert len(gzip.compress(drawn.encode(), 9)) < 25_000
