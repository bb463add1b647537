"""The characters that texts may hold, and the login names that look alike, by tables of the project.

No other table is read: a log must be judged alike under every Python. ``characters.txt`` and ``lookalikes.txt`` state their
source and edition.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from unicodedata import normalize

_TABLES = files("shared.core.language")
_SPACE = "space"
_COMMON = frozenset(("Zyyy", "Zinh", _SPACE))
"""Scripts of characters that occur in every script: digits, punctuation, accents."""
_JOINED = (
    "Arab",
    "Beng",
    "Deva",
    "Gujr",
    "Guru",
    "Khmr",
    "Knda",
    "Mlym",
    "Mong",
    "Mymr",
    "Orya",
    "Sinh",
    "Syrc",
    "Taml",
    "Telu",
)
"""Scripts whose letters change their form by a joiner between them, which Persian and Hindi names need."""
_JOINERS = "\u200c\u200d"
_QUIET = f"{_JOINERS}\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Characters that select the form of the one before them, as emoji have them. A sentence may hold them, a name not."""
_TOGETHER = tuple(
    map(frozenset, (("Latn", "Hani", "Hira", "Kana"), ("Latn", "Hani", "Bopo"), ("Latn", "Hani", "Hang")))
)
"""The scripts that one word may mix (UTS 39, highly restrictive)."""


def unseen_in_name(text: str) -> str | None:
    """Return the first character of a name that is invisible or breaks the line, or None.

    These are control and format characters, line breaks, directional overrides, fillers, and unassigned characters.
    """
    if text.isascii() and text.isprintable():
        return None
    name, _ = _unseen()
    found = name.search(text) and name.search(_joined().sub("", text))
    return found[0] if found else None


def unseen_in_line(text: str) -> str | None:
    """Return the first character of a text that breaks its line or its direction, or is not assigned, or None."""
    if text.isascii() and text.isprintable():
        return None
    found = _unseen()[1].search(text)
    return found[0] if found else None


def is_blank(text: str) -> bool:
    """Return whether a text has no visible character."""
    if text.isascii() and text.isprintable():
        return not text or text.isspace()
    return all(ord(character) in _blanks() or _script(character) is None for character in text)


def mixed_scripts(text: str) -> tuple[str, ...]:
    """Return the scripts of a text, such as Cyrl and Latn, if no word may mix them, else an empty tuple."""
    if text.isascii():
        return ()
    found = {script for script in map(_script, text) if script is not None and script not in _COMMON}
    return () if len(found) < 2 or any(found <= group for group in _TOGETHER) else tuple(sorted(found))


@lru_cache(4096)
def skeleton(name: str) -> str:
    """Return a form of a login name that is the same for all names that look like it (UTS 39)."""
    alike = _alike()
    return normalize("NFD", "".join(alike.get(character, character) for character in normalize("NFD", name)))


def _lines(file: str) -> Iterator[str]:
    lines = _TABLES.joinpath(file).read_text("ascii").splitlines()
    return (line for line in lines if line and not line.startswith("#"))


@cache
def _ranges() -> tuple[tuple[int, int, str], ...]:
    """Return each range of permitted characters, in order: its first and last code point and its script."""
    ranges, script = [], ""
    for line in _lines("characters.txt"):
        if line.startswith("["):
            script = line.strip("[]")
            continue
        for first, _, last in (one.partition("-") for one in line.split()):
            ranges.append((int(first, 16), int(last or first, 16), script))
    return tuple(sorted(ranges))


@cache
def _firsts() -> tuple[int, ...]:
    return tuple(first for first, _, _ in _ranges())


@lru_cache(4096)
def _script(character: str) -> str | None:
    """Return the script of a character, or None if no text may hold it."""
    place = bisect(_firsts(), ord(character)) - 1
    _, last, script = _ranges()[place] if place >= 0 else (0, -1, "")
    return script if ord(character) <= last else None


@cache
def _blanks() -> frozenset[int]:
    return frozenset(n for first, last, script in _ranges() if script == _SPACE for n in range(first, last + 1))


@cache
def _unseen() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return two patterns: of a character that names must not contain, and of one that lines must not contain."""
    seen = _class(_ranges())
    return re.compile(f"[^{seen}]"), re.compile(f"[^{seen}{_QUIET}]")


@cache
def _joined() -> re.Pattern[str]:
    """Return the pattern of a joiner between two letters whose form it changes."""
    letters = _class(row for row in _ranges() if row[2] in _JOINED)
    return re.compile(f"(?<=[{letters}])[{_JOINERS}](?=[{letters}])")


def _class(rows: Iterable[tuple[int, int, str]]) -> str:
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last, _ in rows)


@cache
def _alike() -> dict[str, str]:
    """Return, by each character that looks like others, the one or two characters that it is read as."""
    alike: dict[str, str] = {}
    read_as = ""
    for line in _lines("lookalikes.txt"):
        head, colon, rest = line.rpartition(":")
        read_as = "".join(chr(int(code, 16)) for code in head.split("+")) if colon else read_as
        alike |= {chr(int(code, 16)): read_as for code in rest.split()}
    return alike
