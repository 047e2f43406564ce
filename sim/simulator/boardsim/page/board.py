"""The virtual board in service: a world that goes by the real clock, and sockets for hands.

A socket at `/hands` takes what fingers do and tells every look at the board: pieces (never what is written on
them) and the lamps as they were sent down the wire. Whoever may use hands is the page's to say.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from boardrules.core import NO_SEAT, Seat
from boardsim.hands.hands import HandsError
from boardsim.page.fingers import PointerHands, PointerPosition
from boardsim.page.kept import BoardSnapshotFile
from boardsim.page.newest import LatestOnlySender
from boardsim.world.copper import DARK, RGB, Copper, SolderedDiode
from boardsim.world.world import World
from boardware.parts import BoardDescription
from boardware.ports import MS, SECOND, Micros, SlotId

if TYPE_CHECKING:
    from boardsim.pico.live import LivePicos
    from boardsim.world.mistakes import Built

SOCKETS_MAX = 16
RATE, BURST = 90, 240
"""Messages a second from one socket: a finger sends one a frame."""
SCREEN_UPDATE_DELAY_S = 0.03
"""How soon after a change every screen is shown it."""
PRESS: Micros = 200 * MS
HOLD: Micros = 2300 * MS
"""How long a button is down: what is held for two seconds means something else."""
PRESS_TICK_US: Micros = 100 * MS
"""A press lasts so many ticks of the loop: where that comes late, looks come as late; a hold that ended by
the clock would be one that nobody had seen."""
POWER_OFF_S = 2.0
"""How long the power stays off."""


class BadGestureError(ValueError):
    """A message that no page of ours sends."""


class _Lamps(Copper):
    """Copper that says when a lamp was sent something new."""

    on_lamps_changed: Callable[[], None] = staticmethod(lambda: None)

    def set_chain(self, chain: str, colours: Any) -> None:
        super().set_chain(chain, colours)
        self.on_lamps_changed()


class VirtualBoard:
    """One simulated board with hands on the page: the entry point `boardumpire.virtual`.

    Its world outlives the table.
    """

    static_package = "boardsim.page"

    @staticmethod
    def load_pico_modules() -> None:
        """Import what boards with Picos need. A browser's tab has no serial ports."""
        import boardsim.pico.live  # noqa: F401

    def __init__(
        self,
        board: BoardDescription,
        owners: Sequence[Seat],
        *,
        seed: int = 0,
        crew: Mapping[Seat, int] = {},
        keep: Path | None = None,
        named: Mapping[str, Seat] = {},
        powered: bool = True,
        mistake: str = "",
    ) -> None:
        """`mistake`: what its maker did wrong, of `kinds_without_magnets`, at a place that chance chooses.

        `crew`: by owner how many pieces lie beside the board at first; `named`: such pieces as have a name
        on them that everybody sees, each with its owner. `keep`: the file that remembers where pieces are
        when this process has died. `powered`: whether the Picos under it are in their cables.

        Raises `ValueError` for a mistake that this board can't have."""
        made = _build(board, mistake)
        self.mistakes = [" ".join((each.kind, *each.where)) for each in (made.mistakes if made else ())]
        """What was done wrong, and where."""
        lamps = _Lamps(made.board if made else board)
        lamps.on_lamps_changed = self._schedule_screen_update
        self._kept = BoardSnapshotFile(keep, board.id)
        while True:
            self.world = made.world(seed, lamps) if made else World(board, seed=seed, copper=lamps)
            self.fingers = PointerHands(self.world, owners, now, named, crew)
            if self._kept.restore(self.fingers):
                break
        self.world.advance(now())
        self._cut: dict[str, SolderedDiode] = {}
        self._sockets: set[_HandsSocket] = set()
        self.on_schedule_changed: Callable[[], None] = lambda: None
        """Called whenever there may be another next edge."""
        self.on_slide: Callable[[], None] = lambda: None
        """Called when a finger begins to push a piece over the board instead of lifting it."""
        self._timer: asyncio.TimerHandle | None = None
        self._look: asyncio.TimerHandle | None = None
        self._down: dict[str, asyncio.TimerHandle] = {}
        """When each button that a finger presses is let go."""
        self._shown: tuple[object, object] = (None, None)
        self._down_until = 0.0
        self._latest: object = None
        self._cut_power: Callable[[float], None] = lambda back_s: None
        self._picos: LivePicos | None = None
        if board.picos:
            from boardsim.pico.live import LivePicos  # serial ports, only where a board has some

            self._picos = LivePicos(
                self.world,
                now,
                self._arm,
                seed=seed,
                board=board,
                unpowered=board.picos if not powered else made.unpowered if made else (),
                charging_only=made.charging_only if made else (),
            )

    @property
    def driver_settings(self) -> Mapping[str, Any]:
        """Settings for the simulated drivers."""
        return {"world": self.world} if self._picos is None else {"picos": self._picos}

    def lend_ports(self) -> Mapping[str, Path]:
        """By Pico the serial port at which another process finds it from now on. Needs a running loop."""
        if self._picos is None:
            return {}
        self._picos.wait_for_other_process()
        return {name: pico.port for name, pico in self._picos.picos_by_name.items()}

    def start(self) -> None:
        """Let time run."""
        self._advance_to_now()
        self._arm()

    def stop(self) -> None:
        """Stop time."""
        for timer in (self._timer, self._look, *self._down.values()):
            if timer is not None:
                timer.cancel()
        if self._picos is not None:
            self._picos.close()

    def apply_ruling(
        self,
        spaces: Mapping[str, str],
        takes: Collection[tuple[str, str]],
        names: Mapping[str, Collection[str]],
        joins: Collection[tuple[str, str]] = (),
    ) -> None:
        """Tell `PointerHands.apply_ruling`, without the spaces that this board doesn't have."""
        known = self.world.board.spaces
        self.fingers.apply_ruling(
            {at: owner for at, owner in spaces.items() if at in known}, takes, names, joins
        )

    def reset_pieces(self, named: Mapping[str, Seat], unnamed_counts: Mapping[Seat, int]) -> None:
        """Lay the pieces of the next game beside the board; `named` and `unnamed_counts` as at first."""
        self._latest = None
        self._advance_to_now()
        self.fingers.reset_pieces(named, unnamed_counts)
        self._advance_and_rearm()

    def routes(
        self, may: Callable[[HTTPConnection], bool], cut_power: Callable[[float], None]
    ) -> Sequence[BaseRoute]:
        """The socket at `/hands`; `may` says whether a device may use it."""
        self._cut_power = cut_power

        async def hands(socket: WebSocket) -> None:
            if not may(socket):
                why = PlainTextResponse("hands are for those who have a link of this table\n", 403)
                await socket.send_denial_response(why)
            elif len(self._sockets) >= SOCKETS_MAX:
                await socket.send_denial_response(PlainTextResponse("too many hands on this board\n", 503))
            else:
                await _HandsSocket(self, socket, may).serve()

        return [WebSocketRoute("/hands", hands)]

    # Time

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        edge = self.world.next_edge()
        if edge is not None:
            self._timer = asyncio.get_running_loop().call_at(edge / SECOND, self._advance_and_rearm)
        self.on_schedule_changed()

    def _advance_and_rearm(self) -> None:
        self._advance_to_now()
        self._arm()
        self._schedule_screen_update()

    def _advance_to_now(self) -> None:
        if self._picos is None:
            self.world.advance(now())
        else:
            self._picos.advance_to_now()

    # What hands do

    def do_gesture(self, message: Mapping[str, Any], who: object = None) -> None:
        """Carry out what a finger does. Raises `BadGestureError` and `HandsError`.

        Only the hands that moved a piece last tidy up after it: others look on.
        """
        fingers = self.fingers
        if message.get("do") in ("grab", "carry", "lay-out") or message.get("beside") is True:
            self._latest = who
        elif who is not self._latest and (message.get("do") == "tidy" or message == {"do": "aside"}):
            return
        self._advance_to_now()
        match message:
            case {"do": "grab", "piece": int(piece)}:
                fingers.grab(piece, lift=message.get("lift") is True)
                if fingers.grips[piece].slot is not None:
                    self.on_slide()
            case {"do": "lead", "piece": int(piece), "x": int() | float() as x, "y": int() | float() as y}:
                fingers.lead_piece(piece, PointerPosition(_clamp_coordinate(x), _clamp_coordinate(y)))
            case {"do": "drop", "piece": int(piece)}:
                fingers.drop(piece)
            case {"do": "carry", "piece": int(piece), "space": str(space)}:
                fingers.carry(piece, space)
            case {"do": "aside", "piece": int(piece)}:
                fingers.put_beside_board(piece)
            case {"do": "aside"}:
                fingers.put_beside_board()
            case {"do": "lay-out", "seat": str(seat), "spaces": list(spaces)} if len(spaces) <= 100:
                fingers.lay_out(Seat(seat), map(str, spaces))
            case {"do": "tidy", "chores": list(chores)} if len(chores) <= 100:
                listed = [chore for chore in chores if isinstance(chore, dict)]
                fingers.do_corrections(listed, beside=message.get("beside") is True)
            case {"do": "press", "button": str(button)}:
                self._press(button, HOLD if message.get("hold") is True else PRESS)
            case {"do": "knock", "space": str(space)}:
                fingers.toggle_fallen(space)
            case {"do": "reed", "space": str(space), "is": "stuck" | "dead" | "fine" as state}:
                self._reed(space, state)
            case {"do": "diode", "space": str(space), "is": "broken" | "shorted" | "fine" as state}:
                self._diode(space, SolderedDiode[state.upper()])
            case {"do": "kill"}:
                self._cut_power_briefly()
            case _:
                raise BadGestureError("bad message: no hand does that")
        self._advance_and_rearm()

    def carry_piece(
        self, origin: str, target: str, *, seat: Seat = NO_SEAT, name: str = "", who: object = None
    ) -> bool:
        """Carry a piece from space to space; whether there was one.

        It is the one with that `name` on it, wherever it is; where none has one, the uppermost one of that
        `seat`, or of anybody's where no seat is given.
        """
        slots = [slot.id for slot in self.world.board.spaces[origin].slots]
        pieces = self.fingers.pieces()
        standing = [each for each in pieces if each["is"] == "stands" and each["slot"] in slots]
        own = [each for each in standing if seat in ("", each["seat"])]
        named = [each for each in pieces if name and each.get("name") == name]
        found = [each for each in named if each["is"] not in ("led", "lands")] if named else own
        if found:
            self.do_gesture({"do": "carry", "piece": found[-1]["id"], "space": target}, who or self)
        return bool(found)

    def is_home_piece_on(self, home: str, space: str) -> bool | None:
        """Whether the piece that belongs on `home` by the last ruling stands on `space`; `None` where hands
        don't know which it is."""
        return self.fingers.is_home_piece_on(home, space)

    def is_home_piece_held(self, home: str) -> bool | None:
        """Whether the piece that belongs on `home` by the last ruling is in a hand; `None` as above."""
        return self.fingers.is_home_piece_held(home)

    def set_up_army(self, seat: Seat, prints: Mapping[str, str], who: object = None) -> bool:
        """Stand pieces of a seat: by space what is printed on each. Only one with a name is that very one.

        Whether all of them stand. Raises `HandsError` for a seat without pieces, and for a piece that
        somebody holds.
        """
        pieces = self.fingers.pieces()
        named = {each["name"]: each["id"] for each in pieces if each.get("name")}
        of_space = {slot.id: name for name, space in self.world.board.spaces.items() for slot in space.slots}
        stands = {
            (each["id"] if each.get("name") else each["seat"], of_space[each["slot"]])
            for each in pieces
            if each["is"] == "stands"
        }
        missing = {
            space: printed
            for space, printed in prints.items()
            if (named.get(printed, seat), space) not in stands
        }
        busy = {each["id"] for each in pieces if each["is"] in ("led", "lands")}
        for space, printed in missing.items():
            if printed in named and named[printed] not in busy:
                self.do_gesture({"do": "carry", "piece": named[printed], "space": space}, who or self)
        if any(printed not in named for printed in missing.values()):
            plain = [space for space, printed in prints.items() if printed not in named]
            self.do_gesture({"do": "lay-out", "seat": seat, "spaces": plain}, who or self)
        return not missing

    def place_pieces(self, seat: Seat, spaces: Sequence[str]) -> None:
        """Stand pieces of a seat on these spaces."""
        self.do_gesture({"do": "lay-out", "seat": seat, "spaces": list(spaces)}, self)

    def lay_hand_aside(self) -> None:
        """Lay what waits in a hand beside the board."""
        self._latest = self
        self.do_gesture({"do": "aside"}, self)

    @property
    def is_busy(self) -> bool:
        """Whether a piece is on its way."""
        return any(each["is"] in ("led", "held", "lands") for each in self.fingers.pieces())

    def do_corrections(self, chores: Sequence[Mapping[str, Any]]) -> None:
        """Do these chores, with pieces from beside the board, too."""
        self.do_gesture({"do": "tidy", "chores": list(chores), "beside": True}, self)

    def _press(self, button: str, how_long: Micros) -> None:
        if button not in self.world.board.buttons:
            raise HandsError(f"no button {button[:20]!r} on this board")
        if button in self._down:
            self._down[button].cancel()
        self.world.plan(now(), lambda here: self.world.set_button(button, True, here))
        self._keep_down(button, how_long // PRESS_TICK_US)

    def _keep_down(self, button: str, ticks: int) -> None:
        if ticks:
            later = asyncio.get_running_loop().call_later
            self._down[button] = later(PRESS_TICK_US / SECOND, self._keep_down, button, ticks - 1)
            return
        del self._down[button]
        self._advance_to_now()
        self.world.plan(now(), lambda here: self.world.set_button(button, False, here))
        self._advance_and_rearm()

    def _reed(self, space: str, state: str) -> None:
        closed = {"stuck": True, "dead": False, "fine": None}[state]
        self.world.stick(self._slot(space), closed, now())

    def _diode(self, space: str, diode: SolderedDiode) -> None:
        slot = self._slot(space)
        self.world.solder(slot, diode, now())
        self._cut[slot] = diode

    def _slot(self, space: str) -> SlotId:
        place = self.world.board.spaces.get(space)
        if place is None or not self.world.copper.has_reed(place.slots[0].id):
            raise HandsError(f"no reed under {space[:20]!r}")
        return place.slots[0].id

    def _cut_power_briefly(self) -> None:
        self._down_until = _seconds() + POWER_OFF_S
        self._cut_power(POWER_OFF_S)
        asyncio.get_running_loop().call_later(POWER_OFF_S, self._schedule_screen_update)

    # What is seen

    def _schedule_screen_update(self) -> None:
        if self._look is None and self._sockets:
            self._look = asyncio.get_running_loop().call_later(SCREEN_UPDATE_DELAY_S, self._send_frames)

    def _send_frames(self) -> None:
        self._look = None
        pieces, rest = self._pieces(), self._lamps_frame()
        for name, frame, shown in (("world", pieces, self._shown[0]), ("lamps", rest, self._shown[1])):
            if frame != shown:
                for hand in self._sockets:
                    hand.send(name, frame)
        self._shown = (pieces, rest)
        self._kept.write(pieces["pieces"])

    def _pieces(self) -> dict[str, Any]:
        return {
            "pieces": self.fingers.pieces(),
            "stuck": dict(sorted(self.world.stuck_reeds().items())),
            "diodes": {slot: diode.name.lower() for slot, diode in self._cut.items() if diode},
            "power": _seconds() >= self._down_until,
        }

    def _lamps_frame(self) -> dict[str, Any]:
        lit = {lamp: _hex(rgb) for lamp, rgb in self.world.copper.lamps().items() if rgb != DARK}
        return {"lit": lit}

    # Sockets

    def add_socket(self, hand: _HandsSocket) -> None:
        """A screen looks on from now."""
        self._sockets.add(hand)
        hand.send("world", self._pieces())
        hand.send("lamps", self._lamps_frame())

    def remove_socket(self, hand: _HandsSocket) -> None:
        """A screen is gone; what its fingers held stays in the hand."""
        self._sockets.discard(hand)
        for number in hand.leads:
            grip = self.fingers.grips.get(number)
            if grip is not None and grip.is_led:
                with contextlib.suppress(HandsError):
                    self.fingers.drop(number)
        self._advance_and_rearm()
        self._kept.write(self.fingers.pieces())


class _HandsSocket:
    """One socket of hands."""

    def __init__(self, board: VirtualBoard, socket: WebSocket, may: Callable[[HTTPConnection], bool]) -> None:
        self._board, self._socket, self._allowed = board, socket, may
        self._newest = LatestOnlySender(socket.send_text)
        self._tokens, self._filled = float(BURST), _seconds()
        self.leads: set[int] = set()

    def send(self, kind: str, frame: Mapping[str, Any]) -> None:
        """Send without waiting; a screen that reads slowly is shown the newest."""
        self._newest.put(kind, json.dumps({"kind": kind, **frame}, separators=(",", ":")))

    async def serve(self) -> None:
        """Take what fingers do until they go."""
        await self._socket.accept()
        sending = asyncio.create_task(self._send())
        self._board.add_socket(self)
        try:
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                if not self._allowed(self._socket):
                    await self._socket.close(4403, "this device has left its seat")
                    break
                if not self._take_rate_token():
                    await self._socket.close(1013, "too many messages: wait a moment")
                    break
                self._handle_message(message.get("text"))
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self._board.remove_socket(self)
            sending.cancel()

    def _take_rate_token(self) -> bool:
        at = _seconds()
        self._tokens = min(BURST, self._tokens + (at - self._filled) * RATE) - 1
        self._filled = at
        return self._tokens >= 0

    def _handle_message(self, text: str | None) -> None:
        try:
            message = json.loads(text or "")
            if not isinstance(message, dict):
                raise BadGestureError("bad message: expected one object")
            self._board.do_gesture(message, self)
            if message["do"] == "grab":
                self.leads.add(message["piece"])
            elif message["do"] == "drop":
                self.leads.discard(message["piece"])
        except HandsError as error:
            self._send_error(str(error))
        except BadGestureError as error:
            self._send_error(str(error))
        except (ValueError, RecursionError):
            self._send_error("bad message: not JSON")

    def _send_error(self, text: str) -> None:
        self.send("hands", {"text": text})

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self._newest.run()


def now() -> Micros:
    """The clock of the running loop, as the daemon's runner reads it."""
    return round(_seconds() * SECOND)


def _seconds() -> float:
    """The machine's clock where no loop runs: a loop goes by that unless it is given another one."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return time.monotonic()


def _build(file: BoardDescription, mistake: str) -> Built | None:
    """The board with that mistake; `None` without one. Raises `ValueError` for one that it can't have."""
    if not mistake:
        return None
    from boardsim.world.mistakes import built, kinds_without_magnets  # its library, for who practises

    kinds = kinds_without_magnets(file)
    if mistake not in kinds:
        raise ValueError(f"no such mistake for this board; try one of {', '.join(kinds)}")
    return built(file, [mistake], random.random())


def _clamp_coordinate(value: float) -> float:
    """A coordinate that is not absurd (`NaN` is neither side of anything)."""
    return min(2000.0, max(-500.0, value)) if value == value else 0.0


def _hex(rgb: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)
