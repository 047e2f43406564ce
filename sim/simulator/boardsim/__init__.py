"""Stands in for the hardware below the real drivers."""
