"""Touch-move 摸子 in xiangqi: the articles.

Articles: 002-X is 象棋竞赛规则 of 1999; 000-A is the campus event's text.
"""

from collections.abc import Sequence

from services.games.rules.boards.port.touch_move import Articles, Due, judge, own_squares
from services.games.rules.boards.xiangqi.position import XiangqiPosition

ARTICLES = Articles(
    own="002-X 5.1; 000-A 3.1",
    opponents="002-X 5.2; 000-A 3.2",
    own_first="002-X 5.3; 000-A 3.3",
    opponents_first="002-X 5.4, 5.5; 000-A 3.4, 3.5",
    unmovable="002-X 9.1.5; 000-A 4.4",
    uncapturable="002-X 9.1.6; 000-A 4.5",
    accident="002-X 5.6; 000-A 3.6",
)


def due(position: XiangqiPosition, touched: Sequence[str]) -> Due:
    """Return the moves due in xiangqi."""
    own = own_squares(position.men(), position.to_move())
    return judge(touched, own, position.options(), ARTICLES)
