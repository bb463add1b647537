"""The tie-breaks of teams, one row each: FIDE's (C.07 11-13) and those of 002-X 15.

``:MP`` and ``:GP`` select the score; the default is the first, match points. On single games, ``WIN:GP`` counts those
won by all of a team's players, 全队胜局. A table of teams is recomputed after every event, so no row declares its
dependences.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from services.standings.rules.records import Field
from services.standings.rules.teams.board_tiebreaks import board_count, bottom_boards, extended_encounter, top_boards
from services.standings.rules.teams.records import TeamField
from services.standings.rules.tiebreaks import conduct, direct_encounter
from services.standings.rules.tiebreaks.buchholz import buchholz, sonneborn_berger
from services.standings.rules.tiebreaks.code import SCORES, Code
from services.standings.rules.tiebreaks.registry import ALL_MET_CODE, apply_modifiers
from services.standings.rules.tiebreaks.registry import TIEBREAKS as OF_PLAYERS
from services.standings.rules.tiebreaks.tiebreak import (
    Compute,
    Dependence,
    Edition,
    GroupCompute,
    Grouped,
    Single,
    TieBreaks,
)
from services.standings.rules.tiebreaks.value import Part, Quarters, Value
from shared.core.language.messages import Message, say
from shared.core.rulebook.ranking_rules import LOTS_CODE, PLAY_OFF_CODE
from shared.core.terms import PlayerId

_BUCHHOLZ = buchholz()


def score_and_strength(code: Code) -> Compute[TeamField]:
    """Return a tie-break of teams: game points, plus the Buchholz on match points divided by a factor (C.07 13.4).

    The factor is that of the code (/K), or by default `strength_factor`.
    """

    def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
        factor = code.factor or strength_factor(field)
        own = [Part(r.round, r.opponent, Quarters(2 * r.points)) for r in field.game.scores[team].rounds]
        strength = [
            part._replace(quarters=Fraction(part.quarters, factor))
            for part in _BUCHHOLZ(apply_modifiers(field.match, code), team, edition).parts
        ]
        parts = tuple(sorted((*own, *strength), key=lambda p: p.round))
        return Value(Fraction(sum(p.quarters for p in parts)), parts)

    return of


def strength_factor(field: TeamField) -> int:
    """Return the highest possible match points divided by the highest game points of a match, rounded down, at least 1.

    It is the factor of C.07 13.4.2.
    """
    return max(field.match.points.win * field.rounds // field.game.points.win, 1)


Make = Callable[[Code], Compute[TeamField]]

_OF_PLAYERS = {row.base: row for row in OF_PLAYERS.rows}


def _score_field(field: TeamField, code: Code) -> Field:
    """Return the field of the score that a code selects, by default match points."""
    return field.game if code.score == "GP" else field.match


def _compute_on_matches(base: str, score: str = "") -> Make:
    """Return a factory of a team tie-break: the player tie-break ``base``, applied to the matches of teams.

    They count in match points or game points: as the code says, or always in ``score`` if it is given.
    """

    def make(code: Code) -> Compute[TeamField]:
        compute = _player_compute(base, code)
        asked = code._replace(score=score or code.score)
        return lambda field, team, edition: compute(_score_field(field, asked), team, edition)

    return make


def _compute_on_games(base: str) -> Make:
    """Return a factory of a team tie-break: the player tie-break ``base``, applied to all single games of a team's players."""

    def make(code: Code) -> Compute[TeamField]:
        compute = _player_compute(base, code)
        return lambda field, team, edition: compute(field.games, team, edition)

    return make


def _player_compute(base: str, code: Code) -> Compute[Field]:
    row = _OF_PLAYERS[base]
    assert isinstance(row, Single), "one that gives each player a value"
    compute: Compute[Field] = row.make(code._replace(base=base, score=""))
    return compute


def _ends(ends: Sequence[str], scores: Sequence[str] = SCORES) -> tuple[str, ...]:
    """Return the code endings that lists offer: each of ``ends`` alone, and after each score such as ``:MP``."""
    return tuple(f"{score}{end}" for end in ends for score in ("", *(f":{s}" for s in scores)))


def _row_on_scores(base: str, title: Message | None = None, ends: Sequence[str] = ("",)) -> Single[TeamField]:
    """Return the team tie-break that computes the player tie-break ``base`` from the teams' match points or game points."""
    row = _OF_PLAYERS[base]
    return Single(base, title or row.title, row.article, row.counts, row.modifiers, SCORES, _ends(ends),
                  make=_compute_on_matches(base))  # fmt: skip


