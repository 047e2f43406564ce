"""Many games of clumsy people, each ruling held against the truth."""
