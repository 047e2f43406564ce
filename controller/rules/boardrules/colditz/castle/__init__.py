"""The castle: its plan, the board that is made of it, and how it is read, checked and drawn."""
