"""From reeds to what hands meant: pure, and the same for every game."""
