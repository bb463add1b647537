"""The tokens of a PGN file, each with its place. Text that is not a token of the standard is refused, never skipped."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from services.games.files.game_file import Places, Unreadable, after_space
from shared.core.language.messages import say

Kind = Literal["tag", "comment", "rest", "escape", "open", "close", "nag", "result", "number", "marks", "word"]

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""The traditional marks after a move, and the NAGs that they represent (PGN 8.2.3.8)."""

_TOKEN = re.compile(
    r"""
      (?P<escape>^%[^\n]*)
    | (?P<comment>\{[^}]*\})
    | (?P<rest>;[^\n]*)
    | (?P<tag>\[\s*(?P<name>[A-Za-z0-9_+\#=:-]+)\s*"(?:(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]|(?P<loose>[^\n]*)"[^\S\n]*\][^\S\n]*$))
    | (?P<open>\()
    | (?P<close>\))
    | (?P<nag>\$[0-9]{1,3}(?![0-9]))
    | (?P<result>(?:1-0|0-1|1/2-1/2|½-½|\*)(?![^\s{};()\[\]]))
    | (?P<number>[0-9]+(?=\s*\.|[\s{};()]|$)[^\S\n]*\.*|\.+)
    | (?P<marks>[!?]{1,2}(?![!?]))
    | (?P<word>[^\s{}();\[\]$!?.%"*][^\s{}();\[\]$!?"]*)
    """,
    re.VERBOSE | re.MULTILINE,
)
_ENDS_OF_LINE = re.compile("[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_ESCAPED = re.compile(r'\\(["\\])')


class Token(NamedTuple):
    """A token: its ``text`` as written, in a comment without the braces. A tag has two parts, ``name`` and ``text``."""

    kind: Kind
    text: str
    at: int
    name: str = ""


def on_one_line(value: str) -> str:
    """Return a tag's value with a space for characters that any program takes as the end of a line (NEL, U+2028 …)."""
    return _ENDS_OF_LINE.sub(" ", value)


def tokens(text: str, places: Places) -> Iterator[Token]:
    """Yield all tokens of a text whose lines end with LF. Raises `Unreadable`."""
    at, end = after_space(text, 0), len(text)
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise _no_token(text, at, places)
        yield _token(match, at)
        at = after_space(text, match.end())


def _token(match: re.Match[str], at: int) -> Token:
    kind: Kind = match.lastgroup if match.lastgroup not in ("value", "loose", "name") else "tag"  # type: ignore[assignment]
    if match["tag"] is not None:
        value = match["value"]
        plain = match["loose"] if value is None else _ESCAPED.sub(r"\1", value)
        return Token("tag", on_one_line(plain), at, match["name"])
    text = match[0]
    if kind == "comment":
        return Token(kind, text[1:-1], at)
    if kind == "result":
        return Token(kind, "1/2-1/2" if text == "½-½" else text, at)
    return Token(kind, text[1:] if kind == "rest" else text, at)


def _no_token(text: str, at: int, places: Places) -> Unreadable:
    """Return the refusal of the text at a place where no token begins."""
    character, spot = text[at], places.of(at)
    if character in "{}":
        return Unreadable(say("a comment must begin with {{ and end with }}; one of them is missing"), spot)
    if character in "[]":
        return Unreadable(say('a tag must be written as [Name "value"]'), spot)
    if character == "$":
        return Unreadable(say("an annotation mark must be $ and a number up to 255"), spot)
    return Unreadable(say("{character} has no meaning at this place", character=repr(character)), spot)
