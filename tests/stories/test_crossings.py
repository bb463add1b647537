"""Two services that decide at once: both were right on what they saw, and the chief arbiter is told."""

import threading
from typing import Any

import pytest

from shared.core.terms import GAMES, PAIRING
from shared.http.requests.auth import COOKIE
from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded, Lagging


def at_once(story: Story, hall: Lagging, *commands: tuple[str, Any, Any]) -> None:
    """Commands to games and pairing that do not see each other."""

    def tell(path: str, json: Any, role: Any) -> None:
        answers.append(story.ask("POST", path, json, role).status_code)

    for path, *_ in commands:
        story.near("POST", path)
    answers: list[int] = []
    threads = [threading.Thread(target=tell, args=command) for command in commands]
    with hall.standing_still():
        for thread in threads:
            thread.start()
        story.until(lambda: hall.pending(GAMES, "T") and hall.pending(PAIRING, "T"))
    for thread in threads:
        thread.join()
    assert answers == [201] * len(commands)
    hall.settled()
    story.seq = len(hall.lines("T"))


def desk(story: Story, language: str = "en", path: str = "/t/T/rounds/1", role: Any = "arbiter") -> str:
    """What the desk of the first round, or another page, shows an arbiter above its boards."""
    client, there = story.hall.client("GET", f"{path}?after={story.seq}")
    client.set_cookie(COOKIE, story.token(role))
    page: str = client.get(there, headers={"Accept-Language": language}).text
    return page.partition('id="waits"')[2].partition('class="boards')[0]


@pytest.mark.parametrize("hall", ["lagging"], indirect=True)
def test_a_result_crosses_the_withdrawal_of_its_round_and_the_chief_arbiter_notes_it(
    story: Story, hall: Lagging
) -> None:
    # given a round of which games report a result while pairing takes it back
    story.announced()
    story.paired([1, 2], [3, 4])
    result = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
    at_once(
        story,
        hall,
        (f"{T}/results", result, "arbiter"),
        (f"{T}/rounds/1/withdrawal", {"reason": "not public"}, "chief_arbiter"),
    )

    # then both stand, the game counts nothing, and the later of the two is listed
    assert story.points() == {1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0}
    (crossing,) = story.integrity()["crossings"]
    assert (crossing["seq"], crossing["noted"]) == (story.seq, False)

    # and on top of the tournament and of the withdrawn round, which has no boards, with the way to note it
    told = f"concurrent decision (event {crossing['seq']})"
    for path in ("/t/T", "/t/T/rounds/1"):
        story.until(lambda path=path: told in desk(story, path=path))
        assert f'/t/T/crossings/{crossing["seq"]}"' in desk(story, path=path)
        assert "/t/T/rounds/1/pairing" in desk(story, path=path, role="chief_arbiter")

    # and of the round that is paired anew
    story.paired([1, 2], [3, 4])
    story.until(lambda: told in desk(story))
    assert f'/t/T/crossings/{crossing["seq"]}"' in desk(story)
    assert f"第 {crossing['seq']} 条" in desk(story, "zh-CN")

    # when the chief arbiter notes it
    note = f"{T}/crossings/{crossing['seq']}"
    assert story.refused(note, {"note": "seen"}, "arbiter") == (403, "role-may-not")
    story.tell(note, {"note": "the result is reported again after the new pairing"})

    # then the list shows it no more, and it is not noted twice
    assert "crossings" not in story.integrity()
    assert told not in desk(story)
    assert story.refused(note) == (409, "crossing-noted")
    story.report("1-0")
    assert story.points()[1] == 1.0


@pytest.mark.parametrize("hall", ["embedded"], indirect=True)
def test_in_one_house_the_second_sees_the_first_and_nothing_crosses(story: Story, hall: Embedded) -> None:
    story.announced()
    story.paired([1, 2], [3, 4])
    story.report("1-0")
    assert story.refused(f"{T}/rounds/1/withdrawal") == (409, "round-begun")
    assert story.integrity() == {}
