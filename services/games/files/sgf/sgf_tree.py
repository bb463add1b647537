"""The games of an SGF file, parsed by sgfmill, with the place of every node of their main lines.

sgfmill skips text before, between and after games, and reports a fault without its place. The form is therefore checked
here first, token by token, so that nothing is skipped and a refusal has its place.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sgfmill import sgf_grammar

from services.games.files.game_file import Places, Spot, Unreadable, after_space, decoded
from shared.core.language.charset import UTF8, Encoding, find_encoding
from shared.core.language.messages import Message, say

TOKENS_AT_MOST = 125_000
"""Limit of nodes, properties and values in a file."""

_TOKEN = re.compile(r"\[(?P<value>[^\\\]]*(?:\\.[^\\\]]*)*)\]|(?P<name>[A-Za-z]{1,64})|(?P<sign>[;()])", re.DOTALL)
_BEGINS = re.compile(r"\(\s*;")
_OF_A_GAME = re.compile(r"[A-Z]\s*\[")
"""A property and its value. If the text before a game contains one, it is a game with a damaged beginning."""
_ROOT = re.compile(rb".*?\(\s*;((?:\s*[A-Za-z]+\s*(?:\[[^\\\]]*(?:\\.[^\\\]]*)*\]\s*)+)*)", re.DOTALL)
_ESCAPED = re.compile(r"[\\\]]")
_CHARSET = re.compile(rb"(?:\A|\])\s*CA\s*\[([^\]]*)\]", re.DOTALL)


@dataclass(slots=True)
class SgfTree:
    """One game.

    ``tree`` is sgfmill's tree, with values in UTF-8. ``spots`` are the places of the nodes of its main line, and
    ``root`` those of the root's properties. ``head`` is the text before the game, only for the first game of a file.
    """

    tree: sgf_grammar.Coarse_game_tree
    spots: list[Spot] = field(default_factory=list)
    root: dict[str, Spot] = field(default_factory=dict)
    head: str = ""


def text_of(content: bytes, told: Encoding | None) -> str:
    """Return the text of a file, decoded by its byte order mark, CA or the request's encoding.

    Raises `Unreadable` if these differ or the text is not in this encoding.
    """
    root = _ROOT.match(content[:65_536])
    match = _CHARSET.search(root[1]) if root else None
    encoding = told
    if match is not None and match[1].strip():
        name = match[1].strip().decode("ascii", "replace")[:40]
        encoding = find_encoding(name)
        if encoding is None:
            why = say("CA states the encoding {name}, which is unknown; use UTF-8", name=repr(name))
            raise Unreadable(why, _spot(content, match, root))
        if told is not None and told != encoding and not content.isascii():
            why = say(
                "CA states the encoding {name}, but the request states {requested}",
                name=encoding.name,
                requested=told.name,
            )
            raise Unreadable(why, _spot(content, match, root))
    return decoded(content, encoding).replace("\r\n", "\n").replace("\r", "\n")


def _spot(content: bytes, match: re.Match[bytes], root: re.Match[bytes] | None) -> Spot:
    before = content[: match.start(1) + (root.start(1) if root else 0)].split(b"\n")
    return Spot(len(before), len(before[-1]) + 1)


def trees(text: str) -> Iterator[SgfTree]:
    """Yield the games of a file, in order. Raises `Unreadable`."""
    places, start, depth = Places(text), 0, 0
    form, head = _Form(places), _head(text)
    for kind, at, end in _tokens(text, places, len(head)):
        if not depth:
            if kind != "(":
                raise Unreadable(say("{text} is outside a game", text=text[at:end][:20]), places.of(at))
            start, form = at, _Form(places)
        form.take(kind, text[at:end], at)
        depth += (kind == "(") - (kind == ")")
        if not depth:
            tree = _tree(text[start:end], form, places.of(start))
            tree.head, head = head.strip(), ""
            yield tree
    if depth:
        raise Unreadable(say("the game that begins here does not end"), places.of(start))


def escaped(text: str) -> str:
    """Return the text with a backslash before each backslash and closing bracket, as in a value (FF[4], Text)."""
    return _ESCAPED.sub(r"\\\g<0>", text)


def _head(text: str) -> str:
    """Return the text before the first game, which the format allows (FF[4], Basics: text before ``(;``)."""
    begins = _BEGINS.search(text)
    head = text[: begins.start()] if begins else ""
    return "" if _OF_A_GAME.search(head) else head


def _tree(text: str, form: "_Form", spot: Spot) -> SgfTree:
    try:
        return SgfTree(sgf_grammar.parse_sgf_game(text.encode(UTF8.codec)), form.spots, form.root)
    except ValueError:
        raise Unreadable(say("not a game tree"), spot) from None


def _tokens(text: str, places: Places, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield kind (``[``, ``A``, or the sign itself), beginning and end of each token from ``start`` on."""
    at, count, size = after_space(text, start), 0, len(text)
    while at < size:
        match = _TOKEN.match(text, at)
        if match is None:
            raise Unreadable(_no_token(text[at]), places.of(at))
        count += match[0] not in ("(", ")")
        if count > TOKENS_AT_MOST:
            why = say("a file must not have more than {most} nodes, properties and values", most=TOKENS_AT_MOST)
            raise Unreadable(why, places.of(at))
        kind = "[" if match.lastgroup == "value" else "A" if match.lastgroup == "name" else match[0]
        yield kind, at, match.end()
        at = after_space(text, match.end())


def _no_token(character: str) -> Message:
    if character == "[":
        return say("a value does not end")
    return say("{character} has no meaning at this place", character=repr(character))


@dataclass(slots=True)
class _Form:
    """The form of one game, token after token: nodes of properties with values, and variations behind them."""

    places: Places
    spots: list[Spot] = field(default_factory=list)
    root: dict[str, Spot] = field(default_factory=dict)
    _last: str = ""
    _branched: bool = False

    def take(self, kind: str, text: str, at: int) -> None:
        last, self._last = self._last, kind
        wrong = self._wrong(kind, text, last)
        if wrong is not None:
            raise Unreadable(wrong, self.places.of(at))
        if kind == ")":
            self._branched = True
        elif kind == ";" and not self._branched:
            self.spots.append(self.places.of(at))
        elif kind == "A" and len(self.spots) == 1 and not self._branched:
            # Older versions write names in full. Their capital letters are the short name.
            self.root.setdefault("".join(letter for letter in text if letter.isupper()), self.places.of(at))

    def _wrong(self, kind: str, text: str, last: str) -> Message | None:
        if last == "A" and kind != "[":
            return say("a property has no value")
        match kind:
            case "[" if last not in ("A", "["):
                return say("a value has no property before it")
            case "A" if last not in (";", "["):
                return say("a property is outside a node")
            case "A" if text.islower():
                return say("{text} is not a property: property names have capital letters", text=text[:20])
            case ";" if last == ")":
                return say("a node follows variations")
            case "(" | ")" if last == "(":
                return say("a variation has no node")
        return None
