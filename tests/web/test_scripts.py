"""The scripts of pages: two pinned ones, short ones of our own, and none in the markup."""

import json
import re
from pathlib import Path

import pytest

from shared.web import page

WEB = Path(page.__file__).parent
TEMPLATES = sorted([*WEB.rglob("*.html"), *WEB.parents[1].glob("services/*/templates/**/*.html")])
LONGEST = {"arbiter.js": 260, "board.js": 60, "reference.js": 40, "screen.js": 100}
"""Maximum number of lines of each script of our own."""


def test_our_own_scripts_are_short():
    vendored = {line.split()[0] for line in (WEB / "static" / "vendored.txt").read_text().splitlines()}
    assert {file.name for file in WEB.rglob("*.js")} - vendored == LONGEST.keys()
    for own, most in LONGEST.items():
        assert len((WEB / "static" / own).read_text().splitlines()) < most


def test_htmx_adds_no_style_and_runs_nothing_that_stands_in_a_page():
    (config,) = re.findall("name=\"htmx-config\" content='([^']+)'", (WEB / "scripts.html").read_text())
    said = json.loads(config)
    off = ("includeIndicatorStyles", "allowScriptTags", "allowEval")
    assert {name: said[name] for name in off} == dict.fromkeys(off, False)
    assert said["selfRequestsOnly"] is True


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: file.name)
def test_no_template_has_a_script_or_a_style_in_its_markup(template: Path):
    markup = template.read_text()
    assert not re.search(r"\bhx-on|\bjs:|javascript:|\son[a-z]+=|\sstyle=|<style|<script(?! src=)", markup)
