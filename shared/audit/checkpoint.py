"""Signed checkpoints of a log: C2SP ``tlog-checkpoint`` in a ``signed-note``, Ed25519.

The note's text is origin, size and root; a signature line names the key by the first
four bytes of SHA-256 over name, LF, algorithm byte and public key.
"""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_ED25519 = b"\x01"
_DASH = "\u2014"


class BadCheckpoint(ValueError):
    """A checkpoint, or a verifier key, that cannot be read; says why."""


@dataclass(frozen=True, slots=True)
class Signature:
    name: str
    keyhash: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A tree head: the log's ``origin``, its ``size`` in lines and its ``root``."""

    origin: str
    size: int
    root: bytes
    signatures: tuple[Signature, ...] = ()

    @property
    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key in the note's sense: ``name+keyhash+base64(alg, key)``."""

    name: str
    key: bytes

    @property
    def keyhash(self) -> bytes:
        return sha256(f"{self.name}\n".encode() + _ED25519 + self.key).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.keyhash.hex()}+{b64encode(_ED25519 + self.key).decode()}"

    def verifies(self, checkpoint: Checkpoint) -> bool:
        """Whether a signature of this key on the checkpoint holds."""
        public = Ed25519PublicKey.from_public_bytes(self.key)
        for signature in checkpoint.signatures:
            if (signature.name, signature.keyhash) == (self.name, self.keyhash):
                try:
                    public.verify(signature.signature, checkpoint.text.encode())
                except InvalidSignature:
                    return False
                return True
        return False


class Signer:
    """Signs checkpoints with one private key under one name."""

    def __init__(self, name: str, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.verifier = Verifier(name, private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    def sign(self, tournament: str, size: int, root: bytes) -> str:
        """The signed note for a tournament's log of ``size`` lines."""
        text = Checkpoint(origin(tournament), size, root).text
        signed = b64encode(self.verifier.keyhash + self._private.sign(text.encode())).decode()
        return f"{text}\n{_DASH} {self.verifier.name} {signed}\n"


def origin(tournament: str) -> str:
    return f"arbiter/{tournament}"


def short_digest(size: int, root: bytes) -> str:
    """``seq:`` and the first 20 hex digits of the root: what is printed on every sheet."""
    return f"{size}:{root.hex()[:20]}"


def parse(note: str) -> Checkpoint:
    """Read a signed note. Raises `BadCheckpoint` naming what is wrong."""
    head, separator, tail = note.partition("\n\n")
    lines = head.split("\n")
    if not separator or len(lines) < 3:
        raise BadCheckpoint("a checkpoint has an origin, a size and a root, an empty line, and signatures")
    if not lines[1].isascii() or not lines[1].isdigit() or str(int(lines[1])) != lines[1]:
        raise BadCheckpoint(f"line 2: {lines[1]!r} is no size")
    root = _base64(lines[2], "line 3: the root")
    if len(root) != 32:
        raise BadCheckpoint("line 3: the root is not 32 bytes")
    if len(lines) > 3:
        raise BadCheckpoint("line 4: extension lines are not known here")
    signatures = tuple(_signature(line) for line in tail.split("\n") if line)
    if not signatures:
        raise BadCheckpoint("the checkpoint bears no signature")
    return Checkpoint(lines[0], int(lines[1]), root, signatures)


def _signature(line: str) -> Signature:
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != _DASH:
        raise BadCheckpoint(f"{line[:40]!r} is no signature line")
    blob = _base64(parts[2], "a signature")
    if len(blob) != 68:
        raise BadCheckpoint("a signature has 4 bytes of key hash and 64 of Ed25519")
    return Signature(parts[1], blob[:4], blob[4:])


def parse_verifier(text: str) -> Verifier:
    """Read a verifier key file's line. Raises `BadCheckpoint`."""
    parts = text.strip().split("+", 2)
    if len(parts) != 3:
        raise BadCheckpoint("a verifier key reads name+hash+base64")
    blob = _base64(parts[2], "the verifier key")
    if blob[:1] != _ED25519 or len(blob) != 33:
        raise BadCheckpoint("the verifier key is not Ed25519")
    verifier = Verifier(parts[0], blob[1:])
    if verifier.keyhash.hex() != parts[1]:
        raise BadCheckpoint("the verifier key does not fit its own hash")
    return verifier


def _base64(text: str, what: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (NotBase64, ValueError):
        raise BadCheckpoint(f"{what} is not base64") from None
