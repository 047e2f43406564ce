"""Strangers to measure levels by: small players of other ideas, with no code of the game's own players.

`stratego_players`, `hunt_players` and `castle_players` are frozen: with others, figures can't be compared.
`members` lists them, `command` is `boardumpire lab panel`.
"""
