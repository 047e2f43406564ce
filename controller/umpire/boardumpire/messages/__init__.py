"""The one door out: what is told to whom, in which language."""
