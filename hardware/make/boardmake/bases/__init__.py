"""Feet of pieces, to be printed: a pocket for the magnet, one for the tag, a slot for the face."""
