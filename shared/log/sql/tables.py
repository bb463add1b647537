"""The tables of a service's database. Alembic's migrations create them, or `migration` for a new SQLite database."""

from typing import Any

from sqlalchemy import Column, Float, Index, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint
from sqlalchemy.schema import SchemaItem

from shared.log.sql.columns import NUMBER, line_columns, required

METADATA = MetaData()


def _table(name: str, *items: SchemaItem, **options: Any) -> Table:
    return Table(name, METADATA, *items, **options)


def _lines(name: str, *more: Column[bytes] | UniqueConstraint | Index) -> Table:
    """Return a table of events."""
    return _table(name, *line_columns(), *more, sqlite_autoincrement=True)


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
    UniqueConstraint("stream", "seq", name="ledger_seq"),
    UniqueConstraint("source", "stream", "sourceseq", name="ledger_sourceseq"),
)
"""Official events that came back through the log, if the append is not the log itself. ``root``: the root after the event."""

SHEETS = _lines("sheets", UniqueConstraint("source", "stream", "sourceseq", name="sheets_sourceseq"))
"""The score sheets as standings follows them, if games is a separate service."""

COLD = _table(
    "cold",
    Column("stream", Text, primary_key=True),
    *required(Text, "tournament", "digest"),
    *required(NUMBER, "size"),
    *required(LargeBinary, "content"),
    Index("cold_tournament", "tournament"),
)
"""Compressed events of finished tournaments, by stream, as `shared.log.sql.cold` writes and reads them."""

OUTBOX = _table(
    "outbox",
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    *required(Text, "topic", "key"),
    Column("record", LargeBinary),
    Column("at", Float, nullable=False),
    Column("traceparent", Text),
    sqlite_autoincrement=True,
)
"""Records to send, one per command and topic. They are deleted only from the front.

A NULL record is a tombstone. ``at``: Unix time in seconds. ``traceparent``: the trace of its command's request, or NULL.
"""

OUTBOX_NUMBERS = _table(
    "outbox_numbers",
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("given", Text, nullable=False),
    sqlite_autoincrement=True,
)
"""The numbers that the relay gives to records in their partitions, until all records of a row are confirmed. A row is for
records that are sent together: JSON of the outbox ID to the number (texts have none)."""

TEXTS = _table(
    "texts",
    Column("hash", Text, primary_key=True),
    *required(Text, "salt", "text"),
    Column("tournament", Text, nullable=False, index=True),
)

ERASED = _table("erased", Column("hash", Text, primary_key=True))
"""Hashes of erased texts, which are never stored again."""

