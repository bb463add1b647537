"""The description of every type of the official log."""

from typing import Any

from services.standings.descriptions import games, keys, pairing, penalties, standings
from services.standings.descriptions.event_description import Call, EventDescription, Mentions
from shared.core.events import Data
from shared.core.messages import Message
from shared.core.tournament import TournamentState

DESCRIPTIONS: dict[type[Data], EventDescription[Any]] = {
    row.data: row
    for row in (
        *pairing.DESCRIPTIONS,
        *games.DESCRIPTIONS,
        *penalties.DESCRIPTIONS,
        *standings.DESCRIPTIONS,
        *keys.DESCRIPTIONS,
    )
}


def sentence(t: TournamentState, data: Data, call: Call) -> Message:
    """A line as a message; ``call`` gives a player's name."""
    return DESCRIPTIONS[type(data)].sentence(t, data, call)


def mentions(t: TournamentState, data: Data) -> Mentions:
    """Whom and which rounds a line speaks of."""
    return DESCRIPTIONS[type(data)].mentions(t, data)
