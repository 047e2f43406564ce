"""Escape from Colditz (rules in docs/rules/escape-from-colditz.md)."""
