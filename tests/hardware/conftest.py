"""Copper under gpiozero's own mock: columns answer to driven rows through closed reeds."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from boardware.description import BoardDescription, MatrixBank, load_board


class CopperPin(MockPin):
    """A pin that, while an input, is high if current reaches it from a row that is driven high."""

    def _get_state(self) -> bool:
        if self._function == "output":
            return bool(self._state)
        if self._pull == "up":
            return self.factory.copper is None or self.info.name not in self.factory.copper.grounded
        return self.factory.copper is not None and self.factory.copper.live(self)


class Copper:
    """The reeds of one bank. With diodes current runs from row to column alone, without both ways."""

    def __init__(self, factory: Any, bank: MatrixBank) -> None:
        self.factory, self.bank = factory, bank
        self.closed: set[tuple[int, int]] = set()
        self.grounded: set[str] = set()
        self.driven: list[int] = []
        """How many rows were driven high at each settle."""
        self._rows = [factory.pin(gpio) for gpio in bank.rows]
        self._columns = {factory.pin(gpio): column for column, gpio in enumerate(bank.columns)}

    def settle(self, _: int) -> None:
        self.driven.append(len(self._high()))

    def live(self, pin: Any) -> bool:
        return self._columns.get(pin) in self._reached(self._high())

    def _high(self) -> set[int]:
        return {row for row, pin in enumerate(self._rows) if pin.function == "output" and pin.state}

    def _reached(self, rows: set[int]) -> set[int]:
        while True:
            columns = {column for row, column in self.closed if row in rows}
            back = {row for row, column in self.closed if column in columns}
            if self.bank.has_diodes or back <= rows:
                return columns
            rows = rows | back


@pytest.fixture
def board() -> BoardDescription:
    return load_board("quick-battle-8x8")


@pytest.fixture
def bare(board: BoardDescription) -> BoardDescription:
    """The same board without diodes."""
    return replace(board, banks={"reeds": replace(board.banks["reeds"], has_diodes=False)})


@pytest.fixture
def factory() -> Iterator[Any]:
    factory = MockFactory(pin_class=CopperPin)
    factory.copper = None
    yield factory
    factory.reset()
    factory.close()


@pytest.fixture
def wired(factory: Any) -> Any:
    """Lays the reeds of a board's bank under the factory."""

    def wire(board: BoardDescription) -> Copper:
        factory.copper = Copper(factory, board.banks["reeds"])
        return factory.copper

    return wire
