"""What the control socket is told by a service that has no table: one that is set up, and a satellite."""

from __future__ import annotations

from typing import Any, NoReturn

from boardrules.core import Seat
from boardumpire.errors import BoardumpireError


class NoTable:
    """Refuses what needs a table."""

    def __init__(self, why: str) -> None:
        """`why` there is none, and what to do."""
        self._why = why

    def _refuse(self) -> NoReturn:
        raise BoardumpireError(self._why)

    def finish_setup(self) -> None:
        """Refused: nothing is set up."""
        self._refuse()

    def open_pairing(self, satellite: str) -> dict[str, Any]:
        """Refused: there is no table."""
        self._refuse()

    def submit_command(self, seat: Seat, text: str) -> None:
        """Refused: there is no table."""
        self._refuse()

    def ask_hands(self, seat: Seat, text: str) -> None:
        """Refused: there is no table."""
        self._refuse()

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """Refused: there is no table."""
        self._refuse()

    def standing_pieces(self) -> dict[str, Any]:
        """Refused: there is no table."""
        self._refuse()

    def begin_game(self) -> None:
        """Refused: there is no table."""
        self._refuse()

    def links(self, renew: str | None) -> dict[str, str]:
        """Refused: there is no table."""
        self._refuse()

    @property
    def is_local_only(self) -> bool:
        """Whether nobody else reaches the page."""
        return True
