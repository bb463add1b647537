"""The layout of all pages."""

from flask import Flask

from shared.core.terms import STANDINGS
from shared.web.page import Layout


def test_a_word_that_stands_in_a_template_is_in_the_language_of_each_reader(tmp_path):
    (tmp_path / "signature.html").write_text("{{ 'arbiter' | role }}", encoding="utf-8")
    layout = Layout(STANDINGS, tmp_path)
    app = Flask(__name__)

    def read(language: str) -> str:
        with app.test_request_context(headers={"Accept-Language": language, "Accept": "text/html"}):
            return layout.page("signature.html").get_data(as_text=True)

    assert [read("en"), read("zh-CN"), read("en")] == ["arbiter", "裁判员", "arbiter"]
