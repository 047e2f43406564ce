"""Pawns on their way: steps, arrests, Appels."""
