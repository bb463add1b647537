"""The pairing that a form proposes: decided as it would be published, with the changes since it was shown."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from services.pairing.responses import granted_byes
from services.pairing.rounds.draft_rows import absences, boards_of_one_unit, groups_of
from services.pairing.rounds.hand_forms import called_teams, side_points
from services.pairing.rounds.pairing_draft import Change, changes
from services.pairing.rules import commands as co
from services.pairing.rules.engines.versions import DUTCH
from services.pairing.rules.formats.next_stage import stage_due
from services.pairing.rules.shown_pairing import shown
from services.pairing.rules.sides.participants import contenders
from services.pairing.rules.sides.seating import sides_of_board
from shared.core.events import RoundPaired
from shared.core.language.messages import Message, say
from shared.core.readings.authority import permit
from shared.core.readings.colours import colours_of
from shared.core.readings.scoring import scores
from shared.core.readings.vocabulary import BYES, record_name
from shared.core.rounds.matches import teams_meet
from shared.core.rounds.stages import stages_begun
from shared.core.rulebook.articles import own_article
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.state.tournament import Tournament
from shared.core.terms import PAIRING, HalfPoints, PlayerId, Side
from shared.desk.desk import Desk
from shared.http.commands.command_pipeline import previewed
from shared.http.problems import Problem
from shared.http.requests import auth
from shared.web.attention import attention
from shared.web.board_seen import SIDES, columns_of
from shared.web.particulars import names_of, units_of

_TABLE, _GROUPS, _BRACKET, _GOES_ON = "002-X 11.2; C.05", "002-X 11.3", "002-X 11.1", "002-X 13.5"


class Reason(NamedTuple):
    """The reason for a pair, and its article. ``floats``: the two have different points."""

    words: Message
    article: str
    floats: bool = False


def reasons(t: Tournament, paired: RoundPaired) -> dict[int, Reason]:
    """Return the reason of each board of the round, or nothing if it is settled elsewhere."""
    due = stage_due(t)
    by_schedule = {"free": _by_points, "table": _by_table, "bracket": _by_bracket}
    found = by_schedule.get(FORMATS[due.format].schedule)
    if found is None or paired.engine is None:
        return {}
    legs = {board: match.leg for match in paired.matches for board in match.boards}
    goes_on = {b.board for b in paired.boards if legs.get(b.board, 1) > 1}
    told = {
        board: Reason(say("the match continues with game {leg}", leg=legs[board]), _GOES_ON)
        for board in sorted(goes_on)
    }
    return told | {board: reason for board, reason in found(t, paired, due) if board not in goes_on}


def _by_points(t: Tournament, paired: RoundPaired, due: StageRule) -> Iterator[tuple[int, Reason]]:
    article = t.regulations.articles.get("pairing.system", "")
    halves = t.regulations.pairing.system == "dutch" and not teams_meet(t)
    first = say("the upper half meets the lower half") if halves else say("first round by lot")
    own = {} if paired.round == 1 else {one.side: one.points for one in contenders(t, paired.round)}
    for board in paired.boards:
        one, other = sides_of_board(t, board)
        if paired.round == 1:
            yield board.board, Reason(first, article)
        else:
            floats = own.get(one) != own.get(other)
            yield board.board, Reason(say("floats between points") if floats else say("same points"), article, floats)


def _by_table(t: Tournament, paired: RoundPaired, due: StageRule) -> Iterator[tuple[int, Reason]]:
    """Return the reason by the numbers that both have in the table of their group."""
    begun = stages_begun(t)
    groups = paired.groups or (begun[-1].groups if begun else ())
    round = 1 if paired.groups or not begun else begun[-1].encounters + 1
    places = {side: (n, group.index(side) + 1) for n, group in enumerate(groups, 1) for side in group}
    for board in paired.boards:
        sides = sides_of_board(t, board)
        if not all(side in places for side in sides):
            continue
        (group, one), (_, other) = (places[side] for side in sides)
        facts = {"round": round, "one": one, "other": other}
        if len(groups) > 1:
            words = say(
                "group {group}: numbers {one} and {other} meet in round {round} of its table", group=group, **facts
            )
        else:
            words = say("numbers {one} and {other} meet in round {round} of the table", **facts)
        yield board.board, Reason(words, _GROUPS if FORMATS[due.format].finals else _TABLE)


def _by_bracket(t: Tournament, paired: RoundPaired, due: StageRule) -> Iterator[tuple[int, Reason]]:
    """Return the reason by the match of the bracket, and the seeds of both."""
    groups = paired.groups or next((stage.groups for stage in reversed(stages_begun(t)) if stage.groups), ())
    seeds = {side: n for n, side in enumerate(groups[0] if groups else (), 1)}
    matches = {board: match for match in paired.matches for board in match.boards}
    for board in paired.boards:
        one, other = (seeds.get(side) for side in sides_of_board(t, board))
        match = matches.get(board.board)
        if one is None or other is None or match is None:
            continue
        first, second = sorted((one, other))
        words = say(
            "match {match} of the bracket: seeds {one} and {other} meet", match=match.match, one=first, other=second
        )
        yield board.board, Reason(words, _BRACKET)


_BOARD = re.compile(r"([1-9][0-9]{0,5}):([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_NO_ROUND = (
    "basis-outdated",
    "round-unfinished",
    "no-round-left",
    "role-may-not",
    "office-not-held",
    "official-dismissed",
)
"""Why nobody pairs the round, by hand neither, or not this person."""
_BITS = 48
"""Bits of a seed: exact in every JSON reader."""


def lots(desk: Desk, t: str, seq: int) -> int:
    """Return the seed of the proposal at a line: always the same one, and nobody outside can predict it."""
    digest = desk.keys.keyed_digest(PAIRING, f"lots of {t} at {seq}".encode())
    return 1 + (int(digest, 16) & ((1 << _BITS) - 1))


def proposal(desk: Desk, t: Tournament, n: int, seq: int, typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the facts that the form of round ``n`` shows at line ``seq``; the boards of the form ``typed`` are compared.

    An engine runs for those alone who may pair.
    """
    paired, why_not = (None, None) if auth.visitor() is None else _decided(desk, t, n, seq)
    score, why = scores(t, n - 1), {} if paired is None else reasons(t, paired)
    units = units_of(desk, t, t.players)
    return {
        "n": n,
        "headings": columns_of(t),
        "sides": {side: record_name(colours_of(t), side) for side in SIDES},
        "paired": paired,
        "shown": None if paired is None else shown(paired),
        "first": None if paired is None else _first_colour(paired),
        "byes": [{"player": b.player, "kind": BYES[b.kind]} for b in (*paired.byes, *granted_byes(t, n))]
        if paired
        else [],
        "why_not": why_not,
        "by_hand": paired is not None or (isinstance(why_not, Problem) and why_not.code not in _NO_ROUND),
        "changes": _changes(paired, typed.get("boards")),
        "compared": "boards" in typed,
        "waiting": list(attention(t, n)),
        "names": names_of(desk, t, t.players),
        "units": units,
        "groups": [] if paired is None else groups_of(t, paired),
        "same_unit": {} if paired is None or teams_meet(t) else boards_of_one_unit(paired.boards, units),
        "teams": called_teams(desk, t),
        "side_points": side_points(t, n),
        "absent": absences(desk, t, n, paired),
        "numbers": {p: entry.starting_number for p, entry in t.players.items()},
        "points": {p: one.points if n > 1 else HalfPoints(0) for p, one in score.items()},
        "colours": _colours(t, n) if paired is not None else {},
        "why": why,
        "common": _common(list(why.values())),
        "articles": list(
            dict.fromkeys(filter(None, (own_article(t.regulations, one.article) for one in why.values())))
        ),
        "lots_due": isinstance(why_not, Problem) and why_not.code == "match-drawn",
    }


