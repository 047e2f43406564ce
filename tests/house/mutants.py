"""Mutants: small changes of the program that must not go unnoticed, and the tests that have to notice them.

A mutant is a text that stands once in a source, what stands there instead, and what pytest is given to run
over a copy of the program that is changed so. It is *killed* if a test fails, and *survives* if all pass.
The copy has an environment of its own, so that it is also what a test runs that starts the command in a
process with a cleared environment.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sysconfig
import venv
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import distributions

ROOT = Path(__file__).resolve().parents[2]
PASSED, FAILED = 0, 1
"""What pytest returns: all tests passed, or some failed. Anything else says that they did not run."""


class Mutant(NamedTuple):
    """A change, by what the program does without it."""

    name: str
    file: str
    there: str
    without: str
    tests: tuple[str, ...]
    """Arguments for pytest."""


def mutated(mutant: Mutant, root: Path = ROOT) -> str:
    """The source with that change. Raises `LookupError` if its text isn't there just once."""
    text = (root / mutant.file).read_text()
    count = text.count(mutant.there)
    if count != 1:
        raise LookupError(
            f"{mutant.name}: {mutant.there!r} stands {count} times in {mutant.file}, expected once: "
            "the mutant has to follow the source"
        )
    changed = text.replace(mutant.there, mutant.without)
    ast.parse(changed)
    return changed


