"""Who sits at a board: they play, err and mend."""
