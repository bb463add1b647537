"""Singular and plural in messages."""

from shared.core.language.messages import Message


def counted(count: int, one: Message, several: Message) -> Message:
    """Return the message for exactly one thing, or the one for 0 or several."""
    return one if count == 1 else several
