"""`boardumpire lab new-game`: a distribution with a game that plays at once, to begin one's own with."""
