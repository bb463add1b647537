"""Prediction gomoku 预判: the settlement by two predictions, and the judgement of a game by it (001 第三条 3, 5)."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from shared.core.language.messages import Message, say
from shared.core.rulebook.game_rules import PredictionRules
from shared.core.terms import Ply, Side, other

PREDICTING = "001 第三条 3"
COLOURS = "001 第三条 3(1)"
LIMIT = "001 第三条 3(2)"
TIME = "001 第三条 3(3)"
DECISIVE = "001 第三条 3, after 例4"
VERDICTS = "001 第三条 5"

UNLIMITED = "无限制"
CHINESE: dict[Side, str] = {"black": "黑", "white": "白"}
_PREDICTION = re.compile(r"([黑白])(?:子|棋)(\d{1,3})手(?:[((]?形成五连[))]?)?")
_SIDES: dict[str, Side] = {word: side for side, word in CHINESE.items()}


@dataclass(frozen=True, slots=True)
class Five:
    """A prediction that a colour makes five at this ply of the game. The four stones of the opening count."""

    colour: Side
    plies: Ply


Prediction: TypeAlias = Five | Literal["draw"]


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of a game: ``colour`` wins by five before this ply. The ruleset decides about five exactly at it.

    ``plies``: the mean of the two predicted plies, which may be between two plies.
    """

    colour: Side
    plies: Fraction


@dataclass(frozen=True, slots=True)
class Settlement:
    """The settlement by two predictions. ``first``: the colour of the first player.

    With a ``limit``, its colour must have five by then. The colour ``must_win`` wins only by its five, and loses
    otherwise. If both are None, the game continues until a five or a draw.
    """

    first: Side
    limit: Limit | None = None
    must_win: Side | None = None


@dataclass(frozen=True, slots=True)
class Finish:
    """The finish of a game: a five of a colour, ``draw`` or ``stopped`` at the limit, at this ply."""

    how: Side | Literal["draw", "stopped"]
    ply: Ply


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a game, ``winner`` None for a draw, and its announcement."""

    winner: Side | None
    string: str


def read_prediction(text: str) -> Prediction | None:
    """Parse 白子42手(形成五连) or 和. Return None for anything else."""
    if text == "和":
        return "draw"
    match = _PREDICTION.fullmatch(text)
    return Five(_SIDES[match[1]], Ply(int(match[2]))) if match and int(match[2]) else None


def write_prediction(prediction: Prediction) -> str:
    """Return a prediction as text: 白子42手 if White is predicted to make five by ply 42, or 和 for a draw."""
    return "和" if prediction == "draw" else f"{CHINESE[prediction.colour]}子{prediction.plies}手"


def settle(first: Prediction, second: Prediction) -> Settlement:
    """Return the colours and the limit of a game by the predictions of the first and the second player (例1-例4)."""
    if first == second:
        return Settlement("black", _limit(first, second))
    if first == "draw" or second == "draw":
        wanted = second if first == "draw" else first
        assert wanted != "draw"
        colour = other(wanted.colour) if first == "draw" else wanted.colour
        return Settlement(colour, must_win=wanted.colour)
    if first.colour != second.colour:
        return Settlement(first.colour)
    earlier = first if first.plies < second.plies else second
    return Settlement(earlier.colour if earlier is first else other(earlier.colour), _limit(first, second))


def _limit(first: Prediction, second: Prediction) -> Limit | None:
    if first == "draw" or second == "draw":
        return None
    return Limit(first.colour, Fraction(first.plies + second.plies, 2))


def judge(
    settlement: Settlement, finish: Finish, rules: PredictionRules, criterion: Side | None = None
) -> Verdict | Message:
    """Return the winner and the announcement (例5-例7), or a message why a game cannot have ended like that.

    ``criterion``: the colour that wins a game that would be drawn, if the game must be decisive (必须分胜负).
    """
    if settlement.limit is not None:
        return _judge_by_limit(settlement.limit, finish, rules, criterion)
    if finish.how == "stopped":
        return say("this game has no move limit at which it can be stopped")
    if settlement.must_win is not None:
        winner = settlement.must_win if finish.how == settlement.must_win else other(settlement.must_win)
        named = CHINESE[settlement.must_win] if rules.unlimited_names_colour else ""
        return _win(winner, finish.ply, f"{named}{UNLIMITED}")
    wins = criterion if finish.how == "draw" else finish.how
    return Verdict(None, f"{finish.ply}手/{UNLIMITED}和") if wins is None else _win(wins, finish.ply, UNLIMITED)


def _win(colour: Side, ply: Ply, measure: str) -> Verdict:
    return Verdict(colour, f"{CHINESE[colour]}{ply}手/{measure}胜")


def _judge_by_limit(limit: Limit, finish: Finish, rules: PredictionRules, criterion: Side | None) -> Verdict | Message:
    if finish.ply > limit.plies and finish.how != "stopped":
        return say("the game was over at its limit, ply {ply}", ply=_count(limit.plies))
    if finish.how == "stopped" and finish.ply < int(limit.plies):
        return say("the limit, ply {ply}, was not reached", ply=_count(limit.plies))
    measure = f"{CHINESE[limit.colour]}{_count(limit.plies)}手"
    if finish.how == limit.colour and finish.ply == limit.plies and rules.at_limit == "draw":
        draw = Verdict(None, f"{CHINESE[limit.colour]}{finish.ply}手/{measure}和")
        return draw if criterion is None else _win(criterion, finish.ply, measure)
    return _win(limit.colour if finish.how == limit.colour else other(limit.colour), finish.ply, measure)


def resignation_verdict(winner: Side) -> Verdict:
    """Return the verdict 某色棋中盘胜 after the other side resigned (001 第三条 5)."""
    return Verdict(winner, f"{CHINESE[winner]}中盘胜")


def _count(plies: Fraction) -> str:
    return str(int(plies)) if plies.denominator == 1 else str(float(plies))
