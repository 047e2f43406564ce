"""Rooms full of boards: what each of them publishes, and the page that shows them all."""
