"""Cards, what is hidden of them, and which throws earn one."""
