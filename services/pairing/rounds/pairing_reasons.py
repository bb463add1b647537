"""Why a proposed pairing puts these two together: by points, by the table, by the bracket, each with its article."""

from collections.abc import Iterator
from typing import NamedTuple

from services.pairing.rules.formats.next_stage import stage_due
from services.pairing.rules.sides.participants import contenders
from shared.core.events import Board, RoundPaired
from shared.core.language.messages import Message, say
from shared.core.rounds.matches import team_of, teams_meet
from shared.core.rounds.stages import stages_begun
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import Tournament

_TABLE, _GROUPS, _BRACKET, _GOES_ON = "002-X 11.2; C.05", "002-X 11.3", "002-X 11.1", "002-X 13.5"


class Reason(NamedTuple):
    """What put two together, and the article by which."""

    words: Message
    article: str


def reasons(t: Tournament, paired: RoundPaired) -> dict[int, Reason]:
    """The reason of each board of a round that is to be paired; nothing where it is settled elsewhere."""
    due = stage_due(t)
    by_schedule = {"free": _by_points, "table": _by_table, "bracket": _by_bracket}
    found = by_schedule.get(FORMATS[due.format].schedule)
    if found is None or paired.engine is None:
        return {}
    legs = {board: match.leg for match in paired.matches for board in match.boards}
    goes_on = {b.board for b in paired.boards if legs.get(b.board, 1) > 1}
    told = {board: Reason(say("the match goes on: game {leg}", leg=legs[board]), _GOES_ON) for board in sorted(goes_on)}
    return told | {board: reason for board, reason in found(t, paired, due) if board not in goes_on}


def _sides(t: Tournament, board: Board) -> tuple[int, int]:
    """Who meets on a board: the players, or their teams."""
    teams = team_of(t) if teams_meet(t) else {}
    return teams.get(board.white, int(board.white)), teams.get(board.black, int(board.black))


def _by_points(t: Tournament, paired: RoundPaired, due: StageRule) -> Iterator[tuple[int, Reason]]:
    article = t.regulations.articles.get("pairing.system", "")
    halves = t.regulations.pairing.system == "dutch" and not teams_meet(t)
    first = say("the upper half meets the lower half") if halves else say("first round by lot")
    own = {} if paired.round == 1 else {one.side: one.points for one in contenders(t, paired.round)}
    for board in paired.boards:
        one, other = _sides(t, board)
        if paired.round == 1:
            yield board.board, Reason(first, article)
        else:
            same = own.get(one) == own.get(other)
            yield board.board, Reason(say("same points") if same else say("floats between points"), article)


def _by_table(t: Tournament, paired: RoundPaired, due: StageRule) -> Iterator[tuple[int, Reason]]:
    """By the numbers that both have in the table of their group."""
    begun = stages_begun(t)
    groups = paired.groups or (begun[-1].groups if begun else ())
    round = 1 if paired.groups or not begun else begun[-1].encounters + 1
    places = {side: (n, group.index(side) + 1) for n, group in enumerate(groups, 1) for side in group}
    for board in paired.boards:
        sides = _sides(t, board)
        if not all(side in places for side in sides):
            continue
        (group, one), (_, other) = (places[side] for side in sides)
        facts = {"round": round, "one": one, "other": other}
        if len(groups) > 1:
            words = say("group {group}: numbers {one} and {other} of its table, round {round}", group=group, **facts)
        else:
            words = say("numbers {one} and {other} of the table, its round {round}", **facts)
        yield board.board, Reason(words, _GROUPS if FORMATS[due.format].finals else _TABLE)


def _by_bracket(t: Tournament, paired: RoundPaired, due: StageRule) -> Iterator[tuple[int, Reason]]:
    """By the match of the bracket, and the seeds of both."""
    groups = paired.groups or next((stage.groups for stage in reversed(stages_begun(t)) if stage.groups), ())
    seeds = {side: n for n, side in enumerate(groups[0] if groups else (), 1)}
    matches = {board: match for match in paired.matches for board in match.boards}
    for board in paired.boards:
        one, other = (seeds.get(side) for side in _sides(t, board))
        match = matches.get(board.board)
        if one is None or other is None or match is None:
            continue
        words = say("match {match} of the bracket: seeds {one} and {other}", match=match.match, one=one, other=other)
        yield board.board, Reason(words, _BRACKET)
