"""What came into a table, kept and played again: recorded, replayed, drawn, held against the model."""