def copy_tree(to: Path, root: Path = ROOT) -> None:
    """Copy all that the tests need."""
    for folder in (*distributions.PARTS, "tests"):
        if (root / folder).is_dir():
            shutil.copytree(root / folder, to / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", to)


def install(folder: Path) -> None:
    """Make an environment in `folder` whose commands run the copy there: what it imports from elsewhere is
    taken from this environment, its own packages from `folder` alone, whatever `PYTHONPATH` is."""
    own = folder / "environment"
    venv.create(own, symlinks=True)
    paths = [*distributions.folders(folder), *map(sysconfig.get_path, ("purelib", "platlib"))]
    site = Path(sysconfig.get_path("purelib", vars={"base": str(own), "platbase": str(own)}))
    # Without bytecode: two sources of one size and one second look alike to Python.
    lines = ("import sys; sys.dont_write_bytecode = True", *map(str, dict.fromkeys(paths)))
    (site / "copy.pth").write_text("\n".join((*lines, "")))
    for entry in metadata.distribution("boardumpire").entry_points.select(group="console_scripts"):
        module, _, function = entry.value.partition(":")
        script = own / "bin" / entry.name
        start = (f"#!{own}/bin/python", "import sys", f"from {module} import {function}")
        script.write_text("\n".join((*start, f"sys.exit({function}())", "")))
        script.chmod(0o755)


def run(tests: Iterable[str], folder: Path) -> tuple[int, str]:
    """Run tests over the program in `folder`, where `install` was: what pytest returns, and what it says."""
    quick = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    python = folder / "environment" / "bin" / "python"
    command = [python, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=line", *tests]
    told = subprocess.run(
        command, cwd=folder, env={**inherited, **quick}, capture_output=True, text=True, check=False
    )
    return told.returncode, told.stdout + told.stderr


def survivors(mutants: Iterable[Mutant], folder: Path, root: Path = ROOT) -> list[str]:
    """The names of those that no test notices, tried in a copy in `folder`, which must not exist yet.

    Raises `LookupError` as `mutated` does, and `RuntimeError` if tests don't run, or fail over the program
    as it is.
    """
    copy_tree(folder, root)
    install(folder)
    mutants = list(mutants)
    for tests in dict.fromkeys(mutant.tests for mutant in mutants):
        code, told = run(tests, folder)
        if code != PASSED:
            raise RuntimeError(f"{' '.join(tests)}: does not pass over the program as it is\n{told}")
    alive = []
    for mutant in mutants:
        path = folder / mutant.file
        as_it_is = path.read_text()
        path.write_text(mutated(mutant, folder))
        code, told = run(mutant.tests, folder)
        path.write_text(as_it_is)
        if code == PASSED:
            alive.append(mutant.name)
        elif code != FAILED:
            raise RuntimeError(f"{mutant.name}: the tests don't run\n{told}")
    return alive


# The mutants

FOLLOWING, CHORES = (
    "controller/umpire/boardumpire/tracking/piece_tracker.py",
    "controller/umpire/boardumpire/tracking/corrections.py",
)
SIGNS, STACKS = (
    "controller/umpire/boardumpire/tracking/attack_confirmation.py",
    "controller/umpire/boardumpire/tracking/shared_spaces.py",
)
TRACKER, STATES, BOARD_STATE, SWAP_DOUBTS, ANSWERS = (
    f"controller/umpire/boardumpire/tracking/{name}.py"
    for name in ("tracker", "states", "board_state", "swap_doubts", "answers")
)
ATTACK_RULES, LIFTED_RULES, MOVE_RULES, SET_DOWN_RULES = (
    f"controller/umpire/boardumpire/tracking/rules/{name}.py"
    for name in ("attacks", "lifted", "moves", "set_down")
)
IDENTITY, SUSPICIONS = (
    "controller/umpire/boardumpire/tracking/identity.py",
    "controller/umpire/boardumpire/tracking/stuck_sensors.py",
)
DOUBTS, SET_UP_WATCH = (
    "controller/umpire/boardumpire/tracking/open_doubts.py",
    "controller/umpire/boardumpire/tracking/set_up_watch.py",
)
OF_DOUBTS, OF_SET_UP_WATCH = (
    ("tests/tracking/test_open_doubts.py",),
    ("tests/tracking/test_set_up_watch.py",),
)
OF_FOLLOWING, OF_CHORES = (
    ("tests/tracking/test_piece_tracker.py",),
    ("tests/tracking/test_correction_list.py",),
)
OF_SIGNS, OF_STACKS = (
    ("tests/tracking/test_attack_confirmation.py",),
    ("tests/tracking/test_shared_spaces.py",),
)
OF_RULES = ("tests/tracking/test_rules.py",)
OF_TRACKER, OF_IDENTITY = ("tests/tracking/test_tracker.py",), ("tests/tracking/test_identity.py",)

UMPIRE, PROPOSALS = (
    "controller/umpire/boardumpire/ruling/umpire.py",
    "controller/umpire/boardumpire/ruling/proposals.py",
)
CLOCKS = "controller/umpire/boardumpire/ruling/clocks.py"
OF_UMPIRE, OF_PROPOSALS = ("tests/ruling/test_umpire.py",), ("tests/ruling/test_proposals.py",)
OPEN_MATTERS = "controller/umpire/boardumpire/table/open_matters.py"
OPEN_PROPOSALS = "controller/umpire/boardumpire/table/open_proposals.py"
OF_OPEN_MATTERS = (
    "tests/table/test_open_matters.py",
    "-m",
    "not nightly",
    "-k",
    "not interleavings and not young",
)
OF_LAPSES = ("tests/table/test_rows.py", "-k", "plain and (resign or sign-alone or held-answers or of-each)")
OF_CLOCKS = ("tests/table/test_clocks.py", "-m", "not slow")

MEANINGS, DISPLAY = (
    "controller/umpire/boardumpire/lamps/policy.py",
    "controller/umpire/boardumpire/lamps/display.py",
)
SURFACE = "controller/umpire/boardumpire/lamps/orientation.py"
HUNT_LAMPS = "controller/rules/boardrules/fuhrer/lamps.py"
OF_MEANINGS, OF_VIEW_MARKS = ("tests/lamps/test_shown_marks.py",), ("tests/lamps/test_view_marks.py",)
OF_DISPLAY = ("tests/lamps/test_display.py",)

CABLE, HUB = "hardware/drivers/boardware/pico_cable.py", "hardware/drivers/boardware/pico.py"
LINK = "firmware/boardwire/link.py"
OF_HUB, OF_LINK = (
    ("tests/pico/test_hub.py",),
    ("tests/wire/test_link.py", "-k", "not fuzz"),
)

REPETITION = "controller/rules/boardrules/stratego/repetition.py"
LISTING = "controller/rules/boardrules/colditz/legal/listing.py"
OF_REPETITION = ("tests/rules/test_runs_and_chases.py",)
OF_ARRESTS = ("tests/rules/colditz/test_arrests.py",)
WALKS = "controller/rules/boardrules/colditz/moving/walk_search.py"
STEPS, STEP_EFFECTS = (
    "controller/rules/boardrules/colditz/state/moves.py",
    "controller/rules/boardrules/colditz/moving/step_effects.py",
)
CASTLE_OPTIONS = "controller/rules/boardrules/colditz/state/options.py"
OF_WALKS = ("tests/rules/colditz/test_walks.py", "tests/rules/colditz/test_movement.py")
OF_WALKS_BACK = ("tests/rules/colditz/test_walks_back.py",)
OF_REPLAY = ("tests/rules/colditz/test_replay.py",)

SECRECY, JOURNAL = (
    "controller/umpire/boardumpire/messages/disclosure.py",
    "controller/umpire/boardumpire/journal/journal.py",
)
OF_LEAKS = ("tests/table/test_secrets.py",)
OF_TWINS = ("tests/table/test_twins.py", "-m", "not nightly")

FITTING, MEASURED = (
    "hardware/drivers/boardware/physics/fitting.py",
    "controller/umpire/boardumpire/makers/measurement_result.py",
)
JUDGE = "controller/umpire/boardumpire/makers/traces/judge.py"
OF_BENCH = ("tests/makers/test_readings.py",)
OF_MEASURE = ("tests/makers/test_measure.py", "-k", "another_magnet or too_little or promises")
OF_JUDGE = ("tests/makers/test_judge.py", "-k", "(flickering or shifted) and usual-0")

COPPER = "hardware/make/boardmake/circuit/copper.py"
ETCHED = "sim/simulator/boardsim/world/etched.py"
FEET = "hardware/make/boardmake/bases/description.py"
OPENSCAD = "hardware/make/boardmake/bases/openscad.py"

MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "tracking": (
        Mutant(
            "a stranger that has stood for long is explained by the next lift",
            FOLLOWING,
            "if not homes and at - self._placed.get(space, at) <= self._overlap:",
            "if not homes:",
            OF_FOLLOWING,
        ),
        Mutant(
            "a touch counts as a swap",
            FOLLOWING,
            "if lifted is None or at - lifted > self._short:",
            "if lifted is None or at - lifted > 0:",
            OF_FOLLOWING,
        ),
        Mutant(
            "a piece that is certain elsewhere counts as in a hand",
            FOLLOWING,
            "return set(self.lifted_at) - certain",
            "return set(self.lifted_at)",
            OF_FOLLOWING,
        ),
        Mutant(
            "an early reply needs no step",
            CHORES,
            "if space in position.steps.get(home, ()):",
            "if position.steps.get(home, ()):",
            OF_CHORES,
        ),
        Mutant(
            "a reed that flickers settles who stands there",
            CHORES,
            "if known is None or now - known.at > self._short:",
            "if known is None or now - known.at >= self._short:",
            OF_CHORES,
        ),
        Mutant(
            "a neighbour that flickers was pushed away",
            CHORES,
            "if self.doubtful_occupants.get(other) == space\n",
            "if self.doubtful_occupants.get(other) == other\n",
            OF_CHORES,
        ),
        Mutant(
            "a piece is pushed onto a chore from anywhere",
            CHORES,
            " or not position.is_beside(origin, space)",
            "",
            OF_CHORES,
        ),
        Mutant(
            "a stray that nobody in play explains is no chore",
            CHORES,
            "self.outstanding |= piece_tracker.stray_candidates.keys()",
            "pass",
            OF_CHORES,
        ),
        Mutant(
            "a wrong piece is no chore while others are open",
            IDENTITY,
            "if doubted or chores.outstanding:",
            "if doubted:",
            OF_IDENTITY,
        ),
        Mutant(
            "one more piece is felt than a space has slots",
            STACKS,
            "if number_of(where) >= slot_counts.get(space_of(where), 1)",
            "if number_of(where) > slot_counts.get(space_of(where), 1)",
            OF_STACKS,
        ),
        Mutant(
            "a correction names whoever stands last in the layout",
            STACKS,
            "belong = [*on, *missing, *off]",
            "belong = [*layout.get(space, ())]",
            ("tests/tracking/test_corrections.py", *OF_STACKS),
        ),
        Mutant(
            "men who traded places by one ruling stay where they are",
            STACKS,
            "gone.append(piece)",
            "pass",
            ("tests/tracking/test_corrections.py", *OF_STACKS),
        ),
        Mutant(
            "of two targets the first counts as attacked",
            SIGNS,
            "if len(stayed) == 1:",
            "if len(stayed) >= 1:",
            OF_SIGNS,
        ),
        Mutant(
            "a target that comes up with the tap counts as attacked",
            SIGNS,
            "up[target] < tap.at",
            "up[target] <= tap.at",
            OF_SIGNS,
        ),
        Mutant(
            "a reed is suspected one time later",
            SUSPICIONS,
            "self._count[space] + 1 >= MISSED_OPENINGS_MIN",
            "self._count[space] + 1 > MISSED_OPENINGS_MIN",
            OF_SIGNS,
        ),
        Mutant(
            "hints are shown on a lift while chores are open",
            BOARD_STATE,
            "alone = own[0] if len(own) == 1 and not outstanding else None",
            "alone = own[0] if len(own) == 1 else None",
            OF_TRACKER,
        ),
        Mutant(
            "actions are judged while chores are open",
            STATES,
            "lambda s: s.corrections.outstanding",
            "lambda s: False",
            OF_TRACKER,
        ),
        Mutant(
            "what the other side put back later still asks for a take-back",
            SET_DOWN_RULES,
            " and (\n        situation.nothing_lifted or situation.position.is_waiting_for_answer\n    ):\n",
            ":\n",
            OF_TRACKER,
        ),
        Mutant(
            "of two questions the second is pending while the first waits",
            ATTACK_RULES,
            "        return None  # that is asked first: one answer can't be meant for two\n",
            "        pass\n",
            OF_RULES,
        ),
        Mutant(
            "who stands in doubt is overlooked",
            SET_DOWN_RULES,
            "situation.piece_tracker.initial_candidates.get(space, frozenset())",
            "frozenset()",
            OF_RULES,
        ),
        Mutant(
            "where pieces are alike it is asked who holds one",
            LIFTED_RULES,
            "        situation.position.has_alike_pieces\n        or len(own) != 1\n",
            "        len(own) != 1\n",
            OF_RULES,
        ),
        Mutant(
            "a board of two pieces is put away too",
            LIFTED_RULES,
            "and len(judged) > 2\n",
            "and len(judged) >= 2\n",
            OF_TRACKER,
        ),
    ),
    "ruling": (
        Mutant(
            "the winner's space is no exchange",
            UMPIRE,
            "if stood and stands and not set(stood) <= set(stands) else None",
            "if stood and stands and set(stood) <= set(stands) else None",
            OF_UMPIRE,
        ),
        Mutant(
            "a battle may be put back",
            UMPIRE,
            "self._after[turns] = None if battle else (hands[0], hands[1])",
            "self._after[turns] = (hands[0], hands[1])",
            OF_UMPIRE,
        ),
        Mutant(
            "after a take-back no other move may be put back",
            UMPIRE,
            """        elif words not in ("agree-take-back", WALK_BACK_ACTION):
            self._after[turns] = last
""",
            '        else:\n            self._after[turns] = None if words == "agree-take-back" else last\n',
            OF_UMPIRE,
        ),
        Mutant(
            "what is felt beside a piece that comes home is a piece too many",
            SET_DOWN_RULES,
            "    if middle is not None:\n",
            "    if False:\n",
            OF_TRACKER,
        ),
        Mutant(
            "a piece is centred for ever where a reed sticks",
            TRACKER,
            "            board.piece_tracker.reported_extra_places.update(fault.spaces)\n",
            "",
            OF_TRACKER,
        ),
        Mutant(
            "a question to the other side holds up the mover",
            STATES,
            "(s.swap_question.seat in s.position.seats_to_move or not s.piece_tracker.differing_spaces())\n",
            "True\n",
            OF_RULES,
        ),
        Mutant(
            "a piece is attacked before it is known who that is",
            MOVE_RULES,
            "        if target in pair:  # nobody is attacked before it is known who that is\n",
            "        if False:\n",
            OF_RULES,
        ),
        Mutant(
            "the mover's clock runs while the other side is asked",
            "controller/umpire/boardumpire/table/timekeeper.py",
            "                return match.guidance.question.seat\n",
            "                return seat\n",
            OF_CLOCKS,
        ),
        Mutant(
            "pieces that a bump hid were in hands",
            FOLLOWING,
            "if len(back) >= BUMPED_PIECES_MIN and len(back) > away:",
            "if False:",
            OF_TRACKER,
        ),
        Mutant(
            "pieces that fell and were set up one by one were in no hand",
            FOLLOWING,
            "if at - back <= self._short}",
            "}",
            OF_TRACKER,
        ),
        Mutant(
            "a bump settles who is who",
            SWAP_DOUBTS,
            "self.swapped_pairs -= {pair for pair in self._fresh if pair & bumped}",
            "self.swapped_pairs -= {pair for pair in self.swapped_pairs if pair & bumped}",
            OF_TRACKER,
        ),
        Mutant(
            "pieces of two seats never trade places",
            SWAP_DOUBTS,
            "if len({position.side_of(seat) for seat in seats}) > 1:",
            "if len(seats) > 1:",
            ("tests/table/test_rows.py", "-k", "swapped-allies and plain"),
        ),
        Mutant(
            "a piece that nobody feels has to come up",
            ANSWERS,
            "(pieces.felt_places & doubtful) - unfelt",
            "pieces.felt_places & doubtful",
            ("tests/table/test_rows.py", "-k", "swapped-by-hand and plain"),
        ),
        Mutant(
            "a pair in hands is no doubt yet",
            TRACKER,
            "pairs = known.swap_pairs | together",
            "pairs = known.swap_pairs",
            OF_TRACKER,
        ),
        Mutant(
            "a start forgets between which squares a battle was fought",
            BOARD_STATE,
            "        elif battle is not None:\n            turn.last_battle = battle\n",
            "",
            OF_TRACKER,
        ),
        Mutant(
            "what may be the winner is taken off before it is asked who that is",
            BOARD_STATE,
            "                corrections.outstanding.discard(other)  # it is asked who that is before it is "
            "taken off\n",
            "",
            OF_TRACKER,
        ),
        Mutant(
            "a word forgets what is asked",
            BOARD_STATE,
            "claims = frozenset() if hands_moved else frozenset(corrections.doubtful_occupants.items())",
            "claims: frozenset[tuple[Home, Space]] = frozenset()",
            OF_TRACKER,
        ),
        Mutant(
            "a piece that its owner called wrong stays after a start",
            BOARD_STATE,
            "        corrections.require_correction(known.wrong_piece_spaces & standing)\n",
            "",
            OF_TRACKER,
        ),
        Mutant(
            "a piece put back to ask for it is led back after a start",
            BOARD_STATE,
            "if self.position.is_waiting_for_answer and last is not None else set()",
            "if False else set()",
            OF_TRACKER,
        ),
        Mutant(
            "pieces in hands while the board is out of sight are not swapped",
            BOARD_STATE,
            "{pair for pair in together if pair & pieces.felt_places}\n",
            "set()\n",
            OF_TRACKER,
        ),
        Mutant(
            "a doubtful piece that moves takes no doubt along",
            DOUBTS,
            "frozenset(names.get(home, home) for home in pair)",
            "frozenset(pair)",
            OF_DOUBTS,
        ),
        Mutant(
            "a set-up that is said anew stays in doubt",
            SET_UP_WATCH,
            "if pair <= named.keys() and pair.isdisjoint(said)\n",
            "if pair <= named.keys()\n",
            OF_SET_UP_WATCH,
        ),
        Mutant(
            "a piece that is pushed onto another's square during the set-up goes unseen",
            SET_UP_WATCH,
            "and now - self._came[1] <= self._overlap:",
            "and now < self._came[1]:",
            OF_SET_UP_WATCH,
        ),
        Mutant(
            "where a lost piece went is not asked once its own space is played by hand",
            STATES,
            "    Transition(\n"
            "        STATE.IN_ORDER,\n"
            "        standing.ask_about_mislaid_piece,\n"
            "        (QUESTION.MOVED_HERE,),\n"
            "        SETTLE_DELAY,\n"
            "        next_after_no=True,\n"
            "    ),\n",
            "",
            OF_TRACKER,
        ),
        Mutant(
            "whether a lost piece went there is asked again after no",
            ANSWERS,
            "turn.mislaid_candidates = (home, *turn.mislaid_candidates[2:])",
            "pass",
            OF_TRACKER,
        ),
        Mutant(
            "what a child sets down is taken for the mover's piece",
            SET_DOWN_RULES,
            "if stands is not None and _unexplained_places(situation)\n",
            "if False\n",
            OF_TRACKER,
        ),
        Mutant(
            "words of who is not to act count as moves",
            UMPIRE,
            "    if seat not in state.seats_to_act():  # it can only say something, and its own words are no "
            "moves\n        return None\n",
            "",
            OF_UMPIRE,
        ),
        Mutant(
            "who wants a seat may agree for whoever has it",
            PROPOSALS,
            "return not yes and seat == proposal.by",
            "return seat == proposal.by",
            OF_PROPOSALS,
        ),
        Mutant(
            "who proposes has to agree as well",
            PROPOSALS,
            "(set() if all_of_them else {by})",
            "set()",
            OF_PROPOSALS,
        ),
        Mutant(
            "the board's button says yes for open screens",
            PROPOSALS,
            "proposal.seats_asked & frozenset(away if own_wish else screens)",
            "frozenset()",
            OF_PROPOSALS,
        ),
        Mutant(
            "a seat whose screen is open moves by others' yes",
            PROPOSALS,
            'if proposal.kind() == "move-seat" and',
            "if False and",
            OF_PROPOSALS,
        ),
        Mutant(
            "what was asked just now takes a yes",
            OPEN_MATTERS,
            "if now - max(born, changed.get(answer.person, 0)) < SETTLING_TIME_US:",
            "if False:",
            OF_OPEN_MATTERS,
        ),
        Mutant(
            "what came before takes the yes at once when the newest goes",
            OPEN_MATTERS,
            "max(born, changed.get(answer.person, 0))",
            "born",
            OF_OPEN_MATTERS,
        ),
        Mutant(
            "the sign of an attack gives way to what is proposed later",
            OPEN_MATTERS,
            "if answer.word == YES and sign is not None:",
            "if False and sign is not None:",
            OF_OPEN_MATTERS,
        ),
        Mutant(
            "an attack takes a yes at once",
            OPEN_MATTERS,
            "if now - sign.open_since >= SETTLING_TIME_US\n",
            "if True\n",
            OF_OPEN_MATTERS,
        ),
        Mutant(
            "a button counts whatever it has just come to mean",
            OPEN_MATTERS,
            "settled = now - changed.get(answer.word, 0) >= SETTLING_TIME_US",
            "settled = True",
            OF_OPEN_MATTERS,
        ),
        Mutant(
            "turn ends the turn where the board says to go on with it",
            "controller/umpire/boardumpire/table/buttons.py",
            "bool(self._question_options() or self._unsensed_options()) or (\n",
            "(\n",
            ("tests/table/test_literal_readers.py", "-k", "unfelt"),
        ),
        Mutant(
            "whoever is not asked may name a question",
            OPEN_MATTERS,
            "if answer.person in _persons_allowed(matter, answer.word)]",
            "if True]",
            OF_OPEN_MATTERS,
        ),
        Mutant(
            "what was only implied takes the yes to what is asked",
            OPEN_MATTERS,
            "told = [each for each in mine if each.kind != IMPLIED_MATTER] or mine",
            "told = mine",
            OF_OPEN_MATTERS,
        ),
        Mutant(
            "a proposal never lapses",
            PROPOSALS,
            "LAPSES_AFTER_US: Micros = 20 * SECOND",
            "LAPSES_AFTER_US: Micros = 2000 * SECOND",
            OF_LAPSES,
        ),
        Mutant(
            "a proposal outlives a move of its seat",
            OPEN_PROPOSALS,
            "(now >= since + LAPSES_AFTER_US or played or asked or over)",
            "(now >= since + LAPSES_AFTER_US or asked or over)",
            OF_LAPSES,
        ),
        Mutant(
            "a held button proposes while something is asked",
            "controller/umpire/boardumpire/table/board_buttons.py",
            "not isinstance(event, ButtonPressed) and not self._is_hold_like_press(button)",
            "not isinstance(event, ButtonPressed)",
            OF_LAPSES,
        ),
        Mutant(
            "a proposal outlives the game",
            OPEN_PROPOSALS,
            "(now >= since + LAPSES_AFTER_US or played or asked or over)",
            "(now >= since + LAPSES_AFTER_US or played or asked)",
            ("tests/table/test_ends.py", "-k", "lapses_with_its_end"),
        ),
        Mutant(
            "a button at the board answers for the machine",
            "controller/umpire/boardumpire/table/presence.py",
            "return self._table.machine_seats | self.away",
            "return self.away",
            ("tests/table/test_machine_seats.py",),
        ),
        Mutant(
            "a machine's move that nothing feels counts as done",
            "controller/umpire/boardumpire/commands/computer_players.py",
            "if ripe and table.assisted_moves.ask_whether_carried(way, monotonic()):\n",
            "if ripe:\n                self._host.submit_command(self._seat, text)\n",
            ("tests/evenings/test_lamps_alone.py", "-k", "nothing_feels"),
        ),
        Mutant(
            "what fingers lead is made once more for the next game",
            "sim/simulator/boardsim/page/fingers.py",
            "            wanted[piece.owner] -= 1\n        lying",
            "            pass\n        lying",
            ("tests/web/test_hands_tidy.py", "-k", "fingers_lead"),
        ),
        Mutant(
            "a hold that began as an answer is a gesture",
            "controller/umpire/boardumpire/table/board_buttons.py",
            "if self._matters.open_matters.has_changed_at_board(now - event.down_time):",
            "if False:",
            ("tests/table/test_rows.py", "-k", "held-from-before and plain"),
        ),
        Mutant(
            "a hold answers what came up just before it",
            "controller/umpire/boardumpire/table/board_buttons.py",
            "meant_at = now - max(0, event.down_time - QUICK_PRESS_MAX_US)",
            "meant_at = now - max(0, event.down_time - 5 * QUICK_PRESS_MAX_US)",
            ("tests/table/test_rows.py", "-k", "held-from-before and plain"),
        ),
        Mutant(
            "any answer says how the board lies",
            "controller/umpire/boardumpire/table/answer_dispatcher.py",
            'case "question" if match.own_question is not None:',
            "case _ if match.own_question is not None:",
            ("tests/table/test_rows.py", "-k", "turned-and-proposed and plain"),
        ),
        Mutant(
            "who keeps pieces off the board stops all clocks",
            "controller/umpire/boardumpire/table/match.py",
            "self._has_fallen_pieces = shown.code == FaultCode.PIECES_DOWN",
            "self._has_fallen_pieces = False",
            OF_CLOCKS,
        ),
        Mutant(
            "a press that nobody waits for is not seen",
            "controller/umpire/boardumpire/table/answer_dispatcher.py",
            "self.refuse_press(why, now)\n            return",
            "return",
            ("tests/table/test_rows.py", "-k", "nothing-asked and plain"),
        ),
        Mutant(
            "the lamps know of no screen that is opened",
            "controller/umpire/boardumpire/table/matter_finder.py",
            "if screens != self._screens_seen:",
            "if False:",
            ("tests/table/test_open_matters.py", "-m", "not nightly", "-k", "too_young"),
        ),
        Mutant(
            "a clock runs below nothing",
            CLOCKS,
            "taken = min(span, self.time_left_for(seat))",
            "taken = span",
            OF_CLOCKS,
        ),
        Mutant(
            "a turn gives back more than it took",
            CLOCKS,
            "return min(self.terms.extra, self.turn_time_spent)",
            "return self.terms.extra",
            OF_CLOCKS,
        ),
        Mutant(
            "a take-back leaves the clock as it is",
            CLOCKS,
            "time_left=starts[-1].time_left, seat_on_turn=seat,",
            "seat_on_turn=seat,",
            OF_CLOCKS,
        ),
    ),
    "lamps": (
        Mutant(
            "lifts are foreseen while chores are open",
            MEANINGS,
            "busy = guidance.corrections or guidance.lifted_places",
            "busy = guidance.lifted_places",
            OF_MEANINGS,
        ),
        Mutant(
            "a reed that is not believed is foreseen",
            MEANINGS,
            "position.judged_places() - position.hand_played_places - position.places_awaiting_answer",
            "position.judged_places() - position.places_awaiting_answer",
            OF_MEANINGS,
        ),
        Mutant(
            "a battle is shown that not everybody may know of",
            MEANINGS,
            "if result is not None and way is not None and event.audience is None:",
            "if result is not None and way is not None:",
            OF_MEANINGS,
        ),
        Mutant(
            "a result is shown for a moment too long",
            MEANINGS,
            "if show.since <= now < show.until:",
            "if show.since <= now <= show.until:",
            OF_MEANINGS,
        ),
        Mutant(
            "the round that was last is not past",
            HUNT_LAMPS,
            "range(1, now)}",
            "range(1, now - 1)}",
            OF_VIEW_MARKS,
        ),
        Mutant(
            "tickets are lit once it is over",
            HUNT_LAMPS,
            '"is-here")\n        return marks\n',
            '"is-here")\n',
            OF_VIEW_MARKS,
        ),
        Mutant(
            "a lift is answered ahead though more has happened",
            DISPLAY,
            "len(events) == 1\n            and isinstance(event, SensorChanged)",
            "isinstance(event, SensorChanged)",
            OF_DISPLAY,
        ),
        Mutant(
            "lifts are foreseen while a result is shown",
            DISPLAY,
            "self._ahead = {} if position is None or self._shows else",
            "self._ahead = {} if position is None else",
            OF_DISPLAY,
        ),
        Mutant(
            "a board that is turned round is lit as if it were not",
            SURFACE,
            'if not self.is_turned and "+" not in "".join(marks):',
            'if "+" not in "".join(marks):',
            OF_DISPLAY,
        ),
    ),
    "link": (
        Mutant(
            "a Pico that is not there is looked for all the time",
            CABLE,
            "        self._open_at = now + REOPEN_INTERVAL_US\n        try:\n            paths",
            "        try:\n            paths",
            OF_HUB,
        ),
        Mutant(
            "a Pico that was pulled is looked for at once",
            CABLE,
            "        self._open_at = now + REOPEN_INTERVAL_US\n        try:\n            if port",
            "        try:\n            if port",
            OF_HUB,
        ),
        Mutant(
            "events of several Picos are told unsorted",
            HUB,
            "return sorted(told, key=lambda event: event.at)",
            "return told",
            OF_HUB,
        ),
        Mutant(
            "what is not acknowledged is sent again at one pace",
            LINK,
            "            self._again_us = min(2 * self._again_us, RETRANSMIT_MAX_US)\n",
            "",
            OF_LINK,
        ),
        Mutant(
            "the pace has no end",
            LINK,
            "min(2 * self._again_us, RETRANSMIT_MAX_US)",
            "2 * self._again_us",
            OF_LINK,
        ),
        Mutant(
            "the pace stays slow once something was acknowledged",
            LINK,
            "            self._base = number\n            self._again_us = RETRANSMIT_US\n",
            "            self._base = number\n",
            OF_LINK,
        ),
        Mutant(
            "what was in flight in an old session is sent again in the new one",
            LINK,
            "        self._queue = []\n        self._flight = []\n        self._base = 0\n",
            "        self._queue = []\n        self._base = 0\n",
            OF_LINK,
        ),
        Mutant(
            "one frame too many is in flight",
            LINK,
            "while self._queue and len(self._flight) < WINDOW_FRAMES:",
            "while self._queue and len(self._flight) <= WINDOW_FRAMES:",
            OF_LINK,
        ),
        Mutant(
            "what comes out of order is told",
            LINK,
            "            if sequence >> 4 == self._expected:\n",
            "            if messages:\n",
            OF_LINK,
        ),
        Mutant(
            "an answer to an earlier hello opens the session",
            LINK,
            "        if session != self._session and self.state != CLOSED:\n"
            "            return  # an answer to an earlier hello\n",
            "",
            OF_LINK,
        ),
        Mutant(
            "more messages wait than there is room for",
            LINK,
            "len(self._queue) >= MAX_QUEUED_PAYLOADS:",
            "len(self._queue) > MAX_QUEUED_PAYLOADS:",
            OF_LINK,
        ),
    ),
    "rules": (
        Mutant(
            "men in the outer cells are not listed on a double (R050)",
            LISTING,
            "for cells in (grid.cells_inner, grid.cells_outer):\n        if pawn_at",
            "for cells in (grid.cells_inner,):\n        if pawn_at",
            OF_ARRESTS,
        ),
        Mutant(
            "a walk takes what it needs though points alone lead there",
            WALKS,
            "    for stop in stops:\n        node, over",
            "    for stop in ():\n        node, over",
            OF_WALKS,
        ),
        Mutant(
            "a walk on which something was spent is put straight back",
            "controller/rules/boardrules/colditz/play.py",
            """all(event.kind == "move" for event in events)""",
            "True",
            OF_WALKS_BACK,
        ),
        Mutant(
            "of two alike that trade places before the game no set-up is said anew",
            "controller/umpire/boardumpire/tags/army_learning.py",
            "self._said.get(seat) != stands",
            "self._said.get(seat) != stands and state.labels(seat) != {"
            "space: self._label_of_seat(seat, tag) for space, tag in stands.items()}",
            ("tests/tags/test_setup.py", "-k", "trade_places and readers"),
        ),
        Mutant(
            "a walk is put straight back after something else was done",
            "controller/rules/boardrules/colditz/play.py",
            "walked = self._walk_if_undoable(action, facts, events)",
            "walked = self._walk_if_undoable(action, facts, events) or self._walked",
            OF_WALKS_BACK,
        ),
        Mutant(
            "a walk is put straight back however late",
            "controller/umpire/boardumpire/table/match.py",
            "return carried == (hands[1], hands[0]) and soon",
            "return carried == (hands[1], hands[0])",
            ("tests/table/test_rows.py", "-k", "pushed-and-back and plain"),
        ),
        Mutant(
            "guards walk over no marker but at the end of their walk",
            STEPS,
            "            if guard_exit_refusal_code(position, way) is None:\n                yield way[0]",
            "            if False:\n                yield way[0]",
            OF_WALKS,
        ),
        Mutant(
            "a man who was at home walks through the free gates again",
            WALKS,
            "homeward and area[after] != INNER",
            "homeward",
            OF_WALKS,
        ),
        Mutant(
            "a walk ends where its pawn has to go back over it",
            WALKS,
            "        turn = replace(\n"
            "            turn, "
            "visited_nodes=(*turn.visited_nodes, *((pawn, left) for left in (start, *over[:-1])))\n"
            "        )\n",
            "        pass\n",
            ("tests/rules/colditz/test_movement.py", "-k", "go_back"),
        ),
        Mutant(
            "a guard has come and paid before somebody has answered",
            STEP_EFFECTS,
            """    ways = {"from": draft.space_name(draft.node_by_pawn[guard]), "to": draft.space_name(node)}
    draft.add_event("confront\"""",
            """    ways = {"from": draft.space_name(draft.node_by_pawn[guard]), "to": draft.space_name(node)}
    draft.add_event("move\"""",
            OF_REPLAY,
        ),
        Mutant(
            "more men may have to escape together than there are",
            CASTLE_OPTIONS,
            "range(1, _prisoner_count(players) + 1)",
            "range(1, 21)",
            ("tests/rules/test_ranges.py",),
        ),
        Mutant(
            "one turn more is free between two squares (Q12)",
            REPETITION,
            "            len(run) < self.limit\n            or run[0].target_square != move.origin_square\n",
            "            len(run) <= self.limit\n            or run[0].target_square != move.origin_square\n",
            OF_REPETITION,
        ),
        Mutant(
            "an answer counts though it leaves no threat (I14)",
            REPETITION,
            "evading = foe_chase and latest and latest.target_neighbours >> move.origin_square & 1",
            "evading = foe_chase and latest",
            OF_REPETITION,
        ),
        Mutant(
            "positions after an answer count for a pair (I17)",
            REPETITION,
            "for then in chase[::2]\n",
            "for then in chase\n",
            OF_REPETITION,
        ),
    ),
    "secrets": (
        Mutant(
            "a seat that says what it may not is refused for everybody to hear",
            "controller/umpire/boardumpire/table/seat_commands.py",
            "        self.check(seat, text)\n        action =",
            "        action =",
            ("tests/table/test_private_refusals.py",),
        ),
        Mutant(
            "the reason of a refusal is public",
            SECRECY,
            "    if refusal.public_code is None:\n        return _private_refusal(refusal, game)\n",
            "    return _private_refusal(refusal, game)\n",
            OF_TWINS,
        ),
        Mutant(
            "hints follow the legal actions, not public knowledge",
            UMPIRE,
            "    for step in state.steps():\n        target, origins",
            "    for step in state.steps():\n"
            "        mover = state.layout()[step.origin][0].seat\n"
            "        if state.refusal(state.hand_action(mover, step.origin, step.target)):\n"
            "            continue\n"
            "        target, origins",
            OF_TWINS,
        ),
        Mutant(
            "private messages are of any size",
            SECRECY,
            '{"pad": " " * (size - length)}',
            '{"pad": ""}',
            OF_TWINS,
        ),
        Mutant(
            "not all seats get a message when one does",
            SECRECY,
            "        for (seat, data), length in zip(parts.items(), sizes, strict=True)\n",
            "        for (seat, data), length in zip(parts.items(), sizes, strict=True)\n"
            "        if data != min(parts.values(), key=str)\n",
            OF_TWINS,
        ),
        Mutant(
            "a secret action is told",
            SECRECY,
            '"action": None if action.secret else str(action),\n        "events"',
            '"action": str(action),\n        "events"',
            OF_LEAKS,
        ),
        Mutant(
            "a secret action is not sealed in the journal",
            JOURNAL,
            "box, digest = (sealed.ciphertext, sealed.commitment)",
            "box, digest = (sealed.ciphertext + text.encode(), sealed.commitment)",
            OF_LEAKS,
        ),
        Mutant(
            "an export holds what is sealed",
            "controller/umpire/boardumpire/journal/records.py",
            "in store.public_entries(number)",
            "in store.entries(number)",
            OF_LEAKS,
        ),
        Mutant(
            "the repr of a set-up tells it",
            "controller/rules/boardrules/stratego/actions.py",
            'return "setup ..."',
            "return str(self)",
            OF_LEAKS,
        ),
        Mutant(
            "the repr of the hidden ranks tells them",
            "controller/rules/boardrules/stratego/facts.py",
            'return "<hidden ranks>"',
            'return f"<{bytes(self.ranks)!r}>"',
            OF_TWINS,
        ),
    ),
    "measuring": (
        Mutant(
            "a reading that contradicts the others is not told",
            MEASURED,
            "    for odd in found.odd_readings:\n",
            "    for odd in found.odd_readings[:0]:\n",
            OF_BENCH,
        ),
        Mutant(
            "one square says how much samples differ",
            FITTING,
            "    if len(found.squares) < _SQUARES_MIN:\n",
            "    if not found.squares:\n",
            OF_BENCH,
        ),
        Mutant(
            "a piece with another magnet is taken for one of the bag",
            MEASURED,
            "    if best[strong] > STRENGTH_RATIO_MAX * best[weak]:\n",
            "    if best[strong] < best[weak]:\n",
            OF_MEASURE,
        ),
        Mutant(
            "what says too little is written",
            MEASURED,
            "    if found.strength.margin > UNCERTAINTY_SHARE_MAX * found.strength.best:\n",
            "    if found.strength.margin < 0:\n",
            OF_MEASURE,
        ),
        Mutant(
            "five samples make a class narrower than it is sold",
            FITTING,
            "round(min(operate[0], sold[0]), 1)",
            "round(operate[0] + 1, 1)",
            OF_MEASURE,
        ),
        Mutant(
            "a contact that chatters is taken for a magnet",
            JUDGE,
            "for each in extract_readings(done) if each.square not in chatters]",
            "for each in extract_readings(done)]",
            OF_JUDGE,
        ),
        Mutant(
            "a sensor may lie where it likes",
            JUDGE,
            "        if off - sure > MOUNTING_ERROR_MM:\n",
            "        if off - sure > 9 * MOUNTING_ERROR_MM:\n",
            OF_JUDGE,
        ),
    ),
    "circuit boards": (
        Mutant(
            "tracks that cross on both sides of a board are joined",
            COPPER,
            "    if not set(one.layers) & set(other.layers):\n        return False\n",
            "",
            ("tests/circuit/test_nets.py",),
        ),
        Mutant(
            "two wires may be one net",
            ETCHED,
            "        if known != role:\n",
            "        if known != role and not net:\n",
            ("tests/circuit/test_etched.py", "-k", "refused"),
        ),
        Mutant(
            "a turned diode is as good as any",
            ETCHED,
            "SolderedDiode.FINE if forward else SolderedDiode.REVERSED",
            "SolderedDiode.FINE",
            ("tests/circuit/test_etched.py", "-k", "bench"),
        ),
        Mutant(
            "a lamp without its supply passes data on",
            ETCHED,
            "self._lamp(lamp, _VDD) != self.power or ",
            "",
            ("tests/circuit/test_etched.py", "-k", "bench"),
        ),
        Mutant(
            "a tag may lie on a magnet",
            FEET,
            "height - below - above, MAGNET_TAG_GAP_MM,",
            "height - below - above, base.printer_fit.wall_min_mm,",
            ("tests/bases/test_bases.py", "-k", "near"),
        ),
        Mutant(
            "the grooves that tell the poles can be seen in the rim",
            OPENSCAD,
            "cylinder(d = {wide - 2 * GROOVE_RIM_MM:g},",
            "cylinder(d = {base.diameter_mm + 1:g},",
            ("tests/bases/test_bases.py", "-k", "outside_the_magnets"),
        ),
    ),
}
"""By what they are about."""
