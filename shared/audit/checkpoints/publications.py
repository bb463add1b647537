"""Checkpoints in the events of a log: those of its publications, and restarts."""

import json
from collections.abc import Iterable, Iterator

from shared.audit.checkpoints.checkpoint import BadCheckpoint, Checkpoint, parse
from shared.core.state.entities import CheckpointRestart
from shared.core.terms import Seq

_TYPE = b'"type":"arbiter.standings.published.'
_RESTARTED = b'"type":"arbiter.checkpoint.restarted.'


def published_checkpoints(lines: Iterable[bytes]) -> Iterator[Checkpoint]:
    """Yield the checkpoints of the publications among these lines, in order, without unreadable ones."""
    for line in lines:
        if _TYPE not in line:
            continue
        try:
            yield parse(json.loads(line)["data"]["checkpoint"])
        except (ValueError, KeyError, TypeError, AttributeError, BadCheckpoint):
            continue


def checkpoint_restarts(lines: Iterable[bytes]) -> Iterator[CheckpointRestart]:
    """Yield the restarts of checkpoints among these lines, in order, without unreadable ones."""
    for seq, line in enumerate(lines, 1):
        if _RESTARTED not in line:
            continue
        try:
            data = json.loads(line)["data"]
            yield CheckpointRestart(Seq(seq), int(data["size"]), str(data["root"]))
        except (ValueError, KeyError, TypeError):
            continue
