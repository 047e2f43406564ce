"""How Home Assistant finds a board: its MQTT integration reads a retained message for each entity.

It is told which topics to watch, and nothing of a game. See https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class DiscoveryEntity(NamedTuple):
    """One thing that is shown."""

    component: str
    id: str
    name: str
    topic: str
    extra_config: dict[str, Any]


_ON_OFF_PAYLOADS = {"payload_on": "on", "payload_off": "off"}
ENTITIES = (
    DiscoveryEntity(
        "binary_sensor",
        "online",
        "Online",
        "online",
        {"device_class": "connectivity", "payload_on": "true", "payload_off": "false"},
    ),
    DiscoveryEntity(
        "sensor",
        "game",
        "Game",
        "state",
        {
            "value_template": "{{ 'none' if not value_json.table"
            " else 'over' if value_json.board.over else value_json.view.game }}",
            "icon": "mdi:chess-knight",
        },
    ),
    DiscoveryEntity(
        "sensor",
        "to-move",
        "To move",
        "state",
        {
            "value_template": "{{ value_json.view.to_act | join(', ') if value_json.table else '' }}",
            "icon": "mdi:account-arrow-right",
        },
    ),
    DiscoveryEntity(
        "binary_sensor",
        "tidy",
        "Something to put right",
        "state",
        {
            **_ON_OFF_PAYLOADS,
            "value_template": "{{ 'on' if value_json.table and value_json.board.chores else 'off' }}",
            "device_class": "problem",
        },
    ),
    DiscoveryEntity(
        "sensor",
        "said",
        "Last said",
        "state",
        {
            "value_template": "{% set all = value_json.told | selectattr('text', 'defined') | list %}"
            "{% set said = (all | last).text if all else '' %}"
            "{{ (said if said is string else said | join(' '))[:250] }}",
            "icon": "mdi:bullhorn",
        },
    ),
)
"""Home Assistant keeps at most 255 characters of a state: `said` is cut."""


def discovery_messages(prefix: str, name: str, root: str, version: str) -> list[tuple[str, str]]:
    """Topics and payloads by which a board called `name`, whose topics begin with `root`, is found.

    `prefix`: where Home Assistant looks, `homeassistant` unless it was told otherwise.
    """
    node = f"boardumpire-{name}"
    device = {
        "identifiers": [node],
        "name": name,
        "manufacturer": "Boardumpire",
        "model": "Boardumpire",
        "sw_version": version,
    }
    found = []
    for entity in ENTITIES:
        config: dict[str, Any] = {
            "name": entity.name,
            "unique_id": f"{node}-{entity.id}",
            "object_id": f"{node}-{entity.id}".replace("-", "_"),
            "state_topic": f"{root}/{entity.topic}",
            "qos": 1,
            "device": device,
            **entity.extra_config,
        }
        if entity.id != "online":
            config |= {
                "availability_topic": f"{root}/online",
                "payload_available": "true",
                "payload_not_available": "false",
            }
        topic = f"{prefix}/{entity.component}/{node}/{entity.id}/config"
        found.append((topic, json.dumps(config, separators=(",", ":"))))
    return found
