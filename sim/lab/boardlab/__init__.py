"""Many games at once, and what they show: soaks, matches, the balance of sides, benchmarks."""
