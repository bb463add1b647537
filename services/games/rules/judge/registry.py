"""The judge: questions on a position or a game, answered without any tournament. One row a game."""

from collections.abc import Callable, Mapping
from typing import Any

from services.games.rules.boards.port.search_budget import Effort
from services.games.rules.judge import chess, five_in_a_row, go, prediction, twentyone, xiangqi
from services.games.rules.judge.question import Answer, Question, Unclear

Questions = Mapping[str, Callable[[Question], Answer]]
"""What is asked -> who answers; `Unclear` for a question without an answer."""

GAMES: dict[str, Questions] = {
    "chess": chess.QUESTIONS,
    "xiangqi": xiangqi.QUESTIONS,
    "go": go.QUESTIONS,
    "renju": five_in_a_row.RENJU,
    "gomoku": five_in_a_row.GOMOKU,
    "prediction": prediction.QUESTIONS,
    "twentyone": twentyone.QUESTIONS,
}

_TYPE = "urn:arbiter:problem:"


def answer(fields: Mapping[str, Any], effort: Effort | None = None) -> Answer:
    """``{"id", "answer"}``, or ``{"id", "error": {"type", "title", "detail", …}}``; never an exception.

    The error names the field as ``where`` and, where a rule forbids what was asked, its ``article``. Questions that come
    together share an ``effort``; alone each has one of its own.
    """
    question = Question(fields, effort or Effort())
    name = question.get("id")
    try:
        return {"id": name, "answer": _judge(question)(question)}
    except Unclear as fault:
        error = {
            "type": _TYPE + fault.title.lower().replace(" ", "-"),
            "title": fault.title,
            "detail": fault.detail,
            "where": fault.where,
            "article": fault.article,
        }
        return {"id": name, "error": {key: value for key, value in error.items() if value is not None}}


def _judge(question: Question) -> Callable[[Question], Answer]:
    game, ask = question.get("game"), question.get("ask")
    if not isinstance(game, str) or game not in GAMES:
        raise Unclear("Unknown game", f"game is one of {', '.join(GAMES)}", "game")
    if not isinstance(ask, str) or ask not in GAMES[game]:
        raise Unclear("Unknown question", f"of {game} one asks {', '.join(GAMES[game]) or 'nothing'}", "ask")
    return GAMES[game][ask]
