"""Contents of pages: the points of the table, whether it is final, and the readers that a cache may serve."""

import re

from flask import Flask

from shared.core.language.messages import say
from shared.web.markup import marked
from tests.forms.conftest import Comes
from tests.http.calls import Call

TABLE = "/t/<t>/standings"


def points(page: str) -> dict[str, str]:
    """Return the points of each player by name."""
    rows = re.findall(r'<th scope="row">(.*?)</th>\s*<td class="n lead">([^<]*)</td>', page, re.S)
    return {re.sub(r"<small>.*|<[^>]+>", "", name, flags=re.S).strip(): value for name, value in rows}


def test_the_table_shows_points_and_is_called_final_when_published(call: Call, comes: Comes, t: str):
    # given results of round 1
    results = [{"board": n, "result": r} for n, r in enumerate(("1-0", "1/2-1/2", "0-1"), 1)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201

    # then the page has the points of the table over HTTP, and is not called final
    page = comes(None).sees(TABLE)
    table = call("GET", "/v1/tournaments/<t>/standings").json["players"]
    assert points(page.text) == {row["name"]: f"{row['points']:g}" for row in table}
    assert {"1", "0.5", "0"} == set(points(page.text).values())
    assert "Final standings" not in page.text and page.headers["Cache-Control"] == "no-cache, private"

    # when it is published, then it is called final
    assert comes("chief_arbiter").fills("/t/<t>/publication", final="yes").status_code == 303
    assert "Final standings" in comes(None).sees(TABLE).text


def test_a_fact_of_a_sentence_is_escaped(app: Flask):
    with app.test_request_context():
        assert marked("<b>x</b>", lambda _: None) == "&lt;b&gt;x&lt;/b&gt;"
        assert "<b>" not in marked(say("{t} has not adopted a ruleset yet", t="<b>x</b>"), lambda _: None)
