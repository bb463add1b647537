"""Reads TRF16 and TRF26. Strict where a game could be misread, kind where only layout differs."""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from services.standings.formats.trf.columns import Measure, decode, gather, measures, spread
from services.standings.formats.trf.model import BYE_LETTERS, GAME_LETTERS, Entry, Record, TrfError, TrfFile, TrfPlayer
from services.standings.formats.trf.reader_state import MOST_ROUNDS
from services.standings.formats.trf.records import settings
from shared.core.gc_pause import no_collector
from shared.core.terms import Side

FIRST_ROUND = 91
"""Columns before the first round; each round takes `ROUND`."""
ROUND = 10
SIDES: dict[str, Side | None] = {"w": "white", "b": "black", "-": None, "": None}


@no_collector()
def read(data: bytes, file: str) -> TrfFile:
    """The file's players, rounds and settings; `TrfError` names file, line and column of what is wrong.

    Where names hold characters beyond ASCII and the file does not read by characters, its
    columns are counted in bytes, then in terminal cells; the first way that reads whole is taken.
    """
    lines, encoding, newline = decode(data, file)
    failures: list[TrfError] = []
    for measure in measures(lines, encoding):
        try:
            players = _players(lines, file, measure)
        except TrfError as failure:
            failures.append(failure)
            continue
        by_line = {p.line: p.id for p in players}
        records = tuple(Record(n, text, by_line.get(n, 0)) for n, text in enumerate(lines, 1))
        known = frozenset(p.id for p in players)
        return TrfFile(file, records, players, settings(records, known, file), encoding, newline, measure)
    raise failures[0]


def _players(lines: list[str], file: str, measure: Measure) -> tuple[TrfPlayer, ...]:
    players: dict[int, TrfPlayer] = {}
    for number, line in enumerate(lines, 1):
        if line.startswith("001"):
            player = _player(spread(line, measure), number, file)
            if player.id in players:
                first = players[player.id].line
                raise TrfError(file, number, 5, f"player {player.id} stands on line {first} already")
            players[player.id] = player
    if not players:
        raise TrfError(file, 1, 1, "no player (record 001) in it")
    for player in players.values():
        for round, entry in enumerate(player.rounds, 1):
            if entry is not None and entry.opponent:
                _agree(player, entry, round, players.get(entry.opponent), file)
    return tuple(players.values())


def _player(line: str, number: int, file: str) -> TrfPlayer:
    id = _number(line, (5, 8), number, file, "starting number")
    if not id:
        raise TrfError(file, number, 5, "no starting number")
    points = gather(line[80:84])
    if points and not re.fullmatch(r"\d*([.,]\d*)?", points):
        raise TrfError(file, number, 81, f"points {points!r} are not a number")
    _number(line, (86, 89), number, file, "rank")
    return TrfPlayer(
        id=id,
        name=gather(line[14:47]),
        rating=_number(line, (49, 52), number, file, "rating") or None,
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


def _number(line: str, columns: tuple[int, int], number: int, file: str, what: str) -> int:
    """The number in a line's columns (first, last, from 1); 0 where they are blank."""
    first, last = columns
    field = gather(line[first - 1 : last])
    if field and not (field.isascii() and field.isdigit()):
        raise TrfError(file, number, first, f"{what} {field!r} is not a number")
    return int(field or 0)


def _rounds(line: str, id: int, number: int, file: str) -> tuple[Entry | None, ...]:
    entries, end = [], len(line.rstrip())
    padded = line.ljust(end + ROUND)
    for start in range(FIRST_ROUND, end, ROUND):
        entries.append(_entry(padded[start : start + ROUND], id, number, start + 1, file))
    if len(entries) > MOST_ROUNDS:
        raise TrfError(file, number, FIRST_ROUND + ROUND * MOST_ROUNDS, f"more than {MOST_ROUNDS} rounds")
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
        raise TrfError(file, line, column, f"opponent {digits.strip()!r} is not a number")
    opponent = int(digits or 0)
    if opponent == id:
        raise TrfError(file, line, column, f"player {id} is his own opponent")
    letters = GAME_LETTERS if opponent else BYE_LETTERS
    if letter not in letters and not (opponent and letter == ""):
        beside = f"beside opponent {opponent}" if opponent else "without an opponent"
        raise TrfError(file, line, column + 7, f"result {letter or 'blank'!r} {beside}; known are {' '.join(letters)}")
    if not opponent:
        return Entry(0, None, letter, line, column)
    if side is None and (letter == "" or GAME_LETTERS[letter].played):
        raise TrfError(file, line, column + 5, f"no colour in a game against {opponent}")
    return Entry(opponent, side, letter, line, column)


class _SideAndLetter(NamedTuple):
    """A round's columns after the opponent: the colour, the result's letter; else where they are ``wrong``, and how."""

    side: Side | None
    letter: str
    wrong: tuple[int, str] | None = None


@lru_cache(maxsize=1024)
def _side_and_letter(columns: str) -> _SideAndLetter:
    """Six columns: colour and result, each between blanks. A file has few different ones."""
    for blank in (0, 2, 4, 5):
        if columns[blank] != " ":
            return _SideAndLetter(None, "", (blank, f"{columns[blank]!r} where a round's columns have a blank"))
    colour = columns[1].strip().lower()
    if colour not in SIDES:
        return _SideAndLetter(None, "", (1, f"colour {colour!r} is none of w, b, -"))
    return _SideAndLetter(SIDES[colour], columns[3].strip().upper())


def _agree(player: TrfPlayer, entry: Entry, round: int, other: TrfPlayer | None, file: str) -> None:
    """Both players tell the same of their game, or the file is wrong."""
    theirs = None if other is None else other.entry(round)
    if theirs is None or theirs.opponent != player.id:
        against = "nobody" if theirs is None or not theirs.opponent else str(theirs.opponent)
        raise _disagreement(
            entry, 0, round, file,
            f"{player.id} has {other.id} as opponent, but {other.id} (line {other.line}) has {against}"
            if other is not None
            else f"opponent {entry.opponent} is no player of the file",
        )  # fmt: skip
    if entry.side is not None and entry.side == theirs.side:
        raise _disagreement(entry, 5, round, file, f"{player.id} and {entry.opponent} both have {entry.side}")
    wrong = _wrong_pair(entry.letter, theirs.letter)
    if wrong:
        raise _disagreement(entry, 7, round, file, wrong.format(player.id, entry.opponent))


def _disagreement(entry: Entry, offset: int, round: int, file: str, detail: str) -> TrfError:
    return TrfError(file, entry.line, entry.column + offset, f"round {round}: {detail}")


@cache
def _wrong_pair(letter: str, theirs: str) -> str:
    """What is wrong with a game of these two letters, said of the players {0} and {1}; nothing where they fit."""
    if letter == "" or theirs == "":
        return "" if letter == theirs else "only one of {0} and {1} has a result"
    mine, yours = GAME_LETTERS[letter], GAME_LETTERS[theirs]
    if mine.played != yours.played:
        return "the game of {0} and {1} was played for one and forfeited for the other"
    return f"{{0}} won against {{1}}, who has {theirs!r}" if mine.share == "win" and yours.share != "loss" else ""
