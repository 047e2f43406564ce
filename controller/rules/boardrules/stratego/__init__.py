"""Stratego: Quick Battle on 8x8 and the classic games on 10x10 (rules in docs/play/rules/stratego.md)."""
