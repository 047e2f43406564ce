"""An evening: people and machines at one board play several games in a row, and things happen to them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import boardrules
from boardrules.core import OptionError
from boardumpire.commands.computer_players import playable_levels
from boardumpire.commands.daemon import Daemon
from boardumpire.errors import BoardumpireError
from boardumpire.service.clock import loop_time_s
from boardumpire.web.seat_links import TABLE_LINK
from evenings import start, virtual_loop
from evenings.answers import Answers
from evenings.oracles import Oracles
from evenings.people import CALM, HUMAN, Person, Rates
from evenings.phones import Phone
from evenings.service import PATIENCE_S, Service, StoodStill, configured
from evenings.without_phone import WithoutPhone

DUEL, HUNT, CASTLE = "stratego-quick-duel", "fall-of-the-fuhrer", "escape-from-colditz"
GAMES = DUEL, HUNT, CASTLE
BARRAGE = "stratego-quick-barrage"


OUTAGES = "cut", "killed", "stopped"


class Outage(NamedTuple):
    """The service goes away, and comes back."""

    kind: str
    """The power is `cut`; or the whole process is `killed`, or `stopped` by a signal, and begun again."""
    game: int
    """In which game of the evening, from 0."""
    after_s: float
    """So long after its beginning; 0: once it is over."""
    down_s: float
    moment: str = ""
    """It comes while something is written (`writing`), or several pieces are in hands (`hands`)."""


class Pause(NamedTuple):
    """People stop for a while."""

    game: int
    after_s: float
    away_s: float
    swept: bool
    """Whether they put the pieces away, and stand them up again as they are shown."""


WAYS = "pin", "asked"


class LostPhone(NamedTuple):
    """Somebody loses a phone and sits down with another one."""

    game: int
    after_s: float
    way: str
    """A new link is made with the table's `pin`; or the others are `asked` for the seat."""


class Plan(NamedTuple):
    """What sort of evening it is."""

    game: str
    machines: Mapping[str, str]
    """By seat the level of those that the machine plays."""
    people: Mapping[str, str]
    """By seat how well those play who sit there."""
    games: int = 3
    options: Mapping[str, Any] = {}
    rates: Rates = CALM
    outages: Sequence[Outage] = ()
    pauses: Sequence[Pause] = ()
    others: Mapping[int, Mapping[str, Any]] = {}
    """By its number, from 1, what somebody chooses at the table for a game: what it isn't as before."""
    dice: str = "umpire"
    without: Collection[str] = ()
    """The seats of those who have no phone but for what is secret."""
    start_page: bool = False
    """Whether the game is chosen on the start page, and everybody joins by the links that are shown then."""
    losses: Sequence[LostPhone] = ()


QUIET_LIMITS = (8, 12, 20)
"""After so many moves without a capture a duel is a draw."""


def drawn(game: str, seed: int, games: int = 3, quiet_limits: Sequence[int] = QUIET_LIMITS) -> Plan:
    """The plan of an evening by its seed; the first game has one of `quiet_limits`, if it is a duel."""
    chance = random.Random(f"plan {game} {seed}")
    options: dict[str, Any] = {}
    if game == DUEL:
        options = {"quiet_limit": chance.choice(quiet_limits)}
    elif game == HUNT:
        options = {"players": chance.choice((2, 3, 4))}
    else:
        options = {"players": chance.choice((2, 3, 4, 5, 6)), "rounds": chance.choice((2, 3))}
    seats = boardrules.new(game, options).seats
    known = playable_levels(game)
    weak = {seat: chance.choice(known[:2]) for seat in seats}
    people = [seat for seat in seats if chance.random() < 0.5]
    plan = Plan(
        game,
        {seat: weak[seat] for seat in seats if seat not in people},
        {seat: weak[seat] for seat in people},
        games,
        options,
        chance.choice((CALM, HUMAN)),
        _outages(chance, games) if chance.random() < 0.2 else (),
        _pauses(chance, games) if people and chance.random() < 0.15 else (),
        _others(chance, game, games, options),
        chance.choice(("umpire", "umpire", "real")) if people else "umpire",
        _without(chance, people),
    )
    # the start page, that of a simulated board, asks for no way of throwing dice
    start_page = plan.dice == "umpire" and chance.random() < 0.5
    return plan._replace(start_page=start_page, losses=_losses(chance, plan) if start_page else ())


