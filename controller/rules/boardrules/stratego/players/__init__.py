"""Players of Stratego: they guess the other army anew many times, and search each guess a few moves deep.

`beliefs` says which ranks a piece may have and deals them; `setup_generator` sets up; `piece_values` puts
numbers on a guess, `guess_search` looks ahead in it, `flag_race` sees who reaches a Flag further ahead,
`sampling_player` weighs what all guesses say.
`simple_players` are players to measure by.
"""
