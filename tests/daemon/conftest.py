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
