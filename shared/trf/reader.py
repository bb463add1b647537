"""Reads TRF16 and TRF26. Strict where a game could be misread, kind where only layout differs."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from shared.core.event_types.gc_pause import pause_collector
from shared.core.language.charset import Encoding
from shared.core.language.messages import Message, MessageFact, say
from shared.core.terms import Side
from shared.trf.game_agreement import require_agreement
from shared.trf.model.columns import (
    BLANKS,
    TEAMS,
    Cells,
    Measure,
    TrfError,
    ambiguous,
    as_columns,
    blank_faults,
    decode,
    fitting,
    gather,
    spread,
)
from shared.trf.model.model import (
    BYE_LETTERS,
    GAME_LETTERS,
    Entry,
    Record,
    Settings,
    TrfFile,
    TrfPlayer,
    TrfTeam,
)
from shared.trf.model.reader_state import MOST_ROUNDS
from shared.trf.records import settings

PLAYER = "001"
NUMBERS_OF_A_ROW = 3
"""Numbers in a name that ends its line, from which on the line is one whose values are separated by blanks alone."""
_A_NUMBER = re.compile(r"(?<!\S)[0-9]+(?:[.,][0-9]+)?(?!\S)")
FIRST_ROUND = 91
"""Columns before the first round; each round takes `ROUND`."""
ROUND = 10
UNKNOWN = "*"
"""The letter of a result that nobody knows yet: of a game, or of a round that is not paired."""
SIDES: dict[str, Side | None] = {"w": "white", "b": "black", "-": None, "": None}


@pause_collector()
def read(data: bytes, file: str, encoding: Encoding | None = None) -> TrfFile:
    """The file's players, rounds and settings; `TrfError` names file, line and column of what is wrong.

    ``encoding``: what it is written in, where its bytes do not tell. How its columns are counted is told by the lines
    beyond ASCII; where two ways fit and read it otherwise, it is refused.
    """
    raw, found, newline = decode(data, file, encoding)
    lines = [line.removesuffix("\r") for line in raw]
    readings, failures = [], []
    for measure in fitting(lines, found, file):
        try:
            readings.append(_reading(lines, measure, found, file))
        except TrfError as failure:
            failures.append(failure)
    if not readings:
        raise failures[0]
    _one_reading(readings, lines, found, file)
    chosen = readings[0]
    by_line = {p.line: p for p in chosen.players}
    records = tuple(
        Record(n, text, by_line[n].id, by_line[n]) if n in by_line else Record(n, text) for n, text in enumerate(raw, 1)
    )
    return TrfFile(file, records, chosen.players, chosen.settings, found, newline, chosen.measure)


class _Reading(NamedTuple):
    """A file as it reads by one measure."""

    measure: Measure
    players: tuple[TrfPlayer, ...]
    settings: Settings


def _reading(lines: list[str], measure: Measure, encoding: Encoding, file: str) -> _Reading:
    records = [
        Record(n, line if line[:3] not in TEAMS else as_columns(line, measure, encoding))
        for n, line in enumerate(lines, 1)
        if not line.startswith(PLAYER)
    ]
    try:
        players = _players(lines, file, measure, encoding)
    except TrfError as fault:
        _refuse_records_before(fault, records, lines, file)
        raise
    return _Reading(measure, players, settings(records, frozenset(p.id for p in players), file))


def _refuse_records_before(fault: TrfError, records: Iterable[Record], lines: Iterable[str], file: str) -> None:
    """Raise the `TrfError` of a record before a ``fault`` in the players, so that the first one in the file is reported."""
    numbers = (line[4:8].strip() for line in lines if line.startswith(PLAYER))
    try:
        settings(records, frozenset(int(n) for n in numbers if re.fullmatch(r"[0-9]+", n)), file)
    except TrfError as other:
        if other.line < fault.line:
            raise other from None


def _one_reading(readings: list[_Reading], lines: list[str], encoding: Encoding, file: str) -> None:
    """Refuses a file that two measures read otherwise, naming the first line that shows it."""
    first = readings[0]
    for other in readings[1:]:
        if (other.players, other.settings.teams) == (first.players, first.settings.teams):
            continue
        rows: list[list[TrfPlayer | TrfTeam]] = [[*r.players, *r.settings.teams] for r in (first, other)]
        one, two = next((a, b) for a, b in zip(*rows, strict=False) if a != b)
        told = [(r.measure, _told(p)) for r, p in ((first, one), (other, two))]
        raise ambiguous(file, one.line, 15, told)


def _told(row: TrfPlayer | TrfTeam) -> str:
    if isinstance(row, TrfTeam):
        return f"{row.name} {' '.join(map(str, row.members))}"
    return " ".join(str(v) for v in (row.title, row.name, row.rating, row.federation, row.fide_id, row.points) if v)


def _players(lines: list[str], file: str, measure: Measure, encoding: Encoding) -> tuple[TrfPlayer, ...]:
    players: dict[int, TrfPlayer] = {}
    for number, line in enumerate(lines, 1):
        if not line.startswith(PLAYER):
            continue
        try:
            player = _player(spread(line, measure, encoding), number, file)
        except TrfError:
            require_agreement(players, file, among=players)
            raise
        if player.id in players:
            require_agreement(players, file, among=players)
            first = players[player.id].line
            raise TrfError(file, number, 5, say("player {id} is already on line {first}", id=player.id, first=first))
        players[player.id] = player
    if not players:
        raise TrfError(file, 1, 1, say("the file does not contain a player (record 001)"))
    require_agreement(players, file)
    return tuple(players.values())


def _player(line: Cells, number: int, file: str) -> TrfPlayer:
    id = _number(line, (5, 8), number, file, say("starting number"))
    if not id:
        raise TrfError(file, number, 5, say("the starting number is missing"))
    for column, fault in blank_faults(line, BLANKS):
        raise TrfError(file, number, column, fault)
    name = gather(line[14:47])
    if not gather(line[47:]) and len(_A_NUMBER.findall(name)) >= NUMBERS_OF_A_ROW:
        detail = say(
            "{text} is read as the name, and the columns after it are empty: put each value into the columns of its field",
            text=repr(name),
        )
        raise TrfError(file, number, 15, detail)
    points = gather(line[80:84])
    if points and not re.fullmatch(r"-?[0-9]+([.,][0-9]*)?", points):
        raise TrfError(file, number, 81, say("points {points} are not a number", points=repr(points)))
    _number(line, (86, 89), number, file, say("rank"))
    return TrfPlayer(
        id=id,
        name=name,
        rating=_number(line, (49, 52), number, file, say("rating")) or None,
        sex=gather(line[9:10]),
        title=gather(line[10:13]),
        federation=gather(line[53:56]),
        fide_id=gather(line[57:68]),
        birth=gather(line[69:79]),
        points=points,
        rank=gather(line[85:89]),
        rounds=_rounds(line, id, number, file),
        line=number,
    )


def rounds_of(lines: Iterable[tuple[int, str]], file: str) -> dict[int, TrfPlayer]:
    """The players of numbered lines that hold a starting number and rounds alone. Raises `TrfError`."""
    return {p.id: p for p in (_player(line, n, file) for n, line in lines)}


def _number(line: Cells, columns: tuple[int, int], number: int, file: str, what: Message) -> int:
    """The number in a line's columns (first, last, from 1); 0 where they are blank."""
    first, last = columns
    field = gather(line[first - 1 : last])
    if field and not (field.isascii() and field.isdigit()):
        raise TrfError(file, number, first, say("{what} {field} is not a number", what=what, field=repr(field)))
    return int(field or 0)


