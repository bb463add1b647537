"""What answers are made of: each member named, each there unless it is said to be absent at times."""

from collections.abc import Sequence
from typing import Any, ClassVar, get_args

from marshmallow import RAISE, Schema, fields, validate

from shared.core.readings.settlement import Act
from shared.core.rulebook.facts import FACTS, OUTSIDER, FactType
from shared.core.terms import ROLES, SOURCES
from shared.http.openapi.event_answers import EventTypes

OPTIONAL: dict[str, Any] = {"optional": True}
"""Metadata of a member that is not in every answer; null is said by ``allow_none`` instead."""


class Answer(Schema):
    """A JSON object that has these members and no others; all of them, but for those that are `OPTIONAL`."""

    class Meta:
        unknown = RAISE

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Every member is there unless its field says otherwise."""
        field_obj.required = not field_obj.metadata.get("optional", False)


def of_type(name: str, **options: Any) -> fields.Raw:
    """A value of one of the `openapi_answers.TYPES`, written as the dataclass is."""
    return fields.Raw(metadata={"allOf": [{"$ref": f"#/components/schemas/Log{name}"}]}, **options)


def log_schema(type: type) -> dict[str, Any]:
    """The schema of a dataclass that the log holds, written as it is there."""
    return {"$ref": f"#/components/schemas/Log{type.__name__}"}


class Described(fields.Raw):
    """A value that JSON Schema describes, and marshmallow does not."""

    def __init__(self, schema: dict[str, Any], **options: Any) -> None:
        super().__init__(**options)
        self.SCHEMA = schema


class AnyOf(fields.Raw):
    """A value of any of these schemas."""

    def __init__(self, schemas: Sequence[type[Schema]], **options: Any) -> None:
        super().__init__(**options)
        self.ANY_OF = tuple(schemas)


VALUE: dict[str, Any] = {
    "anyOf": [{"type": ["boolean", "number", "string"]}, {"type": "array", "items": {"type": "string"}}]
}
"""A value of regulations (`shared.core.rulebook.regulations.Value`), points as points."""
_FACTS: dict[FactType, dict[str, Any]] = {
    "seconds": {"type": "integer", "minimum": 0},
    "count": {"type": "integer", "minimum": 0},
    "boolean": {"type": "boolean"},
    "player": {"anyOf": [{"type": "integer"}, {"const": OUTSIDER}]},
}
FACT_VALUES: dict[str, Any] = {
    "type": "object",
    "properties": {name: _FACTS[type] for name, type in FACTS.items()},
    "additionalProperties": False,
}
"""Facts of a report, by name."""


class EventAnswer(Answer):
    """A CloudEvents 1.0 object as it stands in the log: ``data`` is that of its ``type``."""

    EVENTS: ClassVar[EventTypes] = "every"

    specversion = fields.String(validate=validate.Equal("1.0"))
    id = fields.String(metadata={"format": "uuid"})
    source = fields.String(validate=validate.OneOf(SOURCES))
    type = fields.String(metadata={"pattern": r"^arbiter\.[a-z-]+\.[a-z-]+\.v[0-9]+$"})
    subject = fields.String(metadata={"description": "the log that it stands in: tournaments/T or games/T.1.4"})
    time = fields.String(metadata={"format": "date-time"})
    datacontenttype = fields.String(validate=validate.Equal("application/json"))
    partitionkey = fields.String()
    sourceseq = fields.Integer(metadata={"minimum": 1, "description": "this source's n-th event of the subject"})
    basis = fields.Integer(metadata={"minimum": 0, "description": "the last line that its decider had read"})
    basisroot = fields.String(metadata={"description": "Merkle root of the log up to the basis, base64"})
    causationid = fields.String(metadata={"description": "the command that wrote it"})
    actor = fields.String()
    role = fields.String(validate=validate.OneOf((*ROLES, "rulebook")))
    tokenid = fields.String(allow_none=True)
    software = fields.String()
    data = fields.Dict()
    official = fields.Integer(
        metadata=OPTIONAL
        | {"minimum": 0, "description": "on a score sheet: its source's last own official event before the command"}
    )
    signature = fields.String(metadata=OPTIONAL | {"description": "of the record that the line ends"})


class SettlementAnswer(Answer):
    """An act that settles it alone. ``rounds``: those it is done to, in this order; ``href``: where the first request goes."""

    act = fields.String(validate=validate.OneOf(get_args(Act)))
    rounds = fields.List(fields.Integer())
    href = fields.String(metadata={"format": "uri-reference"})


class OutdatedBasisAnswer(Answer):
    """A pairing in force, or a published table, that something later contradicts.

    ``kind``: a ``match`` of a bracket, the ``qualifiers`` that begin a stage or finals, or a ``publication``. ``seated``:
    the entries or teams of the pairing; ``due``: those that would be seated now; 0 is a missing side. ``seq``: the event that
    it is outdated by. ``pairing`` and ``match`` are 0 if there is none.
    """

    kind = fields.String(validate=validate.OneOf(("match", "qualifiers", "publication")))
    pairing = fields.Integer()
    round = fields.Integer()
    match = fields.Integer()
    boards = fields.List(fields.Integer())
    seated = fields.List(fields.Integer())
    due = fields.List(fields.Integer())
    seq = fields.Integer()
    article = fields.String()
    message = fields.String()
    settle = fields.List(fields.Nested(SettlementAnswer))


class WrittenAnswer(Answer):
    """What a command wrote: ``events`` its lines, ``rulings`` those that it brought.

    ``follows``: where all stands that came of it; ``consequences``: the lines of commands that followed from it without a
    person, absent while other services decide them. Where nothing was left to write, ``events`` is empty and stands alone.
    ``outdated``: pairings and tables that the command contradicts, absent if there are none; no further bracket or stage round
    is paired, and no final table published, until they are settled.
    """

    events = fields.List(fields.Nested(EventAnswer))
    rulings = fields.List(fields.String(), metadata=OPTIONAL)
    follows = fields.String(metadata=OPTIONAL | {"format": "uri-reference"})
    consequences = fields.List(fields.Nested(EventAnswer), metadata=OPTIONAL)
    outdated = fields.List(fields.Nested(OutdatedBasisAnswer), metadata=OPTIONAL)


class ProblemAnswer(Answer):
    """An RFC 9457 problem document: ``type`` and ``status`` are for programs, ``title`` and ``detail`` in the language of the
    request; ``errors`` names each wrong field."""

    OPENAPI: ClassVar[dict[str, Any]] = {
        "type": "object",
        "description": "An RFC 9457 problem document.",
        "required": ["type", "title", "status", "written"],
        "properties": {
            "type": {"type": "string", "pattern": "^urn:arbiter:problem:[a-z0-9-]+$"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
            "written": {
                "type": "string",
                "enum": ["no", "unknown"],
                "description": "no: nothing was written; unknown: look at `see`, or send it again with the same Idempotency-Key",
            },
            "command": {"type": "string", "description": "the command whose outcome is not known"},
            "article": {"type": "string"},
            "where": {"type": "string"},
            "see": {"type": "string"},
            "errors": {"$ref": "#/components/schemas/ProblemErrors"},
            "seq": {"type": "integer"},
            "incident": {"type": "string", "description": "what the service's log calls a failure of its own"},
        },
    }
    ERRORS: ClassVar[dict[str, Any]] = {
        "type": "object",
        "description": "Each wrong field, by its name or its place in a list, and what is wrong with it or with what it holds.",
        "additionalProperties": {
            "anyOf": [{"type": "array", "items": {"type": "string"}}, {"$ref": "#/components/schemas/ProblemErrors"}]
        },
    }


class ListAnswer(Answer):
    """A list: its rows in the member that its address ends in, and where to go on; ``next`` null: there are no more."""

    next = fields.String(allow_none=True, metadata={"format": "uri-reference"})


class TournamentListAnswer(ListAnswer):
    """A list of a tournament, as its line ``seq`` has it."""

    tournament = fields.String()
    seq = fields.Integer()


class TextReference(Answer):
    """A text that can be erased, by its hash."""

    text = fields.String(metadata={"pattern": "^[0-9a-f]{64}$"})


class MarkAnswer(Answer):
    """What a game gives to one side."""

    points = fields.Float()
    played = fields.Boolean()
    counted = fields.Boolean()


class PreviewedEvent(Answer):
    """An event as it would be written."""

    EVENTS: ClassVar[EventTypes] = "newest"

    type = fields.String()
    role = fields.String()
    data = fields.Dict()


class PreviewedAnswer(Answer):
    """What a command would write; ``lines`` are those of a score sheet. Nothing was written.

    ``outdated``: pairings and tables that it would contradict, absent if there are none.
    """

    preview = fields.Boolean()
    events = fields.List(fields.Nested(PreviewedEvent))
    lines = fields.List(fields.Nested(PreviewedEvent), metadata=OPTIONAL)
    outdated = fields.List(fields.Nested(OutdatedBasisAnswer), metadata=OPTIONAL)