def _row_on_matches_or_games(base: str, title: Message | None = None) -> Single[TeamField]:
    """Return the team tie-break that computes the player tie-break ``base`` from matches, or with ``:GP`` from single games."""
    row, matches, games = _OF_PLAYERS[base], _compute_on_matches(base), _compute_on_games(base)

    def make(code: Code) -> Compute[TeamField]:
        return (games if code.score == "GP" else matches)(code)

    return Single(base, title or row.title, row.article, row.counts, row.modifiers, SCORES, _ends(("",)),
                  of_games=lambda code: code.score == "GP", make=make)  # fmt: skip


def _row_on_matches(base: str) -> Single[TeamField]:
    row = _OF_PLAYERS[base]
    return Single(base, row.title, row.article, row.counts, row.modifiers, ("MP",), _ends(("",), ("MP",)),
                  make=_compute_on_matches(base))  # fmt: skip


def _ratings(base: str) -> Single[TeamField]:
    row = _OF_PLAYERS[base]
    return Single(base, row.title, row.article, row.counts, row.modifiers, (), row.listed,
                  of_games=lambda code: True, make=_compute_on_games(base))  # fmt: skip


def _extended_row(base: str, totals: str, rounds: str, title: Message) -> Single[TeamField]:
    """Return the row of an extended Sonneborn-Berger (C.07 13.2).

    It is the sum, over the opponents, of the opponent's total in the score ``totals`` times the own points made against
    it in the score ``rounds``. Scores: ``MP`` match points, ``GP`` game points.
    """

    def make(code: Code) -> Compute[TeamField]:
        compute = sonneborn_berger(code.cut)

        def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
            scores = {"MP": field.match, "GP": field.game}
            return compute(apply_modifiers(field.mix(scores[totals], scores[rounds]), code), team, edition)

        return of

    counts = say("sum of the opponents’ scores, each times the points made against that opponent")
    return Single(base, title, "C.07 13.2", counts, "CP", (), ("", "/C1"), make=make)


def _encounter(code: Code) -> GroupCompute[TeamField]:
    return lambda field, tied: direct_encounter.direct_encounter(apply_modifiers(_score_field(field, code), code), tied)


