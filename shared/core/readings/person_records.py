"""The records of people in one tournament: entries that state an identifier, and their results. Standard library only."""

from typing import NamedTuple

Events = tuple[int, ...]
"""The sequence numbers of the events that a value comes from."""


class PersonEntry(NamedTuple):
    """An entry that states a FIDE ID, in the erasable text with the hash ``identifier``. ``name``: the hash of the name.

    ``rank`` and ``points`` (half-points) are those of the final table, as it is now. They are None before it is published.
    """

    player: int
    identifier: str
    name: str
    rating: int | None
    title: str | None
    federation: str | None
    rank: int | None
    points: int | None
    events: Events


class PersonResult(NamedTuple):
    """One player's result in a game that counts. ``result``: its letter in the cross table. ``won``: 1 for a win, else 0."""

    player: int
    game: str
    round: int
    opponent: int
    opponent_name: str
    side: str
    result: str
    won: int
    events: Events


class TournamentRecord(NamedTuple):
    """The records of people in a tournament after its event ``seq``. ``begins``: the first day, or empty if unknown."""

    tournament: str
    seq: int
    name: str = ""
    game: str = ""
    begins: str = ""
    entries: tuple[PersonEntry, ...] = ()
    results: tuple[PersonResult, ...] = ()
