"""A preview by standings, which has the log of all services and the rules of all: in one process and in four."""

from tests.stories.conftest import Story, T

FOUL = {"player": 1, "round": 1, "infraction": "foul"}


def test_what_standings_previews_is_what_penalties_then_writes(story: Story) -> None:
    # given two fouls of a player who has won
    story.announced()
    story.paired([1, 2], [3, 4])
    story.report("1-0", "1/2-1/2")
    for _ in range(2):
        story.foul(1)

    # when a third is previewed
    story.near("POST", f"{T}/preview")
    asked = {"path": f"{T}/rulings", "body": FOUL}
    shown = story.ask("POST", f"{T}/preview", asked, "arbiter").get_json()

    # then nothing is written, and what penalties writes of it is what was shown
    told = story.foul(1)
    assert shown["seq"] == story.seq - 2
    assert [e["data"] for e in shown["events"]] == [e["data"] for e in told["events"]]
    assert story.get(f"{T}/diff?from={shown['seq']}&to={story.seq}") == shown["table"]
    assert shown["open"] == 0
