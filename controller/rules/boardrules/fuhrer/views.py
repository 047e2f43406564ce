"""What a seat sees. A view holds public facts, and for Hitler his sheet; JSON is made when asked for."""

from __future__ import annotations

from typing import Any, Final

from boardrules.core import Outcome, Seat, View
from boardrules.fuhrer.actions import HITLER, PIECES, SPY
from boardrules.fuhrer.facts import EMPTY_SHEET, AnnouncedTurn, FuhrerFacts, GivenAnswer, HitlerSheet
from boardrules.fuhrer.table_actions import offered_thing


class FuhrerView(View):
    """The game as one seat, or the spectator, may know it."""

    __slots__ = ("facts", "sheet")

    def __init__(self, seat: Seat | None, facts: FuhrerFacts, sheet: HitlerSheet) -> None:
        super().__init__(seat)
        self.facts: Final = facts
        self.sheet: Final = sheet
        """Hitler's own, or once the game is over everybody's (G25); else empty."""

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Whom the game waits for."""
        return self.facts.acting_seats

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.facts.outcome

    @property
    def possible_cities(self) -> tuple[str, ...]:
        """The cities where Hitler may be by all that is public, exactly.

        It is a help that the Allies may switch on (H5), so it is not in the JSON.
        """
        facts = self.facts
        return facts.rules.board.space_ids(
            facts.rules.trap_rule.cities_of_marks(facts.knowledge.possible_marks)
        )

    def json(self) -> dict[str, Any]:
        """Pieces, flags, the token and what was told; for Hitler, and at the end for all, the sheet."""
        facts = self.facts
        ids = facts.rules.board.ids
        json: dict[str, Any] = {
            "game": "fall-of-the-fuhrer",
            "seat": self.seat,
            "to_act": list(facts.acting_seats),
            "phase": facts.stage.name.partition("-")[0],
            "piece": PIECES[facts.stage.piece] if facts.stage.piece >= 0 else None,
            "round": facts.round,
            "month": (facts.round + 1) // 2,  # F21
            "pieces": {PIECES[piece]: ids[city] for piece, city in enumerate(facts.city_by_piece)},
            "owners": dict(zip(PIECES, facts.rules.owners, strict=True)),
            "flags": list(facts.rules.board.space_ids(facts.flags)),
            "liberating": _first_city_id(facts, facts.rising_flags),
            "lowering": _first_city_id(facts, facts.falling_flags),
            "die": facts.die or None,
            "asked": [ids[city] for city in facts.asked_cities],
            **_announced_json(facts),
            "offer": None
            if facts.offering_seat is None
            else {"seat": facts.offering_seat, "thing": offered_thing(facts)},
        }
        if self.seat == HITLER or facts.outcome is not None:
            json["sheet"] = sheet_json(facts, self.sheet)
        if facts.outcome is not None:
            json["outcome"] = facts.outcome._asdict()
        return json

    def text(self) -> str:
        """The map with what the seat knows."""
        from boardrules.fuhrer.text_board import board_text  # for people alone

        return board_text(self.json(), self.facts.rules.board)

    def __repr__(self) -> str:
        return f"<view of {self.seat or 'the spectator'}: round {self.facts.round}>"

    def comparison_key(self) -> tuple[object, ...]:
        """All that it holds beside its seat."""
        return self.facts, self.sheet


def view_for(seat: Seat | None, facts: FuhrerFacts, sheet: HitlerSheet) -> FuhrerView:
    """What `seat` may know."""
    own = seat == HITLER or facts.outcome is not None
    return FuhrerView(seat, facts, sheet if own else EMPTY_SHEET)


def _first_city_id(facts: FuhrerFacts, cities: int) -> str | None:
    return facts.rules.board.space_ids(cities)[0] if cities else None


def _announced_json(facts: FuhrerFacts) -> dict[str, Any]:
    """The token and its way, tickets by round, the Spy's answers."""
    ids, log = facts.rules.board.ids, facts.knowledge.log
    turns = [said for said in log if isinstance(said, AnnouncedTurn)]
    trail = [ids[said.token] for said in turns if said.token >= 0]
    return {
        "token": trail[-1] if trail else None,
        "trail": trail,
        "tickets": facts.knowledge.tickets_left,
        "flights": [
            {"round": said.round, "from": [ids[city] if city >= 0 else None for city in said.turn.origins]}
            for said in turns
            if said.turn.origins
        ],
        "recaptures": [
            {"round": said.round, "at": ids[said.turn.recaptured_city]}
            for said in turns
            if said.turn.recaptured_city >= 0
        ],
        "answers": [
            {"round": said.round, "at": ids[said.city], "here": said.is_here}
            for said in log
            if isinstance(said, GivenAnswer) and said.piece == SPY
        ],
    }


def sheet_json(facts: FuhrerFacts, sheet: HitlerSheet) -> dict[str, Any]:
    """Hitler's sheet: where he is, whether he is held there, and his entries by round."""
    rules, ids = facts.rules, facts.rules.board.ids
    return {
        "at": ids[sheet.city] if sheet.mark else None,
        "trapped": bool(rules.trap_rule.trapped_marks(sheet.mark, facts.flags)),
        "start": ids[sheet.start] if sheet.start >= 0 else None,
        "entries": [ids[city] for city in sheet.entries],
    }


def full_json(facts: FuhrerFacts, sheet: HitlerSheet) -> dict[str, Any]:
    """The whole position, as a view of somebody who knows all."""
    shown = view_for(None, facts, sheet).json()
    return {
        **shown,
        "sheet": sheet_json(facts, sheet),
        "possible": list(view_for(None, facts, sheet).possible_cities),
        "options": dict(facts.rules.options),
    }
