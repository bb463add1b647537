"""Responses about people: every number comes with the tournament and the events that it is computed from."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from services.standings.rules.tiebreaks.value import points_number
from shared.core.terms import HalfPoints
from shared.http.answers import ListAnswer
from shared.log.people import EntryRow, ResultRow, TournamentFacts
from shared.wire.answer import Answer, RowEvents, said

PersonId = Annotated[
    str,
    said(
        description="ID of the person: a salted hash of the FIDE ID, else of the national ID.", pattern="^[0-9a-f]{32}$"
    ),
]
Positions = Annotated[
    Mapping[str, int],
    said(
        description="Log position of each tournament in the response: the `seq` of the last event that it includes. Totals "
        "list at most 500 tournaments, the latest."
    ),
]
Name = Annotated[str, said(description="Name in the entry. Null if it was erased.")] | None


class PersonEntryAnswer(Answer, kw_only=True):
    """An entry of a person in a tournament."""

    tournament: str
    tournament_name: Annotated[str, said(description="Name of the tournament.")]
    discipline: Annotated[str, said(description="Game of the tournament, such as `chess`.")]
    begins: Annotated[str, said(description="First day of the tournament (ISO 8601), or empty if unknown.")]
    player: int
    name: Name
    rating: Annotated[int, said(description="Rating as entered. Null if the entry has none.")] | None
    title: Annotated[str, said(description="Title as entered. Null if the entry has none.")] | None
    federation: Annotated[str, said(description="Federation as entered. Null if the entry has none.")] | None
    rank: (
        Annotated[
            int,
            said(
                description="Place in the final standings, as they are now. Null before they are published, and in events "
                "in which teams meet."
            ),
        ]
        | None
    )
    points: Annotated[float, said(description="Points in the final standings. Null if `rank` is null.")] | None
    events: RowEvents


class PersonSummaryAnswer(Answer, kw_only=True):
    """A person with the number of places in final standings."""

    person: PersonId
    name: Annotated[str, said(description="Name in the latest entry. Null if all names were erased.")] | None
    first: Annotated[int, said(description="Number of first places.")]
    second: Annotated[int, said(description="Number of second places.")]
    third: Annotated[int, said(description="Number of third places.")]
    tournaments: Annotated[int, said(description="Number of tournaments.")]
    fide_id: Annotated[str, said(description="FIDE ID. Null if unknown, or unless the caller may read it.")] | None
    national_ids: Annotated[
        Sequence[str],
        said(
            description="National IDs or licences, each after the code of its federation. Empty unless the caller may read them."
        ),
    ]


class RankedPersonAnswer(PersonSummaryAnswer, kw_only=True):
    """A person with places in final standings."""

    places: Annotated[
        Sequence[PersonEntryAnswer],
        said(description="Entries with one of the first three places, at most 10, the best and latest first."),
    ]


class PeopleAnswer(ListAnswer, kw_only=True):
    """A page of people, by first, second and third places in final standings."""

    people: Annotated[Sequence[RankedPersonAnswer], said(description="People with their places.")]
    positions: Positions


class PersonAnswer(PersonSummaryAnswer, kw_only=True):
    """A person with the totals of all tournaments."""

    games: Annotated[int, said(description="Number of results that count.")]
    won: Annotated[int, said(description="Number of games won, also by forfeit.")]
    positions: Positions


class EntriesOfPersonAnswer(ListAnswer, kw_only=True):
    """A page of a person's entries."""

    person: PersonId
    entries: Annotated[Sequence[PersonEntryAnswer], said(description="Entries, the latest first.")]
    positions: Positions


class PersonResultAnswer(Answer, kw_only=True):
    """A result of a person."""

    tournament: str
    tournament_name: Annotated[str, said(description="Name of the tournament.")]
    round: int
    game: str
    player: int
    side: Annotated[str, said(description="Side that the person played: `white` or `black`.")]
    result: Annotated[str, said(description="`1`, `=` or `0`: win, draw, loss. `+` or `-`: win or loss by forfeit.")]
    opponent: Annotated[int, said(description="Number of the opponent in the tournament.")]
    opponent_name: Name
    opponent_person: Annotated[str, said(description="ID of the opponent as a person. Null if not identified.")] | None
    events: RowEvents


class ResultsOfPersonAnswer(ListAnswer, kw_only=True):
    """A page of a person's results."""

    person: PersonId
    results: Annotated[Sequence[PersonResultAnswer], said(description="Results that count, the latest first.")]
    positions: Positions


class HeadToHeadAnswer(Answer, kw_only=True):
    """The totals of two people's games against each other."""

    person: PersonId
    opponent: Annotated[str, said(description="ID of the opponent.")]
    games: Annotated[int, said(description="Number of results that count.")]
    won: Annotated[int, said(description="Number of games that the person won, also by forfeit.")]
    lost: Annotated[int, said(description="Number of games that the opponent won, also by forfeit.")]
    results: Annotated[str, said(format="uri-reference", description="Address of these results.")]
    positions: Positions


def positions_of(tournaments: Iterable[TournamentFacts]) -> dict[str, int]:
    """Return the position of each tournament of an answer."""
    return {of.tournament: of.seq for of in sorted(tournaments)}


def entry_answer(row: EntryRow) -> PersonEntryAnswer:
    of, entry = row.of, row.entry
    return PersonEntryAnswer(
        tournament=of.tournament,
        tournament_name=of.name,
        discipline=of.game,
        begins=of.begins,
        player=entry.player,
        name=row.name,
        rating=entry.rating,
        title=entry.title,
        federation=entry.federation,
        rank=entry.rank,
        points=None if entry.points is None else points_number(HalfPoints(entry.points)),
        events=entry.events,
    )


def result_answer(row: ResultRow) -> PersonResultAnswer:
    of, result = row.of, row.result
    return PersonResultAnswer(
        tournament=of.tournament,
        tournament_name=of.name,
        round=result.round,
        game=result.game,
        player=result.player,
        side=result.side,
        result=result.result,
        opponent=result.opponent,
        opponent_name=row.opponent_name,
        opponent_person=row.opponent,
        events=result.events,
    )
