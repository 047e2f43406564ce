"""The process around a table: configuration, drivers, network names, power."""
