"""The records of people in one tournament: entries that state an identifier, and their results. Standard library only."""

from typing import NamedTuple

Events = tuple[int, ...]
"""The sequence numbers of the events that a value comes from."""


class PersonEntry(NamedTuple):
    """An entry that identifies its player. ``fide_id``, ``national_id`` and ``name`` are hashes of erasable texts.

    ``national_id`` is None without a ``federation``, which gave it. ``rank`` and ``points`` (half-points) are those of the
    final table, as it is now. They are None before it is published. ``public``: 1 if the player has consented that everyone
    sees the results across tournaments, else 0.
    """

    player: int
    fide_id: str | None
    national_id: str | None
    name: str
    rating: int | None
    title: str | None
    federation: str | None
    rank: int | None
    points: int | None
    public: int
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
