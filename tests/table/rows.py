"""Hand scripts with what the umpire should make of them: `#>` comments, in no need of a clock.

A script is cut into scenes by blank lines; each begins with the board in order. What a `#>` line expects:

    ruling SEAT ACTION ok [RESULT]      private SEAT CODE           fault CODE SPACES
    ruling SEAT ACTION refused CODE     phone SEAT refused          question CODE SPACES of SEAT
    proposal SEAT THING ANSWER          reminder WHAT               over WINNER REASON
    adjourned                           note TEXT                   nothing
      all that was told since the last such lines, in order, nothing left out
    chores take a3, put a4              chores none                 open now
    lamps a4 may-go                     lamps a4 dark               shown now
    shown a4 red three quick flashes    shown at some moment since the last lines of the first kind
    turn SEAT                           whom the game waits for
    settings KEY=VALUE, options KEY=VALUE (before the first scene) and row TEXT
    at BOARD GAME (before the first scene): another board and game than the quick duel; no power cuts there

A secret action is written `-`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from boardrules import registry
from boardsim.bench.bench import BARE, BenchSettings
from boardsim.hands.hands import PACES
from boardsim.script.script import END_DELAY_US, ScriptCommand, ScriptOutput, ScriptRunner, read_script
from boardumpire.commands.table_factory import TableFactory
from boardware.description import load_board
from table.people import People

HANDS = Path(__file__).resolve().parent.parent / "hands"
SEATS = ("red", "blue")
GAME = "stratego-quick-duel"
BOARD = load_board("quick-battle-8x8")
CASTLE = "escape-from-colditz"
TOLD = (
    "ruling private fault question proposal reminder over adjourned note phone nothing".split()  # noqa: SIM905
)


class Expected(NamedTuple):
    """One `#>` line."""

    line: int
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.words)


Scene = list[ScriptCommand | Expected]


class Row(NamedTuple):
    """A script, read."""

    name: str
    title: str
    table: dict[str, Any]
    options: dict[str, Any]
    scenes: list[Scene]
    board: str = BOARD.id
    game: str = GAME

    def accepted(self, scene: Scene) -> list[tuple[str, str]]:
        """The (seat, action) that a scene expects to be accepted."""
        words = [each.words for each in scene if isinstance(each, Expected)]
        return [(w[1], w[2]) for w in words if w[0] == "ruling" and w[3] == "ok"]

    def all_accepted(self) -> list[tuple[str, str]]:
        """The same of all scenes; as the rules are pure, this names the state at the end."""
        return [acted for scene in self.scenes for acted in self.accepted(scene)]


def read_row(path: Path) -> Row:
    """Read a hand script with its expectations."""
    text = path.read_text()
    at = next((line.split()[2:] for line in text.splitlines() if line.startswith("#> at ")), [BOARD.id, GAME])
    heads: dict[str, dict[str, Any]] = {"settings": {}, "options": {}}
    for head, *words in (line.removeprefix("#> ").split() for line in text.splitlines() if line[:3] == "#> "):
        if head in heads:
            heads[head].update(
                (key, json.loads(value)) for key, _, value in (w.partition("=") for w in words)
            )
    seats = registry.new(at[1], heads["options"]).seats
    commands = {command.line: command for command in read_script(text, path.name, load_board(at[0]), seats)}
    scenes: list[Scene] = [[]]
    title = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = tuple(line.removeprefix("#>").partition("#")[0].split())
        if not line.strip() and scenes[-1]:
            scenes.append([])
        elif number in commands:
            scenes[-1].append(commands[number])
        elif line.startswith("#>") and words[0] == "row":
            title = line.removeprefix("#> row ")
        elif line.startswith("#>") and words[0] in (*heads, "at"):
            continue
        elif line.startswith("#>"):
            scenes[-1].append(Expected(number, words))
    scenes = [scene for scene in scenes if scene]
    return Row(path.stem, title, heads["settings"], heads["options"], scenes, *at)


class Wrong(AssertionError):  # noqa: N818 - what it is
    """The umpire said something else."""


class Run:
    """A row on a bench, line by line."""

    def __init__(self, row: Row, journal: Path | None = None, pace: str = "human", **setting: Any) -> None:
        self.row = row
        self.news: list[str] = []
        self.accepted: list[tuple[str, str]] = []
        self._shown: list[dict[str, str]] = [{}]
        base = BenchSettings(
            board=row.board,
            game=row.game,
            journal=journal,
            table=row.table,
            options=row.options,
            driver=BARE
            if row.board == CASTLE
            else "gpio-sim",  # the castle has more reeds than a Pi has pins
            lamp_driver="neopixel-pwm-sim",  # a third faster than the other one
            bounce=False,
            pace=PACES[pace],
            seed=7,
        )
        self.stage = ScriptRunner(
            base._replace(**setting),
            TableFactory(),
            self._hear,
            ScriptOutput(lamps=True, private_seats=registry.new(row.game).seats),
        )
        self.bench = self.stage.bench
        self.people = People(self.bench)
        self.people.declines = False  # what is offered is for the script to answer
        self._outward = ""
        self.log: list[str] = []
        self.arrivals: list[frozenset[str]] = []
        """What `open_arrivals` was at the beginning of each scene."""

    # What is told

    def _hear(self, line: str) -> None:
        self.log.append(line)
        told = json.loads(line)
        if told["kind"] == "lamps":
            self._shown.append(told["on"])
            return
        if told["kind"] == "lamps-wrong":
            raise Wrong(f"lamps show what nothing tells: {told}")
        if told["kind"] == "ruling" and told["ok"]:
            self.accepted.append((told["seat"], told["action"] or "-"))
            if self.row.game == GAME:
                self.people.hear(told)
        news = self._news(told)
        if news:
            self.news.append(news)

    def _news(self, told: dict[str, Any]) -> str | None:
        match told["kind"]:
            case "ruling":
                first = f"ruling {told['seat']} {told['action'] or '-'}"
                if not told["ok"]:
                    self._outward = told["refusal"]["code"]
                    return f"{first} refused {self._outward}"
                results = [event["result"] for event in told["events"] if event["kind"] == "battle"]
                return " ".join([first, "ok", *results])
            case "private":
                code = told.get("refusal", {}).get("code") or told.get("answer") or ""
                return f"private {told['to']} {code}" if code not in ("", self._outward) else None
            case "fault":
                return " ".join(["fault", told["code"], *told["spaces"]])
            case "question":
                return " ".join(["question", told["code"], *told["spaces"], "of", told["seat"] or "any"])
            case "proposal":
                return f"proposal {told['seat'] or 'any'} {told['thing']} {told['answer']}"
            case "reminder":
                return " ".join(["reminder", *(told["spaces"] or [told["code"]])])
            case "over":
                return f"over {told['winner'] or 'nobody'} {told['reason']}"
            case "phone":
                return f"phone {told['seat']} refused"
            case "turn" | "chores":
                return None
        return " ".join([told["kind"], *(str(v) for k, v in told.items() if k not in ("t", "kind", "text"))])

    @property
    def shown(self) -> dict[str, str]:
        """The marks that lamps show now."""
        return self._shown[-1]

    # What is expected

    def check(self, block: Sequence[Expected]) -> None:
        """Compare a block of expectations with what was told and what is shown."""
        told = [str(each) for each in block if each.words[0] in TOLD]
        found = self.news or ["nothing"]
        if told and told != found:
            raise Wrong(f"{self.row.name}:{block[0].line}: expected {told}, found {found}")
        for each in block:
            if each.words[0] not in TOLD:
                self._check_state(each)
        if told:
            self.news.clear()
            self._shown = self._shown[-1:]

    def _check_state(self, each: Expected) -> None:
        kind, *rest = each.words
        if kind in ("lamps", "shown"):
            shown = [lit.get(rest[0], "dark") for lit in self._shown]
            found: Any = shown[-1] if kind == "lamps" else shown
            fine = " ".join(rest[1:]) in (shown if kind == "shown" else shown[-1:])
        elif kind == "chores":
            found = sorted(f"{chore.kind} {chore.space}" for chore in self.people.guidance.corrections) or [
                "none"
            ]
            fine = found == sorted(" ".join(rest).split(", "))
        elif kind == "turn":
            assert self.bench.table is not None
            found = self.bench.table.view(None)["to_act"]
            fine = found == rest
        else:
            raise Wrong(f"{self.row.name}:{each.line}: unknown expectation {kind!r}")
        if not fine:
            raise Wrong(f"{self.row.name}:{each.line}: expected {each}, found {found}")

    # Playing

    @property
    def state(self) -> Any:
        return self.bench.table._match.state  # type: ignore[union-attr]

    @property
    def blind(self) -> frozenset[str]:
        """The squares played by hand."""
        return self.bench.table._match.hand_played_spaces  # type: ignore[union-attr]

    @property
    def agreed(self) -> tuple[frozenset[str], bool]:
        """What was agreed on that outlives a power cut: squares played by hand, a board turned round."""
        return self.blind, self.bench.table._match.orientation.is_turned  # type: ignore[union-attr]

    @property
    def open_arrivals(self) -> frozenset[str]:
        """The squares to which a piece came, of which nobody has said since who stands there."""
        return frozenset(self.bench.table._match.tracker.board.turn_memory.latest_arrivals)  # type: ignore[union-attr]

    def truth(self) -> Any:
        """The state, whole."""
        return self.state.truth()

    def play(self, scene: Scene, until: ScriptCommand | None = None) -> bool:
        """Play a scene, checking what it expects; stop after `until`. True at its end."""
        for number, each in enumerate(scene):
            if isinstance(each, ScriptCommand):
                self.stage.do(each)
                if each is until:
                    return False
            elif number == 0 or isinstance(scene[number - 1], ScriptCommand):
                block = scene[number:]
                ends = [n for n, other in enumerate(block) if isinstance(other, ScriptCommand)]
                self.check([e for e in block[: ends[0] if ends else None] if isinstance(e, Expected)])
        self.stray()
        return True

    def stray(self) -> None:
        """Nothing may have been told that no line expects."""
        if self.news:
            raise Wrong(f"{self.row.name}: told besides: {self.news}")

    def whole(self) -> tuple[Any, list[tuple[str, str]]]:
        """Play all scenes; the state at the end and what was accepted."""
        self.bench.start()
        for scene in self.row.scenes:
            self.arrivals.append(self.open_arrivals)
            self.play(scene)
        return self.end()

    def end(self) -> tuple[Any, list[tuple[str, str]]]:
        """Let the last thing settle; close."""
        self.bench.wait(END_DELAY_US)
        self.stray()
        ended = self.truth(), self.accepted
        judged = self.row.game == GAME and self.state.outcome is None
        if judged and not self.people.guidance.corrections:
            self.in_place()
        self.bench.close()
        return ended

    def in_place(self) -> None:
        """The board, now in order, holds what the game says; pieces of one kind are as good as each other."""
        board = {s: (piece["seat"], piece["rank"]) for s, piece in self.truth()["board"].items()}
        stands = {s: (piece.owner, piece.label) for s, piece in self.people.standing().items()}
        judged = board if self.people.stands else {}
        if {s: p for s, p in stands.items() if s in judged} != judged and not self.blind:
            raise Wrong(f"{self.row.name}: the game has {judged}, the board {stands}")

    # Cut off

    def cut(
        self, number: int, boundary: ScriptCommand, uncut: Sequence[frozenset[str]]
    ) -> tuple[Any, list[tuple[str, str]]]:
        """Play, but the daemon is killed after the line `boundary` of scene `number`, and starts again.

        `uncut`: what `open_arrivals` is at the beginning of each scene of the row where nothing is cut.
        """
        self.bench.start()
        for earlier in self.row.scenes[:number]:
            self.play(earlier)
        scene = self.row.scenes[number]
        began, stood, stuck = len(self.accepted), self._pieces(), dict(self.bench.world.stuck_reeds())
        turned = self.bench.world.turned
        agreed = self.agreed
        self.play(scene, until=boundary)
        before, over = self.truth(), self.state.outcome is not None
        self.bench.kill()
        self.news.clear()
        self.bench.start()
        if over:
            return before, self.accepted  # it is over: the next one has begun
        if self.truth() != before:
            raise Wrong(f"{self.row.name}: the game after the kill is another one")
        done = len(self.accepted) - began
        untouched = done == 0 and self.agreed == agreed
        if untouched:
            self._restore(stood, stuck)
            if self.bench.world.turned != turned:
                self.bench.world.turn_board(self.bench.now)
        accepted = list(self.accepted)
        if not self.people.make_peace():
            raise Wrong(f"{self.row.name}: no peace: {self.people.trail[-6:]} {self.people.guidance}")
        for space in self.blind:
            if self.people.standing().get(space) != self.people.stands.get(space):
                self.people.put(space)  # what is played by hand no lamp can lead back
        if self.accepted != accepted:
            raise Wrong(f"{self.row.name}: believed {self.accepted[len(accepted) :]}")
        self.in_place()
        self.news.clear()
        self._shown = self._shown[-1:]
        # A piece too many that the stuck sensors' watch has seen already would be the second one.
        seen = bool(self.bench.table._match.tracker.board.stuck_sensors._count)  # type: ignore[union-attr]
        for later, each in enumerate(self.row.scenes[number:], number):
            fresh = later > number or (untouched and not seen)
            if fresh and self.open_arrivals == uncut[later]:
                self.play(each)
            else:  # it would be asked of other pieces who stands there: that is asked once of each
                for seat, action in self.row.accepted(each)[done if later == number else 0 :]:
                    self._plainly(seat, action)
        return self.end()

    def _pieces(self) -> dict[str, Any]:
        return dict(self.bench.world.standing())

    def _restore(self, stood: dict[str, Any], stuck: dict[str, Any]) -> None:
        """Before the armies stand hands put back what they did; reeds work as they did."""
        world, hands, bench = self.bench.world, self.bench.hands, self.bench
        for slot in {*stuck, *world.stuck_reeds()}:
            world.stick(slot, stuck.get(slot), bench.now)
        if self.people.stands:
            return
        for slot, there in list(world.standing().items()):
            for piece in reversed(there):
                if piece not in stood.get(slot, ()):
                    bench.run_until(hands.lift(slot, bench.now))
                    bench.run_until(hands.put_beside_board(bench.now))
        for slot, there in stood.items():
            for piece in there:
                if piece not in world.standing().get(slot, ()):
                    if piece not in hands.beside:
                        hands.held.sort(key=lambda held, piece=piece: held.piece == piece)
                        bench.run_until(hands.put_beside_board(bench.now))
                    bench.run_until(hands.fetch(piece, bench.now))
                    bench.run_until(hands.place(slot, bench.now))

    def _plainly(self, seat: str, action: str) -> None:
        """Do what is left of a scene in the plainest way."""
        bench, hands = self.bench, self.bench.hands
        origin, _, target = action.partition("-")
        if origin in BOARD.spaces:
            for space in {origin, target} & bench.world.stuck_reeds().keys() - self.blind:
                self.people.by_hand(space)
            bench.run_until(hands.lift(origin, bench.now))
            take = target in self.people.stands
            if take:
                bench.run_until(hands.lift(target, bench.now))
                bench.run_until(hands.tap_own_square(origin, bench.now))
            else:
                bench.run_until(hands.place(target, bench.now))
            if self.blind & {origin, target}:
                bench.say(seat, action)
            bench.wait(1_000_000)
        else:
            bench.say(seat, action)
        self.people.make_peace()
        self.news.clear()


def boundaries(row: Row) -> list[tuple[int, ScriptCommand]]:
    """Where a row may be cut: after each line while the power is on, once both armies stand or on the way."""
    found, on = [], True
    for number, scene in enumerate(row.scenes):
        for each in scene:
            if isinstance(each, ScriptCommand):
                on = {"kill": False, "start": True}.get(each.verb, on)
                if on:
                    found.append((number, each))
    return found
