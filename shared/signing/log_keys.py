"""The keys that a log's own lines name, read record by record; and whether each record is signed by the one in force.

Read from bytes and not from the fold, so that whoever takes lines in, or audits them, asks nobody.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from shared.core.service_keys import ANNOUNCED_BY, BadServiceKey, ServiceKey, keys_by_source, parse_key
from shared.signing.records import holds
from shared.wire.signature import signed_bytes, split

_ANNOUNCED, _KEY = "arbiter.tournament.announced.v", "arbiter.key.announced.v"
_MARKS = (f'"{_ANNOUNCED}'.encode(), f'"{_KEY}'.encode())


class _Data(msgspec.Struct):
    keys: tuple[str, ...] = ()
    key: str = ""


class _KeyLine(msgspec.Struct):
    type: str
    data: _Data


_DECODE = msgspec.json.Decoder(_KeyLine).decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Unsigned(NamedTuple):
    """Why a record is not signed as it must be: its signature is ``missing``, or ``bad``."""

    kind: Literal["missing", "bad"]
    why: str


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
        self.named: dict[str, list[NamedKey]] = {}
        """By source its keys, the one in force last."""
        self._used: dict[str, ServiceKey] = {}

    def take(
        self, source: str, number: int, basis: int, lines: Sequence[bytes], *, check: bool = True
    ) -> Unsigned | None:
        """The next record (its lines without LF, the first of them the source's ``number``-th); why its signature does not hold.

        Without ``check`` only records that name keys are checked: the keys that a record names count where it is signed.
        """
        news = [(i, said) for i, line in enumerate(lines) if (said := _key_line(line)) is not None]
        if self.signed is None:
            for _, said in news:
                if said.type.startswith(_ANNOUNCED):
                    self._announce(said.data.keys, source)
                    break
        refusal = self._refusal(source, basis, lines) if check or news else None
        if refusal is None:
            for i, said in news:
                if said.type.startswith(_KEY):
                    self._name(said.data.key, self.size + i + 1, source, number + i)
        self.size += len(lines)
        return refusal

    def sheet_refusal(self, source: str, basis: int, official: int, lines: Sequence[bytes]) -> Unsigned | None:
        """Why a record of a score sheet is not signed as it must be, by a service whose last official line before it was the
        ``official``-th and that had folded ``basis`` lines."""
        named = self.named.get(source, [])
        known = [
            one
            for one in named
            if (one.number <= official if one.by == source else one.seq <= basis) or one is named[0]
        ]
        return self._judge(lines, [known[-1].key] if known else [])

    def _announce(self, keys: tuple[str, ...], source: str) -> None:
        self.signed = bool(keys)
        for of, text in keys_by_source(keys).items():
            self.named[of] = [NamedKey(parse_key(text), 1, source, 1)]

    def _name(self, text: str, seq: int, source: str, number: int) -> None:
        try:
            key = parse_key(text)
        except BadServiceKey:
            return
        if key.source in self.named and source in ANNOUNCED_BY[key.source]:
            self.named[key.source].append(NamedKey(key, seq, source, number))

    def _refusal(self, source: str, basis: int, lines: Sequence[bytes]) -> Unsigned | None:
        named = self.named.get(source, [])
        good = [named[-1].key] if named else []
        if len(named) > 1 and named[-1].by != source and basis < named[-1].seq and self._used.get(source) != good[0]:
            # What was on its way when another service announced the key.
            good.append(named[-2].key)
        refusal = self._judge(lines, good)
        if refusal is None and good and split(lines[-1])[1].startswith(good[0].hash):
            self._used[source] = good[0]
        return refusal

    def _judge(self, lines: Sequence[bytes], good: Sequence[ServiceKey]) -> Unsigned | None:
        _, signature = signed_bytes(lines)
        if not self.signed:
            return Unsigned("bad", "it bears a signature in a log that names no keys") if signature else None
        if not signature:
            return Unsigned("missing", "its record bears no signature")
        if any(split(line)[1] for line in lines[:-1]):
            return Unsigned("bad", "a signature stands within its record")
        if not any(holds(lines, key) for key in good):
            name = good[0].hash if good else "none"
            return Unsigned("bad", f"its signature ({signature[:8]}) is not by the key in force ({name})")
        return None


def _key_line(line: bytes) -> _KeyLine | None:
    """A line that names keys; None for every other."""
    if not any(mark in line for mark in _MARKS):
        return None
    try:
        said = _DECODE(line)
    except _UNREADABLE:
        return None
    return said if said.type.startswith((_ANNOUNCED, _KEY)) else None
