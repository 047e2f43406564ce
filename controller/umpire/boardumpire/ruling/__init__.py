"""The values that a judgement is made of: pending proposals, clocks, dice, and whom the umpire asks."""
