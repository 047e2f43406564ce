"""Many games of clumsy simulated people; each ruling is compared with the truth."""
