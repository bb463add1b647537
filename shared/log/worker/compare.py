"""Comparing the ledgers of several services, byte by byte: all of them are prefixes of one log, or it is said where not."""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import zip_longest

from shared.core.language.messages import Message, say
from shared.core.terms import service_of
from shared.log.distributed import DistributedLog


class Differ(Exception):
    """Ledgers that are no prefixes of one log; names the tournament, the line, and the services on each side."""


def streams(logs: Iterable[DistributedLog]) -> list[str]:
    """Every tournament's stream that any of the ledgers holds, sorted."""
    return sorted({stream for log in logs for stream in log.streams("tournaments/")})


def longest(logs: Sequence[DistributedLog], stream: str) -> DistributedLog:
    """Whose ledger of a tournament is longest, the first of equals. Raises `Differ`."""
    held = {log.source: [row.line for row in log.lines(stream)] for log in logs}
    for number, lines in enumerate(zip_longest(*held.values()), 1):
        sides: dict[bytes, list[str]] = {}
        for source, line in zip(held, lines, strict=True):
            if line is not None:
                sides.setdefault(line, []).append(service_of(source))
        if len(sides) > 1:
            raise Differ(
                say(
                    "line {number} of {t} is not the same in {sides}",
                    number=number,
                    t=stream.partition("/")[2],
                    sides=_side_names(sides),
                )
            )
    return max(logs, key=lambda log: len(held[log.source]))


def _side_names(sides: dict[bytes, list[str]]) -> Message:
    """The services on each side, the smaller first: it is more likely the one to be read again."""
    named = [say("{names}", names=tuple(side)) for side in sorted(sides.values(), key=len)]
    return reduce(lambda first, second: say("{first} as in {second}", first=first, second=second), named)
