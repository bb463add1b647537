"""The outcomes of commands, read from the log, and responses completed with consequences that were decided later."""

import time
from collections.abc import Mapping
from itertools import islice

from shared.core.event_types.evolve import fold
from shared.core.terms import Source
from shared.desk.causation import Consequences
from shared.desk.event_writer import completed_body, consequent_rulings
from shared.desk.replay import events_until_unreadable
from shared.desk.requests import Receipt
from shared.desk.rules_port import Rules, due_types, may_be_due
from shared.desk.views import Folds, stream_of
from shared.log.port import Log


class CommandHistory:
    """The commands of a log. ``table``: the rules of every service, which determine the automatic commands that were due."""

    def __init__(self, log: Log, folds: Folds, table: Mapping[Source, Rules]) -> None:
        self._log, self._folds, self._table = log, folds, table
        self._due_types = due_types(table)

    def consequences(
        self, tournament: str, command: str, timeout: float = 0.0, upto: int | None = None
    ) -> Consequences | None:
        """Return the consequences of a command so far (up to event ``upto``), or None if the log does not contain the command.

        While they are incomplete, wait at most ``timeout`` seconds for the rest.
        """
        stream, end = stream_of(tournament), time.monotonic() + timeout
        rows = self._log.lines(stream, 0, upto)
        first = next((n for n, row in enumerate(rows) if row.command == command), None)
        if first is None:
            return None
        own = list(events_until_unreadable(row for row in rows[first:] if row.command == command))
        if not may_be_due((event.data for event in own), self._due_types):
            return Consequences.none(own)
        events = events_until_unreadable(rows)
        consequences = Consequences(command, fold(tournament, islice(events, first)), self._table)
        consequences.read(events)
        while consequences.open and (left := end - time.monotonic()) > 0:
            seq = self._folds.wait(tournament, consequences.seq, left)
            consequences.read(events_until_unreadable(self._log.lines(stream, consequences.seq, seq)))
        return consequences

    def complete_receipt(self, tournament: str, receipt: Receipt, timeout: float) -> Receipt:
        """Return a receipt completed with the consequences of its command, or unchanged if these are still incomplete.

        The receipt's own events are already in the log. Waits at most ``timeout`` seconds.
        """
        consequences = self.consequences(tournament, receipt.command, timeout)
        if receipt.seq is None or consequences is None or consequences.open or not consequences.events:
            return receipt
        # The log may contain events not yet replayed, and the receipt's root is that of the state.
        self._folds.refresh()
        events, own = consequences.events, receipt.seq
        rows = self._log.lines(stream_of(tournament), own, events[-1].seq)
        lines = [rows[event.seq - own - 1].line for event in events if event.seq > own]
        body = completed_body(receipt.body, consequent_rulings(events), lines, consequences.unlisted_changes())
        return receipt._replace(body=body, seq=events[-1].seq, root=None, complete=True)
