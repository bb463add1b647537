"""What entries say of players beside the name: read where a list, a paper or a file shows it."""

from collections.abc import Iterable

from shared.core.readings.particulars import Particulars, particular_hashes, particulars_in
from shared.core.state.tournament import TournamentState
from shared.core.terms import PlayerId
from shared.desk.desk import Desk


def particulars_of(
    desk: Desk, t: TournamentState, players: Iterable[PlayerId] | None = None
) -> dict[PlayerId, Particulars]:
    """The particulars of these players; of all where none are named."""
    entries = [t.players[p] for p in (t.players if players is None else players)]
    return particulars_in(desk.called(particular_hashes(entries)), entries)
