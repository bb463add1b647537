"""RIF, the records of RenjuNet: XML with tables of players, tournaments and rules, and games that name them by number.

``<game id="7" tournament="2" round="1" rule="1" black="11" white="12" bresult="1"><move>h8 h9 …</move><info/></game>``
is a game. ``bresult`` is Black's share of the point: 1, 0.5 or 0.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from services.games.files.game_file import (
    FileMove,
    GameFile,
    Spot,
    StatedFact,
    StatedResult,
    Unreadable,
    check_length,
    choose,
    decoded,
)
from services.games.files.sgf.sgf_tree import escaped
from shared.core.language.charset import Encoding, find_encoding
from shared.core.language.messages import say
from shared.core.terms import Side

MEDIA = "application/x-rif"
_RESULTS: dict[str, Side | None] = {"1": "black", "0": "white", "0.5": None}
_MOVE = re.compile(r"[a-o](?:1[0-5]|[1-9])|pass", re.ASCII)
_DECLARED = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})")
_MULTIBYTE = ("gb18030", "big5", "shift_jis", "euc-jp", "euc-kr")
"""Encodings that expat does not read itself."""
_TABLES = {"player": ("name", "surname"), "tournament": ("name",), "rule": ("name",)}
"""The tables whose rows games reference by ``id``, and the attributes with the name of a row."""
_PROPERTIES = {"black": "PB", "white": "PW", "tournament": "EV", "round": "RO", "rule": "RU", "date": "DT"}
"""The names in SGF of the attributes that SGF has too. Others have the prefix ``RIF``."""
_ROW_OF = {"black": "player", "white": "player", "tournament": "tournament", "rule": "rule"}
_COMPARED = ("EV", "RO", "PB", "PW")
Rows = Mapping[tuple[str, str], Mapping[str, str]]
"""The attributes of a row, by table and ``id``."""


@dataclass(slots=True)
class _Game:
    """A game as written in the file, with the place of each piece of its text."""

    attributes: dict[str, str]
    spot: Spot
    texts: dict[str, list[tuple[str, Spot]]] = field(default_factory=dict)
    inner: list[tuple[str, str]] = field(default_factory=list)
    """The attributes of its elements. Each name is that of the element followed by that of the attribute."""

    def text(self, element: str) -> str:
        return "".join(text for text, _ in self.texts.get(element, ()))

    def words(self, element: str) -> Iterator[tuple[str, Spot]]:
        """Yield the words of an element, each with its place."""
        for text, spot in self.texts.get(element, ()):
            for match in re.finditer(r"\S+", text):
                yield match[0], Spot(spot.line, spot.column + match.start())


class _Reader:
    """The tables and games of a file, as expat parses them."""

    def __init__(self) -> None:
        self.games: list[_Game] = []
        self.rows: dict[tuple[str, str], dict[str, str]] = {}
        self._path: list[str] = []
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = False
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._entity

    def read(self, content: bytes | str) -> None:
        """Parse the file. Raises `Unreadable` if it is not XML, has entities, or has text outside a game's elements."""
        try:
            self._parser.Parse(content, True)
        except expat.ExpatError as problem:
            raise Unreadable(
                say("the file is not XML: {problem}", problem=expat.ErrorString(problem.code)), self._here
            ) from None
        except Unreadable:
            raise
        except (LookupError, ValueError) as problem:
            raise Unreadable(say("the file is not XML: {problem}", problem=str(problem)), self._here) from None

    @property
    def _here(self) -> Spot:
        return Spot(self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        if name == "game":
            self.games.append(_Game(attributes, self._here))
        elif "game" in self._path:
            self.games[-1].inner += ((f"{name}{attribute}", value) for attribute, value in attributes.items())
        elif name in _TABLES and "id" in attributes:
            self.rows[name, attributes["id"]] = attributes

    def _end(self, name: str) -> None:
        self._path.pop()

    def _text(self, text: str) -> None:
        if "game" in self._path[:-1] and text.strip():
            self.games[-1].texts.setdefault(self._path[-1], []).append((text, self._here))
        elif self._path[-1:] == ["game"] and text.strip():
            raise Unreadable(say("{text} is outside every element of a game", text=text.strip()[:20]), self._here)

    def _entity(self, *_: object) -> None:
        raise Unreadable(say("the file declares XML entities, which are not allowed"), self._here)


def read(content: bytes, told: Encoding | None = None, number: int | None = None) -> GameFile:
    """Return the game of a file, or the one with this number (from 1) if it contains several. Raises `Unreadable`."""
    reader, encoding = _Reader(), told or _declared(content)
    reader.read(content if encoding is None else decoded(content, encoding))
    return _game(choose(reader.games, number, lambda game: game.spot), reader.rows)


def _declared(content: bytes) -> Encoding | None:
    """Return the declared multi-byte encoding, or None if the encoding is unknown or is one that expat reads."""
    declared = _DECLARED.match(content)
    encoding = find_encoding(declared[1].decode()) if declared else None
    return encoding if encoding is not None and encoding.name in _MULTIBYTE else None


def _game(one: _Game, rows: Rows) -> GameFile:
    properties: dict[str, list[str]] = {}
    for name, value in _said(one, rows):
        if value:
            properties.setdefault(name, []).append(escaped(value))
    facts = [StatedFact(name, properties[name][0], one.spot) for name in _COMPARED if name in properties]
    kept = {"nodes": {"0": [properties]}} if properties else {}
    return GameFile(tuple(_moves(one)), _result(one), None, facts, kept, begins=one.spot)


def _said(one: _Game, rows: Rows) -> Iterator[tuple[str, str]]:
    """Yield the contents of the game other than moves and result, each with its property in SGF.

    For a reference to a row, yield the name of the row and its other attributes.
    """
    for attribute, value in one.attributes.items():
        table = _ROW_OF.get(attribute)
        row = rows.get((table, value)) if table else None
        named = value if table is None or row is None else _name_of(table, row)
        if attribute != "bresult":
            yield _PROPERTIES.get(attribute, _private(attribute)), named
        for other, said in (row or {}).items():
            if table and other not in ("id", *_TABLES[table]):
                yield _private(f"{attribute}{other}"), said
    yield from ((_private(name), value) for name, value in one.inner)
    yield from ((_private(element), one.text(element).strip()) for element in one.texts if element != "move")


def _name_of(table: str, row: Mapping[str, str]) -> str:
    return " ".join(filter(None, (row.get(part, "").strip() for part in _TABLES[table])))


def _private(name: str) -> str:
    """Return the name of a private property of SGF, which may contain only capital letters."""
    return "RIF" + re.sub(r"[^A-Z]", "", name.upper())


def _moves(one: _Game) -> Iterator[FileMove]:
    for n, (word, spot) in enumerate(one.words("move")):
        check_length(n + 1, spot)
        if not _MOVE.fullmatch(word.lower()):
            raise Unreadable(say("{word} is not a point of the board", word=word[:20]), spot)
        yield FileMove(word.lower(), None, spot)


def _result(one: _Game) -> StatedResult | None:
    said = one.attributes.get("bresult", "").strip()
    if not said:
        return None
    if said not in _RESULTS:
        words = ", ".join(_RESULTS)
        raise Unreadable(say("the result must be one of {words}, not {word}", words=words, word=said[:20]), one.spot)
    return StatedResult(_RESULTS[said], said, one.spot)
