"""Whether a castle can be played: counts, tunnels, diagrams, ways. `check_board` says what is wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from boardrules.colditz.castle.board import INNER, OUTER, OUTSIDE, UNREACHABLE, CastleBoard
from boardrules.colditz.castle.datafile import DataError
from boardrules.colditz.castle.plan import SYMBOLS, CastlePlan

MIN_COUNTS: Final = {
    "circles": 260,
    "posts inside": 6,
    "posts in the outer courtyard": 10,
    "tunnels": 3,
    "targets": 7,
}
ROOMS_A_SYMBOL: Final = 2  # R101, S 169
MEN_PER_OFFICER: Final = {2: 8, 3: 7, 4: 6, 5: 5, 6: 4}
"""R003: by the number of players the men of each officer ..."""
GUARD_COUNTS: Final = {2: 6, 3: 12, 4: 14, 5: 15, 6: 16}
"""... and the guards."""
DROP_HEIGHTS_FT: Final = {"drops30": 30, "drops60": 60, "wires": 0}
"""By key of the file the height of what is crossed there: a castle has them all (R112, R113)."""
MIN_CIRCLE_DISTANCE_MM: Final = 25  # room for a pawn's foot; reeds don't feel each other's magnets
MAX_SIZE_MM: Final = (900, 700)
MAX_LINK_MM: Final = 150  # further apart nobody sees that circles are neighbours
MIN_ESCAPE_STEPS: Final = 5
MAX_ESCAPE_STEPS: Final = 40
"""Steps from where a man comes Outside to a Target, on the shortest of its ways."""

GATE_KINDS: Final = ("a door", "an inspection point")
INCOMPATIBLE_KINDS: Final = {
    "a guard post": ("a walkway", "a Safe circle", "in a room"),
    "an Appel circle": ("a guard post", "a searchlight", "in a room", *GATE_KINDS),
    "a Target": ("a guard post", "a searchlight", "a walkway", "a Safe circle", *GATE_KINDS),
    "the Staff Car's circle": ("a searchlight", "a Safe circle", "a Target", "a tunnel's", *GATE_KINDS),
    "an end of a drop or of the wire": ("a Target", *GATE_KINDS),
}
"""What a circle is, and what it can't be as well: where pawns are put without a step they may stay and are
liable as ever (R018, R041, R071, R161). Kit, Key and Pass are for those who come on foot (R110, R111)."""


class CastleProblem(NamedTuple):
    """One thing that is wrong."""

    place: tuple[str, ...]
    """Section and key of the file."""
    message: str


def check_board(board: CastleBoard) -> None:
    """Raises `DataError` for the first thing that is wrong, with its line."""
    for wrong in find_problems(board):
        board.plan.source.raise_error(wrong.place, wrong.message)


def problem_lines(board: CastleBoard) -> list[str]:
    """Everything that is wrong, a line each; empty for a board that can be played."""
    lines = []
    for wrong in find_problems(board):
        try:
            board.plan.source.raise_error(wrong.place, wrong.message)
        except DataError as error:
            lines.append(str(error))
    return lines


def find_problems(board: CastleBoard) -> Iterator[CastleProblem]:
    """All that is wrong. Ways are walked only on a board whose parts are right."""
    parts = [*_places(board), *_counts(board), *_kind_problems(board), *_tunnels(board)]
    parts += [*_diagrams(board), *_crossing_problems(board)]
    yield from parts
    if not parts:
        yield from _path_problems(board)


def _places(board: CastleBoard) -> Iterator[CastleProblem]:
    width, height = board.plan.size
    if width > MAX_SIZE_MM[0] or height > MAX_SIZE_MM[1]:
        most = f"{MAX_SIZE_MM[0]} x {MAX_SIZE_MM[1]}"
        yield CastleProblem(("size",), f"the sheet has {width} x {height} mm; try at most {most}")
    placed: dict[tuple[int, int], list[tuple[str, int, int]]] = {}
    for section, name, x, y in _pawn_places(board.plan):
        if x > width or y > height:
            yield CastleProblem((section, name), f"lies off the sheet of {width} x {height} mm")
        across, down = (
            x // MIN_CIRCLE_DISTANCE_MM,
            y // MIN_CIRCLE_DISTANCE_MM,
        )  # only what lies in a square beside can be too near
        for square in ((across + dx, down + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            for other, *near in placed.get(square, ()):
                apart = math.dist((x, y), near)
                if apart < MIN_CIRCLE_DISTANCE_MM:
                    yield CastleProblem(
                        (section, name),
                        f"is {apart:.0f} mm from {other}; try {MIN_CIRCLE_DISTANCE_MM} or more",
                    )
        placed.setdefault((across, down), []).append((name, x, y))


def _pawn_places(plan: CastlePlan) -> Iterator[tuple[str, str, int, int]]:
    """Where pawns stand: section and key of the file, mm from the left and from the upper edge."""
    for name, circle in plan.circles.items():
        yield "circles", name, circle.x, circle.y
    for name, place in plan.places.items():
        x, y, row, apart = place.slot_grid
        for number in range(place.capacity):
            yield "places", name, x + number % row * apart, y + number // row * apart


def _counts(board: CastleBoard) -> Iterator[CastleProblem]:
    rooms = Counter(board.plan.rooms.values())
    for symbol in SYMBOLS:
        if rooms[symbol] != ROOMS_A_SYMBOL:
            yield CastleProblem(("rooms",), f"{rooms[symbol]} rooms show {symbol}; try {ROOMS_A_SYMBOL}")
    for number, room in enumerate(board.rooms):
        nodes = [node for node in range(board.circle_count) if board.room[node] == number]
        if not nodes or any(board.area[node] != INNER for node in nodes):
            yield CastleProblem(("rooms", room), "has no circle, or one outside the Inner Courtyard")
    found = {
        "circles": board.circle_count,
        "posts inside": len(board.inner_posts),
        "posts in the outer courtyard": len(board.outer_posts),
        "tunnels": len(board.tunnels),
        "targets": board.targets.bit_count(),
    }
    for what, least in MIN_COUNTS.items():
        if found[what] < least:
            yield CastleProblem(("circles",), f"there are {found[what]} {what}; try {least} or more")
    kinds = {
        "searchlight": board.lights, "walkway": board.walkways, "safe": board.safe, "door": board.doors,
        "inspection": board.inspections,
    }  # fmt: skip
    for kind, mask in kinds.items():
        if not mask:
            yield CastleProblem(("circles",), f"there is no circle of the kind {kind}; try some")
    feet = {crossing.feet for crossing in board.crossings}
    for key, height in DROP_HEIGHTS_FT.items():
        if height not in feet:
            yield CastleProblem(("links", key), "there is none; try some")
    for node in board.nodes_of_mask(board.targets):
        if board.area[node] != OUTSIDE:
            yield CastleProblem(("circles", board.space_names[node]), "a Target lies Outside")
    if board.area[board.car_from] != OUTER or board.area[board.car_to] != OUTSIDE:
        yield CastleProblem(("car", "from"), "the car drives from the outer courtyard to a circle outside")
    yield from _capacity_problems(board.plan)


def _kind_problems(board: CastleBoard) -> Iterator[CastleProblem]:
    ends = {node for crossing in board.crossings for node in (crossing.upper, crossing.lower)}
    masks = {
        "a guard post": board.posts, "an Appel circle": board.appel, "a Target": board.targets,
        "a walkway": board.walkways, "a searchlight": board.lights, "a Safe circle": board.safe,
        "a door": board.doors, "an inspection point": board.inspections, "in a room": board.room_circles,
        "a tunnel's": board.over_tunnels, "the Staff Car's circle": 1 << board.car_from | 1 << board.car_to,
        "an end of a drop or of the wire": sum(1 << node for node in ends),
    }  # fmt: skip
    for what, others in INCOMPATIBLE_KINDS.items():
        for other in others:
            for node in board.nodes_of_mask(masks[what] & masks[other]):
                place = ("circles", board.space_names[node])
                yield CastleProblem(place, f"is {what} and {other}; try one of the two")


def _capacity_problems(plan: CastlePlan) -> Iterator[CastleProblem]:
    """Whether all find room beside the circles: the guards in one place, all men but one in Solitary."""
    guards, men = (
        max(GUARD_COUNTS.values()),
        max((players - 1) * each for players, each in MEN_PER_OFFICER.items()) - 1,
    )
    for name in ("barracks", "office"):
        if plan.places[name].capacity < guards:
            yield CastleProblem(
                ("places", name), f"has room for {plan.places[name].capacity}; try {guards} or more"
            )
    cells = plan.places["innercells"].capacity + plan.places["outercells"].capacity
    if cells < men:
        yield CastleProblem(("places", "outercells"), f"all cells have room for {cells}; try {men} or more")


def _tunnels(board: CastleBoard) -> Iterator[CastleProblem]:
    seen: dict[int, str] = {}
    for tunnel in board.tunnels:
        place = ("tunnels", tunnel.name)
        first, last = tunnel.surface[0], tunnel.surface[-1]
        if board.room[first] != tunnel.room:
            yield CastleProblem(
                place, f"begins on {board.space_names[first]}; try a circle of the room {tunnel.name}"
            )
        if board.area[last] == INNER or board.room[last] >= 0:
            yield CastleProblem(
                place,
                f"ends on {board.space_names[last]}; try a circle of the outer courtyard, or outside",
            )
        for one, other in pairwise(tunnel.surface):
            yield from _too_far(board, place, one, other)
        for node in tunnel.surface:
            if node in seen:
                yield CastleProblem(
                    place, f"{board.space_names[node]} belongs to the tunnel {seen[node]}, too"
                )
            seen[node] = tunnel.name
            if (board.appel | board.posts | board.safe | board.targets) >> node & 1:
                yield CastleProblem(
                    place, f"{board.space_names[node]} can't be a place to stay and a tunnel's circle"
                )


def _diagrams(board: CastleBoard) -> Iterator[CastleProblem]:
    for players, men in MEN_PER_OFFICER.items():
        diagram = board.plan.diagrams.get(players, ())
        place = ("appel", str(players))
        if [len(way) for way in diagram] != [men] * (players - 1):
            yield CastleProblem(place, f"try {players - 1} lines of {men} circles")
        names = [name for way in diagram for name in way]
        for name, count in Counter(names).items():
            if count > 1 or not board.appel >> board.node_by_name[name] & 1:
                yield CastleProblem(place, f"{name} stands there twice or isn't in the Appel area")


def _crossing_problems(board: CastleBoard) -> Iterator[CastleProblem]:
    for name in board.plan.free_way_gates:
        if not (board.doors | board.inspections) >> board.node_by_name[name] & 1:
            yield CastleProblem(("free", "return"), f"{name} is neither a door nor an inspection point")
    for number, crossing in enumerate(board.crossings):
        key = f"drops{crossing.feet}" if crossing.feet else "wires"
        names = f"{board.space_names[crossing.upper]} {board.space_names[crossing.lower]}"
        place = ("links", key, names)
        if crossing.lower in board.neighbours[crossing.upper]:
            yield CastleProblem(place, "these are neighbours already")
        if board.crossing_at[crossing.upper, crossing.lower] != number:  # of two the last
            yield CastleProblem(place, f"{names.replace(' ', ' and ')} are a pair twice; try once")
        if board.area[crossing.upper] > board.area[crossing.lower]:
            yield CastleProblem(place, "leads inwards; try outwards")
        yield from _too_far(board, place, crossing.upper, crossing.lower)
    yield from _links(board)
    for cells, area in (("innercells", INNER), ("outercells", OUTER)):
        arrow = board.plan.places[cells].arrow
        if arrow is None or board.area[board.node_by_name[arrow]] != area:
            yield CastleProblem(("places", cells), "its arrow points out of its area")
        elif board.steps_home[board.node_by_name[arrow]] == UNREACHABLE:
            yield CastleProblem(("places", cells), "nobody gets home from its arrow by the free ways")


def _links(board: CastleBoard) -> Iterator[CastleProblem]:
    """R110 to R113, R132: from area to area lead doors, Inspection Points, wire, drops and tunnels alone."""
    gates = board.doors | board.inspections
    for first, second in board.plan.links:
        one, other = board.node_by_name[first], board.node_by_name[second]
        place = ("links", "ways", f"{first} {second}")
        if one == other:
            yield CastleProblem(place, f"{first} is its own neighbour")
        if board.area[one] != board.area[other] and not (gates >> one | gates >> other) & 1:
            yield CastleProblem(
                place,
                f"{first} lies {board.area_name(one)}, {second} {board.area_name(other)};"
                " try a door or an inspection point at one end",
            )
        yield from _too_far(board, place, one, other)


def _too_far(board: CastleBoard, place: tuple[str, ...], one: int, other: int) -> Iterator[CastleProblem]:
    here, there = (board.plan.circles[board.space_names[node]] for node in (one, other))
    apart = math.dist((here.x, here.y), (there.x, there.y))
    if apart > MAX_LINK_MM:
        names = f"{board.space_names[one]} and {board.space_names[other]}"
        yield CastleProblem(place, f"{names} are {apart:.0f} mm apart; try at most {MAX_LINK_MM}")


def _path_problems(board: CastleBoard) -> Iterator[CastleProblem]:
    def men(node: int) -> Iterable[int]:
        down = (crossing.lower for crossing in board.crossings if crossing.upper == node)
        under = (tunnel.surface[-1] for tunnel in board.tunnels if tunnel.surface[0] == node)
        return (*board.neighbours[node], *down, *under)

    closed = board.room_circles | board.safe | board.targets

    def guards(node: int) -> Iterable[int]:
        return (after for after in board.neighbours[node] if not closed >> after & 1)

    from_appel = board.distances_from(board.nodes_of_mask(board.appel), men)
    from_post = board.distances_from((*board.inner_posts[:1],), guards)
    for node in range(board.circle_count):
        if from_appel[node] == UNREACHABLE:
            yield CastleProblem(
                ("circles", board.space_names[node]), "no man can get there from the Appel area"
            )
        if from_post[node] == UNREACHABLE and not closed >> node & 1:
            yield CastleProblem(("circles", board.space_names[node]), "no guard can get there on foot")
    for target in board.nodes_of_mask(board.targets):
        steps = min(escape_lengths(board, target).values(), default=UNREACHABLE)
        if not MIN_ESCAPE_STEPS <= steps <= MAX_ESCAPE_STEPS:
            told = (
                "nobody gets there"
                if steps == UNREACHABLE
                else f"is {steps} steps from where men come Outside"
            )
            yield CastleProblem(
                ("circles", board.space_names[target]),
                f"{told}; try {MIN_ESCAPE_STEPS} to {MAX_ESCAPE_STEPS}",
            )
    for means, starts in exit_circles(board).items():
        reached = [start for start in starts if _can_reach_target(board, start)]
        if not reached:
            yield CastleProblem(("circles",), f"no Target can be reached after leaving by {means}")


def exit_circles(board: CastleBoard) -> dict[str, list[int]]:
    """By means of leaving the castle, the circles Outside that it leads to."""
    out: dict[str, list[int]] = {"cutter": [], "rope": [], "pass": [], "staff car": [board.car_to]}
    for crossing in board.crossings:
        if board.area[crossing.lower] == OUTSIDE and board.area[crossing.upper] != OUTSIDE:
            out[crossing.kind].append(crossing.lower)
    for node in board.nodes_of_mask(board.inspections | board.doors):
        kind = "pass" if board.inspections >> node & 1 else "key"
        for after in board.neighbours[node]:
            if board.area[after] == OUTSIDE:
                out.setdefault(kind, []).append(after)
    for tunnel in board.tunnels:
        if board.area[tunnel.nodes[-1]] == OUTSIDE:
            out.setdefault("tunnel", []).append(tunnel.surface[-1])
    return out


def escape_lengths(board: CastleBoard, target: int) -> dict[int, int]:
    """By circle Outside where somebody comes out, how many steps it is from a Target, all of them Outside."""

    def outside(node: int) -> Iterable[int]:
        return (after for after in board.neighbours[node] if board.area[after] == OUTSIDE)

    away = board.distances_from((target,), outside)
    return {
        start: away[start]
        for way in exit_circles(board).values()
        for start in way
        if away[start] < UNREACHABLE
    }


def _can_reach_target(board: CastleBoard, start: int) -> bool:
    return any(start in escape_lengths(board, target) for target in board.nodes_of_mask(board.targets))


def fact_lines(board: CastleBoard) -> list[str]:
    """What the board has, for people."""
    feet = [crossing.feet for crossing in board.crossings]
    lines = [
        f"{board.name}: {board.circle_count} circles, {len(board.rooms)} rooms, {len(board.inner_posts)}"
        f" guard posts inside and {len(board.outer_posts)} in the outer courtyard,"
        f" {len(board.tunnels)} tunnels of"
        f" {', '.join(str(len(tunnel.nodes)) for tunnel in board.tunnels)} circles,"
        f" {feet.count(30)} drops of 30 ft, {feet.count(60)} of 60 ft, {feet.count(0)} places to cut the wire"
    ]
    for target in board.nodes_of_mask(board.targets):
        found = escape_lengths(board, target)
        ways = ", ".join(f"{board.space_names[start]} {steps}" for start, steps in sorted(found.items()))
        lines.append(f"Target {board.space_names[target]}: steps from {ways}")
    return lines


def tunnel_links(board: CastleBoard) -> list[tuple[int, int]]:
    """Neighbours in a tunnel, for drawings."""
    return [pair for tunnel in board.tunnels for pair in pairwise(tunnel.surface)]
