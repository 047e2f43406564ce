"""What the page teaches: the help on a game's rules, and first games that lead by the hand."""
