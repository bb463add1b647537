"""The explanation of a row: each number with its parts, and the events that it comes from."""

from collections.abc import Iterable, Mapping

from msgspec import UNSET

from services.standings.rules.answers import (
    AdjustmentAnswer,
    ExplainedRoundAnswer,
    ExplanationAnswer,
    PartAnswer,
    TieBreakAnswer,
)
from services.standings.rules.crosstable import annulment_reason
from services.standings.rules.encounters import encounter
from services.standings.rules.records import Field
from services.standings.rules.table.incremental_state import Row
from services.standings.rules.table.table import Table, player_name
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.value import Part, Value, number, points_number
from shared.core.language.messages import Message, in_turn, say
from shared.core.readings.scoring import RoundScore
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import PlayerId, Seq
from shared.wire.answer import answer_of

_PROGRESSIVE = "PS"
_DEDUCTIONS = {
    "counted": say("with the points that rulings gave or took, from their round on"),
    "not_counted": say("without the points that rulings gave or took"),
}
"""The effect of ``ranking.progressive_deductions`` on 累进分, by its value."""


def explanation(table: Table, player: PlayerId, names: Mapping[str, str] | None = None) -> ExplanationAnswer | None:
    """Return the explanation of a player's row, or None if the tournament does not have this player.

    ``events`` are the sequence numbers of all events that the row comes from. Every round, adjustment and tie-break
    lists its own. ``names``: by text hash.
    """
    row = table.row(player)
    if row is None:
        return None
    f = table.field
    score = f.scores[player]
    return ExplanationAnswer(
        tournament=table.tournament,
        seq=table.seq,
        rounds_counted=table.rounds,
        id=player,
        rank=row.rank,
        name=player_name(f.tournament, player, names),
        points=points_number(row.points),
        rounds=[_round(f, r) for r in (*score.rounds, *f.play_off.get(player, ()))],
        adjustments=[AdjustmentAnswer(points_number(p), [seq]) for seq, p in score.adjustments],
        tiebreaks=[_tiebreak(f.table_field(player), player, name, v) for name, v in row.values.items()],
        events=sorted(row_events(f, row)),
    )


def row_events(f: Field, row: Row) -> set[Seq]:
    """Return the sequence numbers of all events that a row comes from: the entry, rounds, rulings and tie-breaks."""
    events = set(f.tournament.players[row.player].lines) | f.record_events(row.player)
    for value in row.values.values():
        events |= _value_events(f.table_field(row.player), row.player, value)
    return events


def _round(f: Field, r: RoundScore) -> ExplainedRoundAnswer:
    return answer_of(
        ExplainedRoundAnswer,
        r,
        opponent=r.opponent or None,
        points=points_number(r.points),
        annulled=annulment_reason(f, r),
        events=sorted(f.round_events(r)),
    )


def _tiebreak(f: Field, player: PlayerId, name: str, value: Value) -> TieBreakAnswer:
    return TieBreakAnswer(
        name=name,
        value=None if value.quarters is None else number(value.quarters),
        counts=str(meaning(f.tournament.regulations, name)),
        article=TIEBREAKS.article(name),
        encounter=encounter(value) if TIEBREAKS.encounter(name) else UNSET,
        parts=[part_answer(p, _part_events(f, player, p)) for p in value.parts],
        events=sorted(_value_events(f, player, value)),
    )


def meaning(regulations: Regulations, name: str) -> Message:
    """Return a message on what the tie-break with the code ``name`` counts under these regulations."""
    counts = TIEBREAKS.meanings[name]
    if TIEBREAKS[name].row.base != _PROGRESSIVE or regulations.decisions < 3:
        return counts
    return in_turn([counts, _DEDUCTIONS[regulations.ranking.progressive_deductions]])


def part_answer(part: Part, events: Iterable[Seq]) -> PartAnswer:
    """Return the API answer for one part of a tie-break, with the sequence numbers of the events that it depends on."""
    return answer_of(
        PartAnswer,
        part,
        opponent=part.opponent or None,
        value=number(part.quarters),
        score=None if part.score is None else points_number(part.score),
        events=sorted(events),
    )


def _value_events(f: Field, player: PlayerId, value: Value) -> set[Seq]:
    events: set[Seq] = set()
    for part in value.parts:
        events |= _part_events(f, player, part)
    return events


def _part_events(f: Field, player: PlayerId, part: Part) -> set[Seq]:
    if part.origin == "ruling":
        return set(part.lines)
    if part.origin == "own":
        return {f.tournament.players[player].seq}
    events = f.round_events(f.round_of(player, part.round)) | set(part.lines)
    if part.origin in ("record", "opponents"):
        events |= f.record_events(part.opponent or player)
    if part.origin == "opponents":
        for met in {r.opponent for r in f.scores[part.opponent].rounds if r.opponent}:
            events |= f.record_events(met) | {f.tournament.players[met].seq}
    elif part.origin == "entry":
        events |= f.tournament.players[part.opponent].lines
    return events
