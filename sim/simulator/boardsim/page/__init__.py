"""The virtual board: hands over a simulated world, by mouse, touch and keyboard, in a browser."""
