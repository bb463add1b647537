"""The canonical form of events: whether the bytes of an event are the only ones with its meaning.

This is checked once when an event arrives (a record of a topic, a restore, an audit), never when an own ledger is replayed.
"""

import re
from datetime import datetime
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

import msgspec

from shared.core.event_types.registry import BY_NAME, NAMES, NEWEST, OUTDATED
from shared.core.events import RegulationsAdopted, TournamentAnnounced
from shared.core.language.handles import InvalidLoginName, handle_fault, login_name
from shared.core.language.messages import Message, say
from shared.core.readings.value_gate import value_fault
from shared.core.terms import BOUNDED_OFFICES
from shared.core.values.bounds import HIGHEST
from shared.core.values.identity_cache import cache_by_identity
from shared.wire.envelope import ATTRIBUTES, Line, Unreadable, read
from shared.wire.event_data import InvalidEvent, encode_data, encode_text, form_of
from shared.wire.shapes import kept, misshapen

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[%s][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
_T = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
_SUBJECT = rf"tournaments/{_T}|games/{_T}\.[1-9]\d{{0,8}}\.[1-9]\d{{0,8}}"
_OWN_FORMS = {
    "id": (re.compile(_UUID % "7"), say("it must be a UUID of version 7")),
    "causationid": (re.compile(_UUID % "57"), say("it must be a UUID of version 7 or 5")),
}
_ROOT = re.compile(r"[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=")
"""The only base64 form of 32 bytes."""
_SHARED_FORMS = {
    "subject": (re.compile(_SUBJECT, re.A), say("it must be tournaments/ID, or games/ and a game ID")),
    "datacontenttype": (re.compile("application/json"), say("it must be application/json")),
    "actor": (
        re.compile(r"[^\x00-\x1f\x7f]{1,200}"),
        say("a name must have 1 to 200 characters and no control characters"),
    ),
    "tokenid": (
        re.compile(r"[A-Za-z0-9._-]{0,64}"),
        say("a token ID must have at most 64 letters, digits, dots, hyphens and underscores"),
    ),
    "software": (
        re.compile(r"\d+\.\d+\.\d+[A-Za-z0-9.+-]{0,32}", re.A),
        say("it must be a version number such as 1.0.0"),
    ),
}
_TOKEN = re.compile(f"({_UUID % '1-8'})?")
"""The ID of a token in a signed log, or an empty text if none was sent."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.A)
_SIGNATURE = re.compile(r"[0-9a-f]{8}:[A-Za-z0-9+/]{85}[AQgw]==")
OFFICES = 2
"""The first edition of the role rules with these three properties: actors hold their role in the log, services sign, and a log
contains only the versions of event types that its services write."""
_encode = msgspec.json.Encoder().encode
_AS_READ = frozenset(BY_NAME) - {NAMES[RegulationsAdopted]}
"""The types whose data is written as it was read; adopted regulations have a form of their own."""
_VALUES, _NAMES = attrgetter(*(field for field, _ in ATTRIBUTES)), tuple(name for _, name in ATTRIBUTES)


def why_not(line: bytes, event: Line) -> Message | None:
    """Return why an event, read from ``line`` (without LF), is not canonical, or None if it is.

    The bytes must be those of its members in their canonical order. Data of the newest version is encoded again from the event.
    Data of an older version must have exactly the members that its type had.
    """
    if _written_so(line, event):
        return _envelope(event) or _signature(event.signature) or _token(event)
    members = _members(event)
    try:
        head = encode_text(members)[:-1] + b',"data":'
    except InvalidEvent as invalid:
        return say("its envelope cannot be written: {invalid}", invalid=str(invalid))
    signature = event.signature
    tail = b"}" if signature is None else b',"signature":' + _encode(signature) + b"}"
    if not line.startswith(head) or not line.endswith(tail):
        return say("its envelope must be in canonical form, but is not")
    data = line[len(head) : len(line) - len(tail)]
    return _envelope(event) or _signature(signature) or _token(event) or _data(event, data)


def _written_so(line: bytes, event: Any) -> bool:
    """Return whether the line equals the event encoded in one piece, as nearly every line does.

    If it does not, `why_not` checks its parts. Only data of the newest version can be equal: older data was upcast when it was
    read.
    """
    if event.official is not None or event.type not in _AS_READ:
        return False
    try:
        written = encode_text(event)
    except InvalidEvent:
        return False
    signature = event.signature
    left_out = b',"official":null,"signature":%b," seq":%d}' % (_encode(signature), event.seq)
    ours = written.removesuffix(left_out)
    return line == (ours + b"}" if signature is None else b'%b,"signature":%b}' % (ours, _encode(signature)))


def refusal(line: bytes, seq: int, offices: int = 1) -> Message | None:
    """Return why an event is not canonical, or does not fit the edition of the role rules of its log (``offices``).

    Return None if it is and fits, or if this version cannot read it, because the replay stops there.
    """
    try:
        event = read(line, seq)
    except Unreadable:
        return None
    return _refused(line, event, offices)


def stopped_by(line: bytes, seq: int, offices: int) -> Message | None:
    """Return why a log stops before an event: this version cannot read it, or it is refused (`refusal`). Else return None.

    Before the announcement (``offices`` 0), an event need not be readable: the beginning of a log is checked elsewhere.
    """
    try:
        event = read(line, seq)
    except Unreadable as problem:
        return say("line {seq} cannot be read: {detail}", seq=seq, detail=problem.detail) if offices else None
    why = _refused(line, event, offices)
    return None if why is None else say("line {number}: {why}", number=seq, why=why)


def _refused(line: bytes, event: Line, offices: int) -> Message | None:
    why = why_not(line, event)
    if why is not None:
        return say("not canonical: {why}", why=why)
    return unfit(event, max(offices, event.data.offices) if isinstance(event.data, TournamentAnnounced) else offices)


def unfit(event: Any, offices: int) -> Message | None:
    """Return why no service writes such an event into a log of that edition of the role rules (``offices``), or None.

    Reasons: the version of its type, an actor who is not named by a login name, a value outside of the bounds.
    """
    if offices < OFFICES:
        return None
    if not (_is_handle(event.actor) if offices < BOUNDED_OFFICES else handle_fault(event.actor) is None):
        return say("its actor {actor} is not a valid login name", actor=repr(event.actor)[:80])
    if event.type in OUTDATED[min(offices, max(OUTDATED))]:
        return say(
            "its type {type} is outdated: in a log of this edition of the role rules, services write {newest}",
            type=event.type,
            newest=NEWEST[event.type],
        )
    fault = value_fault(event.data) if offices >= BOUNDED_OFFICES else None
    return (
        None
        if fault is None
        else say("a value in the event is outside the bounds that commands must keep: {fault}", fault=fault.message)
    )


def offices_of(line: bytes) -> int:
    """Return the edition of the role rules that a log's first event announces, or 1 if it announces none."""
    return announced_offices(line) or 1


def announced_offices(line: bytes) -> int:
    """Return the same as `offices_of`, but 0 if the event announces no tournament."""
    try:
        data = read(line, 1).data
    except Unreadable:
        return 0
    return data.offices if isinstance(data, TournamentAnnounced) else 0


def _members(event: Any) -> dict[str, Any]:
    """Return the envelope's members before ``data``, in the order in which they are written."""
    members = dict(zip(_NAMES, _VALUES(event), strict=True))
    return members if event.official is None else members | {"official": event.official}


def _envelope(event: Any) -> Message | None:
    for name, (form, why), value in zip(_OWN_FORMS, _OWN_FORMS.values(), (event.id, event.command), strict=True):
        if not form.fullmatch(value):
            return say("its {name} {value} is invalid: {why}", name=name, value=repr(value)[:80], why=why)
    wrong = _shared(event.stream, event.datacontenttype, event.actor, event.tokenid, event.software, event.partitionkey)
    if wrong is not None:
        return wrong
    if not is_time(event.time):
        return say("its time {time} is not an RFC 3339 time in UTC with six digits", time=repr(event.time)[:80])
    if not _ROOT.fullmatch(event.basisroot):
        return say("its basisroot is not the base64 of 32 bytes")
    if not 1 <= event.sourceseq <= HIGHEST or not 0 <= event.basis <= HIGHEST:
        return say("its sourceseq or basis is not a sequence number")
    official = event.official
    if (official is not None) != (event.game is not None) or not 0 <= (official or 0) <= HIGHEST:
        return say("official is allowed only on events of score sheets")
    return None


@lru_cache(4096)
def _is_handle(actor: str) -> bool:
    try:
        return login_name(actor) == actor
    except InvalidLoginName:
        return False


@lru_cache(4096)
def _shared(*values: str) -> Message | None:
    """Return the fault of the members that many events have in common, or None. The partition key is the last of them."""
    *formed, partitionkey = values
    for value, (name, (form, why)) in zip(formed, _SHARED_FORMS.items(), strict=True):
        if not form.fullmatch(value):
            return say("its {name} {value} is invalid: {why}", name=name, value=repr(value)[:80], why=why)
    key = values[0].partition("/")[2]
    return None if partitionkey == key else say("its partitionkey is not {key}", key=key)


def is_time(text: str) -> bool:
    try:
        return bool(_TIME.fullmatch(text) and datetime.fromisoformat(text[:-1]))
    except ValueError:
        return False


def _signature(signature: str | None) -> Message | None:
    if signature is not None and not _SIGNATURE.fullmatch(signature):
        return say("its signature is malformed")
    return None


def _token(event: Any) -> Message | None:
    if event.signature is not None and not _TOKEN.fullmatch(event.tokenid):
        return say("its tokenid {tokenid} is not a UUID", tokenid=repr(event.tokenid)[:80])
    return None


def _data(event: Any, data: bytes) -> Message | None:
    try:
        if event.type in BY_NAME:
            # Its reader accepted these bytes, so they need no validation if they are the same.
            written = _adopted_text if isinstance(event.data, RegulationsAdopted) else encode_text
            if written(event.data) != data:
                return say("its data must have the form of {type}, but does not", type=event.type)
            return None
        encode_data(event.data)
        said = msgspec.json.decode(data)
    except InvalidEvent as invalid:
        return say("its data does not validate: {invalid}", invalid=str(invalid))
    if _encode(said) != data:
        return say("its data must be in canonical form, but is not")
    return misshapen(said, _shapes()[event.type])


@cache_by_identity(16)
def _adopted_text(data: RegulationsAdopted) -> bytes:
    return encode_text(form_of(data))


@cache
def _shapes() -> dict[str, Any]:
    return kept()
