"""The table of teams: by match points, or by the sum of their members' places, then by tie-breaks in turn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from services.standings.rules.answers import TeamRowAnswer, TeamTableAnswer
from services.standings.rules.records import Field
from services.standings.rules.table.initial_order import is_annulled, leading_rank, side_keys
from services.standings.rules.table.order import shares_met, shares_punished
from services.standings.rules.table.table import EDITIONS, Table, numbers_of, standings
from services.standings.rules.teams.member_places import PLACE_TIEBREAKS, PLACES
from services.standings.rules.teams.records import TeamField, team_field
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.registry import ALL_MET_CODE
from services.standings.rules.tiebreaks.tiebreak import Edition, GroupTieBreak, TieBreaks
from services.standings.rules.tiebreaks.value import Value, number, points_number
from shared.core.readings.team_scoring import annulled_table
from shared.core.rounds.matches import teams_meet
from shared.core.rulebook.ranking_rules import PARTING, PUNISHED, Ranked
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team's row. ``values``: by tie-break code, in ranking order."""

    team: int
    rank: int
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class TeamTable:
    """Teams after ``rounds`` paired rounds, by rank, and within a rank by number.

    ``tiebreaks`` rank after match points (队员总分: after the sum of places) by the C.07 edition ``rules``. ``seq`` is the
    last event replayed. The table was computed from ``field``; for 队员总分 from ``players``, the table of the single
    players.
    """

    tournament: Tournament
    rounds: int
    tiebreaks: tuple[str, ...]
    rules: Edition
    rows: tuple[TeamRow, ...]
    field: TeamField | None
    players: Table | None

    @property
    def seq(self) -> int:
        return self.tournament.seq

    def row(self, team: int) -> TeamRow | None:
        """Return the row of a team, or None if the team does not exist."""
        return next((r for r in self.rows if r.team == team), None)


def _ranking_kind(t: Tournament) -> Ranked:
    return "teams" if teams_meet(t) else "members"


def is_team_event(t: Tournament) -> bool:
    """Return whether the tournament is a team event, so that there are team standings."""
    return t.announced is not None and t.announced.conditions.team is not None


def tiebreaks_of(t: Tournament) -> TieBreaks[Any]:
    """Return all tie-breaks that can rank the teams of this event.

    They are those for team matches if teams meet, else those for teams ranked by the places of their members.
    """
    return TEAM_TIEBREAKS if teams_meet(t) else PLACE_TIEBREAKS


def unknown_names(t: Tournament, names: Sequence[str]) -> list[str]:
    """Return the names that are not tie-breaks of this event's teams or are listed twice."""
    return tiebreaks_of(t).invalid_codes(names)


def default_tiebreaks(t: Tournament) -> tuple[str, ...]:
    """Return the announced tie-breaks, else those of the regulations for teams of this kind and format.

    If the regulations have no order for teams, it is that of single players, without tie-breaks that teams do not have.
    """
    announced = t.announced.tiebreaks if teams_meet(t) else ()
    order = t.regulations.ranking.order(t.announced.format, _ranking_kind(t))
    unknown = unknown_names(t, order)
    return announced or tuple(name for name in order if name not in unknown)


def team_standings(
    t: Tournament, tiebreaks: tuple[str, ...] | None = None, *, rules: str | None = None, after_round: int | None = None
) -> TeamTable:
    """Return the table of all teams of a team event.

    ``tiebreaks``, ``rules`` and ``after_round`` default to the tournament's own order, the regulations' C.07 edition and
    all rounds. Punishments of members rank first and a play-off last if the regulations say so (002-X 18.4, 15.6).
    Raises ValueError for an unknown or repeated tie-break, or an unknown edition.
    """
    assert is_team_event(t), "only teams have such a table"
    chosen = default_tiebreaks(t) if tiebreaks is None else tiebreaks
    names = t.regulations.tiebreaks_in_force(chosen, t.announced.format, _ranking_kind(t))
    edition = rules or t.regulations.ranking.rules
    wrong = unknown_names(t, names)
    if wrong or edition not in EDITIONS:
        raise ValueError(f"{', '.join(wrong) or edition} is not a known tie-break or edition, or is repeated")
    return (_rank_by_matches if teams_meet(t) else _rank_by_places)(t, names, edition, after_round)


def _rank_by_matches(t: Tournament, names: tuple[str, ...], edition: Edition, after_round: int | None) -> TeamTable:
    field = team_field(t, after_round)
    values: dict[PlayerId, dict[str, Value]] = {PlayerId(team): {} for team in t.teams}

    def compute(group: Sequence[PlayerId], name: str) -> dict[PlayerId, Value]:
        tiebreak = TEAM_TIEBREAKS[name]
        if isinstance(tiebreak, GroupTieBreak):
            return tiebreak.compute(field.table_field(group[0]), group)
        return {team: tiebreak.compute(field.table_field(team), team, edition) for team in group}

    groups = _rank(_initial_groups(t, field), names, values, compute, field.players)
    return TeamTable(
        t,
        field.players.last,
        names,
        edition,
        _rows(groups, values, leading_rank(field.players, len(groups[0]) if groups else 0)),
        field,
        None,
    )


