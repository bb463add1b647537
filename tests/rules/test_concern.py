"""Whom a line concerns: no event that names a game or a player is taken to concern nobody."""

from dataclasses import fields

import pytest

from shared.core.event_types.registry import EVENT_TYPES
from shared.core.events import Official
from shared.core.readings.concern import PLAYERS, RULINGS, Concern, concern
from shared.core.terms import GameId, PlayerId

_LOOKED_AT = {"game", "players", "finding", "appeal", *PLAYERS, *RULINGS}
_OF_A_ROUND = {
    "because",
    "notes",
    "numbers",
    "boards",
    "byes",
    "pairs",
    "members",
    "arrival",
    "breaks",
    "order",
    "beneath",
}
"""Fields of many, or that stand beside one that is looked at."""
_OFFICIAL = [row.data for row in EVENT_TYPES if issubclass(row.data, Official)]


@pytest.mark.parametrize("data", _OFFICIAL, ids=lambda data: data.__name__)
def test_every_field_that_names_a_game_a_player_or_a_ruling_is_looked_at(data):
    naming = {
        f.name for f in fields(data) if any(word in str(f.type) for word in ("PlayerId", "GameId", "RulingId"))
    } - _OF_A_ROUND
    assert naming <= _LOOKED_AT


def test_two_lines_meet_in_one_game_or_one_player_and_nowhere_else():
    first = concern([GameId("cup.1.1")], [PlayerId(1), PlayerId(2)])
    assert first.meets(concern([GameId("cup.1.1")]))
    assert first.meets(concern(players=[PlayerId(2)]))
    assert not first.meets(concern([GameId("cup.1.2")], [PlayerId(3)]))
    assert not Concern().meets(Concern())
