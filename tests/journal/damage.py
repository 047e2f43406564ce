"""Games that were really played, what the power left of their journals, and what can befall those files."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from boardsim.bench.bench import BARE, SENSING_DELAY_US, Bench, BenchSettings
from boardumpire.commands.table_factory import TableFactory
from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import load_key
from boardware.ports import SECOND
from table.twins import setups

NAME = "journal.sqlite"
FILES = {"journal": NAME, "log": f"{NAME}-wal", "copy": f"{NAME}-told"}
"""What may be damaged: the database, its write-ahead log, the second copy."""
SEATS = ("red", "blue")
PERHAPS = "lost-perhaps"
SURE = ("lost-action", "lost-actions", "lost-game")


class Left(NamedTuple):
    """What the power left, at a moment between two actions, and what had been told until then."""

    files: dict[str, bytes]
    key: bytes
    told: dict[int, list[str]]
    """The actions of each game, by its number."""
    over: frozenset[int]
    """The games whose end was told."""

    def put(self, directory: Path) -> Path:
        """The files in a directory of their own; the journal's path."""
        (directory / "key").mkdir(parents=True, mode=0o700)
        (directory / "key" / "board.key").write_bytes(self.key)
        (directory / "key" / "board.key").chmod(0o600)
        for name, content in self.files.items():
            (directory / name).write_bytes(content)
        return directory / NAME