def _losses(chance: random.Random, plan: Plan) -> Sequence[LostPhone]:
    """In one evening of five somebody loses a phone."""
    if not plan.people or chance.random() > 0.2:
        return ()
    # the machine agrees to nobody's coming: who plays against it alone needs the PIN
    way = "pin" if plan.machines else chance.choice(WAYS)
    return (LostPhone(chance.randrange(plan.games), chance.uniform(5, 60), way),)


def _outages(chance: random.Random, games: int) -> Sequence[Outage]:
    """One to three of them: half of them early in the evening, some between two games."""
    found = []
    for _ in range(chance.choice((1, 2, 3))):
        game = chance.choice((0, chance.randrange(games)))
        after_s = 0.0 if game < games - 1 and chance.random() < 0.25 else chance.uniform(5, 200)
        moment = chance.choice(("", "writing", "hands"))
        found.append(Outage(chance.choice(OUTAGES), game, after_s, chance.uniform(1, 10), moment))
    return sorted(found, key=lambda outage: (outage.game, outage.after_s or float("inf")))


def _without(chance: random.Random, people: Sequence[str]) -> Collection[str]:
    """In one evening of eight nobody plays by phone, in another one some don't."""
    several = chance.random()
    return [seat for seat in people if several < 0.125 or (several < 0.25 and chance.random() < 0.5)]


def _pauses(chance: random.Random, games: int) -> Sequence[Pause]:
    away_s = chance.choice((20.0, 120.0, 900.0))
    return (Pause(chance.randrange(games), chance.uniform(10, 150), away_s, chance.random() < 0.3),)


def _others(
    chance: random.Random, game: str, games: int, options: Mapping[str, Any]
) -> Mapping[int, Mapping[str, Any]]:
    """What people choose for a later game. The page refuses options that exclude each other."""
    found, chosen = {}, dict(options)
    for number in range(1, games):
        if chance.random() < 0.15:
            other = _other(chance, game)
            try:
                boardrules.new(other.get("game", game), {**chosen, **other["options"]})
            except OptionError:
                continue
            found[number] = other
            chosen |= other["options"]
    return found


def _other(chance: random.Random, game: str) -> Mapping[str, Any]:
    """What the dialog for a new game could say."""
    wanted: dict[str, Any] = {}
    if game == DUEL:
        wanted["game"] = chance.choice((DUEL, BARRAGE))
        wanted["options"] = {"quiet_limit": chance.choice(QUIET_LIMITS)}
        if chance.random() < 0.3:
            wanted["clock"] = {"kind": "fischer", "base_s": 900, "extra_s": 10}
    else:
        listed = [each for each in boardrules.package(game).option_offers() if each.values]
        option = chance.choice([each for each in listed if each.name != "common_target"])
        wanted["options"] = {option.name: chance.choice(option.values)[0]}
    return wanted


