"""The fields of the form of a ruling, as a browser sends them: texts."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from services.penalties.forms.form_schemas import reason
from shared.core.language.messages import say
from shared.core.rulebook.effects import CHOSEN, FACTS, OUTSIDER, FactName, FactType
from shared.core.state.outcomes import NOTATION
from shared.core.values.bounds import AROUND_START, ENTRY, PLY, ROUND


class YesOrNo(fields.Field[bool]):
    """A choice of two: ``yes`` or ``no``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if value not in ("yes", "no"):
            raise ValidationError([say("yes or no")])
        return bool(value == "yes")


class Whose(fields.Field[int | str]):
    """The number of an entry, or ``outsider``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int | str:
        if value == OUTSIDER:
            return OUTSIDER
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(ENTRY.high))):
            raise ValidationError([say("must be the number of a player, or {outsider}", outsider=OUTSIDER)])
        return int(text)


class Rounds(fields.Field[list[int]]):
    """Rounds by their numbers, parted by spaces or commas."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[int]:
        numbers = str(value).replace(",", " ").replace("，", " ").replace("、", " ").split()
        if not all(n.isascii() and n.isdigit() and 1 <= int(n[:6]) <= ROUND.high for n in numbers):
            raise ValidationError([say("give the numbers of the rounds, such as 5 6")])
        return [int(n) for n in numbers]


_OF_TYPE: dict[FactType, type[fields.Field[Any]]] = {
    "seconds": fields.Integer,
    "count": fields.Integer,
    "boolean": YesOrNo,
    "player": Whose,
}
FACT = "fact_"
"""Prefix of the name of a form field for a fact."""


def field_of(fact: FactName) -> str:
    """Return the name of the form's field for a fact."""
    return FACT + fact


RulingForm = Schema.from_dict(
    {
        "infraction": fields.String(required=True, validate=validate.Length(1, 60)),
        "player": fields.Integer(required=True, validate=validate.Range(1, ENTRY.high)),
        "ply": fields.Integer(validate=validate.Range(1, PLY.high)),
        "note": reason(),
        "q": reason(),
        "effect": fields.String(validate=validate.OneOf(CHOSEN)),
        "result": fields.String(validate=validate.OneOf(list(NOTATION))),
        "points": fields.Float(),
        "clock": fields.Integer(validate=validate.Range(AROUND_START.low, AROUND_START.high)),
        "rounds": Rounds(),
        **{field_of(name): _OF_TYPE[type]() for name, type in FACTS.items()},
    },
    name="RulingForm",
)
"""A ruling on a board: the ``infraction``, the player, a field for each fact, and the effect where an authority chooses it.
``q`` is what was searched for."""
