"""The tie-breaks of teams: FIDE's names (C.07 11-13) and those of 002-X 15, each with its calculation.

``:MP`` and ``:GP`` say which score is meant; without one it is the first, match points. Of single games, ``WIN:GP``
counts those won by all of a team's players, 全队胜局.
"""

from collections.abc import Callable, Iterable, Sequence

from services.standings.rules.teams.board_tiebreaks import board_count, bottom_boards, extended_encounter, top_boards
from services.standings.rules.teams.records import TeamField
from services.standings.rules.tiebreaks import conduct
from services.standings.rules.tiebreaks import direct_encounter as encounter
from services.standings.rules.tiebreaks import registry as tiebreaks
from services.standings.rules.tiebreaks.buchholz import Edition, sonneborn_berger
from services.standings.rules.tiebreaks.registry import BY_RATING, TITLES, reckoning
from services.standings.rules.tiebreaks.value import Value
from shared.core.terms import PlayerId
from shared.core.tiebreak_names import COUNTS, SUMS, TEAM_TIEBREAKS, on

Calculation = Callable[[TeamField, PlayerId, Edition], Value]
Grouped = Callable[[TeamField, Sequence[PlayerId]], dict[PlayerId, Value]]

_EXTENDED = {"EMMSB": "mm", "EMGSB": "mg", "EGMSB": "gm", "EGGSB": "gg"}


def _on(score: str, name: str) -> Calculation:
    """A player's tie-break on the teams' match points or game points."""

    def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
        scores = field.match if score == "MP" else field.game
        return reckoning(scores, name, edition, None)(team)

    return of


def _of_games(name: str) -> Calculation:
    """A player's tie-break on the single games of a team's players."""

    def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
        return reckoning(field.games, name, edition, None)(team)

    return of


def _extended(scores: str, cut: int = 0) -> Calculation:
    """Extended Sonneborn-Berger (C.07 13.2): the opponent's total in one score, times what was made in the other."""

    def of(field: TeamField, team: PlayerId, edition: Edition) -> Value:
        totals, rounds = (field.match if s == "m" else field.game for s in scores)
        return sonneborn_berger(cut)(field.mixed(totals, rounds), team, edition)

    return of


def fouls(field: TeamField, team: PlayerId, edition: Edition) -> Value:
    """全队犯规: fouls called on the members; fewer are better (002-X 15.3-15.5)."""
    return conduct.fouls_of_all(field.players, field.tournament.teams[team].members, edition)


VALUES: dict[str, Calculation] = {
    "PTS": _on("MP", "PTS"),
    "MPTS": _on("MP", "PTS"),
    "GPTS": _on("GP", "PTS"),
    "MPvGP": _on("GP", "PTS"),
    **{told: _on("MP", name) for name in (*SUMS, *COUNTS, "REP") for told in (name, on(name, "MP"))},
    **{on(name, "GP"): _on("GP", name) for name in SUMS},
    **{on(name, "GP"): _of_games(name) for name in COUNTS},
    **{name: _extended(scores) for name, scores in _EXTENDED.items()},
    **{f"{name}/C1": _extended(scores, 1) for name, scores in _EXTENDED.items()},
    **{name: _of_games(name) for name in BY_RATING},
    "BC": board_count,
    "FOULS": fouls,
}
"""From a team's matches, and from rulings on its members."""

GROUPED: dict[str, Grouped] = {
    "DE": lambda field, tied: encounter.direct_encounter(field.match, tied),
    "DE:MP": lambda field, tied: encounter.direct_encounter(field.match, tied),
    "DE:GP": lambda field, tied: encounter.direct_encounter(field.game, tied),
    "DE/A": lambda field, tied: encounter.met_all(field.match, tied),
    "EDE": extended_encounter,
    "PO": lambda field, tied: encounter.play_off(field.match, tied),
    "TBR": top_boards,
    "BBE": bottom_boards,
}
"""Those that depend on who is tied."""

OF_GAMES = frozenset((*(on(name, "GP") for name in COUNTS), *BY_RATING))
"""Values whose parts are single games of a team's players; those of all others are matches."""

_SCORES = {"MP": "match points 场分", "GP": "game points 局分"}
_TITLES = {
    "PTS": "Match points 场分", "MPTS": "Match points 场分", "GPTS": "Game points 全队总局分",
    "MPvGP": "Game points, where match points rank", "WIN": "Matches won 全队胜场", "WIN:GP": "Games won 全队胜局",
    "WON:GP": "Games won over the board", "BPG:GP": "Games with Black", "BWG:GP": "Games won with Black",
    "BH": "Opponents’ match points 团体对手分", "EDE": "Extended direct encounter", "BC": "Board count",
    "TBR": "Top board results", "BBE": "Bottom board elimination", "FOULS": "Team’s fouls 全队犯规",
    "DE": "Direct encounter 直胜", "DE/A": "Direct encounter 直胜, all met",
}  # fmt: skip


def title(name: str) -> str:
    """What a tie-break is called in words."""
    if name in _TITLES:
        return _TITLES[name]
    base, _, modifier = name.partition("/")
    if base in _EXTENDED:
        own, other = (("MP", "GP")["mg".index(s)] for s in _EXTENDED[base])
        told = f"Extended Sonneborn-Berger, opponents’ {_SCORES[own]} times own {_SCORES[other]}"
        return told + (", lowest cut" if modifier else "")
    plain, _, score = base.partition(":")
    told = TITLES[f"{plain}/{modifier}" if modifier else plain]
    return f"{told}, {_SCORES[score]}" if score else told


def unknown(names: Iterable[str]) -> list[str]:
    """Those that are no tie-break of teams, or stand there a second time."""
    return tiebreaks.unknown(names, TEAM_TIEBREAKS)
