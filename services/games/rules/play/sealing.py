"""What is sealed until both sides may see it: predictions, and moves of adjourned games.

A seal is the SHA-256 (hex) of a salt and what is sealed, written one after the other in UTF-8.
"""

import re
from hashlib import sha256

SHORTEST_SALT = 16
"""With fewer characters what is sealed could be found by trying them all."""
_HASH = re.compile(r"[0-9a-f]{64}")


def is_seal(value: str) -> bool:
    """Whether this is a SHA-256 in 64 hexadecimal digits, lower case."""
    return bool(_HASH.fullmatch(value))


def opens(seal: str, salt: str, said: str) -> bool:
    """Whether salt and words are those that were sealed."""
    return sha256((salt + said).encode()).hexdigest() == seal
