"""The words of the rulebooks: each text stands with its article, once, and only where something rests on it."""

import re
from collections import Counter

import pytest

from shared.core.rulebook.books import citation
from shared.regulations import load, names
from shared.regulations.passages import passages, passages_of
from shared.web.markup import anchors, article_texts

CITED = {
    article.anchor for name in names() for text in article_texts(load(name)) for article in citation(text).articles
}


def test_every_passage_is_of_an_article_that_some_set_goes_by():
    assert set(passages()) <= CITED


def test_a_text_stands_in_one_row_with_all_the_articles_that_have_it():
    by_book = Counter((anchor.split("-")[0:2][-1], one.text) for anchor, one in passages().items())
    rows = Counter((one.articles[0].split()[0], one.text) for one in set(passages().values()))
    assert by_book and max(rows.values()) == 1


def test_a_passage_is_chinese_with_english_beside_it_and_neither_is_a_remark_of_ours():
    for one in set(passages().values()):
        assert any("\u4e00" <= letter <= "\u9fff" for letter in one.text)
        assert one.english.isascii() or "“" in one.english
        assert "house" not in one.english and "\n" not in one.text


CHINESE = re.compile(r"0\d\d")
"""The codes of the books in Chinese, which are at hand; FIDE's handbook is cited by name alone."""
WHOLE = {
    "000-A-中国象棋规则-2": "a whole article, which stands paragraph by paragraph",
    "000-A-中国象棋规则-7": "a whole article, which stands paragraph by paragraph",
    "000-A-围棋-处分权限": "a section, which stands paragraph by paragraph",
    "000-A-围棋-违例": "a section, which stands paragraph by paragraph",
    "000-A-国际象棋-违例": "a section, which stands paragraph by paragraph",
    "000-A-瑞士制规则-轮空": "named, because the book says nothing of it",
    "000-A-破同分-1-4": "a range, which stands one by one",
    "000-B-注意-4": "a value beside the article, and none of the book",
    "000-C-2": "the chapter as a whole",
    "002-X-15.1-15.5": "a range, which stands one by one",
    "004-3.2-1-3": "a range, which stands one by one",
    "004-3.2-1-4": "a range, which stands one by one",
    "004-4": "the text of that chapter is not at hand",
}
"""Places that a set cites and that have no text of their own."""


def test_every_article_of_a_chinese_book_that_a_set_cites_can_be_read():
    cited = {
        article
        for name in names()
        for text in article_texts(load(name))
        for article in citation(text).articles
        if CHINESE.match(article.code) and article.place is not None
    }
    assert {one.anchor for one in cited} - set(passages()) == set(WHOLE)
    assert {one.book.code for one in cited} <= {one.articles[0].split()[0] for one in passages().values()}


@pytest.mark.parametrize(
    ("article", "words"),
    [
        ("002-X 9.1.2", "在对局进行中,擅停擅开棋钟"),
        ("000-A 7.10", "违例三次者判负,可以对情节严重者取消此次比赛。"),
        ("000-A 国际象棋, 违例 10", "违例三次者判负,可以对情节严重者取消此次比赛。"),
        ("000-B 注意 8 ⑤", "一方多走一步(偷步)或棋子走往不能去的位置。"),
        ("002-X 22", '在规定时间内,不能走满规定着数者,按"超时"论'),
        ("001 第二条 4", "棋子落定后,不再向其他点移动。落定后移动棋子视为悔棋,判负。"),
        ("004 3.1 (8) ⑥", "对方严重犯规而被判负;"),
        ("000-D ㈡(1)", "率先在棋盘上形成横向、竖向或斜向上连续的相同颜色的五个棋子(含五 个以上)的一方为胜。"),
    ],
)
def test_an_article_has_the_words_of_its_book(article: str, words: str):
    assert [one.text for one in passages_of(article)] == [words]


def test_an_article_whose_text_is_not_at_hand_has_none():
    assert passages_of("Laws 11.5") == () == passages_of(None) == passages_of("house: 9.1.2")


def test_a_set_that_names_no_such_article_has_no_place_for_it():
    assert "002-X-9.1.2" in anchors(load("xiangqi-1999")) and "002-X-9.1.2" not in anchors(load("fide-2024"))
