"""The events by which removals ended games in progress: sheets may continue beside them, unread."""

from collections import defaultdict
from collections.abc import Iterable

from shared.core.events import Event, PlayerWithdrew, RoundPaired, RulingMade
from shared.core.removals import REMOVAL


def removals_by_game(events: Iterable[Event]) -> dict[str, list[Event]]:
    """Return the rulings on games of removed players, and the withdrawals that forfeit games, by game."""
    removals: dict[str, list[Event]] = defaultdict(list)
    seated: dict[int, str] = {}
    for e in events:
        match e.data:
            case RoundPaired():
                seated |= {player: board.game for board in e.data.boards for player in (board.white, board.black)}
            case RulingMade() if e.data.infraction == REMOVAL and e.data.game is not None:
                removals[e.data.game].append(e)
            case PlayerWithdrew() if e.data.player in seated and e.data.unplayed == "forfeit":
                removals[seated[e.data.player]].append(e)
    return removals
