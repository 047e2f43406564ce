"""The files of keys: at the host one for all its satellites, at a satellite one with its own."""

from __future__ import annotations

import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from boardumpire.errors import KeyFileError
from boardumpire.satellite.pairing import KEY_BYTES
from boardware.files import replace_file

HOST_FORMAT = "boardumpire-satellites"
SATELLITE_FORMAT = "boardumpire-satellite"
VERSION = 1


class SatelliteKey(NamedTuple):
    """The key of one satellite. The `repr` shows its name alone."""

    name: str
    key: bytes

    def __repr__(self) -> str:
        return f"<SatelliteKey: {self.name}>"


def load_host_keys(path: Path) -> Mapping[str, bytes]:
    """By name the keys of the satellites that were paired; none without a file. Raises `KeyFileError`."""
    if not path.exists():
        return {}
    values = _read(path, HOST_FORMAT).get("keys")
    if not isinstance(values, dict):
        raise KeyFileError(f"{path}: keys: found {type(values).__name__}; pair the satellites again")
    return {str(name): _to_key(path, key) for name, key in values.items()}


def save_host_keys(path: Path, keys: Mapping[str, bytes]) -> None:
    """Write them, for this user alone. Raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    shown = {name: key.hex() for name, key in sorted(keys.items())}
    _write(path, {"format": HOST_FORMAT, "version": VERSION, "keys": shown})


def load_satellite_key(path: Path) -> SatelliteKey:
    """The key of this machine as a satellite. Raises `KeyFileError`."""
    values = _read(path, SATELLITE_FORMAT)
    return SatelliteKey(str(values.get("name", "")), _to_key(path, values.get("key")))


def save_satellite_key(path: Path, key: SatelliteKey) -> None:
    """Write it, for this user alone. Raises `OSError`."""
    _write(path, {"format": SATELLITE_FORMAT, "version": VERSION, "name": key.name, "key": key.key.hex()})


def _write(path: Path, values: Mapping[str, Any]) -> None:
    replace_file(path, json.dumps(values, indent=1).encode() + b"\n")


def _read(path: Path, format_name: str) -> dict[str, Any]:
    try:
        mode = path.stat().st_mode
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise KeyFileError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise KeyFileError(f"{path}: no {format_name} file; pair again") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise KeyFileError(f"{path}: others may read it; try: chmod 600 {path}")
    if not isinstance(values, dict) or values.get("format") != format_name:
        raise KeyFileError(f"{path}: no {format_name} file; pair again")
    if values.get("version") != VERSION:
        raise KeyFileError(f"{path}: found version {values.get('version')!r}; this program reads {VERSION}")
    return values


def _to_key(path: Path, text: object) -> bytes:
    try:
        key = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise KeyFileError(f"{path}: a key is not {2 * KEY_BYTES} hexadecimal digits; pair again")
    return key
