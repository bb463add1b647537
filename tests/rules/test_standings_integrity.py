"""What the log says that counts nothing, for a person to look at."""

from typing import Any

import pytest

from services.standings.rules.integrity import listing
from shared.core import events as ev
from shared.core.terms import GAMES, PAIRING, GameId, PlayerId, Ply
from tests.rules.standings_field import Hall, marks

GAME = GameId("T.1.1")


def orphans(hall: Hall) -> list[int]:
    """The lines listed as counting nothing."""
    return [entry.seq for entry in listing(hall.t, ()).orphans]


@pytest.mark.parametrize(
    "line",
    [
        ev.GameStarted(GAME),
        ev.ColoursCorrected(GAME, True),
        ev.GameEnded(GAME, *marks("1"), "checkmate", "5.1.1"),
        ev.FindingMade("f1", GAME, "flag", PlayerId(1), "6.8", Ply(8), True),
        ev.ResultReported(GAME, *marks("1")),
    ],
    ids=lambda line: type(line).__name__,
)
def test_a_line_after_a_ruled_end_is_an_orphan_until_the_ruling_falls(line: Any):
    hall = Hall(2).round("1-2")
    before = hall.tell(GAMES, ev.ResultReported(GAME, *marks("=")))
    ruling = hall.rule(1, 1, ev.Effect("set_marks", *marks("0")), GAME)
    after = hall.tell(GAMES, line)
    assert orphans(hall) == [after]
    assert before not in orphans(hall), "what was said before the ruling counted when it was said"
    hall.annul(ruling)
    assert orphans(hall) == [], "it counts again"


def test_a_line_of_a_withdrawn_pairing_is_an_orphan():
    hall = Hall(2).round("1-2")
    hall.tell(GAMES, ev.GameStarted(GAME))
    hall.tell(PAIRING, ev.PairingWithdrawn(1, 1))
    after = hall.tell(GAMES, ev.ResultReported(GAME, *marks("1")))
    assert orphans(hall) == [after]
