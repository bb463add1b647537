"""The results that the players of a game state, and the games whose players differ. Standard library only.

A statement counts while its game has no result: a report, an end or a ruling makes it inert. If the game is open again, for
example because the ruling was annulled, it counts again.
"""

from typing import Literal

from shared.core.events import StatementMade
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId

StatementState = Literal["waiting", "differs"]


def statements_in_force(t: Tournament, game: Game) -> dict[PlayerId, StatementMade]:
    """Return the last statement of each player of a game, or none if the game has a result."""
    made = t.statements.get(game.game, ())
    return {} if not made or t.setting(game) is not None else {one.player: one for one in made}


def statement_state(t: Tournament, game: Game) -> StatementState | None:
    """Return the state of an open game's statements, or None if it has no statement or already has a result."""
    stated = statements_in_force(t, game)
    if not stated:
        return None
    return "waiting" if len(stated) == 1 else "differs"


def differing_games(t: Tournament) -> list[Game]:
    """Return the open games of pairings in force whose players state different results, in the log's order of statements."""
    games = (t.games[id] for id in t.statements)
    return [g for g in games if g.pairing not in t.withdrawn_pairings and statement_state(t, g) == "differs"]
