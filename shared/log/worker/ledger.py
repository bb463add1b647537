"""Taking records into the ledger: whether they count, under which numbers, with which roots."""

from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.language.stored_messages import message_to_text
from shared.core.trust.merkle import EMPTY, Frontier, leaf_hash
from shared.log.sql import cold
from shared.log.sql.ledger_erasures import basis_of, erased_by
from shared.log.sql.statements import insert_many
from shared.log.sql.tables import LEDGER, STOPPED
from shared.log.worker.acceptance import Judgement, OwnLines, Place, Verifier, judge
from shared.log.worker.listed_announcements import Beginning, Beginnings
from shared.log.worker.records.record_signatures import RecordSignatures
from shared.wire import canonical

_HELD = 2000
"""Tournaments whose end is kept in memory."""
_COLUMNS = ("stream", "seq", "source", "sourceseq", "command", "n", "line", "root", "partition")
_ROOTS = 512
"""Roots of the last lines kept with it; older ones are looked up."""


class Gap(Exception):
    """A ledger that lacks a line which it had; says which."""


class _End:
    """The end of one tournament: its size, the last number of each source, and the last roots."""

    __slots__ = ("basis", "frontier", "last", "offices", "roots")

    def __init__(self) -> None:
        self.frontier = Frontier()
        self.last: dict[str, int] = {}
        self.roots: dict[int, bytes] = {0: EMPTY}
        self.basis = (-1, "")
        """The basis, and our root there in base64, that a line named last; most lines name one that another did."""
        self.offices = 0
        """The edition of offices that its first line announces; 0 where it announces none, and before it."""

    def append(self, line: bytes) -> bytes:
        frontier, roots = self.frontier, self.roots
        if not frontier.size:
            self.offices = canonical.announced_offices(line)
        frontier.append(leaf_hash(line))
        root = roots[frontier.size] = frontier.root()
        if frontier.size > _ROOTS:  # The root of nothing stays: no table has it.
            roots.pop(frontier.size - _ROOTS, None)
        return root


