"""The common part of the readers of XQF, DhtmlXQ and WXF: moves with variations and remarks, and the game of a file.

Variations and remarks are converted to the items that accompany moves in PGN.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from services.games.files.game_file import FileMove, GameFile, Place, StatedFact, StatedResult, Unreadable
from services.games.files.pgn.pgn_reader import XIANGQI
from services.games.files.pgn.pgn_tokens import on_one_line
from services.games.rules.boards.port.position import BadPosition
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.geometry import LETTERS, NAMES
from shared.core.language.messages import message_of, say
from shared.core.terms import Side

_MEN = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
"""The pieces of a set in the order in which XQF and DhtmlXQ have their points."""
_DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?", re.ASCII)
_COMPARED = ("Event", "Round", "Red", "Black", "RedTeam", "BlackTeam")
_NOTHING = frozenset({"", "?", "-", "0000-00-00"})


NESTED_AT_MOST = 64
"""Limit of variations within variations. Deeper nesting is not analysis."""


@dataclass(slots=True)
class Branch:
    """A line of moves that begins at the ply ``first`` (from 1) of the game.

    ``remarks`` and ``variations`` are listed by the ply that they are on or replace. The main line begins at 1. A remark
    on ply 0 comes before its moves.
    """

    first: int
    place: Place
    moves: list[str] = field(default_factory=list)
    remarks: dict[int, str] = field(default_factory=dict)
    variations: dict[int, list["Branch"]] = field(default_factory=dict)

    @property
    def last(self) -> int:
        return self.first + len(self.moves) - 1


def items(main: Branch, second: bool) -> dict[str, list[str]]:
    """Return the remarks and variations of the main line as annotations, by the number of moves before them.

    ``second``: the second side moves first. Raises `Unreadable` for variations that are nested too deep.
    """
    found: dict[str, list[str]] = {}
    for ply in range(main.last + 1):
        beside = list(_beside(main, ply, second, 1))
        if beside:
            found[str(ply)] = beside
    return found


def _beside(branch: Branch, ply: int, second: bool, depth: int) -> Iterator[str]:
    if ply in branch.remarks:
        yield from comment(branch.remarks[ply])
    for variation in branch.variations.get(ply, ()):
        if depth > NESTED_AT_MOST:
            why = say(
                "variations are nested {depth} levels deep; the limit is {most}", depth=depth, most=NESTED_AT_MOST
            )
            raise Unreadable(why, variation.place)
        yield " ".join(["(", *_words(variation, second, depth + 1), ")"])


def _words(branch: Branch, second: bool, depth: int) -> Iterator[str]:
    interrupted = True
    for ply, move in enumerate(branch.moves, branch.first):
        full, half = divmod(ply - 1 + second, 2)
        if not half or interrupted:
            yield f"{full + 1}{'...' if half else '.'}"
        yield move
        beside = list(_beside(branch, ply, second, depth))
        yield from (f"{item}\n" if item.startswith(";") else item for item in beside)
        interrupted = bool(beside)


def comment(text: str) -> Sequence[str]:
    """Return a text as comments of PGN: in braces, or if it contains their end, each line as a comment to its end.

    A space in its bracket keeps PGN from reading a remark as a command (``[%clk 1:00:00]``).
    """
    text = text.replace("[%", "[ %")
    if "}" not in text:
        return [f"{{{text}}}"]
    return [f";{line}" for line in text.splitlines()]


def squares_of(points: Iterable[int | None], place: Place) -> list[int]:
    """Return the 90 squares with the 32 pieces of a set on their points (None: off the board). Raises `Unreadable`."""
    squares = [0] * len(NAMES)
    for man, point in zip(_MEN, points, strict=True):
        if point is None:
            continue
        if squares[point]:
            raise Unreadable(say("two pieces are on {name}", name=NAMES[point]), place)
        squares[point] = LETTERS.index(man)
    try:
        fen.check_kings(squares)
    except BadPosition as problem:
        raise Unreadable(message_of(problem), place) from None
    return squares


def result_of(
    word: str, place: Place, words: Mapping[str, Side | None], undecided: Iterable[str]
) -> StatedResult | None:
    """Return the result that a word states, or None if it is undecided. Raises `Unreadable` for another word."""
    if word in words:
        return StatedResult(words[word], word, place)
    if word in undecided:
        return None
    why = say("the result must be one of {words}, not {word}", words=", ".join(words), word=word[:20])
    raise Unreadable(why, place)


def file_of(
    main: Branch,
    places: Iterable[Place],
    position: StatedFact,
    facts: Iterable[StatedFact],
    result: StatedResult | None = None,
) -> GameFile:
    """Return the game of a file: its ``main`` line, the places of its moves, its first ``position`` as FEN, and its facts.

    The facts have the names of PGN.
    """
    said = [_dated(fact._replace(value=on_one_line(fact.value))) for fact in facts if fact.value not in _NOTHING]
    kept: dict[str, object] = {}
    if said:
        kept["tags"] = [[fact.name, fact.value] for fact in said]
    fields = position.value.split()
    beside = items(main, fields[1:2] == ["b"])
    if beside:
        kept["plies"] = beside
    moves = tuple(FileMove(move, None, place) for move, place in zip(main.moves, places, strict=True))
    setup = None if XIANGQI.start(fields) else position
    compared = [fact for fact in said if fact.name in _COMPARED]
    return GameFile(moves, result, setup, compared, kept, begins=main.place)


def _dated(fact: StatedFact) -> StatedFact:
    """Return a day as PGN writes it (8.1.1.3). Any other text is unchanged."""
    match = _DATE.fullmatch(fact.value) if fact.name == "Date" else None
    if match is None:
        return fact
    return fact._replace(value=f"{match[1]}.{int(match[2]):02}.{int(match[3]):02}")
