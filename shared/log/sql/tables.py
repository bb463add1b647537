"""The tables of a service's database. Alembic's migrations create them, or `migration` for a new SQLite database."""

from typing import Any

from sqlalchemy import Column, Float, Index, Integer, LargeBinary, Table, Text, UniqueConstraint

from shared.log.sql.columns import NUMBER, ORDERED_TEXT, line_columns, required, table
from shared.log.sql.people_tables import PEOPLE

METADATA = PEOPLE.metadata
"""All tables, including those of people."""


def _lines(name: str, *more: Column[Any] | UniqueConstraint | Index) -> Table:
    """Return a table of events."""
    return table(name, *line_columns(), *more, sqlite_autoincrement=True)


EVENTS = _lines(
    "events",
    UniqueConstraint("source", "stream", "sourceseq", name="events_sourceseq"),
    UniqueConstraint("command", "n", name="events_command"),
    Index("events_seq", "stream", "seq"),
)
"""Events of this database's services. ``seq`` is the event's number; that of an official event is 0 if the ledger is separate."""

LEDGER = _lines(
    "ledger",
    Column("root", LargeBinary, nullable=False),
    Column("partition", Integer, nullable=False, server_default="-1"),
    UniqueConstraint("stream", "seq", name="ledger_seq"),
    UniqueConstraint("source", "stream", "sourceseq", name="ledger_sourceseq"),
    Index("ledger_partition", "partition", "pos"),
)
"""Official events that came back through the log, if the append is not the log itself.

``root``: the root after the event. ``partition``: that of its record in Kafka, or -1 if an earlier version stored it. ``pos``
grows in the order of commits within a partition only: workers of different partitions commit at the same time.
"""

SHEETS = _lines("sheets", UniqueConstraint("source", "stream", "sourceseq", name="sheets_sourceseq"))
"""The score sheets as standings follows them, if games is a separate service."""

COLD = table(
    "cold",
    Column("stream", Text, primary_key=True),
    *required(Text, "tournament", "digest"),
    *required(NUMBER, "size"),
    *required(LargeBinary, "content"),
    Index("cold_tournament", "tournament"),
)
"""Compressed events of finished tournaments, by stream, as `shared.log.sql.cold` writes and reads them."""

CALENDAR = table(
    "calendar",
    Column("tournament", ORDERED_TEXT, primary_key=True),
    *required(NUMBER, "seq", "version"),
    *required(Text, "state", "game"),
    *required(ORDERED_TEXT, "first_day"),
    *required(Text, "last_day", "current_until"),
    Column("dated", NUMBER, nullable=False),
    *required(Text, "venue", "words"),
    *required(NUMBER, "stopped", "open_boards"),
    *required(Text, "changed", "uid"),
    Column("content", LargeBinary, nullable=False),
    Index("calendar_days", "first_day", "tournament"),
)
"""The tournaments as `shared.log.calendar.CalendarEntry` describes them. ``version``: of the rules that computed the row."""

OUTBOX = table(
    "outbox",
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    *required(Text, "topic", "key"),
    Column("record", LargeBinary),
    Column("at", Float, nullable=False),
    Column("traceparent", Text),
    Column("partition", Integer),
    sqlite_autoincrement=True,
)
"""Records to send, one per command and topic. The relay of their partition deletes them, from the front.

A NULL record is a tombstone. ``at``: Unix time in seconds. ``traceparent``: the trace of its command's request, or NULL.
``partition``: the partition whose worker sends it (`outbox_partition`), or NULL if the writer did not know it.
"""

OWNERS = table(
    "owners",
    Column("partition", Integer, primary_key=True, autoincrement=False),
    *required(Text, "member"),
    *required(NUMBER, "epoch", "generation", "beat", "answered"),
    Column("until", Float, nullable=False),
)
"""The worker that owns a partition, of every topic that the service follows.

``epoch``: grows with each claim. ``generation``: that of the consumer group at the claim. ``until``: Unix time at which the
claim expires unless the worker renews it. ``beat``: grows with each renewal. ``answered``: like that of ``worker``, for this
partition.
"""

OUTBOX_NUMBERS = table(
    "outbox_numbers",
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("given", Text, nullable=False),
    sqlite_autoincrement=True,
)
"""The numbers that the relay gives to records in their partitions, until all records of a row are confirmed. A row is for
records that are sent together: JSON of the outbox ID to the number (texts have none)."""

TEXTS = table(
    "texts",
    Column("hash", Text, primary_key=True),
    *required(Text, "salt", "text"),
    Column("tournament", Text, nullable=False, index=True),
)

ERASED = table("erased", Column("hash", Text, primary_key=True))
"""Hashes of erased texts, which are never stored again."""

