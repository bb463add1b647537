"""The tables of the projection of people across tournaments, in standings' database."""

from sqlalchemy import Column, Index, Integer, Text

from shared.log.sql.columns import NUMBER, required, table

PEOPLE_TOURNAMENTS = table(
    "people_tournaments",
    Column("tournament", Text, primary_key=True),
    *required(NUMBER, "seq", "version"),
    *required(Text, "name", "game", "begins"),
)
"""Tournaments in the projection of people: the last event of each that its rows are computed from, and the version of the
rules that computed them."""

PEOPLE_ENTRIES = table(
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
    *(Column(name, Text) for name in ("fide_id", "national_id", "fide_person", "national_person")),
    Column("public", NUMBER, nullable=False, server_default="0"),
    Index("people_entries_person", "person"),
    Index("people_entries_national", "national_person"),
)
"""Entries of people, as `shared.core.readings.person_records.PersonEntry` describes them.

``fide_person``, ``national_person``: salted hashes of the IDs, NULL for those that are unknown. ``person``: ``fide_person``,
or that of the one person whose entries state both IDs, else ``national_person``. A row is valid only while `TEXTS` has the
text ``identifier``: the FIDE ID if it was available, else the national ID."""

PEOPLE_RESULTS = table(
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

PEOPLE = table(
    "people",
    Column("person", Text, primary_key=True),
    *required(NUMBER, "first", "second", "third", "tournaments"),
    Index("people_order", "first", "second", "third"),
)
"""Every person with a row in `PEOPLE_ENTRIES`: the number of first, second and third places, and of tournaments."""

PEOPLE_PUBLIC = table(
    "people_public",
    Column("person", Text, primary_key=True),
    *required(NUMBER, "first", "second", "third", "tournaments"),
    Index("people_public_order", "first", "second", "third"),
)
"""As `PEOPLE`, counted from the ``public`` rows of `PEOPLE_ENTRIES` only."""

PEOPLE_SALT = table(
    "people_salt",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("salt", Text, nullable=False),
)
"""The one row with the secret key of the hashes in ``person``. A rebuild keeps it, so that addresses stay valid."""
