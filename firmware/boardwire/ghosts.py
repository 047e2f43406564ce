"""Ghosts of a reed matrix without diodes. MicroPython subset.

Current that enters a row may leave it through a closed reed, run back along that column into another row and
come out at a third reed: three closed corners of a rectangle make the fourth look closed, and hide whether it
is. Which corner is the ghost can't be told from one look; what was known before can.
"""


def doubtful_contacts(rows: list[int]) -> list[int]:
    """For each row the contacts that are a corner of a rectangle of contacts that look closed."""
    doubt = [0] * len(rows)
    for one in range(len(rows)):
        for other in range(one):
            shared = rows[one] & rows[other]
            if shared & (shared - 1):  # at least two columns in common
                doubt[one] |= shared
                doubt[other] |= shared
    return doubt


def believed_contacts(rows: list[int], before: list[int]) -> list[int]:
    """What may be believed of a look at all rows: a doubtful contact stays as it was believed `before`."""
    doubt = doubtful_contacts(rows)
    return [(rows[row] & ~doubt[row]) | (before[row] & doubt[row]) for row in range(len(rows))]
