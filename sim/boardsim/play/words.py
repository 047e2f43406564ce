"""What the panels beside the board say: what to do, what the lamps mean, what happened. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rich.style import Style
from rich.text import Text

from boardsim.play.drawing import FAINT, INK, OWNERS, lit
from boardsim.play.session import Line, Session
from boardware.ports import SECOND
from boardwire import marks

HELP = """\
arrows: choose a square. Enter: lift the piece there, or put it down.
a3-a4: hands do the whole move, and tidy up after it. Paste works too.
To attack: lift your piece, then the enemy's; then Ctrl+Y, or tap a3 on its own square.
Ctrl+Y or yes, no: press the board's buttons.
Ctrl+T or tidy: let the hands tidy up.
Ctrl+R or random: a set-up at random. Enter on two of its pieces: they change places. Ctrl+Y or ready: done.
setup a1=F ...: enter a set-up that you type.
resign, offer-draw: say it to the umpire.
lift a3, place a4, slide a3 a5, tap a3 a4, knock a3, aside: one thing at a time.
Ctrl+O or see red, blue, both, none: whose pieces you can read. turn: the other side.
Ctrl+W or watch: simulated hands play for you too. speed 4: faster.
Ctrl+K or kill: cut the power in the middle of it.
new: another game, once this one is over. Ctrl+Q or quit: leave."""
"""What can be typed and pressed: a line each."""

_COLOURS = {
    "ruling": "#d8d8d2",
    "refused": "#ff8a80",
    "fault": "#ffb74d",
    "question": "#fff176",
    "reminder": "#fff176",
    "over": "#a5d6a7",
    "power": "#ce93d8",
    "private": "#80deea",
    "error": "#ff8a80",
    "hands": "#ffb74d",
    "help": "#b0bec5",
}


def what_to_do(session: Session, me: str | None) -> Text:
    """The next thing to do, for the person who plays `me` (`None`: for one who watches)."""
    text = Text()
    if session.over is not None:
        text.append(session.over, "bold #a5d6a7")
        text.append("\nType new for another game, quit to leave.")
    elif not session.alive:
        text.append("The power is off.", "bold #ce93d8")
        text.append("\nIt comes back in a moment. The game is saved.")
    elif session.pending is not None and session.attack_waits():
        text.append(session.pending, "bold #fff176")
        if me is not None and me in session.to_act:
            text.append("\nCtrl+Y: yes, attack. Enter on their squares puts both back.")
    elif session.question is not None:
        text.append(session.question, "bold #fff176")
        text.append("\nType yes or no: hands press the board's buttons.")
    elif me is not None and session.waits_for_set_up(me):
        _set_up(text, session, me)
    elif session.laying_out():
        text.append("The pieces are being set up.", "bold")
    elif session.chores:
        text.append("Tidy up the board:", "bold #ffb74d")
        for chore in session.chores:
            text.append(f"\n• {_chore(chore['do'], chore['space'], chore['seat'])}")
        if me is not None:
            text.append("\nCtrl+T: let the hands do it.", _faint())
    elif me is not None and session.workers[me].hands.held:
        _in_hand(text, session, me)
    elif me is not None and me in session.to_act:
        text.append(f"Your turn, {me.capitalize()}.", _seat(me))
        text.append("\nChoose a piece with the arrows and lift it with Enter, or type a move: a3-a4")
    else:
        for seat in session.to_act:
            text.append(f"{seat.capitalize()} is playing.", _seat(seat))
    return text


def _set_up(text: Text, session: Session, me: str) -> None:
    if session.workers[me].hands.held:
        text.append("Put it down where you want it.", _seat(me))
        text.append("\nOn another of your pieces: they change places.")
    elif session.army(me):
        text.append(f"{me.capitalize()}, set up your army.", _seat(me))
        text.append("\nMove pieces with Enter. Ctrl+Y: ready. Ctrl+R: another one.")
    else:
        text.append(f"{me.capitalize()}, enter your set-up.", _seat(me))
        text.append("\nCtrl+R stands one at random; or type it: setup a1=F b1=B ...")


def help_pages(width: int, rows: int) -> list[Text]:
    """The help in pages of `rows` lines of `width`, no sentence cut in two."""
    pages, here = [Text()], 0
    for line in HELP.splitlines():
        keys = line.partition(":")[0]
        wrapped = wrap(line, max(10, width))
        if here and here + len(wrapped) > rows:
            pages.append(Text())
            here = 0
        entry = Text("\n".join(wrapped), _COLOURS["help"])
        entry.stylize("bold #fff176", 0, len(keys))
        pages[-1].append_text(entry).append("\n")
        here += len(wrapped)
    for page in pages:
        page.rstrip()
    return pages


def _in_hand(text: Text, session: Session, me: str) -> None:
    held = session.workers[me].hands.held
    names = " and ".join(
        f"{each.piece.owner} {each.piece.label if each.piece.owner == me else ''}" for each in held
    )
    text.append(f"In your hand: {names.strip()}.", _seat(me))
    if len(held) == 1:
        text.append("\nGreen: it may go there. Red: it may attack there; Enter lifts the enemy's piece too,")
        text.append(" and Ctrl+Y then says that it attacks.")
    else:
        text.append("\nType aside to lay them beside the board, or put them down with Enter.")


def lamps(session: Session, width: int) -> Text:
    """What each kind of lamp means that is lit now, wrapped to `width`."""
    text = Text()
    shown = {marks.split(mark)[0] for mark in session.marks().values()}
    for name, (_, pattern, meaning) in marks.LEGEND.items():
        if name in shown:
            lines = wrap(f"{meaning} ({pattern})", max(10, width - 2))
            text.append("■ ", _rgb(lit(marks.colour(name))))
            text.append("\n  ".join(lines) + "\n", _rgb(INK))
    if not shown:
        text.append("all dark" if session.alive else "nobody drives them", _faint())
    text.rstrip()
    return text


def history(lines: Sequence[Line], width: int, rows: int) -> Text:
    """As many of the latest lines as fit into `rows` of `width`, oldest first."""
    shown: list[tuple[str, list[str], str]] = []
    for line in reversed(lines):
        seconds = line.at // SECOND
        wrapped = wrap(line.text, max(10, width - 6), replace_whitespace=False) or [""]
        rows -= len(wrapped)
        if rows < 0:
            break
        shown.append((f"{seconds // 60}:{seconds % 60:02}", wrapped, _COLOURS.get(line.kind, "#d8d8d2")))
    text = Text()
    for clock, wrapped, colour in reversed(shown):
        text.append(f"{clock:>5} ", _faint())
        text.append("\n      ".join(wrapped) + "\n", colour)
    text.rstrip()
    return text


def _chore(do: str, space: str, seat: str | None) -> str:
    piece = f"{seat}'s piece" if seat else "the piece"
    return {
        "put": f"put {piece} on {space}",
        "take": f"take {piece} off {space}",
        "ring": f"set {piece} on one ring of {space}",
        "centre": f"set {piece} in the middle of {space}",
    }.get(do, f"{do} {space}")


def _seat(seat: str) -> Style:
    return Style(bold=True, color=_hex(lit(OWNERS.get(seat, INK))))


def _rgb(colour: tuple[int, int, int]) -> Style:
    return Style(color=_hex(colour))


def _faint() -> Style:
    return _rgb(FAINT)


def _hex(colour: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
