"""The owners of partitions: one worker of a service at a time, fenced by the epoch of its claim."""

import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.log.sql.statements import insert_new, run
from shared.log.sql.tables import OWNERS, WORKER

LEASE_SECONDS = 10.0
"""After this time without a renewal, a worker to which the consumer group assigns the partition may claim it."""
MEMBER_LENGTH = 50
"""Maximum length of a member's name: PostgreSQL cuts the name of a session after 63 bytes, and its first words take 13."""
_FENCE = """
SELECT count(*) FROM (
    SELECT 1 FROM owners JOIN unnest(%s::int[], %s::bigint[]) AS claimed (number, claim)
    ON number = owners.partition AND claim = owners.epoch AND owners.member = %s FOR SHARE OF owners
) AS kept
"""
_EVICT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND split_part(application_name, ' ', 3) = ANY(%s)
"""


class Fenced(Exception):
    """Raised in a transaction of a worker whose partitions another worker has claimed. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The partitions that a worker (``member``) has claimed, each with the epoch of the claim."""

    member: str
    epochs: Mapping[int, int] = field(default_factory=dict)

    def without(self, partitions: Collection[int]) -> "Claims":
        return Claims(self.member, {p: epoch for p, epoch in self.epochs.items() if p not in partitions})


class Owner(NamedTuple):
    """The owner of a partition. ``left``: seconds until its claim expires, negative if nobody owns the partition."""

    partition: int
    member: str
    left: float


def add_partitions(connection: Connection, count: int) -> None:
    """Add the rows of a topic's partitions that do not exist yet."""
    known = set(connection.execute(sa.select(OWNERS.c.partition)).scalars())
    new = {"member": "", "epoch": 0, "generation": 0, "beat": 0, "answered": 0, "until": 0.0}
    if missing := [{"partition": n, **new} for n in range(count) if n not in known]:
        insert_new(connection, OWNERS, missing)


def last_generation(connection: Connection) -> int:
    """Return the highest generation of the consumer group that has claimed a partition."""
    return int(connection.execute(sa.select(sa.func.coalesce(sa.func.max(OWNERS.c.generation), 0))).scalar_one())


def claim(connection: Connection, claims: Claims, generation: int, partitions: Collection[int]) -> Claims:
    """Claim partitions that a generation of the consumer group assigns. Return the claims that are now held.

    A partition is claimed from another member only by a higher generation, or if its claim has expired. The claim waits for
    running transactions of the former owner (`fence`).
    """
    held = {
        row.partition: row.epoch
        for row in connection.execute(sa.select(OWNERS).where(OWNERS.c.member == claims.member))
    }
    kept = {p: epoch for p, epoch in claims.epochs.items() if p in partitions and held.get(p) == epoch}
    now = _now(connection)
    free = sa.or_(OWNERS.c.generation < generation, OWNERS.c.until < now, OWNERS.c.member == claims.member)
    for partition in sorted(set(partitions) - kept.keys()):
        taken = sa.update(OWNERS).where(OWNERS.c.partition == partition, free)
        values = {
            "member": claims.member, "epoch": OWNERS.c.epoch + 1, "until": now + LEASE_SECONDS,
            "generation": sa.case((OWNERS.c.generation < generation, generation), else_=OWNERS.c.generation),
        }  # fmt: skip
        epoch = connection.execute(taken.values(values).returning(OWNERS.c.epoch)).scalar()
        if epoch is not None:
            kept[partition] = epoch
    return Claims(claims.member, kept)


def release(connection: Connection, claims: Claims, partitions: Iterable[int]) -> None:
    """Let anyone claim these partitions at once."""
    for partition in partitions:
        own = (
            OWNERS.c.partition == partition,
            OWNERS.c.member == claims.member,
            OWNERS.c.epoch == claims.epochs[partition],
        )
        connection.execute(sa.update(OWNERS).where(*own).values(until=0.0))


def evict(connection: Connection, claims: Claims, generation: int, partitions: Collection[int]) -> None:
    """End the sessions of members that may no longer hold these partitions, because a claim has waited for them in vain."""
    lost = sa.or_(OWNERS.c.generation < generation, OWNERS.c.until < _now(connection))
    chosen = sa.select(OWNERS.c.member).distinct().where(OWNERS.c.partition.in_(partitions), lost)
    former = [m for m in connection.execute(chosen).scalars() if m and m != claims.member]
    if former:
        run(connection, _EVICT, (former,))


def fence(connection: Connection, claims: Claims) -> None:
    """Keep the claims until the end of this transaction. Raises `Fenced` if another worker has one of the partitions."""
    values = (list(claims.epochs), list(claims.epochs.values()), claims.member)
    if run(connection, _FENCE, values).fetchone() != (len(claims.epochs),):
        raise Fenced(f"another worker has claimed a partition of {claims.member}")


def beats(connection: Connection, partitions: Collection[int]) -> dict[int, int]:
    """Return how often these partitions' claims were renewed."""
    chosen = sa.select(OWNERS.c.partition, OWNERS.c.beat).where(OWNERS.c.partition.in_(partitions))
    return {row.partition: row.beat for row in connection.execute(chosen)}


def renew(connection: Connection, partitions: Collection[int]) -> None:
    """Renew the claims of partitions that this transaction's worker holds."""
    until = _now(connection) + LEASE_SECONDS
    renewed = sa.update(OWNERS).where(OWNERS.c.partition.in_(partitions))
    connection.execute(renewed.values(beat=OWNERS.c.beat + 1, until=until))


def owners(connection: Connection) -> list[Owner]:
    """Return the last owner of each partition."""
    now = _now(connection)
    rows = connection.execute(sa.select(OWNERS).order_by(OWNERS.c.partition))
    return [Owner(row.partition, row.member, row.until - now) for row in rows]


# ---------------------------------------------------------------- answers


def answered(connection: Connection, partitions: Collection[int]) -> int:
    """Return the last question that was answered for all of these partitions."""
    return int(connection.execute(_lowest_answer(partitions)).scalar() or 0)


def last_question(connection: Connection, partitions: Collection[int]) -> tuple[int, bool]:
    """Return the last question, and whether one of these partitions has not answered it yet."""
    question, lowest = connection.execute(sa.select(WORKER.c.asked, _lowest_answer(partitions).scalar_subquery())).one()
    return question, question > (lowest or 0)


def _lowest_answer(partitions: Collection[int]) -> sa.Select[Any]:
    return sa.select(sa.func.min(OWNERS.c.answered)).where(OWNERS.c.partition.in_(partitions))


def answer(connection: Connection, question: int, partitions: Collection[int]) -> None:
    """Note that the workers of these partitions were at their end after ``question`` was asked."""
    # The row of the workers is locked first, so that the last of several workers sees the answers of the others.
    connection.execute(sa.update(WORKER).values(id=WORKER.c.id))
    earlier = OWNERS.c.partition.in_(partitions), OWNERS.c.answered < question
    connection.execute(sa.update(OWNERS).where(*earlier).values(answered=question))
    lowest: Any = connection.execute(sa.select(sa.func.min(OWNERS.c.answered))).scalar() or 0
    connection.execute(sa.update(WORKER).where(WORKER.c.answered < lowest).values(answered=lowest))


def _now(connection: Connection) -> float:
    """Return the time by the database's clock, which all workers share."""
    if connection.dialect.name != "postgresql":
        return time.time()
    return float(connection.execute(sa.select(sa.extract("epoch", sa.func.clock_timestamp()))).scalar_one())
