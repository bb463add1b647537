"""Repeated commands: they get the same answer as the first time."""

from shared.desk.batch import Batch, Written
from shared.desk.event_writer import WRITTEN, consequences_in, response_body
from shared.desk.requests import DeskError, Job, KeyReused, Receipt
from shared.desk.rules_port import may_be_due
from shared.desk.views import Folds
from shared.wire import envelope


def first_answer(
    batch: Batch, job: Job, folds: Folds, due_types: frozenset[type], *, immediate: bool
) -> Receipt | DeskError | None:
    """Return the first answer to a repeated command, or None for a new one.

    It is the answer stored with the idempotency key (an error if the body differs), or else made from the command's events.
    ``due_types``: the types of events that may have consequences. ``immediate``: committed events are in the log at once.
    """
    kept_answer = batch.kept_answers.get(job.request.key) if job.request.key else None
    rows = batch.known.get(job.id, [])
    if kept_answer is None and not rows:
        return None
    if kept_answer is not None and kept_answer.body != job.request.body:
        return KeyReused("this idempotency key came before with another body")
    official = [r.seq for r in rows if r.stream.startswith("tournaments/")]
    seq = (official[-1] or None) if official else None
    if not official and (rows or (kept_answer is not None and kept_answer.status != WRITTEN)):
        seq = folds.get(job.tournament).size  # Without an official event, there is nothing to wait for.
    if kept_answer is not None:
        consequences = consequences_in(kept_answer.answer)
        if seq is not None and immediate:
            seq += consequences or 0  # They follow it.
        complete = kept_answer.status != WRITTEN or consequences is not None
        return Receipt(kept_answer.status, kept_answer.answer, job.id, seq, None, True, complete)
    events = [envelope.read(r.line, r.seq) for r in rows]
    own = Written(events, [], [r.line for r in rows])
    calls = may_be_due((e.data for e in events), due_types)
    body = response_body(job, own, None if calls else [])
    return Receipt(WRITTEN, body, job.id, seq, None, True, complete=not calls)
