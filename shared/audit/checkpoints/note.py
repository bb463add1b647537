"""Signed notes and verifier keys (c2sp.org/signed-note), with Ed25519.

A note is a text, an empty line and signature lines. A line identifies its key by name and by the first four bytes of
SHA-256 over name, LF, algorithm byte and public key. Lines of unknown keys are left unchanged.
"""

from base64 import b64encode
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from shared.core.language.messages import message_of, say
from shared.core.trust import verifier_key
from shared.core.trust.checkpoint_origin import valid_key_name
from shared.core.trust.verifier_key import KEY_BYTES, VerifierKey

Key = TypeVar("Key", bound=VerifierKey)

MAX_BYTES = 1 << 20
"""Maximum bytes of a note with every signature. One of many post-quantum cosignatures is a tenth of it."""
_DASH = "\u2014"
_SIGNATURE_BYTES = 64


class BadCheckpoint(ValueError):
    """A note, a checkpoint, a receipt or a verifier key that cannot be read, with the reason."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature line: the key's name and ID, and the signature of any algorithm."""

    name: str
    keyhash: bytes
    signature: bytes

    def __str__(self) -> str:
        return f"{_DASH} {self.name} {b64encode(self.keyhash + self.signature).decode()}"


@dataclass(frozen=True, slots=True)
class Note:
    """A signed note. ``text`` ends with LF. ``signatures``: all signature lines, also those of unknown keys."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(f"{signature}\n" for signature in self.signatures)


def signed_by(key: VerifierKey, signatures: tuple[Signature, ...]) -> list[bytes]:
    """Return the signatures of one key, selected by its name and its ID."""
    mine = key.name, key.keyhash
    return [one.signature for one in signatures if (one.name, one.keyhash) == mine]


def holds(key: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether an Ed25519 signature by a public key on a message is valid."""
    if len(signature) != _SIGNATURE_BYTES:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def parse_note(note: str) -> Note:
    """Read a signed note. Raises `BadCheckpoint` with the fault of its form."""
    if len(note.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise BadCheckpoint(say("a note must not have more than {most} bytes", most=MAX_BYTES))
    if any(c < " " and c != "\n" for c in note):
        raise BadCheckpoint(say("a note must not contain control characters except LF"))
    text, separator, tail = note.rpartition("\n\n")
    if not separator:
        raise BadCheckpoint(say("a note must consist of a text, an empty line, and signatures"))
    if not tail:
        raise BadCheckpoint(say("the note has no signature"))
    return Note(f"{text}\n", parse_signatures(tail))


def parse_signatures(lines: str) -> tuple[Signature, ...]:
    """Read signature lines. The last may lack its LF, as in files copied manually. Raises `BadCheckpoint`."""
    return tuple(_signature(line) for line in lines.removesuffix("\n").split("\n"))


def _signature(line: str) -> Signature:
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    if dash != _DASH or not valid_key_name(name):
        raise BadCheckpoint(say("{line} is not a signature line", line=repr(line[:40])))
    blob = read_base64(encoded, "a signature")
    if len(blob) < 5:
        raise BadCheckpoint(say("a signature must have 4 bytes of key ID and at least one more byte"))
    return Signature(name, blob[:4], blob[4:])


def parse_key(text: str, kind: type[Key]) -> Key:
    """Parse a verifier key's line as a key of the class ``kind``. Raises `BadCheckpoint`."""
    parts = text.strip().split("+", 2)
    if len(parts) != 3 or not valid_key_name(parts[0]):
        raise BadCheckpoint(say("a verifier key must have the form name+hash+base64"))
    blob = read_base64(parts[2], "the verifier key")
    key = kind(parts[0], blob[1:])
    if key.blob != blob or len(key.key) != KEY_BYTES:
        raise BadCheckpoint(
            say("the verifier key must be Ed25519 with algorithm 0x{algorithm}", algorithm=f"{kind.algorithm:02x}")
        )
    if key.keyhash.hex() != parts[1]:
        raise BadCheckpoint(say("the verifier key does not match its own hash"))
    return key


def read_base64(text: str, what: str) -> bytes:
    """Decode base64 in its one canonical form. Raises `BadCheckpoint`, whose message calls the value ``what``."""
    try:
        return verifier_key.read_base64(text)
    except ValueError as problem:
        raise BadCheckpoint(say("{what} is {problem}", what=what, problem=message_of(problem))) from None


def read_number(text: str, what: str) -> int:
    """Parse a decimal number below 2^63 without leading zeros.

    Raises `BadCheckpoint`, whose message calls the value ``what``.
    """
    plain = text.isascii() and text.isdigit() and (text == "0" or text[0] != "0")
    if not plain or len(text) > 19 or int(text) >= 1 << 63:
        raise BadCheckpoint(
            say(
                "{what}: {text} is not a number of events; write decimal digits without leading zeros",
                what=what,
                text=repr(text[:40]),
            )
        )
    return int(text)


@dataclass(frozen=True, slots=True)
class CosignedNote:
    """The last checkpoint of a log that a witness has cosigned: its ``size`` in events, and its signed ``note``.

    ``recent``: it was stored at most 60 seconds ago, so that a newer checkpoint may still wait for its cosignature.
    """

    size: int
    note: str
    recent: bool


class SignedHead(NamedTuple):
    """The largest tree head of a log that was ever signed."""

    size: int
    root: bytes


class SignedNotes(Protocol):
    """A reader of a signer's memory: the last cosigned checkpoint and the largest signed head of the log ``origin``."""

    def cosigned(self, origin: str) -> CosignedNote | None: ...

    def largest_head(self, origin: str) -> SignedHead | None: ...


class NoNotes:
    """The memory of an installation that does not store signed checkpoints: it is always empty."""

    def cosigned(self, origin: str) -> CosignedNote | None:
        return None

    def largest_head(self, origin: str) -> SignedHead | None:
        return None
