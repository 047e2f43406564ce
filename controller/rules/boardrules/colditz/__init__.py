"""Escape from Colditz (rules in docs/play/rules/escape-from-colditz.md)."""
