"""The rows of a table that change, as pages show them: before, after, and the causes."""

from collections.abc import Iterable, Sequence, Set
from typing import Any, NamedTuple

from services.standings.page_context import PageContext
from services.standings.rules.answers import CauseAnswer, DifferenceAnswer, PlaceAnswer, TeamRowAnswer
from services.standings.rules.diff import TeamChange
from services.standings.rules.teams.member_places import PLACES
from services.standings.rules.teams.table import tiebreaks_of
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import Dependence, TieBreaks
from shared.core.language.messages import Message
from shared.core.terms import PlayerId

_IN_COLUMNS = ("GPTS", PLACES)
"""What a row of teams shows in columns of their own."""
Place = PlaceAnswer | TeamRowAnswer


class ChangedRow(NamedTuple):
    """A row that changes, with its name. ``tb``: the tie-breaks that change, by value or by what is shown of it, and what
    people call them. ``own``: one of them counts one's own record alone. ``named``: a decision names the player."""

    id: int
    name: str | None
    before: Place | None
    after: Place
    tb: list[tuple[str, Message]]
    causes: Sequence[CauseAnswer] = ()
    own: bool = False
    named: bool = False

    @property
    def moved(self) -> bool:
        """True if the rank changes."""
        return self.before is None or self.before.rank != self.after.rank

    @property
    def concerned(self) -> bool:
        """True if the row does not change only because others do: by their rank, or by tie-breaks that count opponents."""
        return (
            self.named
            or self.own
            or self.before is None
            or any(cause.kind != "opponent" for cause in self.causes)
            or self.before.points != self.after.points
            or _game_points(self.before) != _game_points(self.after)
        )


def _game_points(row: Place) -> object:
    """Return the game points of a team, or None for a player."""
    return row.game_points if isinstance(row, TeamRowAnswer) else None


def changed_rows(
    page: PageContext, change: DifferenceAnswer | None, named: Set[PlayerId] = frozenset()
) -> list[ChangedRow]:
    """Return the rows of a `diff`, which is None without a table. ``named``: the players that a decision names."""
    rows = []
    for row in () if change is None else change.changes:
        tiebreaks = _changed(row.before, row.after, TIEBREAKS)
        own = _counts_own(tiebreaks, TIEBREAKS)
        id = PlayerId(row.id)
        rows.append(ChangedRow(row.id, page.name(id), row.before, row.after, tiebreaks, row.causes, own, id in named))
    return rows


def _counts_own(tiebreaks: Iterable[tuple[str, Message]], known: TieBreaks[Any]) -> bool:
    """Return whether one of these tie-breaks counts one's own record alone."""
    return any(known.depends_on(code) is Dependence.OWN for code, _ in tiebreaks)


def _changed(was: Place | None, now: Place, known: TieBreaks[Any]) -> list[tuple[str, Message]]:
    codes = [code for code in now.tb if was is None or _shown(was, code) != _shown(now, code)]
    return [(code, known.titles[code]) for code in codes if code not in _IN_COLUMNS]


def _shown(row: Place, code: str) -> Any:
    return row.tb.get(code), (row.encounters or {}).get(code)


def changed_teams(page: PageContext, changes: Iterable[TeamChange]) -> list[ChangedRow]:
    """The rows of a `team_diff`."""
    known = tiebreaks_of(page.tournament)
    rows = ((was, now, _changed(was, now, known)) for was, now in changes)
    return [ChangedRow(now.id, page.team(now.id), was, now, tb, own=_counts_own(tb, known)) for was, now, tb in rows]
