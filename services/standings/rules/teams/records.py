"""The field of teams: each team's matches as rounds, so that the tie-breaks of players also apply to teams.

Three fields contain the same teams. ``match`` counts match points 场分, ``game`` counts game points 局分, both round by
round. ``games`` contains every single game of a team's players, numbered from 1, against their opponents.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as attribute
from functools import cached_property

from services.standings.rules.records import Field, field_of_scores
from services.standings.rules.records import field as field_of
from services.standings.rules.stage_records import ended_tables, is_play_off_round
from shared.core.readings.scoring import RoundScore, Score
from shared.core.readings.team_scoring import BoardScore, TeamRound, TeamScore, board_conditions, team_scores
from shared.core.rounds.stages import is_bracket, rounds_of_a_match, stages_begun
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.regulations import Points, TeamPoints
from shared.core.state.tournament import Tournament
from shared.core.terms import HalfPoints, PlayerId, Seq


@dataclass(frozen=True)
class TeamField:
    """All teams' matches over ``rounds`` rounds of matches. Fields use a team's number in place of a player ID.

    ``players``: the field of the single players. ``played``: each team's games, numbered like `games`. ``play_off``:
    the matches of a play-off, which give no points. ``tables``: for teams that did not advance to a later table, the
    field of the last table they were in, as it ended (002-X 11.3).
    """

    tournament: Tournament
    rounds: int
    players: Field
    records: Mapping[int, TeamScore]
    played: Mapping[int, tuple[BoardScore, ...]]
    match: Field
    game: Field
    play_off: Mapping[int, tuple[TeamRound, ...]]
    tables: Mapping[int, "TeamField"] = attribute(default_factory=dict)

    def table_field(self, team: int) -> "TeamField":
        """Return the teams and results that a team's tie-breaks are computed from.

        For a team that did not advance to a later table, these are those of the last table it was in, as it ended.
        """
        return self.tables.get(team, self)

    def round_of(self, team: int, number: int) -> TeamRound:
        """Return the match of a team in the round of matches ``number``, from 1; those of a play-off follow the others."""
        return (*self.records[team].rounds, *self.play_off[team])[number - 1]

    @cached_property
    def games(self) -> Field:
        """The field of all games of a team's players."""
        scores = {
            _id(team): Score(
                _id(team), tuple(b.score._replace(round=n) for n, b in enumerate(boards, 1)), ()
            )
            for team, boards in self.played.items()
        }  # fmt: skip
        return field_of_scores(self.tournament, self.rounds, self.players.points, self.players.round_robin, scores)

    def mix(self, totals: Field, rounds: Field) -> Field:
        """Return a field with opponents' scores from ``totals`` and the own points of each round from ``rounds`` (C.07 13.2)."""
        return replace(totals, scores=rounds.scores)

    # ------------------------------------------------------------ provenance

    def round_events(self, r: TeamRound) -> set[Seq]:
        """Return the events that a match's points come from."""
        lines = set(r.paired)
        for board in r.boards:
            lines |= self.players.round_events(board.score)
        return lines

    def record_events(self, team: int) -> set[Seq]:
        """Return the events that a team's score comes from, including its entry."""
        lines = {self.tournament.teams[team].seq}
        for r in self.records[team].rounds:
            lines |= self.round_events(r)
        return lines


def team_field(t: Tournament, after_round: int | None = None) -> TeamField:
    """Return all teams' matches over the first ``after_round`` paired rounds (None: all). Not possible for 队员总分."""
    conditions = board_conditions(t)
    assert conditions is not None and t.regulations.teams is not None
    players = field_of(t, after_round)
    records = team_scores(t, players.rounds)
    if t.regulations.stages or FORMATS[t.announced.format].finals:
        records = _keep_last_stage(t, records, players.last)
    rounds = max((len(r.rounds) for r in records.values()), default=0)
    games = conditions.boards * rounds_of_a_match(t, t.regulations.stages[0].name if t.regulations.stages else "")
    full, half = (HalfPoints(points * games) for points in (t.regulations.points.win, t.regulations.points.draw))
    by_match = _fields(t, records, rounds, players.round_robin, _match_points(t.regulations.teams), game=False)
    by_game = _fields(
        t, records, rounds, players.round_robin, _game_points(t.regulations.points, full, half), game=True
    )
    after = {team: record.rounds[rounds:] for team, record in team_scores(t, players.last).items()}
    extra = {
        _id(team): tuple(_round(r, True, False) for r in rs if _is_play_off_match(t, r)) for team, rs in after.items()
    }
    played = {team: tuple(b for r in record.rounds if r.counted for b in r.boards) for team, record in records.items()}
    made = TeamField(t, rounds, players, records, played, replace(by_match, parting=extra), by_game, after)
    return replace(made, tables=_tables_left(made))


