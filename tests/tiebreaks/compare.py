"""The product's tie-breaks against the oracle's: every value and every order of a random event, and what differs."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from services.standings.rules.table.table import standings
from services.standings.rules.teams.table import team_standings
from tests.tiebreaks import oracle, oracle_teams
from tests.tiebreaks.events import PUBLISHED, Players, Teams

CUTS = ("", "/C1", "/C2", "/C3", "/M1", "/M2")
SUMS = (*CUTS, *(f"{cut}/P" for cut in CUTS))
PRODUCTS = ("", "/C1", "/C2", "/C3", "/P", "/C1/P", "/C2/P")
LIMITS = ("", "/L+1", "/L+2", "/L-1", "/L-3")
OWN = ("PTS", "WIN", "WON", "BPG", "BWG", "REP", "GE", "STD", "TPN", "TPN/R", "SNO", "SNO/R")
RATINGS = (*(f"ARO{cut}" for cut in CUTS), "TPR", "PTP", "APRO", "APPO", "RTNG", "RTNG/R")
PROGRESS = ("PS", "PS/C1", "PS/C2", "PS/C3")
OF_PLAYERS = (
    *OWN, *RATINGS, *PROGRESS, *(f"BH{m}" for m in SUMS), *(f"FB{m}" for m in SUMS), "AOB", "AOB/F",
    *(f"SB{m}" for m in PRODUCTS), *(f"KS{m}" for m in LIMITS),
)  # fmt: skip
IN_ROUND_ROBINS = (*OWN, *RATINGS, *PROGRESS, *(f"SB{m}" for m in PRODUCTS), *(f"KS{m}" for m in LIMITS))
"""C.07 8: Buchholz is not for round robins."""
ENCOUNTERS = ("DE", "DE/P")
SCORES = ("", ":MP", ":GP")
OF_TEAMS = (
    "PTS", "MPTS", "GPTS", "MPvGP", "REP", "REP:MP", "GE", "STD", "STD:GP", "TPN", "TPN/R", "SNO", "BC",
    *(f"{base}{score}" for base in ("WIN", "WON", "BPG", "BWG") for score in SCORES),
    *(f"{base}{score}{m}" for base in ("BH", "FB") for score in SCORES for m in SUMS),
    *(f"SB{score}{m}" for score in SCORES for m in PRODUCTS),
    *(f"PS{score}{m}" for score in SCORES for m in ("", "/C1", "/C2")),
    *(f"KS{score}{m}" for score in SCORES for m in LIMITS), *(f"AOB{score}{m}" for score in SCORES for m in ("", "/F")),
    *(f"{base}{m}" for base in ("EMMSB", "EMGSB", "EGMSB", "EGGSB") for m in PRODUCTS),
    *(f"SSSC{m}" for m in ("", "/F", "/P", "/F/P", "/K4", "/F/K4", "/P/K3", "/F/P/K5")),
)  # fmt: skip
TEAM_ORDERS = (
    *(f"DE{score}{m}" for score in SCORES for m in ("", "/P")), "TBR", "BBE",
    *(f"{base}{m}" for base in ("EDE", "EDEBT", "EDEBB", "EDET", "EDEB") for m in ("", "/P")),
)  # fmt: skip


def _exact(value: Any) -> Fraction | None:
    return None if value.quarters is None else Fraction(value.quarters) / 4


def of_players(seed: int, edition: str) -> Iterator[str]:
    """Every code for players in one random event of them."""
    told = Players(seed)
    published = seed % 3 != 0
    event, unrated = told.event(edition, published=published), PUBLISHED if published else None
    codes = IN_ROUND_ROBINS if told.round_robin else OF_PLAYERS
    table = standings(told.tournament, (), rules=edition, unrated=unrated, also=codes)
    assert {row.player for row in table.rows} == set(event.rounds)
    for row in table.rows:
        for code in codes:
            must = oracle.value(event, row.player, code)
            if _exact(row.values[code]) != must:
                yield f"players {seed} {edition}: {row.player} {code}: {_exact(row.values[code])}, by the text {must}"
    for code in ENCOUNTERS:
        ranks = {row.player: row.rank for row in standings(told.tournament, (code,), rules=edition).rows}
        yield from _ranks(f"players {seed} {edition} {code}", ranks, _ordered(event, code))


def _ordered(event: oracle.Event, code: str) -> dict[int, int]:
    order = [
        part
        for tied in _tied({p: event.score(p) for p in event.rounds})
        for part in oracle.encounter(event, tied, forfeits=code == "DE/P")
    ]
    return oracle.places(order)


def _tied(points: dict[int, Fraction]) -> list[list[int]]:
    return [[p for p, x in points.items() if x == value] for value in sorted(set(points.values()), reverse=True)]


def _ranks(what: str, ours: dict[Any, int], must: dict[int, int]) -> Iterator[str]:
    if ours != must:
        yield f"{what}: {ours}, by the text {must}"


def of_teams(seed: int, edition: str) -> Iterator[str]:
    """Every code for teams in one random event of them."""
    told = Teams(seed)
    event = told.event(edition)
    table = team_standings(told.hall.t, OF_TEAMS, rules=edition)
    for row in table.rows:
        for code in OF_TEAMS:
            must = oracle_teams.value(event, row.team, code)
            if _exact(row.values[code]) != must:
                yield f"teams {seed} {edition}: {row.team} {code}: {_exact(row.values[code])}, by the text {must}"
    points = {t: event.matches.score(t) for t in event.matches.rounds}
    for code in TEAM_ORDERS:
        ranks = {row.team: row.rank for row in team_standings(told.hall.t, (code,), rules=edition).rows}
        must = [
            part
            for tied in _tied(points)
            for part in (oracle_teams.order(event, tied, code) if len(tied) > 1 else [tied])
        ]
        yield from _ranks(f"teams {seed} {edition} {code}", ranks, oracle.places(must))


def differences(seeds: Sequence[int]) -> Iterator[str]:
    """What differs in events with these seeds: three in four of players, by both editions of C.07 in turn."""
    for seed in seeds:
        edition = "2024" if seed % 7 == 3 else "2026"
        yield from (of_teams if seed % 4 == 3 else of_players)(seed, edition)
