"""Matches between players: games with sides swapped, spread over processes, and a rating with its bounds.

`contest` plays one game, `spread` many of them and keeps what came of each, `rating` reckons, `command` is
`boardumpire lab match`.
"""
