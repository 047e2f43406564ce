"""The boards that carry the game."""
