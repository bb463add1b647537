"""The cross table: each player's results by round, ordered by rank."""

from collections.abc import Mapping

from services.standings.rules.answers import CellAnswer, CrossedPlayerAnswer, CrosstableAnswer
from services.standings.rules.records import Field
from services.standings.rules.table.table import Table, player_name
from services.standings.rules.tiebreaks.value import points_number
from shared.core.readings.scoring import RoundScore
from shared.core.rulebook.regulations import Points
from shared.core.terms import Mark


def crosstable(table: Table, names: Mapping[str, str] | None = None) -> CrosstableAnswer:
    """Return the cross table: the players by rank, each with one cell per round, and in ``play_off`` those of a play-off.

    A cell contains ``opponent`` (its ID, or null), ``rank`` (the opponent's), ``side``, ``result`` (a letter of
    `letter`), ``points``, ``annulled`` (null, or why the result does not count) and ``events`` (sequence numbers).
    """
    ranks = {row.player: row.rank for row in table.rows}
    f = table.field

    def cell(r: RoundScore) -> CellAnswer:
        return CellAnswer(
            round=r.round,
            opponent=r.opponent or None,
            rank=ranks.get(r.opponent),
            side=r.side,
            result=letter(f, r),
            points=points_number(r.points),
            annulled=annulment_reason(f, r),
            events=sorted(f.round_events(r)),
        )

    players = [
        CrossedPlayerAnswer(
            id=row.player,
            rank=row.rank,
            name=player_name(f.tournament, row.player, names),
            starting_number=f.tournament.players[row.player].starting_number,
            points=points_number(row.points),
            rounds=[cell(r) for r in f.scores[row.player].rounds],
            play_off=[cell(r) for r in f.play_off.get(row.player, ())],
        )
        for row in table.rows
    ]
    return CrosstableAnswer(tournament=table.tournament, seq=table.seq, rounds=table.rounds, players=players)


def annulment_reason(f: Field, r: RoundScore) -> str | None:
    """Return why a withdrawal or a ruling annulled the result of a round, or None if neither did."""
    if r.mark is None or r.game is None:
        return None
    game = f.tournament.games[r.game]
    if f.tournament.annulling_event(game) is not None:
        withdrawals = {p: f.tournament.withdrawal_of(p) for p in (game.white, game.black)}
        gone = {p: event for p, event in withdrawals.items() if event is not None and not event.results_stand}
        return f"{' and '.join(map(str, gone))} left too early ({next(iter(gone.values())).article})"
    return None if r.mark.counted else "taken out by a ruling"


def letter(f: Field, r: RoundScore) -> str:
    """Return a round's result as TRF writes it.

    ``1``, ``=`` and ``0`` are results over the board, ``+`` and ``-`` results by forfeit, ``U``, ``F``, ``H`` and ``Z``
    byes, and ``*`` is an open game. A result that does not count keeps its letter.
    """
    if r.kind == "open":
        return "*"
    if r.mark is None:
        return r.bye or "Z"
    return _letter(r.mark, f.points)


def _letter(mark: Mark, points: Points) -> str:
    if not mark.played:
        return "+" if mark.points == points.win else "-"
    return {points.win: "1", points.draw: "="}.get(mark.points, "0")
