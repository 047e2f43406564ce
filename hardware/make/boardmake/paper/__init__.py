"""What of a board goes onto paper: face, tiles, templates, wiring drawings, cards."""
