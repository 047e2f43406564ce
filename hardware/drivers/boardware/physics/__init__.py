"""What a board's magnets, sensors and copper do, in numbers: for makers' checks and for the simulator."""
