"""When the fold of a log is a tournament that rules decide on."""

from services.standings.files.trf.to_events import Hand
from shared import regulations
from shared.core import events as ev
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import PAIRING

ANNOUNCED = ev.TournamentAnnounced("Cup", "xiangqi", "swiss", 5)


def test_a_state_is_a_tournament_once_it_is_announced_and_has_regulations():
    log = Hand(TournamentState("T"))
    assert not isinstance(log.state, Tournament)

    log.add(PAIRING, ANNOUNCED)
    assert not isinstance(log.state, Tournament)

    log.add(PAIRING, ev.RegulationsAdopted(regulations.load("campus")))
    assert isinstance(log.state, Tournament)


def test_a_copy_is_what_its_original_is():
    log = Hand(TournamentState("T"))
    assert type(log.state.fork()) is TournamentState

    log.add(PAIRING, ANNOUNCED)
    log.add(PAIRING, ev.RegulationsAdopted(regulations.load("campus")))
    assert type(log.state.fork()) is Tournament
    assert type(log.state.without_rulings(["r1"])) is Tournament
