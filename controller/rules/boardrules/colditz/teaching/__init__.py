"""What Escape from Colditz teaches: its rules in a few words each, and a first game for either side."""
