"""The rules on a pipe: one JSON object a line comes in, one goes out. docs/program/referee-protocol.md has
the protocol.

`arbiter` knows everything of its games; `seat` speaks for one seat and knows what that may know; `hosting`
lets programs in other processes sit at one table.
"""
