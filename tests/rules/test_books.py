"""Articles by the names of their books, in both languages, and what names no book as it is written."""

import re

import pytest

from deploy.build.regulation_texts import article_texts
from shared.core.rulebook.books import BOOKS, citation
from shared.http.language.catalogue import CHINESE, catalogue

EXAMPLES = {
    "002-X 12.2": ("Xiangqi Rules 1999, art. 12.2", "《象棋竞赛规则》1999 第12.2款"),
    "002-X 4.1.8": ("Xiangqi Rules 1999, art. 4.1.8", "《象棋竞赛规则》1999 第4.1.8款"),
    "002-X 15.1-15.5": ("Xiangqi Rules 1999, art. 15.1-15.5", "《象棋竞赛规则》1999 第15.1-15.5条"),
    "002-X 18.2, 18.3": ("Xiangqi Rules 1999, art. 18.2, art. 18.3", "《象棋竞赛规则》1999 第18.2款、第18.3款"),
    "C.04.3, 5.1": ("FIDE Handbook C.04.3, art. 5.1", "国际棋联手册 C.04.3 第5.1条"),
    "FIDE C.04.6, 1.4": ("FIDE Handbook C.04.6, art. 1.4", "国际棋联手册 C.04.6 第1.4条"),
    "Laws 9.5.3": ("FIDE Laws of Chess, art. 9.5.3", "国际棋联《国际象棋规则》 第9.5.3条"),
    "Laws, Guidelines I.8": ("FIDE Laws of Chess, Guidelines, art. I.8", "国际棋联《国际象棋规则》 指引第I.8条"),
    "000-A 7.4": ("Campus Rules, on xiangqi, art. 7.4", "《下棋规则》中国象棋规则 第7.4款"),
    "000-A 围棋, 处分权限 2; 违例 10": (
        "Campus Rules, on Go, on powers, art. 2; on violations, art. 10",
        "《下棋规则》围棋规则 处分权限第2条; 违例第10条",
    ),
    "000-A 国际象棋, 对局结束 13(2)": (
        "Campus Rules, on chess, on the end of the game, art. 13(2)",
        "《下棋规则》国际象棋规则 对局结束第13条(2)",
    ),
    "000-E 4(六)": ("Board Game Rules, art. 4(六)", "《棋类比赛规则》 第4条(六)"),
    "000-B 注意 8 ①": (
        "Rules and Notes of the Gomoku Event, notes, art. 8①",
        "《五子棋比赛规则及注意事项》 注意事项第8条①",
    ),
    "001 第三条 3(2)": ("How Gomoku is Played, 第三条, no. 3(2)", "《五子棋的下法》 第三条3(2)"),
    "004 line 488": ("Gomoku Report, line 488", "《五子棋需求分析报告》 第488行"),
    "002-X 20.3 counts opponents who were played (已赛对手), and a walkover was not played": (
        "Xiangqi Rules 1999, art. 20.3 counts opponents who were played (已赛对手), and a walkover was not played",
        "《象棋竞赛规则》1999 第20.3款 只计已赛对手，不战而胜未曾对局",
    ),
    "house: 000-D has no clocks": (
        "default: Network Gomoku Rules has no rule on clocks, so the rule on a fallen flag is Arbiter's addition",
        "默认：《下棋规则》（网络五子棋） 没有棋钟条文，超时的规定由本系统增加",
    ),
    "21.4": ("article 21.4", "条款 21.4"),
    "Hausordnung § 3 {x}": ("Hausordnung § 3 {x}", "Hausordnung § 3 {x}"),
    "1002-X 4": ("article 1002-X 4", "条款 1002-X 4"),
}


@pytest.mark.parametrize(("text", "english", "chinese"), [(text, *names) for text, names in EXAMPLES.items()])
def test_an_article_is_shown_by_its_books_name(text: str, english: str, chinese: str):
    message = citation(text).message
    assert (str(message), message.rendered(catalogue(CHINESE).gettext, "、")) == (english, chinese)


def test_no_code_of_a_book_is_left_in_what_the_regulations_cite():
    codes = re.compile("|".join(rf"(?<![\w.])(?:{book.pattern})(?!\w)" for book in BOOKS))
    texts = set(article_texts())
    assert len(texts) > 300
    assert [text for text in texts if codes.search(citation(text).text)] == []


def test_each_article_has_a_place_of_its_own():
    found = {article for text in article_texts() for article in citation(text).articles}
    assert len({article.anchor for article in found}) == len(found)


LONG = {
    "a number": "002-X " + "1" * 50_000 + "a",
    "sections": "000-A " + "和" * 50_000,
    "books": "002-X 1; " * 9_000,
    "articles": "Laws " + "1.1, " * 9_000 + "a",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_text_is_read_once(text: str):
    """However it ends: at most so many references, each in one go."""
    assert len(citation(text).groups) <= 26
