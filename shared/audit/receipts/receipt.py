"""Receipts (c2sp.org/tlog-proof): an event, the proof that it is in a log, and the log's signed checkpoint, in one file.

A receipt proves that the event was in the log, without the log and without the installation.
"""

from base64 import b64encode
from dataclasses import dataclass

from shared.audit.checkpoints.checkpoint import Checkpoint, parse
from shared.audit.checkpoints.note import BadCheckpoint, read_base64, read_number
from shared.core.language.messages import say
from shared.core.trust.merkle import leaf_hash, verify_inclusion

_FORMAT = "c2sp.org/tlog-proof@v1"
MEDIA = "text/plain"
SUFFIX = ".tlog-proof"
MAX_BYTES = 1 << 25


@dataclass(frozen=True, slots=True)
class Receipt:
    """``line`` (without LF) is event ``seq`` of the log (from 1); ``hashes`` lead to the root of ``checkpoint``.

    ``note`` is the checkpoint byte for byte.
    """

    line: bytes
    seq: int
    hashes: tuple[bytes, ...]
    checkpoint: Checkpoint
    note: str

    @property
    def holds(self) -> bool:
        """Return whether the proof leads from the event to the checkpoint's root."""
        checkpoint = self.checkpoint
        return verify_inclusion(
            leaf_hash(self.line), self.seq - 1, checkpoint.size, self.hashes, checkpoint.root
        )  # fmt: skip

    def __str__(self) -> str:
        lines = [_FORMAT, f"extra {b64encode(self.line).decode()}", f"index {self.seq - 1}"]
        lines += [b64encode(one).decode() for one in self.hashes]
        return "\n".join(lines) + f"\n\n{self.note}"


def receipt(line: bytes, seq: int, hashes: tuple[bytes, ...], note: str) -> Receipt:
    """Return a receipt under a signed note. Raises `BadCheckpoint` if the note is not a checkpoint."""
    return Receipt(line, seq, hashes, parse(note), note)


def parse_receipt(text: str) -> Receipt:
    """Read a receipt. Raises `BadCheckpoint` with the fault of its form. `Receipt.holds` checks the proof."""
    head, separator, note = text.partition("\n\n")
    lines = head.split("\n")
    if lines[0] != _FORMAT:
        raise BadCheckpoint(say("a receipt begins with {format}", format=repr(_FORMAT)))
    if len(lines) < 2 or not lines[1].startswith("extra "):
        raise BadCheckpoint(say("line 2: the receipt does not hold the line that it is of (extra)"))
    line = read_base64(lines[1].removeprefix("extra "), "line 2: the line")
    if len(lines) < 3 or not lines[2].startswith("index "):
        raise BadCheckpoint(say("line 3: the index is missing"))
    index = read_number(lines[2].removeprefix("index "), "line 3: the index")
    hashes = tuple(read_base64(one, f"line {n}: a hash") for n, one in enumerate(lines[3:], 4))
    if len(hashes) > 63 or any(len(one) != 32 for one in hashes):
        raise BadCheckpoint(say("a proof has at most 63 hashes of 32 bytes"))
    if not separator:
        raise BadCheckpoint(say("the receipt bears no checkpoint"))
    return Receipt(line, index + 1, hashes, parse(note), note)
