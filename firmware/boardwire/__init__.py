"""What both ends of the wire share, in the MicroPython subset."""
