"""The interpretations of 28.2, 29.1 and 29.4 on which a verdict on a repetition depends."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from services.games.rules.boards.port.search_budget import Effort, TooMuch
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.repetition import Judgement, Outcome, judge
from shared.core.events import Ground
from shared.core.language.messages import Message, say
from shared.core.rulebook.game_rules import XiangqiRules
from shared.core.state.grounds import ground


class TurningPoint(NamedTuple):
    """An interpretation of an ``article`` on which a verdict depends. ``what``: its subject. ``value``: its setting.

    ``otherwise``: the verdict with the other interpretation.
    """

    article: str
    what: Message
    value: str
    otherwise: Outcome


def turning_points(
    start: Board,
    moves: Sequence[int],
    rules: XiangqiRules,
    judgement: Judgement,
    defending: Set[int] = frozenset(),
    effort: Effort | None = None,
) -> tuple[TurningPoint, ...] | None:
    """Return each interpretation that would change this judgement, or None if that takes too much ``effort``.

    Each is found by judging once more with the other interpretation.
    """
    left = effort or Effort()
    try:
        points = []
        for article, what, value, other in _other_readings(judgement, rules):
            otherwise = judge(start, moves, other, defending, left)
            if (otherwise.outcome, otherwise.at_once) != (judgement.outcome, judgement.at_once):
                points.append(TurningPoint(article, what, f"game.xiangqi.{value}", otherwise.outcome))
        return tuple(points)
    except TooMuch:
        return None


def _other_readings(judgement: Judgement, rules: XiangqiRules) -> Iterator[tuple[str, Message, str, XiangqiRules]]:
    """Yield each interpretation that may have decided the judgement: article, subject, setting, and the rules without it.

    The rules contain the opposite interpretation of this article, so that the repetition can be judged again.
    """
    named = {article for deed in judgement.deeds for article in deed.articles}
    kinds = {deed.kind for deed in judgement.deeds}
    if "29.1" in named:
        yield "002-X 29.1", say("chases through checks"), "chase_within", replace(rules, chase_within=0)
    if "闲" in kinds and rules.sound_within:
        yield "002-X 29.4", say("takers that would be mated"), "sound_within", replace(rules, sound_within=0)
    if "杀" in kinds and rules.mate_within > 1:
        yield "002-X 28.2", say("mates beyond one check"), "mate_within", replace(rules, mate_within=1)
    if "28.2" in named:
        other = replace(rules, mate_threat="standing" if rules.mate_threat == "new" else "new")
        yield "002-X 29.2", say("threats of mate that stood before"), "mate_threat", other


def verdict_grounds(judgement: Judgement, points: Sequence[TurningPoint] | None) -> tuple[Ground, ...]:
    """Return the deciding articles and the turning points of the verdict, as grounds that an arbiter reads out.

    ``points``: None if finding them took too long, which is then stated.
    """
    by = ground("decided_by", articles=tuple(judgement.articles()))
    if points is None:
        return by, ground("turns_not_named")
    turns = (ground(f"turns_on_{_name(one)}", otherwise=one.otherwise) for one in points)
    return by, *turns


def _name(point: TurningPoint) -> str:
    return point.value.rpartition(".")[2]
