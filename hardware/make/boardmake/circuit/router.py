"""Finds ways for tracks between pads: a search on a grid of two layers.

A cell is free for a net if a track through it keeps its distance from all copper of other nets. Ways along
the grain are cheap (to the sides on top, up and down below), a change of side is dear. A net that finds no
way is laid first in a new attempt.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from boardmake.circuit.copper import point_segment_distance
from boardmake.circuit.errors import UnroutableNetError
from boardmake.circuit.layout import (
    COPPER_LAYERS,
    GAP_MIN_MM,
    HEAD_MM,
    Layout,
    LayoutPoint,
    PlacedPad,
    rounded_point,
)

GRID_STEP_MM: Final = 0.635
"""mm. A quarter of the pitch of pins, so that one track fits between two."""
TRACK_WIDTH_MAX_MM: Final = 0.4
"""Of the tracks that are laid here."""
VIA_SIZE_MM, VIA_DRILL_MM = 0.6, 0.3
_EDGE_MARGIN_MM: Final = 1.0
_ALONG_COST, _ACROSS_COST, _LAYER_CHANGE_COST = 2, 5, 16
_ATTEMPTS_MAX: Final = 40
_BLOCKED_NET: Final = "#"

Cell = tuple[int, int, int]
"""Layer, column, row of the grid."""


class _Obstacle(NamedTuple):
    """Copper, or a hole: all within `radius` of a line."""

    net: str
    layers: Sequence[str]
    start: LayoutPoint
    end: LayoutPoint
    radius: float


def route_layout(layout: Layout, widths: dict[str, float], joined: Iterable[frozenset[str]] = ()) -> None:
    """Lay what is missing between the pads of each net.

    `widths`: of nets that are not 0.3 mm wide. `joined`: groups of pads (`REF.NAME`) that tracks join
    already. Raises `UnroutableNetError`.
    """
    first: list[str] = []
    groups = list(joined)
    for _ in range(_ATTEMPTS_MAX):
        attempt = _RoutingAttempt(layout, groups)
        failed = attempt.lay_nets(first)
        if failed is None:
            attempt.write_tracks(layout, widths)
            return
        first = [failed, *(net for net in first if net != failed)]
    raise UnroutableNetError(f"{layout.name}: no way for {first[0]} in {_ATTEMPTS_MAX} attempts")


class _RoutingAttempt:
    """One order in which nets are laid."""

    def __init__(self, layout: Layout, joined: list[frozenset[str]]) -> None:
        self.columns = round(layout.width / GRID_STEP_MM) + 1
        self.rows = round(layout.height / GRID_STEP_MM) + 1
        size = len(COPPER_LAYERS) * self.columns * self.rows
        self._tracks: list[str] = [""] * size
        self._vias: list[str] = [""] * size
        self._ways: dict[str, list[list[Cell]]] = {}
        self._terminals: dict[str, list[set[Cell]]] = {}
        margin = round(_EDGE_MARGIN_MM / GRID_STEP_MM)
        for layer in range(2):
            for x in range(self.columns):
                for y in range(self.rows):
                    if not (margin < x < self.columns - 1 - margin and margin < y < self.rows - 1 - margin):
                        self._tracks[self._cell_index((layer, x, y))] = _BLOCKED_NET
        for shape in _layout_obstacles(layout):
            self._block_cells(shape)
        self._gather_terminals(layout.placed_pads(), joined)

    def _cell_index(self, cell: Cell) -> int:
        layer, x, y = cell
        return (layer * self.rows + y) * self.columns + x

    def _block_cells(self, shape: _Obstacle) -> None:
        """Keep all other nets away from a shape."""
        far = shape.radius + GAP_MIN_MM + max(TRACK_WIDTH_MAX_MM, VIA_SIZE_MM) / 2
        left, right = sorted((shape.start.x, shape.end.x))
        upper, lower = sorted((shape.start.y, shape.end.y))
        for x in range(
            max(0, int((left - far) / GRID_STEP_MM)), min(self.columns, int((right + far) / GRID_STEP_MM) + 2)
        ):
            for y in range(
                max(0, int((upper - far) / GRID_STEP_MM)),
                min(self.rows, int((lower + far) / GRID_STEP_MM) + 2),
            ):
                gap = (
                    point_segment_distance(
                        LayoutPoint(x * GRID_STEP_MM, y * GRID_STEP_MM), shape.start, shape.end
                    )
                    - shape.radius
                )
                for layer in range(2):
                    number = self._cell_index((layer, x, y))
                    if (
                        COPPER_LAYERS[layer] in shape.layers
                        and gap < GAP_MIN_MM + TRACK_WIDTH_MAX_MM / 2 - 1e-6
                    ):
                        self._tracks[number] = _claim_cell(self._tracks[number], shape.net)
                    if gap < GAP_MIN_MM + VIA_SIZE_MM / 2 - 1e-6:
                        self._vias[number] = _claim_cell(self._vias[number], shape.net)

    def _gather_terminals(self, pads: Iterable[PlacedPad], joined: list[frozenset[str]]) -> None:
        groups: dict[str, dict[object, set[Cell]]] = {}
        for pad in pads:
            if not pad.net:
                continue
            name = f"{pad.part}.{pad.name}"
            key = next((group for group in joined if name in group), name)
            cells = groups.setdefault(pad.net, {}).setdefault(key, set())
            x, y = round(pad.at.x / GRID_STEP_MM), round(pad.at.y / GRID_STEP_MM)
            cells.update((COPPER_LAYERS.index(layer), x, y) for layer in pad.layers)
        self._terminals = {net: list(found.values()) for net, found in groups.items()}

    def lay_nets(self, first: Sequence[str]) -> str | None:
        """Lay all nets, those first. Returns one that found no way."""
        rest = sorted(set(self._terminals) - set(first), key=lambda net: (self._net_span(net), net))
        for net in (*first, *rest):
            if not self._lay_net(net):
                return net
        return None

    def _net_span(self, net: str) -> int:
        cells = [cell for group in self._terminals[net] for cell in group]
        across = max(cell[1] for cell in cells) - min(cell[1] for cell in cells)
        return across + max(cell[2] for cell in cells) - min(cell[2] for cell in cells)

    def _lay_net(self, net: str) -> bool:
        tree, *left = self._terminals[net]
        tree = set(tree)
        self._ways[net] = []
        while left:
            goals = {cell: number for number, group in enumerate(left) for cell in group}
            way = self._find_path(net, tree, goals)
            if way is None:
                return False
            tree |= left.pop(goals[way[-1]])
            tree |= set(way)
            self._ways[net].append(way)
            for shape in _path_obstacles(net, way):
                self._block_cells(shape)
        return True

    def _find_path(self, net: str, tree: set[Cell], goals: dict[Cell, int]) -> list[Cell] | None:
        """The cheapest way from a tree to any of the goals, tried first where it is nearest to them."""
        left, right = min(x for _, x, _ in goals), max(x for _, x, _ in goals)
        upper, lower = min(y for _, _, y in goals), max(y for _, _, y in goals)

        def ahead(cell: Cell) -> int:
            """What is left to pay at least."""
            _, x, y = cell
            return _ALONG_COST * (max(0, left - x, x - right) + max(0, upper - y, y - lower))

        best = dict.fromkeys(tree, 0)
        came: dict[Cell, Cell] = {}
        heap = [(ahead(cell), 0, cell) for cell in sorted(tree)]
        heapq.heapify(heap)
        while heap:
            _, cost, cell = heapq.heappop(heap)
            if cost > best[cell]:
                continue
            if cell in goals:
                way = [cell]
                while way[-1] in came:
                    way.append(came[way[-1]])
                return way[::-1]
            for further, price in self._neighbours(net, cell):
                if cost + price < best.get(further, 1 << 60):
                    best[further] = cost + price
                    came[further] = cell
                    heapq.heappush(heap, (cost + price + ahead(further), cost + price, further))
        return None

    def _neighbours(self, net: str, cell: Cell) -> Iterable[tuple[Cell, int]]:
        layer, x, y = cell
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            further = (layer, x + dx, y + dy)
            if not (0 <= further[1] < self.columns and 0 <= further[2] < self.rows):
                continue
            if self._tracks[self._cell_index(further)] in ("", net):
                yield further, _ALONG_COST if (dx == 0) == (layer == 1) else _ACROSS_COST
        other = (1 - layer, x, y)
        number, there = self._cell_index(cell), self._cell_index(other)
        if (
            self._vias[number] in ("", net)
            and self._vias[there] in ("", net)
            and self._tracks[there] in ("", net)
        ):
            yield other, _LAYER_CHANGE_COST

    def write_tracks(self, layout: Layout, widths: dict[str, float]) -> None:
        """Lay the tracks that were found on the board."""
        holes = {(pad.net, pad.at) for pad in layout.placed_pads() if pad.drill}
        for net, ways in self._ways.items():
            for way in ways:
                for start, end in _straight_pieces(way):
                    if start[0] == end[0]:
                        layout.add_track(
                            net,
                            COPPER_LAYERS[start[0]],
                            widths.get(net, 0.3),
                            _cell_position(start),
                            _cell_position(end),
                        )
                    elif (net, _cell_position(start)) not in holes:
                        layout.add_via(net, *_cell_position(start), VIA_SIZE_MM, VIA_DRILL_MM)


def _claim_cell(before: str, net: str) -> str:
    return net if before in ("", net) else _BLOCKED_NET


def _cell_position(cell: Cell) -> LayoutPoint:
    return rounded_point(cell[1] * GRID_STEP_MM, cell[2] * GRID_STEP_MM)


def _straight_pieces(way: Sequence[Cell]) -> Iterable[tuple[Cell, Cell]]:
    """The straight pieces and changes of side of a way."""
    start = 0
    for here in range(1, len(way)):
        step = tuple(b - a for a, b in zip(way[here - 1], way[here], strict=True))
        ahead = way[here + 1] if here + 1 < len(way) else way[here]
        if tuple(b - a for a, b in zip(way[here], ahead, strict=True)) != step:
            yield way[start], way[here]
            start = here


def _path_obstacles(net: str, way: Sequence[Cell]) -> Iterable[_Obstacle]:
    for start, end in _straight_pieces(way):
        if start[0] == end[0]:
            yield _Obstacle(
                net,
                (COPPER_LAYERS[start[0]],),
                _cell_position(start),
                _cell_position(end),
                TRACK_WIDTH_MAX_MM / 2,
            )
        else:
            yield _Obstacle(net, COPPER_LAYERS, _cell_position(start), _cell_position(start), VIA_SIZE_MM / 2)


def _layout_obstacles(layout: Layout) -> Iterable[_Obstacle]:
    """All that is on the board before."""
    for pad in layout.placed_pads():
        size = max(pad.width, pad.height) / 2
        if pad.is_round:
            yield _Obstacle(pad.net or _BLOCKED_NET, pad.layers, pad.at, pad.at, size)
        else:  # a rectangle as a bar, with its corners
            for sign in (-1, 1):
                start, end = LayoutPoint(pad.at.x - size, pad.at.y), LayoutPoint(pad.at.x + size, pad.at.y)
                shift = sign * pad.height / 4
                yield _Obstacle(
                    pad.net or _BLOCKED_NET, pad.layers,
                    LayoutPoint(start.x + size / 2, start.y + shift),
                    LayoutPoint(end.x - size / 2, end.y + shift),
                    pad.height / 2 * 0.75,
                )  # fmt: skip
        if pad.drill and not pad.net:
            yield _Obstacle(_BLOCKED_NET, COPPER_LAYERS, pad.at, pad.at, size)
    for track in layout.tracks:
        yield _Obstacle(track.net, (track.layer,), track.start, track.end, track.width / 2)
    for hole in layout.holes:
        yield _Obstacle(_BLOCKED_NET, COPPER_LAYERS, hole.at, hole.at, HEAD_MM / 2 - GAP_MIN_MM)
