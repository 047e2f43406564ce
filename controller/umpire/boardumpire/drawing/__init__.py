"""A board as screens show it."""
