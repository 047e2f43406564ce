"""The shared rules core: standard library only; no input or output, no clock, no randomness."""