def _tables_left(made: TeamField) -> dict[int, TeamField]:
    """Return the field of the last table of each team that did not advance to a later table (`TeamField.tables`).

    A play-off and the rulings on members are those of the whole event.
    """
    tables: dict[int, TeamField] = {}
    for round, left in ended_tables(made.tournament, made.players.last, made.tournament.teams):
        table = team_field(made.tournament, round)
        match = replace(table.match, parting=made.match.parting)
        table = replace(table, players=made.players, match=match, play_off=made.play_off, tables={})
        tables |= dict.fromkeys(left, table)
    return tables


def _keep_last_stage(t: Tournament, records: Mapping[int, TeamScore], last: int) -> dict[int, TeamScore]:
    """Return the teams' records in which only matches of the last stage they reached, and carried-over ones, count.

    ``last``: stages begun by this round are considered, except brackets (002-X 11.3).
    """
    by_team = dict(records)
    for stage in (stage for stage in stages_begun(t, last)[1:] if not is_bracket(t, stage)):
        before = max((len(r.rounds) for r in team_scores(t, stage.first - 1).values()), default=0)
        for group in stage.groups:
            carried = group if t.announced.conditions.carried else ()
            for team in group:
                rounds = by_team[team].rounds
                counts = [r.number > before or r.opponent in carried for r in rounds]
                own = tuple(r if c else r._replace(match_points=HalfPoints(0), game_points=HalfPoints(0), counted=False)
                             for r, c in zip(rounds, counts, strict=True))  # fmt: skip
                by_team[team] = TeamScore(team, own)
    return by_team


def _is_play_off_match(t: Tournament, r: TeamRound) -> bool:
    """Return whether a team's match ``r``, played after the ordinary rounds, belongs to a play-off."""
    return r.match != 0 and any(is_play_off_round(t, board.score.round) for board in r.boards)


def _match_points(p: TeamPoints) -> Points:
    return Points(p.win, p.draw, p.loss, p.bye, p.win, p.draw, HalfPoints(0))


def _game_points(p: Points, full: HalfPoints, half: HalfPoints) -> Points:
    """Return the game points of whole matches: ``full`` for a win on all boards, ``half`` for a draw on all, 0 for a loss."""
    return Points(full, half, HalfPoints(0), full, full, half, HalfPoints(0))


def _fields(
    t: Tournament, records: Mapping[int, TeamScore], rounds: int, round_robin: bool, points: Points, *, game: bool
) -> Field:
    scores = {
        _id(team): Score(_id(team), tuple(_round(r, round_robin, game) for r in record.rounds), ())
        for team, record in records.items()
    }
    return field_of_scores(t, rounds, points, round_robin, scores)


def _round(r: TeamRound, round_robin: bool, game: bool) -> RoundScore:
    """Return a team's match as a round of one competitor, with its match points, or with its game points if ``game``.

    In a Swiss, a match won by forfeit is a full-point bye in both scores (C.07 16.2.2).
    """
    worth = r.game_points if game else r.match_points
    kind, bye = r.kind, {"bye": "U", "none": "Z"}.get(r.kind)
    if kind == "forfeit" and r.match_points and not round_robin:
        kind, bye = "bye", "F"
    return RoundScore(r.number, kind, worth, _id(r.opponent), r.side, bye, counted=r.counted)  # type: ignore[arg-type]


def _id(team: int) -> PlayerId:
    return PlayerId(team)
