"""People over HTTP: the ranking by places, a person with entries and results, and two people against each other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from flask import Blueprint, Response
from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.standings.people.people_answers import (
    EntriesOfPersonAnswer,
    HeadToHeadAnswer,
    PeopleAnswer,
    PersonAnswer,
    RankedPersonAnswer,
    ResultsOfPersonAnswer,
    entry_answer,
    positions_of,
    result_answer,
)
from shared.core.language.messages import say
from shared.core.readings.authority import ACTS, READ_TEXTS
from shared.core.values.bounds import FEDERATION, FIDE_ID, NATIONAL_ID
from shared.desk.desk import Desk
from shared.http.answers import ListAnswer
from shared.http.operations import TABLE, Operation
from shared.http.problems import Problem
from shared.http.reads import paging, tournament_query
from shared.http.reads.tournament_query import private_answer
from shared.http.requests import auth
from shared.log.people import EntryRow, Identifiers, PeopleLog, Person, ResultRow
from shared.wire.answer import answer_of

MOST_PLACES = 10
"""Places that are listed for each person of the ranking."""
MOST_LISTED = 10_000
"""People in the ranking that can be reached by pages. Each page reads all those before it."""
_MOST_POSITIONS = 500
_LIMIT = {"description": "Maximum number of rows on a page, from 1 to 500. Default 100."}
_VISIBLE = (
    "Only entries that state a FIDE ID or a national ID are included. Officials with a token for all tournaments read all of "
    "them. Others read the entries whose players have consented (`public_history`), or all if the operator sets "
    "`ARBITER_PEOPLE=public`."
)
_PERMISSION = "to search by ID: a token for all tournaments with a role that may read texts."
Row = TypeVar("Row", EntryRow, ResultRow)


class PageQuery(Schema):
    """A page of a list."""

    cursor = fields.String(metadata={"description": "Position of the page, from `next` of the page before."})
    limit = fields.Integer(load_default=paging.LIMIT, validate=validate.Range(1, 500), metadata=_LIMIT)


class PeopleQuery(PageQuery):
    """A page of the ranking, or one person."""

    fide_id = fields.String(
        load_default=None,
        validate=validate.Regexp(rf"{FIDE_ID.pattern}\Z"),
        metadata={"description": "Return only the person with this FIDE ID. For officials."},
    )
    federation = fields.String(
        load_default=None,
        validate=validate.Regexp(rf"{FEDERATION.pattern}\Z"),
        metadata={"description": "Federation that gave `national_id`."},
    )
    national_id = fields.String(
        load_default=None,
        validate=validate.Regexp(rf"{NATIONAL_ID.pattern}\Z"),
        metadata={"description": "Return only the person with this national ID of `federation`. For officials."},
    )

    @validates_schema
    def _with_federation(self, data: dict[str, Any], **kwargs: Any) -> None:
        if (data["national_id"] is None) != (data["federation"] is None):
            raise ValidationError([say("federation and national_id are only valid together")], "national_id")
        if data["national_id"] is not None and data["fide_id"] is not None:
            raise ValidationError([say("only one ID can be searched")], "national_id")


class ResultsQuery(PageQuery):
    """A page of results."""

    opponent = fields.String(
        load_default=None,
        metadata={"description": "Return only results against the person with this ID."},
    )


@dataclass(frozen=True, slots=True)
class People:
    """The projection in a desk's database. ``catch_up`` waits, for a limited time, until it includes what the log contains."""

    desk: Desk
    catch_up: Callable[[], object]

    @property
    def log(self) -> PeopleLog:
        """Return the projection as the reader may read it."""
        return readable_people(self.desk)

    def known(self, id: str) -> Person:
        """Return a person. Raises `Problem` 404 if nobody is known by this ID."""
        person = self.log.person(id)
        if person is None:
            detail = say("no entry belongs to the person {id}", id=repr(id[:40]))
            raise Problem(404, "unknown-person", say("No such person"), detail)
        return person


def readable_people(desk: Desk) -> PeopleLog:
    """Return the projection as the reader may read it: all entries, or those whose players have consented."""
    people = desk.log.people
    return people if auth.may_read_all_people() else people.public


