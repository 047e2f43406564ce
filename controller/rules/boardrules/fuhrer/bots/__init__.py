"""Programs that play Fall of the Führer."""
