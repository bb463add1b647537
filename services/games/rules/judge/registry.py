"""The judge: questions about a position or a game, answered without a tournament. One row per game."""

from collections.abc import Callable, Mapping
from typing import Any

from services.games.rules.boards import registry as boards
from services.games.rules.boards.port.search_budget import Effort
from services.games.rules.judge import chess, five_in_a_row, go, prediction, twentyone, xiangqi
from services.games.rules.judge.question import Answer, Ask, Question, Unclear, wrong_field
from shared.core.language.messages import Message, message_of, say
from shared.core.rulebook.game_rules import BoardRules
from shared.core.rulebook.regulations import Regulations
from shared.regulations import load, names
from shared.regulations.changes import BadChange, changed

GAMES: dict[str, Mapping[str, Ask]] = {
    "chess": chess.QUESTIONS,
    "xiangqi": xiangqi.QUESTIONS,
    "go": go.QUESTIONS,
    "renju": five_in_a_row.RENJU,
    "gomoku": five_in_a_row.GOMOKU,
    "prediction": prediction.QUESTIONS,
    "twentyone": twentyone.QUESTIONS,
}

COMMON = ("id", "game", "ask", "regulations", "changes")
"""The fields of every question, with the ruleset that it is judged by and the changes to it."""

_TYPE = "urn:arbiter:problem:"


def answer(fields: Mapping[str, Any], effort: Effort | None = None, words: Callable[[Message], str] = str) -> Answer:
    """Answer a question: ``{"id", "answer"}``, or ``{"id", "error": {"type", "title", "detail", …}}``. Never raises.

    The error has the field as ``where`` and, if a rule forbids the input, its ``article``. Questions of one request
    share an ``effort``; a single question has its own. ``words`` translates messages for people.
    """
    name = fields.get("id")
    try:
        ask = _ask(fields)
        unknown = _unknown(fields, ask)
        if unknown:
            detail = say("unknown field {unknown}; {known}", unknown=unknown[0], known=_known(fields, ask))
            raise Unclear(say("Unknown field"), detail, unknown[0])
        question = Question(fields, effort or Effort(), rules_of(fields, fields["game"]))
        return {"id": name, "answer": _translate(ask.answer(question), words)}
    except Unclear as fault:
        error = {
            "type": _TYPE + fault.title.text.lower().replace(" ", "-"),
            "title": words(fault.title),
            "detail": words(fault.detail),
            "where": fault.where,
            "article": fault.article,
        }
        return {"id": name, "error": {key: value for key, value in error.items() if value is not None}}


def _translate(answer: Any, words: Callable[[Message], str]) -> Any:
    match answer:
        case Message():
            return words(answer)
        case dict():
            return {name: _translate(value, words) for name, value in answer.items()}
        case list():
            return [_translate(value, words) for value in answer]
    return answer


def unknown_fields(fields: Mapping[str, Any]) -> dict[str, Message]:
    """Return each unknown field of a question with a list of the known ones; empty for an unknown question."""
    try:
        ask = _ask(fields)
    except Unclear:
        return {}
    return dict.fromkeys(_unknown(fields, ask), _known(fields, ask))


def _ask(fields: Mapping[str, Any]) -> Ask:
    game, ask = fields.get("game"), fields.get("ask")
    if not isinstance(game, str) or game not in GAMES:
        raise Unclear(say("Unknown game"), say("game must be one of {games}", games=tuple(GAMES)), "game")
    if not isinstance(ask, str) or ask not in GAMES[game]:
        detail = say(
            "unknown question about {game}; available: {games}", game=game, games=tuple(GAMES[game]) or say("nothing")
        )
        raise Unclear(say("Unknown question"), detail, "ask")
    return GAMES[game][ask]


def _unknown(fields: Mapping[str, Any], ask: Ask) -> list[str]:
    return [name for name in fields if name not in COMMON and name not in ask.fields]


def _known(fields: Mapping[str, Any], ask: Ask) -> Message:
    return say("{game} {ask} has {fields}", game=fields["game"], ask=fields["ask"], fields=(*COMMON, *ask.fields))


MOST_CHANGES = 50


def rules_of(fields: Mapping[str, Any], game: str) -> BoardRules | None:
    """Return the rules of a game, or None for a game without rules in any ruleset.

    Raises `Unclear` if the ruleset is unknown or has no rules for the game. Also raises it if the ruleset rejects a change,
    or if a change is not a setting of this game (``game.<name>.``).
    """
    name, changes = fields.get("regulations"), fields.get("changes", {})
    if not isinstance(changes, dict) or len(changes) > MOST_CHANGES:
        detail = say(
            "changes must be an object with at most {most_changes} values, each under its path",
            most_changes=MOST_CHANGES,
        )
        raise wrong_field(detail, "changes")
    if name is None:
        if changes:
            detail = say("changes need a ruleset: name it in regulations")
            raise Unclear(say("Missing field"), detail, "regulations")
        return boards.default_rules(game) if game in boards.GAMES else None
    regulations = _apply_changes(_regulations(name), game, changes)
    return regulations.game.rules[game]


def _regulations(name: Any) -> Regulations:
    if not isinstance(name, str) or name not in names():
        detail = say("regulations must be one of {names}", names=tuple(names()))
        raise Unclear(say("Unknown regulations"), detail, "regulations")
    return load(name)


def _apply_changes(regulations: Regulations, game: str, changes: Mapping[str, Any]) -> Regulations:
    if game not in regulations.game.rules:
        has = tuple(one for one in names() if game in load(one).game.rules)
        raise Unclear(
            say("Game not in regulations"),
            say(
                "{name} has no rules for {game}; rulesets with such rules: {sets}",
                name=regulations.name,
                game=game,
                sets=has,
            )
            if has
            else say("neither {name} nor another ruleset has rules for {game}", name=regulations.name, game=game),
            "regulations",
        )
    for path in changes:
        if not path.startswith(f"game.{game}."):
            detail = say("{path}: for {game}, the judge uses only the values of game.{game}", path=path, game=game)
            raise Unclear(say("Bad change"), detail, f"changes.{path}")
    try:
        return changed(regulations, changes)
    except BadChange as problem:
        raise Unclear(say("Bad change"), message_of(problem), f"changes.{problem.path}") from None
