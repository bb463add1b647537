"""Values in the steps of several games: whole seconds, and seals of secret content that is opened later.

A seal is the SHA-256 (hex) of a salt followed by the sealed content, in UTF-8.
"""

import re
from hashlib import sha256

from shared.core.terms import Seconds

DIGITS_AT_MOST = 5
"""Maximum number of digits of a number of seconds."""
SHORTEST_SALT = 16
"""Minimum number of characters. With a shorter salt, the content could be found by trying all salts."""
_HASH = re.compile(r"[0-9a-f]{64}")


def seconds_of(text: str) -> Seconds | None:
    """Return whole seconds from a step's value, or None for another text."""
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS_AT_MOST):
        return None
    return Seconds(int(text))


def is_seal(value: str) -> bool:
    """Return whether this is a SHA-256 in 64 hexadecimal digits, lower case."""
    return bool(_HASH.fullmatch(value))


def opens(seal: str, salt: str, content: str) -> bool:
    """Return whether salt and content are those that were sealed."""
    return sha256((salt + content).encode()).hexdigest() == seal
