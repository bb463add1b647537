"""Cosignatures of witnesses (c2sp.org/tlog-cosignature, Ed25519), which confirm at a time that a log only grew."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from shared.audit.checkpoints.checkpoint import Checkpoint
from shared.audit.checkpoints.note import BadCheckpoint, holds, parse_key, signed_by
from shared.core.language.messages import Message, say
from shared.core.trust.verifier_key import VerifierKey

COSIGNATURE = 0x04
"""The algorithm byte of a timestamped cosignature."""
_TIME_BYTES = 8


@dataclass(frozen=True, slots=True)
class Witness(VerifierKey):
    """The public key of a witness."""

    algorithm: ClassVar[int] = COSIGNATURE

    def cosigned(self, checkpoint: Checkpoint) -> int | None:
        """Return when (POSIX seconds) this witness cosigned the checkpoint, or None.

        None also if one of its signature lines is invalid.
        """
        times = [self._time(checkpoint, one) for one in signed_by(self, checkpoint.signatures)]
        good = [time for time in times if time is not None]
        return max(good) if good and len(good) == len(times) else None

    def _time(self, checkpoint: Checkpoint, signature: bytes) -> int | None:
        time = int.from_bytes(signature[:_TIME_BYTES], "big")
        if time >= 1 << 63 or not holds(self.key, signature[_TIME_BYTES:], cosigned_message(checkpoint.text, time)):
            return None
        return time


def cosigned_message(text: str, time: int) -> bytes:
    """Return the bytes that a witness signs to cosign a checkpoint's ``text`` at ``time`` (POSIX seconds)."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def parse_witness(text: str) -> Witness:
    """Read a witness's verifier key. Raises `BadCheckpoint`."""
    return parse_key(text, Witness)


def cosigners(checkpoint: Checkpoint, witnesses: Iterable[Witness]) -> list[Witness]:
    """Return the witnesses that cosigned the checkpoint, each key once."""
    by_key = {witness.key: witness for witness in witnesses if witness.cosigned(checkpoint) is not None}
    return list(by_key.values())


def quorum_missing(
    checkpoint: Checkpoint, witnesses: Sequence[Witness], quorum: int, copies: Sequence[Checkpoint] = ()
) -> Message | None:
    """Return that fewer than ``quorum`` of these witnesses cosigned a checkpoint, or None if enough did.

    ``copies``: other checkpoints. Cosignatures of those with the same text count too.
    """
    same = (checkpoint, *(copy for copy in copies if copy.text == checkpoint.text))
    signers = {witness.key: witness for one in same for witness in cosigners(one, witnesses)}.values()
    if len(signers) >= quorum:
        return None
    missing = ", ".join(sorted({w.name for w in witnesses} - {w.name for w in signers}))
    return say(
        "{count} of {quorum} witnesses cosigned the checkpoint at {size} (not: {missing})",
        count=len(signers),
        quorum=quorum,
        size=checkpoint.size,
        missing=missing,
    )


__all__ = ["BadCheckpoint", "Witness", "cosigned_message", "cosigners", "parse_witness", "quorum_missing"]
