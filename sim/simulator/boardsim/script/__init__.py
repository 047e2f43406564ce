"""Hand scripts: what hands and phones do, a line at a time."""
