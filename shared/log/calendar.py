"""The calendar: the projection by which tournaments are found, as standings' database stores it in addition to the log.

It contains no erasable texts. The name and the venue of a tournament are part of its log.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from shared.core.terms import Phase

CalendarOrder = Literal["id", "date", "-date"]
"""By ID, or by the first day and the ID: the earliest or the latest first. The place of a tournament in it never changes."""
CALENDAR_ORDERS: tuple[CalendarOrder, ...] = ("id", "date", "-date")


class CalendarEntry(NamedTuple):
    """A tournament up to its event ``seq``. ``state``: empty before the tournament is announced and listed; then it is not found.

    ``first_day``, ``last_day``: as announced, else by the times of the events (ISO 8601). ``current_until``: the day through
    which an unfinished tournament is current, empty for a finished one. ``dated``: 1 if days are announced. ``venue`` and
    ``words``: the folded texts that are searched. ``stopped``: 1 if the state stops before the end of the log.
    ``open_boards``: boards without a result in the last round. ``changed``: time of the last event (RFC 3339). ``uid``: the ID of
    the first event, by which calendars know the tournament. ``content``: the tournament as the API answers it, as JSON.
    """

    tournament: str
    seq: int
    state: str = ""
    game: str = ""
    first_day: str = ""
    last_day: str = ""
    current_until: str = ""
    dated: int = 0
    venue: str = ""
    words: str = ""
    stopped: int = 0
    open_boards: int = 0
    changed: str = ""
    uid: str = ""
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class CalendarFilter:
    """Conditions that tournaments must meet. An empty condition is met by all.

    ``place`` and ``words``: folded words, each of which must occur. ``date_from``, ``date_to``: at least one day of the
    tournament is in this range. ``current_on``, ``over_on``: tournaments that are current on this day, or no longer.
    """

    state: Phase | None = None
    game: str = ""
    place: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    date_from: str = ""
    date_to: str = ""
    current_on: str = ""
    over_on: str = ""
    dated: bool = False


class CalendarPlace(NamedTuple):
    """The place of a tournament in each order, after which a page begins."""

    first_day: str
    tournament: str


class CalendarLog(Protocol):
    """The part of a database that stores the calendar."""

    def outdated(self, version: int) -> dict[str, int]:
        """Return tournaments whose entries miss events or were computed by a former version, each with its last event."""

    def missing(self, version: int) -> int:
        """Return the number of tournaments without an entry of this version or a newer one."""

    def mark_outdated(self) -> None:
        """Make every entry outdated, and delete those of tournaments that the log does not have."""

    def store(self, entries: Sequence[CalendarEntry], version: int) -> None:
        """Replace the entries of these tournaments, unless later ones are stored, or equally late ones of a newer version."""

    def page(
        self, chosen: CalendarFilter, order: CalendarOrder, after: CalendarPlace | None, limit: int
    ) -> list[CalendarEntry]:
        """Return the tournaments that meet all conditions, at most ``limit``, in this order after this place."""

    def games(self) -> list[str]:
        """Return the games of all tournaments, sorted."""

    def unlisted(self, limit: int) -> list[str]:
        """Return the last ``limit`` tournaments by ID that no page finds: unlisted ones, and those that are not announced."""
