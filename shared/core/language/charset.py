"""Decoding a file from another program: by its byte order mark, as UTF-8, or as Chinese, never by a guess."""

import codecs
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from shared.core.language.messages import Message, say


class Encoding(NamedTuple):
    """An encoding: Python's ``codec``, after the ``mark`` (a BOM) at the beginning of the file."""

    name: str
    codec: str
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """Return the bytes of a text. Raises `UnicodeEncodeError` if the encoding lacks a character."""
        return self.mark + text.encode(self.codec)


_MARKED = (
    Encoding("utf-8 with mark", "utf-8", codecs.BOM_UTF8),
    Encoding("utf-16le", "utf-16-le", codecs.BOM_UTF16_LE),
    Encoding("utf-16be", "utf-16-be", codecs.BOM_UTF16_BE),
)
UTF8 = Encoding("utf-8", "utf-8")
_CHINESE = Encoding("gb18030", "gb18030")
ENCODINGS: dict[str, Encoding] = {
    name: Encoding(name, name)
    for name in (
        "utf-8", "ascii", "gb18030", "big5", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
        "cp1258", "iso8859-1", "iso8859-2", "iso8859-5", "iso8859-7", "iso8859-9", "iso8859-15", "koi8-r", "koi8-u",
        "shift_jis", "euc-jp", "euc-kr", "cp437", "cp850", "cp852", "cp866", "mac-roman",
    )
}  # fmt: skip
"""The encodings that a caller may choose for a file."""
_CANDIDATES = ("gb18030", "big5", "cp1250", "cp1251", "cp1252", "iso8859-1")
"""The encodings that a refusal shows samples of."""
_COMMON_SHARE = 0.6
"""Minimum share of the Han characters of a Chinese text that are among GB 2312's 3,755 of the first level. Names take a fifth
from the second level. Cyrillic or accented Latin letters read as GB 18030 stay below a half."""
_SAMPLE = 48


class Candidate(NamedTuple):
    """Possible encodings of a text, which decode it to the same ``sample``."""

    names: tuple[str, ...]
    sample: str


class Undecided(Exception):
    """Raised for bytes whose encoding cannot be determined.

    ``line`` (from 1) and ``column`` (in bytes, from 1) are the first place that shows it; ``candidates`` are its possible
    encodings.
    """

    def __init__(self, line: int, column: int, why: Message, candidates: tuple[Candidate, ...] = ()) -> None:
        super().__init__(str(why))
        self.line, self.column, self.why, self.candidates = line, column, why, candidates


class Decoded(NamedTuple):
    text: str
    encoding: Encoding


def find_encoding(name: str) -> Encoding | None:
    """Return the encoding of that name or alias (``latin1``, ``gbk``, ``windows-1250``), or None if it is not accepted."""
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    codec = {"gbk": "gb18030", "gb2312": "gb18030"}.get(codec, codec)
    return next((e for e in ENCODINGS.values() if codecs.lookup(e.codec).name == codec), None)


def decode(content: bytes, chosen: Encoding | None = None) -> Decoded:
    """Decode a file: by its mark, else as ``chosen``, else as UTF-8, else as GB 18030 if it is Chinese throughout.

    Raises `Undecided`, with a sample line in each possible encoding.
    """
    for marked in _MARKED:
        if content.startswith(marked.mark):
            return Decoded(_decode_all(content[len(marked.mark) :], marked, len(marked.mark)), marked)
    if chosen is not None:
        return Decoded(_decode_all(content, chosen, 0), chosen)
    try:
        return Decoded(content.decode(), UTF8)
    except UnicodeDecodeError as problem:
        start = problem.start
    chinese = _try_decode(content, _CHINESE)
    if chinese is not None and is_chinese(chinese):
        return Decoded(chinese, _CHINESE)
    line, column = _place(content, start)
    candidates = _candidates(content, line)
    if not candidates:
        raise Undecided(line, column, say("its character encoding is unknown"))
    samples = "; ".join(f"{', '.join(one.names)} ({one.sample})" for one in candidates)
    why = say("its encoding cannot be detected; it could be {samples}", samples=samples)
    raise Undecided(line, column, why, candidates)


def is_chinese(text: str) -> bool:
    """Return whether at least 60 % of the characters beyond ASCII are common Chinese, so that the decoding is credible."""
    han, common = 0, 0
    for before, character, after in _with_neighbours(text):
        if character.isascii() or _is_punctuation(character):
            continue
        han += 1
        beside_latin = (before.isascii() and before.isalpha()) or (after.isascii() and after.isalpha())
        common += not beside_latin and _is_common(character)
    return han > 0 and common >= _COMMON_SHARE * han


def _with_neighbours(text: str) -> Iterator[tuple[str, str, str]]:
    return zip(" " + text[:-1], text, text[1:] + " ", strict=True)


def _is_common(character: str) -> bool:
    try:
        return 0xB0 <= character.encode("gb2312")[0] <= 0xD7
    except UnicodeEncodeError:
        return False


def _is_punctuation(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "FW" and unicodedata.category(character)[0] in "PSZ"


def _decode_all(content: bytes, encoding: Encoding, before: int) -> str:
    try:
        return content.decode(encoding.codec)
    except UnicodeDecodeError as problem:
        line, column = _place(content, problem.start)
        why = say("byte {byte} is not {encoding}", byte=f"0x{content[problem.start]:02x}", encoding=encoding.name)
        raise Undecided(line, column + (before if line == 1 else 0), why) from None


def _try_decode(content: bytes, encoding: Encoding) -> str | None:
    try:
        return content.decode(encoding.codec)
    except UnicodeDecodeError:
        return None


def _place(content: bytes, at: int) -> tuple[int, int]:
    """Return line and column (in bytes), both from 1, of the byte at index ``at``."""
    lines = content[:at].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return len(lines), len(lines[-1]) + 1


def _candidates(content: bytes, number: int) -> tuple[Candidate, ...]:
    """Return line ``number`` as each possible encoding decodes it. Encodings with an equal sample are one candidate."""
    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    by_sample: dict[str, list[str]] = {}
    for name in _CANDIDATES:
        if _try_decode(content, ENCODINGS[name]) is None:
            continue
        sample = " ".join((_try_decode(lines[number - 1], ENCODINGS[name]) or "").split())[:_SAMPLE]
        if sample.isprintable():
            by_sample.setdefault(sample, []).append(name)
    return tuple(Candidate(tuple(names), sample) for sample, names in by_sample.items())
