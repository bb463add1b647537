"""The difference of the table between two states of a tournament, and the events that caused it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from services.standings.rules.answers import CauseAnswer, ChangeAnswer, DifferenceAnswer, PlaceAnswer, TeamRowAnswer
from services.standings.rules.encounters import encounters
from services.standings.rules.explanation import row_events
from services.standings.rules.records import Field
from services.standings.rules.table.incremental_state import Row
from services.standings.rules.table.table import Table, numbers_of, standings, update_table
from services.standings.rules.teams.explanation import add_team_encounters
from services.standings.rules.teams.table import is_team_event, team_standings
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.tiebreak import Dependence
from services.standings.rules.tiebreaks.value import points_number
from shared.core.events import Event, SheetLine
from shared.core.readings.outdated_bases import OutdatedBasis
from shared.core.readings.scoring import RoundScore, Score
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import HalfPoints, PlayerId


def causes(before: Field, after: Field, player: PlayerId, *, opponents: bool) -> list[CauseAnswer]:
    """Return what changed in a player's record between two states of one tournament.

    Each cause has a ``kind``: ``round`` (with ``round``, ``opponent``, ``game``), ``ruling`` on points (with
    ``ruling``), or ``opponent`` (an opponent whose points changed; only if ``opponents`` is true). ``before`` and
    ``after`` of a cause are the points, or null for a round without a result and a ruling that is not in force. A
    round with the same points is also listed if it counts differently, for example as a forfeit instead of a game. The
    list is empty if the row of the player only moved because others moved.
    """
    was, now = before.scores.get(player), after.scores[player]
    if was is None:
        return []
    own = [*_rounds(was, now), *_rulings(after, was, now)]
    return [*own, *_opponents(before, after, player)] if opponents else own


def _rounds(was: Score, now: Score) -> Iterator[CauseAnswer]:
    former = {r.round: r for r in was.rounds}
    for r in now.rounds:
        old = former.get(r.round)
        if old is None and r.kind == "open":
            continue
        if old is None or _scoring_facts(old) != _scoring_facts(r):
            yield CauseAnswer(
                kind="round",
                round=r.round,
                opponent=r.opponent or None,
                game=r.game,
                before=_points_of_round(old),
                after=_points_of_round(r),
            )


def _points_of_round(r: RoundScore | None) -> float | None:
    """Return the points of a round, or None if it has no result or was not paired."""
    return None if r is None or r.kind == "open" else points_number(r.points)


def _points(value: HalfPoints | None) -> float | None:
    return None if value is None else points_number(value)


def _scoring_facts(r: RoundScore) -> tuple[object, ...]:
    """Return the properties of a round that affect the table, for the comparison of two states of the round."""
    return r.kind, r.points, r.opponent, r.bye, r.game, r.counted


def _rulings(field: Field, was: Score, now: Score) -> Iterator[CauseAnswer]:
    former, latter = dict(was.adjustments), dict(now.adjustments)
    names = {ruling.seq: id for id, ruling in field.tournament.rulings.items()}
    for seq in sorted(former.keys() | latter.keys()):
        if former.get(seq) != latter.get(seq):
            before, after = _points(former.get(seq)), _points(latter.get(seq))
            yield CauseAnswer(kind="ruling", ruling=names[seq], before=before, after=after)


def _opponents(before: Field, after: Field, player: PlayerId) -> Iterator[CauseAnswer]:
    met = {r.opponent: None for field in (before, after) for r in field.scores[player].rounds if r.opponent}
    for opponent in met:
        if opponent in before.own and before.own[opponent] != after.own[opponent]:
            was, now = _points(before.own[opponent]), _points(after.own[opponent])
            yield CauseAnswer(kind="opponent", opponent=opponent, before=was, after=now)


def diff(before: Table, after: Table) -> DifferenceAnswer:
    """Return the rows that changed, by their new rank.

    Each row has its ``id``, ``before`` and ``after`` (``rank``, ``points``, ``tb``, and ``encounters`` as in the table;
    null if the player was not entered), ``causes`` (see `causes`) and ``events``: the events that only one of the two
    rows depends on. A row that only moved because others moved has no causes and no events of its own. The top-level
    ``events`` is the union of all rows.
    """
    old = {row.player: row for row in before.rows}
    changes: list[ChangeAnswer] = []
    for row in after.rows:
        former = old.get(row.player)
        was, now = None if former is None else _place(former), _place(row)
        if was != now:
            rests = set() if former is None else row_events(before.field, former)
            events = sorted(rests ^ row_events(after.field, row))
            reasons = causes(before.field, after.field, row.player, opponents=_depends_on_opponents(was, now))
            now.encounters = encounters(row)
            if was is not None and former is not None:
                was.encounters = encounters(former)
            changes.append(ChangeAnswer(row.player, was, now, reasons, events))
    every = sorted({seq for change in changes for seq in change.events})
    return DifferenceAnswer(tournament=after.tournament, from_=before.seq, to=after.seq, changes=changes, events=every)


def _depends_on_opponents(was: PlaceAnswer | None, now: PlaceAnswer) -> bool:
    """Return whether a tie-break changed that depends on more than the player's own record."""
    others = [code for code, value in now.tb.items() if was is None or was.tb.get(code) != value]
    return any(TIEBREAKS.depends_on(code) is not Dependence.OWN for code in others)


def _place(row: Row) -> PlaceAnswer:
    return PlaceAnswer(rank=row.rank, points=points_number(row.points), tb=numbers_of(row.values))


class TeamChange(NamedTuple):
    """A team's row in the standings before and after a change. ``before`` is None if the team was not entered yet."""

    before: TeamRowAnswer | None
    after: TeamRowAnswer


def team_diff(before: TournamentState, after: TournamentState) -> list[TeamChange]:
    """Return the teams whose row changes, by their new rank, or an empty list if it is not a team event."""
    if not (isinstance(before, Tournament) and isinstance(after, Tournament) and is_team_event(before)):
        return []
    former = {row.id: row for row in add_team_encounters(team_standings(before)).teams}
    rows = [TeamChange(former.get(row.id), row) for row in add_team_encounters(team_standings(after)).teams]
    return [one for one in rows if one.before is None or _facts(one.before) != _facts(one.after)]


def _facts(row: TeamRowAnswer) -> TeamRowAnswer:
    """Return a team's row for a comparison: without details of direct encounters, whose outcome is in ``tb`` too."""
    return replace(row, encounters=UNSET)


@dataclass(frozen=True, slots=True)
class Preview:
    """The consequences of a command that is decided at event ``seq``.

    ``events``: its official events and those that follow automatically. ``lines``: its events on the score sheet.
    ``digest``: a digest of the command's own decision. ``table``: the rows of the standings that would change, or None
    before standings exist. ``outdated``: pairings and tables that it would contradict.
    """

    seq: int
    events: tuple[Event, ...]
    lines: tuple[SheetLine, ...]
    digest: str
    table: DifferenceAnswer | None
    outdated: tuple[OutdatedBasis, ...] = ()


def table_change(before: TournamentState, after: TournamentState) -> DifferenceAnswer | None:
    """Return the rows of the standings that change between two states, or None if one state has no standings yet."""
    if not isinstance(before, Tournament) or not isinstance(after, Tournament):
        return None
    table = standings(before)
    return diff(table, standings(after) if before.regulations != after.regulations else update_table(table, after))
