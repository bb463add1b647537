"""The words of the rulebooks: each text stands with its article, once, and only where something rests on it."""

from collections import Counter

import pytest

from shared.core.books import BOOKS, citation
from shared.regulations import load, names
from shared.regulations.cited_articles import anchors, article_texts
from shared.regulations.passages import passages, passages_of

CITED = {
    article.anchor for name in names() for text in article_texts(load(name)) for article in citation(text).articles
}
RESTED_ON = {row.article for name in names() for row in load(name).rulebook.infractions}


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


def test_what_the_campus_rules_and_those_of_1999_punish_can_be_read():
    """Of the books that are at hand; what FIDE's handbook says is cited by name."""
    at_hand = {book.code for book in BOOKS if book.code in ("000-A", "002-X")}
    bare = [
        text
        for text in RESTED_ON
        if citation(text).articles
        and {one.book.code for one in citation(text).articles} <= at_hand
        and not passages_of(text)
        and not text.startswith("house:")
        and not text.endswith((", 违例", "22", "7"))  # a whole section, which stands article by article
    ]
    assert bare == []


@pytest.mark.parametrize(
    ("article", "words"),
    [
        ("002-X 9.1.2", "在对局进行中,擅停擅开棋钟"),
        ("000-A 7.10", "违例三次者判负,可以对情节严重者取消此次比赛。"),
        ("000-A 国际象棋, 违例 10", "违例三次者判负,可以对情节严重者取消此次比赛。"),
        ("000-B 注意 8 ⑤", "一方多走一步(偷步)或棋子走往不能去的位置。"),
    ],
)
def test_an_article_has_the_words_of_its_book(article: str, words: str):
    assert [one.text for one in passages_of(article)] == [words]


def test_an_article_whose_text_is_not_at_hand_has_none():
    assert passages_of("Laws 11.5") == () == passages_of(None) == passages_of("house: 9.1.2")


def test_a_set_that_names_no_such_article_has_no_place_for_it():
    assert "002-X-9.1.2" in anchors(load("xiangqi-1999")) and "002-X-9.1.2" not in anchors(load("fide-2024"))