def people(bp: Blueprint, stored: People) -> None:
    """Add the routes of people."""

    def begin() -> paging.Window:
        """Check the token and the query, wait for the projection, and return the requested page."""
        stored.catch_up()
        tournament_query.query()
        return paging.window()

    @bp.get("/v1/people")
    @Operation(
        "List people by places in final standings",
        name="listPeople",
        description=(
            f"Returns a ranking over all tournaments (hall of fame), at most the first {MOST_LISTED} people. With `fide_id`, "
            f"or with `federation` and `national_id`, officials look up one person. {_VISIBLE}"
        ),
        permission=_PERMISSION,
        answer=PeopleAnswer,
        tagged=False,
        errors=(401, 403),
        query=PeopleQuery,
        cost=TABLE,
    )
    def ranked_people() -> Response:
        page, query = begin(), tournament_query.query()
        if query["fide_id"] is None and query["national_id"] is None:
            shown, next = ranked_page(stored.log, page)
        else:
            auth.require(None, ACTS[READ_TEXTS].roles)
            found, next = stored.log.person(_searched(stored.log, query)), None
            shown = [] if found is None else [found]
        places, ids = places_of(stored.log, shown), readable_identifiers(stored.log, shown)
        told = [
            answer_of(
                RankedPersonAnswer,
                one,
                **ids[one.person]._asdict(),
                places=list(map(entry_answer, places[one.person])),
            )
            for one in shown
        ]
        positions = positions_of(row.of for rows in places.values() for row in rows)
        return _answer(PeopleAnswer(people=told, positions=positions, next=next))

    @bp.get("/v1/people/<person>")
    @Operation(
        "Get a person",
        name="getPerson",
        description=f"Returns the totals of a person over all tournaments. `entries` and `results` list their events. {_VISIBLE}",
        permission=_PERMISSION,
        answer=PersonAnswer,
        tagged=False,
        errors=(401, 403),
        cost=TABLE,
    )
    def one_person(person: str) -> Response:
        stored.catch_up()
        one, totals = stored.known(person), stored.log.totals(person)
        answer = answer_of(
            PersonAnswer,
            one,
            **readable_identifiers(stored.log, [one])[person]._asdict(),
            games=totals.games,
            won=totals.won,
            positions=positions_of(stored.log.tournaments(person, None, _MOST_POSITIONS)),
        )
        return private_answer(answer)

    @bp.get("/v1/people/<person>/entries")
    @Operation(
        "List the entries of a person",
        name="listEntriesOfPerson",
        description=f"Returns the entries in all tournaments, with ratings as entered and final places. {_VISIBLE}",
        permission=_PERMISSION,
        answer=EntriesOfPersonAnswer,
        tagged=False,
        errors=(401, 403),
        query=PageQuery,
        cost=TABLE,
    )
    def entries_of_person(person: str) -> Response:
        page, one = begin(), stored.known(person)
        rows, next = page_of(page, stored.log.entries(person, page.after, page.limit + 1))
        answer = EntriesOfPersonAnswer(
            person=one.person,
            entries=[entry_answer(row) for row in rows],
            positions=positions_of(row.of for row in rows),
            next=next,
        )
        return _answer(answer)

    @bp.get("/v1/people/<person>/results")
    @Operation(
        "List the results of a person",
        name="listResultsOfPerson",
        description=f"Returns the results that count now, after all corrections and rulings. {_VISIBLE}",
        permission=_PERMISSION,
        answer=ResultsOfPersonAnswer,
        tagged=False,
        errors=(401, 403),
        query=ResultsQuery,
        cost=TABLE,
    )
    def results_of_person(person: str) -> Response:
        page, opponent, one = begin(), tournament_query.query()["opponent"], stored.known(person)
        rows, next = page_of(page, stored.log.results(person, opponent, page.after, page.limit + 1))
        answer = ResultsOfPersonAnswer(
            person=one.person,
            results=[result_answer(row) for row in rows],
            positions=positions_of(row.of for row in rows),
            next=next,
        )
        return _answer(answer)

    @bp.get("/v1/people/<person>/opponents/<opponent>")
    @Operation(
        "Compare two people by their games",
        name="getHeadToHead",
        description=f"Returns the totals of the games of two people against each other in all tournaments. {_VISIBLE}",
        permission=_PERMISSION,
        answer=HeadToHeadAnswer,
        tagged=False,
        errors=(401, 403),
        cost=TABLE,
    )
    def head_to_head(person: str, opponent: str) -> Response:
        stored.catch_up()
        one, other, totals = stored.known(person), stored.known(opponent), stored.log.totals(person, opponent)
        answer = HeadToHeadAnswer(
            person=one.person,
            opponent=other.person,
            games=totals.games,
            won=totals.won,
            lost=totals.lost,
            results=f"/v1/people/{one.person}/results?opponent={other.person}",
            positions=positions_of(stored.log.tournaments(person, opponent, _MOST_POSITIONS)),
        )
        return private_answer(answer)


def _searched(log: PeopleLog, query: Mapping[str, Any]) -> str:
    if query["fide_id"] is not None:
        return log.person_of_fide_id(query["fide_id"])
    return log.person_of_national_id(query["federation"], query["national_id"])


def readable_identifiers(log: PeopleLog, people: Sequence[Person]) -> Mapping[str, Identifiers]:
    """Return the IDs of people that the reader may read: all of them for officials, else none."""
    ids = log.identifiers([one.person for one in people]) if auth.may_read_texts_everywhere() else {}
    return {one.person: ids.get(one.person, Identifiers()) for one in people}


def ranked_page(log: PeopleLog, page: paging.Window) -> tuple[list[Person], str | None]:
    """Return a page of the ranking, and the address of the next page or None."""
    limit = max(0, min(page.limit, MOST_LISTED - page.after))
    rows = log.ranked(page.after, limit + 1)
    more = len(rows) > limit and page.after + limit < MOST_LISTED
    return rows[:limit], paging.next_url(page.after + limit) if more else None


def places_of(log: PeopleLog, people: Sequence[Person]) -> Mapping[str, list[EntryRow]]:
    """Return the places to list for each of these people, at most `MOST_PLACES`."""
    found = log.best_places([one.person for one in people], MOST_PLACES)
    return {one.person: found.get(one.person, []) for one in people}


def page_of(page: paging.Window, rows: list[Row]) -> tuple[list[Row], str | None]:
    """Return the rows of a page, read with one more, and the address of the next page or None."""
    more = len(rows) > page.limit
    return rows[: page.limit], paging.next_url(page.after + page.limit) if more else None


def _answer(content: ListAnswer) -> Response:
    return paging.linked(private_answer(content), content.next)
