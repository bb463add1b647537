"""Arrivals and breaks as they are answered."""

from collections.abc import Sequence
from typing import Any

from services.penalties.answers import (
    ArrivalAnswer,
    ArrivalsWrittenAnswer,
    ArrivedBoardAnswer,
    BreakAnswer,
    BreakWrittenAnswer,
    SeatAnswer,
)
from services.penalties.responses import counted, written_rulings
from shared.core.events import ArrivalCorrected, ArrivalNoted, BreakCorrected, BreakTaken, Event
from shared.core.state.entities import Arrival, Break, Game
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import PlayerId
from shared.http.commands.write_routes import Submission


def noted_arrivals(events: Sequence[Event], sent: Submission) -> ArrivalsWrittenAnswer:
    """Return the arrivals that a command wrote, and the rulings that followed from them."""
    ids = [e.data.arrival or f"a{e.sourceseq}" for e in events if isinstance(e.data, ArrivalNoted | ArrivalCorrected)]
    return ArrivalsWrittenAnswer(arrival=ids[0], arrivals=ids, brought=written_rulings(events))


def noted_break(events: Sequence[Event], sent: Submission) -> BreakWrittenAnswer:
    """Return the break that a command wrote, and the rulings that followed from it."""
    ids = (e.data.id or f"b{e.sourceseq}" for e in events if isinstance(e.data, BreakTaken | BreakCorrected))
    return BreakWrittenAnswer(break_=next(ids), brought=written_rulings(events))


def arrival(t: Tournament, one: Arrival) -> ArrivalAnswer:
    """Return an arrival, whether it is in force, and the rulings that follow from it."""
    game = t.games.get(one.game)
    return ArrivalAnswer(
        arrival=one.arrival,
        seq=one.seq,
        player=one.player,
        round=None if game is None else game.round,
        board=None if game is None else game.board,
        game=one.game,
        late=one.late,
        absent=one.late is None,
        place=one.place,
        turn=one.turn,
        counted=counted(t, one),
        **_state(t, one.arrival, one),
    )


def break_(t: Tournament, one: Break) -> BreakAnswer:
    """Return a break, whether it is in force, and the rulings that follow from it."""
    return BreakAnswer(
        break_=one.id, seq=one.seq, player=one.player, game=one.game, seconds=one.seconds, **_state(t, one.id, one)
    )


def _state(t: Tournament, id: str, one: Arrival | Break) -> dict[str, Any]:
    return {
        "in_force": id not in t.corrections,
        "corrects": one.corrects,
        "corrected_by": t.corrections.get(id),
        "reason": one.reason,
        "rulings": t.consequences.get(id, ()),
    }


def boards(t: TournamentState, round: int) -> list[ArrivedBoardAnswer]:
    """Return the boards of a round's pairing in force, with the arrival of each seat."""
    pairing = t.current(round)
    games = [] if pairing is None else [t.games[b.game] for b in pairing.event.boards]
    return [ArrivedBoardAnswer(g.board, g.game, _seat(t, g, g.white), _seat(t, g, g.black)) for g in games]


def _seat(t: TournamentState, game: Game, player: PlayerId) -> SeatAnswer:
    one = t.arrival_of(game.game, player) or t.arrival_of(game.game, player, "hall")
    if one is None:
        return SeatAnswer(player, None, None, None, None)
    return SeatAnswer(player, one.arrival, one.late, one.late is None, one.place)