KEPT = _table(
    "kept",
    Column("key", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("command", Text, nullable=False),
)
"""Answers stored for idempotency keys."""

POSITIONS = _table(
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

NUMBERS = _table(
    "numbers",
    Column("reader", Text, primary_key=True),
    Column("source", Text, primary_key=True),
    Column("topic", Text, primary_key=True),
    Column("partition", Integer, primary_key=True, autoincrement=False),
    Column("last", NUMBER, nullable=False),
)
"""The last number of a source's records in a partition: given by the relay, or read by the follower (``reader``)."""

FINDINGS = _table(
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

SETTLED = _table(
    "settled",
    Column("command", Text, primary_key=True),
    Column("stream", Text, nullable=False),
    Column("successor", Text),
    Column("at", Float, nullable=False),
    *required(Text, "by", "reason"),
)
"""The outcome of own commands whose events are in no ledger: sent again as the command ``successor``, or given up (NULL).
``at``: Unix time. ``by``, ``reason``: the operator who settled it, and why."""

STOPPED = _table(
    "stopped",
    Column("stream", Text, primary_key=True),
    Column("seq", NUMBER, nullable=False),
    Column("why", Text, nullable=False),
    Column("resumed", NUMBER, nullable=False),
)
"""Stops of tournaments after the event ``seq``. ``resumed``: the last event up to which an operator passed it, or -1."""

WORKER = _table(
    "worker",
    Column("id", Integer, primary_key=True, autoincrement=False),
    *required(NUMBER, "asked", "answered", "beat"),
    Column("at", Float, nullable=False),
)
"""The only row of the worker. A process adds one to ``asked``. The worker sets ``answered`` to the value of ``asked`` from
before it saw the end of the topics. ``beat`` only grows, and ``at`` is its Unix time."""

HALTED = _table(
    "halted",
    Column("part", Text, primary_key=True),
    Column("why", Text, nullable=False),
)
"""The parts of the worker (follower, relay) that wait for an operator, and why. A row is deleted when the part continues."""

SIGNING_KEY = _table(
    "signing_key",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False),
)
"""The only row of an embedded database: the public part (base64) of the key that signs for the database's contents."""

REVOKED = _table(
    "revoked",
    Column("key", Text, primary_key=True),
    Column("at", NUMBER, primary_key=True, autoincrement=False),
    Column("record", LargeBinary, nullable=False),
)
"""Pairing's signed records of revoked tokens (`shared.signing.revocation_records`). Rows stay forever: a topic that lost a
record makes no token valid again. The latest one of a ``key`` (``at``, Unix seconds) includes all earlier ones."""

INVITATIONS = _table(
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

SESSIONS = _table(
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

GUESSES = _table(
    "guesses",
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("home", Text, nullable=False),
    Column("at", NUMBER, nullable=False),
    Index("guesses_at", "at"),
    sqlite_autoincrement=True,
)
"""Invalid invitation codes that were tried: a digest of the sender's address (``home``), and the Unix time."""

WEBHOOKS = _table(
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

WEBHOOK_POSITIONS = _table(
    "webhook_positions",
    Column("webhook", Text, primary_key=True),
    Column("tournament", Text, primary_key=True),
    Column("seq", NUMBER, nullable=False),
)
"""The last event of a tournament that a webhook's receiver has accepted."""

PEOPLE_TOURNAMENTS = _table(
    "people_tournaments",
    Column("tournament", Text, primary_key=True),
    *required(NUMBER, "seq", "version"),
    *required(Text, "name", "game", "begins"),
)
"""Projected tournaments: the last event that each one's rows are computed from, and the version of the rules."""

PEOPLE_ENTRIES = _table(
    "people_entries",
    Column("tournament", Text, primary_key=True),
    Column("player", NUMBER, primary_key=True, autoincrement=False),
    *required(Text, "person", "identifier", "name"),
    Column("rating", NUMBER),
    Column("title", Text),
    Column("federation", Text),
    Column("rank", NUMBER),
    Column("points", NUMBER),
    Column("events", Text, nullable=False),
    Index("people_entries_person", "person"),
)
"""Entries of people, as `shared.core.readings.person_records.PersonEntry` describes them. ``person``: salted hash of the
FIDE ID. A row is valid only while `TEXTS` has the text ``identifier``."""

PEOPLE_RESULTS = _table(
    "people_results",
    Column("tournament", Text, primary_key=True),
    Column("player", NUMBER, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    *required(NUMBER, "round", "opponent"),
    *required(Text, "opponent_name", "side", "result"),
    Column("won", NUMBER, nullable=False),
    Column("events", Text, nullable=False),
)
"""Results of the entries in `PEOPLE_ENTRIES`, as `shared.core.readings.person_records.PersonResult` describes them."""

PEOPLE = _table(
    "people",
    Column("person", Text, primary_key=True),
    *required(NUMBER, "first", "second", "third", "tournaments"),
    Index("people_order", "first", "second", "third"),
)
"""Every person with a row in `PEOPLE_ENTRIES`: the number of first, second and third places, and of tournaments."""

PEOPLE_SALT = _table(
    "people_salt",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("salt", Text, nullable=False),
)
"""The one row with the secret key of the hashes in ``person``. A rebuild keeps it, so that addresses stay valid."""
