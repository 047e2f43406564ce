"""People who do to the letter what the board says lose nothing by it, in whatever game it says so.

`READERS` has, for each sentence that tells people to do something, all that somebody may do who takes it by
its words. `SAID` has scripts in which it is said. A sentence that tells people to do something and is not in
the table fails.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from boardrules import registry
from boardsim.bench.bench import SENSING_DELAY_US, BenchSettings
from boardsim.hands.hands import HandsError, space_of
from boardsim.script.script import ScriptOutput, ScriptRunner, read_script
from boardumpire.commands.table_factory import TableFactory
from boardumpire.errors import SeatError
from boardumpire.messages import announce
from boardumpire.messages.text_board import TEXTS
from boardumpire.ruling.dice import Dice
from boardware.description import load_board
from boardware.ports import SECOND
from fuhrer.test_answers import GUARDED, STOOD
from table.dice import thrown_by
from table.rows import HANDS, read_row

HUNT, CASTLE, DUEL = "fall-of-the-fuhrer", "escape-from-colditz", "stratego-quick-duel"
IMPERATIVE = re.compile(
    r"(^|[.!?:;,] |\b(?:then|or|and|Please) )"
    r"(put|take|clear|check|confirm|cancel|tap|lift|go|say|answer|press|use|wait|try|look|play|reload|turn|choose"
    r"|move|stand|enter|name|roll|set|carry|leave)\b",
    re.IGNORECASE,
)
PROPOSED_TO_THE_BOARD = ("by-hand", "by-reed")
"""What a reader may propose: it is about a sensor, and the others have to agree."""


class Scene:
    """A script as far as somebody has read a sentence."""

    def __init__(
        self,
        text: str,
        game: str,
        board: str,
        settings: dict[str, Any],
        journal: Path,
        dice: Dice,
        **options: Any,
    ) -> None:
        self.lines: list[dict[str, Any]] = []
        seats = registry.new(game, options).seats
        setting = BenchSettings(
            board=board, game=game, options=options, table=settings, journal=journal,
            lamp_driver="neopixel-pwm-sim",
            driver="pico-sim" if game == CASTLE else "gpio-sim", bounce=False, seed=7,
        )  # fmt: skip
        self.commands = read_script(text, "read.hands", load_board(board), seats)
        telling = ScriptOutput(lamps=True, private_seats=seats)
        factory = TableFactory(dice=dice)
        self.stage = ScriptRunner(setting, factory, lambda line: self.lines.append(json.loads(line)), telling)
        self.bench = self.stage.bench
        self.bench.start()

    @property
    def table(self) -> Any:
        return self.bench.table

    @property
    def state(self) -> Any:
        return self.table.full_state

    def until(self, sentence: str, asked: str = "") -> dict[str, str]:
        """Play until the sentence is said, and give people time to read it; what it names."""
        for command in (*self.commands, None):
            before = len(self.lines)
            if command is not None:
                self.stage.do(command)
            elif asked:
                self.table.propose_request("", asked, self.bench.now)
                self.bench.wait(SENSING_DELAY_US)
            for text in self.texts(before):
                found = pattern(sentence).fullmatch(text)
                if found is not None:
                    self.bench.wait(1200_000)
                    return found.groupdict()
        raise AssertionError(f"{sentence!r} is not said any more: {[*self.texts(0)][-8:]}")

    def texts(self, since: int) -> Iterator[str]:
        for line in self.lines[since:]:
            text = line.get("text") or ()
            yield from [text] if isinstance(text, str) else text

    def actions(self, since: int) -> list[str]:
        told = self.lines[since:]
        return [line["action"] or "-" for line in told if line["kind"] == "ruling" and line["ok"]]

    def spaces(self, named: str) -> list[str]:
        """The spaces of a board that a sentence names."""
        ids = {name: space for space, name in self.table.space_names.items()}
        words = re.split(r", | or | and ", named)
        return [ids.get(word, word) for word in words]

    # What hands do

    def does(self, hand: Callable[..., int], *given: Any) -> None:
        """Do something with hands, if it can be done."""
        try:
            self.bench.run_until(hand(*given, self.bench.now))
        except HandsError:
            return
        self.bench.wait(SENSING_DELAY_US)

    def press(self, button: str) -> None:
        if button in self.bench.world.board.buttons:
            self.does(self.bench.hands.press, button)
            self.bench.wait(SECOND)


Reader = Callable[[Scene, dict[str, str]], None]


def put(scene: Scene, named: dict[str, str]) -> None:
    """Put what is in the hand there; else what stands where nothing should, or that piece anew."""
    hands = scene.bench.hands
    spaces = scene.spaces(named.get("space") or named.get("first") or named["spaces"])
    for space in spaces:
        if not hands.held:
            stand = [space_of(slot) for slot in scene.bench.world.standing()]
            wrong = [at for at in stand if at not in scene.state.layout()]
            scene.does(hands.lift, (wrong or [space])[0])
        scene.does(hands.place, space)


def put_from(scene: Scene, named: dict[str, str]) -> None:
    scene.does(scene.bench.hands.lift, scene.spaces(named["first"])[0])
    scene.does(scene.bench.hands.place, scene.spaces(named["space"])[0])


def put_back(scene: Scene, named: dict[str, str]) -> None:
    for held in [held for held in scene.bench.hands.held if held.origin is not None]:
        scene.does(scene.bench.hands.place, space_of(held.origin))


def take(scene: Scene, named: dict[str, str]) -> None:
    scene.does(scene.bench.hands.lift, scene.spaces(named["space"])[0])
    scene.does(scene.bench.hands.put_beside_board)


def clear(scene: Scene, named: dict[str, str]) -> None:
    scene.does(scene.bench.hands.lift, scene.spaces(named["space"])[0])
    put(scene, named)


def lift_once(scene: Scene, named: dict[str, str]) -> None:
    space = scene.spaces(named.get("space") or named["first"])[0]
    scene.does(scene.bench.hands.lift, space)
    scene.does(scene.bench.hands.place, space)


def centre(scene: Scene, named: dict[str, str]) -> None:
    scene.does(scene.bench.hands.centre, scene.spaces(named["space"])[0])


def confirm(scene: Scene, named: dict[str, str]) -> None:
    scene.press("confirm")


def cancel(scene: Scene, named: dict[str, str]) -> None:
    scene.press("cancel")


def tap(scene: Scene, named: dict[str, str]) -> None:
    scene.does(scene.bench.hands.tap_own_square, scene.spaces(named["first"])[0])


def say_one(scene: Scene, named: dict[str, str]) -> None:
    first, rest = scene.spaces(named["first"])[0], scene.spaces(named["rest"])
    for seat in scene.state.seats_to_act():
        try:
            scene.bench.say(seat, f"{first}-{rest[0]}")
        except SeatError:
            continue


def go_by(button: str) -> Reader:
    """Go there with a button, then confirm; where it never lights, nothing is confirmed."""

    def goes(scene: Scene, named: dict[str, str]) -> None:
        there = scene.spaces(named["spaces"])
        for _ in range(8):
            scene.press(button)
            if any(scene.table.marks.get(space) == "asks" for space in there):
                break
        scene.press("confirm")

    goes.__name__ = f"goes_by_{button}"
    return goes


def wait(scene: Scene, named: dict[str, str]) -> None:
    scene.bench.wait(5 * SECOND)


def tidy(scene: Scene, named: dict[str, str]) -> None:
    """Put in place whatever isn't."""
    for chore in scene.table.guidance.chores:
        (put if chore.kind == "put" else take)(scene, {"space": chore.space})


