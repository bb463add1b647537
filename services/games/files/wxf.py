"""WXF, the text of the World Xiangqi Federation: lines of a head, and the moves between ``START{`` and ``}END``.

A move, as in ``1. C2.5 H8+7``, is a piece, its file, a direction and a target. The direction is forward (+), back (-)
or across (. or =). C+ is the front one of two pieces, and C- the rear one. A text without a head contains only moves.
"""

import re
from dataclasses import dataclass, field

from services.games.files.export import PGN
from services.games.files.game_file import (
    FileMove,
    GameFile,
    Place,
    Places,
    StatedFact,
    StatedResult,
    Unreadable,
    check_length,
)
from services.games.files.pgn.pgn_reader import UNDECIDED, WINNERS
from services.games.files.record_file import Branch, file_of, result_of
from services.games.rules.boards.xiangqi import fen
from shared.core.language.messages import say

MEDIA = "text/x-wxf"
_HEAD = re.compile(r"^([A-Z]+)[ \t]+(\S.*?)?[ \t]*$")
_TOKEN = re.compile(r"\{[^}]*\}|[^\s{}]+|[{}]")
_NUMBER = re.compile(r"(\d{1,4})(?:\.(?:\.\.)?|$)|\.\.\.$", re.ASCII)
_NAMES = {
    "EVENT": "Event", "DATE": "Date", "PLACE": "Site", "SITE": "Site", "ROUND": "Round", "RED": "Red", "BLACK": "Black",
    "REDTEAM": "RedTeam", "BLACKTEAM": "BlackTeam", "OPENING": "Opening",
}  # fmt: skip


@dataclass(slots=True)
class _Moves:
    """The moves of a text that are already read. ``second``: the second side begins."""

    places: Places
    second: bool
    set_up: bool
    main: Branch
    at: list[Place] = field(default_factory=list)
    result: StatedResult | None = None
    _before_first: int | None = None

    def take(self, token: str, place: Place, word_place: Place) -> None:
        number = _NUMBER.match(token)
        if token in ("{", "}"):
            raise Unreadable(say("a comment must begin with {{ and end with }}; one of them is missing"), place)
        if token.startswith("{"):
            text, ply = token.strip("{} \n"), len(self.main.moves)
            before = self.main.remarks.get(ply)
            self.main.remarks[ply] = text if before is None else f"{before}\n{text}"
        elif token.startswith("["):
            raise Unreadable(say("a tag in square brackets belongs to PGN: send the file as {media}", media=PGN), place)
        elif token == UNDECIDED or token in WINNERS:
            self.result = result_of(token, place, WINNERS, UNDECIDED)
        elif self.result is not None:
            raise Unreadable(say("{word} follows the result", word=token[:20]), place)
        else:
            if number is not None and number[1]:
                self._number(int(number[1]), place)
            word = token[number.end() :] if number else token
            if word:
                self.main.moves.append(word)
                self.at.append(word_place)
                check_length(len(self.at), word_place)

    def _number(self, number: int, place: Place) -> None:
        """Check the number of a move. Numbers count from 1, or from any number if a position is set up."""
        full = (len(self.main.moves) + self.second) // 2
        if self._before_first is None:
            self._before_first = number - full if self.set_up else 1
        due = self._before_first + full
        if number != due:
            raise Unreadable(
                say("the move has the number {digits}, but must have {due}", digits=number, due=due), place
            )


def read(text: str) -> GameFile:
    """Return the single game of a text. Raises `Unreadable`."""
    places = Places(text)
    start = re.search(r"START\s*\{", text)
    facts: dict[str, StatedFact] = {}
    begin, end = 0, len(text)
    if start is not None:
        facts = _facts(text, places, start.start())
        begin, end = start.end(), text.rfind("}END")
        if end < begin:
            raise Unreadable(say("START{{ has no }}END"), places.of(start.start()))
        rest = text[end + 4 :].strip()
        if rest:
            raise Unreadable(
                say("{rest} follows the end of the game", rest=rest[:20]), places.of(text.index(rest, end))
            )
    format = facts.pop("FORMAT", None)
    if format is not None and format.value.upper() != "WXF":
        raise Unreadable(say("FORMAT must be WXF, not {value}", value=format.value[:20]), format.spot)
    told = facts.pop("FEN", None)
    position = told or StatedFact("FEN", fen.START, places.of(0))
    moves = _Moves(places, position.value.split()[1:2] == ["b"], told is not None, Branch(1, places.of(begin)))
    try:
        for match in _TOKEN.finditer(text, begin, end):
            number = _NUMBER.match(match[0])
            moves.take(match[0], places.of(match.start()), places.of(match.start() + (number.end() if number else 0)))
        result = _result(facts.get("RESULT"), moves.result)
    except Unreadable as fault:
        fault.before = [FileMove(move, None, at) for move, at in zip(moves.main.moves, moves.at, strict=False)]
        fault.setup = told
        raise
    named = [StatedFact(_NAMES.get(n, f"WXF_{n}"), fact.value, fact.spot) for n, fact in facts.items() if n != "RESULT"]
    return file_of(moves.main, moves.at, position, named, result)


def _result(head: StatedFact | None, end: StatedResult | None) -> StatedResult | None:
    """Return the result from the head and the end of the moves. Raises `Unreadable` if they differ."""
    first = None if head is None or not head.value else result_of(head.value, head.spot, WINNERS, UNDECIDED)
    if first is not None and end is not None and first.winner != end.winner:
        why = say("the head states the result {head}, but the moves end with {end}", head=first.text, end=end.text)
        raise Unreadable(why, end.spot)
    return end or first


def _facts(text: str, places: Places, end: int) -> dict[str, StatedFact]:
    at = 0
    facts: dict[str, StatedFact] = {}
    for line in text[:end].splitlines(keepends=True):
        match = _HEAD.match(line.strip("\ufeff\r\n"))
        if match is not None:
            if match[1] in facts:
                raise Unreadable(say("{name} appears twice", name=match[1]), places.of(at))
            facts[match[1]] = StatedFact(match[1], match[2] or "", places.of(at))
        elif line.strip("\ufeff \t\r\n"):
            raise Unreadable(say("a line of the head must be a name and a value"), places.of(at))
        at += len(line)
    return facts
