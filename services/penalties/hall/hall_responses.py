"""Arrivals and breaks as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from services.penalties.responses import consequences, counted
from shared.core.events import ArrivalCorrected, ArrivalNoted, BreakCorrected, BreakTaken, Event
from shared.core.state.entities import Arrival, Break, Game
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import PlayerId


def noted_arrivals(events: Sequence[Event]) -> dict[str, Any]:
    """The arrivals that a command wrote, and the rulings that it brought."""
    ids = [
        data.arrival or f"a{e.sourceseq}" for e in events if isinstance(data := e.data, ArrivalNoted | ArrivalCorrected)
    ]
    return {"arrival": ids[0], "arrivals": ids} | consequences(events)


def noted_break(events: Sequence[Event]) -> dict[str, Any]:
    """The break that a command wrote, and the rulings that it brought."""
    break_ids = (
        data.id or f"b{e.sourceseq}" for e in events if isinstance(data := e.data, BreakTaken | BreakCorrected)
    )
    return {"break": next(break_ids)} | consequences(events)


def arrival(t: Tournament, one: Arrival) -> dict[str, Any]:
    """An arrival, whether it is in force, and what follows from it."""
    game = t.games.get(one.game)
    return {
        "arrival": one.arrival,
        "seq": one.seq,
        "player": one.player,
        "round": None if game is None else game.round,
        "board": None if game is None else game.board,
        "game": one.game,
        "late": one.late,
        "absent": one.late is None,
        "place": one.place,
        "turn": one.turn,
        "counted": counted(t, one),
    } | _state(t, one.arrival, one)


def break_(t: Tournament, one: Break) -> dict[str, Any]:
    """A break, whether it is in force, and what follows from it."""
    members = {"break": one.id, "seq": one.seq, "player": one.player, "game": one.game, "seconds": one.seconds}
    return members | _state(t, one.id, one)


def _state(t: Tournament, id: str, one: Arrival | Break) -> dict[str, Any]:
    return {
        "in_force": id not in t.corrections,
        "corrects": one.corrects,
        "corrected_by": t.corrections.get(id),
        "reason": None if one.reason is None else asdict(one.reason),
        "rulings": list(t.consequences.get(id, ())),
    }


def boards(t: TournamentState, round: int) -> list[dict[str, Any]]:
    """The boards of a round's standing pairing: of each seat who came, and who is not noted yet."""
    pairing = t.current(round)
    games = [] if pairing is None else [t.games[b.game] for b in pairing.event.boards]
    return [
        {"board": g.board, "game": g.game, "white": _seat(t, g, g.white), "black": _seat(t, g, g.black)} for g in games
    ]


def _seat(t: TournamentState, game: Game, player: PlayerId) -> dict[str, Any]:
    one = t.arrival_of(game.game, player) or t.arrival_of(game.game, player, "hall")
    if one is None:
        return {"player": player, "arrival": None, "late": None, "absent": None, "place": None}
    return {
        "player": player,
        "arrival": one.arrival,
        "late": one.late,
        "absent": one.late is None,
        "place": one.place,
    }