READERS: dict[str, tuple[Reader, ...]] = {
    **dict.fromkeys(("chore put", "chore put seat", "chore put piece", "chore put piece ring"), (put,)),
    "chore put from": (put_from,),
    **dict.fromkeys(("chore take", "chore take leaving", "chore take piece"), (take,)),
    "chore take seat": (clear,),
    "chore take beaten": (lift_once,),
    **dict.fromkeys(("chore centre", "chore ring", "chore ring own"), (centre, put)),
    **dict.fromkeys(
        ("fault not-your-turn", "fault touch-move", "fault pieces-down", "fault no-attack"), (put,)
    ),
    "fault not-ready": (put, wait),
    "fault muddle": (put,),
    "question attack-pending": (confirm, tap),
    "question attack-counting": (put,),
    "question attack-which": (say_one,),
    "question attack-here": (cancel, lift_once),
    "question attack-where": (say_one, cancel),
    "question in-hand": (lift_once,),
    "question who-stands": (confirm, cancel),
    "question moved-here": (confirm, cancel),
    f"{HUNT}: question moved-here": (confirm, cancel),
    "question moved-where": (say_one, put),
    "question turned": (confirm, cancel),
    "proposal by-hand board": (confirm, cancel),
    "proposal stands": (confirm, cancel),
    "proposal try-pin board": (confirm, cancel),
    "reminder attacked-unfelt": (confirm,),
    "reminder place-piece": (confirm, put),
    "reminder unfelt": (go_by("turn"),),
    "reminder unfelt choose": (go_by("choose"), go_by("turn")),
    "reminder stuck": (confirm, cancel),
    "answer by-hands": (wait,),
    "answer changed": (wait, cancel),
    "answer proposed-often": (wait,),
    "answer busy": (tidy, confirm, cancel),
    "answer attack-first": (confirm, put_back),
}
"""By sentence all that may be done by whoever takes it by its words; with a board's buttons, where it names
one."""
NOT_AT_THE_BOARD = {
    "answer no-player": "try again later",
    "answer name": "use fewer characters",
    "answer name-seat": "choose another name",
    "answer thinking": "try again soon",
    "answer pin-prove": "of whoever typed a PIN; the board asks him by `proposal try-pin board`",
    "answer pin-wait": "of whoever typed a PIN",
    "answer not-over": "of whoever asked for a new game on a screen",
    "button choose": "what a button does, on the card for the table's edge",
    f"{HUNT}: button choose": "the same",
    f"{CASTLE}: button choose": "the same",
    "button flash": "what a light means, on the same card",
    "trouble reed-flutters": "of whoever built the board: hands do nothing with pieces or buttons",
}
"""What asks for nothing at the board's pieces and buttons."""
BY_THE_TRACKER = {
    "chore put": "test_corrections.py",
    "chore put piece ring": "test_corrections.py",
    "chore take leaving": "test_corrections.py",
    "chore take piece": "test_corrections.py",
    "chore ring": "test_shared_spaces.py",
    "chore ring own": "test_corrections.py",
    "fault no-attack": "test_rules.py",
}
"""What no script brings about: hands of scripts set nothing down between two rings. Where it is tested that
what hands do then comes out right."""
AT_SEVERAL_BOARDS = {
    "fault not-at-home": "test_several_boards.py",
    "at board waits": "test_several_boards.py",
    "at board silent": "test_several_boards.py",
}
"""What is said at a table of several boards alone. Where it is tested that who obeys loses nothing."""
ACTIONS = re.compile(r"(fuhrer|colditz|stratego)/|event |text ")
"""Words of a game that name an action of its own, as `Roll the dice first`, or tell what a card does: doing
it is what they are about."""


