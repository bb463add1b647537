"""The events by which removals ended games in progress. Score sheets may continue, written without having read them.

An event that is only on a sheet has no number in the log, so the times of the event and of the removal decide.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from shared.core.events import Event, PlayerWithdrew, RoundPaired, RulingMade
from shared.core.language.messages import Message, say
from shared.core.state.removals import REMOVAL
from shared.core.state.tournament import TournamentState
from shared.core.terms import Seq


class RemovalsByGame:
    """The rulings on games of removed players, and the withdrawals that forfeit games, in a log."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events

    def unread_by(self, t: TournamentState, game: str, line: Event) -> tuple[Seq, Message] | None:
        """Return the sequence number of the removal of a player that a sheet event ignored, and a message, or None.

        The removal had ended the game before the sheet event was written, but the event's ``basis`` is lower: its writer
        had not read the removal yet. Each removal is returned only once.
        """
        ends = self._by_game.get(game, ()) if t.removals_lapse() else ()
        unread = next((e for e in ends if e.seq > line.basis and e.time < line.time), None)
        if unread is None:
            return None
        self._by_game[game] = [e for e in ends if e is not unread]
        return unread.seq, say("the sheet of {game} continues at {time}, after the removal", game=game, time=line.time)

    @cached_property
    def _by_game(self) -> dict[str, list[Event]]:
        removals: dict[str, list[Event]] = defaultdict(list)
        seated: dict[int, str] = {}
        for e in self._events:
            match e.data:
                case RoundPaired():
                    seated |= {player: board.game for board in e.data.boards for player in (board.white, board.black)}
                case RulingMade() if e.data.infraction == REMOVAL and e.data.game is not None:
                    removals[e.data.game].append(e)
                case PlayerWithdrew() if e.data.player in seated and e.data.unplayed == "forfeit":
                    removals[seated[e.data.player]].append(e)
        return removals
