"""The field of a table: every player's record as C.07 reads it, in half-points.

Two terms of C.07 decide most of it. A *voluntarily unplayed round* (VUR, 16.2.5) is a half-point or zero-point bye or a
forfeit loss. The *adjusted score* (16.3) is what a player gives to the tie-breaks of opponents: the own score, but a
requested bye that only VURs follow counts as a draw.

A game without a result, or whose result does not count, contributes nothing to anyone and is not a VUR. In a round
robin, forfeits count as games (C.07 15), and no score is adjusted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as attribute
from functools import cached_property
from typing import Any

from services.standings.rules.stage_records import (
    ended_tables,
    extra_rounds,
    is_play_off_round,
    ordinary_rounds,
    records_of_last_stage,
)
from shared.core.events import RulingMade
from shared.core.readings.scoring import RoundScore, Score, adjustments, scores
from shared.core.rounds.matches import teams_meet
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.regulations import Points
from shared.core.state.tournament import Tournament
from shared.core.terms import HalfPoints, PlayerId, RulingId, Seq


def is_over_the_board(r: RoundScore) -> bool:
    """Return whether the round was a game that was played and that counts."""
    return r.kind == "played" and r.counted


def is_void(r: RoundScore) -> bool:
    """Return whether this round contributes nothing to anyone: it has no result yet, or its result does not count."""
    return r.kind == "open" or not r.counted


def is_vur(r: RoundScore, points: Points) -> bool:
    """Return whether the round is voluntarily unplayed (C.07 16.2.5): bye H or Z, absence, or forfeit loss that counts.

    ``points``: the points for results; a forfeit without those of a win is a loss.
    """
    if r.kind == "forfeit":
        return r.counted and r.points != points.win
    return r.kind == "none" or r.bye in ("H", "Z")


def _is_forfeit(r: RoundScore) -> bool:
    """Return whether a round counts and was won or lost by forfeit. For teams, such a win may be recorded as a bye."""
    return r.kind in ("forfeit", "bye") and r.opponent != 0 and r.counted


def _as_game(r: RoundScore) -> RoundScore:
    return r._replace(kind="played", bye=None) if _is_forfeit(r) else r


@dataclass(frozen=True)
class Field:
    """All players' records over ``rounds`` rounds of a tournament, or ``last`` rounds with those of a play-off.

    ``own``: half-points of each player. ``adjusted``: half-points that each player gives to opponents (C.07 16.3). Both
    include penalty adjustments.

    ``play_off``: the later rounds of a bracket or play-off, which give no points. ``parting``: those of a play-off that
    decides shared places. ``tables``: for players who did not advance to a later table, the field of the last table
    they were in, as it ended (002-X 11.3). ``unrated``: the rating published for players without a rating, if any.
    """

    tournament: Tournament
    rounds: int
    last: int
    points: Points
    round_robin: bool
    scores: Mapping[PlayerId, Score]
    own: Mapping[PlayerId, HalfPoints]
    adjusted: Mapping[PlayerId, HalfPoints]
    play_off: Mapping[PlayerId, tuple[RoundScore, ...]]
    unrated: int | None = None
    parting: Mapping[PlayerId, tuple[RoundScore, ...]] = attribute(default_factory=dict)
    tables: Mapping[PlayerId, "Field"] = attribute(default_factory=dict)

    def table_field(self, player: PlayerId) -> "Field":
        """Return the `Field` (the players with their scores) from which the tie-breaks of a player are computed."""
        return self.tables.get(player, self)

    def covers(self, ruling: RulingMade) -> bool:
        """Return whether a ruling is on a round of this table. A table of all rounds covers every ruling."""
        return ruling.round <= self.last or self.last >= self.tournament.rounds_paired()

    def counts_as_game(self, r: RoundScore) -> bool:
        """Return whether the round counts as a game with its opponent."""
        return r.counted and (r.kind == "played" or (self.round_robin and r.kind == "forfeit"))

    @cached_property
    def rulings(self) -> dict[PlayerId, list[RulingId]]:
        """The rulings on each player, in force or not, in the order of the log."""
        by_player: dict[PlayerId, list[RulingId]] = {}
        for id, ruling in self.tournament.rulings.items():
            if ruling.event.player is not None:
                by_player.setdefault(ruling.event.player, []).append(id)
        return by_player

    @cached_property
    def all_rated(self) -> bool:
        """True if every player has a rating."""
        return all(p.rating for p in self.tournament.players.values())

    @cached_property
    def cache(self) -> dict[Any, Any]:
        """Computed values that several tie-breaks use."""
        return {}

    @cached_property
    def fore(self) -> "Field":
        """All records, with every paired game of the last round counted as a draw (fore Buchholz, C.07 8.3)."""
        return self._replace_records(
            {p: self._with_last_game_drawn(s) for p, s in self.scores.items()}, self.tournament
        )

    @cached_property
    def forfeits_as_games(self) -> "Field":
        """All records, with every forfeit as a played game with the scheduled opponent. Totals do not change."""
        games = {
            p: s._replace(rounds=tuple(_as_game(r) for r in s.rounds)) if any(map(_is_forfeit, s.rounds)) else s
            for p, s in self.scores.items()
        }
        return replace(self, scores=games)

    def with_updated_records(self, t: Tournament, scores: Mapping[PlayerId, Score]) -> "Field":
        """Return a copy for the later state ``t``, in which only the records of the players in ``scores`` are replaced."""
        field = self._replace_records(scores, t)
        if "fore" in vars(self):
            vars(field)["fore"] = self.fore._replace_records(
                {p: self._with_last_game_drawn(s) for p, s in scores.items()}, t
            )
        return field

    def _replace_records(self, scores: Mapping[PlayerId, Score], t: Tournament) -> "Field":
        own, adjusted = _totals(scores, self.points, self.round_robin)
        return Field(
            t,
            self.rounds,
            self.last,
            self.points,
            self.round_robin,
            {**self.scores, **scores},
            {**self.own, **own},
            {**self.adjusted, **adjusted},
            self.play_off,
            self.unrated,
            self.parting,
        )

    def _with_last_game_drawn(self, score: Score) -> Score:
        if not score.rounds or score.rounds[-1].opponent == 0 or not score.rounds[-1].counted:
            return score
        last = score.rounds[-1]._replace(kind="played", points=self.points.draw)
        return score._replace(rounds=(*score.rounds[:-1], last))

    # ------------------------------------------------------------ provenance

    def round_of(self, player: PlayerId, round: int) -> RoundScore:
        """Return a player's round, including those of a play-off."""
        if round <= self.rounds:
            return self.scores[player].rounds[round - 1]
        return next(r for r in self.play_off[player] if r.round == round)

    def round_events(self, r: RoundScore) -> set[Seq]:
        """Return the events that a round's points come from, including rulings no longer in force and their annulments."""
        lines = set(r.events)
        if r.game is not None:
            for ruling in self.tournament.games[r.game].rulings:
                lines |= self.ruling_events(ruling)
        return lines

    def record_events(self, player: PlayerId) -> set[Seq]:
        """Return the events that a player's score comes from: rounds and rulings on points, in force or not."""
        score = self.scores[player]
        lines = {seq for seq, _ in score.adjustments}
        for r in score.rounds:
            lines |= self.round_events(r)
        for id in self.rulings.get(player, ()):
            if self.tournament.rulings[id].event.effect.points is not None:
                lines |= self.ruling_events(id)
        return lines

    def ruling_events(self, ruling: str) -> set[Seq]:
        """Return the events of a ruling, the rulings it depends on, their annulments, and the arrivals and breaks behind them."""
        t, lines, open = self.tournament, set[Seq](), [ruling]
        while open:
            id = open.pop()
            entry, annulment = t.rulings.get(id), t.annulments.get(id)  # type: ignore[call-overload]
            entity = entry or annulment
            if entity is None or entity.seq in lines:
                continue
            lines.add(entity.seq)
            open += t.annulled_by.get(id, ())  # type: ignore[call-overload]
            if entry is not None:
                open += entry.event.because
                for note in entry.event.notes:
                    lines |= self._note_events(note)
                    open += t.consequences.get(note, ())
        return lines

    def _note_events(self, note: str | None) -> set[Seq]:
        """Return the events of an arrival or a break, given by its ID ``note``, and of its corrections."""
        t, lines = self.tournament, set[Seq]()
        while note is not None:
            entity = t.arrivals.get(note) or t.breaks.get(note)
            lines |= set() if entity is None else {entity.seq}
            note = t.corrections.get(note)
        return lines


