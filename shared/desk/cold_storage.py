"""Finished tournaments, found by replay and moved into cold storage."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from shared.core.terms import Source
from shared.desk.rules_port import Rules, due_in
from shared.desk.views import Ledger, stream_of
from shared.log.port import Log, Row
from shared.wire.envelope import Unreadable, read


def compress_finished(log: Log, rules: Mapping[Source, Rules], before: str) -> Iterator[str]:
    """Compress each tournament that is finished and whose last event is earlier than ``before`` (RFC 3339, in UTC). Yield its ID.

    ``rules``: those of every service. A tournament is not finished while an automatic command is due in it, or while it is
    suspended.
    """
    left_out = log.resting() | log.stops().keys()
    for stream in log.streams(stream_of("")):
        t, rows = stream.partition("/")[2], () if stream in left_out else log.lines(stream)
        if rows and _time_of(rows[-1]) < before and _is_finished(t, rows, rules):
            log.compress(t, [stream, *sheet_streams(log.streams, t)])
            yield t


def sheet_streams(streams: Callable[[str], Sequence[str]], tournament: str) -> list[str]:
    """Return the score sheets (streams) of a tournament, sorted.

    The prefix alone does not select them, because a tournament's ID may contain dots.
    """
    found = streams(f"games/{tournament}.")
    return sorted(stream for stream in found if stream.rsplit(".", 2)[0] == f"games/{tournament}")


def _time_of(row: Row) -> str:
    """Return the time of an event, or a time after all others if it cannot be read."""
    try:
        return read(row.line, row.seq).time
    except Unreadable:
        return "~"


def _is_finished(tournament: str, rows: Sequence[Row], rules: Mapping[Source, Rules]) -> bool:
    ledger = Ledger.of(tournament, [row.line for row in rows])
    complete = [row.seq for row in rows] == list(range(1, ledger.tournament.seq + 1))
    return complete and ledger.stopped is None and ledger.tournament.closed() and not due_in(ledger.tournament, rules)
