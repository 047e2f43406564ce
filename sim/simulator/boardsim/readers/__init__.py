"""Tags in pieces, the air, and readers that hear them."""
