"""The course of a turn, the words that are said in it, and what men collect."""
