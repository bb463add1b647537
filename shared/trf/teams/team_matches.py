"""Record 802: a team's matches, round by round, held against what its games and the other records give."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from shared.core.language.messages import MessageFact, say
from shared.trf.model.differences import Difference
from shared.trf.model.model import Record
from shared.trf.model.points import half_points_of, points_text
from shared.trf.teams.team_records import ABSENT, TeamRound

_AFTER_NICKNAME = 13
_ROUND = re.compile(
    r"\s+(?:(?P<bye>[FHZ]PB|PAB)|(?P<opponent>\d+)(?:\s+(?P<colour>[wbWB]))?)\s+(?P<points>[0-9.,]+)(?P<forfeit>[fF]?)(?=\s|$)"
)


def totals_of(text: str) -> tuple[tuple[int, int], ...]:
    """The columns of both totals: FIDE's table and its sample have them one column apart."""
    return tuple((m.start() + 1, m.end()) for m in islice(re.compile(r"\S+").finditer(text, _AFTER_NICKNAME), 2))


def rounds_told(text: str) -> list[re.Match[str]]:
    """The rounds that a record tells of: opponent or bye, colour, points."""
    return [found for found in _rounds(text) if isinstance(found, re.Match)]


def round_differences(record: Record, team: int, rounds: Sequence[TeamRound]) -> Iterator[Difference]:
    """Each round that was otherwise: opponent or bye, colour of the first board, game points, whether it was played. A word
    that is none of a round ends it."""
    number = 0
    for number, found in enumerate(_rounds(record.text), 1):
        if isinstance(found, int):
            text = record.text[found:].split()[0]
            yield Difference(
                record.line, found + 1, say("{text} is not a valid entry for a round of a team", text=repr(text))
            )
            return
        own = rounds[number - 1] if number <= len(rounds) else ABSENT
        if number > len(rounds) and found["bye"]:
            continue  # of a round to come
        if not _same(found, own):
            facts: dict[str, MessageFact] = {
                "team": team,
                "round": number,
                "said": _said(found),
                "made": _made(own, found),
            }
            detail = say("team {team} has {said} in round {round}, but its results give {made}", **facts)
            yield Difference(record.line, found.start("bye" if found["bye"] else "opponent") + 1, detail)
    for round, own in enumerate(rounds[number:], number + 1):
        if own.opponent or own.match_points or own.game_points:
            detail = say(
                "team {team}: the record has no entry for round {round}, but its results give {made}",
                team=team,
                round=round,
                made=_made(own),
            )
            yield Difference(record.line, len(record.text.rstrip()) + 1, detail)
            return


def _rounds(text: str) -> Iterator[re.Match[str] | int]:
    """Every round in its order; where a word is none, how many columns stand before it, and no more."""
    text = text.rstrip()
    at = max((last for _, last in totals_of(text)), default=len(text))
    while at < len(text):
        found = _ROUND.match(text, at)
        if found is None:
            yield at + len(text[at:]) - len(text[at:].lstrip())
            return
        yield found
        at = found.end()


def _same(found: re.Match[str], own: TeamRound) -> bool:
    if (found["bye"] or int(found["opponent"])) != (own.bye or own.opponent):
        return False
    if half_points_of(found["points"]) != own.game_points:
        return False
    if found["bye"]:
        return not found["forfeit"]
    if found["colour"] and own.side and own.in_order and found["colour"].lower() != own.side[0]:
        return False
    return not own.played if found["forfeit"] else not own.forfeit


def _said(found: re.Match[str]) -> str:
    words = found["bye"] or found["opponent"], found["colour"] or "", found["points"] + found["forfeit"]
    return " ".join(word for word in words if word)


def _made(own: TeamRound, found: re.Match[str] | None = None) -> str:
    """A round as a record writes it; the colour where there was one to compare."""
    colour = own.side[0] if own.opponent and own.side and (found is None or found["colour"]) else ""
    points = points_text(own.game_points) + ("f" if own.forfeit else "")
    return " ".join(word for word in (own.bye or str(own.opponent), colour, points) if word)
