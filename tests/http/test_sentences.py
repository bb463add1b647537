"""Every type of line can be read as a sentence, and is found by whom it speaks of."""

from pathlib import Path

import pytest

from services.standings.descriptions.registry import mentions, sentence
from services.standings.descriptions.words import control
from shared.core import events as ev
from shared.core.event_types.registry import OFFICIAL
from shared.core.terms import PENALTIES, Period, PlayerId, RulingId, Seconds, TimeControl
from shared.core.tournament import Tournament
from shared.wire.envelope import read
from tests.rules.standings_field import Hall

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.mark.parametrize("type", sorted(row.name for row in OFFICIAL))
def test_every_type_of_line_has_a_sentence(type: str):
    data = read((GOLDEN / f"{type}.json").read_bytes().strip(), 1).data
    told = sentence(Tournament("T"), data, lambda player: f"player {player}")
    assert told.endswith((".", "…"))
    assert "None" not in told


@pytest.mark.parametrize(
    ("periods", "increment", "byo_yomi", "told"),
    [
        ([(300, 0)], 0, 0, "all moves in 5 min"),
        ([(300, 30)], 0, 0, "30 moves in 5 min, again and again"),
        ([(5400, 40), (90, 0)], 30, 0, "40 moves in 90 min, then all moves in 90 s; 30 s added with each move"),
        ([], 0, 15, "15 s a move"),
    ],
)
def test_a_time_control_is_told_in_words(periods: list[tuple[int, int]], increment: int, byo_yomi: int, told: str):
    held = tuple(Period(Seconds(seconds), moves) for seconds, moves in periods)
    assert control(TimeControl("chess", held, Seconds(increment), Seconds(byo_yomi), "at_once", "6")) == told


def test_a_line_on_an_appeal_is_found_by_the_ruling_and_the_game_it_is_about():
    hall = Hall(3).round("1-2 1", U="3")
    ruling = hall.rule(1, 1, ev.Effect("warn"), "T.1.1")
    lodged = ev.AppealLodged("a2", ruling, PlayerId(1))
    hall.tell(PENALTIES, lodged)
    for data in (lodged, ev.AppealDecided("a2", True, "8"), ev.RulingAnnulled(RulingId("r9"), ruling, "8")):
        said = mentions(hall.t, data)
        assert (said.players, said.rounds) == ({1, 2}, {1})
