"""The description of every type of the official log."""

from typing import Any

from services.standings.descriptions import games, pairing, penalties, standings
from services.standings.descriptions.event_description import Call, EventDescription, Mentions
from shared.core.event_types.registry import NAMES
from shared.core.events import Data
from shared.core.language.messages import Message
from shared.core.state.tournament import TournamentState

DESCRIPTIONS: dict[type[Data], EventDescription[Any]] = {
    row.data: row
    for row in (
        *pairing.DESCRIPTIONS,
        *games.DESCRIPTIONS,
        *penalties.DESCRIPTIONS,
        *standings.DESCRIPTIONS,
    )
}


TITLES: dict[str, Message] = {NAMES[data]: row.title for data, row in DESCRIPTIONS.items()}
"""What each type is called in a list, by the name of its newest version."""


def sentence(t: TournamentState, data: Data, call: Call) -> Message:
    """A line as a message; ``call`` gives a player's name."""
    return DESCRIPTIONS[type(data)].sentence_of(t, data, call)


def mentions(t: TournamentState, data: Data) -> Mentions:
    """Whom and which rounds a line speaks of."""
    return DESCRIPTIONS[type(data)].mentions(t, data)
