"""The field of a table: every player's record as C.07 reads it, in half-points.

Two words of C.07 decide most of it. A *voluntarily unplayed round* (VUR, 16.2.5) is a half-point or
zero-point bye or a forfeit loss. The *adjusted score* (16.3) is what a player gives to the tie-breaks of
opponents: the own score, but a bye asked for with nothing but VURs after it counts as a draw.

A game without a result yet gives nothing to anyone: it is no VUR, and no contribution.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from shared.scoring import RoundScore, Score, scores
from shared.terms import HalfPoints, PlayerId, Points, Seq
from shared.tournament import Tournament


def over_the_board(r: RoundScore) -> bool:
    """Whether a game was played that counts."""
    return r.kind == "played" and r.counted


def is_open(r: RoundScore) -> bool:
    """Whether the game of this round has no result yet."""
    return r.kind == "open"


def won(r: RoundScore, points: Points) -> bool:
    """Whether the round gave a win's points, played or not."""
    return r.points == points.win and not is_open(r) and r.counted


def is_vur(r: RoundScore, points: Points) -> bool:
    """Whether the round is voluntarily unplayed (C.07 16.2.5): bye H or Z, absence, forfeit loss."""
    if r.kind == "forfeit":
        return not won(r, points)
    return r.kind == "none" or r.bye in ("H", "Z") or not r.counted


@dataclass(frozen=True)
class Field:
    """Everybody's record over ``rounds`` rounds of a tournament."""

    tournament: Tournament
    rounds: int
    points: Points
    scores: Mapping[PlayerId, Score]

    @cached_property
    def own(self) -> dict[PlayerId, HalfPoints]:
        """Half-points of each player, penal adjustments included."""
        return {p: s.points for p, s in self.scores.items()}

    @cached_property
    def adjusted(self) -> dict[PlayerId, HalfPoints]:
        """What each player gives to opponents, in half-points (C.07 16.3); penal adjustments included."""
        return {p: self._adjusted(s) for p, s in self.scores.items()}

    def _adjusted(self, score: Score) -> HalfPoints:
        raised = 0
        for r in reversed(score.rounds):
            if not is_vur(r, self.points):
                break
            if r.kind != "forfeit" and r.counted:
                raised += self.points.draw - r.points
        return HalfPoints(score.points + raised)

    def fore(self) -> "Field":
        """The field with every paired game of the last round taken as drawn (fore Buchholz, C.07 8.3)."""
        drawn = {p: s._replace(rounds=(*s.rounds[:-1], _drawn(s.rounds[-1], self.points))) if s.rounds else s
                 for p, s in self.scores.items()}  # fmt: skip
        return Field(self.tournament, self.rounds, self.points, drawn)

    # ------------------------------------------------------------ provenance

    def round_events(self, r: RoundScore) -> set[Seq]:
        """Lines that a round's points came from; rulings that fell, and what felled them, among them."""
        found = set(r.events)
        if r.game is not None:
            for ruling in self.tournament.games[r.game].rulings:
                found |= self._ruling_events(ruling)
        return found

    def record_events(self, player: PlayerId) -> set[Seq]:
        """Lines that a player's score came from."""
        score = self.scores[player]
        found = {seq for seq, _ in score.adjustments}
        for r in score.rounds:
            found |= self.round_events(r)
        for id, ruling in self.tournament.rulings.items():
            if ruling.made.player == player and ruling.made.effect.points is not None:
                found |= self._ruling_events(id)
        return found

    def _ruling_events(self, ruling: str) -> set[Seq]:
        """A ruling, those it rests on, and every annulment of any of them."""
        t, found, open = self.tournament, set[Seq](), [ruling]
        while open:
            id = open.pop()
            made, annulment = t.rulings.get(id), t.annulments.get(id)  # type: ignore[call-overload]
            known = made or annulment
            if known is None or known.seq in found:
                continue
            found.add(known.seq)
            open += t.annulled_by.get(id, ())  # type: ignore[call-overload]
            if made is not None:
                open += made.made.because
        return found


def _drawn(r: RoundScore, points: Points) -> RoundScore:
    if r.opponent == 0:
        return r
    return r._replace(kind="played", points=points.draw, counted=True)


def field(t: Tournament, after_round: int | None = None) -> Field:
    """The field after ``after_round`` rounds (default: all that are paired).

    Penal points of later rounds are left out with them.
    """
    assert t.regulations is not None, "points come from the regulations"
    paired = t.rounds_paired()
    last = paired if after_round is None else min(after_round, paired)
    found = scores(t, last)
    if last < paired:
        later = {r.seq for r in t.rulings.values() if r.made.round > last}
        found = {
            p: s._replace(adjustments=tuple(a for a in s.adjustments if a[0] not in later)) for p, s in found.items()
        }
    return Field(t, last, t.regulations.points, found)
