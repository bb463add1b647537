"""Who holds a genuine token of a role that nobody gave him here: the log says so, over HTTP, in one house and in four."""

from typing import Any

import pytest

from shared.core.terms import PAIRING
from tests.stories.conftest import Story, T, hall, pytest_generate_tests, story  # noqa: F401  # fixtures
from tests.stories.hall import Lagging

CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
G = "/v1/games/T.1.1"
DEEDS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("chief_arbiter", f"{T}/officials", {"name": "mallory", "role": "chief_arbiter"}),
    ("chief_arbiter", f"{T}/officials/arbiter/dismissal", {"reason": "bets"}),
    ("chief_arbiter", f"{T}/regulations", {"regulations": "fide-2026", "reason": "mine"}),
    ("chief_arbiter", f"{T}/entries", {"players": [{"name": "a friend"}]}),
    ("chief_arbiter", f"{T}/results", {"round": 1, "results": [{"board": 1, "result": "1-0"}]}),
    ("chief_arbiter", f"{T}/publications", {}),
    ("organiser", f"{T}/entries/1/withdrawal", {}),
    ("arbiter", f"{T}/rulings", {"player": 1, "round": 1, "infraction": "foul"}),
    ("arbiter", f"{T}/arrivals", {"player": 1, "round": 1, "absent": True}),
    ("deputy_chief_arbiter", f"{G}/start", {}),
    ("player", f"{G}/start", {}),
)


def begun(story: Story, **more: Any) -> None:  # noqa: F811
    """Four players, the first round paired; players 1 and 2 meet on board 1, players 3 and 4 on board 2."""
    story.tell("/v1/tournaments", CUP | more)
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
    story.paired([1, 2], [3, 4])


def settled(story: Story) -> None:  # noqa: F811
    """Every service has read the whole log, and says so."""
    story.hall.settled()
    if isinstance(story.hall, Lagging):
        for desk in story.hall.desks.values():
            desk.log.catch_up = lambda timeout: True  # type: ignore[method-assign]


def test_a_genuine_token_that_nobody_appointed_here_does_nothing_in_any_service(story: Story) -> None:  # noqa: F811
    # given a tournament, and one with tokens of the house for every role, whom its log does not name
    begun(story)
    settled(story)
    before = story.hall.lines("T")
    for role, path, body in DEEDS:
        # when he acts, then he is refused, and told who may appoint him and how
        seen = {"If_Match": f'"{story.seq}"'}
        answer = story.ask("POST", path, body, role, "mallory", **seen)  # type: ignore[arg-type]
        assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (403, "office-not-held"), path
        if role != "player":
            assert "chief_arbiter, organiser may appoint" in answer.json["detail"]
    assert story.ask("GET", f"{T}/texts", None, "organiser", "mallory").status_code == 403
    assert story.hall.lines("T") == before, "nothing was written"
    # and the office held in a tournament of his own gives him none in this one
    own = CUP | {"id": "U", "officials": []}
    assert story.ask("POST", "/v1/tournaments", own, "chief_arbiter", "mallory").status_code == 201
    assert story.refused(f"{T}/entries", {"players": [{"name": "x"}]}, name="mallory") == (403, "office-not-held")


def test_whom_a_service_does_not_know_in_office_yet_is_told_to_come_again(story: Story) -> None:  # noqa: F811
    begun(story)
    result = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
    if not isinstance(story.hall, Lagging):  # One house has read what it has written.
        assert story.refused(f"{T}/results", result, "arbiter", name="lin") == (403, "office-not-held")
        return
    with story.hall.standing_still():
        # given an arbiter whom pairing has appointed, while games has not read that
        answer = story.ask("POST", f"{T}/results", result, "arbiter", "lin")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
        assert answer.json["type"].endswith(":behind")
    story.appointed("lin", "arbiter")
    assert story.hall.pending(PAIRING, "T") is False
    story.tell(f"{T}/results", result, "arbiter", name="lin")


def test_appointing_again_is_the_same_and_the_answer_says_so(story: Story) -> None:  # noqa: F811
    begun(story, officials=[{"name": " Lin ", "role": "arbiter", "person": "林 Lin"}])
    named = {"name": "LIN", "role": "arbiter", "person": "林 Lin"}
    story.hall.settled()
    size = len(story.hall.lines("T"))
    answer = story.ask("POST", f"{T}/officials", named, "chief_arbiter")
    assert (answer.status_code, answer.json["held_before"], answer.json["events"]) == (201, True, [])
    more = story.tell(f"{T}/officials", {"name": "lin", "role": "appeals"})
    assert (more["held_before"], len(more["events"])) == (False, 1)
    told = story.get(T)
    assert told["offices"]["arbiter"] == ["lin"] and told["offices"]["appeals"] == ["lin"]
    assert told["officials"] == {"chief_arbiter": "chief_arbiter", "lin": "arbiter"}
    page = story.get("/t/T/roles")
    assert "林 Lin" in page and "created the tournament" in page
    story.hall.settled()
    assert len(story.hall.lines("T")) == size + 1

    assert story.refused(f"{T}/officials/chief_arbiter/dismissal", {}) == (409, "own-dismissal")


def test_a_device_that_was_appointed_to_boards_feeds_no_other(story: Story) -> None:  # noqa: F811
    begun(story, officials=[{"name": "dgt 2", "role": "board", "boards": [2]}])
    assert story.refused(f"{G}/start", {}, "board", name="dgt 2") == (403, "other-board")
    story.tell("/v1/games/T.1.2/start", {}, "board", name="dgt 2")
    story.tell(f"{G}/start", {}, "board", name="any other")


@pytest.mark.parametrize(
    ("officials", "where"),
    [
        ([{"name": "a\u200bb", "role": "arbiter"}], "name"),
        ([{"name": "  ", "role": "arbiter"}], "name"),
        ([{"name": "li", "role": "rulebook"}], "role"),
        ([{"name": "li", "role": "arbiter", "boards": [1]}], "boards"),
        ([{"name": "li"}], "role"),
        ("li", "officials"),
    ],
)
def test_officials_that_cannot_be_appointed_are_named_with_their_place(
    story: Story,  # noqa: F811
    officials: Any,
    where: str,
) -> None:
    answer = story.ask("POST", "/v1/tournaments", CUP | {"officials": officials}, "chief_arbiter")
    assert answer.status_code == 422 and where in str(answer.json["errors"])
    assert story.ask("GET", T).status_code == 404, "nothing half done"
    begun(story)
    if isinstance(officials, list):
        assert story.ask("POST", f"{T}/officials", officials[0], "chief_arbiter").status_code == 422
    assert story.ask("POST", f"{T}/officials/a%E2%80%8Bb/dismissal", {}, "chief_arbiter").status_code == 422
