"""Escape from Colditz with all that belongs to it."""

from __future__ import annotations

from collections.abc import Container, Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final

from boardrules.art import GameArt
from boardrules.colditz.castle.actions import NATIONS, SECURITY
from boardrules.colditz.deck.hidden_cards import Deck, HiddenCards
from boardrules.colditz.lamps import MARKS, round_track_limitations
from boardrules.colditz.lamps import lamp_marks as shown
from boardrules.colditz.option_offers import OFFERS
from boardrules.colditz.play import ColditzState
from boardrules.colditz.printed_board import castle_mismatch, space_names
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
from boardrules.colditz.state.options import GAME, MEASURED_VALUES, option_ranges
from boardrules.colditz.state.refusals import RULES_BY_CODE
from boardrules.colditz.state.rules import NO_GEAR, OPPORTUNITY_DECK, SECURITY_DECK, ColditzRules, rules_of
from boardrules.colditz.teaching.help import HELP
from boardrules.colditz.teaching.lessons import LESSONS
from boardrules.core import CHANCE, CLOCK, Event, Seat, Space, State, View
from boardrules.encoding import GameEncoding
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
from boardrules.players import Chance, GamePlayers
from boardrules.ranges import OptionRange
from boardrules.teaching import HelpChapter, Lesson


class Colditz(GamePackage):
    """Escape from Colditz."""

    id = GAME
    title = "Escape from Colditz"
    player_counts = (2, 3, 4, 5, 6)
    rulebook_options = MappingProxyType({"rounds": 50, "answer_seconds": 0})
    highlight_kinds = frozenset({"arrest", "killed", "kit", "open", "detect", "appel", "escape", "dare"})

    def about(self) -> Message:
        """Who wants out, and who watches."""
        return Message("about", {}, self.id)

    def new(self, options: Mapping[str, Any]) -> State:
        """The men lined up, the decks shuffled, nothing dealt yet (1.2)."""
        return initial_state(rules_of(options))

    def resample(self, view: View, chance: Chance) -> State:
        """With the cards that the seat doesn't see dealt anew."""
        from boardrules.colditz import resampling  # a table never needs it

        return resampling.resample(view, chance)

    def encoding(self, options: Mapping[str, Any]) -> GameEncoding:
        """Steps, words, and the words of what names several things."""
        from boardrules.colditz.encoding import ColditzEncoding  # a table never needs it

        return ColditzEncoding(rules_of(options))

    def sentences(self) -> Sentences:
        """What the game says."""
        return SENTENCES

    def event_message(self, event: Event) -> Message:
        """As every game; where an offer gives nothing, or wants nothing, it says so."""
        message = super().event_message(event)
        empty = {name: ["nothing"] for name in ("give", "want") if message.params.get(name) == []}
        return message._replace(params={**message.params, **empty}) if empty else message

    def space_names(self, state: State) -> Mapping[Space, Message]:
        """Circles by their room, or by what is printed in them."""
        return space_names(state.printed_facts())

    def schema(self) -> Mapping[str, Any]:
        """What its views hold."""
        return SCHEMA

    def refusals(self) -> Mapping[str, str]:
        """Its closed codes."""
        return RULES_BY_CODE

    def help(self) -> tuple[HelpChapter, ...]:
        """What each circle and card means."""
        return HELP

    def lessons(self) -> Mapping[Seat, Lesson]:
        """One for each side."""
        return LESSONS

    def ranges(self, options: Mapping[str, Any]) -> Mapping[str, OptionRange]:
        """Not more men escape together than there are."""
        return option_ranges(options["players"])

    def option_offers(self) -> tuple[OptionOffer, ...]:
        """How long, and by which of the rules that groups choose."""
        return OFFERS

    def config_files(self) -> tuple[ConfigFile, ...]:
        """A castle and decks of one's own."""
        return (ConfigFile("castle", "board", "a castle"), ConfigFile("cards", "cards", "decks"))

    def piece_appearance(self) -> PieceAppearance:
        """Pawns of five nations, and guards."""
        letters = {SECURITY: "G", **{nation: nation[0].upper() for nation in NATIONS}}
        return PieceAppearance(pawns=letters, guards=frozenset({SECURITY}), scene="castle")

    def marks(self) -> Mapping[str, Mark]:
        """Markers, tunnels, the round track and turns."""
        return MARKS

    def lamps(self, view: Mapping[str, Any], lamps: Container[str]) -> Mapping[str, str]:
        """What they show of everybody's view."""
        return shown(view, lamps)

    def board_limitations(self, state: State, lamps: Container[str]) -> tuple[str, ...]:
        """A round track that is too short."""
        return round_track_limitations(state.printed_facts()["rounds"], lamps)

    def board_mismatch(self, board: PrintedBoard, options: Mapping[str, Any]) -> BoardMismatch | None:
        """Whether the board was made of another castle."""
        return castle_mismatch(board, str(options["board"]))

    def record_line_prefixes(self) -> tuple[str, ...]:
        """Dice and decks, and windows that the clock closes."""
        return (f"{CHANCE} ", f"{CLOCK} close")

    def art(self, options: Mapping[str, Any]) -> GameArt:
        """The castle, its cards and markers."""
        from boardrules.colditz.art import CastleArt  # a table prints nothing

        return CastleArt(self.piece_appearance().pawns, options)

    def simulated_people_kind(self) -> str:
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
            MEASURED_VALUES,
            itemgetter("round"),
            IRRELEVANT_OPTIONS,
        )

    def players(self) -> GamePlayers:
        """Officers plan their ways out, the Security Officer where they lead."""
        from boardrules.colditz.bots.levels import PLAYERS

        return PLAYERS


COLDITZ: Final = Colditz()


def initial_state(rules: ColditzRules) -> ColditzState:
    """R013 to R019: before the first card is dealt."""
    grid, cards, sides = rules.board, rules.cards, rules.players
    where = [grid.barracks] * rules.guard_count
    for circles in rules.appel_diagram:
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
        kits_left=cards.kit_count - sum(kits),
        has_kit=kits,
        equipment_counts=(0,) * sides,
        hand_sizes=(0,) * sides,
        part_counts=(0,) * sides,
        deck_sizes=(first.size, second.size, third.size),
        markers=(0,) * len(grid.crossings),
        tunnels=(0,) * len(grid.tunnels),
        immune_men=0,
        men_on_free_way=0,
        escape_counts=(0,) * sides,
        left_sides=0,
        do_or_die_sides=officers if rules.has_do_or_die else 0,
        do_or_die_values=cards.do_or_die_values if rules.has_do_or_die else (),
    )
    deals = tuple(
        PendingTask("deal", CHANCE_SIDE, (side, OPPORTUNITY_DECK if side else SECURITY_DECK))
        for side in reversed(rules.sides)
    )
    men = sum(1 << node for node in where[rules.guard_count :])
    turn = ColditzTurn(side=0, phase=DEPLOY)
    facts = ColditzFacts(
        rules=rules,
        node_by_pawn=tuple(where),
        men_nodes=men,
        guard_nodes=0,
        points=0,
        last_moved_pawn=-1,
        tasks=deals,
        turn=turn,
        table=table,
    )
    secrets = HiddenCards(((),) * sides, (NO_GEAR,) * sides, (first, second, third))
    return ColditzState(facts, secrets)
