"""The projection of people across tournaments, as standings' database stores it in addition to the log.

Names and IDs are not stored in it. Each read takes them from the erasable texts, so an erasure is effective at once.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from shared.core.readings.person_records import PersonEntry, PersonResult, TournamentRecord


class Person(NamedTuple):
    """A person: places in final tables, the number of tournaments, and the name in the latest entry.

    ``person``: salted hash of the FIDE ID, else of the national ID. ``name``: None if it was erased. After an erasure, the
    numbers are right with the next projection of the tournament.
    """

    person: str
    first: int
    second: int
    third: int
    tournaments: int
    name: str | None = None


class Identifiers(NamedTuple):
    """The IDs in a person's entries. Each of ``national_ids`` begins with the code of its federation."""

    fide_id: str | None = None
    national_ids: tuple[str, ...] = ()


class TournamentFacts(NamedTuple):
    """A tournament as far as it is projected: up to its event ``seq``."""

    tournament: str
    seq: int
    name: str
    game: str
    begins: str


class EntryRow(NamedTuple):
    """An entry of a person with its tournament. ``name``: None if it was erased."""

    of: TournamentFacts
    entry: PersonEntry
    name: str | None


class ResultRow(NamedTuple):
    """A result of a person with its tournament.

    ``opponent``: the opponent as a person, None if not identified. ``opponent_name``: None if it was erased.
    """

    of: TournamentFacts
    result: PersonResult
    opponent: str | None
    opponent_name: str | None


class Totals(NamedTuple):
    """Games that count, those that the person has won, and those that the opponent has won."""

    games: int
    won: int
    lost: int


class PeopleLog(Protocol):
    """The part of a database that stores the projection. Lists are pages: at most ``limit`` rows after ``offset`` rows."""

    @property
    def public(self) -> "PeopleLog":
        """Return the same projection, of which only entries with the consent of their players are read."""

    def outdated(self, version: int) -> dict[str, int]:
        """Return tournaments whose records miss events or were computed by a former version, each with its last event."""

    def mark_outdated(self) -> None:
        """Make every tournament's records outdated, and delete those of tournaments that the log does not have."""

    def store(self, records: Sequence[TournamentRecord], version: int) -> None:
        """Replace the records of these tournaments, unless later ones are stored, or equally late ones of a newer version."""

    def counts(self) -> tuple[int, int]:
        """Return the number of tournaments and of people."""

    def ranked(self, offset: int, limit: int) -> list[Person]:
        """Return a page of people by first, second and third places."""

    def person(self, person: str) -> Person | None: ...

    def identifiers(self, people: Sequence[str]) -> Mapping[str, Identifiers]:
        """Return the available IDs of these people, for officials."""

    def person_of_fide_id(self, fide_id: str) -> str:
        """Return the hash by which a person with this FIDE ID would be known."""

    def person_of_national_id(self, federation: str, national_id: str) -> str:
        """Return the hash by which a person with this national ID is or would be known."""

    def person_of_entry(self, tournament: str, player: int) -> str | None: ...

    def best_places(self, people: Sequence[str], most: int) -> Mapping[str, list[EntryRow]]:
        """Return each person's entries with one of the first three places, at most ``most``, the best and latest first."""

    def entries(self, person: str, offset: int, limit: int) -> list[EntryRow]:
        """Return a page of a person's entries, the latest first."""

    def results(self, person: str, opponent: str | None, offset: int, limit: int) -> list[ResultRow]:
        """Return a page of a person's results, the latest first; with an ``opponent``, those against that person."""

    def tournaments(self, person: str, opponent: str | None, limit: int) -> list[TournamentFacts]:
        """Return the tournaments that the totals come from, at most ``limit``, the latest first."""

    def totals(self, person: str, opponent: str | None = None) -> Totals:
        """Return the totals of a person's results; with an ``opponent``, of those against that person."""
