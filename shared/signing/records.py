"""Signing a record, and checking one: Ed25519 over SHA-256 of the record's bytes without the signature."""

from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shared.core.service_keys import ServiceKey
from shared.wire.signature import signed_bytes, with_signature

Sign = Callable[[bytes], str]
"""A record's bytes to its signature as a line holds it."""


def signer(private: Ed25519PrivateKey, public: ServiceKey) -> Sign:
    """Signs with one key. The bytes are those of `signature.signed_bytes`."""
    name = public.hash

    def sign(record: bytes) -> str:
        return f"{name}:{b64encode(private.sign(sha256(record).digest())).decode()}"

    return sign


def signed(lines: Sequence[bytes], sign: Sign) -> list[bytes]:
    """A record's lines, the last with the signature of all."""
    record = lines[0] if len(lines) == 1 else b"\n".join(lines)
    return [*lines[:-1], with_signature(lines[-1], sign(record))]


def holds(lines: Sequence[bytes], key: ServiceKey) -> bool:
    """Whether the record bears a signature, and it is by this key."""
    record, signature = signed_bytes(lines)
    keyhash, _, encoded = signature.partition(":")
    if keyhash != key.hash:
        return False
    try:
        _public(key.key).verify(b64decode(encoded), sha256(record).digest())
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=1024)
def _public(key: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(key)
