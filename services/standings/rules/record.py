"""Tie-breaks of a player's own record: wins, Black games, rounds one elected to play, progressive scores, Koya."""

from collections.abc import Callable

from services.standings.rules.buchholz import Edition
from services.standings.rules.field import Field, is_open, is_vur, over_the_board, won
from services.standings.rules.value import Part, Quarters, Value, added, whole
from shared.scoring import RoundScore
from shared.terms import PlayerId, Points

Test = Callable[[RoundScore, Points], bool]


def counted(test: Test) -> Callable[[Field, PlayerId, Edition], Value]:
    """The number of rounds that pass a test."""

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        rounds = [r for r in field.scores[player].rounds if test(r, field.points)]
        return whole(len(rounds), tuple(Part(r.round, r.opponent, Quarters(4)) for r in rounds))

    return of


def won_on_the_board(r: RoundScore, points: Points) -> bool:
    """C.07 7.2."""
    return won(r, points) and over_the_board(r)


def played_black(r: RoundScore, points: Points) -> bool:
    """C.07 7.3."""
    return r.side == "black" and over_the_board(r)


def won_with_black(r: RoundScore, points: Points) -> bool:
    """C.07 7.4."""
    return won(r, points) and played_black(r, points)


def elected_to_play(r: RoundScore, points: Points) -> bool:
    """C.07 7.6: every round but the voluntarily unplayed ones."""
    return not is_vur(r, points)


def score(field: Field, player: PlayerId, edition: Edition) -> Value:
    """The points themselves."""
    found = field.scores[player]
    return Value(
        Quarters(2 * found.points), tuple(Part(r.round, r.opponent, Quarters(2 * r.points)) for r in found.rounds)
    )


def progressive(cut: int = 0) -> Callable[[Field, PlayerId, Edition], Value]:
    """Sum of the score after each round, without that of the first ``cut`` rounds (C.07 7.5)."""

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        total, parts = 0, []
        for r in field.scores[player].rounds:
            if is_open(r):
                continue
            total += r.points
            why = "first round" if r.round <= cut else None
            parts.append(Part(r.round, r.opponent, Quarters(2 * total), cut=why))
        return added(tuple(parts))

    return of


def koya(field: Field, player: PlayerId, edition: Edition) -> Value:
    """Points over the board against those who have half of all possible points or more (C.07 9.2)."""
    parts = []
    for r in field.scores[player].rounds:
        if over_the_board(r):
            enough = 2 * field.own[r.opponent] >= field.points.win * field.rounds
            cut = None if enough else "the opponent has less than half of the points"
            parts.append(Part(r.round, r.opponent, Quarters(2 * r.points), field.own[r.opponent], cut, rests="record"))
    return added(tuple(parts))
