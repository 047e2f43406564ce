"""What is printed on the board beside circles and on the cards: the same for everybody, all game."""

from __future__ import annotations

from typing import Any

from boardrules.colditz.state.rules import ColditzRules


def printed_facts(rules: ColditzRules) -> dict[str, Any]:
    """As JSON: `circles` (area, room, kinds), `rooms` (room: symbol), `crossings` (upper circle, lower one,
    feet; 0 is wire), `tunnels`, `arrows` of cells, `car`, `free` ways in, `diagram` by nation, `cards`,
    `rounds`."""
    plan = rules.board.plan
    return {
        "circles": {
            name: {"area": circle.area, "room": circle.room, "is": sorted(circle.kinds)}
            for name, circle in plan.circles.items()
        },
        "rooms": dict(plan.rooms),
        "crossings": [[upper, lower, feet] for feet, upper, lower in ((0, *wire) for wire in plan.wires)]
        + [[upper, lower, feet] for feet, upper, lower in plan.drops],
        "tunnels": {room: list(way) for room, way in plan.tunnels.items()},
        "arrows": {name: place.arrow for name, place in plan.places.items() if place.arrow},
        "car": list(plan.car_route),
        "free": list(plan.free_way_gates),
        "diagram": {
            seat: [rules.board.space_names[node] for node in way]
            for seat, way in zip(rules.seats[1:], rules.appel_diagram, strict=True)
        },
        "cards": {
            card.id: {"title": card.title, "text": card.text, "deck": card.deck, "effect": card.effect}
            for card in rules.cards.cards
        },
        "rounds": rules.rounds,
    }
