"""Teams that leave (002-X 20.3, 20.4): all members at once, judged by the teams that they met."""

from collections.abc import Sequence

from services.pairing.rules.formats.stages import group_of
from shared.core.matches import team_of
from shared.core.team_scoring import annulled, team_scores
from shared.core.terms import PlayerId
from shared.core.tournament import Tournament


def met_and_due(t: Tournament, player: PlayerId, going: Sequence[PlayerId]) -> tuple[int, int]:
    """Teams that the player's team met, and how many it was to meet.

    While others of the team stay nobody's results are in question: as many as were due have been met.
    ``going``: who leaves together with the player.
    """
    team = team_of(t).get(player)
    if team is None:
        return 0, 0
    staying = [m for m in t.teams[team].members if m not in going and t.players[m].withdrawal is None]
    met = len({r.opponent for r in team_scores(t)[team].rounds if r.kind == "played" and r.counted})
    return met, met if staying else _others(t, team)


def _others(t: Tournament, team: int) -> int:
    """The other teams of the group, else of the event; not those whose results were annulled."""
    return sum(annulled(t, other) is None for other in group_of(t, team) or t.teams if other != team)
