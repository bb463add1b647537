"""What answers are made of: each member named, each there unless it is said to be absent at times."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from shared.core.readings.settlement import Act
from shared.core.rulebook.facts import FACTS, OUTSIDER, FactType
from shared.core.terms import Mark, Role, Source, TextRef

EventTypes = Literal["every", "newest", "official", "sheets"]
"""The event types that an answer may hold: in every version of a log, or only the versions that are written now."""


class Answer(Struct):
    """A JSON object that has these members and no others, in this order; those that may be `UNSET` are absent at times."""


def said(**keywords: Any) -> Meta:
    """Return what JSON Schema says of a value beside its type."""
    return Meta(extra_json_schema=keywords)


SetValue = Annotated[
    Any,
    said(anyOf=[{"type": ["boolean", "number", "string"]}, {"type": "array", "items": {"type": "string"}}]),
]
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
Facts = Annotated[Mapping[str, Any], said(**FACT_VALUES)]


class EventAnswer(Answer, kw_only=True):
    """A CloudEvents 1.0 object as it stands in the log: ``data`` is that of its ``type``."""

    EVENTS: ClassVar[EventTypes] = "every"

    specversion: Literal["1.0"]
    id: Annotated[str, said(format="uuid")]
    source: Source
    type: Annotated[str, said(pattern="^arbiter\\.[a-z-]+\\.[a-z-]+\\.v[0-9]+$")]
    subject: Annotated[str, said(description="the log that it stands in: tournaments/T or games/T.1.4")]
    time: Annotated[str, said(format="date-time")]
    datacontenttype: Literal["application/json"]
    partitionkey: str
    sourceseq: Annotated[int, said(minimum=1, description="this source's n-th event of the subject")]
    basis: Annotated[int, said(minimum=0, description="the last line that its decider had read")]
    basisroot: Annotated[str, said(description="Merkle root of the log up to the basis, base64")]
    causationid: Annotated[str, said(description="the command that wrote it")]
    actor: str
    role: Literal[Role, "rulebook"]
    tokenid: str | None
    software: str
    data: Mapping[str, Any]
    official: (
        Annotated[
            int,
            said(minimum=0, description="on a score sheet: its source's last own official event before the command"),
        ]
        | UnsetType
    ) = UNSET
    signature: Annotated[str, said(description="of the record that the line ends")] | UnsetType = UNSET


LogLine = Annotated[Raw, EventAnswer]
"""An event, byte for byte as the log has it."""


class SettlementAnswer(Answer):
    """An act that settles it alone. ``rounds``: those it is done to, in this order; ``href``: where the first request goes."""

    act: Act
    rounds: Sequence[int]
    href: Annotated[str, said(format="uri-reference")]


class OutdatedBasisAnswer(Answer):
    """A pairing in force, or a published table, that something later contradicts.

    ``kind``: a ``match`` of a bracket, the ``qualifiers`` that begin a stage or finals, or a ``publication``. ``seated``:
    the entries or teams of the pairing; ``due``: those that would be seated now; 0 is a missing side. ``seq``: the event that
    it is outdated by. ``pairing`` and ``match`` are 0 if there is none.
    """

    kind: Literal["match", "qualifiers", "publication"]
    pairing: int
    round: int
    match: int
    boards: Sequence[int]
    seated: Sequence[int]
    due: Sequence[int]
    seq: int
    article: str
    message: str
    settle: Sequence[SettlementAnswer]


class Written(Answer, kw_only=True):
    """What the command handler says of a command: ``events`` its lines, ``rulings`` those that it brought.

    ``follows``: where all stands that came of it; ``consequences``: the lines of commands that followed from it without a
    person, absent while other services decide them. Where nothing was left to write, ``events`` is empty and stands alone.
    ``outdated``: pairings and tables that the command contradicts, absent if there are none; no further bracket or stage round
    is paired, and no final table published, until they are settled.
    """

    events: Sequence[LogLine]
    rulings: Sequence[str] | UnsetType = UNSET
    follows: Annotated[str, said(format="uri-reference")] | UnsetType = UNSET
    consequences: Sequence[LogLine] | UnsetType = UNSET
    outdated: Sequence[OutdatedBasisAnswer] | UnsetType = UNSET


class WrittenAnswer(Answer):
    """The answer to a command: its own members, then those of `Written`, which the command handler adds."""

    ADDED: ClassVar[type[Answer]] = Written


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


class ListAnswer(Answer, kw_only=True):
    """A list: its rows in the member that its address ends in, and where to go on; ``next`` null: there are no more."""

    next: Annotated[str, said(format="uri-reference")] | None = None


class TournamentListAnswer(ListAnswer):
    """A list of a tournament, as its line ``seq`` has it."""

    tournament: str
    seq: int


class TextReference(Answer):
    """A text that can be erased, by its hash."""

    text: Annotated[str, said(pattern="^[0-9a-f]{64}$")]


StoredText = Annotated[TextRef, TextReference]


class MarkAnswer(Answer):
    """What a game gives to one side."""

    points: float
    played: bool
    counted: bool

    @classmethod
    def of(cls, mark: Mark) -> "MarkAnswer":
        """Return a mark with its points as a JSON number."""
        return cls(mark.points / 2, mark.played, mark.counted)


class PreviewedEvent(Answer):
    """An event as it would be written."""

    EVENTS: ClassVar[EventTypes] = "newest"

    type: str
    role: str
    data: Mapping[str, Any]


class PreviewedAnswer(Answer, kw_only=True):
    """What a command would write; ``lines`` are those of a score sheet. Nothing was written.

    ``outdated``: pairings and tables that it would contradict, absent if there are none.
    """

    preview: bool
    events: Sequence[PreviewedEvent]
    lines: Sequence[PreviewedEvent] | UnsetType = UNSET
    outdated: Sequence[OutdatedBasisAnswer] | UnsetType = UNSET
