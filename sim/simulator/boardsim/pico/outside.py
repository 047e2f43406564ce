"""Simulated Picos whose host is another process: a daemon in service, say, that opens their ports itself.

The ports are pseudo-terminals, as under `picos`. Nobody tells the world what that process writes: whoever
lets the world's time pass calls `carry_from_host` now and then.
"""

from __future__ import annotations

from boardsim.pico.picos import SimPicos
from boardsim.pins.terminals import unread_bytes


class OutsidePicos(SimPicos):
    """The Picos under a world, at the end of cables that another process opens."""

    def carry_from_host(self) -> None:
        """Take what the host has written to the Picos."""
        for each in self.picos_by_name.values():
            each.read_elsewhere = True
            if each.plugged and (count := unread_bytes(each.host_data_fd)):
                each.carry_from_host(count)
