"""One board on one bench, with its table, in virtual time."""