def field(t: Tournament, after_round: int | None = None, unrated: int | None = None) -> Field:
    """Return the field after ``after_round`` rounds (default: all paired rounds). ``unrated`` as in `Field`.

    Penalty points of later rounds are left out.
    """
    paired, ordinary = t.rounds_paired(), ordinary_rounds(t)
    last = paired if after_round is None else min(after_round, paired)
    rounds = min(last, ordinary)
    points, round_robin = t.regulations.points, FORMATS[t.announced.format].rests
    records = scores(t, rounds)
    if last < paired:
        penal = adjustments(t, last)
        records = {p: s._replace(adjustments=penal.get(p, ())) for p, s in records.items()}
    if (t.regulations.stages or FORMATS[t.announced.format].finals) and not teams_meet(t):
        records = records_of_last_stage(t, records, last)
    own, adjusted = _totals(records, points, round_robin)
    behind = extra_rounds(t, ordinary, last)
    parting = {player: tuple(r for r in rs if is_play_off_round(t, r.round)) for player, rs in behind.items()}
    made = Field(t, rounds, last, points, round_robin, records, own, adjusted, behind, unrated, parting)
    return made if teams_meet(t) else replace(made, tables=_tables_left(made))


def field_of_scores(
    t: Tournament,
    rounds: int,
    points: Points,
    round_robin: bool,
    scores: Mapping[PlayerId, Score],
    unrated: int | None = None,
) -> Field:
    """Return a field of these ``scores`` over this number of ``rounds``, without a play-off. ``unrated`` as in `Field`."""
    own, adjusted = _totals(scores, points, round_robin)
    return Field(t, rounds, rounds, points, round_robin, scores, own, adjusted, {}, unrated)


