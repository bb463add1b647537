"""An article that a form, a preview or a problem names is called by its book, in the reader's language, and leads to its place
on the page of the tournament's regulations."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests import hostile
from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import FIELD, Person, hall

RULING = "/t/<t>/rounds/1/boards/1/ruling"
CITED = re.compile(r'<a href="(/t/[^"#]+/regulations)#([^"]+)"[^>]*>([^<]*)</a>')
ID = re.compile(r'\bid="([^"]+)"')
RAW = re.compile(r"\b\d{3}-[A-Z]+ \d")
"""An article as it stands in the files of regulations: 002-X 21.4."""
BOOK = {"en": "Campus Rules, on xiangqi, art.", "zh-CN": "《下棋规则》中国象棋规则 第"}


def speaking(person: Person, tongue: str) -> Person:
    person.client.set_cookie("arbiter_language", tongue)
    return person


def places_of(person: Person) -> set[str]:
    """Return the places of the page of the tournament's regulations."""
    return set(ID.findall(unescape(person.sees("/t/<t>/regulations").text)))


def citations(places: set[str], answer: TestResponse) -> list[str]:
    """Return the names of the articles that a page cites. Each must lead to a place of the regulations."""
    found = CITED.findall(unescape(answer.text))
    assert [anchor for _, anchor, _ in found if anchor not in places] == []
    return [name for _, _, name in found]


@pytest.mark.parametrize("tongue", ["en", "zh-CN"])
def test_a_form_its_preview_and_its_refusal_lead_to_the_articles_that_they_name(call: Call, comes: Comes, tongue: str):
    arbiter = speaking(comes(), tongue)
    places = places_of(arbiter)
    chosen = citations(places, arbiter.sees(f"{RULING}?infraction=foul"))
    assert any(name.startswith(BOOK[tongue]) for name in chosen), "the form"
    found = citations(places, arbiter.sees(f"{RULING}?q=foul"))
    assert len(found) >= 3 and any(name.startswith(BOOK[tongue]) for name in found), "the search"
    fields = arbiter.opens(f"{RULING}?infraction=foul") | {"infraction": "foul", "player": "1"}
    preview = arbiter.sends(arbiter.sends(RULING, fields).headers["Location"], fields)
    assert any(name.startswith(BOOK[tongue]) for name in citations(places, preview)), "the preview"
    assert arbiter.sends(RULING, dict(FIELD.findall(preview.text.partition('id="decided"')[2]))).status_code == 303
    passed = {"infraction": "two_moves_in_a_row", "player": "1", "fact_opponent_passed": "yes"}
    refused = arbiter.fills(f"{RULING}?infraction=two_moves_in_a_row", **passed)
    assert refused.status_code == 409, refused.text
    problem = refused.text.partition('role="alert"')[2].partition("</section>")[0]
    assert any(name.startswith(BOOK[tongue]) for name in names(problem)), "the refusal"


def names(text: str) -> list[str]:
    return [name for _, _, name in CITED.findall(unescape(text))]


@pytest.mark.parametrize("tongue", ["en", "zh-CN"])
def test_no_page_and_no_form_shows_an_article_as_files_name_it(
    app: Flask, data: Path, t: str, comes: Comes, tongue: str
):
    hall(app, data, t)
    chief = speaking(comes("chief_arbiter"), tongue)
    places = places_of(chief)
    raw, cited = {}, 0
    for place in hostile.places(app, hostile.Known(t, "a1", "/")):
        answer = chief.sees(place.address)
        if answer.mimetype != "text/html" or place.rule.startswith("/verify"):
            continue
        shown = unescape(
            re.sub(r"<pre\b.*?</pre>|<option\b[^>]*>|<input\b[^>]*>|<[^>]+>", " ", answer.text, flags=re.S)
        )
        if found := RAW.findall(shown):
            raw[place.rule] = found[:3]
        cited += len(citations(places, answer)) if answer.status_code == 200 else 0
    assert raw == {} and cited > 50
