"""Checkpoints that stand in the log itself: those of its publications."""

import json
from collections.abc import Iterable, Iterator

from shared.audit.checkpoint import BadCheckpoint, Checkpoint, parse

_TYPE = b'"type":"arbiter.standings.published.'


def published(lines: Iterable[bytes]) -> Iterator[Checkpoint]:
    """The checkpoints of the publications among these lines, in their order; what cannot be read is left out."""
    for line in lines:
        if _TYPE not in line:
            continue
        try:
            yield parse(json.loads(line)["data"]["checkpoint"])
        except (ValueError, KeyError, TypeError, AttributeError, BadCheckpoint):
            continue
