"""What can go wrong with a box."""


class CryptoError(Exception):
    """The box does not open: another key, or changed."""