def _rounds(line: Cells, id: int, number: int, file: str) -> tuple[Entry | None, ...]:
    text = (
        line
        if isinstance(line, str)
        else "".join(cell if len(cell) == 1 else "\N{REPLACEMENT CHARACTER}" for cell in line)
    )
    entries, end = [], len(text.rstrip())
    padded = text.ljust(end + ROUND)
    for start in range(FIRST_ROUND, end, ROUND):
        entries.append(_entry(padded[start : start + ROUND], id, number, start + 1, file))
    if len(entries) > MOST_ROUNDS:
        raise TrfError(
            file, number, FIRST_ROUND + ROUND * MOST_ROUNDS, say("more than {most} rounds", most=MOST_ROUNDS)
        )
    return tuple(entries)


def _entry(field: str, id: int, line: int, column: int, file: str) -> Entry | None:
    """One round's ten columns: opponent (4), colour, result, each after or before a blank."""
    if field.isspace():
        return None
    side, letter, wrong = _side_and_letter(field[4:])
    if wrong is not None:
        raise TrfError(file, line, column + 4 + wrong[0], wrong[1])
    digits = field[:4].lstrip(" ")
    if digits and not (digits.isascii() and digits.isdigit()):
        raise TrfError(file, line, column, say("opponent {digits} is not a number", digits=repr(digits.strip())))
    opponent = int(digits or 0)
    if letter == UNKNOWN:
        if not opponent:
            return None
        letter = ""
    if opponent == id:
        raise TrfError(file, line, column, say("player {id} has themselves as opponent", id=id))
    letters = GAME_LETTERS if opponent else BYE_LETTERS
    if letter not in letters and not (opponent and letter == ""):
        facts: dict[str, MessageFact] = {"letter": repr(letter or "blank"), "known": " ".join(letters)}
        raise TrfError(
            file,
            line,
            column + 7,
            say("unknown result {letter} against opponent {opponent}; known: {known}", opponent=opponent, **facts)
            if opponent
            else say("result {letter} without an opponent; known are {known}", **facts),
        )
    if not opponent:
        return Entry(0, None, letter, line, column)
    if side is None and (letter == "" or GAME_LETTERS[letter].played):
        raise TrfError(
            file,
            line,
            column + 5,
            say("the colour of the game against {opponent} is missing; write w or b", opponent=opponent),
        )
    return Entry(opponent, side, letter, line, column)


class _SideAndLetter(NamedTuple):
    """A round's columns after the opponent: the colour, the result's letter; else where they are ``wrong``, and how."""

    side: Side | None
    letter: str
    wrong: tuple[int, Message] | None = None


@lru_cache(maxsize=1024)
def _side_and_letter(columns: str) -> _SideAndLetter:
    """Six columns: colour and result, each between blanks. A file has few different ones."""
    for blank in (0, 2, 4, 5):
        if columns[blank] != " ":
            return _SideAndLetter(
                None, "", (blank, say("{text} is in a column of a round that must be blank", text=repr(columns[blank])))
            )
    colour = columns[1].strip().lower()
    if colour not in SIDES:
        return _SideAndLetter(None, "", (1, say("colour {colour} is not w, b or -", colour=repr(colour))))
    return _SideAndLetter(SIDES[colour], columns[3].strip().upper())
