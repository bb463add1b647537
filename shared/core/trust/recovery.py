"""The recovery key of an operator, kept offline: it vouches for a new key of a service that lost its own.

The tournament's first event names it, as a C2SP verifier key of the name ``recovery``. Standard library only.
"""

from shared.core.language.messages import Message, say
from shared.core.trust.verifier_key import KEY_BYTES, VerifierKey, read_base64

NAME = "recovery"


def parse_recovery_key(text: str) -> VerifierKey | None:
    """Return the key, or None if the text is not a recovery key as it must be written."""
    try:
        blob = read_base64(text.partition("+")[2].partition("+")[2])
    except ValueError:
        return None
    key = VerifierKey(NAME, blob[1:])
    return key if len(blob) == 1 + KEY_BYTES and str(key) == text else None


def recovery_key_error(text: str) -> Message | None:
    """Return why an announcement cannot name this recovery key, or None. It may be empty: a recovery key is optional."""
    if not text or parse_recovery_key(text) is not None:
        return None
    return say("{key} is not a recovery key as `arbiter keys` writes it", key=repr(text[:80]))


def recovery_text(origin: str, key: str) -> bytes:
    """Return the bytes that the recovery key signs for a service's new ``key`` in the log of this ``origin``."""
    return f"arbiter recovery of a service key\n{origin}\n{key}\n".encode()
