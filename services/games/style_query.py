"""The style of moves that a query asks for."""

from collections.abc import Collection

from flask import request

from services.games.notations import NOTATIONS, WIDTHS, MoveStyle
from services.games.rules.boards.registry import Variant
from shared.core.language.messages import say
from shared.http.problems import Problem


def asked_style(variant: Variant | None) -> MoveStyle:
    """How the query wants moves told. Raises `Problem` 422 for what this game's moves cannot be told in."""
    choices = NOTATIONS.get(variant.name, {}) if variant is not None else {}
    notation = _one_of("notation", choices)
    width = _one_of("width", WIDTHS)
    return MoveStyle(notation, "full" if width == "full" else "half")


def _one_of(name: str, choices: Collection[str]) -> str | None:
    value = request.args.get(name)
    if value is not None and value not in choices:
        wrong = (
            say("{name} is one of {choices}", name=name, choices=tuple(choices))
            if choices
            else say("this game's moves have no other {name}", name=name)
        )
        raise Problem(422, "bad-query", say("Bad query"), wrong, errors={name: [wrong]})
    return value
