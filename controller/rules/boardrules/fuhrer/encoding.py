"""Fall of the Führer in numbers: a row of cities for each thing that may be in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, Final

from boardrules.core import CHANCE, Event, Space, View
from boardrules.encoding import GameEncoding, one_hot
from boardrules.fuhrer.actions import GAME_WORDS, PIECES, RECAPTURE
from boardrules.fuhrer.ends import MAX_ROUNDS
from boardrules.fuhrer.maps import city_numbers
from boardrules.fuhrer.movement import TICKETS
from boardrules.fuhrer.rules import FuhrerRules

_DIE: Final = (1, 2, 3)
_PHASES: Final = ("place", "hide", "tank", "roll", "move", "ask", "hitler", "over")


class FuhrerEncoding(GameEncoding):
    """The encoding of a hunt on one map. Hitler's sheet is kept by the umpire."""

    told = ("answer", "second_answer", "tickets", "origin", "second_origin", "recaptured", "token")

    def __init__(self, rules: FuhrerRules) -> None:
        """Raises `ValueError` for a sheet on paper: what is written on it, nobody can list."""
        if rules.is_paper_sheet:
            raise ValueError("a sheet on paper has no numbers; expected the option sheet to be 'umpire'")
        choices, board = rules.choices, rules.board
        ids = board.ids
        cities = range(len(ids))
        near = [[ids[to] for to in city_numbers(board.neighbours[city])] for city in cities]
        asked = {f"ask {city}": None for city in ids}
        if rules.asks_both_first:
            asked |= {
                f"ask {' '.join(pair)}": None for city in cities for pair in combinations(near[city], 2)
            }
        within = [city_numbers(board.cities_within[city][_DIE[-1]]) for city in cities]
        self.actions = (
            *GAME_WORDS,
            RECAPTURE,
            *(str(one) for each in choices.place_actions for one in each),
            *map(str, choices.start_actions),
            *(f"{ids[city]}-{ids[to]}" for city in cities for to in within[city] if to != city),
            *asked,
            *(str(turn) for turns in choices.all_hitler_turns.values() for turn in turns),
        )
        self.chances = tuple(map(str, choices.die_faces))
        seats = (CHANCE, *rules.seats)
        row = len(ids)
        self.parts = {
            "seat": len(seats),
            "to_act": len(seats),
            "phase": len(_PHASES),
            "piece": len(PIECES),  # which is set up or moved
            "die": len(_DIE),
            "round": 1,
            "tickets": 1,
            "trapped": 1,
            **dict.fromkeys(PIECES, row),
            "flags": row,
            "liberating": row,
            "lowering": row,
            "asked": row,
            "token": row,
            "possible": row,  # where Hitler may be by all that everybody knows
            "hitler": row,  # where he is, for who may know
        }
        self._seats, self._ids = seats, ids

    def observe(self, view: View, placed: Mapping[Space, str], coming: str | None) -> list[float]:
        """Rows count cities in the order of the map."""
        shown, ids = view.json(), self._ids
        sheet: Mapping[str, Any] = shown.get("sheet", {})
        possible = getattr(view, "possible_cities", ())
        return [
            *one_hot(self._seats, view.seat),
            *one_hot(self._seats, *view.to_act),
            *one_hot(_PHASES, shown["phase"]),
            *one_hot(PIECES, shown["piece"]),
            *one_hot(_DIE, shown["die"]),
            shown["round"] / MAX_ROUNDS,
            shown["tickets"] / TICKETS,
            float(sheet.get("trapped", False)),
            *(place for piece in PIECES for place in one_hot(ids, shown["pieces"].get(piece))),
            *one_hot(ids, *shown["flags"]),
            *one_hot(ids, shown["liberating"]),
            *one_hot(ids, shown["lowering"]),
            *one_hot(ids, *shown["asked"]),
            *one_hot(ids, shown["token"]),
            *one_hot(ids, *possible),
            *one_hot(ids, sheet.get("at")),
        ]

    def tell(self, events: Iterable[Event]) -> tuple[float, ...]:
        """What the Spy was answered, which flights were told, and where flag and token were put."""
        answers: list[float] = []
        origins: list[float] = []
        tickets = recaptured = token = 0.0
        for event in events:
            data = dict(event.data)
            if event.kind == "answer":
                answers.append(1.0 if data["thing"] == "yes" else 0.5)
            elif event.kind in ("ticket", "flight"):
                tickets += 1 / TICKETS
                origins.append(self._city(data["from"]) if "from" in data else 0.0)
            elif event.kind == "recaptured":
                recaptured = self._city(data["at"])
            elif event.kind == "token":
                token = self._city(data["at"])
        return (*[*answers, 0.0, 0.0][:2], tickets, *[*origins, 0.0, 0.0][:2], recaptured, token)

    def _city(self, name: str) -> float:
        return (self._ids.index(Space(name)) + 1) / len(self._ids)
