"""Points by exception of single players (record 299): out of a file into its tournament, and out of a log into a file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shared.core.readings.scoring import Score
from shared.core.rulebook.regulations import Points
from shared.core.state.tournament import Tournament
from shared.core.terms import Seq
from shared.trf.model.model import TrfFile, TrfPlayer
from shared.trf.model.points import points_text, worth_of_bye, worth_of_entry

RECORD = "299"
_SIGNS = {"1": "W", "=": "D", "0": "L", "U": "F"}
"""Letters of 001 that 299 writes otherwise."""


class Given(NamedTuple):
    """Half-points that a record gives a player: of a ``round`` in place of its own, or (sign blank) beside all of them."""

    sign: str
    player: int
    round: int
    points: int


def given_in(trf: TrfFile) -> Iterator[Given]:
    """Every player's, in the order of the records; of a round that he has an entry for. A file of teams means teams."""
    byes = {(player, round) for player, round, _ in trf.settings.byes}
    for record in () if trf.settings.teams else trf.settings.abnormal:
        for player in record.of:
            entry = trf.numbered[player].entry(record.round) if record.round else None
            if record.sign == " " or entry is not None or (player, record.round) in byes:
                yield Given(record.sign, player, record.round, record.game_points)


def in_games(trf: TrfFile) -> Mapping[tuple[int, int], int]:
    """By player and round, what a game with a result is worth by exception."""
    found: dict[tuple[int, int], int] = {}
    for one in given_in(trf):
        entry = trf.numbered[one.player].entry(one.round) if one.sign != " " else None
        if entry is not None and entry.opponent and entry.letter and one.points >= 0:
            found[one.player, one.round] = one.points
    return found


def beside_games(trf: TrfFile, points: Points) -> list[Given]:
    """What is given beside the results of games: bonuses and penalties, and what a bye is worth by exception more than it is."""
    games, values = in_games(trf), trf.settings.points
    asked = {(player, round): kind for player, round, kind in reversed(trf.settings.byes)}
    found = [one for one in given_in(trf) if one.sign == " "]
    for one in given_in(trf):
        at = one.player, one.round
        if one.sign == " " or at in games:
            continue
        entry = trf.numbered[one.player].entry(one.round)
        worth = worth_of_bye(asked[at], points, values) if entry is None else worth_of_entry(entry, points, values)
        found.append(one._replace(points=one.points - worth))
    return [one for one in found if one.points]


def lines_of_299(
    t: Tournament, players: Sequence[TrfPlayer], of: Mapping[int, Score], values: tuple[tuple[str, int], ...]
) -> list[str]:
    """The records that an export needs so that its results give the points of the log; ``of``: the scores by starting
    number; ``values``: the file's point system."""
    found: dict[tuple[int, str, int], list[int]] = {}
    rounds = {ruling.seq: ruling.event.round for ruling in t.rulings_with_effect()}
    for player in players:
        for one in _needed(player, of[player.id], rounds, t.regulations.points, values):
            found.setdefault((one.round, one.sign, one.points), []).append(one.player)
    return [
        f"{RECORD} {sign}  {0:4.1f}  {_four(points)}  {round:3d} {''.join(f' {id:4d}' for id in ids)}"
        for (round, sign, points), ids in sorted(found.items())
    ]


def comments_on_points(t: Tournament, players: Sequence[TrfPlayer], of: Mapping[int, Score]) -> Iterator[str]:
    """What rulings gave or took from players of an event of teams, whose records 299 name teams; ``of`` as above."""
    rounds = {ruling.seq: ruling.event.round for ruling in t.rulings_with_effect()}
    for player in players:
        for seq, worth in of[player.id].adjustments:
            yield f"player {player.id}: {worth / 2:+.1f} points by a ruling in round {rounds[seq]}, beside his results"


def _needed(
    player: TrfPlayer, score: Score, rounds: Mapping[Seq, int], points: Points, values: tuple[tuple[str, int], ...]
) -> Iterator[Given]:
    for made in score.rounds:
        entry = player.entry(made.round)
        if entry is not None and made.points != worth_of_entry(entry, points, values):
            yield Given(_SIGNS.get(entry.letter, entry.letter), player.id, made.round, made.points)
    rulings: dict[int, int] = {}
    for seq, worth in score.adjustments:
        rulings[rounds[seq]] = rulings.get(rounds[seq], 0) + worth
    yield from (Given(" ", player.id, round, worth) for round, worth in rulings.items() if worth)


def _four(half_points: int) -> str:
    """In four columns."""
    text = points_text(half_points)
    return f"{text:>4s}" if len(text) <= 4 else f"{half_points / 2:4g}"
