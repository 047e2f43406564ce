"""What cards do, and how they are played and answered."""
