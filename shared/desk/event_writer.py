"""Writing decisions: events are timed and serialised once, sealed and applied to the working state; then the answer is built."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import msgspec

from shared.core.event_types.evolve import evolve
from shared.core.event_types.registry import MASKED, written_names
from shared.core.events import (
    Data,
    Decision,
    Event,
    Official,
    RulingAnnulled,
    RulingMade,
    TextErased,
    TournamentAnnounced,
)
from shared.core.language.messages import say
from shared.core.readings.settlement import UNLISTED
from shared.core.terms import RULEBOOK, RulingId, Seq
from shared.core.trust.merkle import leaf_hash
from shared.core.trust.service_keys import keys_by_source
from shared.desk.batch import Batch, SheetState, WorkingFold, Written, line_of, new_event
from shared.desk.requests import DeskError, Job, Receipt, Stopped, TooLarge
from shared.desk.rules_port import Rules, Seal
from shared.desk.signer_port import Sign, history_of
from shared.desk.views import stream_of
from shared.log.port import KeptAnswer, NewRow
from shared.signing.service_keys import ServiceKeys, signed
from shared.wire import envelope
from shared.wire.canonical import is_time

WRITTEN = 201
_ENCODE = msgspec.json.Encoder().encode
MAX_COMMAND = 8 * 1024 * 1024
"""Maximum bytes of one command's lines, because it is one record on the wire."""


class Clock:
    """The clock for the times of events: RFC 3339 in UTC with microseconds, never going back within one process."""

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._last = datetime.min.replace(tzinfo=UTC)

    def __call__(self) -> str:
        self._last = max(self._last, self._now())
        return self._last.isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class EventWriter:
    """Writes decisions into a batch.

    ``immediate``: appended events are in the log at once. ``sign`` makes signed checkpoints, ``keys`` sign records.
    """

    sign: Sign
    keys: ServiceKeys
    software: str
    immediate: bool

    def write(
        self, batch: Batch, job: Job, rules: Rules, working: WorkingFold, decision: Decision, sheet: SheetState | None
    ) -> Written | DeskError:
        """Serialise, sign and apply a decision, score sheet first. Return its output, or why it cannot be written."""
        basis, root = working.basis, working.root
        if job.prepared is not None:
            basis = job.prepared.basis
            root = working.ledger.tree.root(basis)
        actor, own = job.command.actor, working.tournament.counts.get(job.source, 0)
        header = envelope.Header(
            stream_of(job.tournament),
            job.source,
            Seq(basis),
            root,
            job.id,
            actor.tokenid,
            self.software,
            written_names(_offices(working, decision)),
        )
        # The clock of another process, or of this one earlier, may have been ahead. Times in a stream never go back.
        before = (working.tournament.times.get(job.source, ""), sheet.time if sheet else "")
        time = max([batch.time, *(one for one in before if one > batch.time and is_time(one))])
        sign = self._record_signer(working, job, decision)
        if isinstance(sign, Stopped):
            return sign
        if job.request.traceparent is not None:
            batch.traces[job.id] = job.request.traceparent
        rows: list[NewRow] = []
        on_sheet: list[Event] = []
        if sheet is not None:
            sheet_header = msgspec.structs.replace(header, stream=f"games/{decision.game}")
            bare_lines = [
                line_of(sheet_header, time, sheet.count + 1 + i, actor, move, own)
                for i, move in enumerate(decision.lines)
            ]
            for move, line in zip(decision.lines, sign(bare_lines), strict=True):
                sheet.count, sheet.time, _ = sheet.count + 1, time, sheet.digest.update(line + b"\n")
                rows.append(NewRow(sheet_header.stream, sheet.count, job.source, sheet.count, job.id, len(rows), line))
                on_sheet.append(new_event(sheet_header, sheet.count, sheet.count, actor, move, time, own))
                rules.evolve_sheet(sheet.state, on_sheet[-1])
        lines = [row.line for row in rows]
        unsigned: list[bytes] = []
        written: list[Event] = []
        for i, bare in enumerate((*decision.events, *decision.brought)):
            author = actor if i < len(decision.events) else RULEBOOK
            data = bare if type(bare) not in MASKED else self._seal(rules, bare, working, basis, root, sheet)
            unsigned.append(line_of(header, time, own + i + 1, author, data, None))
            seq = working.tournament.seq + i + 1
            written.append(new_event(header, seq, own + i + 1, author, data, time, None))
        official = list(sign(unsigned))
        for event, line in zip(written, official, strict=True):
            rows.append(NewRow(header.stream, event.seq, job.source, event.sourceseq, job.id, len(rows), line))
        lines += official
        if sum(map(len, lines)) > MAX_COMMAND:
            return TooLarge(f"the lines of one command exceed {MAX_COMMAND} bytes")
        self._fold(batch, working, written, official)
        batch.rows += rows
        batch.texts += job.request.texts
        if sheet is not None and decision.game is not None:
            batch.sheets[decision.game] = sheet
        return Written([*on_sheet, *written], official, lines)

    def answer(
        self,
        batch: Batch,
        job: Job,
        working: WorkingFold,
        own: Written,
        consequences: Sequence[Written] | None,
        changes: Mapping[str, Sequence[Any]],
    ) -> Receipt:
        """Return the receipt of the written events (``own``), and store it if the caller sent an idempotency key.

        ``consequences`` were decided with the command (None: other services decide them). ``changes``: from `unlisted_changes`.
        """
        body = response_body(job, own, consequences, changes)
        status = WRITTEN if own.lines else 200
        if job.request.key:
            kept_answer = KeptAnswer(job.request.key, job.request.body, status, body, job.id)
            batch.answers.append(kept_answer)
            batch.kept_answers[kept_answer.key] = kept_answer
        complete = consequences is not None
        if self.immediate or not own.official:
            return Receipt(status, body, job.id, working.basis, working.root, False, complete)
        return Receipt(status, body, job.id, None, None, False, complete)

    def _record_signer(
        self, working: WorkingFold, job: Job, decision: Decision
    ) -> Callable[[Sequence[bytes]], Sequence[bytes]] | Stopped:
        """Return the function that signs the lines of a record with the key in force, if the tournament has keys.

        Without keys, it returns the lines unchanged. Return `Stopped` if the private key is missing.
        """
        announced = working.tournament.announced
        if announced is not None:
            keys, key = announced.keys, working.tournament.key_of(job.source)
        else:
            keys = next((d.keys for d in decision.events if isinstance(d, TournamentAnnounced)), ())
            key = keys_by_source(keys).get(job.source, "")
        if not keys:
            return lambda lines: lines
        sign = self.keys.signer(key)
        if sign is None:
            return Stopped(
                say(
                    "{tournament} requires signatures with the key {key}, but {source} does not have its "
                    "private key: restore it, or announce a new key",
                    source=job.source,
                    key=key or "none",
                    tournament=job.tournament,
                )
            )
        return lambda lines: signed(lines, sign) if lines else lines

    def _seal(
        self, rules: Rules, bare: Official, working: WorkingFold, basis: int, root: bytes, sheet: SheetState | None
    ) -> Data:
        """Return the event (``bare``) with the values that only the command handler knows, such as a checkpoint."""
        count, digest = (sheet.count, sheet.digest.hexdigest()) if sheet else (0, "")

        def sign(origin: str, size: int, root: bytes) -> str:
            return self.sign(origin, size, root, history_of(working.tournament, working.ledger.tree.root))

        return rules.seal(bare, Seal(working.tournament, basis, root, count, digest, sign))

    def _fold(self, batch: Batch, working: WorkingFold, written: list[Event], lines: list[bytes]) -> None:
        stream = stream_of(working.tournament.id)
        for event, line in zip(written, lines, strict=True):
            evolve(working.tournament, event)
            if working.frontier is not None:
                leaf = leaf_hash(line)
                working.frontier.append(leaf)
                batch.settled.append((stream, event, leaf))
            if isinstance(event.data, TextErased):
                batch.erased.append(event.data.hash)
        if working.frontier is not None and written:
            working.basis, working.root = working.frontier.size, working.frontier.root()


