"""What hands do with pieces, in time and space. They know nothing of games."""
