"""A game of the fold with one field changed: where replay spends its time."""

from typing import Any

from shared.core.state.entities import Game

# By number, not by name: a slice and one tuple cost half of what ``_replace`` does.
STARTED, ENDED, CORRECTED, RULINGS, REVERSED, POSITION, SETTLED = map(
    Game._fields.index, ("started", "ended", "corrected", "rulings", "reversed", "position", "settled")
)
NOTHING_YET = (None, None, None, (), None, None, None)
"""These seven fields of a game that was only paired; they are the last of it."""

new_tuple = tuple.__new__
"""A named tuple from a plain one, without the Python call of its constructor."""


def game_with(g: Game, field: int, value: Any) -> Game:
    """The game with the field of that number changed."""
    return new_tuple(Game, (*g[:field], value, *g[field + 1 :]))