def _offices(working: WorkingFold, decision: Decision) -> int:
    """Return the edition of officials of a tournament, also of one that is just created."""
    if working.tournament.announced is not None:
        return working.tournament.offices
    return next((d.offices for d in decision.events if isinstance(d, TournamentAnnounced)), 0)


def response_body(
    job: Job,
    own: Written,
    consequences: Sequence[Written] | None,
    changes: Mapping[str, Sequence[Any]] = MappingProxyType({}),
) -> bytes:
    """Return the body of a response: the route's fields, the written events, and the consequences (None: undecided)."""
    answer = {**job.request.answer(own.events), "events": raw_lines(own.lines)}
    if own.lines:
        events = own.events
        if consequences:
            events = [*events, *(event for one in consequences for event in one.events)]
        answer["rulings"] = consequent_rulings(events)
        answer["follows"] = f"/v1/tournaments/{job.tournament}/commands/{job.id}"
        if consequences is not None:
            answer["consequences"] = (
                raw_lines([line for one in consequences for line in one.official]) if consequences else []
            )
        answer |= changes
    return _ENCODE(answer)


def completed_body(
    body: bytes, rulings: Sequence[RulingId], consequences: Iterable[bytes], changes: Mapping[str, Sequence[Any]]
) -> bytes:
    """Return a response body with the consequences decided since, their ``rulings``, and all ``changes`` in place of the former.

    ``changes``: from `unlisted_changes`.
    """
    members = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    answer: dict[str, object] = {name: value for name, value in members.items() if name not in UNLISTED}
    return msgspec.json.encode(answer | {"rulings": rulings, "consequences": raw_lines(consequences)} | dict(changes))


def consequences_in(body: bytes) -> int | None:
    """Return the number of consequences in a response body, or None if they were not yet decided, or nothing was written."""
    members = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    return (
        len(msgspec.json.decode(members["consequences"], type=list[msgspec.Raw])) if "consequences" in members else None
    )


def consequent_rulings(events: Sequence[Event]) -> list[RulingId]:
    """Return the rulings and annulments that result from a command, except a ruling that the command itself makes."""
    return [e.data.ruling for e in events[1:] if isinstance(e.data, RulingMade | RulingAnnulled)]


def raw_lines(lines: Iterable[bytes]) -> list[msgspec.Raw]:
    """Return lines as members of a JSON answer, byte for byte."""
    return [msgspec.Raw(line) for line in lines]
