"""Commands that a service has answered, and whose events are in no ledger."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from shared.core.language.messages import Message, say
from shared.core.terms import Source

if TYPE_CHECKING:
    from shared.log.distributed import DistributedLog


class LostCommand(NamedTuple):
    """A lost command: its actor, its time (RFC 3339), the IDs and types of its events, and their lines in order."""

    source: Source
    stream: str
    command: str
    actor: str
    role: str
    time: str
    events: Sequence[tuple[str, str]]
    lines: Sequence[bytes]


class _Head(msgspec.Struct):
    """The reported members of a line, which may be unreadable for this version."""

    id: str = ""
    type: str = ""
    actor: str = ""
    role: str = ""
    time: str = ""


_HEAD = msgspec.json.Decoder(_Head)


def the_lost(log: "DistributedLog", stream: str) -> list[LostCommand]:
    """A service's lost commands of one tournament, in the order in which they were given."""
    found = []
    for command, group in groupby(log.lost(stream), key=lambda lost: lost.command):
        lines = [lost.line for lost in group]
        heads = [_HEAD.decode(line) for line in lines]
        first, events = heads[0], [(head.id, head.type) for head in heads]
        found.append(LostCommand(log.source, stream, command, first.actor, first.role, first.time, events, lines))
    return found


def lost_lines(lost: Iterable[LostCommand]) -> Iterator[Message]:
    """A line for each event: its id and type, its command, who gave it and when."""
    for command in lost:
        for id, type in command.events:
            yield say(
                "{id}  {type}  command {command}  by {actor} ({role})  at {time}",
                id=id,
                type=type,
                command=command.command,
                actor=command.actor,
                role=command.role,
                time=command.time,
            )
