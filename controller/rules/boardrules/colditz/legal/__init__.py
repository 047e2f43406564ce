"""What may be done, why something is refused, and what hands may carry where."""
