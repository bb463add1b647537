"""Changes of an announcement: corrected values, and the listing of a tournament."""

from dataclasses import dataclass
from typing import Annotated, Any

from shared.core.events.event import Official
from shared.core.terms import TextRef
from shared.core.values.bounds import CALENDAR_DAY, PLACE, TITLE_OF_EVENT, ZONE, RoundNumber


@dataclass(frozen=True, slots=True)
class TournamentCorrected(Official):
    """Values of the announcement are corrected, for a ``reason``. A member that is None keeps its value.

    ``rounds``: not less than the rounds paired.
    """

    reason: TextRef
    name: Annotated[str, TITLE_OF_EVENT] | None = None
    place: Annotated[str, PLACE] | None = None
    begins: Annotated[str, CALENDAR_DAY] | None = None
    ends: Annotated[str, CALENDAR_DAY] | None = None
    time_zone: Annotated[str, ZONE] | None = None
    rounds: RoundNumber | None = None

    @property
    def changes(self) -> dict[str, Any]:
        """Return the stated values by the member of the announcement that they replace."""
        names = ("name", "place", "begins", "ends", "time_zone", "rounds")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


@dataclass(frozen=True, slots=True)
class ListingSet(Official):
    """Whether everybody finds and reads the tournament from this event on. Without such an event, it is listed.

    Until it is ``listed``, only readers with a token see it. It is never unlisted again.
    """

    listed: bool
