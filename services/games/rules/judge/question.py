"""A question to the judge: the possible questions, and their fields, read with types and limits.

Every reader raises `Unclear`, with the field, for a value that is missing, of another type or too large.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from services.games.rules.boards.port.position import BadPosition, End, IllegalMove
from services.games.rules.boards.port.search_budget import Effort
from services.games.rules.boards.port.touch_move import Due
from services.games.rules.play.moves import PLIES_AT_MOST
from shared.core.language.messages import Message, in_turn, message_of, say
from shared.core.rulebook.game_rules import BoardRules
from shared.core.state.grounds import words_of
from shared.core.values.bounds import SQUARES

Answer: TypeAlias = dict[str, Any]
Fields: TypeAlias = Mapping[str, Any]
"""An object in a question, or the question itself."""

R = TypeVar("R", bound=BoardRules)

LONGEST_TEXT = 200


class Question(dict[str, Any]):
    """A JSON object as received, with the search ``effort`` for its answer and the rules that it is judged by."""

    def __init__(self, fields: Mapping[str, Any], effort: Effort, rules: BoardRules | None) -> None:
        super().__init__(fields)
        self.effort = effort
        self._rules = rules

    def rules(self, of: type[R]) -> R:
        """Return the rules of the game that the question is judged by. ``of``: the class of these rules."""
        assert isinstance(self._rules, of), "the table of rules has one class a game"
        return self._rules


@dataclass(frozen=True, slots=True)
class Ask:
    """A possible question of a game. ``answer`` returns the answer, or raises `Unclear`.

    ``fields``: the fields that it reads in addition to the common ones.
    """

    answer: Callable[[Question], Answer]
    fields: tuple[str, ...]


class Unclear(Exception):
    """An error for a question that cannot be answered. ``title`` is the fixed name of the fault, ``where`` the field."""

    def __init__(self, title: Message, detail: Message, where: str, article: str | None = None) -> None:
        super().__init__(detail)
        self.title, self.detail, self.where, self.article = title, detail, where, article


def wrong_field(detail: Message, where: str, article: str | None = None) -> Unclear:
    """Return the error for a value that a field does not accept."""
    return Unclear(say("Wrong field"), detail, where, article)


def unclear_position(problem: BadPosition, where: str, article: str | None = None) -> Unclear:
    """Return the error for the position in the field ``where``, which is unreadable or which no game can reach.

    ``article``: the article that a position of the second kind breaks, or None.
    """
    detail = say("{where}: {problem}", where=where, problem=message_of(problem))
    if problem.impossible:
        return Unclear(say("Impossible position"), detail, where, article)
    return Unclear(say("Unreadable position"), detail, where)


def illegal_move(n: int, move: str, fault: IllegalMove) -> Unclear:
    """Return the error for the move of this index that the rules forbid."""
    detail = say("move {n}, {move}: {reason}", n=n + 1, move=move, reason=fault.reason)
    return Unclear(say("Illegal move"), detail, f"moves[{n}]", fault.article)


def end_answer(end: End | None, winners: Mapping[str, str] = MappingProxyType({})) -> Answer | None:
    """Return the end of a game as part of an answer, or None if the game has not ended.

    ``winners``: other names of the sides, if needed.
    """
    if end is None:
        return None
    winner = None if end.winner is None else winners.get(end.winner, end.winner)
    return {"termination": end.termination, "winner": winner, "article": end.article}


def text(question: Fields, name: str, default: str | None = None, longest: int = LONGEST_TEXT) -> str:
    """Return the text in the field ``name``, of at most ``longest`` characters. An absent field has ``default``."""
    value = _present(question, name, default)
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise wrong_field(
            say("{name} must be a text of 1 to {longest_text} characters", name=name, longest_text=longest),
            name,
        )
    return value


def choice(question: Fields, name: str, options: Sequence[str], default: str | None = None) -> str:
    """Return the text in the field ``name``, which must be one of ``options``. An absent field has ``default``."""
    value = _present(question, name, default)
    if not isinstance(value, str) or value not in options:
        raise wrong_field(say("{name} must be one of {options}", name=name, options=tuple(options)), name)
    return value


def number(question: Fields, name: str, low: int, high: int, default: int | None = None) -> int:
    """Return the integer in the field ``name``, from ``low`` to ``high``. An absent field has ``default``."""
    value = _present(question, name, default)
    if type(value) is not int or not low <= value <= high:
        raise wrong_field(
            say("{name} must be a whole number from {low} to {high}", name=name, low=low, high=high),
            name,
        )
    return value


def flag(question: Fields, name: str) -> bool:
    """Return the boolean in the field ``name``, or False if the field is absent."""
    value = question.get(name, False)
    if not isinstance(value, bool):
        raise wrong_field(say("{name} must be true or false", name=name), name)
    return value


def moves(question: Fields, name: str = "moves", default: Sequence[str] | None = None) -> list[str]:
    """Return the list of moves or points in the field ``name``, each a text; at most `PLIES_AT_MOST` of them."""
    value = listed(question, name, default)
    for n, move in enumerate(value):
        if not isinstance(move, str) or not 0 < len(move) <= LONGEST_TEXT:
            raise wrong_field(say("{name}[{n}] must be a text", name=name, n=n), f"{name}[{n}]")
    return value


def listed(question: Fields, name: str, default: Sequence[Any] | None = None) -> list[Any]:
    """Return the list in the field ``name``, of at most `PLIES_AT_MOST` entries. The entries are not checked."""
    value = _present(question, name, default)
    if not isinstance(value, list | tuple):
        raise wrong_field(say("{name} must be a list", name=name), name)
    if len(value) > PLIES_AT_MOST:
        raise Unclear(
            say("Too long"),
            say(
                "{name} has {value} entries, but must not have more than {plies_at_most}",
                name=name,
                value=len(value),
                plies_at_most=PLIES_AT_MOST,
            ),
            name,
        )
    return list(value)


def _present(question: Fields, name: str, default: Any) -> Any:
    value = question.get(name, default)
    if value is None:
        raise Unclear(say("Missing field"), say("{name} is missing in the question", name=name), name)
    return value


def touched_squares(question: Question, men: Collection[str]) -> tuple[str, ...]:
    """Return the squares of the touched pieces, in order, each once. ``men``: the occupied squares."""
    touched = moves(question, "touched")
    if not 1 <= len(touched) <= SQUARES.most:
        raise wrong_field(
            say("touched must have 1 to {squares_at_most} squares", squares_at_most=SQUARES.most),
            "touched",
        )
    for n, square in enumerate(touched):
        if square not in men:
            raise Unclear(say("Empty square"), say("{square} is empty", square=repr(square)), f"touched[{n}]")
    return tuple(dict.fromkeys(touched))


def touch_answer(due: Due) -> Answer:
    """Return the moves due, ``free`` if any move may be played, and the futile touches with their articles."""
    return {
        "due": list(due.moves),
        "free": not due.moves,
        "article": due.article,
        "grounds": in_turn(map(words_of, due.grounds)),
        "futile": [one._asdict() for one in due.futile],
    }
