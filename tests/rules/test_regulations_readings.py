"""What a TOML file may not hold of the readings of fouls: infractions that count as others, adjusting, further breaks."""

import pytest

from tests.rules.test_regulations_guard import error_of


@pytest.mark.parametrize(
    ("old", "new", "name", "line"),
    [
        (
            'counts_as = "disturbing"',
            'counts_as = "noise"',
            "campus",
            "rulebook.infractions (disturbing): counts_as: 'noise' is not in the rulebook",
        ),
        (
            'counts_as = "disturbing"',
            'counts_as = "leaving_the_seat"',
            "campus",
            "rulebook.infractions (disturbing): counts_as: 'leaving_the_seat' counts as 'advice' itself",
        ),
        (
            'counts_as = "disturbing"',
            'counts_as = "taking_back"',
            "campus",
            "rulebook.infractions (disturbing): counts_as: 'taking_back' does not exist in chess",
        ),
        (
            "natural_limit_rounds = 60",
            'natural_limit_rounds = 60\nadjusting = "violation"',
            "xiangqi-1999",
            "game.xiangqi: adjusting: the rulebook has no infraction 'adjusting' in xiangqi",
        ),
        (
            'further = "leaving_the_game"',
            'further = "noise"',
            "gomoku-campus",
            "Invalid enum value 'noise' - at `$.rulebook.breaks.further`",
        ),
        (
            'scope = "tournament"',
            'scope = "round"',
            "gomoku-campus",
            "Invalid enum value 'round' - at `$.rulebook.ladder",
        ),
    ],
)
def test_a_reading_that_the_rulebook_cannot_have_is_refused_by_table_and_name(
    old: str, new: str, name: str, line: str
) -> None:
    assert error_of(old, new, name).startswith(f"{name}.toml: {line}")
