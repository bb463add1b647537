"""What the readers of xiangqi's files share: XQF, DhtmlXQ and WXF come to the game of a file like PGN's."""

import re
from collections.abc import Iterable, Mapping

from services.games.files import game_tree
from services.games.files.game_file import FileMove, GameFile, Place, StatedFact, StatedResult, Unreadable
from services.games.files.game_tree import Branch
from services.games.files.pgn.pgn_reader import XIANGQI
from services.games.files.pgn.pgn_tokens import on_one_line
from services.games.rules.boards.port.set_up import BadPosition
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.geometry import LETTERS, NAMES
from services.games.rules.play.moves import PLIES_AT_MOST
from shared.core.language.messages import message_of, say
from shared.core.terms import Side

_MEN = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
"""The pieces of a set in the order in which XQF and DhtmlXQ have their points."""
_DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?", re.ASCII)
_COMPARED = ("Event", "Round", "Red", "Black", "RedTeam", "BlackTeam")
_NOTHING = frozenset({"", "?", "-", "0000-00-00"})


def squares_of(points: Iterable[int | None], place: Place) -> list[int]:
    """The 90 squares with the 32 pieces of a set on their points, None: off the board. Raises `Unreadable`."""
    squares = [0] * len(NAMES)
    for man, point in zip(_MEN, points, strict=True):
        if point is None:
            continue
        if squares[point]:
            raise Unreadable(say("two pieces stand on {name}", name=NAMES[point]), place)
        squares[point] = LETTERS.index(man)
    try:
        fen.check_kings(squares)
    except BadPosition as problem:
        raise Unreadable(message_of(problem), place) from None
    return squares


def checked_length(count: int, place: Place) -> None:
    """Raises `Unreadable` for the move after the last that a game may have."""
    if count > PLIES_AT_MOST:
        raise Unreadable(say("a game has at most {most} moves of either side", most=PLIES_AT_MOST), place)


def result_of(
    word: str, place: Place, words: Mapping[str, Side | None], undecided: Iterable[str]
) -> StatedResult | None:
    """The result that a word states; None where it states none. Raises `Unreadable` for another word."""
    if word in words:
        return StatedResult(words[word], word, place)
    if word in undecided:
        return None
    why = say("the result is one of {words}, not {word}", words=", ".join(words), word=word[:20])
    raise Unreadable(why, place)


def file_of(
    main: Branch,
    places: Iterable[Place],
    position: StatedFact,
    facts: Iterable[StatedFact],
    result: StatedResult | None = None,
) -> GameFile:
    """The game of a file: the ``main`` line and where its moves stand, the ``position`` that it begins from as FEN, and what
    the file says of the game under PGN's names."""
    said = [_dated(fact._replace(value=on_one_line(fact.value))) for fact in facts if fact.value not in _NOTHING]
    kept: dict[str, object] = {}
    if said:
        kept["tags"] = [[fact.name, fact.value] for fact in said]
    fields = position.value.split()
    beside = game_tree.items(main, fields[1:2] == ["b"])
    if beside:
        kept["plies"] = beside
    moves = tuple(FileMove(move, None, place) for move, place in zip(main.moves, places, strict=True))
    setup = None if XIANGQI.start(fields) else position
    compared = [fact for fact in said if fact.name in _COMPARED]
    return GameFile(moves, result, setup, compared, kept, begins=main.place)


def _dated(fact: StatedFact) -> StatedFact:
    """A day as PGN writes it (8.1.1.3); what is no day stays as it stands."""
    match = _DATE.fullmatch(fact.value) if fact.name == "Date" else None
    if match is None:
        return fact
    return fact._replace(value=f"{match[1]}.{int(match[2]):02}.{int(match[3]):02}")
