"""Three arbiters enter the 150 results of a round among viewers: a share of the benchmark `hall_entry`, without its times."""

from pathlib import Path

from tests.bench.hall_entry import BOARDS, entered, served

VIEWERS, SECONDS = 20, 4.0
MOST_CPU = 15.0
"""Seconds of the server's processor for all results. It takes four on a quiet machine."""


def test_three_arbiters_enter_150_results_and_every_viewer_has_them(tmp_path: Path):
    with served(tmp_path, 1) as (port, data, server):
        turn = entered(port, data, "hall0", server, VIEWERS, SECONDS, nice=0)
    assert len(turn.entries) == BOARDS and turn.cpu < MOST_CPU
    assert turn.watched.behind == 0
