"""What the teams of a file made in each round, from its games and the records that speak of teams (240, 299, 320, 330)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from shared.core.language.messages import Message, say
from shared.core.rulebook.regulations import Points
from shared.core.terms import Side
from shared.trf.model.differences import Difference
from shared.trf.model.model import BYE_LETTERS, Record, TrfFile, TrfPlayer
from shared.trf.model.points import worth_of
from shared.trf.teams.matches import first_board, matches

BYES = {"F": "FPB", "H": "HPB", "Z": "ZPB", "U": "PAB"}
"""A bye of a team -> its word in record 802."""
USUAL_MATCH = {"TW": 4, "TD": 2, "TL": 0}
"""Match points in half-points, where record 362 is silent."""


class TeamRound(NamedTuple):
    """A team's round: opponent 0 with the word of a ``bye``, else the colour of its first board; points in half-points.

    ``forfeit``: by a record 330; ``played``: at least one of its games was; ``in_order``: it is known which board was the first.
    """

    opponent: int
    bye: str
    side: Side | None
    match_points: int
    game_points: int
    forfeit: bool = False
    played: bool = True
    in_order: bool = True


ABSENT = TeamRound(0, "ZPB", None, 0, 0)
"""A round in which a team has nothing."""


class TeamTotal(NamedTuple):
    """Both kinds of points over all rounds, in half-points, with what record 299 adds or takes."""

    match_points: int
    game_points: int


def team_rounds(trf: TrfFile, points: Points) -> dict[int, tuple[TeamRound, ...]] | None:
    """Every team's rounds; None where the games are no matches of teams."""
    rounds: dict[int, list[TeamRound]] = {team.id: [] for team in trf.settings.teams}
    for number in range(1, rounds_held(trf) + 1):
        held = matches(trf, number)
        if held is None:
            return None
        row = _forfeited(trf, number, points) | _byes(trf, number, points)
        for (first, second), games in held.items():
            row.update(_match(trf, number, first, second, games, points))
        for team, own in rounds.items():
            own.append(row.get(team, ABSENT))
    return {team: tuple(own) for team, own in rounds.items()}


def totals(trf: TrfFile, rounds: dict[int, tuple[TeamRound, ...]]) -> dict[int, TeamTotal]:
    """What the rounds give together, with the penalties and bonuses of record 299."""
    extra: dict[int, tuple[int, int]] = {}
    for given in trf.settings.abnormal:
        if given.sign == " ":
            for team in given.of:
                match, game = extra.get(team, (0, 0))
                extra[team] = (match + given.match_points, game + given.game_points)
    return {
        team: TeamTotal(
            sum(r.match_points for r in own) + extra.get(team, (0, 0))[0],
            sum(r.game_points for r in own) + extra.get(team, (0, 0))[1],
        )
        for team, own in rounds.items()
    }


def _worth(trf: TrfFile) -> dict[str, int]:
    return USUAL_MATCH | dict(trf.settings.match_points)


def _boards(trf: TrfFile) -> int:
    return trf.settings.boards or min(len(team.members) for team in trf.settings.teams)


def _byes(trf: TrfFile, number: int, points: Points) -> dict[int, TeamRound]:
    """240, and the allocated byes of 320."""
    match, boards = _worth(trf), _boards(trf)
    given = {"F": (match["TW"], points.win * boards), "H": (match["TD"], points.draw * boards), "Z": (0, 0)}
    row = {
        team: TeamRound(0, BYES[kind], None, *given[kind])
        for team, round, kind in trf.settings.team_byes
        if round == number
    }
    allocated = trf.settings.allocated
    if allocated is not None and number <= len(allocated.teams) and allocated.teams[number - 1]:
        row[allocated.teams[number - 1]] = TeamRound(0, "PAB", None, allocated.match_points, allocated.game_points)
    return row


def _forfeited(trf: TrfFile, number: int, points: Points) -> dict[int, TeamRound]:
    """330: matches that were not played."""
    match, full = _worth(trf), points.win * _boards(trf)
    row: dict[int, TeamRound] = {}
    for f in trf.settings.forfeits:
        if f.round == number:
            for team, other, side, won in (
                (f.white, f.black, "white", f.sign[0] in "+W1"),
                (f.black, f.white, "black", f.sign[1] in "+W1"),
            ):
                worth = (match["TW"], full) if won else (match["TL"], 0)
                row[team] = TeamRound(other, "", side, *worth, True, False)  # type: ignore[arg-type]
    return row