def _extended_encounter(base: str, boards: str, title: Message) -> Grouped[TeamField]:
    """Return the row of an extended direct encounter.

    ``boards``: how two teams still equal are separated, by the letters of `extended_encounter`.
    """

    def make(code: Code) -> GroupCompute[TeamField]:
        def of(field: TeamField, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
            by_matches = replace(
                field, match=apply_modifiers(field.match, code), game=apply_modifiers(field.game, code)
            )
            return extended_encounter(by_matches, tied, boards)

        return of

    counts = say("places by the match points, then the game points, that those who are tied made against each other")
    return Grouped(base, title, "C.07 13.3", counts, "P", (), ("", "/P"), encounter="extended", make=make)


def _team_number(code: Code) -> Compute[TeamField]:
    def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
        quarters = Quarters(4 * team)
        return Value(quarters, (Part(0, PlayerId(0), quarters, origin="own"),), less=not code.reverse)

    return of


def _compute_over_members(base: str) -> Make:
    """Return a factory of a team tie-break: the player tie-break ``base``, summed over all members (002-X 15.3-15.5)."""

    def make(code: Code) -> Compute[TeamField]:
        compute = _player_compute(base, code)

        def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
            return conduct.sum_over_players(compute, field.players, field.tournament.teams[team].members, edition)

        return of

    return make


_MUTUAL = _OF_PLAYERS["DE"].counts
_NUMBER = _OF_PLAYERS["TPN"].counts

TEAM_TIEBREAKS: TieBreaks[TeamField] = TieBreaks(
    (
        Single("PTS", say("Match points 场分"), "C.07 11", say("the points themselves"), make=_compute_on_matches("PTS", "MP")),
        Single("MPTS", say("Match points 场分"), "C.07 11", say("the points themselves"), make=_compute_on_matches("PTS", "MP")),
        Single("GPTS", say("Game points 全队总局分"), "C.07 11", say("the points themselves"),
               make=_compute_on_matches("PTS", "GP")),
        Single("MPvGP", say("Game points, where match points rank"), "C.07 13.1", say("the points themselves"),
               make=_compute_on_matches("PTS", "GP")),
        _row_on_scores("PS", ends=("", "/C1")),
        _row_on_scores("KS"),
        _row_on_scores("BH", say("Opponents’ match points 团体对手分"), ("", "/C1", "/C2", "/M1", "/M2")),
        _row_on_scores("AOB"),
        _row_on_scores("FB"),
        _row_on_scores("SB", ends=("", "/C1")),
        _row_on_matches_or_games("WIN", say("Matches won 全队胜场")),
        _row_on_matches_or_games("WON"),
        _row_on_matches_or_games("BPG"),
        _row_on_matches_or_games("BWG"),
        _row_on_matches("REP"),
        _row_on_matches("GE"),
        _row_on_scores("STD"),
        Single("TPN", _OF_PLAYERS["TPN"].title, "C.07 7.8", _NUMBER, "R", make=_team_number),
        Single("SNO", _OF_PLAYERS["SNO"].title, "C.07 7.8", _NUMBER, "R", make=_team_number),
        _extended_row("EMMSB", "MP", "MP",
                  say("Extended Sonneborn-Berger, opponents’ match points 场分 times own match points 场分")),
        _extended_row("EMGSB", "MP", "GP",
                  say("Extended Sonneborn-Berger, opponents’ match points 场分 times own game points 局分")),
        _extended_row("EGMSB", "GP", "MP",
                  say("Extended Sonneborn-Berger, opponents’ game points 局分 times own match points 场分")),
        _extended_row("EGGSB", "GP", "GP",
                  say("Extended Sonneborn-Berger, opponents’ game points 局分 times own game points 局分")),
        Single("SSSC", say("Score and strength of schedule"), "C.07 13.4",
               say("game points, and the sum of the opponents’ match points divided by a factor"), "FPK",
               listed=("", "/F"), make=score_and_strength),
        _ratings("ARO"),
        _ratings("TPR"),
        _ratings("PTP"),
        Single("BC", say("Board count"), "C.07 12.1",
               say("sum over the boards of the board’s number times the points made there; less is better"),
               make=lambda code: board_count),
        Grouped("TBR", say("Top board results"), "C.07 12.2", say("places by the points on the first board; if equal, the next"),
                make=lambda code: top_boards),
        Grouped("BBE", say("Bottom board elimination"), "C.07 12.3",
                say("places by the points made without the last board; if equal, without the last two"),
                make=lambda code: bottom_boards),
        Grouped("DE", say("Direct encounter 直胜"), "C.07 6", _MUTUAL, "P", SCORES, (*_ends(("",)), "/P"),
                encounter="direct", make=_encounter),
        Grouped(ALL_MET_CODE, say("Direct encounter (all met)"), "002-X 15", _OF_PLAYERS[ALL_MET_CODE].counts,
                encounter="direct", make=lambda code: lambda field, tied: direct_encounter.full_encounter(field.match, tied)),
        _extended_encounter("EDE", "", say("Extended direct encounter")),
        _extended_encounter("EDEBT", "CT", say("Extended direct encounter, board count, top boards")),
        _extended_encounter("EDEBB", "CB", say("Extended direct encounter, board count, bottom boards")),
        _extended_encounter("EDET", "T", say("Extended direct encounter, top boards")),
        _extended_encounter("EDEB", "B", say("Extended direct encounter, bottom boards")),
        Grouped(PLAY_OFF_CODE, say("Play-off 加赛"), "002-X 15.6", say("points made in a play-off"),
                make=lambda code: lambda field, tied: direct_encounter.play_off(field.match, tied)),
        Grouped(LOTS_CODE, say("Lots 抽签"), "002-X 15.6", say("place decided by drawing lots"),
                make=lambda code: lambda field, tied: direct_encounter.lots(field.tournament, tied)),
        Single("FOULS", say("Team’s fouls 全队犯规"), "002-X 15", say("number of fouls called; fewer is better"),
               depends_on=Dependence.OWN, make=_compute_over_members("FOULS")),
        Single("WARNED", say("Members’ warnings 警告"), "002-X 18.4", say("number of warnings; fewer is better"),
               depends_on=Dependence.OWN, make=_compute_over_members("WARNED")),
        Single("BARRED", say("Members’ disqualifications 取消资格"), "002-X 18.4",
               say("games lost, bars and expulsions for misconduct; fewer is better"), depends_on=Dependence.OWN,
               make=_compute_over_members("BARRED")),
    )
)  # fmt: skip
