"""Reads TRF16 and TRF26. Strict where a game could be misread, kind where only layout differs."""

import re

from services.standings.formats.trf import BYE_LETTERS, GAME_LETTERS, Entry, Record, TrfError, TrfFile, TrfPlayer
from services.standings.formats.trf_columns import Measure, decode, gather, measures, spread
from services.standings.formats.trf_found import MOST_ROUNDS
from services.standings.formats.trf_records import settings
from shared.terms import Side

FIRST_ROUND = 91
"""Columns before the first round; each round takes `ROUND`."""
ROUND = 10
SIDES: dict[str, Side | None] = {"w": "white", "b": "black", "-": None, "": None}


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
                _agree(player, entry, round, players, file)
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
    if field and not re.fullmatch(r"[0-9]+", field):
        raise TrfError(file, number, first, f"{what} {field!r} is not a number")
    return int(field or 0)


def _rounds(line: str, id: int, number: int, file: str) -> tuple[Entry | None, ...]:
    entries = []
    for start in range(FIRST_ROUND, len(line.rstrip()), ROUND):
        entries.append(_entry(line[start : start + ROUND].ljust(ROUND), id, number, start + 1, file))
    if len(entries) > MOST_ROUNDS:
        raise TrfError(file, number, FIRST_ROUND + ROUND * MOST_ROUNDS, f"more than {MOST_ROUNDS} rounds")
    return tuple(entries)


def _entry(field: str, id: int, line: int, column: int, file: str) -> Entry | None:
    """One round's ten columns: opponent (4), colour, result, each after or before a blank."""
    if not field.strip():
        return None
    for blank in (4, 6, 8, 9):
        if field[blank] != " ":
            raise TrfError(file, line, column + blank, f"{field[blank]!r} where a round's columns have a blank")
    digits = field[:4].lstrip(" ")
    if digits and not (digits.isascii() and digits.isdigit()):
        raise TrfError(file, line, column, f"opponent {digits.strip()!r} is not a number")
    opponent = int(digits or 0)
    if opponent == id:
        raise TrfError(file, line, column, f"player {id} is his own opponent")
    colour = field[5].strip().lower()
    if colour not in SIDES:
        raise TrfError(file, line, column + 5, f"colour {colour!r} is none of w, b, -")
    letter = field[7].strip().upper()
    letters = GAME_LETTERS if opponent else BYE_LETTERS
    if letter not in letters and not (opponent and letter == ""):
        told = f"beside opponent {opponent}" if opponent else "without an opponent"
        raise TrfError(file, line, column + 7, f"result {letter or 'blank'!r} {told}; known are {' '.join(letters)}")
    if not opponent:
        return Entry(0, None, letter, line, column)
    if SIDES[colour] is None and (letter == "" or GAME_LETTERS[letter].played):
        raise TrfError(file, line, column + 5, f"no colour in a game against {opponent}")
    return Entry(opponent, SIDES[colour], letter, line, column)


def _agree(player: TrfPlayer, entry: Entry, round: int, players: dict[int, TrfPlayer], file: str) -> None:
    """Both players tell the same of their game, or the file is wrong."""

    def fail(offset: int, detail: str) -> TrfError:
        return TrfError(file, entry.line, entry.column + offset, f"round {round}: {detail}")

    if entry.opponent not in players:
        raise fail(0, f"opponent {entry.opponent} is no player of the file")
    other = players[entry.opponent]
    theirs = other.entry(round)
    if theirs is None or theirs.opponent != player.id:
        against = "nobody" if theirs is None or not theirs.opponent else str(theirs.opponent)
        raise fail(0, f"{player.id} has {other.id} as opponent, but {other.id} (line {other.line}) has {against}")
    if entry.side is not None and entry.side == theirs.side:
        raise fail(5, f"{player.id} and {other.id} both have {entry.side}")
    if (entry.letter == "") != (theirs.letter == ""):
        raise fail(7, f"only one of {player.id} and {other.id} has a result")
    if entry.letter:
        mine, yours = GAME_LETTERS[entry.letter], GAME_LETTERS[theirs.letter]
        if mine.played != yours.played:
            raise fail(7, f"the game of {player.id} and {other.id} was played for one and forfeited for the other")
        if mine.share == "win" and yours.share != "loss":
            raise fail(7, f"{player.id} won against {other.id}, who has {theirs.letter!r}")
