"""Modules that stand in `sys.modules` for a while."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


@contextlib.contextmanager
def replaced_modules(modules: Mapping[str, Any], reimported: Iterable[str] = ()) -> Iterator[None]:
    """Have `modules` stand in `sys.modules` for a while, and what was there before afterwards.

    The modules named in `reimported` are imported anew meanwhile, so that they bind to the stand-ins, and are
    forgotten afterwards in favour of what was there before.
    """
    names = [*modules, *reimported]
    before = {name: sys.modules.get(name) for name in names}
    for name in names:
        sys.modules.pop(name, None)
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
