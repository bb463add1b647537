"""From the bytes of a file that another program wrote to its text: by its mark, as UTF-8, or as Chinese; never by a guess."""

import codecs
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from shared.core.language.messages import Message, say


class Encoding(NamedTuple):
    """How a text stands in bytes: Python's ``codec``, after the ``mark`` (a BOM) that the file begins with."""

    name: str
    codec: str
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """The bytes of a text. Raises `UnicodeEncodeError` where it has no bytes for a character."""
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
"""What a caller may say that a file is written in."""
_CANDIDATES = ("gb18030", "big5", "cp1250", "cp1251", "cp1252", "iso8859-1")
"""What a refusal shows a sample of."""
_COMMON_SHARE = 0.6
"""Of the Han characters of a Chinese text, at least so many are among GB 2312's 3,755 of the first level; names take a fifth
from the second. Cyrillic or accented Latin letters read as GB 18030 stay below a half."""
_SAMPLE = 48


class Candidate(NamedTuple):
    """Encodings that a text could be in, which read the ``sample`` of it alike."""

    names: tuple[str, ...]
    sample: str


class Undecided(Exception):
    """Bytes in no encoding that they tell; ``line`` (from 1) and ``column`` (in bytes, from 1) of the first that shows it,
    and the ``candidates`` for it."""

    def __init__(self, line: int, column: int, why: Message, candidates: tuple[Candidate, ...] = ()) -> None:
        super().__init__(str(why))
        self.line, self.column, self.why, self.candidates = line, column, why, candidates


class Decoded(NamedTuple):
    text: str
    encoding: Encoding


def named(name: str) -> Encoding | None:
    """The encoding of that name or alias (``latin1``, ``gbk``, ``windows-1250``); None where it is none that is taken."""
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    codec = {"gbk": "gb18030", "gb2312": "gb18030"}.get(codec, codec)
    return next((e for e in ENCODINGS.values() if codecs.lookup(e.codec).name == codec), None)


def decode(content: bytes, told: Encoding | None = None) -> Decoded:
    """The text: by its mark, else as ``told``, else UTF-8, else GB 18030 where it decodes whole and is Chinese.

    Raises `Undecided`, with a sample line in each encoding that it could be.
    """
    for marked in _MARKED:
        if content.startswith(marked.mark):
            return Decoded(_whole(content[len(marked.mark) :], marked, len(marked.mark)), marked)
    if told is not None:
        return Decoded(_whole(content, told, 0), told)
    try:
        return Decoded(content.decode(), UTF8)
    except UnicodeDecodeError as problem:
        start = problem.start
    chinese = _as(content, _CHINESE)
    if chinese is not None and is_chinese(chinese):
        return Decoded(chinese, _CHINESE)
    line, column = _place(content, start)
    candidates = _candidates(content, line)
    if not candidates:
        raise Undecided(line, column, say("it is in none of the encodings that are known here"))
    samples = "; ".join(f"{', '.join(one.names)} ({one.sample})" for one in candidates)
    why = say("its encoding cannot be detected; it could be {samples}", samples=samples)
    raise Undecided(line, column, why, candidates)


def is_chinese(text: str) -> bool:
    """Whether what is beyond ASCII in a text is common Chinese, so that it was hardly another encoding's letters."""
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


def _whole(content: bytes, encoding: Encoding, before: int) -> str:
    try:
        return content.decode(encoding.codec)
    except UnicodeDecodeError as problem:
        line, column = _place(content, problem.start)
        why = say("byte {byte} is not {encoding}", byte=f"0x{content[problem.start]:02x}", encoding=encoding.name)
        raise Undecided(line, column + (before if line == 1 else 0), why) from None


def _as(content: bytes, encoding: Encoding) -> str | None:
    try:
        return content.decode(encoding.codec)
    except UnicodeDecodeError:
        return None


def _place(content: bytes, at: int) -> tuple[int, int]:
    """Line and column, from 1, of a byte."""
    lines = content[:at].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return len(lines), len(lines[-1]) + 1


def _candidates(content: bytes, number: int) -> tuple[Candidate, ...]:
    """The line that is not UTF-8 as each candidate reads it; those that read it alike stand together."""
    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    by_sample: dict[str, list[str]] = {}
    for name in _CANDIDATES:
        if _as(content, ENCODINGS[name]) is None:
            continue
        sample = " ".join((_as(lines[number - 1], ENCODINGS[name]) or "").split())[:_SAMPLE]
        if sample.isprintable():
            by_sample.setdefault(sample, []).append(name)
    return tuple(Candidate(tuple(names), sample) for sample, names in by_sample.items())
