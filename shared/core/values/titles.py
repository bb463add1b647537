"""The titles of players: the code that an entry stores, and how people write it in each game."""

from dataclasses import dataclass

from shared.core.language.messages import Message, say


@dataclass(frozen=True, slots=True)
class Title:
    """A title. ``code``: up to three capital letters. ``written``: its names in lists, by game (empty: every other game)."""

    code: str
    name: Message | None
    written: dict[str, tuple[str, ...]]


TITLES = (
    Title("GM", None, {"chess": ("特级大师", "国际特级大师", "grandmaster"), "": ("国际特级大师", "grandmaster")}),
    Title("IM", None, {"": ("国际大师",)}),
    Title("FM", None, {"": ("棋联大师", "国际棋联大师")}),
    Title("CM", None, {"": ("候补大师", "棋联候补大师", "国际候补大师")}),
    Title("WGM", None, {"chess": ("女子特级大师", "女子国际特级大师"), "": ("女子国际特级大师",)}),
    Title("WIM", None, {"": ("女子国际大师",)}),
    Title("WFM", None, {"": ("女子棋联大师",)}),
    Title("WCM", None, {"": ("女子候补大师", "女子棋联候补大师")}),
    Title("NGM", say("National Grandmaster"), {"chess": (), "": ("特级大师", "国家特级大师")}),
    Title("NM", say("National Master"), {"": ("大师", "国家大师")}),
    Title("AM", say("Association Master"), {"": ("棋协大师", "地方大师")}),
    Title("FCP", say("First-class Player"), {"": ("一级棋士", "国家一级棋士", "1级棋士")}),
    Title("SCP", say("Second-class Player"), {"": ("二级棋士", "国家二级棋士", "2级棋士")}),
    Title("TCP", say("Third-class Player"), {"": ("三级棋士", "国家三级棋士", "3级棋士")}),
)
"""The titles of FIDE, and those of the national associations of China for xiangqi, chess and draughts (称号、等级称号)."""
NAMES = {title.code: title.name for title in TITLES if title.name is not None}


def title_code(written: str, game: str) -> str | None:
    """Return the code of a title as it is written in lists of a game, or None if it is unknown."""
    word = written.lower()
    return next((title.code for title in TITLES if word in title.written.get(game, title.written[""])), None)


WORDS = frozenset(word for title in TITLES for words in title.written.values() for word in words)
"""Every title that can be written in words, of any game."""
