"""What of a board goes onto paper: face, templates, tiles, wiring drawings, cards. Needs the extra `make`."""
