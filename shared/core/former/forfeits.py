"""Forfeits by the first two editions of decisions: decided by the withdrawal alone, whatever became of its ruling.

Standard library only.
"""

from typing import TYPE_CHECKING

from shared.core.entities import Absence, Game, Setting
from shared.core.terms import Mark, PlayerId

if TYPE_CHECKING:
    from shared.core.tournament import Tournament


def forfeited(t: "Tournament", game: Game) -> Setting | None:
    """Return the marks of an unset game of a round that a player has left by forfeit, or None.

    The opponent has won it; of two players who left both lose.
    """
    white, black = (_absence(t, player, game.round) for player in (game.white, game.black))
    if white is None and black is None:
        return None
    won, lost = (Mark(p, played=False) for p in (t.regulations.points.win, t.regulations.points.loss))
    seq = max(a.seq for a in (white, black) if a is not None)
    return Setting(seq, lost if white else won, lost if black else won)


def _absence(t: "Tournament", player: PlayerId, round: int) -> Absence | None:
    absence = t.absence(player, round)
    return absence if absence is not None and absence.withdrawal.unplayed == "forfeit" else None