def _match(
    trf: TrfFile, number: int, first: int, second: int, games: list[tuple[TrfPlayer, TrfPlayer]], points: Points
) -> Iterator[tuple[int, TeamRound]]:
    """A match that was played: the points of each side's players, and what more of them is worth."""
    playing = {p.id for game in games for p in game}
    board = first_board(trf, number, (first, second), games)
    colours = _colours(trf, first, games, board or 0)
    own = {team: _game_points(trf, number, trf.members[team], playing, points) for team in (first, second)}
    match = _worth(trf)
    if any(_is_open(trf, number, p) for p in playing):
        worth = {first: 0, second: 0}
    elif own[first] == own[second]:
        worth = {first: match["TD"], second: match["TD"]}
    else:
        better = first if own[first] > own[second] else second
        worth = {team: match["TW" if team == better else "TL"] for team in (first, second)}
    letters = [entry.letter for p in playing if (entry := trf.numbered[p].entry(number)) is not None]
    played = not all(letter in ("+", "-") for letter in letters)
    for team, other in ((first, second), (second, first)):
        yield (
            team,
            TeamRound(other, "", colours[team == first], worth[team], own[team], False, played, board is not None),
        )


def _colours(trf: TrfFile, first: int, games: list[tuple[TrfPlayer, TrfPlayer]], board: int) -> tuple[Side, Side]:
    """The colour of the second and of the first team on the first board; ``board``: that of the first game, from 0."""
    white, _ = games[0]
    sides: tuple[Side, Side] = ("black", "white") if trf.places[white.id][0] == first else ("white", "black")
    pattern = (trf.settings.colours or "WB" * (board + 1)).ljust(board + 1)
    return sides if pattern[board] == pattern[0] else (sides[1], sides[0])


def _is_open(trf: TrfFile, number: int, player: int) -> bool:
    entry = trf.numbered[player].entry(number)
    return entry is not None and bool(entry.opponent) and not entry.letter


def _game_points(trf: TrfFile, number: int, members: tuple[int, ...], playing: set[int], points: Points) -> int:
    """Return the result of a team's players in a match, and those who won because nobody sat opposite."""
    total = 0
    for member in members:
        entry = trf.numbered[member].entry(number)
        if entry is None or not entry.letter:
            continue
        if member in playing:
            total += worth_of(entry.letter, entry.side or "white", points, trf.settings.points)
        elif entry.letter == "+" or BYE_LETTERS.get(entry.letter) == "F":
            total += points.win
    return total


_COUNTS = ("062", "072", "082")
_ROUNDS = ("142", "XXR")


def counts_that_differ(trf: TrfFile) -> Iterator[Difference]:
    """Numbers of players, rated players and teams that are others than the file has, and of rounds that are fewer than it has."""
    made = {
        "062": len(trf.players),
        "072": sum(player.rating is not None for player in trf.players),
        "082": len(trf.settings.teams),
    }
    held = rounds_held(trf)
    for record in trf.records:
        code = record.text[:3]
        if code in _COUNTS:
            yield from _of_lines(record, made[code])
        elif code in _ROUNDS and int(record.text[4:]) < held:
            detail = say("the file states {said} rounds, but has {made}", said=int(record.text[4:]), made=held)
            yield Difference(record.line, _column(record), detail)


def rounds_held(trf: TrfFile) -> int:
    """Return the last round in which somebody met or had an allocated bye; of teams also one of a forfeited match."""
    given = () if trf.settings.allocated is None else trf.settings.allocated.teams
    allocated = [n for n, team in enumerate(given, 1) if team]
    return max([trf.rounds_recorded, *(f.round for f in trf.settings.forfeits), *allocated])


def rounds_told(trf: TrfFile) -> int:
    """Return the last round of the file: as it says, or as its lines show if that is more."""
    return max([trf.settings.rounds, rounds_held(trf), *(len(player.rounds) for player in trf.players)])


def _of_lines(record: Record, made: int) -> Iterator[Difference]:
    """A blank says nothing; words behind the number, as programs write them there, are for people."""
    text = record.text[4:].strip()
    found = re.match(r"[0-9]{1,9}(?![^\s(])", text)
    if text and found is None:
        yield Difference(record.line, _column(record), _detail(record.text[:3], repr(text), made))
    elif found is not None and int(found[0]) != made:
        yield Difference(record.line, _column(record), _detail(record.text[:3], int(found[0]), made))


def _detail(code: str, said: int | str, made: int) -> Message:
    if code == "062":
        return say("the file states {said} players, but has {made}", said=said, made=made)
    if code == "072":
        return say("the file states {said} rated players, but has {made}", said=said, made=made)
    return say("the file states {said} teams, but has {made}", said=said, made=made)


def _column(record: Record) -> int:
    return len(record.text) - len(record.text[4:].lstrip()) + 1
