"""A question to the judge: what may be asked, and its fields, read with their types and limits.

Every reader raises `Unclear`, naming the field, for what is missing, of another type or too much.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from services.games.rules.boards.port.position import End, IllegalMove
from services.games.rules.boards.port.search_budget import Effort
from services.games.rules.boards.port.set_up import BadPosition
from services.games.rules.play.moves import PLIES_AT_MOST
from shared.core.language.messages import Message, message_of, say
from shared.core.rulebook.game_rules import BoardRules

Answer: TypeAlias = dict[str, Any]
Fields: TypeAlias = Mapping[str, Any]
"""An object of a question, or the question itself."""

R = TypeVar("R", bound=BoardRules)

LONGEST_TEXT = 200


class Question(dict[str, Any]):
    """A JSON object as it came, with the ``effort`` that its answer may take and the rules that it is judged by."""

    def __init__(self, fields: Mapping[str, Any], effort: Effort, rules: BoardRules | None) -> None:
        super().__init__(fields)
        self.effort = effort
        self._rules = rules

    def rules(self, of: type[R]) -> R:
        """The rules of the game, which are of this class."""
        assert isinstance(self._rules, of), "the table of rules has one class a game"
        return self._rules


@dataclass(frozen=True, slots=True)
class Ask:
    """What may be asked of a game: ``answer`` answers it, or raises `Unclear`; ``fields``: those that it reads besides the
    ones that every question has."""

    answer: Callable[[Question], Answer]
    fields: tuple[str, ...]


class Unclear(Exception):
    """A question without an answer, and why. ``title`` names the fault and never varies; ``where`` is the field."""

    def __init__(self, title: Message, detail: Message, where: str, article: str | None = None) -> None:
        super().__init__(detail)
        self.title, self.detail, self.where, self.article = title, detail, where, article


def unclear_position(problem: BadPosition, where: str, article: str | None = None) -> Unclear:
    """The fault of a position that a field tells; ``article``: of one that no game can reach."""
    detail = say("{where}: {problem}", where=where, problem=message_of(problem))
    if problem.impossible:
        return Unclear(say("Impossible position"), detail, where, article)
    return Unclear(say("Unreadable position"), detail, where)


def illegal_move(n: int, move: str, fault: IllegalMove) -> Unclear:
    """Return the fault of the move of this index that the rules forbid."""
    detail = say("move {n}, {move}: {reason}", n=n + 1, move=move, reason=fault.reason)
    return Unclear(say("Illegal move"), detail, f"moves[{n}]", fault.article)


def end_answer(end: End | None, winners: Mapping[str, str] = MappingProxyType({})) -> Answer | None:
    """Return how a game ends; ``winners``: what a side is called, if not as it is."""
    if end is None:
        return None
    winner = None if end.winner is None else winners.get(end.winner, end.winner)
    return {"termination": end.termination, "winner": winner, "article": end.article}


def text(question: Fields, name: str, default: str | None = None, longest: int = LONGEST_TEXT) -> str:
    """A text of at most ``longest`` characters; ``default`` where the field is absent."""
    value = _present(question, name, default)
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise Unclear(
            say("Wrong field"),
            say("{name} is a text of 1 to {longest_text} characters", name=name, longest_text=longest),
            name,
        )
    return value


def choice(question: Fields, name: str, options: Sequence[str], default: str | None = None) -> str:
    """One of ``options``."""
    value = _present(question, name, default)
    if not isinstance(value, str) or value not in options:
        raise Unclear(say("Wrong field"), say("{name} is one of {options}", name=name, options=tuple(options)), name)
    return value


def number(question: Fields, name: str, low: int, high: int, default: int | None = None) -> int:
    """A whole number from ``low`` to ``high``."""
    value = _present(question, name, default)
    if type(value) is not int or not low <= value <= high:
        raise Unclear(
            say("Wrong field"),
            say("{name} is a whole number from {low} to {high}", name=name, low=low, high=high),
            name,
        )
    return value


def flag(question: Fields, name: str) -> bool:
    """True or false; absent is false."""
    value = question.get(name, False)
    if not isinstance(value, bool):
        raise Unclear(say("Wrong field"), say("{name} is true or false", name=name), name)
    return value


def moves(question: Fields, name: str = "moves", default: Sequence[str] | None = None) -> list[str]:
    """Moves or points, one text each, at most `PLIES_AT_MOST`."""
    value = listed(question, name, default)
    for n, move in enumerate(value):
        if not isinstance(move, str) or not 0 < len(move) <= LONGEST_TEXT:
            raise Unclear(say("Wrong field"), say("{name}[{n}] is not a text", name=name, n=n), f"{name}[{n}]")
    return value


def listed(question: Fields, name: str, default: Sequence[Any] | None = None) -> list[Any]:
    """A list of at most `PLIES_AT_MOST` entries, unread."""
    value = _present(question, name, default)
    if not isinstance(value, list | tuple):
        raise Unclear(say("Wrong field"), say("{name} is a list", name=name), name)
    if len(value) > PLIES_AT_MOST:
        raise Unclear(
            say("Too long"),
            say(
                "{name} has {value} entries, at most {plies_at_most} are read",
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
        raise Unclear(say("Missing field"), say("the question has no {name}", name=name), name)
    return value
