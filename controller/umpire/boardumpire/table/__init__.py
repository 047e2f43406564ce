"""The crank: one table, its match, and what turns them."""
