"""Signed checkpoints of a log: c2sp.org/tlog-checkpoint in a signed note.

The note's text is origin, size and root. Further lines by others have no meaning here. The origin is the installation's
name and the tournament's, ``NAME/T``. The signing key has the installation's name.
"""

from base64 import b64encode
from dataclasses import dataclass
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from shared.audit.checkpoints.note import (
    BadCheckpoint,
    Note,
    Signature,
    holds,
    parse_key,
    parse_note,
    read_base64,
    read_number,
    signed_by,
)
from shared.core.language.messages import say
from shared.core.trust.verifier_key import VerifierKey

FORMER_KEYS = ".former"
"""Suffix of the file of former keys, which lies next to a file of keys of the same name."""
STOLEN = "stolen"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A tree head: the log's ``origin``, its ``size`` in events and its ``root``; ``extensions`` are further lines."""

    origin: str
    size: int
    root: bytes
    signatures: tuple[Signature, ...] = ()
    extensions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the text that is signed: origin, size, root and further lines."""
        further = "".join(f"{line}\n" for line in self.extensions)
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n{further}"

    def __str__(self) -> str:
        return str(Note(self.text, self.signatures))


class Verifies(Protocol):
    """A verifier of an installation's signatures."""

    @property
    def name(self) -> str: ...

    def verifies(self, checkpoint: Checkpoint) -> bool: ...

    def verifies_formerly(self, checkpoint: Checkpoint) -> bool:
        """Return whether a former key of the installation verifies the checkpoint, but the key in force does not."""

    def is_stolen_signature(self, checkpoint: Checkpoint) -> bool:
        """Return whether a stolen key signed the checkpoint, so that the signature proves nothing."""


@dataclass(frozen=True, slots=True)
class Verifier(VerifierKey):
    """The public key of an installation."""

    def verifies(self, checkpoint: Checkpoint) -> bool:
        """Return whether the checkpoint has a signature of this key, and all signatures of this key on it are valid."""
        mine = signed_by(self, checkpoint.signatures)
        return bool(mine) and all(holds(self.key, one, checkpoint.text.encode()) for one in mine)

    def verifies_formerly(self, checkpoint: Checkpoint) -> bool:
        return False

    def is_stolen_signature(self, checkpoint: Checkpoint) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class FormerKey:
    """A former key of an installation, by its ``verifier``.

    Its signatures are valid on checkpoints of the log ``origin`` with at most ``size`` events, and never if it was ``stolen``.
    """

    verifier: Verifier
    origin: str
    size: int
    stolen: bool = False

    def __str__(self) -> str:
        return f"{self.verifier} {STOLEN}" if self.stolen else f"{self.verifier} {self.origin} {self.size}"


@dataclass(frozen=True, slots=True)
class KeyFile:
    """The keys of an installation: the one in force first, then former ones and those under former names.

    ``former``: the limits of former keys. A former key without a limit counts for every log. Its use is reported.
    """

    keys: tuple[Verifier, ...]
    former: tuple[FormerKey, ...] = ()

    @property
    def name(self) -> str:
        return self.keys[0].name

    def verifies(self, checkpoint: Checkpoint) -> bool:
        """Return whether one of the keys verifies the checkpoint, a former key only in its log and up to its size."""
        return any(key.verifies(checkpoint) and self._counts(key, checkpoint) for key in self.keys)

    def verifies_formerly(self, checkpoint: Checkpoint) -> bool:
        now = [key for key in self.keys if key.key == self.keys[0].key]
        return self.verifies(checkpoint) and not any(key.verifies(checkpoint) for key in now)

    def is_stolen_signature(self, checkpoint: Checkpoint) -> bool:
        stolen = {one.verifier.key for one in self.former if one.stolen}
        names = {signature.name for signature in checkpoint.signatures}
        return any(Verifier(name, key).verifies(checkpoint) for name in names for key in stolen)

    def _counts(self, key: Verifier, checkpoint: Checkpoint) -> bool:
        limits = [one for one in self.former if one.verifier.key == key.key]
        if not limits or key.key == self.keys[0].key:
            return True
        return any(not one.stolen and one.origin == checkpoint.origin and checkpoint.size <= one.size for one in limits)


class Signer:
    """Signs checkpoints with one private key under one name."""

    def __init__(self, name: str, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.verifier = Verifier(name, private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    def sign(self, origin: str, size: int, root: bytes, history: object = None) -> str:
        """Return the signed note for a log of ``size`` events. This signer has no memory, so it ignores the ``history``."""
        text = Checkpoint(origin, size, root).text
        signed = Signature(self.verifier.name, self.verifier.keyhash, self._private.sign(text.encode()))
        return str(Note(text, (signed,)))


def parse(note: str) -> Checkpoint:
    """Parse a signed checkpoint, given as a signed ``note``. Raises `BadCheckpoint` with the fault."""
    read = parse_note(note)
    lines = read.text.removesuffix("\n").split("\n")
    if len(lines) < 3 or not all(lines):
        raise BadCheckpoint(say("a checkpoint must have an origin, a size and a root, an empty line, and signatures"))
    root = read_base64(lines[2], "line 3: the root")
    if len(root) != 32:
        raise BadCheckpoint(say("line 3: the root must be 32 bytes"))
    return Checkpoint(lines[0], read_number(lines[1], "line 2"), root, read.signatures, tuple(lines[3:]))


def parse_verifier(text: str) -> Verifier:
    """Read a verifier key's line. Raises `BadCheckpoint`."""
    return parse_key(text, Verifier)


def parse_key_file(text: str, former: str = "") -> KeyFile:
    """Parse the contents of a file of verifier keys, and of the file of former keys next to it (``former``, empty: no file).

    Raises `BadCheckpoint`.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    keys = tuple(parse_verifier(line) for line in lines or [""])
    return KeyFile(keys, tuple(_parse_former(line) for line in former.split("\n") if line.strip()))


def _parse_former(line: str) -> FormerKey:
    key, _, rest = line.partition(" ")
    if rest == STOLEN:
        return FormerKey(parse_verifier(key), "", 0, stolen=True)
    origin, _, size = rest.rpartition(" ")
    if not origin:
        raise BadCheckpoint(
            say(
                "a line about a former key must have the key, then the origin and the size of a log, or the word stolen"
            )
        )
    return FormerKey(parse_verifier(key), origin, read_number(size, "the size"))


__all__ = [
    "BadCheckpoint",
    "Checkpoint",
    "FormerKey",
    "KeyFile",
    "Signature",
    "Signer",
    "Verifier",
    "Verifies",
    "parse",
    "parse_key_file",
    "parse_verifier",
]
