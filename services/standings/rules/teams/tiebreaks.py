"""The tie-breaks of teams: FIDE's (C.07 11-13) and those of 002-X 15, a row each.

``:MP`` and ``:GP`` say which score is meant; without one it is the first, match points. Of single games, ``WIN:GP``
counts those won by all of a team's players, 全队胜局. A table of teams is made anew at every line, so none of them
says what it depends on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.standings.rules.table.records import Field
from services.standings.rules.teams.board_tiebreaks import board_count, bottom_boards, extended_encounter, top_boards
from services.standings.rules.teams.records import TeamField
from services.standings.rules.tiebreaks import conduct, direct_encounter
from services.standings.rules.tiebreaks.buchholz import sonneborn_berger
from services.standings.rules.tiebreaks.registry import ALL_MET_CODE
from services.standings.rules.tiebreaks.registry import TIEBREAKS as OF_PLAYERS
from services.standings.rules.tiebreaks.tiebreak import Compute, Edition, GroupTieBreak, TieBreak, TieBreaks
from services.standings.rules.tiebreaks.value import Value
from shared.core.ranking_rules import LOTS_CODE, PLAY_OFF_CODE
from shared.core.terms import PlayerId

Row = TieBreak[TeamField] | GroupTieBreak[TeamField]

_SCORES = {"MP": "match points 场分", "GP": "game points 局分"}


@dataclass(frozen=True, slots=True)
class GamesTieBreak(TieBreak[TeamField]):
    """A tie-break whose parts are single games of a team's players; those of all others are matches."""


def _on(score: str, code: str) -> Compute[TeamField]:
    """A player's tie-break on the teams' match points or game points."""
    compute = OF_PLAYERS.single[code].compute

    def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
        return compute(field.match if score == "MP" else field.game, team, edition)

    return of


def _of_games(code: str) -> Compute[TeamField]:
    """A player's tie-break on the single games of a team's players."""
    compute = OF_PLAYERS.single[code].compute

    def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
        return compute(field.games, team, edition)

    return of


def _forms(code: str, title: str | None = None, games: str | None = None) -> Iterator[Row]:
    """A player's tie-break on match points, by its own code and as ``:MP``, and as ``:GP`` on game points.

    ``games``: what ``:GP`` is called where it counts single games instead.
    """
    base, cut, modifier = code.partition("/")
    of_players = OF_PLAYERS.titles[code]
    yield TieBreak(code, title or of_players, _on("MP", code))
    yield TieBreak(f"{base}:MP{cut}{modifier}", f"{of_players}, {_SCORES['MP']}", _on("MP", code))
    if games is None:
        yield TieBreak(f"{base}:GP{cut}{modifier}", f"{of_players}, {_SCORES['GP']}", _on("GP", code))
    else:
        yield GamesTieBreak(f"{base}:GP{cut}{modifier}", games, _of_games(code))


def _extended_rows(code: str, totals: str, rounds: str) -> Iterator[Row]:
    """Extended Sonneborn-Berger (C.07 13.2): the opponent's total in one score, times what was made in the other."""

    def cut(lowest: int) -> Compute[TeamField]:
        compute = sonneborn_berger(lowest)

        def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
            scores = {"MP": field.match, "GP": field.game}
            return compute(field.mixed(scores[totals], scores[rounds]), team, edition)

        return of

    title = f"Extended Sonneborn-Berger, opponents’ {_SCORES[totals]} times own {_SCORES[rounds]}"
    yield TieBreak(code, title, cut(0))
    yield TieBreak(f"{code}/C1", f"{title}, lowest cut", cut(1))


def _ratings(code: str) -> Row:
    return GamesTieBreak(code, OF_PLAYERS.titles[code], _of_games(code))


def _match_encounter(field: TeamField, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    return direct_encounter.direct_encounter(field.match, tied)


def _game_encounter(field: TeamField, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    return direct_encounter.direct_encounter(field.game, tied)


def _met_all(field: TeamField, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    return direct_encounter.met_all(field.match, tied)


def _play_off(field: TeamField, tied: Sequence[PlayerId]) -> dict[PlayerId, Value]:
    return direct_encounter.play_off(field.match, tied)


def _of_members(compute: Compute[Field]) -> Compute[TeamField]:
    """A tie-break of conduct over all members of a team, as 全队犯规 (002-X 15.3-15.5)."""

    def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
        return conduct.of_all(compute, field.players, field.tournament.teams[team].members, edition)

    return of


TEAM_TIEBREAKS: TieBreaks[TeamField] = TieBreaks(
    (
        TieBreak("PTS", "Match points 场分", _on("MP", "PTS")),
        TieBreak("MPTS", "Match points 场分", _on("MP", "PTS")),
        TieBreak("GPTS", "Game points 全队总局分", _on("GP", "PTS")),
        TieBreak("MPvGP", "Game points, where match points rank", _on("GP", "PTS")),
        *_forms("PS"),
        *_forms("PS/C1"),
        *_forms("KS"),
        *_forms("BH", "Opponents’ match points 团体对手分"),
        *_forms("BH/C1"),
        *_forms("BH/C2"),
        *_forms("BH/M1"),
        *_forms("BH/M2"),
        *_forms("FB"),
        *_forms("SB"),
        *_forms("SB/C1"),
        *_forms("WIN", "Matches won 全队胜场", games="Games won 全队胜局"),
        *_forms("WON", games="Games won over the board"),
        *_forms("BPG", games="Games with Black"),
        *_forms("BWG", games="Games won with Black"),
        TieBreak("REP", OF_PLAYERS.titles["REP"], _on("MP", "REP")),
        TieBreak("REP:MP", f"{OF_PLAYERS.titles['REP']}, {_SCORES['MP']}", _on("MP", "REP")),
        *_extended_rows("EMMSB", "MP", "MP"),
        *_extended_rows("EMGSB", "MP", "GP"),
        *_extended_rows("EGMSB", "GP", "MP"),
        *_extended_rows("EGGSB", "GP", "GP"),
        _ratings("ARO"),
        _ratings("ARO/C1"),
        _ratings("TPR"),
        _ratings("PTP"),
        TieBreak("BC", "Board count", board_count),
        GroupTieBreak("TBR", "Top board results", top_boards),
        GroupTieBreak("BBE", "Bottom board elimination", bottom_boards),
        GroupTieBreak("DE", "Direct encounter 直胜", _match_encounter),
        GroupTieBreak("DE:MP", f"Direct encounter, {_SCORES['MP']}", _match_encounter),
        GroupTieBreak("DE:GP", f"Direct encounter, {_SCORES['GP']}", _game_encounter),
        GroupTieBreak(ALL_MET_CODE, "Direct encounter 直胜, all met", _met_all),
        GroupTieBreak("EDE", "Extended direct encounter", extended_encounter),
        GroupTieBreak(PLAY_OFF_CODE, "Play-off 加赛", _play_off),
        GroupTieBreak(LOTS_CODE, "Lots 抽签", lambda field, tied: direct_encounter.lots(field.tournament, tied)),
        TieBreak("FOULS", "Team’s fouls 全队犯规", _of_members(conduct.fouls)),
        TieBreak("WARNED", "Members’ warnings 警告", _of_members(conduct.warnings)),
        TieBreak("BARRED", "Members’ disqualifications 取消资格", _of_members(conduct.disqualifications)),
    )
)
