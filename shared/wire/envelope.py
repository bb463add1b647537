"""The edge between bytes and events: CloudEvents 1.0 lines, their versions, reading and writing.

A line is serialised once, here, and read here; nothing else knows the wire.
"""

from base64 import b64encode
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from shared.core import events as ev
from shared.core.terms import GAMES, PAIRING, PENALTIES, STANDINGS, GameId, Role, Seq, Source
from shared.wire.regulations import ADOPTED, from_wire, to_wire

OWNED: dict[Source, dict[str, type]] = {
    PAIRING: {
        "arbiter.tournament.announced.v3": ev.TournamentAnnounced,
        "arbiter.regulations.adopted.v3": ev.RegulationsAdopted,
        "arbiter.official.appointed.v1": ev.OfficialAppointed,
        "arbiter.official.dismissed.v1": ev.OfficialDismissed,
        "arbiter.player.entered.v1": ev.PlayerEntered,
        "arbiter.starting-numbers.assigned.v2": ev.StartingNumbersAssigned,
        "arbiter.player.withdrew.v2": ev.PlayerWithdrew,
        "arbiter.bye.granted.v1": ev.ByeGranted,
        "arbiter.round.paired.v2": ev.RoundPaired,
        "arbiter.pairing.withdrawn.v1": ev.PairingWithdrawn,
        "arbiter.text.erased.v1": ev.TextErased,
        "arbiter.player.returned.v1": ev.PlayerReturned,
        "arbiter.pairs.forbidden.v1": ev.PairsForbidden,
        "arbiter.board.fixed.v1": ev.BoardFixed,
        "arbiter.team.entered.v1": ev.TeamEntered,
        "arbiter.lineup.handed-in.v1": ev.LineupHandedIn,
        "arbiter.lot.drawn.v1": ev.LotDrawn,
    },
    GAMES: {
        "arbiter.game.started.v1": ev.GameStarted,
        "arbiter.colours.corrected.v1": ev.ColoursCorrected,
        "arbiter.game.ended.v1": ev.GameEnded,
        "arbiter.finding.made.v2": ev.FindingMade,
        "arbiter.result.reported.v1": ev.ResultReported,
        "arbiter.result.corrected.v1": ev.ResultCorrected,
    },
    PENALTIES: {
        "arbiter.arrival.noted.v1": ev.ArrivalNoted,
        "arbiter.break.taken.v1": ev.BreakTaken,
        "arbiter.finding.answered.v1": ev.FindingAnswered,
        "arbiter.ruling.made.v1": ev.RulingMade,
        "arbiter.ruling.annulled.v1": ev.RulingAnnulled,
        "arbiter.appeal.lodged.v1": ev.AppealLodged,
        "arbiter.appeal.decided.v1": ev.AppealDecided,
        "arbiter.crossing.noted.v1": ev.CrossingNoted,
    },
    STANDINGS: {
        "arbiter.standings.published.v2": ev.StandingsPublished,
    },
}
"""The official log's types, each under the one service that writes it."""

SHEET_TYPES: dict[str, type] = {
    "arbiter.move.played.v1": ev.MovePlayed,
    "arbiter.offer.made.v1": ev.OfferMade,
    "arbiter.claim.made.v3": ev.ClaimMade,
    "arbiter.claim.decided.v3": ev.ClaimDecided,
    "arbiter.moves.taken-back.v2": ev.MovesTakenBack,
    "arbiter.step.taken.v1": ev.StepTaken,
}
"""The score sheets' types, all written by games."""

TYPES: dict[str, type] = {name: data for owned in (*OWNED.values(), SHEET_TYPES) for name, data in owned.items()}
NAMES: dict[type, str] = {data: name for name, data in TYPES.items()}
WRITERS: dict[type, Source] = {
    data: source for source, owned in OWNED.items() for data in owned.values()
} | dict.fromkeys(SHEET_TYPES.values(), GAMES)
"""Which service alone writes each type."""


def _as_it_is(data: dict[str, Any]) -> dict[str, Any]:
    """What the next version added has a default that says what was so before."""
    return data


UPCASTERS: dict[str, tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "arbiter.tournament.announced.v1": ("arbiter.tournament.announced.v2", _as_it_is),
    "arbiter.tournament.announced.v2": ("arbiter.tournament.announced.v3", _as_it_is),
    "arbiter.regulations.adopted.v1": ("arbiter.regulations.adopted.v2", _as_it_is),
    "arbiter.regulations.adopted.v2": ("arbiter.regulations.adopted.v3", _as_it_is),
    "arbiter.starting-numbers.assigned.v1": ("arbiter.starting-numbers.assigned.v2", _as_it_is),
    "arbiter.player.withdrew.v1": ("arbiter.player.withdrew.v2", _as_it_is),
    "arbiter.claim.made.v1": ("arbiter.claim.made.v2", _as_it_is),
    "arbiter.claim.made.v2": ("arbiter.claim.made.v3", _as_it_is),
    "arbiter.claim.decided.v1": ("arbiter.claim.decided.v2", _as_it_is),
    "arbiter.claim.decided.v2": ("arbiter.claim.decided.v3", _as_it_is),
    "arbiter.moves.taken-back.v1": ("arbiter.moves.taken-back.v2", _as_it_is),
    "arbiter.finding.made.v1": ("arbiter.finding.made.v2", _as_it_is),
    "arbiter.round.paired.v1": ("arbiter.round.paired.v2", _as_it_is),
    "arbiter.standings.published.v1": ("arbiter.standings.published.v2", _as_it_is),
}
"""Old type -> (next version's type, lift of its data). Applied until a type in `TYPES` is reached."""


