"""The physical world: what a driver must do, and the drivers."""
