"""Signing a record, and checking one: Ed25519 over SHA-256 of the record's bytes without the signature."""

from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from shared.core.service_keys import ServiceKey
from shared.wire.signature import signed_bytes, with_signature

Sign = Callable[[bytes], str]
"""A record's bytes to its signature as a line holds it."""


def signer(private: Ed25519PrivateKey, public: ServiceKey) -> Sign:
    """Signs with one key. The bytes are those of `signature.signed_bytes`."""
    name, key = public.hash, SigningKey(private.private_bytes_raw())

    def sign(record: bytes) -> str:
        return f"{name}:{b2a_base64(key.sign(sha256(record).digest()).signature, newline=False).decode()}"

    return sign


def signed(lines: Sequence[bytes], sign: Sign) -> list[bytes]:
    """A record's lines, the last with the signature of all."""
    record = lines[0] if len(lines) == 1 else b"\n".join(lines)
    return [*lines[:-1], with_signature(lines[-1], sign(record))]


def holds(lines: Sequence[bytes], key: ServiceKey) -> bool:
    """Whether the record bears a signature, and it is by this key."""
    return is_by(*signed_bytes(lines), key)


def is_by(record: bytes, signature: str, key: ServiceKey) -> bool:
    """Whether a signature, as a line holds it, is by this key over a record's bytes without it."""
    keyhash, _, encoded = signature.partition(":")
    if keyhash != key.hash:
        return False
    try:
        _public(key.key).verify(sha256(record).digest(), a2b_base64(encoded))
    except BadSignatureError:
        return False
    return True


@lru_cache(maxsize=1024)
def _public(key: bytes) -> VerifyKey:
    return VerifyKey(key)
