"""Signatures of the recovery key, as events contain them."""

from binascii import a2b_base64, b2a_base64

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.bindings import crypto_sign_open
from nacl.exceptions import BadSignatureError

from shared.core.trust.recovery import parse_recovery_key, recovery_text


def sign_recovery(private: Ed25519PrivateKey, origin: str, key: str) -> str:
    """Return the signature (base64) that vouches for a service's new key in a log."""
    return b2a_base64(private.sign(recovery_text(origin, key)), newline=False).decode()


def vouches(recovery: str, origin: str, key: str, signature: str) -> bool:
    """Return whether the signature is by the recovery key, over this key in the log of this origin."""
    known = parse_recovery_key(recovery)
    if known is None:
        return False
    try:
        content = a2b_base64(signature, strict_mode=True)
        crypto_sign_open(content + recovery_text(origin, key), known.key)
    except (ValueError, BadSignatureError):
        return False
    return b2a_base64(content, newline=False).decode() == signature
