"""What a position is made of: the rules in force, facts, and the draft of the next one."""
