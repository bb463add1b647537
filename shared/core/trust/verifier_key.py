"""Ed25519 public keys in C2SP form, ``name+id+base64(algorithm, key)`` (c2sp.org/signed-note), and their base64.

Standard library only.
"""

from base64 import b64decode, b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

ED25519 = 0x01
"""The algorithm byte of a signature over a text alone."""
KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key of 32 bytes with a name. ``algorithm``: the byte for the kind of message that it verifies."""

    name: str
    key: bytes
    algorithm: ClassVar[int] = ED25519

    @property
    def blob(self) -> bytes:
        """Return algorithm and key, the bytes that are hashed and written."""
        return bytes((self.algorithm,)) + self.key

    @property
    def keyhash(self) -> bytes:
        """Return the key ID: the first four bytes of SHA-256 over name, LF, algorithm and key."""
        return sha256(f"{self.name}\n".encode() + self.blob).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.keyhash.hex()}+{b64encode(self.blob).decode()}"


def read_base64(text: str) -> bytes:
    """Decode standard base64 in its one canonical form. Raises `ValueError`, whose text continues a sentence after "is"."""
    try:
        content = b64decode(text, validate=True)
    except ValueError:
        raise ValueError("not base64") from None
    if b64encode(content).decode() != text:
        raise ValueError("not canonical base64")
    return content
