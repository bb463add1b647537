"""The parts that the answers of several routes share: events, responses to commands, problems and pages of lists."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Raw, UnsetType

from shared.core.readings.settlement import Act
from shared.core.terms import Mark, Role, Source, TextRef
from shared.wire.answer import Answer, said

EventTypes = Literal["every", "newest", "official", "sheets"]
"""The event types that an answer may contain: all versions in a log, or only the versions that are written now."""


SetValue = Annotated[
    Any,
    said(anyOf=[{"type": ["boolean", "number", "string"]}, {"type": "array", "items": {"type": "string"}}]),
]
"""A value of regulations (`shared.core.rulebook.regulations.Value`), points as points."""


class EventAnswer(Answer, kw_only=True):
    """An event of the log: a CloudEvents 1.0 object. The schema of ``data`` depends on ``type``."""

    EVENTS: ClassVar[EventTypes] = "every"

    specversion: Annotated[Literal["1.0"], said(description="Version of CloudEvents.")]
    id: Annotated[str, said(format="uuid", description="ID of the event.")]
    source: Annotated[Source, said(description="Service that wrote the event.")]
    type: Annotated[str, said(pattern="^arbiter\\.[a-z-]+\\.[a-z-]+\\.v[0-9]+$")]
    subject: Annotated[str, said(description="Log of the event: `tournaments/T`, or the score sheet `games/T.1.4`.")]
    time: Annotated[str, said(format="date-time", description="Time at which the event was written (RFC 3339).")]
    datacontenttype: Annotated[Literal["application/json"], said(description="Media type of `data`.")]
    partitionkey: Annotated[str, said(description="Tournament ID.")]
    sourceseq: Annotated[int, said(minimum=1, description="Number of the event among those of its source, from 1.")]
    basis: Annotated[
        int, said(minimum=0, description="Sequence number of the last event that the service had read when it decided.")
    ]
    basisroot: Annotated[str, said(description="Merkle root of the log up to `basis`, in base64.")]
    causationid: Annotated[str, said(description="ID of the command that wrote the event.")]
    actor: Annotated[str, said(description="Login name of the caller, or `rulebook` for an automatic event.")]
    role: Annotated[
        Literal[Role, "rulebook"], said(description="Role of the caller. `rulebook`: written automatically.")
    ]
    tokenid: Annotated[str | None, said(description="ID of the token (`jti`), or null.")]
    software: Annotated[str, said(description="Name and version of the program that wrote the event.")]
    data: Mapping[str, Any]
    official: (
        Annotated[
            int,
            said(minimum=0, description="On a score sheet: `sourceseq` of the last official event before the command."),
        ]
        | UnsetType
    ) = UNSET
    signature: Annotated[str, said(description="Signature of the record that ends with this event.")] | UnsetType = (
        UNSET
    )


LogLine = Annotated[Raw, EventAnswer]
"""An event, byte for byte as the log contains it."""


class SettlementAnswer(Answer):
    """An act that settles a contradiction without any other act."""

    act: Act
    rounds: Sequence[int]
    href: Annotated[str, said(format="uri-reference")]


class OutdatedBasisAnswer(Answer):
    """A pairing in force, or published standings, that a later event contradicts."""

    kind: Annotated[
        Literal["match", "qualifiers", "publication"],
        said(description="A match of a bracket, the qualifiers of a stage or of finals, or published standings."),
    ]
    pairing: Annotated[int, said(description="Number of the pairing, or 0.")]
    round: Annotated[int, said(description="Number of the round.")]
    match: Annotated[int, said(description="Number of the match, or 0.")]
    boards: Annotated[Sequence[int], said(description="Boards that the contradiction concerns.")]
    seated: Annotated[Sequence[int], said(description="Players or teams that are paired. A missing side is 0.")]
    due: Annotated[Sequence[int], said(description="Players or teams that would be paired now. A missing side is 0.")]
    seq: Annotated[int, said(description="Sequence number of the event that contradicts the pairing or standings.")]
    article: str
    settle: Annotated[Sequence[SettlementAnswer], said(description="Acts, each of which settles the contradiction.")]
    message: Annotated[str, said(description="The contradiction in a sentence, in the language of the request.")]


class Written(Answer, kw_only=True):
    """The members that the response to every command has. Empty `out_of_force`, `in_force_again` and `reopened` are omitted."""

    events: Annotated[
        Sequence[LogLine],
        said(
            description="Events that the command wrote. Empty if there was nothing to change, and with `events=false`."
        ),
    ]
    event_ids: (
        Annotated[
            Sequence[str],
            said(
                description="With `events=false`: IDs of the events that the command wrote, in their order. A webhook sends each "
                "of them as `webhook-id`."
            ),
        ]
        | UnsetType
    ) = UNSET
    rulings: (
        Annotated[
            Sequence[str],
            said(
                description="IDs of the rulings and annulments that follow from the command, without its own ruling. Absent if "
                "no event was written."
            ),
        ]
        | UnsetType
    ) = UNSET
    follows: (
        Annotated[
            str,
            said(
                format="uri-reference",
                description="Address of the outcome of the command. Absent if no event was written.",
            ),
        ]
        | UnsetType
    ) = UNSET
    consequences: (
        Annotated[
            Sequence[LogLine],
            said(
                description="Events of automatic follow-up commands. Absent while other services decide them. Empty with "
                "`events=false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    consequence_ids: (
        Annotated[
            Sequence[str], said(description="With `events=false`: IDs of the events of automatic follow-up commands.")
        ]
        | UnsetType
    ) = UNSET
    out_of_force: Annotated[Sequence[str], said(description="Rulings that are no longer in force.")] | UnsetType = UNSET
    in_force_again: Annotated[Sequence[str], said(description="Rulings that are in force again.")] | UnsetType = UNSET
    reopened: Annotated[Sequence[str], said(description="Games that lost the result of a ruling.")] | UnsetType = UNSET
    outdated: (
        Annotated[
            Sequence[OutdatedBasisAnswer],
            said(
                description="Pairings and standings that the command contradicts. Until they are settled, no further bracket "
                "or stage round is paired and no final standings are published. Omitted if the command contradicts none."
            ),
        ]
        | UnsetType
    ) = UNSET


class WrittenAnswer(Answer):
    """The response to a command."""

    ADDED: ClassVar[type[Answer]] = Written


class ProblemAnswer(Answer):
    """An RFC 9457 problem document. Programs read ``type`` and ``status``; ``title`` and ``detail`` are for people."""

    OPENAPI: ClassVar[dict[str, Any]] = {
        "type": "object",
        "description": "An RFC 9457 problem document. Programs read `type` and `status`.",
        "required": ["type", "title", "status", "written", "help"],
        "properties": {
            "type": {
                "type": "string",
                "pattern": "^urn:arbiter:problem:[a-z0-9-]+$",
                "description": "Kind of the problem. It ends with the problem code.",
            },
            "title": {"type": "string", "description": "Short title, in the language of the request."},
            "status": {"type": "integer", "description": "HTTP status."},
            "detail": {"type": "string", "description": "Explanation, in the language of the request."},
            "written": {
                "type": "string",
                "enum": ["no", "unknown"],
                "description": "`no`: nothing was written. `unknown`: look at `see`, or repeat the request with the same "
                "Idempotency-Key.",
            },
            "command": {"type": "string", "description": "ID of the command whose outcome is unknown."},
            "article": {"type": "string", "description": "Article of the rule that refuses the command."},
            "where": {"type": "string", "description": "Field or parameter that is wrong."},
            "see": {"type": "string", "description": "Address with more information."},
            "help": {
                "type": "string",
                "pattern": "^/problems/[a-z0-9-]+$",
                "description": "Address of the page that explains the problem code.",
            },
            "errors": {
                "description": "With status 422: each wrong field, and what is wrong with it. All problem codes have this shape.",
                "$ref": "#/components/schemas/ProblemErrors",
            },
            "seq": {"type": "integer", "description": "Present sequence number of the tournament, for status 412."},
            "incident": {"type": "string", "description": "ID of the failure in the log of the service."},
        },
    }
    ERRORS: ClassVar[dict[str, Any]] = {
        "type": "object",
        "description": "Wrong fields, by name or by position in a list. The values are messages, or the wrong fields inside.",
        "additionalProperties": {
            "anyOf": [{"type": "array", "items": {"type": "string"}}, {"$ref": "#/components/schemas/ProblemErrors"}]
        },
    }


class ListAnswer(Answer, kw_only=True):
    """A page of a list. The rows are in the member that the address ends in."""

    next: (
        Annotated[str, said(format="uri-reference", description="Address of the next page. Null on the last page.")]
        | None
    ) = None


Position = Annotated[
    int, said(description="Log position: sequence number of the last event that the response includes.")
]


class TournamentListAnswer(ListAnswer):
    """A page of a list of a tournament."""

    tournament: str
    seq: Position


class TextReference(Answer):
    """A reference to an erasable text."""

    text: Annotated[str, said(pattern="^[0-9a-f]{64}$")]


StoredText = Annotated[TextRef, TextReference]


class MarkAnswer(Answer):
    """The result of one side of a game."""

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
    data: Annotated[Any, said(type="object")]


class PreviewedAnswer(Answer, kw_only=True):
    """The events that a command would write. Nothing was written."""

    preview: Annotated[bool, said(description="Always true.")]
    events: Annotated[Sequence[PreviewedEvent], said(description="Events that would be written.")]
    lines: (
        Annotated[Sequence[PreviewedEvent], said(description="Events that would be written on a score sheet.")]
        | UnsetType
    ) = UNSET
    outdated: (
        Annotated[
            Sequence[OutdatedBasisAnswer],
            said(
                description="Pairings and standings that the command would contradict. Omitted if the command contradicts none."
            ),
        ]
        | UnsetType
    ) = UNSET
