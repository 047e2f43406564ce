"""A daemon of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.service import Service


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path)
    yield service
    service.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One daemon for tests that leave it as it was."""
    service = Service(tmp_path_factory.mktemp("shared"))
    service.start()
    yield service
    service.close()