class Evening:
    """One of them, on a running loop."""

    def __init__(self, folder: Path, plan: Plan, seed: int, begun: start.Begun | None = None) -> None:
        """`begun`: what was chosen on the start page, if it was chosen there."""
        if begun is not None:
            config = begun.config
        else:
            config = configured(folder, plan.game, plan.machines, dice=plan.dice, **plan.options)
        self.plan, self.seed, self.begun = plan, seed, begun
        self.service = Service(config, seed)
        self.board = self.service.board
        self.hands = asyncio.Lock()
        self.done: Counter[str] = Counter()
        self.people: list[Person] = []
        self._chance = random.Random(f"evening {seed}")
        self._number = 0
        self.pausing = ""
        """Why people don't play: they put pieces `away`, or are `gone`."""
        self.lost = ""
        """The seat of whoever has lost a phone: the others know that."""
        self.table_screen: Phone | None = None
        self._tasks: Sequence[asyncio.Task[None]] = ()
        """What goes on at the table."""
        self._plays: dict[str, Any] = {"game": plan.game, **plan.options}
        """The game that is played, and those of its options that anybody has chosen."""
        self.oracles = Oracles(self.service)
        self.answers = Answers(self.service)

    @property
    def daemon(self) -> Daemon:
        """That of the process which runs."""
        return self.service.daemon

    async def play(self) -> str:
        """Play it; the hash of all that was told. Raises where an oracle is not satisfied."""
        async with self.service.running():
            await self._sit_down()
            tasks = [asyncio.create_task(person.live()) for person in self.people]
            tasks += [asyncio.create_task(self.service.runs()), asyncio.create_task(self._outages())]
            tasks += [asyncio.create_task(self._pauses()), asyncio.create_task(self._losses())]
            self._tasks = tasks
            try:
                for number in range(self.plan.games):
                    if number:
                        await self._between(number - 1)
                        await self._again(self.plan.others.get(number))
                    self._number = number
                    self._is_as_chosen()
                    await self._played(tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            return self.service.trace.hexdigest()

    async def _sit_down(self) -> None:
        if self.begun is not None:
            paths = await self._links_at_the_table(self.begun)
        else:
            paths = self._links()
        for number, (seat, level) in enumerate(self.plan.people.items()):
            chance = random.Random(f"person {self.seed} {seat}")
            phone = Phone(self.service.app, paths[seat], seat, f"10.0.0.{number + 2}", chance)
            if self.begun is not None:
                status, _, _ = await phone.get(paths[seat])
                assert (status, phone.cookie) == (200, ""), "looking at a link binds no seat"
            await phone.sit_down(self.begun.form if self.begun is not None and self._alone else b"")
            kind = WithoutPhone if seat in self.plan.without else Person
            self.people.append(kind(self, seat, level, phone, chance, self.plan.rates))
        if self.begun is not None and self.people:
            stranger = Phone(self.service.app, self.people[0].phone.link, "", "10.0.0.98", self._chance)
            assert (await stranger.post(stranger.link))[0] == 403, "that seat is taken"

    async def _links_at_the_table(self, begun: start.Begun) -> Mapping[str, str]:
        """The device on which the game was chosen opens the table's screen, which shows the links; that of
        a person who plays alone was sent to the own seat."""
        links = self._links()
        expected = links[next(iter(self.plan.people)) if self._alone else TABLE_LINK]
        assert begun.link == expected, (
            "the start page leads to the table, or one who plays alone to the own seat"
        )
        self.table_screen = screen = Phone(
            self.service.app, links[TABLE_LINK], None, "10.0.0.1", self._chance
        )
        form = b"" if self._alone else begun.form
        assert (await screen.post(screen.link, form, start.FORM))[0] == 303
        screen.connect()
        paths = await self._free_seats()
        assert paths.keys() == self.plan.people.keys(), "the seats of people are free, and no others"
        assert self.daemon.table.players == begun.players
        return paths

    @property
    def _alone(self) -> bool:
        """Whether one person plays against machines."""
        return len(self.plan.people) == 1

    def _links(self) -> Mapping[str, str]:
        """The paths of all links, as the program prints them."""
        page = self.daemon.page
        assert page is not None
        return {name: "/" + link.split("/", 3)[3] for name, link in page.links().items()}

    async def _free_seats(self) -> Mapping[str, str]:
        """By seat the path of its link, as the table's screen shows it."""
        assert self.table_screen is not None
        screen = self.table_screen
        status, _, body = await self._tries(lambda: screen.get("/join.json"))
        assert status == 200, body
        return {each["seat"]: each["path"] for each in json.loads(body)["seats"] if not each["taken"]}

    async def _losses(self) -> None:
        for loss in self.plan.losses:
            while self._number < loss.game:
                await asyncio.sleep(1)
            await asyncio.sleep(loss.after_s)
            while not self.daemon.has_table or self.pausing:
                await asyncio.sleep(1)
            person = self._chance.choice(self.people)
            old = person.phone
            person.lost = True
            old.lose()
            self.lost = person.seat
            new = await (self._by_pin if loss.way == "pin" else self._by_asking)(person)
            self.lost = ""
            if new is not None:
                self.done[f"phone lost, {loss.way}"] += 1
                await asyncio.sleep(2)  # what was sent to it before has arrived
                old.status = None
                old.wake(old.language)  # whoever has found it loads the page, and is shown nothing
                await asyncio.sleep(8)
                assert old.status is None, "it still shows the seat"
                old.sleep()
                person.phone = new
                new.connect()
            person.lost = False

    async def _tries(self, request: Callable[[], Awaitable[Any]]) -> Any:
        """Ask again where nobody answers: the power is gone, or the process."""
        while True:
            try:
                status, *rest = await request()
            except ConnectionResetError:
                status, rest = 503, []
            if status != 503:
                return status, *rest
            await asyncio.sleep(5)

    async def _by_pin(self, person: Person) -> Phone | None:
        """At the table's screen, which knows the PIN, the seat gets a new link."""
        screen, seat = self.table_screen, person.seat
        assert screen is not None
        status, _, body = await self._tries(lambda: screen.get("/table.json"))
        assert status == 200
        pin = json.loads(body)["pin"]
        for said, expected in (("000000" if pin != "000000" else "111111", 403), (pin, 200)):
            wanted = json.dumps({"do": "links", "pin": said, "renew": seat}).encode()
            status, _, body = await self._tries(lambda wanted=wanted: screen.post("/table/do", wanted))
            assert status == expected, body
        paths = await self._free_seats()
        assert paths.keys() == {seat}
        phone = Phone(self.service.app, paths[seat], seat, f"10.0.1.{len(self.people)}", self._chance)
        status, *_ = await self._tries(lambda: phone.post(phone.link))
        assert status == 303
        return phone

    async def _by_asking(self, person: Person) -> Phone | None:
        """The others agree, on their screens or by the button; `None` if they don't."""
        phone = Phone(self.service.app, person.phone.link, person.seat, "10.0.1.1", self._chance)
        for _ in range(8):
            status, *_ = await self._tries(lambda: phone.post(phone.link + "/ask"))
            if status == 202:
                for _ in range(8):
                    await asyncio.sleep(3)
                    status, *_ = await self._tries(lambda: phone.get(phone.link + "/ask"))
                    if status == 303:
                        return phone
            assert status in (202, 200, 403, 409, 429), status
            await asyncio.sleep(20)
        return None

    async def _played(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        """Until this game is over. Five minutes without any ruling are a stand-still."""
        last, at = None, loop_time_s()
        while True:
            await asyncio.sleep(1)
            _raise_what_failed(tasks)
            if loop_time_s() - at > PATIENCE_S:
                raise StoodStill(f"{self.service.shown()}; {self.said()}")
            if self.pausing:
                at = loop_time_s()
            if not self.daemon.has_table:
                continue
            table = self.daemon.table
            self.oracles.look(table)
            if table.is_over and table.is_calm:
                self.oracles.kept()
                return
            stands = table.full_state
            if stands is not last:
                last, at = stands, loop_time_s()

    def said(self) -> str:
        """What everybody sees, and does."""
        seen = [
            f"{each.seat}: awake {each.phone.awake} connected {each.phone.connected} "
            f"to act {each.phone.to_act} intent {each._intent and each._intent[:2]} last {each._last}"
            for each in self.people
        ]
        doing = [
            [(frame.f_code.co_name, frame.f_lineno) for frame in _frames(task)]
            for task in asyncio.all_tasks()
            if task.get_coro().__qualname__.startswith("Person")  # type: ignore[union-attr]
        ]
        return f"{dict(self.done)} {seen} {doing} held {len(self.board.fingers.grips)}"

    async def _again(self, other: Mapping[str, Any] | None) -> None:
        """One more game: somebody proposes the same again and all agree, or somebody chooses another."""
        await asyncio.sleep(self._chance.uniform(2, 30))
        self.oracles.games += 1
        if other is not None:
            await self._choose(other)
        began = loop_time_s()
        while not self.daemon.has_table or len(self.daemon._store.games()) < self.oracles.games:
            _raise_what_failed(self._tasks)
            if loop_time_s() - began > PATIENCE_S:
                raise StoodStill(f"no next game: {self.service.shown()}; {self.said()}")
            phones = self._phones()
            if self.daemon.has_table and phones:
                await self._chance.choice(phones).say("new-game")
            elif self.daemon.has_table and self.people:
                self.board.do_gesture({"do": "press", "button": "confirm", "hold": True}, self)
            elif self.daemon.has_table:
                self.daemon.begin_game({})
            await asyncio.sleep(10)
        self.done["rematch"] += 1

    async def _choose(self, other: Mapping[str, Any]) -> None:
        self.done["other game"] += 1
        if self.people:
            body = json.dumps({"do": "new", "wanted": other}).encode()
            phone = self.table_screen or self._chance.choice(self.people).phone
            while True:
                status, _, answer = await self._tries(lambda: phone.post("/table/do", body))
                chosen = self.daemon.has_table and len(self.daemon._store.games()) == self.oracles.games
                if status == 200 or (status == 409 and chosen):  # the answer to the first was lost
                    break
                assert answer.startswith(b"The umpire is off."), answer
                await asyncio.sleep(5)
        else:
            while not self.daemon.has_table:
                await asyncio.sleep(5)
            self.daemon.begin_game(other)
        self._plays = {**self._plays, **other.get("options", {}), "game": other.get("game", self.plan.game)}

    def _is_as_chosen(self) -> None:
        """The game that begins is the one that people have asked for."""
        header = self.daemon._store.games()[-1]
        found = {
            "game": header.game,
            **{name: header.options[name] for name in self._plays if name != "game"},
        }
        assert found == self._plays, f"{found} begins, and {self._plays} was asked for"
        if self.begun is not None:
            assert self.daemon.table.players == self.begun.players, "everybody is called as before"

    async def _pauses(self) -> None:
        for pause in self.plan.pauses:
            while self._number < pause.game:
                await asyncio.sleep(1)
            await asyncio.sleep(pause.after_s)
            with contextlib.suppress(BoardumpireError):
                await self._pause(pause)
            self.pausing = ""

    async def _pause(self, pause: Pause) -> None:
        """People agree to go on later, put the pieces away or leave them, and come back."""
        if not await self._adjourned():
            return
        self.done["pause"] += 1
        await self._set_down_what_is_held()
        if pause.swept:
            self.done["swept"] += 1
            self.pausing = "away"
            await self._sweep()
            await asyncio.sleep(25)  # the board asks whether that is meant
        self.pausing = "gone"
        for person in self.people:
            person.phone.sleep()
        await asyncio.sleep(pause.away_s)
        for person in self.people:
            if not person.lost:
                person.phone.wake()
        self.pausing = ""
        await self._set_down_what_is_held()
        async with self.hands:
            pieces = self.board.fingers.pieces()
            standing = [each for each in pieces if each["is"] == "stands"]
            beside = [each["id"] for each in pieces if each["is"] == "beside"]
            if not standing and beside:  # as before a set-up: who comes back sets a piece down
                space = self._chance.choice(sorted(self.board.world.board.spaces))
                self.board.do_gesture({"do": "carry", "piece": beside[0], "space": space}, self)
                await asyncio.sleep(1)
            if standing:  # the board stays dark until it feels something
                slot = self._chance.choice(standing)["slot"]
                stack = [each["id"] for each in standing if each["slot"] == slot]
                for piece in stack:
                    self.board.do_gesture({"do": "grab", "piece": piece, "lift": True}, self)
                await asyncio.sleep(0.5)
                for piece in stack:
                    self.board.do_gesture({"do": "drop", "piece": piece}, self)
                await asyncio.sleep(1)

    async def _set_down_what_is_held(self) -> None:
        """Whoever has a piece in the hand as all agree to stop sets it where it belongs."""
        async with self.hands:
            held = [each["seat"] for each in self.board.fingers.pieces() if each["is"] == "held"]
            layout = self.daemon.table.full_state.layout() if held and self.daemon.has_table else {}
            spaces = self.board.world.board.spaces
            for space, pieces in layout.items():
                slots = {slot.id for slot in spaces[space].slots} if space in spaces else set()
                there = Counter(
                    each["seat"]
                    for each in self.board.fingers.pieces()
                    if each["is"] == "stands" and each["slot"] in slots
                )
                for seat in (Counter(piece.seat for piece in pieces) - there).elements():
                    if seat in held:
                        held.remove(seat)
                        chores = [{"do": "put", "space": space, "seat": seat}]
                        # without `beside` nobody but whoever moved a piece last would set it down
                        self.board.do_gesture({"do": "tidy", "chores": chores, "beside": True}, self)
                        await asyncio.sleep(1)

    def _phones(self) -> list[Phone]:
        """Those that are looked at now and then."""
        return [
            person.phone for person in self.people if person.seat not in self.plan.without and not person.lost
        ]

    async def _adjourned(self) -> bool:
        """Somebody proposes to stop; whether all agree."""
        agreed = []
        listener = lambda told: agreed.extend(each for each in told if each.kind == "adjourned")  # noqa: E731
        self.service.listeners.append(listener)
        phones = [phone for phone in self._phones() if phone.connected]
        if phones:
            await self._chance.choice(phones).say("adjourn")
            for _ in range(25):
                await asyncio.sleep(1)
                if agreed:
                    break
        self.service.listeners.remove(listener)
        return bool(agreed)

    async def _sweep(self) -> None:
        """Lay all pieces beside the board."""
        async with self.hands:
            for each in self.board.fingers.pieces():
                if each["is"] == "stands":
                    self.board.do_gesture({"do": "grab", "piece": each["id"], "lift": True}, self)
                    await asyncio.sleep(0.2)
                    self.board.do_gesture({"do": "aside", "piece": each["id"]}, self)

    async def _outages(self) -> None:
        """Those that come while somebody plays."""
        for outage in self.plan.outages:
            while outage.after_s and self._number < outage.game:
                await asyncio.sleep(1)
            if outage.after_s:
                await asyncio.sleep(outage.after_s)
                if outage.moment == "writing":
                    await self.service.writes()
                for _ in range(600 if outage.moment == "hands" else 0):
                    await asyncio.sleep(0.1)
                    if len(self.board.fingers.grips) > 1:
                        self.done["several in hands"] += 1
                        break
                await self._goes_away(outage)

    async def _between(self, game: int) -> None:
        """Those that come once that game is over."""
        for outage in self.plan.outages:
            if outage.game == game and not outage.after_s:
                await asyncio.sleep(self._chance.uniform(0, 10))
                await self._goes_away(outage)

    async def _goes_away(self, outage: Outage) -> None:
        if not self.daemon.has_table:
            return
        self.done[outage.kind] += 1
        if outage.kind == "cut":
            self.service.cut_power(outage.down_s)
            while not self.daemon.has_table:
                await asyncio.sleep(0.5)
        else:
            await self.service.restart(outage.down_s, killed=outage.kind == "killed")
        self.oracles.kept()


def _raise_what_failed(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        if task.done():
            task.result()


def _frames(task: asyncio.Task[Any]) -> list[Any]:
    """Where a task waits, from the outermost call on."""
    frames, waits = [], task.get_coro()
    while waits is not None and getattr(waits, "cr_frame", None) is not None:
        frames.append(waits.cr_frame)  # type: ignore[union-attr]
        waits = waits.cr_await  # type: ignore[union-attr]
    return frames


def run(folder: Path, plan: Plan, seed: int) -> tuple[str, Mapping[str, int]]:
    """An evening's trace, and what happened in it; a failure names the seed."""

    async def scene() -> tuple[str, Mapping[str, int]]:
        begun = None
        if plan.start_page:
            wanted = start.Wanted(plan.game, plan.options, plan.machines, tuple(plan.people))
            begun = await start.choose(folder, wanted, random.Random(f"start {seed}"))
        evening = Evening(folder, plan, seed, begun)
        try:
            return await evening.play(), evening.done
        except AssertionError as error:
            last = "\n".join(evening.service.last)
            raise type(error)(f"{plan.game} {seed}: {error}\n{plan}\n{last}") from error

    return virtual_loop.run(scene(), seed, virtual_loop.busy)
