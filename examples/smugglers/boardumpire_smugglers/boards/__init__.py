"""The board that carries the game."""
