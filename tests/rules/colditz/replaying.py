"""What somebody at the table knows who only hears the events: where all stand, and what lies about."""

from __future__ import annotations

from collections import Counter
from typing import Any

from boardrules.colditz.deck.cards import EQUIPMENT_KINDS
from boardrules.core import Event

OFF = ("away", "grave")


class Replay:
    """Public facts of a game, kept up by its public events alone."""

    def __init__(self, state: Any) -> None:
        self.rules = state.facts.rules
        shown = state.view(None).json()
        names = self.rules.board.space_names
        self.at: dict[str, Counter[str]] = {name: Counter() for name in names}
        for space, pawns in shown["places"].items():
            self.at[space].update(pawn.split(":")[0] for pawn in pawns)
        self.points, self.round, self.markers = 0, shown["round"], dict[str, str]()
        self.tunnels = dict.fromkeys(shown["tunnels"], "closed")
        self.supply = Counter(shown["supply"])
        self.seats = {seat: Counter({**has}) for seat, has in shown["seats"].items()}
        self.turn, self.played = "", ""

    def go(self, seat: str, origin: str, target: str) -> None:
        """A pawn of that colour goes from place to place."""
        assert self.at[origin][seat], (seat, origin, target)
        self.at[origin][seat] -= 1
        self.at[target][seat] += 1

    def hear(self, event: Event) -> None:
        """Take in what everybody is told."""
        if event.audience is not None:
            return
        told = dict(event.data)
        seat, kind = told.get("seat", ""), event.kind
        handler = getattr(self, "on_" + kind.replace("-", "_"), None)
        if handler is not None:
            handler(seat, told)
        if kind != "play":
            self.played = ""

    def on_turn(self, seat: str, told: dict[str, Any]) -> None:
        self.turn, self.points = seat, 0

    def on_points(self, seat: str, told: dict[str, Any]) -> None:
        self.points = told["points"]

    def on_move(self, seat: str, told: dict[str, Any]) -> None:
        self.go(seat, told["from"], told["to"])
        self.points -= bool(self.turn)  # nothing while guards are deployed

    def on_send(self, seat: str, told: dict[str, Any]) -> None:
        self.go(seat, told["from"], told["to"])

    on_line_up = on_send

    def on_slip(self, seat: str, told: dict[str, Any]) -> None:
        self.go(seat, told["from"], told["at"])

    def on_arrest(self, seat: str, told: dict[str, Any]) -> None:
        self.go(seat, told["at"], told["to"])
        if self.at[told["at"]]["security"]:  # a General Search sends no guard
            self.go("security", told["at"], "office")

    def on_buried(self, seat: str, told: dict[str, Any]) -> None:
        self.go(seat, told["at"], told["to"])

    def on_recall(self, seat: str, told: dict[str, Any]) -> None:
        self.go("security", told["at"], "office")

    def on_relief(self, seat: str, told: dict[str, Any]) -> None:
        self.at["barracks"].update(self.at["office"])
        self.at["office"].clear()

    def on_end(self, seat: str, told: dict[str, Any]) -> None:
        if seat == "security":
            self.on_relief(seat, told)

    def on_release(self, seat: str, told: dict[str, Any]) -> None:
        inner = not self.rules.board.area[self.rules.board.node_by_name[told["at"]]]
        self.go(seat, "innercells" if inner else "outercells", told["at"])
        self.points -= self.played != "release"  # by a card it takes none

    def on_killed(self, seat: str, told: dict[str, Any]) -> None:
        self.go(seat, told["at"], "grave")

    def on_escape(self, seat: str, told: dict[str, Any]) -> None:
        self.go(seat, told["at"], "away")
        self.seats[seat]["escapes"] = told["count"]

    def on_search(self, seat: str, told: dict[str, Any]) -> None:
        self.points = 0

    def on_round(self, seat: str, told: dict[str, Any]) -> None:
        self.round = told["round"]

    def on_mark(self, seat: str, told: dict[str, Any]) -> None:
        self.markers[f"{told['from']}-{told['to']}"] = seat

    def on_unmark(self, seat: str, told: dict[str, Any]) -> None:
        del self.markers[f"{told['from']}-{told['to']}"]

    def on_open(self, seat: str, told: dict[str, Any]) -> None:
        self.tunnels[told["tunnel"]] = "open"

    def on_detect(self, seat: str, told: dict[str, Any]) -> None:
        self.tunnels[told["tunnel"]] = "detected"

    def on_collapse(self, seat: str, told: dict[str, Any]) -> None:
        self.tunnels[told["tunnel"]] = "closed"

    def on_play(self, seat: str, told: dict[str, Any]) -> None:
        self.played = next(card.effect for card in self.rules.cards.cards if card.id == told["card"])

    def item(self, seat: str, kind: str, count: int) -> None:
        """Cards of Equipment from the supply, or back to it."""
        self.supply[kind] -= count
        self.seats[seat]["equipment"] += count

    def on_take(self, seat: str, told: dict[str, Any]) -> None:
        self.item(seat, told["item"], 1)

    def on_use(self, seat: str, told: dict[str, Any]) -> None:
        self.item(seat, told["item"], -told["count"])

    def on_surrender(self, seat: str, told: dict[str, Any]) -> None:
        self.item(seat, told["item"], -1)

    def on_trade(self, seat: str, told: dict[str, Any]) -> None:
        self.seats[seat]["equipment"] += told["want"] - told["give"]
        self.seats[told["to"]]["equipment"] += told["give"] - told["want"]

    def check(self, state: Any) -> None:
        """The same stands in everybody's view, and on the board."""
        shown, grid = state.view(None).json(), self.rules.board
        places: dict[str, Counter[str]] = {}
        for name, pawns in self.at.items():
            if name not in OFF and +pawns:
                places.setdefault(grid.spaces[grid.node_by_name[name]], Counter()).update(+pawns)
        seen = {
            space: Counter(pawn.split(":")[0] for pawn in pawns) for space, pawns in shown["places"].items()
        }
        assert places == seen
        assert shown["places"] == {space: list(map(str, pawns)) for space, pawns in state.layout().items()}
        assert len(shown["inside"]) == sum(
            count for name, pawns in self.at.items() if "/" in name for count in pawns.values()
        )
        for name, key in zip(OFF, ("away", "dead"), strict=True):
            assert Counter(pawn.split(":")[0] for pawn in shown[key]) == +self.at[name]
        if state.outcome is None:
            assert shown["points"] == self.points
        assert shown["round"] == self.round
        assert shown["markers"] == self.markers
        assert shown["tunnels"] == self.tunnels
        assert {kind: shown["supply"][kind] for kind in EQUIPMENT_KINDS} == {
            kind: self.supply[kind] for kind in EQUIPMENT_KINDS
        }
        for seat in state.seats[1:]:
            for what in ("equipment", "escapes"):
                assert shown["seats"][seat][what] == self.seats[seat][what], (seat, what)