class Book:
    """A service's ledger while records are taken into it.

    It remembers the ends of the tournaments it has met, so whoever writes through it owns
    their partitions; after a transaction that failed, `forget` them. ``own`` knows what the service itself wrote,
    ``verifier`` who signed (by default, the keys that the ledger names), ``beginnings`` how a tournament begins.
    """

    def __init__(
        self, own: OwnLines | None = None, verifier: Verifier | None = None, beginnings: Beginnings | None = None
    ) -> None:
        self._own, self._verifier, self._beginnings = own, verifier or RecordSignatures(), beginnings
        self._ends: OrderedDict[str, _End] = OrderedDict()
        self._new: list[tuple[Any, ...]] = []
        self.lines = 0
        """Lines taken since it was made."""
        self.stops = 0
        """Forks, foreign lines in the own name and root mismatches found since it was made."""

    def forget(self) -> None:
        self._ends.clear()
        self._new.clear()
        for kept in (self._own, self._verifier):
            if kept is not None:
                kept.forget()

    def take(
        self,
        connection: Connection,
        record: bytes,
        erase: Callable[[str], None],
        belongs: Callable[[str], bool] = lambda stream: True,
        partition: int = -1,
    ) -> Judgement:
        """Judge a record of a partition and, where it is next, append its lines; ``erase`` is called with hashes that it erases.

        ``belongs`` says whether a stream's records have this one's key and lie in the partition that it was read from.
        What is appended is in the table after `flush`. Raises `Gap`.
        """
        lines = record.split(b"\n")

        def last(stream: str, source: str) -> int:
            return self._end(connection, stream).last.get(source, 0)

        def stored_line(stream: str, source: str, number: int) -> bytes | None:
            self.flush(connection)
            chosen = sa.select(LEDGER.c.line).where(
                LEDGER.c.source == source, LEDGER.c.stream == stream, LEDGER.c.sourceseq == number
            )
            line = connection.execute(chosen).scalar()
            stored = () if line is not None else cold.stored_rows(connection, stream)
            return next((row.line for row in stored if (row.source, row.sourceseq) == (source, number)), line)

        judgement = judge(lines, last, stored_line, belongs)
        if judgement.verdict in ("no line", "repeat"):
            return judgement
        if judgement.verdict == "fork":
            self._stop_here(
                connection,
                judgement,
                say(
                    "record {first} of {source} has different bytes from the record with this number in the ledger",
                    source=judgement.source,
                    first=judgement.first,
                ),
            )
            return judgement
        place = Place(judgement.stream, judgement.source, judgement.first, judgement.command)
        unsigned = self._verifier.why_not(connection, place, lines)
        if unsigned is not None:
            # Everybody knows it alike: it is no line, and the genuine one may still come under this number.
            self._stop_here(connection, judgement, unsigned)
            return judgement._replace(verdict="forged", why=unsigned)
        beginning = self._why_no_beginning(connection, judgement, place, lines)
        if beginning is not None and beginning.kind == "no line":
            return judgement._replace(verdict="no line", why=beginning.why)
        foreign = self._own.why_foreign(connection, judgement, lines) if self._own else None
        foreign = foreign or (beginning and beginning.why)
        if foreign is not None:
            # Who does not know it better takes the line, and the order of the topic is the log: so it has its number here
            # too, and the tournament stops before it.
            self._stop_here(connection, judgement, foreign)
        if judgement.verdict == "accept":
            self._append(connection, judgement, lines, erase, partition)
            self._verifier.took(place, self._end(connection, place.stream).frontier.size - len(lines) + 1, lines)
        return judgement

    def _why_no_beginning(
        self, connection: Connection, judgement: Judgement, place: Place, lines: Sequence[bytes]
    ) -> Beginning | None:
        """Why a record that would be a tournament's first does not begin it; None for every other."""
        if self._beginnings is None or judgement.verdict != "accept":
            return None
        if self._end(connection, place.stream).frontier.size:
            return None
        self.flush(connection)
        return self._beginnings.why_not(connection, place, lines)

    def _append(
        self,
        connection: Connection,
        judgement: Judgement,
        lines: Sequence[bytes],
        erase: Callable[[str], None],
        partition: int,
    ) -> None:
        end = self._end(connection, judgement.stream)
        _, stream, source, first, command, _ = judgement
        before, wrong = end.frontier.size, (-1, "")
        erased: list[str] = []
        for i, line in enumerate(lines):
            basis = basis_of(line)
            if basis is not None and basis not in (end.basis, wrong):
                if 0 <= basis[0] <= before and self._root(connection, stream, end, basis[0]) == basis[1]:
                    end.basis = basis
                else:
                    wrong = basis
                    why = say(
                        "event {number} states a root hash of the first {basis} events that differs from that of "
                        "this log",
                        number=before + i + 1,
                        basis=basis[0],
                    )
                    self._stop(connection, stream, before + i, why)
            unclean = canonical.stopped_by(line, before + i + 1, end.offices)
            if unclean is not None:
                self._stop(connection, stream, before + i, unclean)
            root = end.append(line)
            self._new.append((stream, before + i + 1, source, first + i, command, i, line, root, partition))
            erased += erased_by(source, line)
        end.last[source] = first + len(lines) - 1
        self.lines += len(lines)
        # Of a tournament that stands stopped nothing is erased before somebody has gone past what stopped it (`resume`).
        if erased and not _stands_stopped(connection, stream):
            for hash in erased:
                erase(hash)

    def reaches(self, connection: Connection, stream: str, basis: int, source: str, number: int) -> bool:
        """Return whether a tournament is known here, and as far as event ``basis`` and event ``number`` of ``source``."""
        self.flush(connection)
        # Another worker may have the tournament's partition, so its end is not kept here.
        ledger = LEDGER.c.stream == stream
        size = connection.execute(sa.select(sa.func.max(LEDGER.c.seq)).where(ledger)).scalar() or 0
        if size < max(1, basis):
            return False
        numbers = sa.select(sa.func.max(LEDGER.c.sourceseq)).where(ledger, LEDGER.c.source == source)
        if (connection.execute(numbers).scalar() or 0) >= number:
            return True
        stored = cold.stored_rows(connection, stream)
        return any(row.source == source and row.sourceseq >= number for row in stored)

    def flush(self, connection: Connection) -> None:
        """Insert what was appended."""
        if self._new:
            insert_many(connection, LEDGER, _COLUMNS, self._new)
            self._new = []

    def _root(self, connection: Connection, stream: str, end: _End, seq: int) -> str | None:
        """Our root after line ``seq``, in base64; None where we have no such line."""
        known = end.roots.get(seq)
        if known is None:
            self.flush(connection)
            known = cold.ledger_root(connection, stream, seq)
        return None if known is None else b64encode(known).decode()

    def _end(self, connection: Connection, stream: str) -> _End:
        end = self._ends.get(stream)
        if end is None:
            if len(self._ends) >= _HELD:
                self.flush(connection)
                self._ends.popitem(last=False)
            end = self._ends[stream] = _End()
            for expected, row in enumerate(cold.ledger_rows(connection, stream), 1):
                if row.seq != expected:
                    del self._ends[stream]
                    raise Gap(
                        say("the ledger lacks line {expected} of {t}", expected=expected, t=stream.partition("/")[2])
                    )
                end.append(row.line)
                end.last[row.source] = row.sourceseq
        self._ends.move_to_end(stream)
        return end

    def _stop_here(self, connection: Connection, judgement: Judgement, why: Message) -> None:
        """Stop a tournament at its end; of one that nobody has written to, there is nothing to stop."""
        size = self._end(connection, judgement.stream).frontier.size
        if size or judgement.verdict == "accept":
            self._stop(connection, judgement.stream, size, why)

    def _stop(self, connection: Connection, stream: str, seq: int, why: Message) -> None:
        """Mark a tournament stopped after line ``seq``; one that stands stopped stays where it is."""
        self.stops += 1
        held = connection.execute(sa.select(STOPPED.c.resumed).where(STOPPED.c.stream == stream)).scalar()
        if held is None:
            cold.decompress(connection, LEDGER, stream.partition("/")[2])  # `lost_events` compares its rows.
            connection.execute(
                sa.insert(STOPPED), {"stream": stream, "seq": seq, "why": message_to_text(why), "resumed": -1}
            )
        elif held >= 0 and seq >= held:
            changed = {"seq": seq, "why": message_to_text(why), "resumed": -1}
            connection.execute(sa.update(STOPPED).where(STOPPED.c.stream == stream).values(**changed))


def _stands_stopped(connection: Connection, stream: str) -> bool:
    resumed = connection.execute(sa.select(STOPPED.c.resumed).where(STOPPED.c.stream == stream)).scalar()
    return resumed is not None and resumed < 0
