"""Simulated Picos that run the real firmware."""
