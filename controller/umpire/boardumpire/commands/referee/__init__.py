"""The rules on a pipe: one JSON object a line comes in, one goes out. docs/program/referee-protocol.md has
the protocol.

`referee` knows everything of its games; `seat_referee` speaks for one seat and knows what that may know;
`game_host` lets programs in other processes sit at one table.
"""