ROLLED = GUARDED + "press turn\nwait 2500\n"
TWO_ARMIES = (
    "setup red a1=F b1=B a2=B c3=S d3=3 e2=3 a3=2 g3=2 e3=10 h3=9\n"
    "setup blue a8=F b8=B a7=B c6=S d6=3 e7=3 b6=2 h6=2 e6=10 g6=9\nwait 1500\n"
)
AMONG = "press turn\nwait 1500\n" * 3 + "lift munich\nplace ulm\nwait 22000\n"
DECLINED = "say allies adjourn\nwait 1500\nsay hitler no adjourn\nwait 1500\n"
SCRIPTS = {
    "hunt: too far": (HUNT, "say allies stay\nwait 1500\nlift augsburg\nplace kiel\nwait 9000\n"),
    "hunt: deaf": (
        HUNT,
        "say allies stay\nwait 1500\nlift augsburg\nplace kiel\nwait 1500\nreed augsburg open\n"
        "lift kiel\nplace augsburg\nwait 9000\n",
    ),
    "hunt: among others": (HUNT, AMONG),
    "hunt: beside another": (HUNT, AMONG),
    "hunt: in the hand": (
        HUNT,
        "say allies roll\nwait 1500\nlift ulm\nwait 1500\npress turn\nwait 2000\n",
    ),
    "duel: one of two": (
        DUEL,
        f"{TWO_ARMIES}lift h3\nplace h4\nwait 1500\nlift g6\nplace g5\nwait 1500\n"
        "lift h4\nplace h5\nwait 1500\n"
        "lift b6\nplace b5\nwait 1500\nlift h5\nlift g5\nlift h6\nwait 5000\n",
    ),
    "duel: wrong PINs": (DUEL, TWO_ARMIES),
    "hunt: proposes": (HUNT, DECLINED * 3 + "say allies adjourn\n"),
    "castle: too far": (CASTLE, ROLLED + "lift a8\nplace n9\nwait 9000\n"),
    "castle: not rolled": (CASTLE, GUARDED + "lift a8\nplace a7\nwait 9000\n"),
    "castle: deaf": (
        CASTLE,
        ROLLED + "lift a8\nplace n9\nwait 1500\nreed a8 open\nlift n9\nplace a8\nwait 9000\n",
    ),
}
"""Scripts of other games than the duel, whose own are those of docs/understand/tracker.md."""


