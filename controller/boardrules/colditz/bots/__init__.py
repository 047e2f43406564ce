"""Simple players."""
