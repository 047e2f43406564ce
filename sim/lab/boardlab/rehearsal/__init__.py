"""A mistake of a maker built into a simulated board, and the makers' tools tried on it."""
