"""The details of a tournament, corrected with a reason: shown everywhere, and the log keeps the earlier ones."""

from tests.stories.conftest import Story, T


def test_corrected_details_are_shown_everywhere_and_the_log_keeps_the_earlier_ones(story: Story) -> None:
    story.announced(players=4)
    details, before = f"{T}/details", story.get(T)["name"]
    story.paired([1, 2], [3, 4])
    assert story.refused(details, {"rounds_planned": 0, "reason": "x"}) == (422, "bad-fields")
    assert story.refused(details, {"name": "Open", "reason": "typo"}, "arbiter") == (403, "role-may-not")
    assert story.refused(details, {"name": "Open"}, "organiser") == (422, "bad-fields"), "without a reason"
    assert story.refused(details, {"name": before, "reason": "typo"}, "organiser") == (409, "nothing-corrected")
    assert story.refused(details, {"begins": "2026-03-09", "ends": "2026-03-08", "reason": "x"}) == (422, "bad-days")
    sent = {"name": "City <Open>", "place": "Room 2", "begins": "2026-03-07", "ends": "2026-03-08", "reason": "typo"}
    (event,) = story.tell(details, sent, "organiser")["events"]
    assert {name: event["data"][name] for name in sent if name != "reason"} == {
        n: sent[n] for n in sent if n != "reason"
    }
    assert "typo" not in str(event)

    now = story.get(T)
    assert [now[name] for name in ("name", "place", "begins", "ends")] == [
        "City <Open>",
        "Room 2",
        "2026-03-07",
        "2026-03-08",
    ]
    for path in ("/t/T", "/t/T/standings", "/t/T/players", "/t/T/screen"):
        story.until(lambda path=path: "City &lt;Open&gt;" in story.get(path))
    assert before in str(story.get(f"{T}/events"))

    story.tell(details, {"place": "", "rounds_planned": 1, "reason": "no time"}, "organiser")
    after = story.get(T)
    assert after["place"] is None and after["rounds_planned"] == 1
    assert story.refused(details, {"rounds_planned": 1, "place": "", "reason": "again"}) == (409, "nothing-corrected")
    story.until(lambda: "the place is removed" in story.get("/t/T/log"))


def test_prepared_tournament_is_hidden_from_strangers_until_it_is_listed(story: Story) -> None:
    cup = {"id": "T", "name": "Secret Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    created = story.tell("/v1/tournaments", cup | {"unlisted": True}, "organiser")["events"]
    assert created[1]["type"] == "arbiter.listing.set.v1" and created[1]["data"] == {"listed": False}
    for path in (T, f"{T}/events", f"{T}/archive", "/t/T"):
        assert story.ask("GET", path).status_code == 404
    assert story.refused(f"{T}/listing", {"listed": True}, "arbiter")[0] == 403
    story.tell(f"{T}/entries", {"players": [{"name": f"Player {n}"} for n in range(4)]}, "organiser")
    story.tell(f"{T}/listing", {"listed": True}, "organiser")
    story.until(lambda: "Secret Cup" in story.get("/t/T"))
    assert story.get(T)["name"] == "Secret Cup"
