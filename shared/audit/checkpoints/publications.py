"""Checkpoints in the events of a log: those of its publications, and restarts."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence

from shared.audit.checkpoints.checkpoint import BadCheckpoint, Checkpoint, Verifies, parse
from shared.core.language.messages import Message, say
from shared.core.state.entities import CheckpointRestart
from shared.core.terms import Seq

_TYPE = b'"type":"arbiter.standings.published.'
_RESTARTED = b'"type":"arbiter.checkpoint.restarted.'


def published_checkpoints(lines: Iterable[bytes]) -> Iterator[Checkpoint]:
    """Yield the checkpoints in the published standings among these events, in order. Unreadable ones are skipped."""
    for line in lines:
        if _TYPE not in line:
            continue
        try:
            yield parse(json.loads(line)["data"]["checkpoint"])
        except (ValueError, KeyError, TypeError, AttributeError, BadCheckpoint):
            continue


def checkpoint_restarts(lines: Iterable[bytes]) -> Iterator[CheckpointRestart]:
    """Yield the restarts of checkpoints in a log, given from its first line on, in order. Unreadable ones are skipped."""
    for seq, line in enumerate(lines, 1):
        if _RESTARTED not in line:
            continue
        try:
            data = json.loads(line)["data"]
            yield CheckpointRestart(Seq(seq), int(data["size"]), str(data["root"]))
        except (ValueError, KeyError, TypeError):
            continue


def publication_signature_fault(
    checkpoint: Checkpoint, keys: Sequence[Verifies], remark: Callable[[Message], None]
) -> Message | None:
    """Return that none of the ``keys`` verifies a published checkpoint, or None.

    A signature by a former or a stolen key is not a fault: ``remark`` is called with a message about it.
    """
    good = [key for key in keys if key.verifies(checkpoint)]
    if not good and not any(key.is_stolen_signature(checkpoint) for key in keys):
        return say("none of the given keys verifies the published checkpoint")
    if not good:
        remark(say("a published checkpoint is signed with a stolen key, which proves nothing"))
    elif all(key.verifies_formerly(checkpoint) for key in good):
        remark(say("a published checkpoint is signed with a former key"))
    return None
