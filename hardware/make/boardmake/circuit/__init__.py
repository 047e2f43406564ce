"""A circuit board made from a board file: tiles of squares, a carrier for a Pico, and what joins them."""
