"""What wires carry, and whether a board can work."""