def _rank_by_places(t: Tournament, names: tuple[str, ...], edition: Edition, after_round: int | None) -> TeamTable:
    players = standings(t, None if not t.announced else t.announced.tiebreaks or None, rules=edition,
                        after_round=after_round)  # fmt: skip
    values: dict[PlayerId, dict[str, Value]] = {PlayerId(team): {} for team in t.teams}

    def compute(group: Sequence[PlayerId], name: str) -> dict[PlayerId, Value]:
        of_place = PLACE_TIEBREAKS.single(name)
        assert of_place is not None, "each team has a value of its own"
        return {team: of_place(players, team, edition) for team in group}

    order = (PLACES, *(n for n in names if n != PLACES))
    groups = _rank([list(values)], order, values, compute, players.field)
    return TeamTable(t, players.rounds, names, edition, _rows(groups, values), None, players)


def _initial_groups(t: Tournament, field: TeamField) -> list[list[PlayerId]]:
    """Return the teams in groups that are equal before any tie-break, the best group first.

    They are ordered by stage, group or place in a bracket, then by match points (002-X 11.3).
    """
    keys = side_keys(field.players, field.match.own)
    by_key: dict[tuple[bool, int, int, int], list[PlayerId]] = {}
    last = t.regulations.leaving.annulled_place == "last"
    for team, points in field.match.own.items():
        left = last and is_annulled(annulled_table(t, team), 1)
        key = (left, *(keys.get(team) or (0, 0, -points)))
        by_key.setdefault(key, []).append(team)
    return [sorted(by_key[key]) for key in sorted(by_key)]


def _rank(
    groups: list[list[PlayerId]],
    names: Sequence[str],
    values: dict[PlayerId, dict[str, Value]],
    compute: Callable[[Sequence[PlayerId], str], dict[PlayerId, Value]],
    field: Field,
) -> list[list[PlayerId]]:
    """Split groups of equal teams by each tie-break, the best first, and store every value in ``values``.

    ``compute``: returns the values of a group for a code. Teams that share their place by the regulations are separated
    only by a play-off or lots.
    """
    sharing: set[PlayerId] = set()
    for name in names:
        split = []
        for group in groups:
            of_group = compute(group, name)
            by_key: dict[tuple[int, int | Fraction], list[PlayerId]] = {}
            for team in group:
                values[team][name] = of_group[team]
                parts_nobody = team in sharing and name not in PARTING
                by_key.setdefault((0, 0) if parts_nobody else of_group[team].key, []).append(team)
            for key in sorted(by_key):
                part = by_key[key]
                split.append(part)
                if _shares(field, names, name, values[part[0]]):
                    sharing.update(part)
        groups = split
    return groups


def _shares(field: Field, names: Sequence[str], name: str, values: Mapping[str, Value]) -> bool:
    """Return whether teams that the tie-break ``name`` leaves equal share their place by the regulations (`order`)."""
    if name == PUNISHED[-1]:
        order = tuple(n for n in names if n != PLACES)
        return shares_punished(field, order, tuple(values[n].key for n in order if n in values))
    return name == ALL_MET_CODE and shares_met(field, values[name])


def _rows(
    groups: list[list[PlayerId]], values: Mapping[PlayerId, Mapping[str, Value]], first: int = 1
) -> tuple[TeamRow, ...]:
    """Return the rows of the table. ``groups``: the teams that share a rank. ``first``: the rank of the first group."""
    rows, before = list[TeamRow](), 0
    for group in groups:
        rows += [TeamRow(team, before + 1 if before else first, values[team]) for team in sorted(group)]
        before += len(group)
    return tuple(rows)


def team_name(t: Tournament, team: int, names: Mapping[str, str] | None) -> str | None:
    """Return a team's name, or None if its text is unavailable. ``names`` are by text hash."""
    return (names or {}).get(t.teams[team].name.text)


def points_of(table: TeamTable, row: TeamRow) -> dict[str, Any]:
    """Return the members of an API answer for a team's score: ``points`` and ``game_points``, or the sum of ``places``."""
    if table.field is None:
        return {"places": number(row.values[PLACES].quarters or 0)}
    record = table.field.records[row.team]
    return {"points": points_number(record.match_points), "game_points": points_number(record.game_points)}


def team_table_answer(table: TeamTable, names: Mapping[str, str] | None = None) -> TeamTableAnswer:
    """Return the team standings as an API answer. ``names``: by text hash; a team's name that is missing there is None."""
    t = table.tournament
    teams = [
        TeamRowAnswer(
            id=row.team,
            rank=row.rank,
            name=team_name(t, row.team, names),
            **points_of(table, row),
            members=t.teams[row.team].members,
            tb=numbers_of(row.values),
        )
        for row in table.rows
    ]
    return TeamTableAnswer(tournament=t.id, seq=table.seq, rounds=table.rounds, tiebreaks=table.tiebreaks, teams=teams)
