"""Competitions in stages, played to their end: tables are published when a stage asks for one, ranks are read from the table."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from services.pairing.rules import rounds
from services.pairing.rules.commands import DrawLots, EnterTeams, TeamEntry
from services.standings.rules.table.table import standings
from services.standings.rules.teams.table import team_standings
from shared.core import events as ev
from shared.core.rounds.matches import extra_due, matches, teams_meet
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.terms import GAMES, PENALTIES, PlayerId, Refusal, RulingId, TeamConditions, TextRef
from tests.rules.formats_story import CAMPUS, by_number, play_round, publish
from tests.rules.pairing_story import CHIEF, MARKS, ORGANISER, Office

BOTH_LOST = {**MARKS, "0-0": (MARKS["0-1"][0], MARKS["1-0"][1])}
Says = Callable[[ev.Board], str]


def staged(players: int, *stages: StageRule, teams: bool = False, **pairing: Any) -> Office:
    """A competition in stages by the campus event's rules; ``teams``: sides of two players each, numbered from 1."""
    rules = replace(CAMPUS, stages=stages, pairing=replace(CAMPUS.pairing, **pairing))
    conditions: dict[str, Any] = {"team": TeamConditions("fixed", 2)} if teams else {}
    cup = Office(players * (2 if teams else 1), stages[0].rounds, stages[0].format, seed=7, rules=rules, **conditions)
    if teams:
        enter_teams(cup, players)
    return cup


def enter_teams(cup: Office, teams: int) -> None:
    entries = (TeamEntry(n, TextRef("c" * 64), (PlayerId(2 * n - 1), PlayerId(2 * n))) for n in range(1, teams + 1))
    cup.do(EnterTeams(ORGANISER, tuple(entries)))


def ranks(cup: Office, after: int | None = None) -> dict[int, int]:
    """The rank of each player, or of each team if teams meet."""
    if teams_meet(cup.t):
        return {row.team: row.rank for row in team_standings(cup.t, after_round=after).rows}
    return {row.player: row.rank for row in standings(cup.t, after_round=after).rows}


def publish_table(cup: Office, after: int | None = None) -> None:
    """Publish the table of the last round, or of an earlier one."""
    places: dict[int, list[int]] = {}
    for side, rank in ranks(cup, after).items():
        places.setdefault(rank, []).append(side)
    order = tuple(tuple(places[rank]) for rank in sorted(places))
    if after is None:
        publish(cup, *order)
    else:
        cup.told("/services/standings", ev.StandingsPublished((), "2026", after, False, order=order))


def next_round(cup: Office, says: Says = by_number) -> ev.RoundPaired | None:
    """The next round with all results; tables are published and lots drawn before it. None at the end."""
    with on_outdated_bases():
        return _paired_and_played(cup, says)


def on_outdated_bases() -> AbstractContextManager[object]:
    """Pair on an outdated basis too, as a log of concurrent decisions may hold it; the refusal has tests of its own."""
    return patch.object(rounds, "refuse_outdated", return_value=None)


def _paired_and_played(cup: Office, says: Says) -> ev.RoundPaired | None:
    while isinstance(answer := cup.world.decide("/services/pairing", cup.by_engine()), Refusal):
        if answer.code == "no-round-left":
            return None
        if answer.code == "standings-not-published":
            publish_table(cup)
            continue
        assert answer.code == "match-drawn", answer
        for match in matches(cup.t).values():
            if not match.over and not extra_due(cup.t, match):
                cup.do(DrawLots(CHIEF, match.match, 5))
    return play_round(cup, says)


def played_out(cup: Office, says: Says = by_number) -> Office:
    while next_round(cup, says) is not None:
        pass
    return cup


def correct(cup: Office, board: ev.Board, said: str) -> None:
    cup.told(GAMES, ev.ResultCorrected(board.game, *BOTH_LOST[said]))


def lose_both(cup: Office, paired: ev.RoundPaired, boards: Iterable[int]) -> None:
    """Boards of a round that both sides lose, by their numbers, after it was played."""
    for board in paired.boards:
        if board.board in boards:
            correct(cup, board, "0-0")


def rule_result(cup: Office, board: ev.Board, said: str) -> RulingId:
    """A ruling that sets the result of a game."""
    number = cup.t.counts.get(PENALTIES, 0) + 1
    ruling = RulingId(f"r{number}")
    effect = ev.Effect("set_marks", *BOTH_LOST[said])
    cup.told(PENALTIES, ev.RulingMade(ruling, board.white, 1, "foul", "9", effect, board.game))
    return ruling


def annul(cup: Office, ruling: RulingId) -> None:
    number = cup.t.counts.get(PENALTIES, 0) + 1
    cup.told(PENALTIES, ev.RulingAnnulled(RulingId(f"r{number}"), ruling, "8.5"))


def board_of(paired: ev.RoundPaired, one: int, other: int) -> ev.Board:
    """The board of two players."""
    return next(b for b in paired.boards if {b.white, b.black} == {one, other})


def beats(winner: int) -> Says:
    """One player wins, else the smaller number."""

    def says(board: ev.Board) -> str:
        if winner in (board.white, board.black):
            return "1-0" if board.white == winner else "0-1"
        return by_number(board)

    return says