def _totals(
    scores: Mapping[PlayerId, Score], points: Points, round_robin: bool
) -> tuple[dict[PlayerId, HalfPoints], dict[PlayerId, HalfPoints]]:
    own = {p: s.points for p, s in scores.items()}
    if round_robin:
        return own, own
    return own, {p: HalfPoints(own[p] + _bye_gain(s, points)) for p, s in scores.items()}


def _bye_gain(score: Score, points: Points) -> int:
    """Return the half-points that a player's adjusted score gains: `is_vur` rounds at the end count as draws, except forfeits."""
    gain = 0
    for r in reversed(score.rounds):
        if not is_vur(r, points):
            break
        if r.kind != "forfeit":
            gain += points.draw - r.points
    return gain


def _tables_left(made: Field) -> dict[PlayerId, Field]:
    """Return the field of the last table of each player who did not advance to a later table (`Field.tables`).

    Later points that rulings gave or took are included.
    """
    tables: dict[PlayerId, Field] = {}
    for round, sides in ended_tables(made.tournament, made.last, made.scores):
        table, left = field(made.tournament, round, made.unrated), set(map(PlayerId, sides))
        own = {p: table.scores[p]._replace(adjustments=made.scores[p].adjustments) for p in left}
        table = replace(
            table._replace_records(own, made.tournament),
            last=made.last,
            play_off=made.play_off,
            parting=made.parting,
            tables={},
        )
        tables |= dict.fromkeys(left, table)
    return tables
