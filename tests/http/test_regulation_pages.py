"""The pages of the rulebooks: each set whole, every article with a place of its own, and links that lead there."""

import re
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path

import pytest
from flask import Flask

from shared import regulations
from shared.core.rulebook.books import citation
from shared.core.terms import PlayerId
from shared.regulations.passages import passages
from shared.web.markup import anchors, full_width
from tests.played import a_desk, an_app, spring_cup

CHINESE = {"Accept-Language": "zh-CN"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    data: Path = tmp_path_factory.mktemp("pages")
    desk = a_desk(data)
    spring_cup(desk)
    yield an_app(data, desk)
    desk.close()


def shown(app: Flask, path: str, headers: dict[str, str] | None = None) -> str:
    answer = app.test_client().get(path, headers=headers)
    assert answer.status_code == 200, path
    return answer.text


def ids(page: str) -> list[str]:
    return [unescape(one) for one in re.findall(r' id="([^"]+)"', page)]


def test_the_list_leads_to_every_set(app: Flask):
    assert set(re.findall(r'href="/regulations/([^"]+)"', shown(app, "/regulations"))) == set(regulations.names())


@pytest.mark.parametrize("name", regulations.names())
def test_a_set_has_a_place_for_each_of_its_articles_and_rows_and_every_link_finds_one(app: Flask, name: str):
    page, one = shown(app, f"/regulations/{name}"), regulations.load(name)
    places = ids(page)
    assert len(set(places)) == len(places)
    texts = {row.article for row in (*one.rulebook.infractions, *one.rulebook.authority)} | set(one.articles.values())
    assert {article.anchor for text in texts for article in citation(text).articles} <= set(places)
    assert {f"infraction-{row.name}" for row in one.rulebook.infractions} <= set(places)
    linked = {unescape(place) for place in re.findall(r'href="#([^"]+)"', page)}
    assert linked - set(places) == set()


@pytest.mark.parametrize("name", ["campus", "xiangqi-1999", "gomoku-free"])
def test_each_text_of_a_rulebook_stands_with_its_article_once(app: Flask, name: str):
    english, chinese = shown(app, f"/regulations/{name}"), shown(app, f"/regulations/{name}", CHINESE)
    known = anchors(regulations.load(name)) & set(passages())
    assert known
    for anchor in known:
        one = passages()[anchor]
        for page, translated in ((english, True), (chinese, False)):
            place = unescape(page.partition(f'<li id="{escape(anchor)}">')[2].partition("</li>")[0])
            assert place.count(full_width(one.text)) == 1 and (one.english in place) == translated
    assert chinese.count('class="passage"') == len(known)


def test_a_set_is_read_in_chinese(app: Flask):
    page = shown(app, "/regulations/xiangqi-1999", CHINESE)
    assert "《象棋竞赛规则》1999 第4.1.8款" in page
    assert "擅停、擅开棋钟" in page and "stopping the clock" not in page


def test_a_set_is_read_in_english(app: Flask):
    page = shown(app, "/regulations/xiangqi-1999")
    assert "Xiangqi Rules 1999, art. 4.1.8" in page
    assert "stopping the clock" in page and "002-X 4.1.8" not in page


def test_a_set_that_there_is_not_is_a_page_that_says_which_there_are(app: Flask):
    answer = app.test_client().get("/regulations/house-rules")
    assert answer.status_code == 404
    assert "xiangqi-1999" in answer.text


def test_the_articles_of_a_tournaments_log_lead_to_what_it_adopted(app: Flask):
    log = shown(app, "/t/cup/log")
    leads = {unescape(place) for place in re.findall(r'href="/t/cup/regulations#([^"]+)"', log)}
    assert leads
    assert leads <= set(ids(shown(app, "/t/cup/regulations")))


def test_a_line_of_the_log_is_a_sentence_in_the_readers_language(app: Flask):
    english, chinese = shown(app, "/t/cup/log"), shown(app, "/t/cup/log", CHINESE)
    assert "Ruling r1: " in english and "判罚 r1：" in chinese
    assert PlayerId(1) and "王小明" in english and "王小明" in chinese


def test_markup_in_a_name_stays_text_in_a_sentence(app: Flask):
    for page in (shown(app, "/t/cup/log"), shown(app, "/t/cup/log", CHINESE)):
        assert "<b>陈</b>" not in page
        assert "&lt;b&gt;陈&lt;/b&gt; &amp; Co" in page


COUNTED = {"foul": ("counts as a foul", "记犯规一次"), "violation": ("counts as a violation", "记违例一次")}


@pytest.mark.parametrize("name", ["fide-2026", "campus", "xiangqi-1999"])
def test_what_is_only_counted_is_called_what_the_rulebook_counts(app: Flask, name: str):
    pages = shown(app, f"/regulations/{name}"), shown(app, f"/regulations/{name}", CHINESE)
    rows = [row for row in regulations.load(name).rulebook.infractions if row.effect == "foul"]
    assert rows
    for page, words in zip(pages, zip(*COUNTED.values(), strict=True), strict=True):
        effects = dict(re.findall(r'<tr id="infraction-(\w+)">.*?<td>(.*?)</td>', page, re.DOTALL))
        said = dict(zip(COUNTED, words, strict=True))
        assert {row.name: effects[row.name] for row in rows} == {row.name: said[row.counter or ""] for row in rows}


def test_where_a_set_gives_its_fouls_a_name_of_their_own_effects_and_rungs_are_called_by_it(app: Flask):
    page = shown(app, "/regulations/gomoku-free", CHINESE)
    rows = dict(re.findall(r'<tr id="(infraction-noise|ladder-third_technical_foul)">(.*?)</tr>', page, re.DOTALL))
    assert "记技术犯规一次" in rows["infraction-noise"]
    assert "技术犯规" in rows["ladder-third_technical_foul"].partition("<small>")[0]
