"""Players of Stratego: they guess the other army anew many times, and search each guess a few moves deep.

`beliefs` says which ranks a piece may have and deals them; `armies` sets up; `worth` puts numbers on a guess,
`search` looks ahead in it, `thinker` weighs what all guesses say. `sparring` are players to measure by.
"""
