"""Times on pages are those of the hall, with their offset; machines read them in UTC."""

from datetime import UTC, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from deploy.server.settings import settings
from shared.http.app import Settings, create_app
from shared.http.identity.tokens import ensure_keys
from shared.web.times import day_and_time, time_of_day
from tests.played import a_desk

NOON = "2026-07-01T12:00:00.123Z"


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        (UTC, "2026-07-01 12:00:00 +00:00"),
        (ZoneInfo("Asia/Shanghai"), "2026-07-01 20:00:00 +08:00"),
        (ZoneInfo("America/St_Johns"), "2026-07-01 09:30:00 -02:30"),
    ],
)
def test_a_time_is_shown_in_the_halls_zone_with_its_offset(tmp_path: Path, zone: tzinfo, shown: str):
    ensure_keys(tmp_path)
    desk = a_desk(tmp_path)
    app = create_app([], desk, Settings(tmp_path / "token-keys", timezone=zone), "arbiter")
    with app.app_context():
        assert day_and_time(NOON) == f'<time datetime="{NOON}">{shown}</time>'
        assert time_of_day(NOON) == f'<time datetime="{NOON}">{shown[11:]}</time>'
    desk.close()


def test_the_hall_is_where_the_operator_says():
    assert settings({}).timezone is UTC
    assert settings({"ARBITER_TIMEZONE": "Asia/Shanghai"}).timezone == ZoneInfo("Asia/Shanghai")
