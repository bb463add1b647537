"""An insider with a service's password and key, or one with its password where a log of 1.0.0 bears no signatures: he writes
lines that no edition reads. They have their numbers in every ledger, so all stop that tournament, and somebody goes past them.
"""

import json

import pytest

from services.standings.files.archive.zip_file import Given, archive_of
from services.standings.log.line_pages import KeptFolds, Stretch
from shared.core.state.tournament import TournamentState
from shared.core.terms import GAMES, PAIRING, SOURCES
from shared.desk.views import Ledger
from tests.attacks.test_beginnings import N, announced, wrote
from tests.attacks.topic_hall import line

NOT_READ = {
    "of a type that nobody knows": lambda said: said | {"type": "arbiter.game.stolen.v1"},
    "of a version to come": lambda said: said | {"type": "arbiter.tournament.announced.v99"},
    "without data": lambda said: said | {"data": None},
    "with data of another type": lambda said: said | {"type": "arbiter.result.reported.v1"},
    "with a member more": lambda said: said | {"more": 1},
}


@pytest.fixture
def begun(hall):
    """A tournament that pairing announced."""
    wrote(hall, announced(1), "N")
    hall.send(PAIRING)
    assert hall.stopped(N) == {}
    return hall


@pytest.mark.parametrize("change", NOT_READ.values(), ids=NOT_READ)
def test_a_line_that_cannot_be_read_stops_its_tournament_in_every_service_until_somebody_goes_past_it(begun, change):
    # given a line in games' name
    said = change(json.loads(announced(1)) | {"source": GAMES, "sourceseq": 1})
    begun.put(json.dumps(said, separators=(",", ":")).encode(), "N", number=1)
    # then all say so, games in the words that it never wrote it
    stopped = begun.stopped(N)
    assert set(stopped) == set(SOURCES)
    assert all("line 2 cannot be read" in why for source, why in stopped.items() if source != GAMES)
    assert [str(folded(side).stopped) for side in begun.sides.values()] == list(stopped.values())
    # and who goes past it leaves it out of the fold, and nothing else
    for side in begun.sides.values():
        assert side.log.resume(N)
        ledger = folded(side)
        assert (ledger.stopped, ledger.size, ledger.tournament.seq) == (None, 2, 2)
        assert ledger.tournament.counts == {PAIRING: 1, GAMES: 1}
        # so do the pages of lines and the archive
        lines = [row.line for row in side.log.lines(N)]
        assert kept_fold(lines).counts == ledger.tournament.counts
        assert archive_of(Given("N", lines, None, (), None, {}, "", "", "", "1.0.0"))
    # and the next one stops it again
    begun.put(line(GAMES, 2, N), "N", number=2)
    assert set(begun.stopped(N)) == set(SOURCES)


def folded(side) -> Ledger:
    ledger = Ledger.of("N", [row.line for row in side.log.lines(N)], side.log.stops().get(N))
    ledger.halt(ledger.size + 1)
    return ledger


def kept_fold(lines: list[bytes]) -> TournamentState:
    state = KeptFolds().fold(Stretch("N", None, lines, {}))
    assert state is not None
    return state
