"""Boards on other machines: a host accepts satellites, and these carry their Picos' bytes."""
