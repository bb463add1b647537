"""Events of pairing, and its rounds, as answers."""

from collections.abc import Sequence
from typing import Any

from shared.core.events import Board, ByeSeat, Event, LotDrawn, Match, PlayerEntered, RoundPaired
from shared.core.state.tournament import TournamentState


def lot_drawn(events: Sequence[Event]) -> dict[str, Any]:
    """``match`` and the ``winner`` that the lots gave it to; of equals the ``order``."""
    (data,) = [e.data for e in events if isinstance(e.data, LotDrawn)]
    return {"match": data.match or None, "winner": data.winner, "order": list(data.order)}


def players_entered(events: Sequence[Event]) -> dict[str, Any]:
    """``players``: the id and starting number of each who was entered."""
    data = [e.data for e in events if isinstance(e.data, PlayerEntered)]
    return {"players": [{"id": d.player, "starting_number": d.starting_number} for d in data]}


def round_paired(events: Sequence[Event]) -> dict[str, Any]:
    """``round``, ``pairing``, ``boards`` and the byes that the pairing allocated."""
    (data,) = [e.data for e in events if isinstance(e.data, RoundPaired)]
    return _round(data, data.byes)


def round_of(t: TournamentState, number: int) -> dict[str, Any] | None:
    """A round's standing pairing with all its byes, those asked for too; None if it has none."""
    current = t.current(number)
    if current is None:
        return None
    granted = [ByeSeat(player, bye.kind) for (player, round), bye in sorted(t.byes.items()) if round == number]
    return _round(current.event, (*current.event.byes, *granted))


def _round(data: RoundPaired, byes: Sequence[ByeSeat]) -> dict[str, Any]:
    return {
        "round": data.round,
        "pairing": data.pairing,
        "boards": [_board(b) for b in data.boards],
        "byes": [{"player": s.player, "kind": s.kind} for s in byes],
        "stage": data.stage,
        "matches": [_match(m) for m in data.matches],
        "groups": [list(group) for group in data.groups],
    }


def _match(m: Match) -> dict[str, Any]:
    return {
        "match": m.match,
        "first": m.first,
        "second": m.second,
        "boards": list(m.boards),
        "leg": m.leg,
        "places": list(m.places),
    }


def _board(b: Board) -> dict[str, Any]:
    return {"board": b.board, "game": b.game, "white": b.white, "black": b.black}
