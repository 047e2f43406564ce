"""The daemon: everything between a lifted piece and a lit lamp."""
