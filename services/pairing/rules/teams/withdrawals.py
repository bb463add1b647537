"""Teams that leave (002-X 20.3, 20.4): all members at once, judged by the teams that they met."""

from collections.abc import Sequence

from services.pairing.rules.formats.stages import group_of, rounds_with_each
from shared.core.matches import team_of
from shared.core.team_scoring import annulled, team_scores
from shared.core.terms import PlayerId
from shared.core.tournament import Tournament


def met_and_due(t: Tournament, player: PlayerId, going: Sequence[PlayerId]) -> tuple[int, int]:
    """Teams that the player's team met, and how many it was to meet; or the rounds with them, where half is of the games.

    While others of the team stay nobody's results are in question: as many as were due have been met.
    ``going``: who leaves together with the player.
    """
    team = team_of(t).get(player)
    if team is None:
        return 0, 0
    staying = [m for m in t.teams[team].members if m not in going and t.withdrawal_of(m) is None]
    met = _met(t, team)
    return met, met if staying else _due(t, team)


def _met(t: Tournament, team: int) -> int:
    """Opponents of matches that took place, or their rounds; those won or lost by forfeit where the regulations count them."""
    leaving = t.regulations.leaving
    met = [r for r in team_scores(t)[team].rounds if r.counted]
    if leaving.half_of == "opponents":
        return len({r.opponent for r in met if r.kind in leaving.met_by})
    return sum(len({b.score.round for b in r.boards if b.score.kind in leaving.met_by}) for r in met)


def _due(t: Tournament, team: int) -> int:
    """The other teams of the group, else of the event, or the rounds with them; not those whose results were annulled."""
    others = sum(annulled(t, other) is None for other in group_of(t, team) or t.teams if other != team)
    return others * rounds_with_each(t) if t.regulations.leaving.half_of == "games" else others
