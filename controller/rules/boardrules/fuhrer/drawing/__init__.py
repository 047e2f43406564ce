"""What a map looks like, on paper and on a screen: the land, the cities, the pieces."""
