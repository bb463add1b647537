"""Which table a publication contains, by decision edition."""

from dataclasses import replace

from services.standings.rules.publication import NOBODY, own_table
from services.standings.rules.published_table import digest, publishes_teams
from services.standings.rules.table import table as player_table
from services.standings.rules.teams import table as team_table
from shared.core.events import RegulationsAdopted, StandingsPublished
from shared.core.state.tournament import Tournament
from shared.core.terms import PAIRING, STANDINGS
from tests.rules.team_hall import TeamHall


def hall(decisions: int) -> TeamHall:
    made = TeamHall(2).round("1-2 11")
    made.t.regulations = replace(made.t.regulations, decisions=decisions)
    return made


def default_publication(t: Tournament) -> StandingsPublished:
    asked = own_table(t, NOBODY, final=False)
    return StandingsPublished(asked.tiebreaks, asked.rules, asked.round, asked.final)


def test_edition_three_publishes_the_teams():
    t = hall(3).t
    assert publishes_teams(t)
    assert default_publication(t).tiebreaks == team_table.default_tiebreaks(t)


def test_edition_two_publishes_the_players():
    t = hall(2).t
    assert not publishes_teams(t)
    assert default_publication(t).tiebreaks == player_table.default_tiebreaks(t)


def test_earlier_publication_keeps_its_digest_in_edition_three():
    made = hall(2)
    event, basis = default_publication(made.t), made.t.seq
    before = digest(made.t, event, basis)
    made.tell(STANDINGS, event)
    made.tell(PAIRING, RegulationsAdopted(replace(made.t.regulations, decisions=3)))
    assert publishes_teams(made.t) and not publishes_teams(made.t, basis)
    assert digest(made.t, event, basis) == before
