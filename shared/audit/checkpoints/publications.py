"""What the lines of a log say of checkpoints: those of its publications, and that they began anew."""

import json
from collections.abc import Iterable, Iterator

from shared.audit.checkpoints.checkpoint import BadCheckpoint, Checkpoint, parse
from shared.core.state.entities import CheckpointRestart
from shared.core.terms import Seq

_TYPE = b'"type":"arbiter.standings.published.'
_RESTARTED = b'"type":"arbiter.checkpoint.restarted.'


def published(lines: Iterable[bytes]) -> Iterator[Checkpoint]:
    """The checkpoints of the publications among these lines, in their order; what cannot be read is left out."""
    for line in lines:
        if _TYPE not in line:
            continue
        try:
            yield parse(json.loads(line)["data"]["checkpoint"])
        except (ValueError, KeyError, TypeError, AttributeError, BadCheckpoint):
            continue


def restarts(lines: Iterable[bytes]) -> Iterator[CheckpointRestart]:
    """The restarts of checkpoints among these lines, in their order; what cannot be read is left out."""
    for seq, line in enumerate(lines, 1):
        if _RESTARTED not in line:
            continue
        try:
            data = json.loads(line)["data"]
            yield CheckpointRestart(Seq(seq), int(data["size"]), str(data["root"]))
        except (ValueError, KeyError, TypeError):
            continue
