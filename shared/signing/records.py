"""Signing a record, and checking one: Ed25519 over SHA-256 of the record's bytes without the signature."""

from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Sequence
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.bindings import crypto_sign, crypto_sign_BYTES, crypto_sign_open, crypto_sign_seed_keypair
from nacl.exceptions import BadSignatureError

from shared.core.trust.service_keys import ServiceKey
from shared.wire.envelope import signed_bytes, with_signature

Sign = Callable[[bytes], str]
"""A record's bytes to its signature as a line holds it."""


def signer(private: Ed25519PrivateKey, public: ServiceKey) -> Sign:
    """Signs with one key. The bytes are those of `signature.signed_bytes`."""
    name, (_, secret) = public.hash, crypto_sign_seed_keypair(private.private_bytes_raw())

    def sign(record: bytes) -> str:
        signature = crypto_sign(sha256(record).digest(), secret)[:crypto_sign_BYTES]
        return f"{name}:{b2a_base64(signature, newline=False).decode()}"

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
        crypto_sign_open(a2b_base64(encoded) + sha256(record).digest(), key.key)
    except BadSignatureError:
        return False
    return True
