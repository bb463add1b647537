"""The venue notice: a text and a countdown that officials set, and that everybody reads on the screens of the venue."""

from tests.stories.conftest import Story, T


def test_venue_notice_is_shown_to_everybody_until_another_one_replaces_it(story: Story) -> None:
    story.announced(players=4)
    notice, begins = f"{T}/venue-notice", "2099-05-01T14:30:00+08:00"
    assert story.refused(notice, {"text": "Lunch"}, "board") == (403, "role-may-not")
    assert story.refused(notice, {"round_begins": "2099-05-01T14:30:00"}) == (422, "bad-fields"), "without a time zone"
    (event,) = story.tell(notice, {"text": "Lunch is in room 2", "round_begins": begins}, "arbiter")["events"]
    assert event["data"]["round_begins"] == "2099-05-01T06:30:00Z" and "Lunch" not in str(event)

    def shown() -> tuple[str | None, str | None]:
        now = story.get(notice)
        return now["text"], now["round_begins"]

    assert shown() == ("Lunch is in room 2", "2099-05-01T06:30:00Z")
    for path in ("/t/T/screen", "/t/T"):
        story.until(lambda path=path: "Lunch is in room 2" in story.get(path))
    assert 'data-begins="2099-05-01T06:30:00+00:00"' in story.get("/t/T/screen")

    told = story.tell(notice, {"text": "Prizes at six"}, "organiser")
    assert shown() == ("Prizes at six", None)
    story.until(lambda: "Prizes at six" in story.get("/t/T/screen"))
    assert "Lunch" not in story.get("/t/T/screen") and "data-begins" not in story.get("/t/T/screen")

    hash = told["events"][0]["data"]["text"]["text"]
    story.tell(f"{T}/texts/{hash}", role="organiser", method="DELETE")
    assert shown() == (None, None)
    story.until(lambda: "Prizes" not in story.get("/t/T/screen"))

    story.tell(notice, {}, "arbiter")
    assert shown() == (None, None) and story.get(notice)["seq"] == story.seq
