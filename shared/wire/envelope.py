"""The edge between bytes and events: CloudEvents 1.0 lines, read, written and signed.

A line is serialised once, here, and read here; nothing else knows the wire. Types and versions: `core/event_types`.

A record contains the lines that one command wrote on one topic. Its signature is the last member of its last line:
``<8 hex digits of the key's hash>:<base64 of 64 bytes>``. It covers the record's lines, joined by LF, without that member.
"""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from shared.core import events as ev
from shared.core.event_types.registry import NAMES, UPCASTERS
from shared.core.language.messages import Message, say
from shared.core.terms import GameId, Role, Seq, Source
from shared.wire.event_data import READERS, InvalidEvent, encode_data, encode_text, lifted

# What no line can name: ``seq`` is set after reading, and a line that tried to is refused.
_WIRE_NAMES = {"stream": "subject", "command": "causationid", "seq": " seq"}


_SIGNATURE = b',"signature":"'
_SIGNATURE_END = re.compile(rb',"signature":"([0-9a-f]{8}:[A-Za-z0-9+/]{85}[AQgw]==)"\}')
_SIGNATURE_LENGTH = len(_SIGNATURE) + 8 + 1 + 88 + len(b'"}')


class Line(ev.Event, Protocol):
    """An event read from its line, with what chains the lines."""

    @property
    def id(self) -> str: ...
    @property
    def stream(self) -> str: ...
    @property
    def basisroot(self) -> str: ...
    @property
    def signature(self) -> str | None: ...


class Unreadable(ValueError):
    """A line that is no event this version reads. ``detail`` says why; ``line`` is its number, 0 if unknown."""

    def __init__(self, detail: Message, line: int = 0) -> None:
        super().__init__(f"line {line}: {detail}" if line else detail)
        self.detail, self.line = detail, line


class CloudEvent(msgspec.Struct, forbid_unknown_fields=True, gc=False, rename=_WIRE_NAMES):
    """A line of a log or sheet, read: an `events.Event` and what the log's own book-keeping needs.

    ``data`` arrives raw and is decoded by ``type``; ``seq`` comes from where the line stands. ``signature`` is that of the
    record which the line ends.
    """

    specversion: str
    id: str
    source: Source
    type: str
    stream: str
    time: str
    datacontenttype: str
    partitionkey: str
    sourceseq: int
    basis: Seq
    basisroot: str
    command: str
    actor: str
    role: Role
    tokenid: str
    software: str
    data: msgspec.Raw
    official: int | None = None
    signature: str | None = None
    seq: Seq = Seq(0)

    @property
    def game(self) -> GameId | None:
        """The game whose score sheet the line stands on; None in the official log."""
        return GameId(self.stream[6:]) if self.stream.startswith("games/") else None


_FIELDS = tuple(zip(CloudEvent.__struct_fields__, CloudEvent.__struct_encode_fields__, strict=True))
ATTRIBUTES = _FIELDS[: CloudEvent.__struct_fields__.index("data")]
"""The members that every line has before its ``data``, in the order in which `write` writes them: field, name on the wire."""

ENVELOPE = msgspec.json.Decoder(CloudEvent)
_READ, _READER_OF = ENVELOPE.decode, READERS.get


def read(line: bytes, seq: int) -> Line:
    """Decode one line (without its LF) as the ``seq``-th of its stream.

    Raises `Unreadable` naming what is wrong.
    """
    try:
        event: Any = _READ(line)
        reader = _READER_OF(event.type)
        if reader is None and event.type not in UPCASTERS:
            raise Unreadable(say("unknown event type {type}", type=repr(event.type)), seq)
        event.data = reader(event.data) if reader is not None else lifted(event.type, event.data)
    except msgspec.MsgspecError as problem:
        raise Unreadable(say("{text}", text=str(problem)), seq) from None
    except (UnicodeDecodeError, RecursionError) as problem:
        raise Unreadable(say("not readable as JSON: {problem}", problem=str(problem)), seq) from None
    if event.specversion != "1.0" or event.seq:
        raise Unreadable(
            say("not a CloudEvents 1.0 event: specversion is {specversion}", specversion=repr(event.specversion)), seq
        )
    if event.signature is not None and split_signature(line)[1] != event.signature:
        raise Unreadable(say("its signature is not the last member, or is malformed"), seq)
    event.seq = seq
    return event  # type: ignore[no-any-return]


def split(content: bytes) -> list[bytes]:
    """The lines of an export, without their LF; a last line that was cut off is kept, marked by no LF after it.

    Raises `Unreadable` where the last line lacks its LF.
    """
    lines = content.split(b"\n")
    if lines.pop():
        raise Unreadable(say("the last line is cut off: its line end is missing"), len(lines) + 1)
    return lines


class Header(msgspec.Struct, frozen=True):
    """What the events of one command share on the wire. ``names``: the version of each type that is written."""

    stream: str
    source: Source
    basis: Seq
    basisroot: bytes
    causationid: str
    tokenid: str
    software: str
    names: Mapping[type, str] = msgspec.field(default_factory=lambda: NAMES)


def write(
    header: Header,
    id: str,
    time: str,
    sourceseq: int,
    actor: str,
    role: Role,
    data: ev.Data,
    official: int | None = None,
) -> bytes:
    """Serialise one event: the bytes that are stored, shipped, hashed and exported for ever.

    Raises `InvalidEvent` for data that its type does not take, for NUL or a lone surrogate in any text, and for a type that
    ``header.names`` lacks.
    """
    name = header.names.get(type(data))
    if name is None:
        raise InvalidEvent((), f"{NAMES[type(data)]} is written once ARBITER_EDITION allows it")
    attributes: dict[str, Any] = {
        "specversion": "1.0",
        "id": id,
        "source": header.source,
        "type": name,
        "subject": header.stream,
        "time": time,
        "datacontenttype": "application/json",
        "partitionkey": header.stream.partition("/")[2],
        "sourceseq": sourceseq,
        "basis": header.basis,
        "basisroot": b64encode(header.basisroot).decode(),
        "causationid": header.causationid,
        "actor": actor,
        "role": role,
        "tokenid": header.tokenid,
        "software": header.software,
    }
    if official is not None:
        attributes["official"] = official
    return encode_text(attributes)[:-1] + b',"data":' + encode_data(data, name) + b"}"


def with_signature(line: bytes, signature: str) -> bytes:
    """Return an unsigned line with the signature as its last member."""
    return line[:-1] + _SIGNATURE + signature.encode() + b'"}'


def split_signature(line: bytes) -> tuple[bytes, str]:
    """Return a line without its signature, and the signature. Return the same line and "" if its last member is not one."""
    written = _SIGNATURE_END.fullmatch(line[-_SIGNATURE_LENGTH:])
    if written is None or len(line) <= _SIGNATURE_LENGTH:
        return line, ""
    return line[:-_SIGNATURE_LENGTH] + b"}", written[1].decode()


def signed_bytes(lines: Sequence[bytes]) -> tuple[bytes, str]:
    """Return the bytes that the signature of a record (its lines without LF) covers, and the signature, or "" if unsigned."""
    last, signature = split_signature(lines[-1])
    return (last if len(lines) == 1 else b"\n".join((*lines[:-1], last))), signature
