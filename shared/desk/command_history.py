"""What came of commands, read from the log, and answers that tell it although it was decided after them."""

import time
from collections.abc import Mapping
from itertools import islice

from shared.core.event_types.evolve import fold
from shared.core.terms import Source
from shared.desk.causation import Consequences, consequent_rulings, due_types, may_bring_due
from shared.desk.event_writer import completed_body
from shared.desk.replay import events_until_unreadable
from shared.desk.requests import Receipt
from shared.desk.rules_port import Rules
from shared.desk.views import Folds, stream_of
from shared.log.port import Log


class CommandHistory:
    """The commands of a log. ``table`` holds the rules of every service: they say what was due."""

    def __init__(self, log: Log, folds: Folds, table: Mapping[Source, Rules]) -> None:
        self._log, self._folds, self._table = log, folds, table
        self._due_types = due_types(table)

    def consequences(
        self, tournament: str, command: str, timeout: float = 0.0, upto: int | None = None
    ) -> Consequences | None:
        """What came of a command by now (by line ``upto``), waited for at most ``timeout`` seconds while it is open; None where
        the log does not hold the command."""
        stream, end = stream_of(tournament), time.monotonic() + timeout
        rows = self._log.lines(stream, 0, upto)
        first = next((n for n, row in enumerate(rows) if row.command == command), None)
        if first is None:
            return None
        own = list(events_until_unreadable(row for row in rows[first:] if row.command == command))
        if not may_bring_due((event.data for event in own), self._due_types):
            return Consequences.none(own)
        events = events_until_unreadable(rows)
        consequences = Consequences(command, fold(tournament, islice(events, first)), self._table)
        consequences.read(events)
        while consequences.open and (left := end - time.monotonic()) > 0:
            seq = self._folds.wait(tournament, consequences.seq, left)
            consequences.read(events_until_unreadable(self._log.lines(stream, consequences.seq, seq)))
        return consequences

    def completed(self, tournament: str, receipt: Receipt, timeout: float) -> Receipt:
        """A receipt that is back through the log, with what came of the command, waited for at most ``timeout`` seconds; as it
        is where that is still open."""
        consequences = self.consequences(tournament, receipt.command, timeout)
        if receipt.seq is None or consequences is None or consequences.open or not consequences.events:
            return receipt
        # The log may hold more than was folded by now, and the receipt's root is that of the fold.
        self._folds.refresh()
        events, own = consequences.events, receipt.seq
        rows = self._log.lines(stream_of(tournament), own, events[-1].seq)
        lines = [rows[event.seq - own - 1].line for event in events if event.seq > own]
        body = completed_body(receipt.body, consequent_rulings(events), lines, consequences.outdated())
        return receipt._replace(body=body, seq=events[-1].seq, root=None, complete=True)
