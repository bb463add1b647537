"""The answers about sets of regulations."""

from marshmallow import fields

from shared.http.openapi.answers import OPTIONAL, VALUE, Answer, Described, ListAnswer, log_schema
from shared.regulations.description import ROWS


class RegulationsListed(Answer):
    """``see``: where the set is whole."""

    name = fields.String()
    edition = fields.String()
    digest = fields.String()
    games = fields.List(fields.String())
    see = fields.String()


class RegulationsListAnswer(ListAnswer):
    regulations = fields.List(fields.Nested(RegulationsListed))


class ReadingAnswer(Answer):
    """One way to read a text; ``taken``: it is the set's."""

    value = Described(VALUE)
    source = fields.String()
    taken = fields.Boolean()


class BoundsAnswer(Answer):
    """What an organiser may set: from ``least`` to ``most``, or one of ``choices``."""

    least = fields.Integer(metadata=OPTIONAL)
    most = fields.Integer(metadata=OPTIONAL)
    choices = fields.List(Described(VALUE), metadata=OPTIONAL)
    article = fields.String()


class ValueAnswer(Answer):
    """``unit``: points, seconds, plies, rounds, moves; null for what is no such number. ``bounds`` null: no
    organiser sets it."""

    path = fields.String()
    value = Described(VALUE)
    unit = fields.String(allow_none=True)
    bounds = fields.Nested(BoundsAnswer, allow_none=True)
    article = fields.String(allow_none=True)
    readings = fields.List(fields.Nested(ReadingAnswer))


class FactAnswer(Answer):
    """The infraction is one only where the fact ``holds`` so, or is at ``least`` that; ``either``: it is none only where all
    facts so marked speak against it. ``otherwise``: what is allowed then. ``each``: the infraction counts once for each so
    many; 0: it counts once."""

    name = fields.String()
    type = fields.String()
    required = fields.Boolean()
    article = fields.String()
    holds = fields.Boolean(allow_none=True)
    least = fields.Integer(allow_none=True)
    either = fields.Boolean()
    otherwise = fields.String()
    each = fields.Integer()


class InfractionAnswer(Answer):
    """``effect`` null: the authority chooses it. ``games`` empty: those of the set. ``counts_as``: the infraction as which a
    report of it is ruled on; null: itself."""

    name = fields.String()
    chinese = fields.String()
    article = fields.String()
    games = fields.List(fields.String())
    counter = fields.String(allow_none=True)
    effect = fields.String(allow_none=True)
    facts = fields.List(fields.Nested(FactAnswer))
    results = fields.List(fields.String())
    counts_as = fields.String(allow_none=True)


class RungAnswer(Answer):
    rule = fields.String()
    counter = fields.String()
    count = fields.Integer()
    scope = fields.String()
    effect = fields.String()
    article = fields.String()
    draws = fields.Boolean()
    games = fields.List(fields.String())
    moves = fields.String(allow_none=True)


class ContradictionAnswer(Answer):
    """What texts say in two ways, or leave open; ``paths``: the values of this set that settle it, with their readings."""

    number = fields.Integer()
    subject = fields.String()
    paths = fields.List(fields.String())


_ROWS = {
    "type": "object",
    "properties": {path: {"type": "array", "items": log_schema(row)} for path, row in ROWS.items()},
    "additionalProperties": False,
}


class RegulationsAnswer(Answer):
    """``rows``: the tables that are neither infractions nor ladder, by their path."""

    name = fields.String()
    edition = fields.String()
    digest = fields.String()
    games = fields.List(fields.String())
    values = fields.List(fields.Nested(ValueAnswer))
    infractions = fields.List(fields.Nested(InfractionAnswer))
    ladder = fields.List(fields.Nested(RungAnswer))
    contradictions = fields.List(fields.Nested(ContradictionAnswer))
    rows = Described(_ROWS)
