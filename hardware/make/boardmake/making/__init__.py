"""What a maker needs of a board besides its file: holes, wires, parts, cost, power."""
