"""Changes of a state that events cause without listing them: rulings in and out of force, open games, outdated bases.

Standard library only.
"""

from collections.abc import Sequence
from typing import Any

from shared.core.readings.settlement import must_settle, newly_outdated
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import GameId, RulingId

UNLISTED = ("out_of_force", "in_force_again", "reopened", "outdated")
"""The members of an answer that `unlisted_changes` returns."""


def rulings_out_of_force(before: TournamentState, after: TournamentState) -> tuple[RulingId, ...]:
    """Return the rulings that are in force in the state ``before`` but no longer in ``after``.

    They were annulled, or lapsed with a ruling that they depend on.
    """
    if not isinstance(before, Tournament) or not isinstance(after, Tournament):
        return ()
    both = (ruling for ruling in before.rulings if ruling in after.rulings)
    return tuple(ruling for ruling in both if before.is_in_force(ruling) and not after.is_in_force(ruling))


def reopened_games(before: TournamentState, after: TournamentState) -> tuple[GameId, ...]:
    """Return the games that have a result in the state ``before`` but none in ``after``."""
    if not isinstance(before, Tournament) or not isinstance(after, Tournament):
        return ()
    open_now = [game for game in after.games_in_force() if game.game in before.games and after.setting(game) is None]
    return tuple(game.game for game in open_now if before.setting(before.games[game.game]) is not None)


def snapshot(t: TournamentState) -> TournamentState | None:
    """Return a copy of the state for `unlisted_changes`, or None if no event can cause such a change."""
    return t.fork() if t.rulings or must_settle(t) else None


def unlisted_changes(before: TournamentState | None, after: TournamentState) -> dict[str, Sequence[Any]]:
    """Return the changes since the state ``before`` as members of an answer, without empty ones.

    ``before``: from `snapshot` (None: return nothing).
    """
    if before is None or not isinstance(after, Tournament):
        return {}
    lapsed, restored = rulings_out_of_force(before, after), rulings_out_of_force(after, before)
    reopened = reopened_games(before, after) if lapsed or restored else ()
    found = dict(zip(UNLISTED, (lapsed, restored, reopened, newly_outdated(before, after)), strict=True))
    return {name: change for name, change in found.items() if change}
