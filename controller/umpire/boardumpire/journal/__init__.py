"""The store: what was ruled is written, proved and found again."""
