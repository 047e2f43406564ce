"""The page: a board and a private screen for each seat, in a browser. Sees views and messages, never states.

`page` puts it together; nothing here is imported unless a page is wanted.
"""
