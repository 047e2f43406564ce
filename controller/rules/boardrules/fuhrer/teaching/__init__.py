"""What Fall of the Führer teaches: its rules in a few words each, and a first game for either side."""
