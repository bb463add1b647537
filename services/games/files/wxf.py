"""WXF, the text of the World Xiangqi Federation: lines of a head, and the moves between ``START{`` and ``}END``.

``1. C2.5 H8+7``: a piece, its file, whether it goes on (+), back (-) or across (. or =), and where to; C+ and C- are the one in
front and the one behind. A text without a head is moves alone.
"""

import re
from collections.abc import Iterator

from services.games.files.game_file import Places
from services.games.files.game_record import GameRecord, RecordMove, UnreadableRecord, spot_of
from services.games.rules.boards.xiangqi import fen
from shared.core.messages import say

MEDIA = "text/x-wxf"
_HEAD = re.compile(r"^([A-Z]+)[ \t]+(\S.*?)?[ \t]*$")
_TOKEN = re.compile(r"\{[^}]*\}|\S+")
_NUMBER = re.compile(r"\d{1,4}\.(?:\.\.)?|\d{1,4}$")
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_FEN = "FEN"


def read(text: str) -> GameRecord:
    """The one game of a text. Raises `UnreadableRecord`."""
    places = Places(text)
    start = re.search(r"START\s*\{", text)
    facts: dict[str, str] = {}
    begin, end = 0, len(text)
    if start is not None:
        facts = dict(_facts(text, places, start.start()))
        begin, end = start.end(), text.rfind("}END")
        if end < begin:
            raise UnreadableRecord(say("START{{ has no }}END"), spot_of(places, start.start()))
        rest = text[end + 4 :].strip()
        if rest:
            raise UnreadableRecord(
                say("{rest} stands behind the game", rest=rest[:20]), spot_of(places, text.index(rest, end))
            )
    remarks: list[tuple[int, str]] = []
    moves: list[RecordMove] = []
    for match in _TOKEN.finditer(text, begin, end):
        token = match[0]
        if token.startswith("{"):
            remarks.append((len(moves), token.strip("{} \n")))
        elif token in _RESULTS:
            facts.setdefault("RESULT", token)
        else:
            number = _NUMBER.match(token)
            word = token[number.end() :] if number else token
            if word:
                moves.append(RecordMove(word, spot_of(places, match.start() + len(token) - len(word))))
    return GameRecord(tuple(moves), facts.pop(_FEN, fen.START), facts, tuple(remarks))


def _facts(text: str, places: Places, end: int) -> Iterator[tuple[str, str]]:
    at = 0
    for line in text[:end].splitlines(keepends=True):
        match = _HEAD.match(line.strip("\ufeff\r\n"))
        if match is not None:
            yield match[1], match[2] or ""
        elif line.strip("\ufeff \t\r\n"):
            raise UnreadableRecord(say("a line of the head is a name and a value"), spot_of(places, at))
        at += len(line)
