"""Escape from Colditz with all that belongs to it."""

from __future__ import annotations

from collections.abc import Container, Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final

from boardrules.art import GameArt
from boardrules.colditz.castle.actions import NATIONS, SECURITY
from boardrules.colditz.deck.hidden_cards import Deck, HiddenCards
from boardrules.colditz.lamps import MARKS, doubts
from boardrules.colditz.lamps import lamps as shown
from boardrules.colditz.option_offers import OFFERS
from boardrules.colditz.play import ColditzState
from boardrules.colditz.printed_board import names, unlike
from boardrules.colditz.schema import SCHEMA
from boardrules.colditz.sentences import SENTENCES
from boardrules.colditz.state.facts import (
    CHANCE_SIDE,
    DEPLOY,
    ColditzFacts,
    ColditzTurn,
    PendingTask,
    TableFacts,
)
from boardrules.colditz.state.options import GAME, VALUES, ranges
from boardrules.colditz.state.refusals import CODES
from boardrules.colditz.state.rules import NO_GEAR, OPPORTUNITY, SECURITY_DECK, ColditzRules, rules_of
from boardrules.colditz.teaching.help import HELP
from boardrules.colditz.teaching.lessons import LESSONS
from boardrules.core import CHANCE, CLOCK, Event, Seat, Space, State
from boardrules.marks import Mark
from boardrules.package import (
    BoardMismatch,
    ConfigFile,
    GamePackage,
    Message,
    OptionOffer,
    PieceAppearance,
    PrintedBoard,
    Sentences,
    SimplePlayers,
)
from boardrules.players import GamePlayers
from boardrules.ranges import OptionRange
from boardrules.teaching import HelpChapter, Lesson


class Colditz(GamePackage):
    """Escape from Colditz."""

    id = GAME
    title = "Escape from Colditz"
    seatings = (2, 3, 4, 5, 6)
    rulebook = MappingProxyType({"rounds": 50, "answer_seconds": 0})
    moments = frozenset({"arrest", "killed", "kit", "open", "detect", "appel", "escape", "dare"})

    def about(self) -> Message:
        """Who wants out, and who watches."""
        return Message("about", {}, self.id)

    def new(self, options: Mapping[str, Any]) -> State:
        """The men lined up, the decks shuffled, nothing dealt yet (1.2)."""
        return begin(rules_of(options))

    def sentences(self) -> Sentences:
        """What the game says."""
        return SENTENCES

    def told(self, event: Event) -> Message:
        """As every game; where an offer gives nothing, or wants nothing, it says so."""
        message = super().told(event)
        empty = {name: ["nothing"] for name in ("give", "want") if message.params.get(name) == []}
        return message._replace(params={**message.params, **empty}) if empty else message

    def space_names(self, state: State) -> Mapping[Space, Message]:
        """Circles by their room, or by what is printed in them."""
        return names(state.scenery())

    def schema(self) -> Mapping[str, Any]:
        """What its views hold."""
        return SCHEMA

    def refusals(self) -> Mapping[str, str]:
        """Its closed codes."""
        return CODES

    def help(self) -> tuple[HelpChapter, ...]:
        """What each circle and card means."""
        return HELP

    def lessons(self) -> Mapping[Seat, Lesson]:
        """One for each side."""
        return LESSONS

    def ranges(self, options: Mapping[str, Any]) -> Mapping[str, OptionRange]:
        """Not more men escape together than there are."""
        return ranges(options["players"])

    def offers(self) -> tuple[OptionOffer, ...]:
        """How long, and by which of the rules that groups choose."""
        return OFFERS

    def config_files(self) -> tuple[ConfigFile, ...]:
        """A castle and decks of one's own."""
        return (ConfigFile("castle", "board", "a castle"), ConfigFile("cards", "cards", "decks"))

    def looks(self) -> PieceAppearance:
        """Pawns of five nations, and guards."""
        letters = {SECURITY: "G", **{nation: nation[0].upper() for nation in NATIONS}}
        return PieceAppearance(pawns=letters, guards=frozenset({SECURITY}), scene="castle")

    def marks(self) -> Mapping[str, Mark]:
        """Markers, tunnels, the round track and turns."""
        return MARKS

    def lamps(self, view: Mapping[str, Any], lamps: Container[str]) -> Mapping[str, str]:
        """What they show of everybody's view."""
        return shown(view, lamps)

    def doubts(self, state: State, lamps: Container[str]) -> tuple[str, ...]:
        """A round track that is too short."""
        return doubts(state.scenery()["rounds"], lamps)

    def unlike(self, board: PrintedBoard, options: Mapping[str, Any]) -> BoardMismatch | None:
        """Whether the board was made of another castle."""
        return unlike(board, str(options["board"]))

    def beside(self) -> tuple[str, ...]:
        """Dice and decks, and windows that the clock closes."""
        return (f"{CHANCE} ", f"{CLOCK} close")

    def art(self, options: Mapping[str, Any]) -> GameArt:
        """The castle, its cards and markers."""
        from boardrules.colditz.art import CastleArt  # a table prints nothing

        return CastleArt(self.looks().pawns, options)

    def people(self) -> str:
        """Many pawns that are alike, and cards."""
        return "escapers"

    def simple_players(self) -> SimplePlayers:
        """Officers make for the nearest way out, guards for the nearest man."""
        from boardrules.colditz.bots.simple_players import IRRELEVANT_OPTIONS, choose_by_odds

        return SimplePlayers(
            choose_by_odds,
            SECURITY,
            "officers",
            "Escape Officers",
            VALUES,
            itemgetter("round"),
            IRRELEVANT_OPTIONS,
        )

    def players(self) -> GamePlayers:
        """Officers plan their ways out, the Security Officer where they lead."""
        from boardrules.colditz.bots.levels import PLAYERS

        return PLAYERS


