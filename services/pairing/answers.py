"""Between JSON and the rules: fields of requests as entries, events as answers."""

from collections.abc import Sequence
from typing import Any

from services.pairing.rules.commands import Entry
from shared.events import Board, ByeSeat, Event, PlayerEntered, RoundPaired
from shared.texts import Texts
from shared.tournament import Tournament


def entry(sent: dict[str, Any], texts: Texts) -> Entry:
    """One of ``players`` as sent, its name and club put beside the log."""
    name = texts.ref(sent["name"])
    assert name is not None, "the schema takes no empty name"
    return Entry(sent["id"], name, sent["rating"], sent["title"], texts.ref(sent["club"]), sent["federation"])


def entered(events: Sequence[Event]) -> dict[str, Any]:
    """``players``: the id and starting number of each who was entered."""
    data = [e.data for e in events if isinstance(e.data, PlayerEntered)]
    return {"players": [{"id": d.player, "starting_number": d.starting_number} for d in data]}


def paired(events: Sequence[Event]) -> dict[str, Any]:
    """``round``, ``pairing``, ``boards`` and the byes that the pairing allocated."""
    (data,) = [e.data for e in events if isinstance(e.data, RoundPaired)]
    return _round(data, data.byes)


def round_of(t: Tournament, number: int) -> dict[str, Any] | None:
    """A round's standing pairing with all its byes, those asked for too; None if it has none."""
    current = t.current(number)
    if current is None:
        return None
    asked = [ByeSeat(player, bye.kind) for (player, round), bye in sorted(t.byes.items()) if round == number]
    return _round(current.paired, (*current.paired.byes, *asked))


def _round(data: RoundPaired, byes: Sequence[ByeSeat]) -> dict[str, Any]:
    return {
        "round": data.round,
        "pairing": data.pairing,
        "boards": [_board(b) for b in data.boards],
        "byes": [{"player": s.player, "kind": s.kind} for s in byes],
    }


def _board(b: Board) -> dict[str, Any]:
    return {"board": b.board, "game": b.game, "white": b.white, "black": b.black}