def scene(name: str, folder: Path) -> Scene:
    """The script of that name, before its first line."""
    journal = folder / "journal.db"
    if name in SCRIPTS:
        game, text = SCRIPTS[name]
        if game == HUNT:
            far = (
                name == "hunt: among others"
            )  # where a piece may go to one city alone, that one is asked about
            stood = STOOD.format(hidden="hide cottbus")
            return Scene(stood + text, HUNT, HUNT, {}, journal, lambda weights: int(far))
        dice = thrown_by(random.Random(5))
        if game == DUEL:
            return Scene(text, DUEL, "quick-battle-8x8", {}, journal, dice)
        return Scene(text, CASTLE, CASTLE, {"limited": False}, journal, dice, players=2)
    path = next(HANDS.rglob(f"{name}.hands"))
    row = read_row(path)
    return Scene(
        path.read_text(), row.game, row.board, row.table, journal, thrown_by(random.Random(5)), **row.options
    )


def told_to_do() -> dict[str, str]:
    """Every sentence that tells people to do something: by id, those of a game with its name before."""
    found = {id_: text for id_, text in TEXTS.items() if IMPERATIVE.search(text)}
    for game in registry.games():
        for id_, text in announce.sentences(game).texts.items():
            if IMPERATIVE.search(text) and TEXTS.get(id_) != text and not ACTIONS.match(id_):
                found[f"{game}: {id_}"] = text
    return found


@cache
def pattern(sentence: str) -> re.Pattern[str]:
    """What the sentence looks like, whatever it names."""
    made, named = "", set()
    game, _, id_ = sentence.rpartition(": ")
    text = announce.sentences(game).texts[id_] if game else TEXTS[sentence]
    for place, part in enumerate(re.split(r"\{(\w+)\}", text)):
        again = part in named
        made += re.escape(part) if not place % 2 else f"(?P={part})" if again else f"(?P<{part}>.+?)"
        named |= {part} if place % 2 else set()
    return re.compile(made)


SAID = (
    ("chore put seat", "castle: too far"), ("chore put seat", "castle: not rolled"),
    ("chore put seat", "castle: deaf"), ("chore put seat", "not-allowed"), ("chore put seat", "who-won"),
    ("chore put seat", "swapped"), ("chore put seat", "put-back"),
    ("chore put from", "by-hand-said"),
    ("chore put piece", "hunt: too far"), ("chore put piece", "hunt: deaf"),
    ("chore take", "hunt: too far"), ("chore take", "castle: too far"), ("chore take", "castle: not rolled"),
    ("chore take", "one-too-many"), ("chore take", "stuck-reed"),
    ("chore take seat", "defender-won"), ("chore take seat", "swapped"),
    ("chore take beaten", "touch"), ("chore take beaten", "set-upon"), ("chore centre", "between"),
    ("fault not-your-turn", "out-of-turn"), ("fault not-your-turn", "put-back-in-turn"),
    ("fault touch-move", "touch-move"), ("fault pieces-down", "knocked"), ("fault not-ready", "not-ready"),
    ("fault muddle", "two-lifted"),
    ("question attack-pending", "attack"), ("question attack-pending", "proposed-meanwhile"),
    ("question attack-counting", "attack-hold"), ("question attack-which", "duel: one of two"),
    ("question attack-here", "dead-to"), ("question attack-here", "set-upon"),
    ("question attack-where", "set-upon-one-of-two"), ("question in-hand", "held-up"),
    ("question in-hand", "not-allowed"), ("question who-stands", "who-won"),
    ("question who-stands", "cut-who-stands"), ("question moved-here", "dead-reed"),
    (f"{HUNT}: question moved-here", "hunt: beside another"), ("question moved-where", "hunt: among others"),
    ("question turned", "turned"), ("proposal by-hand board", "stuck-off"),
    ("proposal by-hand board", "dead-to-buttons"), ("proposal stands", "stands"),
    ("proposal try-pin board", "duel: wrong PINs"), ("reminder attacked-unfelt", "child"),
    ("reminder place-piece", "set-up-by-buttons"), ("reminder unfelt", "dead-to"),
    ("reminder unfelt", "not-allowed"), ("reminder unfelt", "set-upon"), ("reminder unfelt", "stuck-off"),
    ("reminder unfelt choose", "hunt: too far"), ("reminder unfelt choose", "hunt: deaf"),
    ("reminder unfelt choose", "castle: too far"), ("reminder unfelt choose", "castle: not rolled"),
    ("reminder unfelt choose", "castle: deaf"), ("reminder stuck", "stuck-off"),
    ("answer by-hands", "set-upon-one-of-two"), ("answer changed", "draw-while-pressing"),
    ("answer changed", "sign-alone"), ("answer proposed-often", "hunt: proposes"),
    ("answer busy", "hunt: in the hand"), ("answer attack-first", "proposed-meanwhile"),
)  # fmt: skip
"""Each sentence of `READERS`, and scripts in which it is said: of every game that says it."""
CASES = [(sentence, name, reader) for sentence, name in SAID for reader in READERS[sentence]]


