"""Buchholz and Sonneborn-Berger with their cuts, and fore Buchholz (C.07 8, 9.1, 14, 16)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from services.standings.rules.field import Field, is_open, is_vur, over_the_board
from services.standings.rules.value import Part, Quarters, Value, added
from shared.scoring import RoundScore
from shared.terms import HalfPoints, PlayerId

Edition = Literal["2024", "2026"]


@dataclass(frozen=True, slots=True)
class _Contribution:
    part: Part
    score: HalfPoints
    vur: bool


def buchholz(low: int = 0, high: int = 0) -> Callable[[Field, PlayerId, Edition], Value]:
    """Sum of the opponents' adjusted scores, less the ``low`` lowest and the ``high`` highest (C.07 8.1, 14)."""

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        return _cut(_contributions(field, player, edition, product=False), low, high)

    return of


def sonneborn_berger(low: int = 0) -> Callable[[Field, PlayerId, Edition], Value]:
    """Sum of the opponents' adjusted scores, each times the own points of that round (C.07 9.1)."""

    def of(field: Field, player: PlayerId, edition: Edition) -> Value:
        return _cut(_contributions(field, player, edition, product=True), low, 0)

    return of


def dummy(field: Field, player: PlayerId, r: RoundScore, edition: Edition) -> tuple[HalfPoints, str]:
    """The score of the dummy opponent of an unplayed round, and how it came about (C.07 16.4).

    The own score; in the edition of 2026 not above the scheduled opponent's adjusted score (16.4.1), or,
    where there was none, a draw in every round so far (16.4.2).
    """
    own = field.own[player]
    if edition == "2024":
        return own, "dummy opponent: own score"
    if r.opponent:
        cap, why = field.adjusted[r.opponent], "dummy opponent: not above the scheduled opponent's score"
    else:
        cap, why = HalfPoints(field.points.draw * field.rounds), "dummy opponent: not above draws throughout"
    return (cap, why) if cap < own else (own, "dummy opponent: own score")


def _contributions(field: Field, player: PlayerId, edition: Edition, product: bool) -> list[_Contribution]:
    found = []
    for r in field.scores[player].rounds:
        if is_open(r):
            continue
        if over_the_board(r):
            score, how = field.adjusted[r.opponent], None
        else:
            score, how = dummy(field, player, r, edition)
        quarters = Quarters(score * r.points if product else 2 * score)
        part = Part(r.round, r.opponent, quarters, score, None, how, "record")
        found.append(_Contribution(part, score, is_vur(r, field.points)))
    return found


def _cut(contributions: list[_Contribution], low: int, high: int) -> Value:
    """Leave out the lowest, those of voluntarily unplayed rounds first (C.07 16.5), then the highest (14.3)."""
    left = list(contributions)
    reasons: dict[int, str] = {}
    for _ in range(min(low, len(left))):
        cut = min(left, key=lambda c: (c.score, c.part.quarters))
        why = "lowest"
        unplayed = min((c for c in left if c.vur), key=lambda c: (c.part.quarters, c.score), default=None)
        if unplayed is not None and unplayed.part.quarters >= cut.part.quarters:
            cut, why = unplayed, "voluntarily unplayed round"
        left.remove(cut)
        reasons[cut.part.round] = why
    for _ in range(min(high, len(left))):
        cut = max(left, key=lambda c: (c.score, c.part.quarters))
        left.remove(cut)
        reasons[cut.part.round] = "highest"
    parts = (c.part for c in contributions)
    return added(tuple(p._replace(cut=reasons[p.round]) if p.round in reasons else p for p in parts))
