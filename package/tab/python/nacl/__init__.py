"""Stands in for PyNaCl in a browser: the same secret box, by TweetNaCl in JavaScript."""