def test_every_sentence_that_tells_people_to_do_something_is_read() -> None:
    covered = {*READERS, *NOT_AT_THE_BOARD, *BY_THE_TRACKER, *AT_SEVERAL_BOARDS}
    assert set(told_to_do()) == covered, "a new sentence wants a row of its own"
    assert {sentence for sentence, _ in SAID} | {*BY_THE_TRACKER} == {*READERS}
    tracking = HANDS.parent / "tracking"
    for file in BY_THE_TRACKER.values():
        assert (tracking / file).exists()
    for file in AT_SEVERAL_BOARDS.values():
        assert (Path(__file__).parent / file).exists()


@pytest.mark.few(12)
@pytest.mark.cases(16)
@pytest.mark.parametrize(
    ("sentence", "name", "reader"),
    CASES,
    ids=[f"{sentence}-{name}-{reader.__name__}" for sentence, name, reader in CASES],
)
def test_who_does_to_the_letter_what_is_said_loses_nothing(
    sentence: str, name: str, reader: Reader, tmp_path: Path
) -> None:
    found = scene(name, tmp_path)
    named = found.until(sentence, "try-pin" if "try-pin" in sentence else "")
    loses_nothing(found, reader, named)
    found.bench.close()


def loses_nothing(found: Scene, reader: Reader, named: dict[str, str]) -> None:
    """Let somebody do what is said, and look what comes of it."""
    read, state = len(found.lines), found.state
    proposed = {proposal.request for proposal in found.table.proposals}
    reader(found, named)
    found.bench.wait(4 * SECOND)
    done = found.actions(read)
    buttons = {str(action) for action in state.button_actions().values()}
    lost = {"resign", "offer-draw", "ask-take-back", "stay", "done", "liberate", "end", "roll", *buttons}
    assert not lost & set(done), f"what came of it: {done}"
    new = {proposal.kind() for proposal in found.table.proposals if proposal.request not in proposed}
    assert new <= {*PROPOSED_TO_THE_BOARD}, "it proposes nothing else"
    assert found.state.outcome is None, "nobody has lost"
    wish = found.table.take_agreed_request()
    assert wish is None or wish.request in proposed, "no seat moves, nothing is shut down"


VARIANTS = (
    ("stratego-quick-duel", "quick-battle-8x8"), ("stratego-quick-barrage", "quick-battle-8x8"),
    ("stratego-classic", "classic-10x10"), ("stratego-barrage", "classic-10x10"),
    ("stratego-duel", "classic-10x10"),
)  # fmt: skip


@pytest.mark.parametrize(("game", "board"), VARIANTS, ids=[game for game, _ in VARIANTS])
@pytest.mark.parametrize("reed", ["stuck", "fine"])
def test_the_turn_button_harms_nobody_after_a_refusal_on_boards_without_choose(
    game: str, board: str, reed: str, tmp_path: Path
) -> None:
    assert "choose" not in load_board(board).buttons
    state, chance, text = registry.new(game), random.Random(game), ""
    stand: set[str] = set()
    for seat in state.seats:
        army = registry.package(game).suggest_setup(state.options, seat, "", {}, chance)
        stand |= {*army}
        text += f"setup {seat} {' '.join(f'{at}={rank}' for at, rank in army.items())}\n"
    own = sorted(stand & {*state.zone("red")})[-1]
    far = next(
        at for at in sorted(load_board(board).spaces)
        if at not in stand and at[0] != own[0] and abs(int(at[1:]) - int(own[1:])) > 1
    )  # fmt: skip
    text += f"wait 1500\nlift {own}\nplace {far}\nwait 3000\n"
    if reed == "stuck":  # it was put back, and nothing feels that
        text += f"reed {own} open\nlift {far}\nplace {own}\n"
    text += "wait 25000\n"
    found = Scene(text, game, board, {}, tmp_path / "journal.db", thrown_by(chance))
    named = found.until("reminder unfelt")
    loses_nothing(found, go_by("turn"), named)
    assert found.state.seats_to_act() == ("red",), "it is Red's move still"
    found.bench.close()