KEPT = table(
    "kept",
    Column("key", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("command", Text, nullable=False),
)
"""Answers stored for idempotency keys."""

POSITIONS = table(
    "positions",
    Column("reader", Text, primary_key=True),
    Column("topic", Text, primary_key=True),
    Column("partition", Integer, primary_key=True, autoincrement=False),
    Column("topicid", Text, nullable=False),
    Column("next", NUMBER, nullable=False),
    Column("digest", Text, nullable=False),
    *required(NUMBER, "ledger", "strangers"),
)
"""The positions up to which a topic was read (``reader`` follower) or confirmed (``reader`` relay).

``next``: the offset to continue at. ``digest``: hex SHA-256 of the record before it. ``ledger``: the ``pos`` of the ledger's
last event at that time. ``strangers``: the number of unexpected records.
"""

NUMBERS = table(
    "numbers",
    Column("reader", Text, primary_key=True),
    Column("source", Text, primary_key=True),
    Column("topic", Text, primary_key=True),
    Column("partition", Integer, primary_key=True, autoincrement=False),
    Column("last", NUMBER, nullable=False),
)
"""The last number that a source has given to a record of a partition (``reader`` relay), or that was read in it (``reader``
follower)."""

FINDINGS = table(
    "findings",
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("topic", Text, nullable=False),
    Column("partition", Integer, nullable=False),
    Column("place", NUMBER, nullable=False),
    *required(Text, "kind", "source", "what"),
    *required(NUMBER, "first", "last", "records"),
    Column("found", Float, nullable=False),
    Column("acknowledged", Float),
    Column("by", Text),
    Column("reason", Text),
    sqlite_autoincrement=True,
)
"""Findings of the follower in the topics, such as unexpected records (`worker_state.Kind`).

``place``: offset of the record. ``first``, ``last``: the missing numbers (kind ``gap``). ``records``: number of records of the
row. ``found``, ``acknowledged``: Unix times. ``by``, ``reason``: the operator who acknowledged it, and why.
"""

SETTLED = table(
    "settled",
    Column("command", Text, primary_key=True),
    Column("stream", Text, nullable=False),
    Column("successor", Text),
    Column("at", Float, nullable=False),
    *required(Text, "by", "reason"),
)
"""The outcome of own commands whose events are in no ledger: sent again as the command ``successor``, or given up (NULL).
``at``: Unix time. ``by``, ``reason``: the operator who settled it, and why."""

STOPPED = table(
    "stopped",
    Column("stream", Text, primary_key=True),
    Column("seq", NUMBER, nullable=False),
    Column("why", Text, nullable=False),
    Column("resumed", NUMBER, nullable=False),
)
"""Stops of tournaments. ``seq``: the last event before the stop. ``resumed``: the last event up to which an operator has passed
the stop, or -1."""

WORKER = table(
    "worker",
    Column("id", Integer, primary_key=True, autoincrement=False),
    *required(NUMBER, "asked", "answered", "beat"),
    Column("at", Float, nullable=False),
)
"""The only row of the workers. A process adds one to ``asked``. The workers set ``answered`` to the value of ``asked`` from
before they saw the end of every partition. ``beat`` only grows, and ``at`` is its Unix time."""

HALTED = table(
    "halted",
    Column("part", Text, primary_key=True),
    Column("why", Text, nullable=False),
)
"""The parts of a worker that wait for an operator, and why. A row is deleted when the part continues.

``part``: ``follower`` or ``relay``, a space and a partition; without a partition if an earlier version wrote it.
"""

SIGNING_KEY = table(
    "signing_key",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False),
)
"""The only row of an embedded database: the public part (base64) of the key that signs for the database's contents."""

REVOKED = table(
    "revoked",
    Column("key", Text, primary_key=True),
    Column("at", NUMBER, primary_key=True, autoincrement=False),
    Column("record", LargeBinary, nullable=False),
)
"""Pairing's signed records of revoked tokens (`shared.signing.revocation_records`). Rows stay forever: a topic that lost a
record makes no token valid again. The latest one of a ``key`` (``at``, Unix seconds) includes all earlier ones."""

INVITATIONS = table(
    "invitations",
    Column("id", Text, primary_key=True),
    *required(Text, "code", "tournament", "name", "role"),
    Column("first", NUMBER),
    Column("last", NUMBER),
    *required(Text, "inviter", "inviterrole"),
    Column("invitertoken", Text),
    *required(NUMBER, "made", "expires", "until"),
    Column("used", NUMBER),
    UniqueConstraint("code", name="invitations_code"),
    Index("invitations_tournament", "tournament"),
)
"""Invitations to a session, as `shared.log.invitations.Invitation` describes them. Withdrawn ones are deleted."""

SESSIONS = table(
    "sessions",
    Column("jti", Text, primary_key=True),
    Column("tournament", Text),
    *required(Text, "name", "role"),
    Column("first", NUMBER),
    Column("last", NUMBER),
    *required(NUMBER, "issued", "since", "until"),
    Column("inviter", Text),
    Index("sessions_tournament", "tournament"),
)
"""Tokens that opened a session in a browser, as `shared.log.invitations.Session` describes them."""

GUESSES = table(
    "guesses",
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("home", Text, nullable=False),
    Column("at", NUMBER, nullable=False),
    Index("guesses_at", "at"),
    sqlite_autoincrement=True,
)
"""Invalid invitation codes that were tried: a digest of the sender's address (``home``), and the Unix time."""

WEBHOOKS = table(
    "webhooks",
    Column("id", Text, primary_key=True),
    *required(Text, "tournament", "url", "secret", "by"),
    *required(NUMBER, "made", "tries", "due"),
    Column("failing", Text, nullable=False),
    Column("seq", NUMBER, nullable=False),
    Column("why", Text, nullable=False),
    Column("stopped", NUMBER, nullable=False),
    UniqueConstraint("tournament", "url", name="webhooks_url"),
)
"""Addresses that events are sent to, as `shared.log.webhooks.Webhook` describes them. Removed ones are deleted."""

WEBHOOK_POSITIONS = table(
    "webhook_positions",
    Column("webhook", Text, primary_key=True),
    Column("tournament", Text, primary_key=True),
    Column("seq", NUMBER, nullable=False),
)
"""The last event of a tournament that a webhook's receiver has accepted."""
