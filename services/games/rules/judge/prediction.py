"""Questions about prediction gomoku: the settlement by two predictions, and the verdict on a game."""

from fractions import Fraction
from typing import cast

from services.games.rules.boards.fifteen import POINTS
from services.games.rules.boards.port.position import SIDES
from services.games.rules.boards.prediction.verdict import (
    DECISIVE,
    LIMIT,
    PREDICTING,
    VERDICTS,
    Finish,
    Prediction,
    Settlement,
    Verdict,
    judge,
    read_prediction,
    resignation_verdict,
)
from services.games.rules.boards.prediction.verdict import settle as settled_by
from services.games.rules.judge import question as q
from services.games.rules.judge.question import Answer, Ask, Question, Unclear
from shared.core.language.messages import Message, say
from shared.core.rulebook.game_rules import PredictionRules
from shared.core.terms import Ply, Side, other

_ENDS = ("five", "draw", "stopped", "resigned")


def settle(question: Question) -> Answer:
    """Answer with the colours of both players that result from their predictions, and the limit if there is one."""
    settlement = _settlement(question)
    limit = None
    if settlement.limit is not None:
        limit = {"colour": settlement.limit.colour, "plies": _number(settlement.limit.plies)}
    return {"colours": {"first": settlement.first, "second": other(settlement.first)}, "limit": limit}


def verdict(question: Question) -> Answer:
    """Answer with the winner by the predictions, and the announcement.

    The game ends with a ``five``, a ``draw``, ``stopped`` at the limit, or once a colour ``resigned``. If the game must
    be decisive, ``decisive`` is the colour agreed on to win a drawn game. It is required if the regulations allow no
    predicted draw and this game would be drawn.
    """
    settlement = _settlement(question)
    ends = [end for end in _ENDS if question.get(end)]
    if len(ends) != 1:
        raise q.wrong_field(
            say("a game can end in only one way: give one of {ends}", ends=tuple(_ENDS)), "five", VERDICTS
        )
    if ends == ["resigned"]:
        outcome: Verdict | Message = resignation_verdict(other(_side(question, "resigned")))
    else:
        outcome = judge(settlement, _finish(question, ends[0]), question.rules(PredictionRules), _criterion(question))
    if isinstance(outcome, Message):
        raise Unclear(say("Impossible end"), outcome, "ply", LIMIT)
    if outcome.winner is None and _must_be_decisive(question):
        detail = say("decisive must state the colour that wins games that would be drawn: black or white")
        raise Unclear(say("Missing field"), detail, "decisive", DECISIVE)
    return {"winner": outcome.winner, "string": outcome.string}


def _finish(question: Question, end: str) -> Finish:
    ply = Ply(q.number(question, "ply", 1, 10 * POINTS))
    if end == "five":
        return Finish(_side(question, "five"), ply)
    q.flag(question, end)
    return Finish("draw" if end == "draw" else "stopped", ply)


def _side(question: Question, field: str) -> Side:
    return cast(Side, q.choice(question, field, SIDES))


def _settlement(question: Question) -> Settlement:
    predictions = _prediction(question, "first"), _prediction(question, "second")
    if _must_be_decisive(question) and "draw" in predictions:
        where = "first" if predictions[0] == "draw" else "second"
        detail = say("和 must not be predicted, because this game must be decisive")
        raise Unclear(say("Draw predicted"), detail, where, LIMIT)
    return settled_by(*predictions)


def _must_be_decisive(question: Question) -> bool:
    """Return whether the game must be decisive 必须分胜负: by the regulations, or by a criterion in the question."""
    return not question.rules(PredictionRules).draw_predictable or _criterion(question) is not None


def _criterion(question: Question) -> Side | None:
    return None if question.get("decisive") is None else _side(question, "decisive")


def _prediction(question: Question, field: str) -> Prediction:
    prediction = read_prediction(q.text(question, field))
    if prediction is None:
        detail = say("{field} must be like 白子42手, or 和", field=field)
        raise Unclear(say("Unreadable prediction"), detail, field, PREDICTING)
    return prediction


def _number(plies: Fraction) -> int | float:
    return int(plies) if plies.denominator == 1 else float(plies)


_PREDICTED = ("first", "second", "decisive")
QUESTIONS = {"settle": Ask(settle, _PREDICTED), "verdict": Ask(verdict, (*_PREDICTED, "ply", *_ENDS))}
