"""Soak on a Dask cluster: the extra `cluster`. Its workers need Boardumpire with the extra `sim`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from boardlab.soak.one_game import ClusterError
from boardware.errors import install_hint


def on_cluster(address: str, worker: Callable[[int], Any], numbers: Sequence[int]) -> Iterator[Any]:
    """What `worker` gives for each number, as it comes, from the cluster whose scheduler is at `address`.

    Raises `ClusterError` where the extra isn't installed or nobody answers.
    """
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise ClusterError(f"--dask needs a library ({error}): {install_hint('cluster')}") from None
    try:
        client = Client(address, timeout=5)
    except (OSError, ValueError) as error:
        raise ClusterError(f"--dask {address}: {error}; try the address of a scheduler") from None
    with client:
        for done in as_completed(client.map(worker, numbers, pure=False)):
            yield done.result()
            done.release()
