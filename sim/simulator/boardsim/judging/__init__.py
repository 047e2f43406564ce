"""The truth of a game, and every ruling held against it."""
