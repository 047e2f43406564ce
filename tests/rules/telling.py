"""Whether everything that a game says has a sentence."""

from __future__ import annotations

from boardumpire.messages import announce


def says(message: announce.Message) -> str:
    """The sentence of a message, which has to be one with all its parameters."""
    assert announce.is_known(message), message
    text = announce.to_sentence(message)
    assert "{" not in text
    return text
