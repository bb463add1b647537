"""Each repaired fault is undone in turn, and the histories find it again: a relation that nothing can break proves nothing."""

import pytest

from services.penalties.rules import consequences
from services.standings.rules import people
from services.standings.rules.table import former_stage_keys as stage_keys
from services.standings.rules.table import initial_order
from services.standings.rules.teams import table as team_table
from shared.core.readings import settlement
from shared.core.readings.scoring import scores
from shared.core.rounds import matches, stages
from shared.core.state import former_forfeits as forfeits
from shared.core.state.removals import Removals
from shared.core.state.tournament import Tournament
from tests.metamorphic.campaign import play

MOST = 1500
"""Histories that are played at most until the first one finds the fault."""


def upside_down_table(patch):
    for module in (initial_order, team_table):
        patch.setattr(module, "side_keys", stage_keys.side_keys)


def two_champions(patch):
    patch.setattr(initial_order, "places", lambda t, n=None: stages.places(t, matches.match_results(t, n)))
    patch.setattr(settlement, "open_bases", lambda t: ())


def forfeit_outlives_its_expulsion(patch):
    patch.setattr(Removals, "_withdrawal_in_force", lambda self, withdrawal: True)
    patch.setattr(Tournament, "_forfeited", _forfeited_by_absence)


def _forfeited_by_absence(t, game):
    white, black = (t.absence(player, game.round) for player in (game.white, game.black))
    return forfeits.forfeited_marks(white, black, t.regulations.points)


def game_in_progress_outlives_a_removal(patch):
    patch.setattr(consequences, "next_removal_loss", lambda t: None)
    patch.setattr(Tournament, "_forfeited", lambda self, game: None)


def stage_paired_from_an_outdated_table(patch):
    patch.setattr(settlement, "open_bases", lambda t: ())


def annulled_ruling_refuses_a_withdrawal(patch):
    begun = Tournament.has_begun
    patch.setattr(Tournament, "has_begun", lambda self, game: begun(self, game) or bool(game.rulings))


def one_of_two_losers_advances(patch):
    lost = matches._lost_by_both
    patch.setattr(matches, "_lost_by_both", lambda *a: found if (found := lost(*a)) == "unplayed" else None)


def people_keep_annulled_results(patch):
    patch.setattr(people, "scores", lambda t: scores(_without_annulments(t)))


def _without_annulments(t):
    other = t.fork()
    other.annulled_by, other.in_force_cache = {}, {}
    return other


FAULTS = (
    (people_keep_annulled_results, "people: "),
    (upside_down_table, "did not reach stage"),
    (two_champions, "first are ["),
    (forfeit_outlives_its_expulsion, "annulled at once"),
    (game_in_progress_outlives_a_removal, "is still in progress"),
    (stage_paired_from_an_outdated_table, "is paired from an outdated table"),
    (annulled_ruling_refuses_a_withdrawal, "withdrawal: None / round-begun"),
    (one_of_two_losers_advances, "is decided by lot"),
)


@pytest.mark.parametrize(("undo", "finding"), FAULTS, ids=lambda one: getattr(one, "__name__", ""))
def test_undone_repair_is_found_by_a_history(undo, finding, monkeypatch):
    undo(monkeypatch)
    seeds = (seed for seed in range(1, MOST) if any(finding in one for one in play(seed).differences))
    assert next(seeds, None) is not None
