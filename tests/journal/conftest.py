"""A key and a journal on disk for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from boardumpire.journal.journal import Store
from boardumpire.journal.sealing import BoardKey


@pytest.fixture
def key() -> BoardKey:
    return BoardKey.random()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def store(path: Path, key: BoardKey) -> Iterator[Store]:
    store = Store.open(path, key)
    yield store
    store.close()