_WIRE_NAMES = {"stream": "subject", "command": "causationid", "seq": " seq"}


class Line(ev.Event, Protocol):
    """An event read from its line, with what chains the lines."""

    @property
    def id(self) -> str: ...
    @property
    def stream(self) -> str: ...
    @property
    def basisroot(self) -> str: ...


class Unreadable(ValueError):
    """A line that is no event this version reads. ``detail`` says why; ``line`` is its number, 0 if unknown."""

    def __init__(self, detail: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {detail}" if line else detail)
        self.detail, self.line = detail, line


class Recorded(msgspec.Struct, forbid_unknown_fields=True, gc=False, rename=_WIRE_NAMES):
    """A line of a log or sheet, read: an `events.Event` and what the log's own book-keeping needs.

    ``data`` arrives raw and is decoded by ``type``; ``seq`` comes from where the line stands.
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
    seq: Seq = Seq(0)

    @property
    def game(self) -> GameId | None:
        """The game whose score sheet the line stands on; None in the official log."""
        return GameId(self.stream[6:]) if self.stream.startswith("games/") else None


WIRE_TYPES: dict[str, type] = TYPES | {NAMES[ev.RegulationsAdopted]: ADOPTED}
"""What each type's ``data`` is read as: the event itself, but for adopted regulations, which have a form of their own."""


def _decoder(name: str) -> Callable[[msgspec.Raw], Any]:
    decode: Callable[[msgspec.Raw], Any] = msgspec.json.Decoder(WIRE_TYPES[name], strict=True).decode
    return decode if WIRE_TYPES[name] is TYPES[name] else lambda raw: from_wire(decode(raw))


def wire_form(data: Any) -> Any:
    """The data of an event as it is written."""
    return to_wire(data) if isinstance(data, ev.RegulationsAdopted) else data


WIRE = msgspec.json.Decoder(Recorded)
DATA: dict[str, Callable[[msgspec.Raw], Any]] = {name: _decoder(name) for name in TYPES}
_ENCODE = msgspec.json.Encoder().encode
_DECODE, _DATA_OF = WIRE.decode, DATA.get


def read(line: bytes, seq: int) -> Line:
    """Decode one line (without its LF) as the ``seq``-th of its stream.

    Raises `Unreadable` naming what is wrong.
    """
    try:
        wire: Any = _DECODE(line)
        decode = _DATA_OF(wire.type)
        wire.data = decode(wire.data) if decode is not None else _lift(wire.type, wire.data, seq)
    except msgspec.MsgspecError as problem:
        raise Unreadable(str(problem), seq) from None
    except (UnicodeDecodeError, RecursionError) as problem:
        raise Unreadable(f"not readable as JSON: {problem}", seq) from None
    if wire.specversion != "1.0" or wire.seq:
        raise Unreadable(f"no CloudEvents 1.0 line (specversion {wire.specversion!r})", seq)
    wire.seq = seq
    return wire  # type: ignore[no-any-return]


def _lift(type: str, data: msgspec.Raw, seq: int) -> Any:
    """An older version lifted to the newest."""
    lifted = msgspec.json.decode(data)
    while type in UPCASTERS:
        type, lift = UPCASTERS[type]
        lifted = lift(lifted)
    if type not in TYPES:
        raise Unreadable(f"unknown event type {type!r}", seq)
    data = msgspec.convert(lifted, WIRE_TYPES[type])
    return data if WIRE_TYPES[type] is TYPES[type] else from_wire(data)


def split(content: bytes) -> list[bytes]:
    """The lines of an export, without their LF; a last line that was cut off is kept, marked by no LF after it.

    Raises `Unreadable` where the last line lacks its LF.
    """
    lines = content.split(b"\n")
    if lines.pop():
        raise Unreadable("the last line does not end: it was cut", len(lines) + 1)
    return lines


class Header(msgspec.Struct, frozen=True):
    """What the events of one command share on the wire."""

    stream: str
    source: Source
    basis: Seq
    basisroot: bytes
    causationid: str
    tokenid: str
    software: str


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

    Raises ValueError for NUL or a lone surrogate in any text of it.
    """
    fields: dict[str, Any] = {
        "specversion": "1.0",
        "id": id,
        "source": header.source,
        "type": NAMES[type(data)],
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
        fields["official"] = official
    fields["data"] = wire_form(data)
    try:
        line = _ENCODE(fields)
    except UnicodeEncodeError:
        raise ValueError("a lone surrogate is no text") from None
    if b"\\u0000" in line:
        raise ValueError("NUL is no text")
    return line
