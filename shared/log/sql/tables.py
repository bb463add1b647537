"""The tables of a service's database. Alembic's migrations make them; nothing else does."""

from typing import Any

from sqlalchemy import Column, Float, Index, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint
from sqlalchemy.schema import SchemaItem

from shared.log.sql.columns import NUMBER, line_columns, required

METADATA = MetaData()


def _table(name: str, *items: SchemaItem, **options: Any) -> Table:
    return Table(name, METADATA, *items, **options)


def _lines(name: str, *more: Column[bytes] | UniqueConstraint | Index) -> Table:
    """Return a table of lines."""
    return _table(name, *line_columns(), *more, sqlite_autoincrement=True)


EVENTS = _lines(
    "events",
    UniqueConstraint("source", "stream", "sourceseq", name="events_sourceseq"),
    UniqueConstraint("command", "n", name="events_command"),
    Index("events_seq", "stream", "seq"),
)
"""What this database's services wrote. Embedded, ``seq`` is the line's number; apart from the log it is 0."""

LEDGER = _lines(
    "ledger",
    Column("root", LargeBinary, nullable=False),
    UniqueConstraint("stream", "seq", name="ledger_seq"),
    UniqueConstraint("source", "stream", "sourceseq", name="ledger_sourceseq"),
)
"""What came back through the log, where the append is not the log itself; ``root`` is that after the line."""

SHEETS = _lines("sheets", UniqueConstraint("source", "stream", "sourceseq", name="sheets_sourceseq"))
"""The score sheets as standings follows them, where games is a service apart."""

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

A record NULL is a tombstone. ``at``: Unix time in seconds. ``traceparent``: the trace of its command's request, or NULL.
"""

OUTBOX_NUMBERS = _table(
    "outbox_numbers",
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("given", Text, nullable=False),
    sqlite_autoincrement=True,
)
"""What the relay numbers records by in their partitions: a row for those that are sent together, JSON of the outbox's id to
the number (texts have none), until all of them are confirmed."""

TEXTS = _table(
    "texts",
    Column("hash", Text, primary_key=True),
    *required(Text, "salt", "text"),
    Column("tournament", Text, nullable=False, index=True),
)

ERASED = _table("erased", Column("hash", Text, primary_key=True))
"""Hashes that are never taken again."""

KEPT = _table(
    "kept",
    Column("key", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("command", Text, nullable=False),
)
"""Answers kept for idempotency keys."""

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
"""How far a topic was read (``reader`` follower) or confirmed (``reader`` relay).

``next`` is the offset to go on from, ``digest`` the hex SHA-256 of the record before it, ``ledger`` the ``pos`` of
the ledger's last line then, ``strangers`` counts records that were no lines.
"""

NUMBERS = _table(
    "numbers",
    Column("reader", Text, primary_key=True),
    Column("source", Text, primary_key=True),
    Column("topic", Text, primary_key=True),
    Column("partition", Integer, primary_key=True, autoincrement=False),
    Column("last", NUMBER, nullable=False),
)
"""The last number that a source has given a record of a partition (``reader`` relay), or that was read of it
(``reader`` follower)."""

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
"""What the follower found in the topics and nobody should have written (`worker_state.Kind`).

``place`` is the record's offset; ``first`` and ``last`` are the numbers that are missing (kind ``gap``); ``records``
counts the records of a row; ``found`` and ``acknowledged`` are Unix times, the latter with who (``by``) and why."""

SETTLED = _table(
    "settled",
    Column("command", Text, primary_key=True),
    Column("stream", Text, nullable=False),
    Column("successor", Text),
    Column("at", Float, nullable=False),
    *required(Text, "by", "reason"),
)
"""What became of own commands whose events are in no ledger: sent again as the command ``successor``, or (NULL) given
up. ``at`` is Unix time; ``by`` and ``reason`` say who settled it and why."""

STOPPED = _table(
    "stopped",
    Column("stream", Text, primary_key=True),
    Column("seq", NUMBER, nullable=False),
    Column("why", Text, nullable=False),
    Column("resumed", NUMBER, nullable=False),
)
"""Where a tournament must not be gone on with: ``seq`` is its last good line. ``resumed``: the number of the last
line up to which an operator has gone past what was found; below ``seq`` where nobody has."""

WORKER = _table(
    "worker",
    Column("id", Integer, primary_key=True, autoincrement=False),
    *required(NUMBER, "asked", "answered", "beat"),
    Column("at", Float, nullable=False),
)
"""The worker's one row. A process adds one to ``asked``; the worker sets ``answered`` to what was asked before it saw
the topics' end. ``beat`` only grows, ``at`` is its Unix time."""

HALTED = _table(
    "halted",
    Column("part", Text, primary_key=True),
    Column("why", Text, nullable=False),
)
"""Which part of the worker (follower, relay) waits for an operator, and why; a row goes once the part goes on."""

SIGNING_KEY = _table(
    "signing_key",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False),
)
"""The one row of an embedded database: the public key (base64) that signs for what it holds."""

REVOKED = _table(
    "revoked",
    Column("key", Text, primary_key=True),
    Column("at", NUMBER, primary_key=True, autoincrement=False),
    Column("record", LargeBinary, nullable=False),
)
"""What pairing signed of tokens taken back (`shared.signing.revocation_records`), each row for ever: no topic that has
forgotten one gives a token back. Under one ``key`` the latest (``at``, Unix seconds) says all that those before said."""

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
"""Invitations to a session, as `shared.log.invitations.Invitation` says; one that is withdrawn is no longer there."""

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
"""Tokens that were brought into a browser, as `shared.log.invitations.Session` says."""

GUESSES = _table(
    "guesses",
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("home", Text, nullable=False),
    Column("at", NUMBER, nullable=False),
    Index("guesses_at", "at"),
    sqlite_autoincrement=True,
)
"""Codes of invitations that were tried in vain, by a digest of the address that they came from, at a Unix time."""

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
"""Addresses that lines are sent to, as `shared.log.webhooks.Webhook` says; one that is removed is no longer there."""

WEBHOOK_POSITIONS = _table(
    "webhook_positions",
    Column("webhook", Text, primary_key=True),
    Column("tournament", Text, primary_key=True),
    Column("seq", NUMBER, nullable=False),
)
"""The last line of a tournament that a webhook's receiver has taken."""

PEOPLE_TOURNAMENTS = _table(
    "people_tournaments",
    Column("tournament", Text, primary_key=True),
    *required(NUMBER, "seq", "version"),
    *required(Text, "name", "game", "begins"),
)
"""Tournaments in the projection of people: the last event of each that its rows are computed from, and the version of the
rules that computed them."""

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
