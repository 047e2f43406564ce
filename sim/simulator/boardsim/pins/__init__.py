"""The layer below the real drivers: pins, lamps and cables that end in the simulated world."""