class Game:
    """Hands and phones that play Quick Duel at a table with a journal, by quiet moves."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.journal = directory / NAME
        self.dice = random.Random(seed)
        self.told: dict[int, list[str]] = {}
        self.over: set[int] = set()
        self.number = 0
        self.said = ""
        self.bench = Bench(
            BenchSettings(driver=BARE, journal=self.journal, seed=seed), TableFactory(), told=self._hear
        )

    def _hear(self, message: Any) -> None:
        if message.kind == "ruling" and message.data["ok"]:
            self.told[self.number].append(message.data["action"] or self.said)
        if message.kind == "over":
            self.over.add(self.number)

    def begin(self, number: int) -> None:
        """Begin the game with this number on an empty board, and set it up."""
        self.number = number
        self.told[number] = []
        self.bench.start()
        for seat, text in setups(self.dice.randrange(1000))[0].items():
            self.said = text
            self.bench.set_up(seat, text)

    def move(self) -> None:
        """A quiet move by the hand of whoever is to move."""
        state = self._state()
        moves = [str(action).split("-") for action in state.legal_actions(state.seats_to_act()[0])]
        quiet = [move for move in moves if move[1] not in state.layout()]
        origin, target = self.dice.choice(sorted(quiet))
        self.bench.run_until(self.bench.hands.lift(origin, self.bench.now))
        self.bench.run_until(self.bench.hands.place(target, self.bench.now))
        self.bench.wait(SECOND)

    def resign(self) -> None:
        """Whoever is to move resigns; his phone asks him whether he is sure."""
        self.bench.say(self._state().seats_to_act()[0], "resign")
        self.bench.wait(SENSING_DELAY_US)

    def clear(self) -> None:
        """Take everything off the board, and switch off in good order."""
        for space in list(self._state().layout()):
            self.bench.run_until(self.bench.hands.lift(space, self.bench.now))
            self.bench.run_until(self.bench.hands.put_beside_board(self.bench.now))
        self.bench.close()

    def restart(self) -> None:
        """Switch off in good order and on again: the log is gone into the database."""
        self.bench.close()
        self.bench.start()
        self.bench.wait(SECOND)

    def _state(self) -> Any:
        table: Any = self.bench.table
        return table._match.state

    def left(self) -> Left:
        """What the power would leave now."""
        folder = self.journal.parent
        files = {name: (folder / name).read_bytes() for name in FILES.values() if (folder / name).exists()}
        told = {number: list(texts) for number, texts in self.told.items()}
        return Left(files, (folder / "key" / "board.key").read_bytes(), told, frozenset(self.over))


def played(directory: Path, seed: int, moves: int = 8) -> list[Left]:
    """Two games in one journal: what the power would have left at each moment of the second one."""
    directory.mkdir(parents=True)
    game = Game(directory, seed)
    game.begin(1)
    for _ in range(game.dice.randrange(1, 4)):
        game.move()
    game.resign()
    game.clear()
    game.begin(2)
    left = []
    quiet = game.dice.randrange(moves)
    for turn in range(moves):
        if turn == quiet and game.dice.random() < 0.5:
            game.restart()
        game.move()
        left.append(game.left())
    game.bench.close()
    shutil.rmtree(directory)
    assert all(len(texts) > 2 for texts in game.told.values()), "games were played and told"
    return left


def befall(journal: Path, dice: random.Random, files: int = 1) -> dict[str, str]:
    """Damage so many of the files, each by a bit that flips or a cut; what happened to which.

    Of two files the second copy is never cut: both cut to the same record look as they did when
    that was the last one, and nothing on the disk knows better (docs/understand/decisions/0010).
    """
    present = sorted(name for name, file in FILES.items() if journal.with_name(file).exists())
    happened = {}
    for name in dice.sample(present, min(files, len(present))):
        path = journal.with_name(FILES[name])
        content = bytearray(path.read_bytes())
        place = dice.randrange(len(content))
        if dice.random() < 0.5 or (files > 1 and name == "copy"):
            content[place] ^= 1 << dice.randrange(8)
            happened[name] = f"bit flipped in byte {place} of {len(content)}"
        else:
            del content[place:]
            happened[name] = f"cut at byte {place}"
        path.write_bytes(content)
    return happened


class Found(NamedTuple):
    """What a table makes of a journal."""

    written: dict[int, list[str]]
    over: frozenset[int]
    """The games that have an end."""
    named: list[tuple[str, int, int, int]]
    """What was asked about: code, game, first and last action."""
    heard: list[str]
    """The codes of all faults and questions told."""


def opened(journal: Path, *, agree: bool = True) -> Found:
    """Open a table over a journal as after a power cut; agree to what is asked, and read what is there."""
    told: list[Any] = []
    bench = Bench(BenchSettings(driver=BARE, journal=journal), TableFactory(), told=told.append)
    table: Any = bench.start()
    named = []
    while (asked := table.guidance.question) is not None and asked.code.startswith("lost-"):
        about = dict(asked.sentence_parameters)
        named.append((asked.code, about["number"], about["first"], about["last"]))
        if not agree:
            break
        for seat in SEATS:
            bench.wait(2 * SECOND)  # who answers at once can't have read what is asked
            bench.say(seat, "yes")
        bench.wait(SENSING_DELAY_US)
    bench.close()
    heard = [each.data["code"] for each in told if each.kind in ("fault", "question")]
    return Found(*_read(journal), named=named, heard=heard)


def _read(journal: Path) -> tuple[dict[int, list[str]], frozenset[int]]:
    """The actions of each game of a journal, and which games are over."""
    store = Store.open_read_only(journal, load_key(journal.parent / "key" / "board.key"))
    found = {
        game.number: [entry.text for entry in store.entries(game.number) if entry.kind == "action"]
        for game in store.games()
    }
    over = frozenset(game.number for game in store.games() if game.outcome is not None)
    store.close()
    return found, over


def judge(left: Left, found: Found) -> int:
    """Hold what was found against what had been told: what is missing is named. How many actions are missing.

    Whatever is named as lost for certain is missing; what may be lost is named where it begins.
    """
    missing = {}
    for number, told in left.told.items():
        written = found.written.get(number, [])
        assert written == told[: len(written)], f"game {number} is another one now"
        if len(written) < len(told):
            missing[number] = len(written) + 1, len(told)
    sure = {number: (first, last) for code, number, first, last in found.named if code in SURE}
    perhaps = next(((number, first) for code, number, first, _ in found.named if code == PERHAPS), None)
    for number, (first, last) in missing.items():
        known = sure.pop(number, (first, first - 1))
        assert known[0] == first, f"game {number} misses action {first}, named is {known[0]}"
        named = known[1] == last or (perhaps and perhaps <= (number, known[1] + 1))
        assert named, f"game {number}: {first} to {last} miss"
    assert not sure, "nothing is named that is there"
    ends = {number for code, number, _, _ in found.named if code == "lost-end"}
    gone = {number for number in left.over - found.over if not perhaps or perhaps[0] > number}
    assert gone - missing.keys() <= ends <= gone, "the end of a game is named where it is gone"
    return sum(last - first + 1 for first, last in missing.values())
