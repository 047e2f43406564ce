"""What hands mean. A rule looks at a situation and says what comes of it, or `None` if it does not apply."""
