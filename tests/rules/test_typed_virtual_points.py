"""Typed lines of virtual points: the rows that they give, and the cost of a hostile list."""

from types import SimpleNamespace
from typing import Any

from services.pairing.rounds.virtual_point_forms import read_lines
from shared.core.events import VirtualPoints


def tournament(players: int) -> Any:
    return SimpleNamespace(players={n: SimpleNamespace(starting_number=n) for n in range(1, players + 1)})


def test_line_gives_points_to_each_player_of_its_span_who_exists():
    given, faults = read_lines(tournament(3), "2-9999 1-2 1.5")
    assert (given, faults) == ([VirtualPoints(2, 1, 2, 3), VirtualPoints(3, 1, 2, 3)], [])


def test_list_of_thousands_of_wide_spans_is_read_no_further_than_it_is_refused():
    given, _ = read_lines(tournament(300), "1-9999 1 1\n" * 9999)
    assert 2 * 9999 < len(given) <= 2 * 9999 + 300
