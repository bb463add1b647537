"""Forfeits under decision editions 1 and 2: the withdrawal alone decides, even if its ruling is annulled.

Standard library only.
"""

from shared.core.rulebook.regulations import Points
from shared.core.state.entities import Absence, Setting
from shared.core.terms import Mark


def forfeited_marks(white: Absence | None, black: Absence | None, points: Points) -> Setting | None:
    """Return the results of a game that has none, if a player is absent who forfeits unplayed games, or None.

    ``white`` and ``black``: the absence of each player (None: present). The opponent wins. If both are absent, both lose.
    """
    left = [_forfeits(absence) for absence in (white, black)]
    if not any(left):
        return None
    won, lost = (Mark(p, played=False) for p in (points.win, points.loss))
    seq = max(a.seq for a in (white, black) if a is not None and _forfeits(a))
    return Setting(seq, lost if left[0] else won, lost if left[1] else won)


def _forfeits(absence: Absence | None) -> bool:
    return absence is not None and absence.withdrawal.unplayed == "forfeit"
