"""Times on pages: of lines that somebody has gone past too, and at the ends of what a date can be."""

from datetime import timedelta, timezone

import pytest
from flask import Flask

from shared.http.language.language import TIMEZONE
from shared.web.times import day_and_time, time_of_day


@pytest.fixture(params=[8, 0, -8])
def hall(request):
    """A hall in a time zone of so many hours."""
    app = Flask("hall")
    app.config[TIMEZONE] = timezone(timedelta(hours=request.param))
    with app.app_context():
        yield request.param


@pytest.mark.parametrize("text", ["", "yesterday", "2026-02-30T10:00:00Z", "<b>", "10000-01-01T00:00:00Z"])
def test_what_is_no_time_is_shown_as_it_is(hall, text):
    shown = text.replace("<b>", "&lt;b&gt;")
    assert day_and_time(text) == time_of_day(text) == f"<span>{shown}</span>"


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"])
def test_the_first_and_the_last_time_that_there_is_are_shown_in_every_zone(hall, text):
    assert day_and_time(text).startswith(f'<time datetime="{text}">')
