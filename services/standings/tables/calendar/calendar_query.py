"""The query of the calendar: the conditions of a request, the page that it asks for, and what is found."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.standings.tables.calendar.entries import VERSION
from shared.core.language.messages import say
from shared.core.terms import Phase
from shared.core.values.bounds import CALENDAR_DAY, GAME, PLACE
from shared.desk.desk import Desk
from shared.http.problems import unavailable
from shared.http.reads import paging
from shared.log.calendar import CalendarEntry, CalendarFilter, CalendarOrder, CalendarPlace
from shared.web.name_order import plain

MOST_CHARACTERS = 200
"""Characters of a search for words."""
_MOST_WORDS = 10
_BUILDING_SECONDS = 5
"""Seconds after which a client asks again while the calendar is being built."""
_CURSOR = b"d1:"
_PLACE_TEXT = re.compile(r"(\d{4}-\d\d-\d\d|)/([ -~]{1,200})")
"""The text inside a cursor: the day and the ID of the last tournament of the page before."""


class Words(fields.String):
    """Words to search for in at most ``longest`` characters, folded like the texts of the calendar."""

    def __init__(self, longest: int, description: str) -> None:
        limits = f"At most {longest} characters and {_MOST_WORDS} words."
        super().__init__(load_default=(), metadata={"description": f"{description} {limits}", "maxLength": longest})
        self._longest = longest

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, attr, data, **kwargs)
        if len(text) > self._longest:
            raise ValidationError([say("at most {most} characters", most=self._longest)])
        words = text.split()
        if len(words) > _MOST_WORDS:
            raise ValidationError([say("has {count} words; at most {most}", count=len(words), most=_MOST_WORDS)])
        return tuple(filter(None, map(plain, words)))


def _day(value: str) -> None:
    if not value or CALENDAR_DAY.fault(value) is not None:
        raise ValidationError([say("must be a date such as 2026-03-07")])


class CalendarQuery(Schema):
    """The conditions that tournaments must meet."""

    state = fields.String(
        load_default=None,
        validate=validate.OneOf(get_args(Phase)),
        metadata={"description": "Return tournaments in this state."},
    )
    game = fields.String(
        load_default=None,
        validate=validate.Regexp(rf"{GAME.pattern}\Z"),
        metadata={"description": "Return tournaments of this game, for example `xiangqi`."},
    )
    place = Words(
        PLACE.longest, "Return tournaments whose venue contains all these words. Case and accents are ignored."
    )
    q = Words(
        MOST_CHARACTERS,
        "Return tournaments whose name, venue, game or ID contain all these words. Case and accents are ignored, and Chinese "
        "names are also found by their pinyin. Names of people are not searched.",
    )
    date_from = fields.String(
        load_default=None,
        validate=_day,
        metadata={"description": "Return tournaments that end on this day or later (ISO 8601).", "format": "date"},
    )
    date_to = fields.String(
        load_default=None,
        validate=_day,
        metadata={"description": "Return tournaments that begin on this day or earlier (ISO 8601).", "format": "date"},
    )

    @validates_schema
    def _in_order(self, data: dict[str, Any], **kwargs: Any) -> None:
        first, last = data.get("date_from"), data.get("date_to")
        if first is not None and last is not None and last < first:
            raise ValidationError([say("lies before date_from")], "date_to")


CONDITIONS = tuple(CalendarQuery().fields)
"""The names of the conditions."""


def chosen_by(sent: Mapping[str, Any]) -> CalendarFilter:
    """Return the filter that a query states, loaded by `CalendarQuery`."""
    return CalendarFilter(
        state=sent["state"],
        game=sent["game"] or "",
        place=sent["place"],
        words=sent["q"],
        date_from=sent["date_from"] or "",
        date_to=sent["date_to"] or "",
    )


def place_of(cursor: str | None) -> CalendarPlace | None:
    """Return the place of a cursor. Raises `Problem` 422 if no page has given it."""
    if cursor is None:
        return None
    found = _PLACE_TEXT.fullmatch(paging.decoded(_CURSOR, cursor))
    if found is None:
        raise paging.bad_cursor()
    return CalendarPlace(found[1], found[2])


@dataclass
class Calendar:
    """The calendar in a desk's database. ``catch_up`` waits, for a limited time, until it includes what the log contains."""

    desk: Desk
    catch_up: Callable[[], object]
    _complete: bool = field(default=False, init=False)

    def require_complete(self) -> None:
        """Raise `Problem` 503 while the first entries of this version are being computed."""
        missing = self.count_missing()
        if missing:
            detail = say("the list is being built; {count} tournaments are still missing", count=missing)
            raise unavailable("list-incomplete", detail, _BUILDING_SECONDS)

    def count_missing(self) -> int:
        """Wait for the calendar, and return the number of tournaments whose first entries are not yet computed."""
        self.catch_up()
        if self._complete:
            return 0
        missing = self.desk.log.calendar.missing(VERSION)
        self._complete = not missing
        return missing

    def page(
        self, chosen: CalendarFilter, order: CalendarOrder, after: CalendarPlace | None, limit: int
    ) -> tuple[Sequence[CalendarEntry], str | None]:
        """Return a page of tournaments, and the cursor of the next page or None."""
        found = self.desk.log.calendar.page(chosen, order, after, limit + 1)
        if len(found) <= limit:
            return found, None
        last = found[limit - 1]
        return found[:limit], paging.encoded(_CURSOR, f"{last.first_day}/{last.tournament}")
