"""What a board is made of: circuit boards, feet of pieces, paper, lists; and whether it can work."""
