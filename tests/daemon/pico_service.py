"""A daemon in a process of its own over simulated Picos, whose cables can be pulled and put in."""

from __future__ import annotations

from pathlib import Path

from boardsim.pico.outside import OutsidePicos
from daemon.service import Service

CABLES = """
format = "boardumpire-config"
version = 1
[board]
name = "{board}"
[drivers]
sensors = "pico"
lamps = "pico-lamps"
console = "pico-console"
[sensors]
ports = {{ {ports} }}
[tracker]
settle_ms = 50
"""


class PicoService(Service):
    """The daemon with the drivers `pico`, which open the ports of simulated Picos themselves."""

    def __init__(self, directory: Path, board: str = "quick-battle-8x8-pico", config: str = "") -> None:
        """No Pico is plugged in yet. `config`: further sections of the configuration."""
        super().__init__(directory, board=board)
        self.picos = OutsidePicos(self.world)
        for pico in self.picos.picos_by_name.values():
            pico.unplug(0)
        self.look_us = 3_000
        ports = ", ".join(f'{id_} = "{each.port}"' for id_, each in self.picos.picos_by_name.items())
        self.config.write_text(CABLES.format(board=board, ports=ports) + config)

    def plug(self, pico: str) -> None:
        self.picos.picos_by_name[pico].plug(self.world.now)

    def unplug(self, pico: str) -> None:
        self.picos.picos_by_name[pico].unplug(self.world.now)

    def advance(self) -> None:
        self.picos.carry_from_host()
        super().advance()

    def close(self) -> None:
        super().close()
        self.picos.close()
