"""The keys that a log's own lines name, read record by record; and whether each record is signed by the one in force.

Read from bytes and not from the fold, so that whoever takes lines in, or audits them, asks nobody.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from shared.core.language.messages import Message, say
from shared.core.terms import BOUNDED_OFFICES
from shared.core.trust.service_keys import ANNOUNCED_BY, BadServiceKey, ServiceKey, keys_by_source, parse_key
from shared.signing.recovery import vouches
from shared.signing.service_keys import is_by
from shared.wire.envelope import signed_bytes, split_signature

_ANNOUNCED, _KEY = "arbiter.tournament.announced.v", "arbiter.key.announced.v"
_ANNOUNCED_MARK, _KEY_MARK = f'"{_ANNOUNCED}'.encode(), f'"{_KEY}'.encode()


class _Data(msgspec.Struct):
    keys: tuple[str, ...] = ()
    key: str = ""
    offices: int = 1
    origin: str = ""
    recovery: str = ""


class _KeyLine(msgspec.Struct):
    type: str
    data: _Data


_DECODE = msgspec.json.Decoder(_KeyLine).decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Unsigned(NamedTuple):
    """Why a record is not signed as it must be: its signature is ``missing``, or ``bad``."""

    kind: Literal["missing", "bad"]
    why: Message


class NamedKey(NamedTuple):
    """A key of a service, the line that named it (``seq``), and who wrote that, as his ``number``-th line."""

    key: ServiceKey
    seq: int
    by: str
    number: int


class LogKeys:
    """The keys of one log, as far as its records were taken."""

    def __init__(self) -> None:
        self.size = 0
        """Lines taken."""
        self.signed: bool | None = None
        """Whether the log was announced with keys; None before its announcement."""
        self.offices = 1
        """The edition of offices that the log was announced with."""
        self._recovery = ("", "")
        """The recovery key that the announcement names, and the log's origin."""
        self.named: dict[str, list[NamedKey]] = {}
        """By source its keys, the one in force last."""
        self._used: dict[str, ServiceKey] = {}

    @staticmethod
    def names_keys(lines: Sequence[bytes]) -> bool:
        """Whether a record announces a tournament or a key."""
        return any(_key_line(line) is not None for line in lines)

    def refusal(self, source: str, basis: int, lines: Sequence[bytes]) -> Unsigned | None:
        """Why the record that would come next (its lines without LF, on ``basis``) is not signed as it must be; None where
        it is. One that announces is signed by the key that it names."""
        named, signed = self.named, self.signed
        if signed is None:
            said = next(
                (said for line in lines if (said := _key_line(line)) and said.type.startswith(_ANNOUNCED)), None
            )
            if said is None:
                return None
            signed, named = bool(said.data.keys), _announced(said.data.keys, source)
        elif any(self._is_unvouched(said, source) for line in lines if (said := _key_line(line)) is not None):
            return Unsigned(
                "bad", say("it announces the key of another service, and the recovery key did not sign that key")
            )
        return self._judge(lines, signed, self._good(named.get(source, []), source, basis))

    def take(self, source: str, number: int, lines: Sequence[bytes]) -> None:
        """The next record, signed as it must be, the first of its lines the source's ``number``-th."""
        for i, line in enumerate(lines):
            said = _key_line(line)
            if said is None:
                continue
            if said.type.startswith(_ANNOUNCED) and self.signed is None:
                self.signed, self.named = bool(said.data.keys), _announced(said.data.keys, source)
                self.offices, self._recovery = said.data.offices, (said.data.recovery, said.data.origin)
            elif said.type.startswith(_KEY):
                self._name(said.data, self.size + i + 1, source, number + i)
        named = self.named.get(source)
        key = named[-1].key if named else None
        if key is not None and self._used.get(source) != key and split_signature(lines[-1])[1].startswith(key.hash):
            self._used[source] = key
        self.size += len(lines)

    def sheet_refusal(self, source: str, basis: int, official: int, lines: Sequence[bytes]) -> Unsigned | None:
        """Why a record of a score sheet is not signed as it must be, by a service whose last official line before it was the
        ``official``-th and that had folded ``basis`` lines."""
        named = self.named.get(source, [])
        known = [
            one
            for one in named
            if (one.number <= official if one.by == source else one.seq <= basis) or one is named[0]
        ]
        return self._judge(lines, bool(self.signed), [known[-1].key] if known else [])

    def _name(self, said: _Data, seq: int, source: str, number: int) -> None:
        try:
            key = parse_key(said.key)
        except BadServiceKey:
            return
        if key.source in self.named and source in ANNOUNCED_BY[key.source]:
            self.named[key.source].append(NamedKey(key, seq, source, number))

    def _is_unvouched(self, said: _KeyLine, source: str) -> bool:
        """Return whether a line announces the key of another service without the signature that offices 3 require."""
        if (
            self.offices < BOUNDED_OFFICES
            or not said.type.startswith(_KEY)
            or said.data.key.startswith(f"{source[1:]}+")
        ):
            return False
        return not vouches(*self._recovery, said.data.key, said.data.recovery)

    def _good(self, named: Sequence[NamedKey], source: str, basis: int) -> list[ServiceKey]:
        """The key in force, and that before it for what was on its way when another service announced the newer one."""
        good = [one.key for one in named[-1:]]
        if len(named) > 1 and named[-1].by != source and basis < named[-1].seq and self._used.get(source) != good[0]:
            good.append(named[-2].key)
        return good

    @staticmethod
    def _judge(lines: Sequence[bytes], signed: bool, good: Sequence[ServiceKey]) -> Unsigned | None:
        record, signature = signed_bytes(lines)
        if not signed:
            return (
                Unsigned("bad", say("the event has a signature, but the log does not list any keys"))
                if signature
                else None
            )
        if not signature:
            return Unsigned("missing", say("its record has no signature"))
        if len(lines) > 1 and any(split_signature(line)[1] for line in lines[:-1]):
            return Unsigned(
                "bad", say("only the last event of a record may have a signature, but an earlier one has it")
            )
        if not any(is_by(record, signature, key) for key in good):
            name = good[0].hash if good else "none"
            return Unsigned(
                "bad",
                say(
                    "its signature ({signature}) is not by the key in force ({name}), or the record was altered",
                    signature=signature[:8],
                    name=name,
                ),
            )
        return None


def announces(line: bytes) -> bool:
    """Whether a line announces a tournament, in whichever version."""
    said = _key_line(line)
    return said is not None and said.type.startswith(_ANNOUNCED)


def _announced(keys: tuple[str, ...], source: str) -> dict[str, list[NamedKey]]:
    return {of: [NamedKey(parse_key(text), 1, source, 1)] for of, text in keys_by_source(keys).items()}


def _key_line(line: bytes) -> _KeyLine | None:
    """A line that names keys; None for every other."""
    if _KEY_MARK not in line and _ANNOUNCED_MARK not in line:
        return None
    try:
        said = _DECODE(line)
    except _UNREADABLE:
        return None
    return said if said.type.startswith((_ANNOUNCED, _KEY)) else None
