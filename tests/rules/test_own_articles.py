"""Articles are cited only from the rule texts that an event is played by."""

import pytest

from shared import regulations
from shared.core.rulebook.articles import own_article


@pytest.mark.parametrize(
    ("name", "article", "own"),
    [
        ("fide-2026", "000-B 9", None),
        ("fide-2026", "002-X 11.1", None),
        ("fide-2026", "002-X 11.2; C.05", "C.05"),
        ("fide-2026", "Laws 11.3.2", "Laws 11.3.2"),
        ("fide-2026", "default: the chief arbiter alone", "default: the chief arbiter alone"),
        ("xiangqi-1999", "002-X 11.2; C.05", "002-X 11.2; C.05"),
        ("gomoku-campus", "000-B 9", "000-B 9"),
        ("xiangqi-1999", "000-B 9", "000-B 9"),
    ],
)
def test_article_of_another_games_text_is_left_out(name: str, article: str, own: str | None) -> None:
    assert own_article(regulations.load(name), article) == own
