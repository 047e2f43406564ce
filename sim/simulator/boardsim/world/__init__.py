"""What is on the bench: copper, and pieces with magnets over reeds."""
