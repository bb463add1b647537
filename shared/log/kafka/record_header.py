"""The header by which each source numbers its records in a partition: 1, 2, 3, …, the same number when one is sent again."""

from collections.abc import Iterable

from shared.log.kafka.broker import MOVES, TOURNAMENTS

HEADER = "arbiter-n"
NUMBERED = (TOURNAMENTS, MOVES)
"""The topics whose records are numbered: texts are compacted, so that there a gap says nothing."""
_DIGITS = 18


def headers_of(number: int | None) -> list[tuple[str, bytes]]:
    """The headers of a record with this number."""
    return [] if number is None else [(HEADER, b"%d" % number)]


def number_of(headers: Iterable[tuple[str, bytes | None]]) -> int | None:
    """A record's number, from 1; None where its headers hold none that can be read, or more than one."""
    found = [value for name, value in headers if name == HEADER]
    if len(found) != 1 or (value := found[0]) is None:
        return None
    if not value.isdigit() or len(value) > _DIGITS or value.startswith(b"0"):
        return None
    return int(value)
