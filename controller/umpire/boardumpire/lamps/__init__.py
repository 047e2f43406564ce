"""From meanings to colours and patterns of lamps."""
