"""Plays a game on a simulated board, drawn in the terminal."""