def _common(why: list[Reason]) -> Message | None:
    """Return the words of these reasons if all boards have the same one, so that they are said once."""
    return why[0].words if len(why) > 1 and all(one.words == why[0].words for one in why) else None


def _colours(t: Tournament, n: int) -> dict[PlayerId, str]:
    """Return the sides that each player has had, ``wbw``, if they decide the pairs."""
    if n < 2 or teams_meet(t) or not FORMATS[stage_due(t).format].paired_freely:
        return {}
    return {PlayerId(one.side): one.colours for one in contenders(t, n)}


def _decided(desk: Desk, t: Tournament, n: int, seq: int) -> tuple[RoundPaired | None, Problem | Message | None]:
    """Return the pairing, or the reason why none is possible."""
    if n <= t.rounds_paired():
        return None, say("Round {n} is already paired.", n=n)
    try:
        actor = auth.require(t.id)
        decision = previewed(desk, PAIRING, t.id, co.PairRound(actor, seed=lots(desk, t.id, seq)))
    except Problem as problem:
        return None, problem
    paired = next((data for data in decision.events if isinstance(data, RoundPaired)), None)
    if paired is None or paired.round != n:
        return None, say("The tournament has changed since this page was opened: open it again.")
    return paired, None


def _first_colour(paired: RoundPaired) -> Side | None:
    """Return the first colour that this pairing draws, or None if it draws no colour."""
    drawn = paired.seed and paired.engine is not None and paired.engine.name in DUTCH
    return paired.initial_colour if drawn else None


def _changes(paired: RoundPaired | None, typed: str | None) -> list[Change]:
    """Return the boards that differ from those of the form."""
    if paired is None or typed is None:
        return []
    before = {int(board): (int(white), int(black)) for board, white, black in _BOARD.findall(typed)}
    return changes(before, {seat.board: (int(seat.white), int(seat.black)) for seat in paired.boards})


def may_number(t: Tournament) -> bool:
    """Whether who looks at the page may assign starting numbers, before the first round."""
    who = auth.visitor_of(t.id)
    return who is not None and not t.rounds_paired() and permit(t, who.actor, "assign starting numbers") is None
