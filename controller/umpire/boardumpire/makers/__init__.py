"""Tools for those who build a board: traces of what it felt, a doctor for its parts, a calibration."""