COLDITZ: Final = Colditz()


def begin(rules: ColditzRules) -> ColditzState:
    """R013 to R019: before the first card is dealt."""
    grid, cards, sides = rules.board, rules.cards, rules.players
    where = [grid.barracks] * rules.guards
    for circles in rules.diagram:
        where += circles
    decks: list[list[tuple[int, int]]] = [[], [], []]
    for number, card in enumerate(cards.cards):
        decks[rules.deck_of(number)].append((number, card.copies))
    first, second, third = (Deck(tuple(deck)) for deck in decks)
    start = bool(rules.options["start_kits"])
    kits = (False, *(start for _ in rules.officers))
    officers = sum(1 << side for side in rules.officers)
    table = TableFacts(
        round=rules.rounds,
        supply=cards.supply,
        kits_left=cards.kits - sum(kits),
        kits=kits,
        gear=(0,) * sides,
        hands=(0,) * sides,
        parts=(0,) * sides,
        decks=(first.size, second.size, third.size),
        markers=(0,) * len(grid.crossings),
        tunnels=(0,) * len(grid.tunnels),
        returning=0,
        way_home=0,
        escapes=(0,) * sides,
        out=0,
        dares=officers if rules.dares else 0,
        values=cards.values if rules.dares else (),
    )
    deals = tuple(
        PendingTask("deal", CHANCE_SIDE, (side, OPPORTUNITY if side else SECURITY_DECK))
        for side in reversed(rules.sides)
    )
    men = sum(1 << node for node in where[rules.guards :])
    turn = ColditzTurn(side=0, phase=DEPLOY)
    facts = ColditzFacts(
        rules=rules,
        where=tuple(where),
        men=men,
        guards=0,
        points=0,
        last=-1,
        tasks=deals,
        turn=turn,
        table=table,
    )
    secrets = HiddenCards(((),) * sides, (NO_GEAR,) * sides, (first, second, third))
    return ColditzState(facts, secrets)
