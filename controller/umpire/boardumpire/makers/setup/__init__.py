"""The first start of a board: what is there is found, what is wanted is asked, what was said is written."""
