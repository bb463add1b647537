"""A witness for tests: it cosigns as c2sp.org/tlog-cosignature says."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from shared.audit.checkpoints.checkpoint import parse
from shared.audit.checkpoints.cosignature import Witness, cosigned_message
from shared.audit.checkpoints.note import Signature

NOW = 1_790_000_000


class Cosigner:
    """Cosigns whatever it is given."""

    def __init__(self, name: str, seed: int) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        self.witness = Witness(name, self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    def line(self, note: str, time: int = NOW) -> Signature:
        signed = self._private.sign(cosigned_message(parse(note).text, time))
        return Signature(self.witness.name, self.witness.keyhash, time.to_bytes(8, "big") + signed)

    def cosign(self, note: str, time: int = NOW) -> str:
        """The note with this witness's line beneath it."""
        return f"{note}{self.line(note, time)}\n"
