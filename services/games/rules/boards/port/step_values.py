"""Values that the steps of several games name: whole seconds, and seals of what both sides may only see later.

A seal is the SHA-256 (hex) of a salt and what is sealed, written one after the other in UTF-8.
"""

import re
from hashlib import sha256

from shared.core.terms import Seconds

DIGITS_AT_MOST = 5
"""Of a number of seconds."""
SHORTEST_SALT = 16
"""With fewer characters what is sealed could be found by trying them all."""
_HASH = re.compile(r"[0-9a-f]{64}")


def seconds_of(text: str) -> Seconds | None:
    """Whole seconds as a step's value writes them; None for another text."""
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS_AT_MOST):
        return None
    return Seconds(int(text))


def is_seal(value: str) -> bool:
    """Whether this is a SHA-256 in 64 hexadecimal digits, lower case."""
    return bool(_HASH.fullmatch(value))


def opens(seal: str, salt: str, content: str) -> bool:
    """Whether salt and content are those that were sealed."""
    return sha256((salt + content).encode()).hexdigest() == seal
